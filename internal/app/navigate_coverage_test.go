package app

import (
	"strings"
	"testing"
)

// notSeen are trees in which the subject is called, and the graph has no edge that says so: what a verdict must not call
// proven. Reason is one that Unresolved must hold, or a part of Why.
var notSeen = []struct {
	name, location, reason string
	tree                   files
}{
	// Go
	{"go: fmt calls String", "T.String", "outside", files{"go.mod": "module m\n", "a.go": "package m\n\nimport \"fmt\"\n\ntype T int\n\nfunc (t T) String() string { return \"x\" }\n\nfunc show() { fmt.Println(T(1)) }\n"}},
	{"go: main", "main", "hook", files{"go.mod": "module m\n", "a.go": "package main\n\nfunc main() {}\n"}},
	{"go: init", "init", "hook", files{"go.mod": "module m\n", "a.go": "package m\n\nfunc init() {}\n"}},
	{"go: a test", "TestIt", "hook", files{"go.mod": "module m\n", "a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n"}},
	{"go: passed to a function", "target", "passed", files{"go.mod": "module m\n", "a.go": "package m\n\nimport \"net/http\"\n\nfunc target(w http.ResponseWriter, r *http.Request) {}\n\nfunc set() { http.HandleFunc(\"/\", target) }\n"}},
	{"go: assembly calls", "target", "without a grammar", files{"go.mod": "module m\n", "a.go": "package m\n\nfunc target() {}\n", "a_amd64.s": "TEXT ·enter(SB), 0, $0-0\n\tCALL ·target(SB)\n\tRET\n"}},
	{"go: linkname", "target", "mention", files{"go.mod": "module m\n", "a.go": "package m\n\nfunc target() {}\n", "x/b.go": "package x\n\nimport _ \"unsafe\"\n\n//go:linkname pull m.Exported\nfunc pull()\n", "c.go": "package m\n\nimport _ \"unsafe\"\n\n//go:linkname target x.pushed\n"}},
	{"go: exported to C", "target", "mention", files{"go.mod": "module m\n", "a.go": "package main\n\nimport \"C\"\n\n//export target\nfunc target() {}\n\nfunc main() {}\n"}},
	{"go: a replaced module", "Target", "external", files{"go.mod": "module m\n\nrequire example.com/old v1.0.0\n\nreplace example.com/old => ./fork\n", "fork/a.go": "package old\n\nfunc Target() {}\n", "use.go": "package m\n\nimport \"example.com/old\"\n\nfunc use() { old.Target() }\n"}},
	{"go: a method of a value from outside", "Target", "external", files{"go.mod": "module m\n", "a.go": "package m\n\nfunc Target() {}\n", "b.go": "package m\n\nimport \"example.com/x\"\n\nfunc use() { x.New().Target() }\n"}},
	// Python
	{"python: a base class from outside", "Job.work", "outside", files{"a.py": "import threading\n\nclass Job(threading.Thread):\n    def work(self):\n        pass\n"}},
	{"python: a base class from outside, once removed", "Job.work", "outside", files{"b.py": "import x\n\nclass Base(x.Thread):\n    pass\n", "a.py": "from b import Base\n\nclass Job(Base):\n    def work(self):\n        pass\n"}},
	{"python: a fixture", "client", "hook", files{"a.py": "import pytest\n\n@pytest.fixture\ndef client():\n    return 1\n"}},
	{"python: a route", "view", "hook", files{"a.py": "from flask import Flask\n\napp = Flask(__name__)\n\n@app.route('/')\ndef view():\n    return ''\n"}},
	{"python: a property", "Box.size", "hook", files{"a.py": "class Box:\n    @property\n    def size(self):\n        return 1\n"}},
	{"python: a special method", "Box.__len__", "hook", files{"a.py": "class Box:\n    def __len__(self):\n        return 1\n"}},
	{"python: a computed name", "_helper", "computed", files{"a.py": "def _helper():\n    pass\n", "b.py": "import a\n\ndef run(name):\n    return getattr(a, name)()\n"}},
	{"python: a computed name with a prefix", "V.see_it", "computed", files{"a.py": "class V:\n    def go(self, k):\n        return getattr(self, 'see_' + k)()\n\n    def see_it(self):\n        pass\n"}},
	{"python: a name in a long string", "_helper", "string", files{"a.py": "def _helper():\n    pass\n", "b.py": "TASK = 'call a:_helper with care'\n"}},
	{"python: a doctest", "_helper", "string", files{"a.py": "def _helper():\n    pass\n\n\ndef other():\n    \"\"\"\n    >>> _helper()\n    \"\"\"\n"}},
	{"python: passed on", "_helper", "passed", files{"a.py": "def _helper():\n    pass\n\nTABLE = [_helper]\n"}},
	{"python: a partial", "_helper", "", files{"a.py": "import functools\n\ndef _helper(x):\n    pass\n\nbound = functools.partial(_helper, 1)\n"}},
	{"python: package_dir", "target", "external", files{"setup.py": "from setuptools import setup\n\nsetup(package_dir={'mypkg': 'src'}, packages=['mypkg'])\n", "src/util.py": "def target():\n    pass\n", "tool/run.py": "from mypkg.util import target\n\ntarget()\n"}},
	{"python: sys.path", "target", "", files{"lib/deep/util.py": "def target():\n    pass\n", "run.py": "import sys\nsys.path.insert(0, 'lib/deep')\nimport util\nutil.target()\n"}},
	{"python: an entry point", "target", "", files{"a.py": "def target():\n    pass\n", "pyproject.toml": "[project.scripts]\nrun = \"a:target\"\n"}},
	{"python: a method of a value from outside", "Box.reach", "external", files{"a.py": "class Box:\n    def reach(self):\n        pass\n", "b.py": "import x\n\nx.make().reach()\n"}},
	{"python: imported or defined", "a.py:1", "mention", files{"a.py": "def _helper():\n    pass\n", "b.py": "import sys\n\nif sys.platform == 'x':\n    from a import _helper\nelse:\n    def _helper():\n        pass\n\n_helper()\n"}},
	{"python: imported from one of two", "slow.py:1", "", files{"fast.py": "def _helper():\n    pass\n", "slow.py": "def _helper():\n    pass\n", "b.py": "try:\n    from fast import _helper\nexcept ImportError:\n    from slow import _helper\n\n_helper()\n"}},
	// JavaScript
	{"js: exported again under another name", "target", "", files{"a.js": "function target() {}\nmodule.exports = { target }\n", "b.js": "exports.run = require('./a').target\n", "c.js": "require('./b').run()\n"}},
	{"js: the whole module", "target", "passed", files{"a.js": "function target() {}\nmodule.exports = target\n", "b.js": "const name = './a'\nconst x = require(name)\nx()\n"}},
	{"js: bind", "target", "", files{"a.js": "function target() {}\nconst t = target.bind(null)\nt()\n"}},
	{"js: call", "target", "", files{"a.js": "function target() {}\ntarget.call(null)\n"}},
	{"js: a callback", "target", "passed", files{"a.js": "function target() {}\nsetTimeout(target, 1)\n"}},
	{"js: a getter", "Box.size", "hook", files{"a.js": "class Box { get size() { return 1 } }\nmodule.exports = { Box }\n"}},
	{"js: toJSON", "Box.toJSON", "hook", files{"a.js": "class Box { toJSON() { return 1 } }\nJSON.stringify(new Box())\n"}},
	{"js: a computed member", "Box.work", "computed", files{"a.js": "class Box { work() { return 1 } }\nfunction run(b, k) { return b[k]() }\nrun(new Box(), 'wo' + 'rk')\n"}},
	{"js: an object literal", "handlers.work", "", files{"a.js": "const handlers = { work() { return 1 } }\nmodule.exports = handlers\n"}},
	{"js: an alias of a bundler", "target", "", files{"src/util.js": "export function target() {}\n", "src/b.js": "import { target } from '@app/util'\ntarget()\n"}},
	// TypeScript
	{"ts: extends an outside class", "Panel.refresh", "outside", files{"a.ts": "import { Widget } from 'widgets'\n\nexport class Panel extends Widget {\n  refresh(): void {}\n}\n"}},
	{"ts: a decorator", "Api.list", "hook", files{"a.ts": "import { Get } from 'web'\n\nexport class Api {\n  @Get('/')\n  list(): void {}\n}\n"}},
	{"ts: the default export", "target", "passed", files{"a.ts": "export default function target(): void {}\n"}},
	// Java
	{"java: Thread.run", "Job.run", "outside", files{"Job.java": "class Job extends Thread {\n  public void run() {}\n}\n"}},
	{"java: an interface from outside", "Job.accept", "outside", files{"Job.java": "class Job implements java.util.function.Consumer<String> {\n  public void accept(String s) {}\n}\n"}},
	{"java: an annotation", "T.works", "hook", files{"T.java": "import org.junit.Test;\n\nclass T {\n  @Test\n  public void works() {}\n}\n"}},
	{"java: an annotation on a private method", "T.ready", "hook", files{"T.java": "class T {\n  @PostConstruct private void ready() {}\n}\n"}},
	{"java: toString", "T.toString", "hook", files{"T.java": "class T {\n  public String toString() { return \"\" + this; }\n}\n"}},
	{"java: serialization", "T.readObject", "hook", files{"T.java": "class T {\n  private void readObject(Object in) {}\n}\n"}},
	{"java: a computed name", "T.work", "computed", files{"T.java": "class T {\n  void work() {}\n}\n", "U.java": "class U {\n  Object go(String n) throws Exception { return T.class.getMethod(n).invoke(null); }\n}\n"}},
	{"java: a method reference", "T.work", "", files{"T.java": "class T {\n  static void work() {}\n  Runnable r() { return T::work; }\n}\n"}},
	// Kotlin
	{"kotlin: an interface from outside", "Job.run", "outside", files{"a.kt": "class Job : Runnable {\n    override fun run() {}\n}\n"}},
	{"kotlin: an annotation", "Job.ready", "hook", files{"a.kt": "class Job {\n    @Subscribe\n    fun ready() {}\n}\n"}},
	{"kotlin: an operator", "Box.plus", "hook", files{"a.kt": "class Box {\n    operator fun plus(o: Box): Box = o\n}\n"}},
	// Ruby
	{"ruby: a symbol", "Box.work", "string", files{"a.rb": "class Box\n  before_action :work\n  def work\n  end\nend\n"}},
	{"ruby: send", "Box.work", "computed", files{"a.rb": "class Box\n  def work\n  end\nend\n", "b.rb": "def run(b, n)\n  b.send(n)\nend\n"}},
	{"ruby: method_missing", "Box.method_missing", "hook", files{"a.rb": "class Box\n  def method_missing(name)\n  end\nend\n"}},
	{"ruby: a setter", "Box.size=", "hook", files{"a.rb": "class Box\n  def size=(x)\n    @size = x\n  end\nend\nBox.new.size = 3\n"}},
	{"ruby: a base class from outside", "App.work", "outside", files{"a.rb": "class App < Sinatra::Base\n  def work\n  end\nend\n"}},
	// C
	{"c: a table made by a macro", "do_add", "computed", files{"a.c": "static int do_add(int x) { return x; }\n#define OP(n) { #n, do_##n }\nstruct op { const char *n; int (*f)(int); } ops[] = { OP(add) };\n"}},
	{"c: a table", "add", "passed", files{"a.c": "static int add(int x) { return x; }\nint (*table[])(int) = { add };\n"}},
	{"c: a macro calls", "add", "mention", files{"a.c": "static int add(int x) { return x; }\n#define ADD() add(1)\nint use(void) { return ADD(); }\n"}},
	{"c: a definition file", "add", "", files{"a.c": "int add(int x) { return x; }\n", "a.def": "EXPORTS\n  add\n"}},
	{"c: a constructor", "setup_it", "hook", files{"a.c": "__attribute__((constructor)) static void setup_it(void) {}\n"}},
	// PHP
	{"php: a magic method", "Box.__get", "hook", files{"a.php": "<?php\nclass Box {\n  public function __get($n) { return 1; }\n}\n"}},
	{"php: another case", "target", "", files{"a.php": "<?php\nfunction target() {}\n$x = 1;\nif ($x) { $f = 'TARGET'; }\n"}},
	{"php: a name in a variable", "Box.work", "computed", files{"a.php": "<?php\nclass Box {\n  public function work() {}\n}\n", "b.php": "<?php\nfunction run($b, $m) { return $b->$m(); }\n"}},
	{"php: an interface from outside", "Box.work", "outside", files{"a.php": "<?php\nuse Psr\\Log\\Worker;\nclass Box implements Worker {\n  public function work() {}\n}\n"}},
	// Rust
	{"rust: a trait from outside", "S.fmt", "outside", files{"a.rs": "struct S;\n\nimpl std::fmt::Display for S {\n    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {\n        Ok(())\n    }\n}\n"}},
	{"rust: a test", "works", "hook", files{"a.rs": "#[test]\nfn works() {}\n"}},
	{"rust: no_mangle", "start_it", "hook", files{"a.rs": "#[no_mangle]\npub extern \"C\" fn start_it() {}\n"}},
	{"rust: a doctest", "target", "mention", files{"a.rs": "fn target() {}\n\n/// ```\n/// target();\n/// ```\nfn other() {}\n"}},
	{"rust: a macro", "target", "", files{"a.rs": "fn target() {}\n\nmacro_rules! go {\n    () => {\n        target()\n    };\n}\n\nfn use_it() {\n    go!()\n}\n"}},
	// C#
	{"cs: a base class from outside", "Page.Show", "outside", files{"a.cs": "class Page : Controller {\n  public void Show() {}\n}\n"}},
	{"cs: an attribute", "Page.Show", "hook", files{"a.cs": "class Page {\n  [HttpGet]\n  public void Show() {}\n}\n"}},
	{"cs: a computed name", "Page.Show", "computed", files{"a.cs": "class Page {\n  public void Show() {}\n  object Go(string n) { return GetType().GetMethod(n); }\n}\n"}},
	// Elixir
	{"elixir: a callback", "M.work", "hook", files{"a.ex": "defmodule M do\n  @behaviour Worker\n  @impl true\n  def work(x), do: x\nend\n"}},
	{"elixir: a callback without a mark", "M.work", "outside", files{"a.ex": "defmodule M do\n  @behaviour Worker\n  def work(x), do: x\nend\n"}},
	{"elixir: an atom", "M.work", "string", files{"a.ex": "defmodule M do\n  def work(x), do: x\nend\n", "b.ex": "defmodule N do\n  def go, do: spawn(M, :work, [1])\nend\n"}},
	// Swift
	{"swift: a base class from outside", "V.refresh", "outside", files{"a.swift": "class V: UIView {\n    func refresh() {}\n}\n"}},
	{"swift: objc", "V.refresh", "hook", files{"a.swift": "class V {\n    @objc func refresh() {}\n}\n"}},
	// Bash
	{"bash: a trap in quotes", "cleanup", "string", files{"a.sh": "cleanup() {\n  echo bye\n}\ntrap 'cleanup' EXIT\n"}},
	{"bash: a name in a variable", "cleanup", "computed", files{"a.sh": "cleanup() {\n  echo bye\n}\ncmd=$1\n\"$cmd\" x\n"}},
	{"bash: the arguments", "cleanup", "computed", files{"a.sh": "cleanup() {\n  echo bye\n}\n\"$@\"\n"}},
	{"elixir: another clause", "a.ex:3", "", files{"a.ex": "defmodule M do\n  defp deep([]), do: 0\n  defp deep([x]), do: x\n  def go(x), do: deep(x)\nend\n"}},
	{"java: another overload", "T.java:2", "", files{"T.java": "class T {\n  private void deep(Object a) {}\n  private void deep(String a) {}\n  void go(String s) { deep(s); }\n}\n"}},
	{"java: a class without a name", "T.java:3", "outside", files{"T.java": "class T {\n  Object go() { return new Filter() {\n    public boolean skips(Object o) { return true; }\n  }; }\n}\n"}},
	{"c: declared in a header", "a.c:2", "", files{"a.h": "int add(int x);\n", "a.c": "#include \"a.h\"\nint add(int x) { return x; }\n", "b.c": "#include \"a.h\"\nint use(void) { return add(1); }\n"}},
	{"go: another build", "a_linux.go:3", "", files{"go.mod": "module m\n", "a_linux.go": "package m\n\nfunc target() {}\n", "a_windows.go": "package m\n\nfunc target() {}\n", "b.go": "package m\n\nfunc use() { target() }\n"}},
	{"python: globals", "_see_it", "computed", files{"a.py": "def _see_it():\n    pass\n\n\ndef go(n):\n    return globals()[f'_see_{n}']()\n"}},
	// other texts
	{"a template", "target", "", files{"go.mod": "module m\n", "a.go": "package m\n\nfunc target() {}\n", "page.html": "<p onclick=\"target()\">x</p>\n"}},
	{"a configuration", "target", "", files{"a.py": "def target():\n    pass\n", "tasks.yaml": "job: a.target\n"}},
}

