package scan

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"agenvantage"
	"agenvantage/scan/git"
)

// walk lists the root without a git program, by the rules in ignore.go.
func (w *Walker) walk(ctx context.Context, r git.Repository, inRepository bool) (gathered, error) {
	global := parseIgnoreFromFile(globalExcludesFile(r), "")
	top := w.root
	if inRepository {
		global = append(global, parseIgnoreFromFile(filepath.Join(r.Common, "info", "exclude"), ".git/info/exclude")...)
		top = r.Top
	}
	t := &treeWalk{w: w, g: gathered{inside: map[string]bool{}}, matcher: newIgnoreMatcher(global), hits: map[*ignoreRule]int{}}
	below, err := filepath.Rel(top, w.root)
	if err != nil || below == "." {
		below = ""
	}
	t.below = filepath.ToSlash(below)
	t.readParents(top)
	if t.below != "" && t.matcher.excludes(t.below, true) != nil { // the enclosing repository ignores the root: it stands alone
		t.matcher, t.below = newIgnoreMatcher(parseIgnoreFromFile(globalExcludesFile(git.Repository{}), "")), ""
	}
	if err := t.folder(ctx, ""); err != nil {
		return gathered{}, err
	}
	most := 0
	for rule, n := range t.hits {
		t.g.ignored += n
		if text := rule.String(); n > most || n == most && text < t.g.rule {
			most, t.g.rule = n, text
		}
	}
	t.g.notes = append(t.g.notes, "no git program: ignore files alone decided what belongs to the tree")
	return t.g, nil
}

type treeWalk struct {
	w       *Walker
	g       gathered
	matcher *ignoreMatcher
	below   string // the root, relative to the top of its work tree: rules count from the top
	hits    map[*ignoreRule]int
}

// readParents reads the ignore files from the top of the work tree down to the root's parent.
func (t *treeWalk) readParents(top string) {
	if t.below == "" {
		return
	}
	parts := strings.Split(t.below, "/")
	for i := range parts {
		dir := strings.Join(parts[:i], "/")
		t.matcher.add(dir, parseIgnoreFromFile(filepath.Join(top, dir, ".gitignore"), joinSlash(dir, ".gitignore")))
	}
}

// fromTop turns a path relative to the root into one relative to the top of the work tree.
func (t *treeWalk) fromTop(path string) string {
	if path == "" {
		return t.below
	}
	return joinSlash(t.below, path)
}

func (t *treeWalk) folder(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	full := filepath.Join(t.w.root, filepath.FromSlash(dir))
	names, err := os.ReadDir(full)
	if err != nil {
		t.g.skips = append(t.g.skips, agenvantage.Skip{Path: cmp.Or(dir, ".") + "/", Reason: agenvantage.SkipUnreadable, Detail: systemError(err)})
	}
	t.matcher.add(t.fromTop(dir), parseIgnoreFromFile(filepath.Join(full, ".gitignore"), joinSlash(dir, ".gitignore")))
	for _, name := range names {
		if name.Name() == ".git" {
			continue
		}
		path := joinSlash(dir, name.Name())
		if rule := t.matcher.excludes(t.fromTop(path), name.IsDir()); rule != nil {
			t.hits[rule]++
			continue
		}
		if !name.IsDir() {
			t.g.untracked = append(t.g.untracked, path)
			continue
		}
		if t.isRepository(path) {
			continue
		}
		if err := t.folder(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// isRepository handles a folder with a git folder of its own: a submodule is read on, anything else is skipped.
func (t *treeWalk) isRepository(path string) bool {
	full := filepath.Join(t.w.root, filepath.FromSlash(path))
	if target, ok := git.ReadFile(filepath.Join(full, ".git")); ok && strings.Contains(filepath.ToSlash(target), "/modules/") {
		t.g.inside[path] = true
		return false
	}
	if _, ok := git.FolderOf(full); !ok {
		return false
	}
	t.g.skips = append(t.g.skips, t.w.nestedSkip(path))
	return true
}

// parseIgnoreFromFile reads an ignore file; a missing one, a link and an empty name have no rules. source defaults to the
// file's name.
func parseIgnoreFromFile(name, source string) []ignoreRule {
	info, err := os.Lstat(name)
	if name == "" || err != nil || source != "" && !info.Mode().IsRegular() {
		return nil
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return parseIgnoreFile(content, cmp.Or(source, name))
}

// globalExcludesFile finds the user-wide excludes file: core.excludesFile of the repository's or the user's
// configuration, else git/ignore in the user's configuration folder.
func globalExcludesFile(r git.Repository) string {
	home, _ := os.UserHomeDir()
	config := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	files := []string{filepath.Join(config, "git", "config"), filepath.Join(home, ".gitconfig")}
	if own := os.Getenv("GIT_CONFIG_GLOBAL"); own != "" {
		files = []string{own}
	}
	if r.Common != "" {
		files = append(files, filepath.Join(r.Common, "config"))
	}
	value := ""
	for _, f := range files {
		if content, err := os.ReadFile(f); err == nil {
			value = cmp.Or(configValue(string(content), "core", "excludesfile"), value)
		}
	}
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		value = filepath.Join(home, rest)
	}
	return cmp.Or(value, filepath.Join(config, "git", "ignore"))
}

// configValue finds the last value of section.key in a git configuration file: plain lines, with or without quotes.
func configValue(content, section, key string) string {
	value, in := "", false
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = strings.EqualFold(strings.TrimSpace(strings.Trim(line, "[]")), section)
			continue
		}
		name, v, found := strings.Cut(line, "=")
		if !in || !found || !strings.EqualFold(strings.TrimSpace(name), key) {
			continue
		}
		v = strings.TrimSpace(v)
		if strings.HasPrefix(v, `"`) {
			v, _, _ = strings.Cut(v[1:], `"`)
		}
		value = v
	}
	return value
}

func joinSlash(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
