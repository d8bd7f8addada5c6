package history

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"agenvantage/scan/git"
	"agenvantage/scan/redact"
)

// The log is a list of fields that end in NUL:
//
//	SOH ID | PARENTS | AUTHOR NAME | AUTHOR EMAIL | AUTHOR TIME | COMMIT TIME | SUBJECT | BODY | changes
//
// where changes are, in this order, any number of
//
//	[LF] ":" OLD MODE " " NEW MODE " " OLD ID " " NEW ID " " STATUS [SCORE] | PATH | [NEW PATH of R and C]
//	[LF] ADDED TAB DELETED TAB PATH                                         "-" for both numbers of a binary file
//	[LF] ADDED TAB DELETED TAB | OLD PATH | NEW PATH                        of a renamed or copied file
//
// with the lines of numbers for the same files in the same order, if they were asked for.
const logFormat = "--format=tformat:%x01%H%x00%P%x00%an%x00%ae%x00%at%x00%ct%x00%s%x00%b"

// logReader parses a log.
type logReader struct {
	fields  *bufio.Reader
	commit  *Commit // the one that is being read, nil before the first
	counted int     // of its files
}

// next reads the next commit's head and the changes before it. It returns the commit before, which is whole then, nil
// at the first one, and io.EOF at the end, where the last commit stays in l.commit.
func (l *logReader) next() (before *Commit, err error) {
	for {
		field, err := l.field(maxPathBytes)
		if err != nil {
			return nil, err // io.EOF only between fields
		}
		if len(field) > 0 && field[0] == 1 {
			before = l.commit
			l.counted = 0
			l.commit, err = l.head(string(field[1:]))
			return before, unexpected(err)
		}
		if field = bytes.TrimPrefix(field, []byte{'\n'}); len(field) == 0 {
			continue
		}
		if l.commit == nil {
			return nil, fmt.Errorf("unexpected field %.80q before the first commit", field)
		}
		if field[0] == ':' {
			err = l.change(string(field))
		} else {
			err = l.counts(string(field))
		}
		if err != nil {
			return nil, unexpected(err)
		}
	}
}

// unexpected turns an end in the middle into an error that is not taken for the end of the log.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// maxPathBytes bounds a field that is a path: longer than any file name on any system.
const maxPathBytes = 1 << 20

// field returns the next field without its NUL, good until the next call. Of a longer one only limit bytes are kept.
func (l *logReader) field(limit int) ([]byte, error) {
	part, err := l.fields.ReadSlice(0)
	if err == nil {
		return part[:min(len(part)-1, limit)], nil
	}
	whole := bytes.Clone(part)
	for err == bufio.ErrBufferFull {
		part, err = l.fields.ReadSlice(0)
		if room := limit + 1 - len(whole); room > 0 {
			whole = append(whole, part[:min(room, len(part))]...)
		}
	}
	switch {
	case err == io.EOF && len(whole) > 0:
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	}
	return whole[:min(max(len(whole)-1, 0), limit)], nil
}

// head reads the fields of a commit after its id.
func (l *logReader) head(id string) (*Commit, error) {
	if !git.IsObjectID(id) {
		return nil, fmt.Errorf("unexpected commit id %.80q", id)
	}
	c := &Commit{ID: id}
	for i := range 7 {
		field, err := l.field(MaxMessageBytes)
		if err != nil {
			return nil, err
		}
		switch i {
		case 0:
			c.Parents = strings.Fields(string(field))
		case 1:
			c.AuthorName = validText(field)
		case 2:
			c.AuthorEmail = validText(field)
		case 3:
			c.AuthorTime = seconds(field)
		case 4:
			c.CommitTime = seconds(field)
		case 5:
			c.Subject = message(field)
		case 6:
			c.Body = message(field)
		}
	}
	return c, nil
}

// seconds reads a time; one that cannot be read is 0.
func seconds(field []byte) int64 {
	n, err := strconv.ParseInt(string(field), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// validText makes valid UTF-8 of bytes, those of a character that was cut at the end aside.
func validText(b []byte) string {
	if len(b) >= MaxMessageBytes {
		for i := len(b) - 1; i >= 0 && i > len(b)-utf8.UTFMax; i-- {
			if utf8.RuneStart(b[i]) {
				if !utf8.FullRune(b[i:]) {
					b = b[:i]
				}
				break
			}
		}
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// message makes text that may be shown of a message.
func message(field []byte) string {
	text := strings.ReplaceAll(validText(field), "\r\n", "\n")
	text, _ = redact.Mask("", "", strings.Trim(text, "\n"))
	return text
}

// change reads one changed file.
func (l *logReader) change(head string) error {
	parts := strings.Split(head, " ")
	if len(parts) != 5 || len(parts[0]) != 7 || len(parts[1]) != 6 || parts[4] == "" {
		return fmt.Errorf("unexpected change %.80q", head)
	}
	f := FileChange{Status: Status(parts[4][0]), Kind: kindOf(parts[1])}
	if f.Status == Deleted {
		f.Kind = kindOf(parts[0][1:])
	}
	first, err := l.field(maxPathBytes)
	if err != nil {
		return unexpected(err)
	}
	f.Path = string(first)
	switch f.Status {
	case Added, Modified, Deleted, TypeChanged:
	case Renamed, Copied:
		second, err := l.field(maxPathBytes)
		if err != nil {
			return unexpected(err)
		}
		f.Path, f.OldPath = string(second), f.Path
	default:
		return fmt.Errorf("unexpected status in change %.80q", head)
	}
	if f.Path == "" {
		return fmt.Errorf("a change without a path: %.80q", head)
	}
	l.commit.Files = append(l.commit.Files, f)
	return nil
}

func kindOf(mode string) Kind {
	switch mode {
	case "120000":
		return Link
	case "160000":
		return Submodule
	}
	return File
}

// counts reads the numbers of one file and gives them to the next file that has none.
func (l *logReader) counts(field string) error {
	added, rest, _ := strings.Cut(field, "\t")
	deleted, path, ok := strings.Cut(rest, "\t")
	if !ok {
		return fmt.Errorf("unexpected count %.80q", field)
	}
	if path == "" { // old and new path follow
		for range 2 {
			next, err := l.field(maxPathBytes)
			if err != nil {
				return unexpected(err)
			}
			path = string(next)
		}
	}
	if l.counted >= len(l.commit.Files) || l.commit.Files[l.counted].Path != path {
		return fmt.Errorf("lines are counted for %.80q, which is not the file whose turn it is", path)
	}
	f := &l.commit.Files[l.counted]
	l.counted++
	if added == "-" && deleted == "-" {
		f.Binary = true
		return nil
	}
	var errs [2]error
	f.Added, errs[0] = strconv.Atoi(added)
	f.Deleted, errs[1] = strconv.Atoi(deleted)
	if errs[0] != nil || errs[1] != nil || f.Added < 0 || f.Deleted < 0 {
		return fmt.Errorf("unexpected count %.80q", field)
	}
	return nil
}
