package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/internal/app"
)

// maxBatchLine bounds one input line, in bytes.
const maxBatchLine = 64 << 20

// answer is one output line of a batch: a response with the id as it was given.
type answer struct {
	ID json.RawMessage `json:"id"`
	agenvantage.Response
}

// refusal is the output line of a query that was not answered.
type refusal struct {
	ID    json.RawMessage       `json:"id"` // null when the line has none
	Error agenvantage.ErrorBody `json:"error"`
}

// batch answers the lines of a file one after the other. Each answer is written before the next line is read, so that a
// program can hold the other end. The first answer brings the index up to date, the others come from the same index.
func (p *program) batch(ctx context.Context, s service, flags searchFlags, request app.SearchRequest) error {
	file := flags.batch
	in := p.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return fmt.Errorf("%w: --batch: %w", agenvantage.ErrBadInput, err)
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewReaderSize(in, 1<<16)
	answered, found, failed := 0, 0, 0
	for number := 1; ; number++ {
		line, err := readLine(lines, maxBatchLine)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return fmt.Errorf("read the batch, line %d: %w", number, err)
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 && err == nil {
			continue
		}
		var id json.RawMessage
		var one app.SearchRequest
		if err == nil {
			var in batchLine
			in, err = parseLine(line)
			if id = in.id; err == nil {
				one, err = p.lineRequest(in, request)
			}
		}
		var response agenvantage.Response
		bad := err != nil
		if bad {
			err = fmt.Errorf("%w: line %d: %w", agenvantage.ErrBadInput, number, err)
		} else {
			bar := p.newProgress()
			response, err = s.Search(ctx, one, bar.update)
			bar.close()
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !bad && !errors.Is(err, agenvantage.ErrBadInput) && answered == 0:
			return err // no query can be answered: the index cannot be built or read
		case err != nil:
			failed++
			err = printJSON(p.stdout, refusal{ID: orNull(id), Error: agenvantage.ErrorBody{Kind: errorKind(err), Message: p.describe(err)}})
		default:
			answered++
			found += len(response.Results)
			request.SameIndex = true
			complete(&response)
			if !flags.timed() {
				response = response.WithoutTimings()
			}
			err = printJSON(p.stdout, answer{ID: orNull(id), Response: response})
		}
		if err != nil {
			return err
		}
	}
	switch {
	case failed > 0:
		return exitStatus(exitError)
	case found == 0:
		return exitStatus(exitNothing)
	}
	return nil
}

func orNull(id json.RawMessage) json.RawMessage {
	if id == nil {
		return json.RawMessage("null")
	}
	return id
}

// batchLine is one input line: a query, or a place that results are to be like, and what holds for it in place of flags.
type batchLine struct {
	id          json.RawMessage // nil when the line has none
	query, like string
	channels    []string // nil: those of --channels
	topK        string   // a number; "": that of --top-k
}

// lineRequest is a request with what a line says, whose other fields are those of the flags. The range of top_k is that of the setting.
func (p *program) lineRequest(in batchLine, request app.SearchRequest) (app.SearchRequest, error) {
	request.Query, request.Like = in.query, in.like
	if in.channels != nil {
		request.Channels = in.channels
	}
	if in.topK == "" {
		return request, nil
	}
	with, err := p.configWith(map[string]string{"search.top_k": in.topK})
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), "search.top_k: ")
		return request, fmt.Errorf("top_k: %s", why)
	}
	request.TopK = with.Search.TopK
	return request, nil
}

// batchKeys are what a line may hold.
var batchKeys = []string{"id", "query", "like", "channels", "top_k"}

// parseLine reads one input line. The id is returned also when the rest is unusable. null is as good as absent.
func parseLine(line []byte) (batchLine, error) {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(line, &in); err != nil {
		return batchLine{}, fmt.Errorf(`not a JSON object {"id", "query"} or {"id", "like"}: %w`, err)
	}
	for key, value := range in {
		if string(value) == "null" && key != "id" {
			in[key] = nil
		}
	}
	parsed := batchLine{id: in["id"]}
	if len(parsed.id) > 0 && strings.IndexByte("{[tf", parsed.id[0]) >= 0 {
		return batchLine{}, errors.New("id must be a text or a number")
	}
	for _, key := range slices.Sorted(maps.Keys(in)) {
		if !slices.Contains(batchKeys, key) {
			return parsed, fmt.Errorf("unknown key %q; the keys are %s", key, strings.Join(batchKeys, ", "))
		}
	}
	query, noQuery := textOf(in["query"])
	like, noLike := textOf(in["like"])
	switch {
	case noQuery != nil:
		return parsed, fmt.Errorf("query %w", noQuery)
	case noLike != nil:
		return parsed, fmt.Errorf("like %w", noLike)
	case query == nil && like == nil:
		return parsed, errors.New("query must be a text, or like in its place")
	case like == nil:
		parsed.query = *query
	default:
		if err := likeAlone(*like, query != nil); err != nil {
			return parsed, err
		}
		parsed.like = *like
	}
	return parsed, parsed.readFlags(in)
}

// readFlags reads what a line has in place of flags.
func (l *batchLine) readFlags(in map[string]json.RawMessage) error {
	if channels := in["channels"]; len(channels) > 0 {
		var names []*string
		if json.Unmarshal(channels, &names) != nil || slices.Contains(names, nil) {
			return errors.New("channels must be a list of texts")
		}
		for _, name := range names {
			l.channels = append(l.channels, *name)
		}
	}
	if topK := in["top_k"]; len(topK) > 0 {
		var number json.Number
		if topK[0] == '"' || json.Unmarshal(topK, &number) != nil {
			return errors.New("top_k must be a number")
		}
		l.topK = number.String()
	}
	return nil
}

// textOf reads a JSON text, nil for none and for null.
func textOf(raw json.RawMessage) (text *string, err error) {
	if len(raw) > 0 && json.Unmarshal(raw, &text) != nil {
		return nil, errors.New("must be a text")
	}
	return text, nil
}

// likeAlone refuses a place that results are to be like which names none, or stands beside a query.
func likeAlone(like string, query bool) error {
	switch {
	case query:
		return errors.New("like stands in place of a query")
	case strings.TrimSpace(like) == "":
		return errors.New("like names no place")
	}
	return nil
}

var errLongLine = fmt.Errorf("a line longer than %d bytes", maxBatchLine)

// readLine reads to the next line end or to the end of the input. A longer line than limit is read over and is
// errLongLine.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long, any := false, false
	for {
		part, err := r.ReadSlice('\n')
		any = any || len(part) > 0
		if long = long || len(line)+len(part) > limit; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || !any):
			return nil, err
		case long:
			return nil, errLongLine
		default:
			return line, nil
		}
	}
}
