// Package embedtest is a stand-in for embedding and reranking services, for tests: one server on loopback that speaks the
// shapes of Ollama, OpenAI, Voyage, Cohere and Jina, keeps a log of every request, and fails in the ways that real services
// do. Its vectors are hashed bags of words: they say which texts share words and know nothing of meaning. Read Mode and
// Server.
package embedtest

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Poison in a text marks it for the faults that concern one text.
const Poison = "POISON"

// Fault is a way to fail.
type Fault string

// The faults. K, Limit and After are fields of Mode; the n-th request is that of embedding or reranking, from 1.
const (
	OK             Fault = ""
	Rate           Fault = "rate"            // 429 with Retry-After for the first K requests
	Quota          Fault = "quota"           // 429 insufficient_quota after the first K
	Flaky          Fault = "flaky"           // 503 for every odd request
	Down           Fault = "down"            // 500 for every request
	Auth           Fault = "auth"            // 401 without a key, or with one of them that is not Mode.Key
	Missing        Fault = "missing"         // no such model
	NaN            Fault = "nan"             // 500, as a strict encoder fails, when a text is poisoned
	NaNLiteral     Fault = "nan literal"     // a bare NaN in the vector of a poisoned text
	Overflow       Fault = "overflow"        // a number beyond the range of a float32 there
	Zero           Fault = "zero"            // zeros there
	Null           Fault = "null"            // nulls there
	NullVector     Fault = "null vector"     // null in its place
	WrongDimension Fault = "wrong dimension" // twice as many numbers there
	TooLong        Fault = "too long"        // 400 when a text has more than Limit bytes
	Cap            Fault = "cap"             // 400 when a request has more than K texts or more than Limit bytes
	TooLarge       Fault = "too large"       // 413 in the same cases
	DimensionDrift Fault = "dimension drift" // twice as many numbers in every vector after the first K requests
	Empty          Fault = "empty"           // a success without vectors
	Short          Fault = "short"           // the last vector is not there, when there are several
	Extra          Fault = "extra"           // one vector too many
	Shuffle        Fault = "shuffle"         // in reverse order, where the shape has indexes
	BadIndex       Fault = "bad index"       // an index out of range
	SameIndex      Fault = "same index"      // each index is 1, when there are several
	NoIndex        Fault = "no index"        // in order and without indexes
	ZeroIndex      Fault = "zero index"      // in order and with indexes, but for the first, as encoders do that leave zeros out
	Garbage        Fault = "garbage"         // a success that is no JSON
	HTML           Fault = "html"            // a success that is a page
	PlainType      Fault = "plain type"      // a right answer with the type text/plain
	Half           Fault = "half"            // the connection breaks in the middle of the answer
	Hang           Fault = "hang"            // no answer before Release
	Die            Fault = "die"             // the connection breaks without an answer, for all requests after the first K
	Echo           Fault = "echo"            // 400 that quotes the key and the texts
	EchoPlain      Fault = "echo plain"      // the same as plain text, with 500
	EchoAuth       Fault = "echo auth"       // 401 that quotes a part of the key
	Redirect       Fault = "redirect"        // 307 to Mode.Target
	Moved          Fault = "moved"           // 307 to another path of this server, which answers
	Huge           Fault = "huge"            // a success without end
	SuccessError   Fault = "success error"   // status 200 with an error in it
	NoList         Fault = "no list"         // as OK, for servers without /api/tags
	WrongScores    Fault = "wrong scores"    // reranking: scores that are no numbers
)

// Mode says how the server behaves. The zero value answers everything.
type Mode struct {
	Fault      Fault
	Dimensions int    // of vectors; 0: 64
	K          int    // see the faults; 0 means none
	Limit      int    // bytes
	Model      string // the only model there is, in Ollama's list; "": mock-embed:latest
	Digest     string // of the model in that list
	Window     int    // tokens, told by /api/show; 0: there is no such operation
	RemoteHost string // in that list: a model that Ollama passes on
	Key        string // that Auth wants; "": any
	After      string // Retry-After of the 429 and 503; "": none
	Target     string // of Redirect: an address
}

