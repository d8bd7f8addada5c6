package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestObjectsSeeNoConfiguration(t *testing.T) {
	f := newFixture(t)
	f.write("gitconfig", "[user]\n\tname = me\n")
	f.write("repo/a.txt", "one\n")
	first := f.commit("one")
	f.write("repo/a.txt", "two\n")
	second := f.commit("two")
	f.git("repo", "config", "core.pager", "evil")
	f.git("repo", "replace", first, second)
	o := f.objects(first)
	out, err := o.Run(context.Background(), nil, "config", "--list", "--show-scope")
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "command\t") && line != "local\tcore.repositoryformatversion=0\n" && line != "local\tcore.bare=true\n" {
			t.Errorf("configuration: %q", line)
		}
	}
	if err != nil {
		t.Error(err)
	}
	if out, err := o.Run(context.Background(), nil, "cat-file", "blob", first+":a.txt"); string(out) != "one\n" || err != nil {
		t.Errorf("a replaced commit: %q, %v", out, err)
	}
	if out, err := o.Run(context.Background(), nil, "rev-parse", "-q", "--verify", "main"); err == nil {
		t.Errorf("a branch is seen: %q", out)
	}
	dir := o.dir
	o.Close()
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder stays: %v", err)
	}
}

func TestObjectsOfSHA256(t *testing.T) {
	f := newFixture(t)
	os.RemoveAll(f.path("repo"))
	f.git("", "init", "-q", "--object-format=sha256", "repo")
	f.write("repo/a.txt", "one\n")
	id := f.commit("one")
	if out, err := f.objects(id).Run(context.Background(), nil, "cat-file", "blob", id+":a.txt"); len(id) != 64 || string(out) != "one\n" || err != nil {
		t.Errorf("%s: %q, %v", id, out, err)
	}
}

func TestObjectsOfAShallowClone(t *testing.T) {
	f := newFixture(t)
	f.commit("one")
	f.commit("two")
	id := f.commit("three")
	f.git("", "clone", "-q", "--depth=2", "file://"+f.path("repo"), "shallow")
	r := f.repository("shallow")
	o, err := Find().OpenObjects(r, id)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if out, err := o.Run(context.Background(), nil, "rev-list", "--count", id); string(out) != "2\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	if cut, err := r.Shallow(); len(cut) != 1 || !cut[f.git("repo", "rev-parse", "HEAD~1")] || err != nil {
		t.Errorf("shallow list %v, %v", cut, err)
	}
	if cut, err := f.repository("repo").Shallow(); len(cut) != 0 || err != nil {
		t.Errorf("of a whole clone %v, %v", cut, err)
	}
}

func TestBatch(t *testing.T) {
	f := newFixture(t)
	large := strings.Repeat("x", 300_000)
	f.write("repo/a.txt", "one\n\x00two")
	f.write("repo/empty", "")
	f.write("repo/large", large)
	id := f.commit("one")
	idOf := func(name string) string { return f.git("repo", "rev-parse", id+":"+name) }
	b, err := f.objects(id).StartBatch()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx := context.Background()
	fetch := func(id string, limit int64) (string, Object, error) {
		var into bytes.Buffer
		o, err := b.Fetch(ctx, id, limit, &into)
		return into.String(), o, err
	}
	for range 2 { // the stream stays in step whatever was asked before
		for _, c := range []struct {
			id    string
			limit int64
			text  string
			want  Object
		}{
			{idOf("a.txt"), 8, "one\n\x00two", Object{"blob", 8}}, {idOf("empty"), 0, "", Object{"blob", 0}}, {idOf("a.txt"), 7, "", Object{"blob", 8}},
			{idOf("large"), 1 << 20, large, Object{"blob", 300_000}}, {idOf("large"), 299_999, "", Object{"blob", 300_000}}, {id, 0, "", Object{"commit", int64(len(f.git("repo", "cat-file", "-p", id))) + 1}},
		} {
			if text, got, err := fetch(c.id, c.limit); text != c.text || got != c.want || err != nil {
				t.Errorf("%s up to %d: %.20q, %+v, %v; want %.20q, %+v", c.id, c.limit, text, got, err, c.text, c.want)
			}
		}
		if _, _, err := fetch(strings.Repeat("1", 40), 9); !errors.Is(err, ErrMissing) || !IsMissing(err) {
			t.Errorf("missing: %v", err)
		}
		if _, _, err := fetch("HEAD", 9); err == nil || IsMissing(err) {
			t.Errorf("no id: %v", err)
		}
	}
}

func TestBatchEndsWithItsContext(t *testing.T) {
	f := newFixture(t)
	f.write("repo/a.txt", "one\n")
	id := f.commit("one")
	o := f.objects(id)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b, err := o.StartBatch()
	if err != nil {
		t.Fatal(err)
	}
	var into bytes.Buffer
	if _, err := b.Fetch(ctx, id, 1<<20, &into); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
	if _, err := b.Fetch(context.Background(), id, 1<<20, &into); err == nil {
		t.Error("a killed batch answers")
	}
	b.Close()
	if b, err = o.StartBatch(); err != nil {
		t.Fatal(err)
	}
	b.Kill()
	if _, err := b.Fetch(context.Background(), id, 1<<20, &into); err == nil {
		t.Error("a killed batch answers")
	}
	b.Close()
	if b.cmd.ProcessState == nil {
		t.Error("the process was not waited for")
	}
}

func TestBatchOfADamagedObject(t *testing.T) {
	f := newFixture(t)
	f.write("repo/a.txt", "one\n")
	id := f.commit("one")
	blob := f.git("repo", "rev-parse", id+":a.txt")
	name := f.path("repo/.git/objects/" + blob[:2] + "/" + blob[2:])
	os.Chmod(name, 0o644)
	if err := os.WriteFile(name, []byte("this is no object"), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := f.objects(id).StartBatch()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var into bytes.Buffer
	if _, err := b.Fetch(context.Background(), blob, 100, &into); err == nil {
		t.Error("a damaged object is read")
	}
}

func FuzzBatchHeader(f *testing.F) {
	id := strings.Repeat("a", 40)
	for _, line := range []string{id + " blob 12\n", id + " missing\n", id + " blob -1\n", id + " blob\n", id + "  3\n", "other blob 3\n", "", "\n"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		o, err := parseBatchHeader(line, id)
		if err == nil && (o.Size < 0 || o.Type == "" || !strings.HasPrefix(line, id+" "+o.Type+" ")) {
			t.Errorf("%q gives %+v", line, o)
		}
	})
}

func TestParseBatchHeader(t *testing.T) {
	id := strings.Repeat("a", 40)
	if o, err := parseBatchHeader(id+" tree 12\n", id); o != (Object{"tree", 12}) || err != nil {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := parseBatchHeader(id+" missing\n", id); !errors.Is(err, ErrMissing) {
		t.Errorf("missing: %v", err)
	}
	for _, line := range []string{"", id, id + " blob", id + " blob x\n", id + " blob -1\n", id + " blob 1 2\n", id + "  1\n", strings.Repeat("b", 40) + " blob 1\n"} {
		if o, err := parseBatchHeader(line, id); err == nil {
			t.Errorf("%q gives %+v", line, o)
		}
	}
}
