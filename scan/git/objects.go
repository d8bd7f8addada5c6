package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Objects runs git over the object store of a repository and nothing else of it: from a temporary git folder that
// borrows the objects. Git then sees no configuration (neither the repository's nor the user's), no attributes, no
// refs, no index and no work tree, so that an object id is all that decides what comes out, in any clone, and a partial clone is
// one that lacks objects. Revisions are given by full ids (see Program.Resolve). It is safe for concurrent use; Close it.
type Objects struct {
	program *Program
	dir     string
	remove  func()
}

// OpenObjects borrows the objects of r. id is any object id of it, which tells the hash function.
func (p *Program) OpenObjects(r Repository, id string) (*Objects, error) {
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if len(id) == 64 {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"
	}
	dir, remove, err := temporaryFolder(config)
	if err != nil {
		return nil, err
	}
	if err := copyShallow(r, dir); err != nil {
		remove()
		return nil, err
	}
	store, err := filepath.Abs(filepath.Join(r.Common, "objects"))
	if err != nil {
		remove()
		return nil, fmt.Errorf("find the objects of %s: %w", r.Name(), err)
	}
	env := make([]string, 0, len(p.env)+8)
	for _, kv := range p.env {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_CONFIG_") || name == "HOME" || name == "XDG_CONFIG_HOME" {
			continue
		}
		env = append(env, kv)
	}
	// HOME stands for versions before 2.32, which do not know GIT_CONFIG_GLOBAL.
	env = append(env, "GIT_DIR="+dir, "GIT_OBJECT_DIRECTORY="+store, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_ATTR_NOSYSTEM=1", "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	return &Objects{program: &Program{path: p.path, env: env}, dir: dir, remove: remove}, nil
}

// copyShallow copies the list of commits at which a shallow clone ends: without it git looks for their parents.
func copyShallow(r Repository, dir string) error {
	content, err := os.ReadFile(filepath.Join(r.Common, "shallow"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "shallow"), content, 0o600)
	}
	if err != nil {
		return fmt.Errorf("copy the shallow list of %s: %w", r.Name(), err)
	}
	return nil
}

// Run is Program.Run over the objects.
func (o *Objects) Run(ctx context.Context, stdin []byte, args ...string) (stdout []byte, err error) {
	stdout, _, err = o.program.Run(ctx, o.dir, stdin, args...)
	return stdout, err
}

// Stream is Program.Stream over the objects.
func (o *Objects) Stream(ctx context.Context, stdin io.Reader, args []string, read func(stdout io.Reader) error) error {
	return o.program.Stream(ctx, Command{Dir: o.dir, Stdin: stdin, Args: args}, read)
}

// Close removes the temporary folder. Runs and batches in flight should have ended.
func (o *Objects) Close() error {
	o.remove()
	return nil
}

// TemporaryFolder makes the least that git accepts as a repository, without running git init. remove deletes it.
func TemporaryFolder() (dir string, remove func(), err error) {
	return temporaryFolder("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
}

func temporaryFolder(config string) (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", "agenvantage-git-")
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary git folder: %w", err)
	}
	remove = func() { os.RemoveAll(dir) }
	for _, d := range []string{"objects", "refs"} {
		if err = os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			break
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600)
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("make a temporary git folder: %w", err)
	}
	return dir, remove, nil
}

// IsMissing reports whether err is git's failure over an object that is not in the store: of a partial clone, a
// damaged one, or one that another process is packing.
func IsMissing(err error) bool {
	if errors.Is(err, ErrMissing) {
		return true
	}
	says := []byte(Says(err))
	for _, words := range []string{"unable to read", "could not get object info", "missing blob", "unable to find",
		"could not fetch", "promisor"} {
		if bytes.Contains(says, []byte(words)) {
			return true
		}
	}
	return false
}