// A call that the graph does not show keeps the verdict from being proven, and the answer says why.
func TestNotProvenWhereACallIsNotSeen(t *testing.T) {
	skipWhenShort(t)
	for _, c := range notSeen {
		t.Run(c.name, func(t *testing.T) {
			n := newWorld(t, c.tree).navigate(NavigateRequest{Verb: VerbCallers, Location: c.location})
			if len(n.Candidates) > 0 {
				t.Fatalf("several places: %s", placesOf(n.Candidates))
			}
			if n.Coverage.Verdict == VerdictProven && n.Total > 0 && c.reason == "" {
				return // the graph sees it
			}
			if n.Coverage.Verdict == VerdictProven || len(n.Coverage.Why) == 0 {
				t.Errorf("%d callers, %s", n.Total, n.Coverage.Line())
			}
			if c.reason != "" && n.Coverage.Unresolved[c.reason] == 0 && !strings.Contains(strings.Join(n.Coverage.Why, "; "), c.reason) {
				t.Errorf("no reason %q: %s", c.reason, n.Coverage.Line())
			}
		})
	}
}

// What is proven in fact is called proven: else the word says nothing.
func TestProvenWhereEveryMentionIsKnown(t *testing.T) {
	skipWhenShort(t)
	for _, c := range []struct {
		name, location string
		callers        int
		tree           files
	}{
		{"go: an unexported function", "target", 0, files{"go.mod": "module m\n", "a.go": "package m\n\n// target is not called.\nfunc target() {}\n"}},
		{"go: called", "target", 1, files{"go.mod": "module m\n", "a.go": "package m\n\nfunc target() {}\n\nfunc use() { target() }\n"}},
		{"go: the name in another package", "a.go:3", 0, files{"go.mod": "module m\n", "a.go": "package m\n\nfunc target() {}\n", "x/b.go": "package x\n\ntype T struct{ target int }\n\nfunc use(t any) { t.(interface{ target() }).target() }\n"}},
		{"go: local names", "target", 0, files{"go.mod": "module m\n", "a.go": "package m\n\nfunc target() {}\n", "b.go": "package m\n\nfunc use(target int) int {\n\treturn target + 1\n}\n"}},
		{"go: a package from outside", "Target", 0, files{"go.mod": "module m\n", "a.go": "package m\n\nfunc Target() {}\n", "b.go": "package m\n\nimport \"example.com/x\"\n\nfunc use() { x.Target() }\n"}},
		{"go: an unexported method", "T.deep", 1, files{"go.mod": "module m\n", "a.go": "package m\n\ntype T int\n\nfunc (t T) deep() {}\n\nfunc use(t T) { t.deep() }\n"}},
		{"python: a private function", "_helper", 1, files{"a.py": "def _helper(x):\n    # _helper does nothing\n    return x\n\n\ndef use():\n    return _helper(1)\n"}},
		{"python: imported elsewhere", "_helper", 1, files{"p/__init__.py": "", "p/a.py": "def _helper(x):\n    return x\n", "p/b.py": "from p.a import _helper\n\n\ndef use():\n    return _helper(1)\n"}},
		{"python: an argument of the name", "_helper", 0, files{"a.py": "def _helper(x):\n    return x\n\n\ndef use(f):\n    return f(_helper=1)\n"}},
		{"python: literal reflection of another name", "_helper", 0, files{"a.py": "def _helper(x):\n    return x\n\n\ndef use(m):\n    return getattr(m, 'other')\n"}},
		{"python: reflection on objects", "_helper", 0, files{"a.py": "def _helper(x):\n    return x\n\n\ndef use(obj, name):\n    return getattr(obj, name)\n"}},
		{"python: globals of another file", "_helper", 0, files{"a.py": "def _helper(x):\n    return x\n", "b.py": "def use(name):\n    return globals()[name]\n"}},
		{"java: an overload with other arguments", "T.java:2", 0, files{"T.java": "class T {\n  private void deep(int a) {}\n  private void deep(int a, int b) {}\n  void go() { deep(1, 2); }\n}\n"}},
		{"python: a private method", "Box._deep", 1, files{"a.py": "class Box:\n    def _deep(self):\n        pass\n\n    def go(self):\n        self._deep()\n"}},
		{"js: a function of a module", "helper", 1, files{"a.js": "'use strict'\nconst fs = require('fs')\nfunction helper() { return fs }\nexports.run = function () { return helper() }\n"}},
		{"js: a private method", "a.js:2", 1, files{"a.js": "class Box {\n  #deep() { return 1 }\n  go() { return this.#deep() }\n}\nmodule.exports = { Box }\n"}},
		{"ts: a private function", "helper", 1, files{"a.ts": "function helper(x: number): number { return x }\n\nexport function use(): number { return helper(1) }\n"}},
		{"java: a private method", "T.deep", 1, files{"T.java": "class T {\n  private void deep() {}\n  void go() { deep(); }\n}\n", "U.java": "class U {\n  void use(Object o) { o.deep(); }\n}\n"}},
		{"java: overrides alone are quiet", "T.work", 1, files{"T.java": "class T {\n  @SuppressWarnings(\"x\")\n  static void work() {}\n  void go() { T.work(); }\n}\n"}},
		{"kotlin: a private function", "T.deep", 1, files{"a.kt": "class T {\n    private fun deep() {}\n    fun go() { deep() }\n}\n"}},
		{"ruby: a method", "Box.deep", 1, files{"a.rb": "class Box\n  def deep\n  end\n\n  def go\n    self.deep\n  end\nend\n"}},
		{"c: a static function", "add", 1, files{"a.c": "/* add adds */\nstatic int add(int x) { return x; }\nint use(void) { return add(1); }\n", "b.c": "int other(int add) { return add; }\n"}},
		{"php: a private method", "Box.deep", 1, files{"a.php": "<?php\nclass Box {\n  private function deep() {}\n  public function go() { $this->deep(); }\n}\n"}},
		{"rust: a private function", "helper", 1, files{"src/lib.rs": "#[inline]\nfn helper() {}\n\npub fn go() {\n    helper()\n}\n"}},
		{"cs: a private method", "T.Deep", 1, files{"a.cs": "class T {\n  private void Deep() {}\n  public void Go() { Deep(); }\n}\n"}},
		{"elixir: a private function", "M.deep", 1, files{"a.ex": "defmodule M do\n  def go(x), do: deep(x)\n  defp deep(x), do: x\nend\n"}},
		{"swift: a private method", "T.deep", 1, files{"a.swift": "class T {\n    private func deep() {}\n    func go() { deep() }\n}\n"}},
		{"bash: a function", "clean", 1, files{"a.sh": "clean() {\n  echo bye\n}\nmain() {\n  clean\n}\nmain\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newWorld(t, c.tree).navigate(NavigateRequest{Verb: VerbCallers, Location: c.location})
			if n.Total != c.callers || n.Coverage.Verdict != VerdictProven || len(n.Coverage.Why) > 0 || n.Coverage.DynamicSites != 0 {
				t.Errorf("%d callers, want %d: %s", n.Total, c.callers, n.Coverage.Line())
			}
		})
	}
}

