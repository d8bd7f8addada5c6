package hosted

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxErrorBytes bounds what is read of an answer that is no success.
const maxErrorBytes = 64 << 10

// maxRedirects bounds the steps within one host.
const maxRedirects = 3

var errTooLarge = errors.New("answer too large")

type exchangeKey struct{}

// exchange is what came back for one request.
type exchange struct {
	limit  int64
	status int // 0: no answer
	header http.Header
	body   []byte
	failed error // why there is no whole answer
}

// carrier adds the key to requests for the service's own host, and reads every answer whole, within its bound, so that a
// library's view of it and ours are the same bytes.
type carrier struct {
	client *Client
	next   http.RoundTripper
}

func (t *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("a request outside of Run")
	}
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", "agenvantage")
	if t.client.auth != "" && r.URL.Host == t.client.base.Host && r.URL.Scheme == t.client.base.Scheme {
		r.Header.Set("Authorization", t.client.auth)
	}
	x.status, x.header, x.body, x.failed = 0, nil, nil, nil
	response, err := t.next.RoundTrip(r)
	if err != nil {
		x.failed = err
		return nil, err
	}
	defer response.Body.Close()
	limit := x.limit
	if response.StatusCode/100 != 2 {
		limit = maxErrorBytes
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if int64(len(body)) > limit {
		if response.StatusCode/100 == 2 {
			x.failed = errTooLarge
			return nil, errTooLarge
		}
		body = body[:limit]
	} else if err != nil {
		x.failed = fmt.Errorf("the answer broke off after %d bytes: %w", len(body), err)
		return nil, x.failed
	}
	x.status, x.header, x.body = response.StatusCode, response.Header, body
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// checkRedirect follows a service that moves a request within its own host and keeps its method (307, 308). Any other
// redirect is an answer that is no success: the texts, and with them the key, would go to somebody whom no configuration names.
func (c *Client) checkRedirect(next *http.Request, via []*http.Request) error {
	if next.URL.Host != c.base.Host || next.URL.Scheme != c.base.Scheme || next.Method != via[0].Method || len(via) > maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}
