package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"agenvantage"
)

// Roots decides which folders may be asked about. All folders are absolute, with their links resolved.
type Roots struct {
	// Repositories are served as they stand; the first is that of calls that name none. A folder below one means that one.
	Repositories []string
	// Given are the repositories as they were named, absolute and with their links, in the order of Repositories; nil when none was named
	// by a link. A link is followed anew with each call, so that one that is set to another folder serves that.
	Given []string
	// Allowed are folders that may be served too, with all below them.
	Allowed []string
	// Foreign lets a client's own roots be served wherever they are.
	Foreign bool
}

// Validate returns an error wrapping agenvantage.ErrBadInput for folders that are not absolute.
func (r Roots) Validate() error {
	for _, dir := range slices.Concat(r.Repositories, r.Allowed) {
		if !filepath.IsAbs(dir) {
			return fmt.Errorf("%w: root %q is not absolute", agenvantage.ErrBadInput, dir)
		}
	}
	if len(r.Given) > 0 && len(r.Given) != len(r.Repositories) {
		return fmt.Errorf("%w: %d given names for %d repositories", agenvantage.ErrBadInput, len(r.Given), len(r.Repositories))
	}
	return nil
}

// target is the folder that a root stands for now: what its name as given leads to, or the root itself where that leads nowhere.
func (r Roots) target(root string) string {
	if i := slices.Index(r.Repositories, root); i >= 0 && len(r.Given) > 0 {
		if now, err := filepath.EvalSymlinks(r.Given[i]); err == nil && isFolder(now) {
			return now
		}
	}
	return root
}

// targets are those of the repositories, in their order.
func (r Roots) targets() []string {
	now := make([]string, len(r.Repositories))
	for i, root := range r.Repositories {
		now[i] = r.target(root)
	}
	return now
}

// first is the root of calls that name none, "" when they have to.
func (r Roots) first() string {
	if len(r.Repositories) == 0 {
		return ""
	}
	return r.Repositories[0]
}

// holder is the innermost repository that holds dir, else dir itself.
func (r Roots) holder(dir string) string {
	holder, inner := "", ""
	for i, repository := range r.targets() {
		if len(repository) > len(inner) && within(dir, []string{repository}) {
			holder, inner = r.Repositories[i], repository
		}
	}
	if holder == "" {
		return dir
	}
	return holder
}

// resolve gives the folder that a call means: the argument where there is one, else the first root of its client, else the
// first repository. What is refused is refused in the same words whether it exists or not.
func (r Roots) resolve(argument string, client []string) (string, error) {
	switch {
	case argument == "" && len(client) > 0:
		return client[0], nil
	case argument == "" && len(r.Repositories) == 0:
		return "", fmt.Errorf("%w: argument \"root\" is needed: this server has no repository of its own", agenvantage.ErrBadInput)
	case argument == "":
		return r.first(), nil
	}
	named := filepath.Clean(argument)
	if slices.Contains(r.Repositories, named) { // also one that is gone
		return named, nil
	}
	if i := slices.Index(r.Given, named); i >= 0 {
		return r.Repositories[i], nil
	}
	allowed := slices.Concat(r.targets(), r.Allowed, client)
	dir, err := folderOf(argument, r.target(r.first()))
	if err != nil || !within(dir, allowed) {
		return "", fmt.Errorf("%w: root %q is none that this server may read; it may read %s", agenvantage.ErrBadInput, argument, listed(allowed))
	}
	if !isFolder(dir) {
		return "", fmt.Errorf("%w: root %q is not a folder", agenvantage.ErrBadInput, argument)
	}
	return r.holder(dir), nil
}

// clientRoot reads a root that a client offers, as a file URL.
func (r Roots) clientRoot(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("%w: the client's root %q is no file URL", agenvantage.ErrBadInput, uri)
	}
	dir, err := folderOf(filepath.FromSlash(u.Path), "")
	if err != nil || !isFolder(dir) {
		return "", fmt.Errorf("%w: the client's root %q is no folder", agenvantage.ErrBadInput, uri)
	}
	if !r.Foreign && !within(dir, slices.Concat(r.targets(), r.Allowed)) {
		return "", fmt.Errorf("%w: the client's root %q is none that this server may read", agenvantage.ErrBadInput, uri)
	}
	return r.holder(dir), nil
}

// folderOf is a folder without links; a relative one lies below base.
func folderOf(name, base string) (string, error) {
	if name == "" || strings.ContainsRune(name, 0) || !utf8.ValidString(name) {
		return "", fs.ErrInvalid
	}
	if !filepath.IsAbs(name) {
		if base == "" {
			return "", fs.ErrInvalid
		}
		name = filepath.Join(base, name)
	}
	return filepath.EvalSymlinks(name)
}

// within reports whether dir is one of the folders or lies below one, by whole parts of the path.
func within(dir string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		below, err := filepath.Rel(folder, dir)
		return err == nil && filepath.IsLocal(below)
	})
}

func listed(folders []string) string {
	if len(folders) == 0 {
		return "none"
	}
	return strings.Join(folders, ", ")
}

// placeSuffix is what follows a path in a location.
var placeSuffix = regexp.MustCompile(`(?::|#L)\d+(?:[-:]L?\d+)?$`)

// scheme is the beginning of a URL.
var scheme = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*://|^file:`)

// confine refuses, with agenvantage.ErrBadInput, a path, glob or location that leads out of root: by its parts, by an encoding or
// another system's separators of them, or through a link. It is told in the same words whether anything is there. Text never comes
// from the path itself: services answer from what the scan of the tree has read. This keeps that from being the only lock.
func confine(root *os.Root, location string) error {
	if location == "" {
		return nil
	}
	refused := fmt.Errorf("%w: %q is not below the root of the repository", agenvantage.ErrBadInput, location)
	if strings.ContainsRune(location, 0) || scheme.MatchString(location) || strings.HasPrefix(location, "~/") || location == "~" {
		return refused
	}
	name := placeSuffix.ReplaceAllString(strings.TrimSpace(location), "")
	if filepath.IsAbs(name) {
		below, err := filepath.Rel(root.Name(), filepath.Clean(name))
		if err != nil || !filepath.IsLocal(below) {
			return refused
		}
		name = below
	}
	for _, reading := range readings(name) {
		if clean := path.Clean(reading); clean == ".." || strings.HasPrefix(clean, "../") || strings.HasPrefix(clean, "/") {
			return refused
		}
	}
	// A path that is not there may be in the history, or be a glob or a symbol; one that leads out is an error of another kind.
	if _, err := root.Stat(path.Clean(filepath.ToSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) && leadsOut(root, path.Clean(filepath.ToSlash(name))) {
		return refused
	}
	return nil
}

// readings are the ways in which a path may be read: as it stands, with the separators of Windows, with escapes of URLs undone
// once and twice.
func readings(name string) []string {
	all := []string{filepath.ToSlash(name), strings.ReplaceAll(name, `\`, "/")}
	for range 2 {
		decoded, err := url.PathUnescape(name)
		if err != nil || decoded == name {
			break
		}
		name = decoded
		all = append(all, name, strings.ReplaceAll(name, `\`, "/"))
	}
	return all
}

// leadsOut reports whether a part of a local path is a link.
func leadsOut(root *os.Root, name string) bool {
	parts := strings.Split(name, "/")
	for i := range parts {
		info, err := root.Lstat(strings.Join(parts[:i+1], "/"))
		if err != nil {
			return false
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}
