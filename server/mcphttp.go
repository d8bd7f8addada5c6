package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// protocolCodes are the codes of errors that have none of their own, by status; any other is codeTransport.
var protocolCodes = map[int]int{http.StatusBadRequest: jsonrpc.CodeInvalidRequest, http.StatusNotFound: codeNoSession, http.StatusInternalServerError: jsonrpc.CodeInternalError}

// Codes of the range that JSON-RPC leaves to servers, as other servers of MCP use them.
const (
	codeTransport = -32000
	codeNoSession = -32001
)

// serveMCP gives a request to the library, with what it is not to see taken out, and makes JSON-RPC of the plain text of its refusals.
func (s *HTTP) serveMCP(w http.ResponseWriter, r *http.Request, library http.Handler) {
	out := &protocolWriter{ResponseWriter: w}
	defer out.finish()
	if r.Method != http.MethodPost || r.Body == nil {
		library.ServeHTTP(out, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.options.MaxBodyBytes))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		out.refuse(http.StatusRequestEntityTooLarge, fault{code: codeTransport, message: fmt.Sprintf("a body has at most %d bytes", s.options.MaxBodyBytes)})
		return
	case err != nil:
		out.refuse(http.StatusBadRequest, fault{code: codeTransport, message: "the body could not be read"})
		return
	}
	if !isJSON(r) {
		out.refuse(http.StatusUnsupportedMediaType, fault{id: idOf(body), code: codeTransport, message: "the body is JSON, with Content-Type: application/json"})
		return
	}
	text, bad := vetBody(body)
	if bad != nil {
		out.refuse(http.StatusBadRequest, *bad)
		return
	}
	out.id = idOf(body)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	library.ServeHTTP(out, r)
}

// vetBody is vetMessage for a body: a message or a batch of them.
func vetBody(body []byte) ([]byte, *fault) {
	parts, isBatch, bad := messagesIn(body, "a body")
	if bad != nil {
		return nil, bad
	}
	for i, part := range parts {
		text, bad := vetPart(part)
		if bad != nil {
			return nil, bad
		}
		parts[i] = text
	}
	if !isBatch {
		return parts[0], nil
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return nil, &fault{code: jsonrpc.CodeInvalidRequest, message: "a batch that cannot be read"}
	}
	return text, nil
}

// vetPart is vetMessage where a message that is dropped has to be answered all the same.
func vetPart(text []byte) ([]byte, *fault) {
	text, _, bad := vetMessage(text)
	if bad != nil && bad.code == 0 {
		bad = &fault{code: jsonrpc.CodeInvalidParams, message: "params that are no object"}
	}
	return text, bad
}

// idOf is the id of a call, nil for none and for a batch.
func idOf(body []byte) json.RawMessage {
	body = bytes.TrimPrefix(body, []byte(byteOrderMark))
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &head) != nil {
		return nil
	}
	return head.ID
}

// protocolWriter is what the library answers through: ids are put back, errors without a code have one, and refusals in plain text become errors of JSON-RPC. Each
// event is one Write of the library, so that no id is cut in two.
type protocolWriter struct {
	http.ResponseWriter
	id     json.RawMessage // of the call
	status int             // of a refusal whose text is kept
	text   bytes.Buffer
}

func (w *protocolWriter) WriteHeader(status int) {
	if kind, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type")); status >= http.StatusBadRequest && kind != "application/json" {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *protocolWriter) Write(b []byte) (int, error) {
	if w.status != 0 {
		return w.text.Write(b)
	}
	if _, err := w.ResponseWriter.Write(restoreIDs(codedText(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Unwrap lets http.ResponseController set deadlines.
func (w *protocolWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what is written; a refusal is written at the end.
func (w *protocolWriter) Flush() {
	if w.status == 0 {
		_ = http.NewResponseController(w.ResponseWriter).Flush()
	}
}

// finish answers with the refusal that was kept.
func (w *protocolWriter) finish() {
	if w.status == 0 {
		return
	}
	f := fault{id: w.id, code: protocolCodes[w.status], message: strings.TrimSpace(oneLine(w.text.String()))}
	switch {
	case strings.HasSuffix(f.message, " unsupported"):
		f.code = jsonrpc.CodeMethodNotFound
	case f.code == 0:
		f.code = codeTransport
	}
	w.refuse(w.status, f)
}

// refuse answers with a fault.
func (w *protocolWriter) refuse(status int, f fault) {
	text := append(f.body(), '\n')
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.ResponseWriter.WriteHeader(status)
	_, _ = w.ResponseWriter.Write(text)
	w.status = 0
}
