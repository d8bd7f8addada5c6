//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// packAnswer is what `pack --json` promises, as far as these tests look.
type packAnswer struct {
	ID        string   `json:"pack_id"`
	Status    string   `json:"status"`
	Budget    int      `json:"budget"`
	Tokens    int      `json:"tokens"`
	Tokenizer string   `json:"tokenizer"`
	Prompt    string   `json:"prompt"`
	Missing   []string `json:"missing"`
	Slots     []struct {
		Name  string `json:"name"`
		State string `json:"state"`
	} `json:"slots"`
	Blocks []struct {
		ID    string `json:"id"`
		Path  string `json:"path"`
		Start int    `json:"start_line"`
		End   int    `json:"end_line"`
		Slot  string `json:"slot"`
		Text  string `json:"text"`
	} `json:"blocks"`
	Handles []struct {
		ID string `json:"source_id"`
	} `json:"handles"`
}

// pack runs the command with --json and the given arguments.
func (tl *tool) pack(stdin string, args ...string) (packAnswer, outcome) {
	tl.t.Helper()
	o := tl.run(stdin, append(tl.flags("pack"), append(args, "--json")...)...)
	var p packAnswer
	if err := json.Unmarshal([]byte(o.stdout), &p); err != nil {
		tl.t.Fatalf("%v: %v", err, o)
	}
	if want := map[bool]int{true: 1, false: 0}[p.Status == "insufficient"]; o.code != want {
		tl.t.Errorf("status %s: %v", p.Status, o)
	}
	if p.Tokens > p.Budget || p.Tokens == 0 {
		tl.t.Errorf("%d tokens of %d: %v", p.Tokens, p.Budget, o)
	}
	return p, o
}

// packTree has a bug, its test, and a program that fails.
func packTree(t *testing.T) *tool {
	tl := newTool(t)
	tl.writeAll(files{
		"cart/total.go":      "package cart\n\n// Total sums the prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor i := range prices {\n\t\tsum += prices[i+1]\n\t}\n\treturn sum\n}\n",
		"cart/total_test.go": "package cart\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total([]int{2}) != 2 {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n",
		"main.go":            "package main\n\nimport \"shop/cart\"\n\nfunc main() { println(cart.Total(nil)) }\n",
		"docs/cart.md":       "# Cart\n\n```\nHow to `sum` a cart.\n````\n",
	})
	tl.commit()
	return tl
}

func TestAFailureBecomesAPackAndItsRest(t *testing.T) {
	t.Parallel()
	tl := packTree(t)
	output := "--- FAIL: TestTotal (0.00s)\npanic: runtime error: index out of range [1] with length 1\n\ngoroutine 18 [running]:\nshop/cart.Total(...)\n\t/ci/shop/cart/total.go:7\nshop/cart.TestTotal(0xc0)\n\t/ci/shop/cart/total_test.go:6 +0xa\nFAIL\tshop/cart\t0.005s\n"
	p, _ := tl.pack(output, "--from-output", "-")
	if len(p.Blocks) == 0 || p.Blocks[0].Path != "cart/total.go" || p.Blocks[0].Start > 7 || p.Blocks[0].End < 7 {
		t.Fatalf("%+v", p)
	}
	tested := false
	for _, b := range p.Blocks {
		tested = tested || b.Path == "cart/total_test.go"
		o := tl.run("", append(tl.flags("rehydrate"), b.ID)...)
		if o.code != 0 || strings.TrimSuffix(o.stdout, "\n") != strings.TrimSuffix(b.Text, "\n") {
			t.Errorf("%s: %v", b.ID, o)
		}
		if b.Path == "" {
			continue
		}
		o = tl.run("", append(tl.flags("why"), p.ID, fmt.Sprintf("%s:%d", b.Path, b.Start))...)
		if o.code != 0 || !strings.Contains(o.stdout, "shown") {
			t.Errorf("%v", o)
		}
	}
	if !tested {
		t.Errorf("the test that fails is not shown: %+v", p.Blocks)
	}
	for _, s := range p.Slots {
		if o := tl.run("", append(tl.flags("expand"), p.ID, "--slot", s.Name, "--json")...); o.code > 1 {
			t.Errorf("%v", o)
		}
	}
	if o := tl.run("", append(tl.flags("why"), p.ID, "main.go:1")...); o.code > 1 {
		t.Errorf("%v", o)
	}
}

func TestTheFormsOfAPackHoldTheSame(t *testing.T) {
	t.Parallel()
	tl := packTree(t)
	args := append(tl.flags("pack"), "--task", "the total of the cart is wrong, and docs/cart.md too", "--budget", "3000")
	p, _ := tl.pack("", "--task", "the total of the cart is wrong, and docs/cart.md too", "--budget", "3000", "--handoff-json")
	md := tl.run("", args...)
	if md.stdout != p.Prompt || p.Prompt == "" {
		t.Errorf("the prompt is not the Markdown:\n%s\n%s", p.Prompt, md.stdout)
	}
	if again := tl.run("", args...); again.stdout != md.stdout {
		t.Errorf("not the same twice:\n%s\n%s", md.stdout, again.stdout)
	}
	var x struct {
		ID     string `xml:"pack_id,attr"`
		Blocks []struct {
			ID   string `xml:"id,attr"`
			Text string `xml:"text"`
		} `xml:"blocks>block"`
	}
	if err := xml.Unmarshal([]byte(tl.run("", append(args, "--format", "xml")...).stdout), &x); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, b := range x.Blocks {
		texts[b.ID] = b.Text
	}
	if x.ID != p.ID || len(texts) != len(p.Blocks) {
		t.Errorf("%s with %d blocks, in JSON %s with %d", x.ID, len(texts), p.ID, len(p.Blocks))
	}
	for _, b := range p.Blocks {
		if texts[b.ID] != b.Text || !strings.Contains(md.stdout, b.Text) {
			t.Errorf("%s: %q in XML, %q in JSON", b.ID, texts[b.ID], b.Text)
		}
	}
}

func TestAPackOfNothingIsInsufficient(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	if p, o := tl.pack("", "--task", "fix the parser"); p.Status != "insufficient" || len(p.Handles) > 0 {
		t.Errorf("%v", o)
	}
	tl.write("a.go", "package a\n\nfunc Greet() {}\n")
	if p, o := tl.pack("", "--task", "the frobnicator in zyzzyva/quux.rs loses its sprockets"); p.Status == "ready" {
		t.Errorf("%v", o)
	}
}

func TestNoSecretIsPacked(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	c := &canaries{random: rand.New(rand.NewPCG(29, 31)), all: map[string]string{}}
	c.plant(tl)
	tl.commit()
	tl.git("commit", "-q", "--allow-empty", "-m", "log in with "+c.keep("commit", "gh"+"p_", c.draw(36, letter)))
	said := ""
	for _, task := range []string{"connect_services uses the wrong password", "change the token in config and deploy", "explain .env and deploy/id_ed25519", "migrate the keys in src/Keys.java"} {
		for _, format := range []string{"md", "json", "xml"} {
			o := tl.run("", append(tl.flags("pack"), "--task", task, "--budget", "12000", "--format", format)...)
			said += o.stdout + o.stderr
		}
	}
	stored := tl.storedBytes(t)
	stored["an answer"] = []byte(said)
	records := 0
	for name, text := range stored {
		if strings.Contains(name, "/packs/") {
			records++
		}
		for kind, secret := range c.all {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("the secret %q is in %s", kind, name)
			}
		}
	}
	if records == 0 || !strings.Contains(said, "connect_services") {
		t.Errorf("%d records of packs: this test looks at nothing", records)
	}
}
