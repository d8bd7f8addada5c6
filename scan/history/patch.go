package history

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"agenvantage/scan/git"
	"agenvantage/scan/redact"
)

// Hunk is one run of changed lines. A side without lines (OldLines or NewLines is 0) names the line before it: 0 at the
// top of the file.
type Hunk struct {
	OldStart int // 1-based
	OldLines int
	NewStart int // 1-based
	NewLines int
	// Context is the line before the hunk that git takes for the head of a function, by its rule for files of every
	// language (a line that begins with a letter, "_" or "$"), as far as git keeps it: about 80 bytes. It is for finding a
	// symbol by its name. Secrets are masked; "" when there is none.
	Context string
}

// FileHunks is one changed file with its changed lines, in order. Hunks are empty for binary files, links, and files
// whose name or mode alone has changed.
type FileHunks struct {
	OldPath string // "" for an added file
	NewPath string // "" for a deleted file
	Status  Status
	Kind    Kind // never Submodule: those have no lines
	Binary  bool
	Hunks   []Hunk
}

// A patch with no context is, for each file,
//
//	"diff --git " A " " B
//	any of "old mode", "new mode", "deleted file mode", "new file mode" MODE, "index" ID..ID [MODE],
//	       "rename from", "rename to", "copy from", "copy to" PATH, "similarity index" …
//	"Binary files … differ", or
//	"--- " A, "+++ " B and hunks: "@@ -" START[,LINES] " +" START[,LINES] " @@" …, then that many lines "-…" and "+…",
//	each of which may be followed by "\ No newline at end of file"
//
// A and B are paths after "a/" and "b/", or /dev/null. A path with a quote, a backslash or a control character stands in
// quotes with C escapes; after one with a space a tab may follow. A file that became a link is two files, deleted and
// added. Between patches of several commits stands SOH and the commit's id. Lines of contents are counted, never
// looked at, so that nothing in a file can pass for a line of the format.

// patchReader parses patches.
type patchReader struct {
	lines *bufio.Reader
	// commit is called with the id of each commit before its files; nil where no commits are expected.
	commit func(id string) error
	// file is called with each file.
	file func(FileHunks) error

	current *patchFile
	held    *FileHunks // a deleted file, until it is known that it is not added again as something else
}

// patchFile is a file whose lines are being read.
type patchFile struct {
	FileHunks
	header   string // after "diff --git "
	mode     string
	headless bool // neither --- nor a rename told the paths yet
}

// maxPatchLine bounds a line of the format, which is as long as two paths at most. Lines of contents have no bound.
const maxPatchLine = 4 << 20

// read parses until the end.
func (p *patchReader) read() error {
	for {
		line, err := p.line()
		if err == io.EOF {
			return p.endCommit()
		}
		if err != nil {
			return err
		}
		switch {
		case len(line) > 0 && line[0] == 1 && p.commit != nil:
			if err := p.endCommit(); err != nil {
				return err
			}
			id := string(line[1:])
			if !git.IsObjectID(id) {
				return fmt.Errorf("unexpected commit id %.80q", id)
			}
			err = p.commit(id)
		case bytes.HasPrefix(line, []byte("diff --git ")):
			err = p.begin(string(line[len("diff --git "):]))
		case len(line) == 0, line[0] == '\\', bytes.HasPrefix(line, []byte("* Unmerged path ")):
		case p.current == nil:
			err = fmt.Errorf("unexpected line %.80q before the first file", line)
		case bytes.HasPrefix(line, []byte("@@ ")):
			err = p.hunk(string(line))
		default:
			err = p.current.headerLine(string(line))
		}
		if err != nil {
			return err
		}
	}
}

// line returns the next line without its end, good until the next call; io.EOF at the end.
func (p *patchReader) line() ([]byte, error) {
	part, err := p.lines.ReadSlice('\n')
	if err == nil {
		return part[:len(part)-1], nil
	}
	whole := bytes.Clone(part)
	for err == bufio.ErrBufferFull && len(whole) <= maxPatchLine {
		part, err = p.lines.ReadSlice('\n')
		whole = append(whole, part...)
	}
	switch {
	case err == nil:
		return whole[:len(whole)-1], nil
	case err == io.EOF && len(whole) == 0:
		return nil, io.EOF
	case err == io.EOF:
		return nil, io.ErrUnexpectedEOF
	case err == bufio.ErrBufferFull:
		return nil, fmt.Errorf("a line of more than %d bytes that is no content", maxPatchLine)
	}
	return nil, err
}

