package ablations

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var textNames = newPathNames([]string{"net/http/server.go", "net/http/server_test.go", "cmd/tool/main.go", "README.md", "Makefile", "lib/django/db/models.py", "search"})

func TestStripMessage(t *testing.T) {
	for _, c := range []struct{ name, subject, body, want string }{
		{"plain", "Reject empty header names", "They crash the writer.", "Reject empty header names\n\nThey crash the writer."},
		{"no body", "Reject empty header names", "", "Reject empty header names"},
		{"conventional prefix", "fix(http)!: reject empty header names", "", "reject empty header names"},
		{"conventional prefix without scope", "Chore: reject empty names", "", "reject empty names"},
		{"unknown type with a scope", "typ(parser): annotate the tree", "", "annotate the tree"},
		{"stacked prefixes", "[3.12] fix: net/http: reject empty names", "", "reject empty names"},
		{"folder prefix", "cmd, net/http: share a deadline", "", "share a deadline"},
		{"file prefix", "server.go: share a deadline", "", "share a deadline"},
		{"a colon that is prose", "Bug: the deadline is shared", "", "Bug: the deadline is shared"},
		{"emoji and fixup", "fixup! :bug: reject empty names", "", "reject empty names"},
		{"squashed merge", "Merge pull request #12 from me/branch", "\nfeat(x): reject empty names\n\nBody.", "reject empty names\n\nBody."},

		{"path", "Reject names in net/http/server.go again", "", "Reject names in again"},
		{"end of a path", "Reject names in http/server.go", "", "Reject names in"},
		{"path with a line", "Panic at net/http/server.go:120:3, with trace", "", "Panic at, with trace"},
		{"path without its ending", "Panic in net/http/server of names", "", "Panic in of names"},
		{"module with dots", "Panic in django.db.models of names", "", "Panic in of names"},
		{"folder", "Panic in net/http/ and cmd/tool", "", "Panic in and"},
		{"file name", "Panic in `server.go` (main.go)", "", "Panic in"},
		{"file name at the end", "Panic in Server.go.", "", "Panic in"},
		{"file name without an ending", "Teach the Makefile a target", "", "Teach the a target"},
		{"a word that is a file", "Make search faster", "", "Make search faster"},
		{"moved file", "Panic in old/place/thing.go", "", "Panic in"},
		{"no path", "Use and/or, 1/2 and e.g. this", "", "Use and/or, 1/2 and e.g. this"},
		{"a path of the system", "Read /etc/hosts twice", "", "Read /etc/hosts twice"},

		{"issue", "Reject empty names (#123)", "Fixes #123, #124 and GH-9.", "Reject empty names"},
		{"issue before a dash", "Fixed #2345 -- Rejected empty names", "", "Rejected empty names"},
		{"issue of another repository", "Reject names, see golang/go#99", "", "Reject names"},
		{"tracker", "PROJ-123: reject empty names", "bpo-31 and issue 77 ask for it", "reject empty names\n\nask for it"},
		{"standards are no tracker", "Read UTF-8 and SHA-256 of RFC-7231", "", "Read UTF-8 and SHA-256 of RFC-7231"},
		{"commit ids", "Reject what commit 1a2b3c4d5e broke in deadbee1", "", "Reject what broke"},
		{"words and numbers are no ids", "The effaced facade holds 1234567 bytes", "", "The effaced facade holds 1234567 bytes"},
		{"link", "Reject names (see https://example.org/a?b=c#d)", "www.example.org says so", "Reject names\n\nsays so"},
		{"address", "Reject names, says Ann <ann@example.org>", "", "Reject names, says Ann"},
		{"svn", "Reject names of r12345", "git-svn-id: https://svn/x@1 abc", "Reject names"},

		{"trailers", "Reject names", "Why: because.\n\nSigned-off-by: A <a@b.c>\nCo-authored-by: B <b@c.d>\nChange-Id: Iabc\nReviewed-by: C\nPR-URL: https://x/1\nFixes: #3\nCc: x",
			"Reject names\n\nWhy: because."},
		{"cherry pick", "Reject names", "Why.\n\n(cherry picked from commit 1a2b3c4d5e6f)", "Reject names\n\nWhy."},
		{"conflicts", "Reject names", "Why.\n\nConflicts:\n\tnet/http/x.go\n\tother\n\nMore.", "Reject names\n\nWhy.\n\nMore."},
		{"merge lines", "Reject names", "Merge branch 'main' into x\nWhy.", "Reject names\n\nWhy."},
		{"quoted diff", "Reject names", "Before:\n\n  diff --git a/x b/x\n  --- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -secret\n  +answer\n\n  +more\n\nAfter.",
			"Reject names\n\nBefore:\n\nAfter."},
		{"statistics", "Reject names", " a.go | 3 ++-\n 1 file changed, 2 insertions(+)\nWhy.", "Reject names\n\nWhy."},
		{"list", "Reject names", "- one caller\n- server.go\n* another", "Reject names\n\n- one caller\n* another"},
		{"comment", "Reject names", "<!-- say\nwhy -->Why.", "Reject names\n\nWhy."},
		{"carriage returns and controls", "Reject\x00 names", "a\r\n\r\n\r\n\r\nb\x1b", "Reject names\n\na\n\nb"},
		{"invalid bytes", "Reject n\xffames", "", "Reject names"},
		{"emphasis around nothing", "Reject names", "- **server.go**: take empty names", "Reject names\n\n- take empty names"},
		{"code keeps its brackets", "Let f() != nil ? x : [] stay", "Call `String()` , once .", "Let f() != nil ? x : [] stay\n\nCall `String()` , once ."},
		{"a reason after Fix", "Reject names", "Fix: look before the put.\nIssue: it fails", "Reject names\n\nFix: look before the put.\nIssue: it fails"},
		{"the subject again", "Reject names (#12)", "* Reject names.\n\n* Fix typo\n\n* Check more\n\n* Update", "Reject names\n\n* Check more"},
		{"a pointer to a link", "Reject names", "For more information, see https://x.org/y", "Reject names"},
		{"a pointer to an issue", "Reject names", "Follow-up for #12.\nSee also: #13", "Reject names"},
		{"brackets in brackets", "Reject names ([#12])", "", "Reject names"},
		{"nothing is left", "server.go", "Signed-off-by: A", ""},
	} {
		if got := stripMessage(c.subject, c.body, textNames); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSaysEnough(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"reject empty names", true},
		{"reject empty", false},
		{"reject the reject a Reject", false}, // one word
		{"fix minor bug in the code and add changes", false},
		{"load_user crashes", true},
		{"a b c d e", false}, // letters are no words
		{"空のヘッダー名を拒否する", true},
		{"修正", false},
		{"", false},
		{"1 2 3 4", false},
	} {
		if got := saysEnough(c.text); got != c.want {
			t.Errorf("%q: got %v", c.text, got)
		}
	}
}

