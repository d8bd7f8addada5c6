package plan

import (
	"regexp"
	"strings"

	"agenvantage"
)

// trace is a run of frames that belong together: one stack, or the reports of one compiler.
type trace struct {
	frames    []placed
	innerLast bool // the innermost frame is printed last, as in Python
	cause     bool // printed behind "Caused by": it explains the block before it
}

// placed is a frame with what decides about its order.
type placed struct {
	agenvantage.Frame
	dependency bool
	weak       bool // a path with a line in running text, a warning: no frame of a stack and no error
}

// outputForms are the lines of traces and failing tests that only program output holds, beyond frameForms; tried first.
// innerLast as in trace.
var outputForms = []struct {
	hint      string
	form      *regexp.Regexp
	innerLast bool
}{
	// pytest:   src/cart.py:12: in add   |   tests/test_cart.py:7: AssertionError
	{".py:", regexp.MustCompile(`^(?P<path>[^\s:]\S*\.py):(?P<line>\d+): (?:in (?P<fn>[\w.<>]+)|[\w.]+)?$`), true},
	{".py:", regexp.MustCompile(`^(?P<path>[^\s:]\S*\.py):(?P<line>\d+):(?P<fn>)$`), true},
	// go test:     cart_test.go:12: got 1
	{".go:", regexp.MustCompile(`^\s+(?P<path>\S+\.go):(?P<line>\d+): (?P<fn>)`), false},
	// Elixir:   (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.add/2
	{".ex", regexp.MustCompile(`^\s*(?:\([^)]*\) )?(?P<path>\S+\.exs?):(?P<line>\d+)(?::(?: (?:anonymous fn/\d+ in )?(?P<fn>[\w.]+[?!]?)/\d+.*)?|: \(test\))?$`), false},
	// Dart:   #0      Cart.add (package:shop/cart.dart:12:5)
	{".dart:", regexp.MustCompile(`^#\d+\s+(?P<fn>\S+) \((?:package:|file://)?(?P<path>\S+\.dart):(?P<line>\d+)(?::\d+)?\)`), false},
	// bats: # (in test file test/cart.bats, line 12)
	{", line ", regexp.MustCompile("(?:in|from) (?:function `(?P<fn>[^']+)' in )?(?:test )?file (?P<path>\\S+), line (?P<line>\\d+)"), false},
	// Perl:   at lib/Cart.pm line 12.
	{" line ", regexp.MustCompile(`\bat (?P<path>\S+\.(?:pl|pm|t)) line (?P<line>\d+)(?P<fn>)\.?`), false},
	// Lua:   src/cart.lua:12: in function 'add'
	{".lua:", regexp.MustCompile(`^\s*(?:lua: )?(?P<path>\S+\.lua):(?P<line>\d+): (?:in (?:function|method|local) '?<?(?P<fn>[\w.:]+))?`), false},
	// vitest:  ❯ add src/cart.ts:12:5
	{"❯ ", regexp.MustCompile(`^\s*❯ (?:(?P<fn>[\w.$<>]+) )?(?P<path>\S+\.\w+):(?P<line>\d+):\d+$`), false},
	// JavaScript without a function:     at /src/cart.js:12:5
	{"at ", regexp.MustCompile(`^\s*at (?:async )?(?P<path>(?:file://)?[^\s()]+\.[cm]?[jt]sx?):(?P<line>\d+):\d+(?P<fn>)$`), false},
	// Java with its module:    at app//com.shop.Cart.add(Cart.java:12) is read by frameForms; maven: CartTest.adds:12
	// Swift: Fatal error: boom: file Shop/Cart.swift, line 12
	{": file ", regexp.MustCompile(`: file (?P<path>\S+\.swift), line (?P<line>\d+)(?P<fn>)`), false},
}

var (
	pythonHeader = regexp.MustCompile(`^\s*(?:E\s+|\|\s*)?Traceback \(most recent call last\)`)
	causeHeader  = regexp.MustCompile(`^\s*(?:Caused by:|Suppressed:|\[cause\]:|---> )`)
	blockHeader  = regexp.MustCompile(`^(?:goroutine \d+ \[|panic: |_{3,}|={3,}|-{3,}|\s*--- FAIL|\s*● |thread '.*' panicked|\s*\d+\) |Exception in thread|FAIL|ERROR: )`)
	pythonError  = regexp.MustCompile(`^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Iteration)\b(?::|$)`)
)

// readTrace takes the frames of a line.
func (r *outputReader) readTrace(line string) {
	if pythonHeader.MatchString(line) || blockHeader.MatchString(line) || pythonError.MatchString(line) || causeHeader.MatchString(line) {
		r.open = nil
		if causeHeader.MatchString(line) {
			r.begin(false).cause = true
		}
	}
	if f, innerLast, ok := outputFrame(line); ok {
		if f.Function == "" {
			f.Function = functionBefore(r.previous)
		}
		r.place(f, line, innerLast)
		return
	}
	if len(r.blocks) >= maxPlaced {
		return
	}
	for _, f := range placesIn(line, false) {
		r.blocks = append(r.blocks, &trace{frames: []placed{{Frame: f, dependency: isDependency(f.Path, line), weak: true}}})
	}
}

// outputFrame reads a line of a trace.
func outputFrame(line string) (f agenvantage.Frame, innerLast, ok bool) {
	for _, form := range outputForms {
		if !strings.Contains(line, form.hint) {
			continue
		}
		if m := form.form.FindStringSubmatch(line); m != nil {
			f = frame(m[form.form.SubexpIndex("path")], m[form.form.SubexpIndex("line")], m[form.form.SubexpIndex("fn")])
			if f.Path != "" && f.Line > 0 {
				return f, form.innerLast, true
			}
		}
	}
	f, ok = frameOf(line)
	return f, strings.Contains(line, `File "`), ok && f.Line > 0
}

