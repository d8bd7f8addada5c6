package app

import "testing"

// misled are trees in which code reaches the subject by a way that the graph follows to something else, or does not follow. Each
// was called proven once.
var misled = map[NavigateVerb][]struct {
	name, location string
	tree           files
}{
	VerbCallers: {
		{"py protocol", "Dog.bark", files{"a.py": "from typing import Protocol\n\nclass Barker(Protocol):\n    def bark(self): ...\n\n\ndef talk(b: Barker):\n    b.bark()\n\n\nclass Dog:\n    def bark(self):\n        return 1\n\n\ntalk(Dog())\n"}},
		{"ts structural", "Dog.bark", files{"a.ts": "interface Barker { bark(): void }\nfunction talk(b: Barker) { b.bark(); }\nclass Dog {\n  bark() { return 1; }\n}\ntalk(new Dog());\n"}},
		{"ts type literal", "Dog.bark", files{"a.ts": "type Barker = { bark(): void };\nfunction talk(b: Barker) { b.bark(); }\nclass Dog {\n  bark() { return 1; }\n}\ntalk(new Dog());\n"}},
		{"ts class structural", "Dog.bark", files{"a.ts": "class Cat { bark() { return 2; } }\nfunction talk(b: Cat) { b.bark(); }\nclass Dog {\n  bark() { return 1; }\n}\ntalk(new Dog());\n"}},
		{"py annotation duck", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\ndef talk(b: Cat):\n    b.bark()\n\nclass Dog:\n    def bark(self):\n        return 1\n\ntalk(Dog())\n"}},
		{"py union", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\ndef talk(b: \"Cat | Dog\"):\n    b.bark()\n\ntalk(Dog())\n"}},
		{"py reassign2", "Cat.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\ndef talk(x):\n    b = Cat()\n    if x:\n        b = Dog()\n    b.bark()\n\ntalk(1)\n"}},
		{"py attr elsewhere", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\nclass Home:\n    def __init__(self):\n        self.pet = Cat()\n\n    def noise(self):\n        self.pet.bark()\n", "b.py": "from a import Home, Dog\n\nh = Home()\nh.pet = Dog()\nh.noise()\n"}},
		{"js reassign", "Dog.bark", files{"a.js": "class Cat { bark() { return 2; } }\nclass Dog { bark() { return 1; } }\nfunction talk(x) {\n  let b = new Cat();\n  if (x) b = new Dog();\n  b.bark();\n}\ntalk(1);\n"}},
		{"js attr elsewhere", "Dog.bark", files{"a.js": "export class Cat { bark() { return 2; } }\nexport class Dog { bark() { return 1; } }\nexport class Home {\n  constructor() { this.pet = new Cat(); }\n  noise() { this.pet.bark(); }\n}\n", "b.js": "import { Home, Dog } from \"./a.js\";\nconst h = new Home();\nh.pet = new Dog();\nh.noise();\n"}},
		{"ruby super", "A.go_now", files{"a.rb": "class A\n  def go_now\n    1\n  end\nend\n\nclass B < A\n  def go_now\n    super\n  end\nend\n\nB.new.go_now\n"}},
		{"ruby const_get", "Worker", files{"a.rb": "class Worker\n  def initialize\n  end\nend\n\nObject.const_get(ARGV[0].capitalize).new\n"}},
		{"php attr elsewhere", "Dog::bark", files{"a.php": "<?php\nclass Cat { public function bark() { return 2; } }\nclass Dog { public function bark() { return 1; } }\nclass Home {\n  public $pet;\n  public function __construct() { $this->pet = new Cat(); }\n  public function noise() { $this->pet->bark(); }\n}\n$h = new Home();\n$h->pet = new Dog();\n$h->noise();\n"}},
		{"lua reassign", "Dog:bark", files{"a.lua": "local Cat = {}\nCat.__index = Cat\nfunction Cat.new() return setmetatable({}, Cat) end\nfunction Cat:bark() return 2 end\nlocal Dog = {}\nDog.__index = Dog\nfunction Dog.new() return setmetatable({}, Dog) end\nfunction Dog:bark() return 1 end\nlocal function talk(x)\n  local b = Cat.new()\n  if x then b = Dog.new() end\n  b:bark()\nend\ntalk(1)\n"}},
		{"java inherited impl", "Base.launch", files{"Base.java": "class Base {\n  public void launch() { }\n}\n", "Go.java": "interface Go { void launch(); }\nclass Use { void u(Go g) { g.launch(); } }\nclass Impl extends Base implements Go { }\n"}},
		{"csharp inherited impl", "Base.Launch", files{"a.cs": "class Base { public void Launch() { } }\ninterface IGo { void Launch(); }\nclass Use { void U(IGo g) { g.Launch(); } }\nclass Impl : Base, IGo { }\n"}},
		{"php inherited impl", "Base::launch", files{"a.php": "<?php\nclass Base { public function launch() { } }\ninterface Go { public function launch(); }\nfunction useIt(Go $g) { $g->launch(); }\nclass Impl extends Base implements Go { }\n"}},
		{"ts inherited impl", "Base.launch", files{"a.ts": "class Base { launch() { } }\ninterface Go { launch(): void }\nfunction useIt(g: Go) { g.launch(); }\nclass Impl extends Base implements Go { }\n"}},
		{"swift inherited impl", "Base.launch", files{"a.swift": "class Base { func launch() { } }\nprotocol Go { func launch() }\nfunc useIt(g: Go) { g.launch() }\nclass Impl: Base, Go { }\n"}},
		{"scala inherited impl", "Base.launch", files{"a.scala": "class Base { def launch(): Unit = () }\ntrait Go { def launch(): Unit }\nobject U { def useIt(g: Go): Unit = g.launch() }\nclass Impl extends Base with Go\n"}},
		{"py mixin", "Base.launch_it", files{"a.py": "class Base:\n    def launch_it(self):\n        return 1\n\nclass Go:\n    def launch_it(self):\n        raise NotImplementedError\n\n\ndef use(g: Go):\n    g.launch_it()\n\n\nclass Impl(Base, Go):\n    pass\n"}},
		{"py mixin self", "Base.launch_it", files{"a.py": "class Base:\n    def launch_it(self):\n        return 1\n\nclass Go:\n    def launch_it(self):\n        raise NotImplementedError\n\n    def start_all(self):\n        self.launch_it()\n\n\nclass Impl(Base, Go):\n    pass\n"}},
		{"go embedded two", "base.start", files{"go.mod": "module m\n\ngo 1.22\n", "a.go": "package m\n\ntype both interface {\n\tstart()\n\tstop()\n}\ntype base struct{}\n\nfunc (base) start() {}\n\nfunc use(b both) {\n\tb.start()\n}\n\ntype ender struct{}\n\nfunc (ender) stop() {}\n\ntype impl struct {\n\tbase\n\tender\n}\n\nfunc Run() { use(impl{}) }\n"}},
		{"bash prefix", "cmd_add", files{"a.sh": "cmd_add() {\n  echo 1\n}\ncmd_$1\n"}},
		{"bash prefix args", "cmd_add", files{"a.sh": "cmd_add() {\n  echo 1\n}\nsub=$1; shift\n\"cmd_${sub}\" \"$@\"\n"}},
		{"bash prefix args2", "cmd_add", files{"a.sh": "cmd_add() {\n  echo 1\n}\nsub=$1; shift\ncmd_$sub \"$@\"\n"}},
		{"bash prefix ifs", "cmd_add", files{"a.sh": "cmd_add() {\n  echo 1\n}\nsub=$1; shift\nif cmd_\"$sub\" \"$@\"; then echo; fi\n"}},
		{"bash cmdsubst", "cmd_add", files{"a.sh": "cmd_add() {\n  echo 1\n}\nx=$(cmd_$1)\n"}},
		{"bash backtick", "cmd_add", files{"a.sh": "cmd_add() {\n  echo 1\n}\nx=`cmd_$1`\n"}},
		{"bash dash", "do-add", files{"a.sh": "do-add() {\n  echo 1\n}\n\"do-$1\"\n"}},
		{"py star globals", "cmd_add", files{"a.py": "def cmd_add():\n    return 1\n", "b.py": "from a import *\nimport sys\n\nglobals()[sys.argv[1]]()\n"}},
		{"py star globals pref", "cmd_add", files{"a.py": "def cmd_add():\n    return 1\n", "b.py": "from a import *\nimport sys\n\nglobals()[\"cmd_\" + sys.argv[1]]()\n"}},
		{"py import_module", "cmd_add", files{"a.py": "def cmd_add():\n    return 1\n", "b.py": "import importlib\nimport sys\n\nbackend = importlib.import_module(sys.argv[1])\ngetattr(backend, sys.argv[2])()\n"}},
		{"py import_module passed", "cmd_add", files{"a.py": "def cmd_add():\n    return 1\n", "c.py": "from b import runit\nimport a\n\nrunit(a, \"x\")\n", "b.py": "import sys\n\n\ndef runit(obj, n):\n    getattr(obj, n)()\n"}},
		{"py mangled", "A.__go", files{"a.py": "class A:\n    def __go(self):\n        return 1\n\n\nA()._A__go()\n"}},
		{"py class registry subclass", "Plug", files{"a.py": "class Base:\n    pass\n\nclass Plug(Base):\n    pass\n\nfor c in Base.__subclasses__():\n    c()\n"}},
		{"py entry txt", "main_it", files{"a.py": "def main_it():\n    return 1\n", "entry_points.txt": "[console_scripts]\nx = a:main_it\n"}},
		{"py jinja txt", "create_it", files{"a.py": "def create_it():\n    return 1\n", "templates/mail.txt": "Hello {{ create_it() }}\n"}},
		{"py inspect members", "do_x", files{"a.py": "def do_x():\n    return 1\n", "b.py": "from inspect import getmembers as gm\nimport a\n\n[f() for n, f in gm(a)]\n"}},
		{"js registry", "Plug", files{"a.js": "export class Plug { }\n", "b.js": "import * as api from \"./a.js\";\nexport const mk = k => { const K = api[k]; return new K(); };\n"}},
		{"java super ctor", "A.A", files{"A.java": "class A { A() { System.out.println(1); } }\nclass B extends A { void go() { new B(); } }\n"}},
		{"csharp base ctor", "A.A", files{"A.cs": "class A { public A() { } }\nclass B : A { public B() { } void Go() { new B(); } }\n"}},
		{"cpp co_await", "Aw.await_ready", files{"a.cpp": "struct Aw { bool await_ready() { return true; } };\nTask f() { co_await Aw{}; }\n"}},
		{"csharp linq", "Seq.Where", files{"A.cs": "public class Seq { public Seq Where(System.Func<int, bool> f) { return this; } public Seq Select(System.Func<int, int> f) { return this; } }\nclass U { Seq Go(Seq s) { return from x in s where x > 1 select x; } }\n"}},
		{"csharp interp", "H.AppendLiteral", files{"A.cs": "public ref struct H { public void AppendLiteral(string s) { } }\nclass U { void Log(H h) {} void Go() { Log($\"a\"); } }\n"}},
		{"csharp partial iface", "Dog.Bark", files{"A.cs": "partial class Dog { public void Bark() { } }\n", "B.cs": "interface IBark { void Bark(); }\npartial class Dog : IBark { }\nclass U { void Go(IBark b) { b.Bark(); } }\n"}},
		{"swift interp", "appendInterpolation", files{"a.swift": "extension String.StringInterpolation {\n    mutating func appendInterpolation(hex v: Int) { }\n}\nlet s = \"\\(hex: 3)\"\n"}},
		{"kotlin JvmName", "plain", files{"a.kt": "@JvmName(\"fancy\")\nfun plain(): Int = 1\n", "B.java": "class B { int go() { return AKt.fancy(); } }\n"}},
		{"twig getter", "Post::getTitle", files{"a.php": "<?php\nclass Post { public function getTitle() { return 1; } }\n", "t.twig": "{{ post.title }}\n"}},
		{"rust paste", "do_add", files{"a.rs": "fn do_add() -> i32 { 1 }\nmacro_rules! call { ($n:ident) => { paste::paste! { [<do_ $n>]() } } }\nfn go() -> i32 { call!(add) }\n"}},
		{"c asm under", "helper", files{"a.c": "int helper(void) { return 1; }\n", "b.S": "call _helper\n"}},
		{"c fortran", "helper_", files{"a.c": "int helper_(void) { return 1; }\n", "b.f90": "call helper()\n"}},
		{"cpp two bases", "Base.fire", files{"a.cpp": "struct Base { void fire() {} };\nstruct Go { virtual void fire() = 0; };\nvoid go(Go *g) { g->fire(); }\nstruct Impl : Base, Go { };\n"}},
		{"js obj values", "act", files{"a.js": "export function act() { return 1; }\n", "b.js": "import * as api from \"./a.js\";\nfor (const f of Object.values(api)) f();\n"}},
		{"js proto names", "Foo.actNow", files{"a.js": "class Foo { actNow() { return 1; } }\nfor (const p of Object.getOwnPropertyNames(Foo.prototype)) { const f = Foo.prototype[p]; f.call(new Foo()); }\n"}},
		{"js const fn", "Foo.actNow", files{"a.js": "class Foo { actNow() { return 1; } }\nfunction go(o, k) { const f = o[k]; return f.call(o); }\ngo(new Foo(), process.argv[2]);\n"}},
		{"js destruct", "Foo.actNow", files{"a.js": "class Foo { actNow() { return 1; } }\nfunction go(o, k) { const { [k]: f } = o; return f.call(o); }\ngo(new Foo(), process.argv[2]);\n"}},
		{"lua key", "M.fire", files{"a.lua": "local M = {}\nfunction M.fire() return 1 end\nreturn M\n", "b.lua": "local a = require(\"a\")\nfor k, v in pairs(a) do v() end\n"}},
		{"php case", "helper", files{"a.php": "<?php\nfunction helper() { return 1; }\nHELPER();\n"}},
		{"kotlin scope same member", "Dog.bark", files{"a.kt": "class Cat {\n fun bark(): Int { return 2 }\n}\nclass Dog {\n fun bark(): Int { return 1 }\n}\nclass H {\n fun bark(): Int { return 3 }\n fun go(d: Dog) {\n d.run {\n bark()\n }\n }\n}\n"}},
		{"kotlin scope same member2", "Dog.bark", files{"a.kt": "class Cat {\n fun bark(): Int { return 2 }\n}\nclass Dog {\n fun bark(): Int { return 1 }\n}\nclass H {\n fun bark(): Int { return 3 }\n fun go(d: Dog) = with(d) {\n bark()\n }\n}\n"}},
		{"java switch", "Dog.bark", files{"A.java": "class Cat { public void bark() { } }\nclass Dog { public void bark() { } }\nclass U { Cat b; void go(Object o) {\n switch (o) { case Dog b -> b.bark(); default -> {} } } }\n"}},
		{"csharp tuple", "Dog.Bark", files{"a.cs": "class Cat { public void Bark() { } }\nclass Dog { public void Bark() { } }\nclass U { Cat b; void Go() {\n var (b, c) = (new Dog(), 1); b.Bark(); } }\n"}},
		{"cpp arrow overload", "Dog.bark", files{"a.cpp": "struct Cat { void bark() {} };\nstruct Dog { void bark() {} };\nstruct P { Dog *operator->(); void bark(); };\nvoid go(P p) {\n p->bark(); }\n"}},
		{"go alias iface", "Dog.bark", files{"go.mod": "module m\n\ngo 1.22\n", "a.go": "package m\n\ntype Cat struct{}\n\nfunc (Cat) bark() {}\n\ntype Dog struct{}\n\nfunc (Dog) bark() {}\n\ntype I = interface{ bark() }\n\nfunc Run(s I) {\n\ts.bark()\n}\n"}},
		{"py isinstance", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\ndef go(b: Cat):\n    if isinstance(b, Dog):\n        b.bark()\n"}},
		{"py match", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\ndef go(x):\n    b = Cat()\n    match x:\n        case Dog() as b:\n            b.bark()\n"}},
		{"py tuple assign", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\nb = Cat()\nb, c = Dog(), 1\nb.bark()\n"}},
		{"py setattr", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\nclass H:\n    pet: Cat\n\ndef go(h: H):\n    setattr(h, \"pet\", Dog())\n    h.pet.bark()\n"}},
		{"py function returns", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\ndef mk() -> Cat:\n    return Dog()\n\nmk().bark()\n"}},
		{"py class as value", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\nK = Cat\nif 1:\n    K = Dog\nK().bark()\n"}},
		{"py monkey class", "Dog.bark", files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\nclass Dog:\n    def bark(self):\n        return 1\n\nimport a\na.Cat = Dog\na.Cat().bark()\n"}},
		{"ts as cast", "Dog.bark", files{"a.ts": "class Cat { bark() { return 2; } }\nclass Dog { bark() { return 1; } }\nfunction go(o: any) { const b = o as Cat; b.bark(); }\ngo(new Dog());\n"}},
		{"ts ret", "Dog.bark", files{"a.ts": "class Cat { bark() { return 2; } }\nclass Dog { bark() { return 1; } }\nfunction mk(): Cat { return new Dog(); }\nmk().bark();\n"}},
		{"ts generic default", "Dog.bark", files{"a.ts": "class Cat { bark() { return 2; } }\nclass Dog { bark() { return 1; } }\nfunction go<T = Cat>(b: T & Cat) { b.bark(); }\ngo<Dog>(new Dog());\n"}},
		{"ts field", "Dog.bark", files{"a.ts": "class Cat { bark() { return 2; } }\nclass Dog { bark() { return 1; } }\nclass H { pet: Cat = new Dog(); go() { this.pet.bark(); } }\n"}},
	},
	VerbRefs: {
		{"java forName", "Plug", files{"Plug.java": "public class Plug { }\n", "U.java": "class U {\n  Object go(String n) throws Exception {\n    return Class.forName(\"x.\" + n).newInstance();\n  }\n}\n"}},
		{"csharp activator", "Plug", files{"Plug.cs": "public class Plug { }\n", "U.cs": "class U {\n  object Go(string n) { return System.Activator.CreateInstance(System.Type.GetType(\"X.\" + n)); }\n}\n"}},
		{"swift wrapped", "Clamp.wrappedValue", files{"a.swift": "@propertyWrapper struct Clamp { var wrappedValue: Int = 0 }\nstruct S { @Clamp var x: Int; func go() -> Int { return x } }\n"}},
		{"kotlin prop java", "Box.title", files{"a.kt": "class Box(val title: String) {\n    val size2: Int = 3\n}\n", "B.java": "class B { String go(Box b) { return b.getTitle(); } }\n"}},
		{"kotlin prop java2", "Box.size2", files{"a.kt": "class Box(val title: String) {\n    val size2: Int = 3\n}\n", "B.java": "class B { int go(Box b) { return b.getSize2(); } }\n"}},
	},
	VerbCallees: {
		{"bash callees args", "go_it", files{"a.sh": "go_it() {\n  \"$@\"\n}\n"}},
		{"bash callees var", "go_it", files{"a.sh": "go_it() {\n  $1 x\n}\n"}},
		{"bash callees eval", "go_it", files{"a.sh": "go_it() {\n  eval \"$1\"\n}\n"}},
		{"bash callees prefix", "go_it", files{"a.sh": "go_it() {\n  cmd_$1 x\n}\n"}},
		{"bash callees subst", "go_it", files{"a.sh": "go_it() {\n  local x; x=$(\"$1\" y)\n}\n"}},
		{"php callees var", "go_it", files{"a.php": "<?php\nfunction go_it($f) { return $f(); }\n"}},
		{"php callees dyn", "go_it", files{"a.php": "<?php\nfunction go_it($o, $f) { return $o->$f(); }\n"}},
		{"php callees new", "go_it", files{"a.php": "<?php\nfunction go_it($f) { return new $f; }\n"}},
		{"ruby callees yield", "go_it", files{"a.rb": "def go_it\n  yield\nend\n"}},
		{"ruby callees super", "B.go_it", files{"a.rb": "class A\n  def go_it\n  end\nend\nclass B < A\n  def go_it\n    super\n  end\nend\n"}},
		{"elixir callees apply", "A.go_it", files{"a.ex": "defmodule A do\n  def go_it(m, f), do: apply(m, f, [])\nend\n"}},
		{"elixir callees dot", "A.go_it", files{"a.ex": "defmodule A do\n  def go_it(f), do: f.()\nend\n"}},
	},
}

// A call that has an edge to another definition, a computed word, a name made by a rule: none of them may be overlooked.
func TestNotProvenWhereACallLeadsElsewhere(t *testing.T) {
	skipWhenShort(t)
	for verb, cases := range misled {
		for _, c := range cases {
			t.Run(string(verb)+" "+c.name, func(t *testing.T) {
				n := newWorld(t, c.tree).navigate(NavigateRequest{Verb: verb, Location: c.location})
				if len(n.Candidates) > 0 {
					t.Fatalf("several places: %s", placesOf(n.Candidates))
				}
				if n.Coverage.Verdict == VerdictProven || len(n.Coverage.Why) == 0 {
					t.Errorf("%d found, %s", n.Total, n.Coverage.Line())
				}
			})
		}
	}
}

// What other code does with the same name, or a computed name that cannot be it, takes nothing from an answer.
func TestProvenBesideOthersOfTheName(t *testing.T) {
	for _, c := range []struct {
		name, location string
		callers        int
		tree           files
	}{
		{"python: another class calls its own", "Dog.bark", 1, files{"a.py": "class Cat:\n    def bark(self):\n        return 2\n\n    def go(self):\n        return self.bark()\n\n\nclass Dog:\n    def bark(self):\n        return 1\n\n    def go(self):\n        return self.bark()\n"}},
		{"python: another class by its name", "Dog.bark", 0, files{"a.py": "class Cat:\n    @staticmethod\n    def bark():\n        return 2\n\n\nclass Dog:\n    def bark(self):\n        return 1\n\n\nCat.bark()\n"}},
		{"python: a module's function of the name", "a.py:1", 0, files{"a.py": "def load():\n    return 1\n", "b.py": "def load():\n    return 2\n", "c.py": "import b\n\nb.load()\n"}},
		{"go: another type's method", "Dog.bark", 1, files{"go.mod": "module m\n\ngo 1.22\n", "a.go": "package m\n\ntype Cat struct{}\n\nfunc (Cat) bark() {}\n\ntype Dog struct{}\n\nfunc (Dog) bark() {}\n\nfunc Run(c Cat, d Dog) {\n\tc.bark()\n\td.bark()\n}\n"}},
		{"java: another class's method on a field", "Dog.bark", 1, files{"A.java": "class Cat { void bark() { } }\nclass Dog { void bark() { } }\nclass U { Cat c; Dog d; void go() {\n c.bark();\n d.bark(); } }\n"}},
		{"bash: words of another beginning", "cmd_add", 1, files{"a.sh": "cmd_add() {\n  echo 1\n}\nlevel=$1\necho \"log_$level\"\ncmd_add\n"}},
		{"ruby: super in another class", "A.go_now", 0, files{"a.rb": "class A\n  def go_now\n    1\n  end\nend\n\nclass B\n  def go_now\n    super\n  end\nend\n"}},
		{"js: elements by number", "start", 1, files{"a.js": "export function start() { return 1; }\n", "b.js": "import { start } from \"./a.js\";\nconst list = [1, 2];\nfor (let i = 0; i < 2; i++) console.log(list[i]);\nstart();\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newWorld(t, c.tree).navigate(NavigateRequest{Verb: VerbCallers, Location: c.location})
			if n.Coverage.Verdict != VerdictProven || n.Total != c.callers {
				t.Errorf("%d callers, want %d: %s", n.Total, c.callers, n.Coverage.Line())
			}
		})
	}
}
