package scan

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"agenvantage"
	"agenvantage/scan/git"
)

// DefaultMaxFileBytes is the size above which a file is listed as too large instead of read. Of the 11,478 files of the
// Go standard library's source, 8 are larger.
const DefaultMaxFileBytes = 1 << 20

// OwnIgnoreFile is the name of the ignore files that are meant for this product.
const OwnIgnoreFile = ".agenvantageignore"

// indexFolderName is the default name of the index folder, at the root and in trees below it.
const indexFolderName = ".agenvantage"

// Options are the settings of a Walker. The zero value is usable.
type Options struct {
	MaxFileBytes int64             // files above it are skipped as too_large; 0 means DefaultMaxFileBytes
	Languages    map[string]string // extension ("foo", ".foo") or file name ("Foofile") to language, over the built-in table
	IndexDir     string            // absolute; left out of the listing; "" means ROOT/.agenvantage
	WithoutGit   bool              // do not run git even where it is installed
}

// Validate returns an error wrapping agenvantage.ErrBadInput for settings that cannot be used.
func (o Options) Validate() error {
	if o.MaxFileBytes < 0 {
		return fmt.Errorf("%w: the size limit of a file is %d, want 0 or more", agenvantage.ErrBadInput, o.MaxFileBytes)
	}
	if o.IndexDir != "" && !filepath.IsAbs(o.IndexDir) {
		return fmt.Errorf("%w: index folder %q is not absolute", agenvantage.ErrBadInput, o.IndexDir)
	}
	for key, lang := range o.Languages {
		if strings.Trim(key, ". ") == "" {
			return fmt.Errorf("%w: languages: %q is neither an extension nor a file name", agenvantage.ErrBadInput, key)
		}
		if _, ok := CanonicalLanguage(lang); !ok {
			return fmt.Errorf("%w: languages: %q is mapped to the unknown language %q (known: %s)", agenvantage.ErrBadInput, key, lang, strings.Join(Languages(), ", "))
		}
	}
	return nil
}

// Entry is one file of the tree, as it was when it was listed. Path is relative to the root with forward slashes; its
// bytes are those of the file system.
type Entry struct {
	Path     string
	Size     int64
	ModNS    int64 // modification time, Unix nanoseconds
	ChangeNS int64 // inode change time, Unix nanoseconds; 0 where the platform has none
}

// Listing is the file set of a tree. Entries and Skips are sorted by the bytes of their paths; a path is in one of them,
// once.
type Listing struct {
	Entries      []Entry
	Skips        []agenvantage.Skip // what is known to stay out before any file is read
	Candidates   int                // paths that git does not ignore, plus, when no entry is left, ignored ones (counted up to a bound)
	Revision     string             // commit id of HEAD, "" without a repository or commits
	Branch       string             // "" when HEAD is detached
	HasGit       bool               // the root lies in a work tree
	DecidingRule string             // when Entries is empty and Candidates is not: the rule that did it, "FILE:LINE: RULE"
	Notes        []string           // what a person should know about the listing
}

// Source is one file that was read. Text is valid UTF-8 with \n line ends, without byte order marks and NUL; its line
// numbers are those of the file on disk. Secrets are masked.
type Source struct {
	File agenvantage.File
	Text string
}

// Walker reads one tree. It is safe for concurrent use.
type Walker struct {
	root    string
	dir     *os.Root
	git     *git.Program // nil without a git program
	options Options
	gate    gate
}

// Open makes a Walker for the tree at root, whether or not it is a repository or the top of one. A missing folder, a
// file, a bare repository and an unusable option are errors wrapping agenvantage.ErrBadInput.
func Open(root string, o Options) (*Walker, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	root, err := resolveFolder(root)
	if err != nil {
		return nil, err
	}
	if err := refuseGitFolder(root); err != nil {
		return nil, err
	}
	o.IndexDir = filepath.Clean(cmp.Or(o.IndexDir, filepath.Join(root, indexFolderName)))
	if o.IndexDir == root {
		return nil, fmt.Errorf("%w: the index folder %q is the root itself", agenvantage.ErrBadInput, root)
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("%w: cannot read folder %q: %v", agenvantage.ErrBadInput, root, err)
	}
	w := &Walker{root: root, dir: dir, options: o, gate: newGate(o)}
	if !o.WithoutGit {
		w.git = git.Find()
	}
	return w, nil
}

// Root returns the root, absolute and with its links resolved.
func (w *Walker) Root() string { return w.root }

// Close releases the root folder. Reads fail afterwards.
func (w *Walker) Close() error { return w.dir.Close() }
