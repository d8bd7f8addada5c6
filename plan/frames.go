package plan

import (
	"regexp"
	"strconv"
	"strings"

	"agenvantage"
)

// frameForms are the lines of stack traces, tried in this order; the first that fits a line wins. A line is tried only
// when it holds hint. Groups: path, line, function ("" when the form has none).
var frameForms = []struct {
	hint string
	form *regexp.Regexp
	read func(m []string) agenvantage.Frame
}{
	// Python:   File "app/web.py", line 2, in post
	{`", line `, regexp.MustCompile(`File "([^"]+)", line (\d+)(?:, in (\S+))?`), pathLineFunction},
	// C#:   at Shop.Cart.Add(Item item) in /src/Cart.cs:line 12
	{`:line `, regexp.MustCompile(`\bat (\S+?)\(.*\) in (.+):line (\d+)`), functionPathLine},
	// Java, Kotlin, Scala:   at com.shop.Cart.add(Cart.java:12)
	{`at `, regexp.MustCompile(`\bat (?:[\w.@-]+/)*([\w$.<>]+)\(([\w$-]+\.(?:java|kt|kts|scala|groovy|clj)):(\d+)\)`), javaFrame},
	// JavaScript, TypeScript:   at async Cart.add (file:///src/cart.ts:12:5)
	{`at `, regexp.MustCompile(`\bat (?:async )?(?:new )?(\S.*?) \(?((?:[a-z-]+://+)?[^()\s]+?):(\d+)(?::\d+)?\)?\s*$`), functionPathLine},
	// gdb:   #0  0x0042 in cart_add (c=0x0) at cart.c:12
	{` at `, regexp.MustCompile(`^\s*#\d+\s+(?:0x[0-9a-f]+ in )?(\S+) ?\(.*\) at (\S+?):(\d+)`), functionPathLine},
	// sanitizers:   #0 0x42 in cart_add /src/cart.c:12:3
	{` in `, regexp.MustCompile(`^\s*#\d+\s+0x[0-9a-f]+ in (\S+)(?:\(.*\))? (\S+?):(\d+)`), functionPathLine},
	// PHP:   #0 /src/Cart.php(12): Shop\Cart->add()
	{`): `, regexp.MustCompile(`^\s*#\d+\s+(\S+)\((\d+)\): ([^\s(]+)`), pathLineFunction},
	// PHP:   PHP Fatal error: ... in /src/Cart.php on line 12
	{` on line `, regexp.MustCompile(`\bin (\S+) on line (\d+)()`), pathLineFunction},
	// Ruby:   lib/cart.rb:12:in `add'
	{`:in `, regexp.MustCompile("(\\S+?\\.\\w+):(\\d+):in [`']([^']+)'"), pathLineFunction},
	// JavaScript in Firefox and Safari: add@http://host/src/cart.js:12:5
	{`@`, regexp.MustCompile(`^\s*([\w$.<>/]*)@((?:[a-z-]+://+)?\S+?\.\w+):(\d+):\d+\s*$`), functionPathLine},
	// Go: the function stands on the line before:   /src/cart.go:12 +0x1d
	{` +0x`, regexp.MustCompile(`^\s*(\S+\.go):(\d+)() \+0x[0-9a-f]+`), pathLineFunction},
	// Go, of a function that was inlined:   /src/cart.go:12
	{`.go:`, regexp.MustCompile(`^\s+(\S*/\S+\.go):(\d+)()$`), pathLineFunction},
	// Rust: the function stands on the line before:   at ./src/cart.rs:12:5
	{`at `, regexp.MustCompile(`\bat (\S+\.rs):(\d+)():\d+`), pathLineFunction},
	// Rust: --> src/cart.rs:12:5
	{`--> `, regexp.MustCompile(`^\s*--> (\S+):(\d+)():\d+`), pathLineFunction},
}

func pathLineFunction(m []string) agenvantage.Frame { return frame(m[1], m[2], m[3]) }
func functionPathLine(m []string) agenvantage.Frame { return frame(m[2], m[3], m[1]) }

// javaFrame makes a path from the package: com.shop.Cart.add(Cart.java) lies in com/shop/Cart.java.
func javaFrame(m []string) agenvantage.Frame {
	names := strings.Split(m[1], ".")
	path := m[2]
	if len(names) > 2 {
		path = strings.Join(names[:len(names)-2], "/") + "/" + path
	}
	class := names[max(0, len(names)-2)]
	class, _, _ = strings.Cut(class, "$")
	f := frame(path, m[3], names[len(names)-1])
	if f.Function != "" && len(names) > 1 {
		f.Function = class + "." + f.Function
	}
	return f
}

