package hosted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Kind says what a failed request means for the next one.
type Kind int

// The kinds.
const (
	Unreachable  Kind = iota + 1 // no connection, or it broke before the end of the answer, or it took too long
	ModelMissing                 // the service has no such model
	Unauthorized                 // no key, or one that the service refuses
	Quota                        // nothing left on the account: waiting does not help
	Limited                      // too many requests for now
	Overloaded                   // the service fails for now
	TooLong                      // fewer or shorter texts may pass
	NotFinite                    // the service could not write down what it computed: NaN or an infinity
	Rejected                     // refused, and repeating it does not help
	BadAnswer                    // a success that is of no use
)

// Error is a request that gave no usable answer. Its text holds no key, no password and no text that was sent.
type Error struct {
	Kind     Kind
	Endpoint string
	Status   int           // HTTP status; 0: no answer
	Detail   string        // what the service or the network said, cleaned and cut; may be ""
	After    time.Duration // that the service asked to wait for, 0: it did not say
	Whole    bool          // of a TooLong: the service speaks of the request, not of one of its texts
	TimedOut bool          // of an Unreachable: there was no answer within the client's own time
	dial     *net.OpError  // of an Unreachable: there was no connection, so that nothing was sent
}

// Unwrap is the *net.OpError of a connection that could not be made; nil for anything else.
func (e *Error) Unwrap() error {
	if e.dial == nil {
		return nil
	}
	return e.dial
}

func (e *Error) Error() string {
	text := e.Endpoint
	if e.Status != 0 {
		text += ": status " + strconv.Itoa(e.Status)
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// judge fills in the kind of an answer that is no success, by its status and by what its message says. Services word the
// same fault differently and some give a wrong status for it, so that the words come first where they are plain.
func (c *Client) judge(fault *Error, x *exchange, texts []string) {
	said, detail := message(x.body, x.header.Get("Content-Type"))
	said = strings.ToLower(said)
	fault.After = retryAfter(x.header, c.o.Now())
	fault.Kind = kindOf(x.status, said, fault.After > 0)
	fault.Whole = fault.Kind == TooLong && wholeWords.MatchString(said)
	fault.Detail = c.clean(detail, texts)
	switch {
	case x.status/100 == 3:
		fault.Detail = "it sends the request on to " + target(x.header.Get("Location")) + "; set " + c.o.Section + ".base_url to where the service is"
	case x.status == http.StatusUnauthorized:
		fault.Detail = c.o.Section + ".api_key is not accepted" // services quote parts of the key here
		if c.auth == "" {
			fault.Detail = "it wants a key: set " + c.o.Section + ".api_key_file"
		}
	case fault.Kind == Rejected && (x.status == http.StatusNotFound || x.status == http.StatusMethodNotAllowed):
		fault.Detail = "nothing answers there; check " + c.o.Section + ".base_url, which often ends in /v1"
	}
}

// target is where a redirect leads, without what may be secret.
func target(location string) string {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" {
		return "another address"
	}
	return u.Scheme + "://" + u.Host
}

// The words by which services tell faults that their status does not, lower case.
var (
	quotaWords = regexp.MustCompile(`insufficient_quota|exceeded_current_quota|billing|out of credits|insufficient (credit|balance|fund)`)
	modelWords = regexp.MustCompile(`model_not_found|(invalid|unknown|no such) model` +
		`|model\b.{0,120}\b(not found|not exist|not supported|not available|no longer available)`)
	longWords = regexp.MustCompile(`too (long|large|many (tokens|texts|inputs|items|documents))|context (length|window|size)|context_length` +
		`|max(imum)?[ _-](allowed )?(tokens|context|length|batch|number of|input)|token limit|exceed\w* .{0,40}(token|length|maximum|limit)|at most \d+|batch size|less than \d+ tokens`)
	wholeWords  = regexp.MustCompile(`\bper (submitted )?(request|batch)\b`)
	finiteWords = regexp.MustCompile(`unsupported value: (nan|[+-]?inf)|not json compliant|\bnan\b`)
	// Ollama gives 400 for whatever goes wrong between its server and the process that holds the model: that it died, or is
	// still loading (server/routes.go and llm/server.go of v0.17.4).
	passingWords = regexp.MustCompile(`do embedding request|error reading embed response|unexpected server status|context canceled`)
)

func kindOf(status int, said string, waits bool) Kind {
	switch {
	case quotaWords.MatchString(said) && status/100 == 4, status == http.StatusPaymentRequired,
		status == http.StatusTooManyRequests && strings.Contains(said, "quota") && !waits:
		return Quota
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Unauthorized
	case status == http.StatusTooManyRequests:
		return Limited
	case status == http.StatusRequestEntityTooLarge:
		return TooLong
	case (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity || status == http.StatusInternalServerError) && longWords.MatchString(said):
		return TooLong // llama.cpp says it with 500
	case (status == http.StatusBadRequest || status == http.StatusNotFound || status == http.StatusUnprocessableEntity) && modelWords.MatchString(said):
		return ModelMissing
	case (status == http.StatusBadRequest || status == http.StatusInternalServerError) && finiteWords.MatchString(said):
		return NotFinite
	case status == http.StatusBadRequest && passingWords.MatchString(said):
		return Overloaded
	case status == http.StatusNotImplemented, status == http.StatusHTTPVersionNotSupported:
		return Rejected
	case status/100 == 5, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		return Overloaded
	}
	return Rejected
}

// message takes out of an error's body what it says: all of its words for judging, and the message alone for showing. A
// body that is no JSON is shown when it is plain text; a page of HTML is not.
func message(body []byte, contentType string) (said, detail string) {
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		first, _, _ := bytes.Cut(bytes.TrimSpace(body), []byte("\n"))
		text := string(first)
		if strings.HasPrefix(text, "<") || strings.Contains(contentType, "html") {
			return string(body[:min(len(body), 2000)]), "an answer in HTML, as a proxy or another kind of server gives it"
		}
		return text, text
	}
	var words []string
	for _, name := range []string{"error", "message", "detail", "error_description", "code", "type"} {
		raw, ok := top[name]
		if !ok {
			continue
		}
		text, more := messageOf(raw)
		if detail == "" {
			detail = text
		}
		words = append(words, text)
		words = append(words, more...)
	}
	return strings.Join(words, " "), detail
}

