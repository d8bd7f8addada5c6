package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

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
		if err == nil {
			id, request.Query, err = parseLine(line)
		}
		var response agenvantage.Response
		bad := err != nil
		if bad {
			err = fmt.Errorf("%w: line %d: %w", agenvantage.ErrBadInput, number, err)
		} else {
			bar := p.newProgress()
			response, err = s.Search(ctx, request, bar.update)
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
			request.NoRefresh = true
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

// parseLine reads one input line. The id is returned also when the query is unusable.
func parseLine(line []byte) (id json.RawMessage, query string, err error) {
	var in struct {
		ID    json.RawMessage `json:"id"`
		Query json.RawMessage `json:"query"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return nil, "", fmt.Errorf(`not a JSON object {"id", "query"}: %w`, err)
	}
	if len(in.ID) > 0 && (in.ID[0] == '{' || in.ID[0] == '[' || in.ID[0] == 't' || in.ID[0] == 'f') {
		return nil, "", errors.New("id must be a text or a number")
	}
	var text *string
	if len(in.Query) > 0 {
		err = json.Unmarshal(in.Query, &text)
	}
	if err != nil || text == nil {
		return in.ID, "", errors.New("query must be a text")
	}
	return in.ID, *text, nil
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
