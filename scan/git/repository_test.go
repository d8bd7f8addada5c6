package git

import "testing"

func TestFindRepository(t *testing.T) {
	f := newFixture(t)
	f.write("repo/sub/a.txt", "one\n")
	f.commit("one")
	f.git("repo", "worktree", "add", "-q", "-b", "other", "../linked")
	f.git("", "clone", "-q", "--bare", "repo", "bare.git")
	f.git("repo", "submodule", "--quiet", "add", f.path("bare.git"), "module")
	f.write("plain/x", "")
	f.write("repo/empty/.git/x", "") // no repository, as git sees it
	for dir, want := range map[string]Repository{
		"repo":                 {f.path("repo"), f.path("repo/.git"), f.path("repo/.git")},
		"repo/sub":             {f.path("repo"), f.path("repo/.git"), f.path("repo/.git")},
		"repo/empty":           {f.path("repo"), f.path("repo/.git"), f.path("repo/.git")},
		"repo/.git":            {f.path("repo"), f.path("repo/.git"), f.path("repo/.git")},
		"repo/.git/refs/heads": {f.path("repo"), f.path("repo/.git"), f.path("repo/.git")},
		"linked":               {f.path("linked"), f.path("repo/.git/worktrees/linked"), f.path("repo/.git")},
		"bare.git":             {"", f.path("bare.git"), f.path("bare.git")},
		"bare.git/refs":        {"", f.path("bare.git"), f.path("bare.git")},
		"repo/module":          {f.path("repo/module"), f.path("repo/.git/modules/module"), f.path("repo/.git/modules/module")},
		"plain":                {},
	} {
		got, ok := FindRepository(f.path(dir))
		if got != want || ok != (want != Repository{}) {
			t.Errorf("%s: %+v, %v; want %+v", dir, got, ok, want)
		}
		if got, ok := FindWorkTree(f.path(dir)); ok != (want.Top != "") || got.Top != want.Top {
			t.Errorf("as a work tree %s: %+v, %v", dir, got, ok)
		}
	}
}

func TestHead(t *testing.T) {
	f := newFixture(t)
	head := func(dir string) string {
		revision, branch, ok := f.repository(dir).Head()
		if !ok {
			return "not known"
		}
		return revision + " " + branch
	}
	if got := head("repo"); got != " main" {
		t.Errorf("unborn: %q", got)
	}
	id := f.commit("one")
	if got := head("repo"); got != id+" main" {
		t.Errorf("branch: %q", got)
	}
	f.git("repo", "pack-refs", "--all")
	f.git("repo", "worktree", "add", "-q", "-b", "feat/x", "../linked")
	if got := head("repo"); got != id+" main" {
		t.Errorf("packed: %q", got)
	}
	if got := head("linked"); got != id+" feat/x" {
		t.Errorf("linked: %q", got)
	}
	f.git("repo", "checkout", "-q", "--detach")
	if got := head("repo"); got != id+" " {
		t.Errorf("detached: %q", got)
	}
	for _, content := range []string{"ref: refs/../../x\n", "ref: elsewhere\n", "nonsense\n", "", "ref: refs/heads/.invalid\n"} {
		f.write("repo/.git/HEAD", content)
		if got := head("repo"); got != "not known" {
			t.Errorf("%q: %q", content, got)
		}
	}
}