func TestOccurrences(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"go", "load() // load\n\"a load\" `load` 'l' /* load */ reload loads", "code comment string string comment"},
		{"go", "x.load(a.load)", "code:x. code:a."},
		{"go", "//go:linkname load x\n", "code"},
		{"go", "'\"' + load + '\"'", "code"},
		{"asm", "CALL ·load(SB)", "code"},
		{"python", "'''load''' # load\nf'{load}' f'load' # type: load", "string comment code string code"},
		{"javascript", "`${load()}` `load`; /load/; a / load // load", "code string string code comment"},
		{"javascript", "/['\"]/.test(x); load()", "code"},
		{"ruby", "\"#{load}\" 'load' :load # load\n=begin\nload\n=end\nload", "code string code:: comment comment code"},
		{"rust", "fn f<'a>(x: &'a T) { load() } r#\"load\"#\n/// load\n// load", "code string code comment"},
		{"c", "a->load(b.load)", "code:a-> code:b."},
		{"php", "#[load]\n$x->LOAD(); # load", "code code:$x-> comment"},
		{"bash", "load # load\n\"$(load)\" 'load' $load", "code comment code string code:$"},
		{"java", "foo()\n  .load()", "code:."},
		{"", "# load", "code"},
		{"python", "", ""},
	} {
		var got []string
		for _, o := range occurrences(c.text, c.lang, "load") {
			s := map[region]string{inCode: "code", inComment: "comment", inString: "string"}[o.in]
			if o.before != "" && o.in == inCode {
				s += ":" + o.before
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %q: %s, want %s", c.lang, c.text, s, c.want)
		}
	}
}