func TestBumps(t *testing.T) {
	for _, s := range []string{"Bump lodash from 1.2 to 1.3", "chore(deps): update x", "build(deps-dev): bump y", "v1.2.3", "1.4.0", "flask 2.1.0", "Release 1.2",
		"Prepare release v3", "prepare for next development iteration", "Version 4.0", "Update dependencies", "Update all npm dependencies", "Upgrade foo to v2.1.0",
		"Update version number", "set version to 2.0.dev", "Bump version", "fix: bump version to 3", "Release", "Update requirements", "start version 2.0.2.dev0", "[pre-commit.ci] auto fixes from pre-commit.com hooks", "Post-release version bump"} {
		if !isBump(s) {
			t.Errorf("%q is not taken for a bump", s)
		}
	}
	for _, s := range []string{"Release the lock when the writer fails", "Release lock after 3 tries", "Update the cache of parsed trees", "Fix version check of old servers",
		"Handle HTTP 1.1 keep alive", "Pin the goroutine to its thread", "Set the deadline of idle connections", "Upgrade connections to TLS when asked", "Prepare statements once"} {
		if isBump(s) {
			t.Errorf("%q is taken for a bump", s)
		}
	}
}

func TestReverts(t *testing.T) {
	for _, c := range []struct {
		subject, body string
		want          bool
	}{
		{`Revert "Reject empty names"`, "", true},
		{"revert: reject empty names", "", true},
		{"fix: revert the new parser", "", true},
		{"Back out the new parser", "", true},
		{"Undo", "This reverts commit 1a2b3c4d.", true},
		{"Reapply it", "", false},
		{"Add a revert button", "", false},
		{"Convert names", "", false},
	} {
		if got := isRevert(c.subject, c.body); got != c.want {
			t.Errorf("%q: got %v", c.subject, got)
		}
	}
}

func FuzzStripMessage(f *testing.F) {
	f.Add("fix(a): net/http/server.go", "diff --git a/x b/x\n+y\n\nSigned-off-by: a")
	f.Add("[a] [b] x: y", "Conflicts:\n\ta\n")
	f.Add("\xff`'\"()[]", "<!-- #1 -->")
	f.Fuzz(func(t *testing.T, subject, body string) {
		got := stripMessage(subject, body, textNames)
		if !utf8.ValidString(got) || strings.TrimSpace(got) != got || strings.Contains(got, "\x00") {
			t.Errorf("%q %q: %q", subject, body, got)
		}
		if strings.Contains(got, "net/http/server.go") {
			t.Errorf("%q %q: a path is left in %q", subject, body, got)
		}
		saysEnough(got)
		isBump(subject)
		isRevert(subject, body)
	})
}