// frame makes a Frame of the texts of its parts; its path is "" when they make none.
func frame(path, line, function string) agenvantage.Frame {
	n, err := strconv.Atoi(line)
	if err != nil || len(path) > 4096 {
		return agenvantage.Frame{}
	}
	if i := strings.Index(path, "://"); i >= 0 { // file:///src/a.ts, webpack:///./src/a.ts, http://host:80/src/a.ts?v=1
		scheme := path[:i]
		path = path[i+len("://"):]
		if scheme == "http" || scheme == "https" {
			_, path, _ = strings.Cut(path, "/")
		}
		path, _, _ = strings.Cut(path, "?")
	}
	path = strings.ReplaceAll(strings.TrimPrefix(path, "node:"), `\`, "/")
	for strings.HasPrefix(path, "./") || strings.HasPrefix(path, "/./") {
		path = strings.TrimPrefix(strings.TrimPrefix(path, "/"), "./")
	}
	return agenvantage.Frame{Path: path, Line: n, Function: functionName(function)}
}

// functionName cuts a function as a trace writes it down to a name: pkg.(*Cart).Add(0x1) is Cart.Add. What is no name
// (<module>, <anonymous>, main.main.func1) gives its nearest name or "".
func functionName(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), " [")
	if i := strings.LastIndexByte(s, '/'); i >= 0 { // Go: the import path
		s = s[i+1:]
	}
	s = strings.NewReplacer("(*", "", "(", "\n", ")", "", "<", "\n", "[", "\n", "{", "\n", "block in ", "").Replace(s)
	s, _, _ = strings.Cut(s, "\n")
	if i := strings.LastIndexByte(s, ' '); i >= 0 {
		s = s[i+1:]
	}
	parts := SplitQualified(s)
	for len(parts) > 0 && (!isName(parts[len(parts)-1]) || isClosure(parts[len(parts)-1])) {
		parts = parts[:len(parts)-1]
	}
	parts = parts[max(0, len(parts)-2):]
	for i, p := range parts {
		if !isName(p) {
			return strings.Join(parts[i+1:], ".")
		}
	}
	return strings.Join(parts, ".")
}

// isClosure reports whether name is one that a compiler gave: func1 in Go, h and 16 hexadecimal digits in Rust.
func isClosure(name string) bool {
	rest, ok := strings.CutPrefix(name, "func")
	if ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
		return true
	}
	return len(name) == 17 && name[0] == 'h' && strings.Trim(name[1:], "0123456789abcdef") == ""
}

// lineBefore are the forms of a line that names the function of the place on the next line: Go and Rust.
var (
	goFunction   = regexp.MustCompile(`^(?:created by )?([\w./()*\[\]-]+\.[\w.()*\[\]-]+?)\(.*\)?$`)
	rustFunction = regexp.MustCompile(`^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(\S+)`)
)

// maxFrameLine is the longest line that is read as part of a trace.
const maxFrameLine = 2048

// readFrames fills the frames of q and reports whether its text holds a stack trace.
func readFrames(q *agenvantage.Query) (traced bool) {
	var frames []agenvantage.Frame
	seen := make(map[agenvantage.Frame]bool)
	add := func(f agenvantage.Frame) {
		if f.Path != "" && f.Line > 0 && !seen[f] {
			seen[f] = true
			frames = append(frames, f)
		}
	}
	previous, placed := "", 0
	for line := range strings.SplitSeq(q.Text, "\n") {
		line = strings.TrimRight(line, "\r")
		if len(line) > maxFrameLine {
			continue
		}
		if f, ok := frameOf(line); ok && !(q.Short && isProse(line)) {
			if f.Function == "" {
				f.Function = functionBefore(previous)
			}
			add(f)
			traced = true
		} else {
			before := len(frames)
			for _, f := range placesIn(line, q.Short) {
				add(f)
			}
			if len(frames) > before {
				placed++
			}
		}
		previous = line
	}
	if len(frames) > maxFrames {
		frames = append(frames[:maxFrames/2:maxFrames/2], frames[len(frames)-maxFrames/2:]...)
	}
	q.Frames = frames
	return traced || placed > 2
}

func frameOf(line string) (agenvantage.Frame, bool) {
	for _, f := range frameForms {
		if !strings.Contains(line, f.hint) {
			continue
		}
		if m := f.form.FindStringSubmatch(line); m != nil {
			if found := f.read(m); found.Path != "" {
				return found, true
			}
		}
	}
	return agenvantage.Frame{}, false
}

func functionBefore(line string) string {
	if m := goFunction.FindStringSubmatch(line); m != nil {
		return functionName(m[1])
	}
	if m := rustFunction.FindStringSubmatch(line); m != nil {
		return functionName(m[1])
	}
	return ""
}
