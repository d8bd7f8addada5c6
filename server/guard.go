package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/internal/loopback"
)

// guard decides who is answered at all: by the Host that they name, by the page that they come from, and by their token. It keeps
// a page in a browser from reading a repository through a name that was made to point here (DNS rebinding) or across origins.
type guard struct {
	hosts    []string // names that Host may have, lower case, without a port
	anyIP    bool     // Host may be any literal address: the server listens on all of them
	token    [32]byte // hash of the token
	hasToken bool
}

// newGuard makes the guard of a server that listens on host. Any address but those of the loopback needs a token.
func newGuard(host, token string, names []string) (*guard, error) {
	g := &guard{hosts: []string{"localhost", "127.0.0.1", "::1"}, hasToken: token != "", token: sha256.Sum256([]byte(token))}
	for _, n := range names {
		g.hosts = append(g.hosts, strings.ToLower(n))
	}
	address, err := netip.ParseAddr(host)
	if !loopback.Is(host) && token == "" {
		return nil, fmt.Errorf("%w: %q is not an address of the loopback, and needs a token: --token-file FILE, or AGENVANTAGE_TOKEN", agenvantage.ErrBadInput, host)
	}
	if host != "" {
		g.hosts = append(g.hosts, strings.ToLower(host))
	}
	g.anyIP = host == "" || err == nil && address.IsUnspecified()
	return g, nil
}

// check refuses a request with errForbidden or errUnauthorized. open says that the answer is the same for everybody, so that no
// token is needed.
func (g *guard) check(r *http.Request, open bool) error {
	if !g.hostAllowed(r.Host) {
		return fmt.Errorf("%w: the Host %q is none of this server", errForbidden, r.Host)
	}
	if origins := r.Header.Values("Origin"); len(origins) > 0 && !slices.ContainsFunc(origins[:1], func(o string) bool { return len(origins) == 1 && sameOrigin(o, r) }) {
		return fmt.Errorf("%w: the Origin %q is another one", errForbidden, origins[0])
	}
	navigation := r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	if site := r.Header.Get("Sec-Fetch-Site"); (site == "cross-site" || site == "same-site") && !navigation {
		return fmt.Errorf("%w: a page of another origin asks", errForbidden)
	}
	if !g.hasToken || open {
		return nil
	}
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if !strings.EqualFold(kind, "Bearer") || subtle.ConstantTimeCompare(given[:], g.token[:]) != 1 {
		return fmt.Errorf("%w: the token of this server is needed, as Authorization: Bearer TOKEN", errUnauthorized)
	}
	return nil
}

// hostAllowed reports whether a Host header names this server. The port does not count: forwarding changes it, and a page that
// rebinds a name cannot choose the name.
func (g *guard) hostAllowed(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	if slices.Contains(g.hosts, host) {
		return true
	}
	_, err := netip.ParseAddr(host)
	return loopback.Is(host) || err == nil && g.anyIP
}

// sameOrigin reports whether an Origin header names the very host and port of the request.
func sameOrigin(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// limiter bounds requests at the same time and in a second. It is safe for concurrent use.
type limiter struct {
	slots chan struct{}
	rate  float64 // requests in a second; 0 sets no bound
	now   func() time.Time

	mu     sync.Mutex
	tokens float64
	at     time.Time
}

func newLimiter(concurrent int, rate float64) *limiter {
	return &limiter{slots: make(chan struct{}, concurrent), rate: rate, now: time.Now, tokens: 2 * rate}
}

// enter lets a request in, or says after how many seconds it may come again. leave is nil then.
func (l *limiter) enter() (leave func(), retryAfter int) {
	if wait := l.take(); wait > 0 {
		return nil, wait
	}
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots }, 0
	default:
		return nil, 1
	}
}

// take takes one token of a bucket that holds those of two seconds.
func (l *limiter) take() (wait int) {
	if l.rate <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if !l.at.IsZero() {
		l.tokens = min(2*l.rate, l.tokens+now.Sub(l.at).Seconds()*l.rate)
	}
	l.at = now
	if l.tokens < 1 {
		return 1 + int((1-l.tokens)/l.rate)
	}
	l.tokens--
	return 0
}

// statuses are those of the errors that callers branch on; any other is 500.
var statuses = map[string]int{
	"bad_input": http.StatusBadRequest, "unauthorized": http.StatusUnauthorized, "forbidden": http.StatusForbidden, "not_found": http.StatusNotFound, "method_not_allowed": http.StatusMethodNotAllowed,
	"too_large": http.StatusRequestEntityTooLarge, "unsupported_media_type": http.StatusUnsupportedMediaType, "nothing_selected": http.StatusUnprocessableEntity, "too_many_requests": http.StatusTooManyRequests,
	"not_writable": http.StatusInsufficientStorage, "incomplete": http.StatusServiceUnavailable, "no_index": http.StatusServiceUnavailable, "busy": http.StatusServiceUnavailable, "root_gone": http.StatusServiceUnavailable,
	"timeout": http.StatusGatewayTimeout, "canceled": 499, // as nginx has it: the client closed the request
}

// kindedStatuses are those of KindedError where another than of statuses, whose unauthorized is about who asks this server, or none there.
var kindedStatuses = map[string]int{
	"disk_full": http.StatusInsufficientStorage, "store_gone": http.StatusServiceUnavailable, "model_missing": http.StatusServiceUnavailable, "model_changed": http.StatusServiceUnavailable,
	"unreachable": http.StatusServiceUnavailable, "limited": http.StatusServiceUnavailable, "overloaded": http.StatusServiceUnavailable,
	"unauthorized": http.StatusBadGateway, "quota": http.StatusBadGateway, "bad_answer": http.StatusBadGateway, "rejected": http.StatusBadGateway,
}

func statusOf(err error) int {
	var kinded *KindedError
	if errors.As(err, &kinded) && kindedStatuses[kinded.Kind] != 0 {
		return kindedStatuses[kinded.Kind]
	}
	if s := statuses[ErrorKind(err)]; s != 0 {
		return s
	}
	return http.StatusInternalServerError
}
