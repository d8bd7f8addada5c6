package hosted

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

const (
	masked = "***"
	// secretBytes is the length of a part of a key that is hidden: services quote keys in part, and eight characters of one
	// are of no use to anybody while eight in common with a message by chance are not to be expected.
	secretBytes = 8
	// textBytes is the length of a part of a sent text that is hidden.
	textBytes = 24
	// maxDetail is the length of what is shown of a service's message, in characters.
	maxDetail = 240
	// maxSearched bounds what is searched for secrets and texts, in bytes: the time is this times the bytes of the texts.
	maxSearched = 2000
)

// secretsOf lists what no error may show, in the forms in which a service may give it back.
func secretsOf(key string, user *url.Userinfo, base *url.URL, auth string) []string {
	all := []string{key, url.QueryEscape(key), strings.TrimPrefix(strings.TrimPrefix(auth, "Bearer "), "Basic ")}
	if user != nil {
		password, _ := user.Password()
		all = append(all, password, url.QueryEscape(password), user.Username())
	}
	for _, values := range base.Query() {
		for _, v := range values {
			all = append(all, v, url.QueryEscape(v))
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s string) bool { return len(s) < 4 })
}

// clean makes a message of a service fit to be shown: one line, without secrets and sent texts, cut.
func (c *Client) clean(text string, texts []string) string {
	text = hide(text, c.secrets, secretBytes)
	text = hide(text, texts, textBytes)
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(text); len(runes) > maxDetail {
		text = string(runes[:maxDetail]) + "…"
	}
	return strings.ToValidUTF8(text, "?")
}

// hide replaces every part of text that is at least least bytes of one of needles, or a whole needle of four bytes or more.
func hide(text string, needles []string, least int) string {
	text = text[:min(len(text), maxSearched)]
	var out strings.Builder
	for i := 0; i < len(text); {
		longest := 0
		for _, needle := range needles {
			longest = max(longest, common(text[i:], needle, least))
		}
		if longest == 0 {
			out.WriteByte(text[i])
			i++
			continue
		}
		out.WriteString(masked)
		i += longest
	}
	return out.String()
}

// common is how many bytes at the begin of text are a part of needle, when they are enough to be hidden, else 0.
func common(text, needle string, least int) int {
	least = min(least, len(needle))
	if least < 4 || len(text) < least {
		return 0
	}
	best := 0
	for from := 0; ; {
		at := strings.Index(needle[from:], text[:least])
		if at < 0 {
			return best
		}
		at += from
		n := least
		for n < len(text) && at+n < len(needle) && text[n] == needle[at+n] {
			n++
		}
		best, from = max(best, n), at+1
	}
}