// Any text gives occurrences in order, each of the name.
func FuzzOccurrences(f *testing.F) {
	for _, seed := range []string{"x", "\"x", "'x", "/* x", "r#\"x", "`${x}`", "=begin\nx", "x.x->x", "·x", "\xff x"} {
		f.Add(seed, "rust", "x")
		f.Add(seed, "javascript", "x")
	}
	f.Fuzz(func(t *testing.T, text, lang, name string) {
		last := 0
		for _, o := range occurrences(text, lang, name) {
			if o.start < last || o.end > len(text) || o.line != 1+strings.Count(text[:o.start], "\n") || !strings.EqualFold(text[o.start:o.end], name) {
				t.Fatalf("%+v after %d", o, last)
			}
			last = o.end
		}
		withoutComments(text, lang)
	})
}

func TestAffixesOf(t *testing.T) {
	for _, c := range []struct {
		argument, prefix, suffix string
		computed                 bool
	}{
		{`"load"`, "", "", false}, {`'load'`, "", "", false}, {`:load`, "", "", false}, {"", "", "", false},
		{`name`, "", "", true}, {`"do_" + x`, "do_", "", true}, {`x + "_it"`, "", "_it", true}, {`f"see_{kind}"`, "see_", "", true},
		{`"#{x}_it"`, "", "_it", true}, {`"a_%s" % x`, "a_", "", true},
	} {
		a, computed := affixesOf(c.argument)
		if a.prefix != c.prefix || a.suffix != c.suffix || computed != c.computed {
			t.Errorf("%s: %+v %v", c.argument, a, computed)
		}
	}
}

