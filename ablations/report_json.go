package ablations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"agenvantage"
)

// MaxReportBytes bounds what ReadReport takes into memory. A run of 12 variants over 400 tasks in 60 repositories writes
// about 3 MB.
const MaxReportBytes = 256 << 20

// WriteJSON writes the report as indented JSON with a line end. Maps are in the order of their keys, so that equal reports
// are equal bytes. A value that is no number (NaN, infinite) is an error; nothing is written then.
func (r Report) WriteJSON(w io.Writer) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write report as JSON: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write report as JSON: %w", err)
	}
	return nil
}

// ReadReport reads what WriteJSON wrote. Keys that are not known are passed over, since fields are added within a format.
// Broken JSON, a file that is no report, more than one value and another format are ErrBadInput; the text of the last says
// whether the report is newer than the program.
func ReadReport(r io.Reader) (Report, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxReportBytes+1))
	if err != nil {
		return Report{}, fmt.Errorf("read report: %w", err)
	}
	if len(data) > MaxReportBytes {
		return Report{}, fmt.Errorf("%w: read report: more than %d bytes", agenvantage.ErrBadInput, MaxReportBytes)
	}
	// The format comes first and alone: fields of another format need not fit the struct.
	var head struct {
		Format *int `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Report{}, fmt.Errorf("%w: read report: %s", agenvantage.ErrBadInput, placeOf(data, err))
	}
	switch {
	case head.Format == nil || *head.Format < 1:
		return Report{}, fmt.Errorf("%w: read report: not an ablation report: it names no format", agenvantage.ErrBadInput)
	case *head.Format > ReportFormat:
		return Report{}, fmt.Errorf("%w: read report: it has format %d and this program reads up to %d: use a newer program",
			agenvantage.ErrBadInput, *head.Format, ReportFormat)
	case *head.Format < ReportFormat:
		return Report{}, fmt.Errorf("%w: read report: it has format %d and this program reads %d: make the report again",
			agenvantage.ErrBadInput, *head.Format, ReportFormat)
	}
	var out Report
	if err := json.Unmarshal(data, &out); err != nil {
		return Report{}, fmt.Errorf("%w: read report: %s", agenvantage.ErrBadInput, placeOf(data, err))
	}
	return out, nil
}

// placeOf is the text of a JSON error with its line.
func placeOf(data []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	offset := int64(-1)
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	if offset < 0 || offset > int64(len(data)) {
		return err.Error()
	}
	return fmt.Sprintf("line %d: %v", 1+bytes.Count(data[:offset], []byte{'\n'}), err)
}