// Request is one request as it came.
type Request struct {
	N         int // from 1, among those for embedding or reranking; 0 for others
	Time      time.Time
	Method    string
	Path      string
	Model     string
	Inputs    []string // whole, in order; the documents of a reranking
	Query     string   // of a reranking
	InputType string   // as Voyage and Cohere name the purpose
	Auth      string   // Authorization, whole
	Body      string
	Status    int // of the answer; 0: the connection broke or no answer was given yet
}

// Server is a running stand-in. Its methods may be called from any goroutine.
type Server struct {
	URL string // http://127.0.0.1:PORT

	t        testing.TB
	listen   string
	release  chan struct{}
	mu       sync.Mutex
	arrived  *sync.Cond // of mu, at each request
	mode     Mode
	n        int
	requests []Request
	server   *http.Server
	conns    map[net.Conn]bool
}

// Start runs a server until the test ends.
func Start(t testing.TB, mode Mode) *Server {
	t.Helper()
	s := &Server{t: t, mode: mode, listen: "127.0.0.1:0", release: make(chan struct{}), conns: map[net.Conn]bool{}}
	s.arrived = sync.NewCond(&s.mu)
	s.Up()
	s.URL = "http://" + s.listen
	t.Cleanup(func() {
		s.Release()
		s.Down()
	})
	return s
}

// Up listens again on the port of before, after Down.
func (s *Server) Up() {
	s.t.Helper()
	l, err := net.Listen("tcp", s.listen)
	if err != nil {
		s.t.Errorf("stand-in service: %v", err)
		return
	}
	server := &http.Server{Handler: http.HandlerFunc(s.serve), ConnState: s.track, ReadHeaderTimeout: time.Minute}
	s.mu.Lock()
	s.listen, s.server = l.Addr().String(), server
	s.mu.Unlock()
	go func() { _ = server.Serve(l) }()
}

// Down stops listening and breaks every connection, as a killed service does. What was asked is kept.
func (s *Server) Down() {
	s.mu.Lock()
	server := s.server
	s.mu.Unlock()
	_ = server.Close()
	s.KillConnections()
}

// KillConnections breaks every connection and goes on listening, as a failing network does.
func (s *Server) KillConnections() {
	s.mu.Lock()
	conns := make([]net.Conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
}

func (s *Server) track(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.conns[c] = true
	case http.StateClosed, http.StateHijacked:
		delete(s.conns, c)
	}
}

// SetMode changes how requests from now on are answered. Counters go on.
func (s *Server) SetMode(mode Mode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mode = mode
}

// Release lets requests go on that hang.
func (s *Server) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.release:
	default:
		close(s.release)
	}
}

// Await returns once n requests for embedding or reranking have come in all.
func (s *Server) Await(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.n < n {
		s.arrived.Wait()
	}
}

// Requests is a copy of the log, in the order of arrival: requests for embedding and reranking, and others.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Asked are the requests for embedding and reranking.
func (s *Server) Asked() []Request {
	return slices.DeleteFunc(s.Requests(), func(r Request) bool { return r.N == 0 })
}

// Embedded counts, for each text, in how many requests with success it was. Texts of one word or two that came alone are
// probes of a dimension, or questions, and counted as well.
func (s *Server) Embedded() map[string]int {
	out := map[string]int{}
	for _, r := range s.Asked() {
		if r.Status == http.StatusOK {
			for _, text := range r.Inputs {
				out[text]++
			}
		}
	}
	return out
}

// Saw reports whether any request held the text, in whatever part: its address, its key, or its body as sent or as decoded.
func (s *Server) Saw(text string) bool {
	return slices.ContainsFunc(s.Requests(), func(r Request) bool {
		return strings.Contains(r.Path+"\x00"+r.Auth+"\x00"+r.Body+"\x00"+r.Query+"\x00"+strings.Join(r.Inputs, "\x00"), text)
	})
}