func (p *patchReader) begin(header string) error {
	if err := p.endFile(); err != nil {
		return err
	}
	p.current = &patchFile{FileHunks: FileHunks{Status: Modified, Kind: File}, header: header, headless: true}
	return nil
}

// headerLine reads one line between "diff --git" and the hunks. One that is not known says nothing about paths and lines.
func (f *patchFile) headerLine(line string) error {
	cut := func(prefix string) (string, bool) { return strings.CutPrefix(line, prefix) }
	var err error
	if rest, ok := cut("--- "); ok {
		f.OldPath, err = sidePath(rest, "a/")
		f.headless = false
	} else if rest, ok := cut("+++ "); ok {
		f.NewPath, err = sidePath(rest, "b/")
		f.headless = false
	} else if rest, ok := cut("rename from "); ok {
		f.OldPath, err = unquote(rest)
		f.Status, f.headless = Renamed, false
	} else if rest, ok := cut("rename to "); ok {
		f.NewPath, err = unquote(rest)
	} else if rest, ok := cut("copy from "); ok {
		f.OldPath, err = unquote(rest)
		f.Status, f.headless = Copied, false
	} else if rest, ok := cut("copy to "); ok {
		f.NewPath, err = unquote(rest)
	} else if rest, ok := cut("deleted file mode "); ok {
		f.mode, f.Status = rest, Deleted
	} else if rest, ok := cut("new file mode "); ok {
		f.mode, f.Status = rest, Added
	} else if rest, ok := cut("new mode "); ok {
		f.mode = rest
	} else if rest, ok := cut("index "); ok {
		if _, mode, has := strings.Cut(rest, " "); has {
			f.mode = mode
		}
	} else if _, ok := cut("Binary files "); ok {
		f.Binary = true
	}
	return err
}

// sidePath reads the path of a "---" or "+++" line: "" for /dev/null.
func sidePath(s, prefix string) (string, error) {
	s = strings.TrimSuffix(s, "\t")
	if s == "/dev/null" {
		return "", nil
	}
	path, err := unquote(s)
	if err != nil {
		return "", err
	}
	path, ok := strings.CutPrefix(path, prefix)
	if !ok || path == "" {
		return "", fmt.Errorf("path %.80q does not begin with %q", s, prefix)
	}
	return path, nil
}

// samePath reads the path of a "diff --git" line whose two sides have one name, which is the case for a file that was
// not renamed: only such a file may have no other line with its path.
func samePath(header string) (string, error) {
	half := (len(header) - 1) / 2
	if len(header) < 7 || len(header)%2 == 0 || header[half] != ' ' {
		return "", fmt.Errorf("unexpected paths %.160q", header)
	}
	a, errA := sidePath(header[:half], "a/")
	b, errB := sidePath(header[half+1:], "b/")
	if errA != nil || errB != nil || a != b || a == "" {
		return "", fmt.Errorf("unexpected paths %.160q", header)
	}
	return a, nil
}

// hunk reads the head of a hunk and passes over its lines.
func (p *patchReader) hunk(line string) error {
	h, err := parseHunk(line)
	if err != nil {
		return err
	}
	f := p.current
	if f.headless {
		return fmt.Errorf("hunk %.80q comes before the file's name", line)
	}
	if f.mode != "120000" {
		f.Hunks = append(f.Hunks, h)
	}
	for old, new := h.OldLines, h.NewLines; old > 0 || new > 0; {
		mark, err := p.skipLine()
		if err != nil {
			return unexpected(err)
		}
		switch mark {
		case '-':
			old--
		case '+':
			new--
		case ' ':
			old--
			new--
		case '\\':
		default:
			return fmt.Errorf("unexpected line that begins with %q in hunk %.80q", mark, line)
		}
		if old < 0 || new < 0 {
			return fmt.Errorf("more lines than hunk %.80q says", line)
		}
	}
	return nil
}

