package extract

import "strings"

// lineMarkers begin a line of a comment, longest first.
var lineMarkers = []string{"////", "///<", "//!<", "///", "//!", "//", "/**", "/*!", "/*", "<!--", "{-|", "{-", "(**", "(*", "--[[", "---", "-- |", "-- ^", "--", "##", "#!", "#", ";;;;", ";;;", ";;", ";", "%%%", "%%", "%", "'''", "\"\"\""}

// lineClosers end a line of a comment.
var lineClosers = []string{"**/", "*/", "-->", "-}", "**)", "*)", "]]"}

// cleanComment takes the markers off the lines of a comment and drops blank lines at both ends. The text inside is kept
// line by line, with its own indentation beyond one blank.
func cleanComment(s string) string {
	if attribute, text, ok := strings.Cut(s, " "); ok && strings.HasPrefix(attribute, "@") { // Elixir: @doc "…"
		return cleanDocString(text)
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		for _, m := range lineMarkers {
			if strings.HasPrefix(l, m) {
				l = l[len(m):]
				break
			}
		}
		for _, m := range lineClosers {
			if strings.HasSuffix(l, m) {
				l = strings.TrimSuffix(l, m)
				break
			}
		}
		if t := strings.TrimLeft(l, " \t"); i > 0 && strings.HasPrefix(t, "*") && !strings.HasPrefix(t, "**") {
			l = t[1:]
		}
		l = strings.TrimRight(l, " \t\r")
		if strings.Trim(l, "-=*#/ \t") == "" { // a rule
			l = ""
		}
		lines[i] = strings.TrimPrefix(l, " ")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n \t")
}

// cleanDocString takes quotes and prefixes off a string literal and the common indentation off its lines.
func cleanDocString(s string) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "")
	s = strings.TrimLeft(s, "rRuUbBfF~sS")
	for _, q := range []string{`"""`, `'''`, `"`, `'`, "`"} {
		if strings.HasPrefix(s, q) {
			s = strings.TrimSuffix(strings.TrimPrefix(s, q), q)
			break
		}
	}
	lines := strings.Split(s, "\n")
	common := -1
	for _, l := range lines[1:] {
		if t := strings.TrimLeft(l, " \t"); t != "" && (common < 0 || len(l)-len(t) < common) {
			common = len(l) - len(t)
		}
	}
	for i, l := range lines {
		if i > 0 && common > 0 && len(l) >= common {
			l = l[common:]
		}
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n \t")
}
