package server

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// What both transports do with a message before the library reads it.
//
// The library keeps an id as a 64-bit integer or a string, so that 1.5 comes back as 1, 9007199254740993 as its neighbour, and a
// client waits for ever for the answer that it asked for. An id that would not survive travels through the library as a string that
// holds it, and is put back byte for byte in what is sent. An id of null, which the library takes for a notification, is answered
// with an error, as is whatever else is no message.

// maxMethodBytes bounds the name of a method and maxIDBytes an id, which errors and answers repeat.
const (
	maxMethodBytes = 200
	maxIDBytes     = 1000
)

// fault is a message that the library is not given. It is answered under the id where it has one, with the code and message;
// without a code it is dropped, as a notification is.
type fault struct {
	id      json.RawMessage
	code    int
	message string
}

// body is the fault as an answer.
func (f fault) body() []byte {
	if len(f.id) == 0 {
		f.id = json.RawMessage("null")
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": f.id, "error": map[string]any{"code": f.code, "message": middleCut(f.message, maxMessageBytes)}})
	if err != nil {
		return nil // an id that was read as JSON can be written
	}
	return text
}

// carrier is the beginning of ids that hold another one. It is random, so that no client sends one by itself.
var carrier = func() string {
	b := make([]byte, 12)
	_, _ = rand.Read(b) // never fails
	return "agenvantage-" + hex.EncodeToString(b) + ":"
}()

// messagesIn lists the messages of a text, of which what names the kind: one, or those of a batch.
func messagesIn(text []byte, what string) (messages []json.RawMessage, isBatch bool, bad *fault) {
	text = bytes.TrimPrefix(bytes.TrimSpace(text), []byte(byteOrderMark))
	if !json.Valid(text) {
		return nil, false, &fault{code: jsonrpc.CodeParseError, message: what + " that is not JSON"}
	}
	if text[0] != '[' {
		return []json.RawMessage{text}, false, nil
	}
	if json.Unmarshal(text, &messages) != nil || len(messages) == 0 {
		return nil, true, &fault{code: jsonrpc.CodeInvalidRequest, message: "a batch without messages"}
	}
	return messages, true, nil
}

// vetMessage looks at one message, which is valid JSON, and gives what the library is to read: the same text unless it has an id that the
// library would change, and what the library makes of it.
func vetMessage(text []byte) (vetted []byte, m jsonrpc.Message, bad *fault) {
	var head map[string]json.RawMessage
	if json.Unmarshal(text, &head) != nil || head == nil {
		return nil, nil, &fault{code: jsonrpc.CodeInvalidRequest, message: "a message that is no object"}
	}
	id, method, params := head["id"], head["method"], head["params"]
	call := len(method) > 0 && len(id) > 0
	switch {
	case len(id) > 0 && bytes.ContainsAny(id[:1], "{[tf"):
		return nil, nil, &fault{code: jsonrpc.CodeInvalidRequest, message: "an id that is neither a number nor a string"}
	case string(id) == "null" && call:
		return nil, nil, &fault{code: jsonrpc.CodeInvalidRequest, message: "an id of null: a call has a number or a string, and a notification has none"}
	case len(id) > maxIDBytes:
		return nil, nil, &fault{code: jsonrpc.CodeInvalidRequest, message: fmt.Sprintf("an id of %d bytes; at most %d are taken", len(id), maxIDBytes)}
	case len(method) > maxMethodBytes:
		return nil, nil, &fault{id: id, code: jsonrpc.CodeMethodNotFound, message: fmt.Sprintf("a method of %d bytes is none of this server", len(method))}
	case len(params) > 0 && params[0] != '{' && string(params) != "null":
		if call {
			return nil, nil, &fault{id: id, code: jsonrpc.CodeInvalidParams, message: "params that are no object"}
		}
		return nil, nil, &fault{}
	}
	vetted = carryIDs(text, head)
	m, err := jsonrpc.DecodeMessage(vetted)
	if err != nil {
		return nil, nil, &fault{id: id, code: jsonrpc.CodeInvalidRequest, message: "not a JSON-RPC 2.0 message: " + err.Error()}
	}
	return vetted, m, nil
}

// carryIDs replaces the id of a message, and the one that a cancellation names, where the library would change them.
func carryIDs(text []byte, head map[string]json.RawMessage) []byte {
	changed := false
	replace := func(in map[string]json.RawMessage, name string) bool {
		raw, ok := in[name]
		if !ok || survives(raw) {
			return false
		}
		in[name], changed = json.RawMessage(`"`+carrier+base64.RawURLEncoding.EncodeToString(raw)+`"`), true
		return true
	}
	if _, call := head["method"]; call { // else it answers a call of ours, and has its id
		replace(head, "id")
	}
	var params map[string]json.RawMessage
	if string(head["method"]) == `"notifications/cancelled"` && json.Unmarshal(head["params"], &params) == nil && replace(params, "requestId") {
		head["params"], _ = json.Marshal(params) // raw messages that were read can be written
	}
	if !changed {
		return text
	}
	carried, err := json.Marshal(head)
	if err != nil {
		return text
	}
	return carried
}

// coded is a message of the library with a code of JSON-RPC for an error that has none: it is what the library says of a call out of turn, such as one
// before the handshake.
func coded(m jsonrpc.Message) jsonrpc.Message {
	r, ok := m.(*jsonrpc.Response)
	if !ok || r.Error == nil {
		return m
	}
	var e *jsonrpc.Error
	if errors.As(r.Error, &e) && e.Code != 0 {
		return m
	}
	with := *r
	with.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: middleCut(r.Error.Error(), maxMessageBytes)}
	return &with
}

// uncoded begins an answer of the library over HTTP that is an error without a code: as JSON, or as the data of an event. What stands further behind is content.
var uncoded = regexp.MustCompile(`^(?:[a-z]+: [^\n{]*\n)*(?:data: )?\{"jsonrpc":"2\.0","id":(?:-?[0-9]+|"(?:[^"\\]|\\.)*"),"error":\{"code":0,`)

// codedText does for a text what coded does for a message.
func codedText(text []byte) []byte {
	at := uncoded.Find(text)
	if at == nil {
		return text
	}
	head := append([]byte{}, at[:len(at)-len("0,")]...)
	return append(fmt.Appendf(head, "%d,", jsonrpc.CodeInvalidRequest), text[len(at):]...)
}

// survives reports whether an id comes out of the library as it goes in.
func survives(raw json.RawMessage) bool {
	const exact = 1 << 53 // the library reads numbers as floats
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return strconv.FormatInt(n, 10) == string(raw) && n <= exact && n >= -exact
	}
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return string(raw) == "null"
	}
	written, err := encode(s)
	return err == nil && bytes.Equal(bytes.TrimRight(written, "\n"), raw)
}

// restoreIDs puts the ids of a client back into what is sent to it.
func restoreIDs(text []byte) []byte {
	open := []byte(`"` + carrier)
	for from := 0; ; {
		at := bytes.Index(text[from:], open)
		if at < 0 {
			return text
		}
		at += from
		end := bytes.IndexByte(text[at+len(open):], '"')
		if end < 0 {
			return text
		}
		end += at + len(open)
		raw, err := base64.RawURLEncoding.DecodeString(string(text[at+len(open) : end]))
		if err != nil {
			from = end
			continue
		}
		text = append(append(append([]byte{}, text[:at]...), raw...), text[end+1:]...)
		from = at + len(raw)
	}
}