// The same index and question give the same coverage.
func TestCoverageIsTheSameTwice(t *testing.T) {
	w := newWorld(t, service)
	var first NavigationCoverage
	for i := range 3 {
		c := w.navigate(NavigateRequest{Verb: VerbImpact, Location: "deep"}).Coverage
		if i == 0 {
			first = c
		} else if c.Line() != first.Line() {
			t.Errorf("%s and then %s", first.Line(), c.Line())
		}
	}
}

// A name that a macro or a call may define keeps an answer about definitions from being whole.
func TestSymbolCountsWhatMayDefineIt(t *testing.T) {
	for _, c := range []struct {
		name string
		tree files
		want Verdict
	}{
		{"a definition", files{"a.rb": "class A\n  def target\n  end\nend\n"}, VerdictProven},
		{"define_method", files{"a.rb": "class A\n  def target\n  end\nend\n", "b.rb": "class B\n  define_method(:target) { 1 }\nend\n"}, VerdictBounded},
		{"setattr", files{"a.py": "def target():\n    pass\n", "b.py": "setattr(x, 'target', 1)\n"}, VerdictBounded},
	} {
		n := newWorld(t, c.tree).navigate(NavigateRequest{Verb: VerbSymbol, Location: "target"})
		if n.Coverage.Verdict != c.want {
			t.Errorf("%s: %s", c.name, n.Coverage.Line())
		}
	}
}

