package plan

import (
	"regexp"
	"strings"

	"agenvantage"
)

// compilerForms are the lines in which compilers, linters and type checkers report. A line is tried only when it holds
// hint. Groups by name: path, line, sev (error when there is none), msg.
var compilerForms = []struct {
	hint string
	form *regexp.Regexp
}{
	// gcc, clang, swiftc, javac, mypy, kotlinc: src/cart.c:12:5: error: expected ';'
	{": ", regexp.MustCompile(`^(?:\[\w+\] )?(?P<path>(?:[A-Za-z]:)?[^\s:()\[\]][^:()\[\]]*):(?P<line>\d+):(?:\d+:)? (?P<sev>fatal error|error|warning|note|remark|info)(?:\[\w+\])?: (?P<msg>.+)$`)},
	// kotlinc: e: file:///src/Cart.kt:12:5 Unresolved reference: x  |  e: /src/Cart.kt: (12, 5): Unresolved reference: x
	{": ", regexp.MustCompile(`^(?P<sev>[ew]): (?P<path>(?:file://)?\S+\.kts?):(?: \()?(?P<line>\d+)(?::|, )\d+\)?:? (?P<msg>.+)$`)},
	// tsc, csc, MSVC: src/cart.ts(12,5): error TS2322: Type …
	{"): ", regexp.MustCompile(`^\s*(?:\d+>)?(?P<path>\S[^():]*(?::\\[^():]*)?)\((?P<line>\d+)(?:,\d+)*\): (?P<sev>fatal error|error|warning|info)(?P<msg> .+?)(?: \[[^\]]*\.\w+proj\])?$`)},
	// tsc --pretty: src/cart.ts:12:5 - error TS2322: Type …
	{" - ", regexp.MustCompile(`^(?P<path>\S+):(?P<line>\d+):\d+ - (?P<sev>error|warning)(?P<msg> .+)$`)},
	// maven: [ERROR] /src/Cart.java:[12,5] cannot find symbol
	{":[", regexp.MustCompile(`^\[(?P<sev>ERROR|WARNING)\] (?P<path>\S+?):\[(?P<line>\d+),\d+\] (?P<msg>.+)$`)},
	// go build, go vet: ./cart.go:12:5: undefined: x
	{".go:", regexp.MustCompile(`^(?:vet: |# )?(?P<path>[^\s:]\S*\.go):(?P<line>\d+):\d+: (?P<msg>.+)$`)},
	// ruff, flake8, pylint: src/cart.py:12:5: F401 [*] unused import
	{".py", regexp.MustCompile(`^(?P<path>[^\s:]\S*\.pyi?):(?P<line>\d+):(?:\d+:)? (?P<msg>[A-Z]+\d+:? .+)$`)},
	// php -l and others: Parse error: syntax error, unexpected '}' in /src/cart.php on line 12
	{" on line ", regexp.MustCompile(`^(?:PHP )?(?P<msg>(?:Parse|Syntax) error: .+?) in (?P<path>\S+) on line (?P<line>\d+)$`)},
	// Elixir: ** (CompileError) lib/cart.ex:12: undefined function
	{"Error) ", regexp.MustCompile(`^\*\* \(\w*(?:Compile|Syntax|Token\w*)Error\) (?P<path>\S+?):(?P<line>\d+):(?:\d+:)? (?P<msg>.+)$`)},
}

var (
	// rustc: error[E0425]: cannot find value `x` in this scope; ruff: F401 [*] `os` imported but unused
	headLine  = regexp.MustCompile(`^(error|warning|note)(?:\[[\w:]+\])?: (.+)$`)
	ruffHead  = regexp.MustCompile(`^([A-Z]+\d{3,4}(?: \[\*\])? .+)$`)
	arrowLine = regexp.MustCompile(`^\s*(?:-->|╭─\[|┌─) ?(\S+?):(\d+):\d+\]?`)
	// eslint: /src/cart.js, then   12:5  error  'x' is not defined  no-undef
	eslintFile = regexp.MustCompile(`^(?:[A-Za-z]:)?\S+\.(?:[cm]?[jt]sx?|vue|svelte|astro)$`)
	eslintLine = regexp.MustCompile(`^\s+(\d+):\d+\s+(error|warning)\s+(.+?)(?:\s{2,}(\S+))?$`)
)

// readCompiler takes a line of a compiler's report and reports whether it is one.
func (r *outputReader) readCompiler(line string) bool {
	if r.readTwoLines(line) {
		return true
	}
	for _, c := range compilerForms {
		if !strings.Contains(line, c.hint) {
			continue
		}
		m := c.form.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		group := func(name string) string {
			if i := c.form.SubexpIndex(name); i >= 0 {
				return m[i]
			}
			return ""
		}
		f := frame(strings.TrimSpace(group("path")), group("line"), "")
		if f.Path == "" || f.Line < 1 || strings.Contains(f.Path, " at ") {
			continue
		}
		r.report(f, line, group("sev"), group("msg"))
		return true
	}
	return false
}

// readTwoLines takes a line of a report that says what and where on two lines: rustc, ruff, eslint.
func (r *outputReader) readTwoLines(line string) bool {
	if m := arrowLine.FindStringSubmatch(line); m != nil {
		sev, msg, _ := strings.Cut(r.carry, "\n")
		if sev == "" {
			sev = "note" // another place of the error above
		}
		if f := frame(m[1], m[2], ""); f.Path != "" && f.Line > 0 {
			r.report(f, line, sev, msg)
		}
		r.carry = ""
		return true
	}
	if m := headLine.FindStringSubmatch(line); m != nil {
		if arrowLine.MatchString(r.next(1)) {
			r.carry = m[1] + "\n" + m[2]
			return true
		}
		return false
	}
	if m := ruffHead.FindStringSubmatch(line); m != nil && arrowLine.MatchString(r.next(1)) {
		r.carry = "error\n" + m[1]
		return true
	}
	if eslintFile.MatchString(line) {
		r.file = line
		return eslintLine.MatchString(r.next(1))
	}
	if r.file == "" {
		return false
	}
	m := eslintLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	f := frame(r.file, m[1], "")
	if f.Path == "" || f.Line < 1 {
		return false
	}
	msg := m[3]
	if rule := m[4]; rule != "" {
		msg += strings.TrimRight(" ("+rule, " ()") + ")"
	}
	r.report(f, line, m[2], msg)
	return true
}

// report adds what a compiler says of one place. Warnings and notes are mentions behind the errors; their messages count
// only where there is no error.
func (r *outputReader) report(f agenvantage.Frame, line, severity, msg string) {
	p := placed{Frame: f, dependency: isDependency(f.Path, line)}
	rank := rankCompiler
	switch strings.ToLower(severity) {
	case "warning", "w":
		p.weak, rank = true, rankWarning
	case "note", "remark", "info":
		p.weak, rank = true, rankNone
	}
	if rank == rankCompiler || rank == rankWarning {
		r.compiled = true
	}
	if len(r.blocks) < maxPlaced {
		r.blocks = append(r.blocks, &trace{frames: []placed{p}})
	}
	r.open = nil
	r.say(rank, msg)
}
