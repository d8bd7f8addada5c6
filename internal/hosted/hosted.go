// Package hosted carries requests to one HTTP service that a configuration names: its address, its key, bounds on time and
// bytes, and errors that say what happened and never hold the key or a text that was sent. It knows nothing of what is asked:
// packages embed and rerank give it paths and bodies. Read Run.
package hosted

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"agenvantage"
)

// Options name a service. BaseURL is required.
type Options struct {
	Section   string            // "embed" or "rerank": how errors name the settings
	BaseURL   string            // http or https; a trailing slash makes no difference
	Tails     []string          // paths that are appended to BaseURL: an address that ends in one is refused with a hint
	Key       string            // sent as a bearer token; "" reads KeyFile
	KeyFile   string            // its first line is the key
	PlainHTTP bool              // the key may travel unencrypted to another machine
	Timeout   time.Duration     // of one request, its answer included; 0: none but the context's
	Now       func() time.Time  // nil: time.Now
	Transport http.RoundTripper // nil: one of its own, with the environment's proxy unless the service is on this machine
}

// Client asks one service. It is safe for concurrent use.
type Client struct {
	o       Options
	base    *url.URL // without user and password, without a trailing slash
	auth    string   // value of the Authorization header, "" for none
	secrets []string // what no error may show
	http    *http.Client
}

// New checks the options. An address or a key that cannot be used is an agenvantage.ErrBadInput.
func New(o Options) (*Client, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Key == "" && o.KeyFile != "" {
		key, err := readKey(o.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("%w: %s.api_key_file: %w", agenvantage.ErrBadInput, o.Section, err)
		}
		o.Key = key
	}
	if !isToken(o.Key) {
		return nil, fmt.Errorf("%w: %s.api_key holds a space, a line break or another character that no key has", agenvantage.ErrBadInput, o.Section)
	}
	base, user, err := parseAddress(o)
	if err != nil {
		return nil, err
	}
	c := &Client{o: o, base: base}
	switch {
	case o.Key != "":
		c.auth = "Bearer " + o.Key
	case user != nil:
		password, _ := user.Password()
		c.auth = "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password))
	}
	c.secrets = secretsOf(o.Key, user, base, c.auth)
	if base.Scheme == "http" && !c.Local() && (c.auth != "" || base.RawQuery != "") && !o.PlainHTTP {
		return nil, fmt.Errorf("%w: %s.base_url is http:// to another machine (%s): the key would travel unencrypted; "+
			"use https, or set %s.plain_http to true for a network that you trust", agenvantage.ErrBadInput, o.Section, base.Host, o.Section)
	}
	next := o.Transport
	if next == nil {
		next = newTransport(c.Local())
	}
	c.http = &http.Client{Transport: &carrier{client: c, next: next}, CheckRedirect: c.checkRedirect}
	return c, nil
}

func newTransport(local bool) *http.Transport {
	t := &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 16,
		ForceAttemptHTTP2:   true,
	}
	if !local {
		t.Proxy = http.ProxyFromEnvironment
	}
	return t
}

// HTTP is the client for libraries that make their own requests: within Run, what they send is bounded and judged as that
// of Post is, and the key is added.
func (c *Client) HTTP() *http.Client { return c.http }

// Base is the address without user and password; the query, if any, may be a secret.
func (c *Client) Base() *url.URL {
	u := *c.base
	return &u
}

// Endpoint is the address without user, password and query, for records and messages.
func (c *Client) Endpoint() string {
	u := *c.base
	u.RawQuery, u.ForceQuery = "", false
	return u.String()
}

// Local reports whether the service is on this machine.
func (c *Client) Local() bool { return isLocal(c.base.Hostname()) }

// HasKey reports whether requests carry a key or a password.
func (c *Client) HasKey() bool { return c.auth != "" }

// Call describes one request for bounds and errors.
type Call struct {
	Texts    []string // that are sent: no error quotes them
	MaxBytes int64    // of an answer with success; 0: 1 MiB
	Timeout  time.Duration
}

// Answer is a success: status 2xx with its whole body.
type Answer struct {
	Body []byte
	Type string // content type
}

// Post sends body as JSON to the base address with path appended.
func (c *Client) Post(ctx context.Context, path string, body any, call Call) (Answer, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return Answer{}, fmt.Errorf("encode a request to %s: %w", c.Endpoint(), err)
	}
	return c.Run(ctx, call, func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath(path).String(), bytes.NewReader(text))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json")
		response, err := c.http.Do(r)
		if err != nil {
			return err
		}
		return response.Body.Close()
	})
}

// Run lets send make one request by HTTP and judges what came: the body of a success, else an *Error, else the error of ctx.
// The error of send counts only where no answer came: what a library makes of a body is its own affair.
func (c *Client) Run(ctx context.Context, call Call, send func(context.Context) error) (Answer, error) {
	timeout := call.Timeout
	if timeout == 0 {
		timeout = c.o.Timeout
	}
	inner, cancel := ctx, context.CancelFunc(func() {})
	if timeout > 0 {
		inner, cancel = context.WithTimeout(ctx, timeout)
	}
	defer cancel()
	x := &exchange{limit: call.MaxBytes}
	if x.limit <= 0 {
		x.limit = 1 << 20
	}
	err := send(context.WithValue(inner, exchangeKey{}, x))
	if x.failed == nil && x.status/100 == 2 {
		return Answer{Body: x.body, Type: x.header.Get("Content-Type")}, nil
	}
	if ctx.Err() != nil {
		return Answer{}, fmt.Errorf("ask %s: %w", c.Endpoint(), ctx.Err())
	}
	fault := &Error{Endpoint: c.Endpoint(), Status: x.status}
	switch {
	case errors.Is(x.failed, errTooLarge):
		fault.Kind, fault.Detail = BadAnswer, fmt.Sprintf("the answer has more than %d bytes", x.limit)
	case inner.Err() != nil:
		fault.Kind, fault.Status, fault.TimedOut, fault.Detail = Unreachable, 0, true, "no answer within "+timeout.String()
	case x.failed != nil:
		fault.Kind, fault.Status, fault.Detail = Unreachable, 0, c.clean(networkCause(x.failed), call.Texts)
		if dial := (*net.OpError)(nil); errors.As(x.failed, &dial) && dial.Op == "dial" {
			fault.dial = dial
		}
	case x.status == 0 && err != nil:
		fault.Kind, fault.Detail = Rejected, c.clean(networkCause(err), call.Texts)
	default:
		c.judge(fault, x, call.Texts)
	}
	return Answer{}, fault
}

// networkCause is an error without the address that net/http puts before it, which holds the query.
func networkCause(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if err == io.EOF { // from before the first byte of an answer
		return "the connection broke without an answer"
	}
	return err.Error()
}
