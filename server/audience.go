package server

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// textReaders are clients, by the name that they give themselves, that show their model the structured content of a result in
// the place of its text: Claude Code 2.1 and Codex 0.171 were seen to. Their models would miss line numbers, references to what
// was sent, and the line that says stale or partial, and pay for scores and times that are of use to programs alone. They get
// text and nothing else.
var textReaders = []string{"claude-code", "codex-mcp-client"}

// readsText reports whether a conversation is with one of textReaders.
func readsText(s *mcp.ServerSession) bool {
	p := s.InitializeParams()
	return p != nil && p.ClientInfo != nil && slices.Contains(textReaders, p.ClientInfo.Name)
}

// textForModels leaves structured content, and the schemas that promise it, out of what textReaders get.
func textForModels(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, r)
		s, ok := r.GetSession().(*mcp.ServerSession)
		if err != nil || !ok || !readsText(s) {
			return result, err
		}
		switch x := result.(type) {
		case *mcp.ListToolsResult:
			list := *x // the tools are those of every conversation
			list.Tools = slices.Clone(x.Tools)
			for i, t := range list.Tools {
				plain := *t
				plain.OutputSchema = nil
				list.Tools[i] = &plain
			}
			return &list, nil
		case *mcp.CallToolResult:
			x.StructuredContent = nil
		}
		return result, nil
	}
}

// toolMeta keeps the tools that matter most in view of models whose client shows them others on demand: Claude Code looks for
// this key, and lists the other tools by name alone.
func toolMeta(name string) mcp.Meta {
	if !slices.Contains(MinimalTools(), name) {
		return nil
	}
	return mcp.Meta{"anthropic/alwaysLoad": true}
}
