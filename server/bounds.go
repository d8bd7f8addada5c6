package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Whatever is sent is bounded, what repeats an input too: a client that sends two megabytes by mistake does not want them back, least of
// all in the context of its model.
const (
	// MaxEchoBytes is how much of an input an answer repeats.
	MaxEchoBytes = 500
	// maxArgumentBytes bounds arguments that are no prose: paths, names, ids. Linux takes paths of 4096 bytes.
	maxArgumentBytes = 8192
	// maxListItems bounds lists of them.
	maxListItems = 1000
	// maxMessageBytes bounds the message of an error.
	maxMessageBytes = 1200
	// maxReasonBytes bounds why an answer is stale or partial.
	maxReasonBytes = 200
)

// Head is the beginning of a text that is longer than most bytes, marked as cut, with how long the whole is; a shorter text stays as it is.
func Head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (cut: %d bytes)", text[:runeStart(text, most)], len(text))
}

// middleCut keeps both ends of a text that is longer than most bytes: a message names the input first, and last what to do about it.
func middleCut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := runeStart(text, most*2/3), runeStart(text, len(text)-most/3)
	return fmt.Sprintf("%s … (%d bytes are left out) … %s", text[:head], tail-head, text[tail:])
}

// runeStart is the last place up to at where a character begins.
func runeStart(text string, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// boundErrors cuts the messages of errors of the protocol: the library repeats the tool that it does not know, however long.
func boundErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, r)
		var e *jsonrpc.Error
		if errors.As(err, &e) && len(e.Message)+len(e.Data) > maxMessageBytes {
			return result, &jsonrpc.Error{Code: e.Code, Message: middleCut(e.Message, maxMessageBytes)}
		}
		return result, err
	}
}

// oneLine joins the lines of a text.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