// begin starts a block.
func (r *outputReader) begin(innerLast bool) *trace {
	r.open = &trace{innerLast: innerLast}
	r.blocks = append(r.blocks, r.open)
	return r.open
}

// place adds a frame of a stack to the open block.
func (r *outputReader) place(f agenvantage.Frame, line string, innerLast bool) {
	if isPseudo(f.Path) || len(r.blocks) > maxPlaced {
		return
	}
	switch {
	case r.open == nil:
		r.begin(innerLast)
	case len(r.open.frames) == 0:
		r.open.innerLast = innerLast
	case r.open.innerLast != innerLast:
		r.begin(innerLast)
	}
	if len(r.open.frames) == 2*maxPlaced { // a recursion without end: the half with its innermost frames stays
		if !r.open.innerLast {
			return
		}
		r.open.frames = append(r.open.frames[:0], r.open.frames[maxPlaced:]...)
	}
	r.open.frames = append(r.open.frames, placed{Frame: f, dependency: isDependency(f.Path, line)})
}

// traced are the frames of the stacks, without mere mentions of places.
func (r *outputReader) traced() []agenvantage.Frame { return r.ordered(false) }

// ordered returns the frames in the order in which they matter, without repeats: own code, own code that is only
// mentioned, dependencies. mentions says whether places outside of stacks are wanted.
func (r *outputReader) ordered(mentions bool) []agenvantage.Frame {
	var groups [4][]agenvantage.Frame
	seen := make(map[agenvantage.Frame]bool)
	take := func(p placed) {
		g := 0
		if p.dependency {
			g = 2
		}
		if p.weak {
			g++
		}
		key := agenvantage.Frame{Path: p.Path, Line: p.Line}
		if p.Path != "" && p.Line > 0 && !seen[key] {
			seen[key] = true
			groups[g] = append(groups[g], p.Frame)
		}
	}
	blocks := rootsFirst(r.blocks)
	for _, weak := range []bool{false, true} { // a stack knows the function of a place, a mention does not
		if weak && !mentions {
			break
		}
		for _, b := range blocks {
			for i := range b.frames {
				p := b.frames[i]
				if b.innerLast {
					p = b.frames[len(b.frames)-1-i]
				}
				if p.weak == weak {
					take(p)
				}
			}
		}
	}
	var out []agenvantage.Frame
	for _, g := range groups {
		out = append(out, g...)
	}
	return out[:min(len(out), maxOutputFrames)]
}

// rootsFirst turns each run of blocks that explain the one before them around: in Java the last cause is the root.
func rootsFirst(blocks []*trace) []*trace {
	var out, chain []*trace
	flush := func() {
		for i := len(chain) - 1; i >= 0; i-- {
			out = append(out, chain[i])
		}
		chain = chain[:0]
	}
	for _, b := range blocks {
		if !b.cause {
			flush()
		}
		chain = append(chain, b)
	}
	flush()
	return out
}

var (
	dependencyPath = regexp.MustCompile(`(?:^|/)(?:site-packages|dist-packages|node_modules|vendor|bower_components|\.cargo/registry|\.rustup|rustc|pkg/mod|\.m2|\.gradle|gems|Pods|\.nuget|_build|deps)/` +
		`|^/usr/(?:lib|include|share|local/lib|local/include|local/go|lib64)/|(?:^|/)lib(?:64)?/(?:python\d|ruby/)|\brt\.jar\b|\.jar!|/dart-sdk/|/Xcode\.app/|^/build/(?:glibc|gcc)|/sysdeps/|(?:^|/)csu/` +
		`|/go(?:\d[\w.]*)?(?:/libexec)?/src/(?:runtime|testing|internal|net|os|fmt|reflect|sync|encoding|database|syscall|io|bufio|strings|strconv|time|context|bytes|sort|regexp|path|errors|slices|maps)/` +
		`|/hostedtoolcache/|(?:^|/)\.bun/|\.\./sysdeps|^library/(?:std|core|alloc)/|(?:^|/)[Ll]ib/(?:unittest|asyncio|importlib|concurrent|json|threading)\b`)
	jvmPackage = regexp.MustCompile(`^(?:java|javax|jdk|sun|com/sun|kotlin|kotlinx|scala|groovy|clojure|org/junit|junit|org/gradle|worker/org|org/mockito|org/hamcrest|org/assertj|org/apache|org/springframework|org/hibernate|org/codehaus|org/testng|io/netty|reactor|akka|android|androidx|com/google/common|com/fasterxml|com/intellij)/`)
	jvmFile    = regexp.MustCompile(`\.(?:java|kt|kts|scala|groovy|clj)$`)
	beamApp    = regexp.MustCompile(`^\s*\((?:elixir|ex_unit|stdlib|kernel|mix|iex|logger|phoenix\w*|plug\w*|ecto\w*|cowboy|db_connection|erts) [\d.]`)
)

// isDependency reports whether a frame at path, read from line, lies in code that the project does not own: packages that
// were installed, standard libraries, runtimes, test runners.
func isDependency(path, line string) bool {
	return dependencyPath.MatchString(path) || strings.Contains(line, "node:internal/") || strings.Contains(line, "(node:") || strings.Contains(line, "(internal/") ||
		jvmFile.MatchString(path) && jvmPackage.MatchString(path) || beamApp.MatchString(line)
}
