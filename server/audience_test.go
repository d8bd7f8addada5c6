package server

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Clients that show their model structured content and no text get text alone; for the others nothing changes, also when both are
// connected to one server.
func TestModelReadsStructuredContentInPlaceOfText(t *testing.T) {
	f := &fake{answer: func(context.Context, Call) (Answer, error) {
		return Answer{Value: map[string]any{"query": "q"}, Text: "a.go:1-2\n", Channels: []string{"exact"}, Stale: "2 files changed"}, nil
	}}
	m := newMCP(t, f, nil)
	for _, c := range []struct {
		client   string
		textOnly bool
	}{{"claude-code", true}, {"other", false}, {"codex-mcp-client", true}, {"claude-code-x", false}} {
		for _, version := range []string{"2025-06-18", "2026-07-28"} {
			here, there := mcp.NewInMemoryTransports()
			if _, err := m.server.Connect(t.Context(), there, nil); err != nil {
				t.Fatal(err)
			}
			s, err := mcp.NewClient(&mcp.Implementation{Name: c.client, Version: "1"}, nil).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			list, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, tool := range list.Tools {
				if (tool.OutputSchema == nil) != c.textOnly || tool.InputSchema == nil {
					t.Errorf("%s, %s: %s has the schemas %v and %v", c.client, version, tool.Name, tool.InputSchema, tool.OutputSchema)
				}
				if always := tool.Meta["anthropic/alwaysLoad"] == true; always != (tool.Name == "search" || tool.Name == "pack") {
					t.Errorf("%s: always in view: %v", tool.Name, always)
				}
			}
			r, text := callTool(t, s, "search", map[string]any{"query": "q"})
			if (r.StructuredContent == nil) != c.textOnly || text != "a.go:1-2\n\n[channels: exact; STALE: 2 files changed]\n" {
				t.Errorf("%s, %s: %v and %q", c.client, version, r.StructuredContent, text)
			}
			s.Close()
		}
	}
}
