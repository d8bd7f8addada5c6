package embed

import (
	"cmp"
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"agenvantage/internal/hosted"
)

// keepAlive is how long Ollama keeps the model after a request: loading it again costs seconds to a minute, and questions
// come minutes apart.
const keepAlive = 30 * time.Minute

// maxShowBytes bounds what Ollama says of a model: its licence and template are in it.
const maxShowBytes = 16 << 20

// ollama asks an Ollama server by its own client. Vectors and errors are read from the answer itself (hosted.Run), since the
// client drops Retry-After, makes zeros of nulls and gives up a whole answer for one number.
type ollama struct {
	*remote
	api *api.Client
}

func newOllama(r *remote) ollama {
	if strings.HasSuffix(strings.ToLower(fullName(r.o.Model)), "cloud") { // models whose tag says that Ollama passes texts on
		r.hosted.Store(true)
	}
	return ollama{r, api.NewClient(r.client.Base(), r.client.HTTP())}
}

func (b ollama) missing() string { return "fetch it with: ollama pull " + b.o.Model }

// find looks for the model in the server's list. Servers that only embed have no list or no /api/show: then the digest and
// the window are unknown, and embedding shows whether the model is there.
func (b ollama) find(ctx context.Context) (found, error) {
	m, listed, err := b.listed(ctx)
	if err != nil || !listed {
		return found{name: fullName(b.o.Model)}, err
	}
	f := found{name: fullName(cmp.Or(m.Name, m.Model)), digest: m.Digest, passedOn: m.RemoteHost != "" || m.RemoteModel != ""}
	f.window, err = b.showWindow(ctx)
	return f, err
}

// listed is what the server's list says of the model; ok is false where there is no list. A list without it is an error.
func (b ollama) listed(ctx context.Context) (m api.ListModelResponse, ok bool, err error) {
	a, err := b.client.Run(ctx, hosted.Call{MaxBytes: maxShowBytes}, func(ctx context.Context) error {
		_, err := b.api.List(ctx)
		return err
	})
	if tolerable(err) {
		return m, false, nil
	}
	if err != nil {
		return m, false, err
	}
	var list struct {
		Models []api.ListModelResponse `json:"models"`
	}
	if decode(a.Body, &list) != nil || list.Models == nil {
		return m, false, nil
	}
	for _, m := range list.Models {
		if strings.EqualFold(fullName(cmp.Or(m.Name, m.Model)), fullName(b.o.Model)) {
			return m, true, nil
		}
	}
	return m, false, &hosted.Error{Kind: hosted.ModelMissing, Endpoint: b.client.Endpoint()}
}

// showWindow is how many tokens of a text the model takes, 0 where the server does not say.
func (b ollama) showWindow(ctx context.Context) (int, error) {
	a, err := b.client.Run(ctx, hosted.Call{MaxBytes: maxShowBytes}, func(ctx context.Context) error {
		_, err := b.api.Show(ctx, &api.ShowRequest{Model: b.o.Model})
		return err
	})
	if tolerable(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var show api.ShowResponse
	if decode(a.Body, &show) != nil {
		return 0, nil
	}
	return windowOf(show), nil
}

// windowOf reads the model's context length and the server's own setting of it (num_ctx), of which the smaller holds. Of
// several context lengths, as of models with a part for images, the one of the architecture counts.
func windowOf(show api.ShowResponse) int {
	length := func(name string) int {
		n, _ := show.ModelInfo[name].(float64)
		return max(int(min(n, 1<<30)), 0)
	}
	architecture, _ := show.ModelInfo["general.architecture"].(string)
	window := length(architecture + ".context_length")
	if window == 0 {
		for name := range show.ModelInfo {
			if strings.HasSuffix(name, ".context_length") {
				window = least(window, length(name))
			}
		}
	}
	for _, line := range strings.Split(show.Parameters, "\n") {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			n, _ := strconv.Atoi(f[1])
			window = least(window, max(n, 0))
		}
	}
	return window
}

// tolerable reports an answer that says no more than that there is no such operation, or nothing of use.
func tolerable(err error) bool {
	var h *hosted.Error
	return errors.As(err, &h) && (h.Kind == hosted.Rejected && h.Status != 0 || h.Kind == hosted.BadAnswer || h.Kind == hosted.ModelMissing)
}

func (b ollama) ask(ctx context.Context, _ Purpose, texts []string) ([]raw, error) {
	whole := false
	request := &api.EmbedRequest{Model: b.o.Model, Input: texts, KeepAlive: &api.Duration{Duration: keepAlive}, Truncate: &whole, Dimensions: b.o.Dimensions}
	if b.o.Window > 0 {
		request.Options = map[string]any{"num_ctx": b.o.Window}
	}
	a, err := b.client.Run(ctx, call(texts), func(ctx context.Context) error {
		_, err := b.api.Embed(ctx, request)
		return err
	})
	if err != nil {
		return nil, err
	}
	var got struct {
		Embeddings []raw `json:"embeddings"`
	}
	if err := b.read(a, texts, &got); err != nil {
		return nil, err
	}
	return got.Embeddings, b.count(len(got.Embeddings), a, texts)
}

// fullName is the one way to write a model of Ollama: without the parts that its registry assumes, with its tag.
func fullName(name string) string {
	name = strings.TrimSpace(name)
	name = strings.TrimPrefix(name, "registry.ollama.ai/")
	name = strings.TrimPrefix(name, "library/")
	if !strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		name += ":latest"
	}
	return name
}

// ollamaAddress is where a server listens by its variable OLLAMA_HOST, which is written as an address, a host or a port, and
// may name all interfaces.
func ollamaAddress(host string) string {
	host = strings.Trim(strings.TrimSpace(host), `"'`)
	scheme, rest, found := strings.Cut(host, "://")
	if !found {
		scheme, rest = "http", host
	}
	rest, path, _ := strings.Cut(rest, "/")
	name, port, err := net.SplitHostPort(rest)
	if err != nil {
		name, port = strings.Trim(rest, "[]"), map[bool]string{true: "11434"}[!found]
	}
	if ip := net.ParseIP(name); name == "" || ip != nil && ip.IsUnspecified() {
		name = "127.0.0.1"
	}
	switch {
	case port != "":
		name = net.JoinHostPort(name, port)
	case strings.Contains(name, ":"):
		name = "[" + name + "]"
	}
	return strings.TrimRight(scheme+"://"+name+"/"+path, "/")
}
