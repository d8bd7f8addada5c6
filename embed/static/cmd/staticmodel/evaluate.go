package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/embed/static"
	"agenvantage/extract"
	"agenvantage/index"
	"agenvantage/scan"
)

// maxResults is how many chunks answer a question.
const maxResults = 10

// parseGuard ends an evaluation that meets a file which takes longer: as text it would have other chunks, and figures must not depend on how busy
// the machine is. The index gives up after 2 s by default.
const parseGuard = time.Minute

// question is one row of a file of annotations.
type question struct {
	Query string `json:"query"`
}

// evaluation ranks the chunks of repositories by nothing but the cosine of the model.
type evaluation struct {
	models     []*static.Model
	treatments []treatment // one for each model
	extractor  *extract.Extractor
	dimensions int
	codeOnly   bool
}

// treatment is what a model is given of chunk i of a file.
type treatment func(path string, x *agenvantage.Extraction, i int, text string) static.Chunk

// treatments are those that were compared; "fields" is what the index does.
var treatments = map[string]treatment{
	"text": func(_ string, _ *agenvantage.Extraction, _ int, text string) static.Chunk {
		return static.Chunk{Text: text}
	},
	"prefix": func(path string, x *agenvantage.Extraction, i int, text string) static.Chunk {
		about := index.ContextOf(x, i)
		return static.Chunk{Text: embed.Prefix(path, about.Enclosing, about.Signature, about.Doc) + text}
	},
	"fields": func(path string, x *agenvantage.Extraction, i int, text string) static.Chunk {
		about := index.ContextOf(x, i)
		return static.Chunk{Path: path, Names: static.NamesOf(x, i), Context: embed.Prefix("", about.Enclosing, about.Signature, about.Doc), Text: text}
	},
}

// located is a chunk with its vector.
type located struct {
	path    string
	span    agenvantage.Span
	vectors [][]float32 // by model
}

func runEvaluate(ctx context.Context, args []string) error {
	flags := newFlags("evaluate")
	file := flags.String("model", "", "model files, separated by commas; default the one of the binary")
	bench := flags.String("bench", "", "folder with repos.json and annotations/")
	repos := flags.String("repos", "", "folder with one folder of sources for each repository")
	out := flags.String("out", "", "results to write, one JSON a question, for the scorer of the bench; of the second and further models to OUT.2, OUT.3 …")
	only := flags.String("only", "", "repositories, separated by commas; default all")
	dimensions := flags.Int("dimensions", 0, "leading part of the vectors; default all")
	as := flags.String("as", "fields", "what a model is given of a chunk, with several models one for each, separated by commas: "+strings.Join(slices.Sorted(maps.Keys(treatments)), ", "))
	codeOnly := flags.Bool("code-only", false, "leave documents and data out")
	if err := parse(flags, args); err != nil {
		return err
	}
	if *bench == "" || *repos == "" || *out == "" {
		return errors.New("-bench, -repos or -out is missing")
	}
	e := evaluation{dimensions: *dimensions, codeOnly: *codeOnly}
	var err error
	if e.extractor, err = extract.New(extract.Options{ParseTimeout: parseGuard}); err != nil {
		return err
	}
	for name := range strings.SplitSeq(*file, ",") {
		m, err := openModel(name)
		if err != nil {
			return err
		}
		e.models = append(e.models, m)
	}
	for name := range strings.SplitSeq(*as, ",") {
		t, known := treatments[name]
		if !known {
			return fmt.Errorf("-as %s: no such treatment", name)
		}
		e.treatments = append(e.treatments, t)
	}
	for len(e.treatments) < len(e.models) {
		e.treatments = append(e.treatments, e.treatments[0])
	}
	return e.all(ctx, *bench, *repos, *out, *only)
}