// messageOf reads a message that is a text, an object with one, or a list of those.
func messageOf(raw json.RawMessage) (text string, more []string) {
	var fields struct {
		Message json.RawMessage `json:"message"`
		Msg     json.RawMessage `json:"msg"`
		Code    json.RawMessage `json:"code"`
		Type    json.RawMessage `json:"type"`
		Status  json.RawMessage `json:"status"`
	}
	var list []json.RawMessage
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text, nil
	case json.Unmarshal(raw, &list) == nil && len(list) > 0:
		if bytes.HasPrefix(bytes.TrimSpace(list[0]), []byte("[")) { // one level is what services give
			return "", nil
		}
		return messageOf(list[0])
	case json.Unmarshal(raw, &fields) == nil:
		plain := func(r json.RawMessage) string {
			var s string
			_ = json.Unmarshal(r, &s)
			return s
		}
		text = plain(fields.Message)
		if text == "" {
			text = plain(fields.Msg)
		}
		return text, []string{plain(fields.Code), plain(fields.Type), plain(fields.Status)}
	}
	return "", nil
}

// maxWait bounds what a service may ask to wait for: a longer time is as good as no answer, and the caller decides.
const maxWait = 24 * time.Hour

// retryAfter reads Retry-After (RFC 9110, section 10.2.3: seconds, or a date) and retry-after-ms, which some services send
// beside it. A time in the past, a negative number and what cannot be read are 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	bounded := func(seconds float64) time.Duration {
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(min(seconds, maxWait.Seconds()) * float64(time.Second))
	}
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil {
		return bounded(ms / 1000)
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return bounded(seconds)
	}
	if date, err := http.ParseTime(text); err == nil {
		return bounded(date.Sub(now).Seconds())
	}
	return 0
}

// Bad is a BadAnswer of this service: a success that holds something else than was asked for. What the answer says of an
// error, which some gateways send as a success, is added.
func (c *Client) Bad(a Answer, texts []string, format string, args ...any) error {
	detail := fmt.Sprintf(format, args...)
	if !json.Valid(a.Body) {
		detail += "; the answer is no JSON"
		if kind, _, _ := strings.Cut(a.Type, ";"); kind != "" {
			detail += " (" + c.clean(kind, texts) + ")"
		}
		detail += ": check " + c.o.Section + ".base_url"
	} else if _, said := message(a.Body, a.Type); said != "" {
		detail += "; it says: " + c.clean(said, texts)
	}
	return &Error{Kind: BadAnswer, Endpoint: c.Endpoint(), Detail: detail}
}