// skipLine passes over a line of any length and returns its first byte.
func (p *patchReader) skipLine() (first byte, err error) {
	part, err := p.lines.ReadSlice('\n')
	if len(part) == 0 {
		return 0, err
	}
	first = part[0]
	for err == bufio.ErrBufferFull {
		_, err = p.lines.ReadSlice('\n')
	}
	return first, err
}

// parseHunk reads "@@ -START[,LINES] +START[,LINES] @@…".
func parseHunk(line string) (h Hunk, err error) {
	bad := func() (Hunk, error) { return Hunk{}, fmt.Errorf("unexpected hunk %.80q", line) }
	rest, ok := strings.CutPrefix(line, "@@ -")
	if !ok {
		return bad()
	}
	ranges, context, ok := strings.Cut(rest, " @@")
	old, new, both := strings.Cut(ranges, " +")
	if !ok || !both {
		return bad()
	}
	var okOld, okNew bool
	h.OldStart, h.OldLines, okOld = parseRange(old)
	h.NewStart, h.NewLines, okNew = parseRange(new)
	if !okOld || !okNew {
		return bad()
	}
	if context = strings.TrimSpace(context); context != "" {
		h.Context, _ = redact.Mask("", "", strings.ToValidUTF8(context, "\ufffd"))
	}
	return h, nil
}

// parseRange reads START[,LINES]; without LINES it is one line.
func parseRange(s string) (start, lines int, ok bool) {
	first, second, has := strings.Cut(s, ",")
	start, ok = parseCount(first)
	if !has {
		return start, 1, ok && start > 0
	}
	lines, okLines := parseCount(second)
	return start, lines, ok && okLines && (start > 0 || lines == 0)
}

// parseCount reads a number of digits alone, below 2³¹.
func parseCount(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil
}

// endFile hands on the file that is being read.
func (p *patchReader) endFile() error {
	f := p.current
	p.current = nil
	if f == nil {
		return nil
	}
	if f.headless {
		path, err := samePath(f.header)
		if err != nil {
			return err
		}
		f.OldPath, f.NewPath = path, path
	}
	switch f.Status {
	case Added:
		f.OldPath = ""
	case Deleted:
		f.NewPath = ""
	}
	if f.OldPath == "" && f.Status != Added || f.NewPath == "" && f.Status != Deleted {
		return fmt.Errorf("a file has no name for one of its sides: %.160q", f.header)
	}
	f.Kind = kindOf(f.mode)
	return p.hand(f.FileHunks)
}

// hand keeps a deleted file back for one turn: followed by an added one of its name, it has become something else.
func (p *patchReader) hand(f FileHunks) error {
	if held := p.held; held != nil {
		p.held = nil
		if f.Status == Added && f.NewPath == held.OldPath {
			f.OldPath, f.Status, f.Binary = held.OldPath, TypeChanged, f.Binary || held.Binary
			f.Hunks = append(held.Hunks, f.Hunks...)
			return p.file(f)
		}
		if err := p.file(*held); err != nil {
			return err
		}
	}
	if f.Status == Deleted {
		p.held = &f
		return nil
	}
	return p.file(f)
}

// endCommit hands on what is left of a commit.
func (p *patchReader) endCommit() error {
	if err := p.endFile(); err != nil {
		return err
	}
	held := p.held
	if p.held = nil; held == nil {
		return nil
	}
	return p.file(*held)
}

// escapes are the C escapes of git's quoted paths, besides three octal digits.
var escapes = map[byte]byte{'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, '"': '"', '\\': '\\'}

// unquote undoes git's quoting of a path; one without quotes is itself.
func unquote(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	bad := fmt.Errorf("unexpected quoted path %.160q", s)
	if len(s) < 2 || s[len(s)-1] != '"' {
		return "", bad
	}
	s = s[1 : len(s)-1]
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			return "", bad
		}
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		if i++; i == len(s) {
			return "", bad
		}
		if c, ok := escapes[s[i]]; ok {
			b = append(b, c)
			continue
		}
		if i+3 > len(s) {
			return "", bad
		}
		n, err := strconv.ParseUint(s[i:i+3], 8, 8)
		if err != nil {
			return "", bad
		}
		b = append(b, byte(n))
		i += 2
	}
	return string(b), nil
}