func openModel(file string) (*static.Model, error) {
	if file == "" {
		return static.Builtin()
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return static.Decode(data)
}

func (e *evaluation) all(ctx context.Context, bench, repos, out, only string) (err error) {
	var specs []struct {
		Name string `json:"name"`
		Root string `json:"benchmark_root"`
	}
	if err := readJSON(filepath.Join(bench, "repos.json"), &specs); err != nil {
		return err
	}
	writers := make([]*bufio.Writer, len(e.models))
	for i := range writers {
		name := out
		if i > 0 {
			name = fmt.Sprintf("%s.%d", out, i+1)
		}
		f, err2 := os.Create(name)
		if err2 != nil {
			return err2
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		writers[i] = bufio.NewWriter(f)
	}
	for _, s := range specs {
		if only != "" && !slices.Contains(strings.Split(only, ","), s.Name) {
			continue
		}
		var questions []question
		if err := readJSON(filepath.Join(bench, "annotations", s.Name+".json"), &questions); err != nil {
			return err
		}
		began := time.Now()
		chunks, bytes, err := e.chunks(ctx, filepath.Join(repos, s.Name, filepath.FromSlash(s.Root)))
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %d chunks, %d bytes, %s\n", s.Name, len(chunks), bytes, time.Since(began).Round(time.Millisecond))
		for i, w := range writers {
			for _, q := range questions {
				if err := e.answer(w, i, s.Name, q.Query, chunks); err != nil {
					return err
				}
			}
		}
	}
	for _, w := range writers {
		err = errors.Join(err, w.Flush())
	}
	return err
}

func readJSON(name string, into any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// chunks cuts a tree as the index does and embeds the chunks.
func (e *evaluation) chunks(ctx context.Context, root string) (out []located, bytes int, err error) {
	every := func(string) bool { return true }
	err = eachSource(ctx, root, every, func(source scan.Source) error {
		if e.codeOnly && !scan.IsCode(source.File.Lang) {
			return nil
		}
		x, err := e.extractor.Extract(ctx, extract.Input{Path: source.File.Path, Lang: source.File.Lang, Class: source.File.Class, Text: source.Text})
		if err != nil {
			return err
		}
		if x.State == agenvantage.ParseTimeout {
			return fmt.Errorf("parse %s of %s: not done within %s", source.File.Path, root, parseGuard)
		}
		bytes += len(source.Text)
		lines := strings.SplitAfter(source.Text, "\n")
		for i, c := range x.Chunks {
			text := strings.Join(lines[c.Span.StartLine-1:min(c.Span.EndLine, len(lines))], "")
			at := located{path: source.File.Path, span: c.Span}
			for k, m := range e.models {
				v, err := m.EmbedChunk(nil, e.treatments[k](source.File.Path, &x, i, text), e.length(m))
				if err != nil {
					return err
				}
				at.vectors = append(at.vectors, v)
			}
			out = append(out, at)
		}
		return nil
	})
	return out, bytes, err
}

// length is that of a model's vectors.
func (e *evaluation) length(m *static.Model) int {
	if e.dimensions == 0 {
		return m.Dimensions()
	}
	return e.dimensions
}

// answer writes what one model takes for the best chunks for one question.
func (e *evaluation) answer(w *bufio.Writer, model int, repo, text string, chunks []located) error {
	q, err := e.models[model].EmbedQuery(nil, text, e.length(e.models[model]))
	if err != nil {
		return err
	}
	order := make([]int, len(chunks))
	scores := make([]float32, len(chunks))
	for i, c := range chunks {
		order[i] = i
		for k, x := range c.vectors[model] {
			scores[i] += x * q[k]
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	type result struct {
		Path  string `json:"path"`
		Start int    `json:"start"`
		End   int    `json:"end"`
	}
	answer := struct {
		Repo    string   `json:"repo"`
		Query   string   `json:"query"`
		Results []result `json:"results"`
	}{Repo: repo, Query: text}
	for _, i := range order[:min(len(order), maxResults)] {
		answer.Results = append(answer.Results, result{chunks[i].path, chunks[i].span.StartLine, chunks[i].span.EndLine})
	}
	return json.NewEncoder(w).Encode(answer)
}
