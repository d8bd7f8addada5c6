package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree is a repository with files outside of it and links that lead there.
func tree(t *testing.T) (base, repo string) {
	t.Helper()
	base = folder(t)
	repo = filepath.Join(base, "repo")
	for name, text := range map[string]string{"repo/in.py": "x", "repo/sub/deep.py": "x", "outside/secret.py": "secret", "repo-evil/x.py": "secret"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(base, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"link_file.py": "../outside/secret.py", "link_dir": "../outside", "link_abs": filepath.Join(base, "outside"), "link_gone": "../outside/nosuch.py", "link_in.py": "in.py", "link_loop": "link_loop"} {
		if err := os.Symlink(target, filepath.Join(repo, link)); err != nil {
			t.Fatal(err)
		}
	}
	return base, repo
}

func TestConfine(t *testing.T) {
	base, repo := tree(t)
	root, err := os.OpenRoot(repo)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, c := range []struct {
		location string
		want     bool
	}{
		{"", true}, {"in.py", true}, {"./in.py", true}, {"sub/../in.py", true}, {"in.py:3", true}, {"in.py:3-9", true}, {"in.py#L3-L9", true}, {"nosuch.py", true}, {"src/**", true},
		{"Mux.Serve", true}, {"a::b", true}, {"std::vector<int>::push_back", true}, {"operator/", true}, {"...", true}, {"100%", true}, {"sub", true}, {"sub/", true}, {"link_in.py", true},
		{repo, true}, {filepath.Join(repo, "in.py"), true}, {filepath.Join(repo, "in.py") + ":3", true}, {"**/*.go", true}, {"{a,b}/*.py", true},
		{"..", false}, {"../outside/secret.py", false}, {"../outside/nosuch.py", false}, {"../repo-evil/x.py", false}, {filepath.Join(base, "repo-evil/x.py"), false},
		{filepath.Join(base, "outside/secret.py"), false}, {"link_file.py", false}, {"link_file.py:1", false}, {"link_dir/secret.py", false}, {"link_dir/nosuch.py", false},
		{"link_abs/secret.py", false}, {"link_gone", false}, {"link_loop", false}, {"/etc/passwd", false}, {"/", false}, {`..\outside\secret.py`, false}, {`sub\..\..\outside`, false}, {"%2e%2e/outside/secret.py", false},
		{"%252e%252e/outside/secret.py", false}, {"..%2foutside", false}, {"..%5coutside", false}, {"file:///etc/passwd", false}, {"FILE:/etc/passwd", false}, {"http://x/y", false}, {"~/.ssh/id_rsa", false}, {"~", false},
		{"in.py/../../outside/secret.py", false}, {"in.py\x00", false}, {"../**", false}, {"sub/../../outside:3", false}, {" ../outside/secret.py", false}, {"..:3", false},
	} {
		err := confine(root, c.location)
		if (err == nil) != c.want {
			t.Errorf("%q: %v", c.location, err)
		}
		if err != nil {
			wantError(t, err, "bad_input", "is not below the root of the repository")
		}
	}
}

// A refusal must not tell whether there is something.
func TestConfineTellsNothing(t *testing.T) {
	_, repo := tree(t)
	root, err := os.OpenRoot(repo)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, pair := range [][2]string{{"../outside/secret.py", "../outside/nosuch.py"}, {"link_dir/secret.py", "link_dir/nosuch.py"}, {"link_file.py", "link_gone"}} {
		a, b := confine(root, pair[0]), confine(root, pair[1])
		if a == nil || b == nil || strings.ReplaceAll(a.Error(), pair[0], "P") != strings.ReplaceAll(b.Error(), pair[1], "P") {
			t.Errorf("%v\n%v", a, b)
		}
	}
}

func TestRoots(t *testing.T) {
	base, repo := tree(t)
	other := filepath.Join(base, "outside")
	r := Roots{Repositories: []string{repo}}
	for _, c := range []struct {
		name     string
		roots    Roots
		argument string
		client   []string
		want     string // "" is refused
	}{
		{"default", r, "", nil, repo},
		{"the repository itself", r, repo, nil, repo},
		{"a folder of it means it", r, filepath.Join(repo, "sub"), nil, repo},
		{"relative to it", r, "sub", nil, repo},
		{"the client's", r, "", []string{other}, other},
		{"argument before the client's", r, repo, []string{other}, repo},
		{"the client's by name", r, other, []string{other}, other},
		{"outside", r, other, nil, ""},
		{"above", r, base, nil, ""},
		{"whole disk", r, "/", nil, ""},
		{"sibling with the same beginning", r, repo + "-evil", nil, ""},
		{"up", r, "../outside", nil, ""},
		{"through a link", r, filepath.Join(repo, "link_dir"), nil, ""},
		{"through a relative link", r, "link_dir", nil, ""},
		{"no folder", r, filepath.Join(repo, "in.py"), nil, ""},
		{"not there", r, filepath.Join(repo, "nosuch"), nil, ""},
		{"NUL", r, "sub\x00", nil, ""},
		{"allowed", Roots{Repositories: []string{repo}, Allowed: []string{base}}, other, nil, other},
		{"none", Roots{Allowed: []string{base}}, "", nil, ""},
		{"relative without a base", Roots{Allowed: []string{base}}, "repo", nil, ""},
	} {
		got, err := c.roots.resolve(c.argument, c.client)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
	there, gone := r, r
	_, a := there.resolve(other, nil)
	_, b := gone.resolve(filepath.Join(base, "nosuch"), nil)
	if strings.ReplaceAll(a.Error(), other, "P") != strings.ReplaceAll(b.Error(), filepath.Join(base, "nosuch"), "P") {
		t.Errorf("a refusal tells what is there:\n%v\n%v", a, b)
	}
	if err := (Roots{Allowed: []string{"rel"}}).Validate(); err == nil {
		t.Error("a relative root is valid")
	}
}

func TestClientRoot(t *testing.T) {
	base, repo := tree(t)
	other := filepath.Join(base, "outside")
	bound, foreign := Roots{Repositories: []string{repo}}, Roots{Repositories: []string{repo}, Foreign: true}
	for _, c := range []struct {
		roots Roots
		uri   string
		want  string
	}{
		{bound, "file://" + repo, repo}, {bound, "file://localhost" + repo, repo}, {bound, "file://" + repo + "/sub", repo}, {bound, "file://" + other, ""}, {foreign, "file://" + other, other},
		{foreign, "file://" + filepath.Join(base, "nosuch"), ""}, {foreign, "file://" + filepath.Join(repo, "in.py"), ""}, {foreign, "http://x" + other, ""}, {foreign, "file://host" + other, ""}, {foreign, other, ""},
		{foreign, "file://" + other + "%00", ""}, {foreign, "", ""},
	} {
		got, err := c.roots.clientRoot(c.uri)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v", c.uri, got, err)
		}
	}
}

func FuzzConfine(f *testing.F) {
	for _, s := range []string{"in.py", "../x", `..\x`, "%2e%2e/x", "a//../../b", "\x00", "/etc", "link/x"} {
		f.Add(s)
	}
	dir := folder(f)
	outside := folder(f)
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		f.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, location string) {
		if confine(root, location) != nil || filepath.IsAbs(location) {
			return
		}
		// What passes must not lead out when it is joined, by the system's own reading.
		joined := filepath.Join(dir, placeSuffix.ReplaceAllString(strings.TrimSpace(location), ""))
		if below, err := filepath.Rel(dir, joined); err != nil || !filepath.IsLocal(below) {
			t.Errorf("%q leads to %q", location, joined)
		}
		if resolved, err := filepath.EvalSymlinks(joined); err == nil && !within(resolved, []string{dir}) {
			t.Errorf("%q leads to %q", location, resolved)
		}
	})
}