func TestOutsideModules(t *testing.T) {
	w := newWorld(t, files{"go.mod": "module m\n\nreplace (\n\texample.com/a => ../a\n\texample.com/b v1.2.3 => example.com/c v1.0.0\n)\n", "lib/util.py": "x = 1\n", "web/package.json": `{"name": "@corp/web-kit"}` + "\n", "web/src/app.js": "let x\n"})
	w.navigate(NavigateRequest{Verb: VerbRead, Location: "go.mod"})
	pinned, err := w.pin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer pinned.release()
	o, err := newOrigins(pinned.corpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lang, module string
		outside      bool
	}{
		{"go", "net/http", true}, {"go", "example.com/a", false}, {"go", "example.com/a/x", false}, {"go", "example.com/b", true}, {"go", "./x", false},
		{"python", "os.path", true}, {"python", "util", false}, {"python", "lib.x", false}, {"python", ".x", false},
		{"javascript", "express", true}, {"javascript", "fs", true}, {"javascript", "@corp/web-kit", false}, {"javascript", "@/app", false}, {"javascript", "./x", false},
		{"rust", "std::fmt", true}, {"rust", "crate::x", false}, {"java", "org.junit.Test", true}, {"java", "", false},
	} {
		if got := o.outside(c.lang, c.module); got != c.outside {
			t.Errorf("%s %q: outside %v", c.lang, c.module, got)
		}
	}
	if s := (*scope)(nil); s.excludes(0, "go") {
		t.Error("no scope excludes a file")
	}
}
