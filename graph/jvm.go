package graph

import (
	"strings"

	"agenvantage"
)

// Java, Kotlin and Scala name things by packages, which are what files say and no folders: a definition is found by the
// full name that its file and its parents give it.

var jvmCommon = words(`add addAll apply clear clone close compareTo compute contains containsKey copy count equals exists filter find first flatMap fold forEach foreach
	format get getClass getOrDefault getOrElse getName hashCode head indexOf isDefined isEmpty isPresent iterator join key keySet keys last length let let map mapTo
	matches max min name next hasNext of offer orElse parse peek poll pop print printf println push put putAll read remove replace run set size sort sorted split
	start startsWith endsWith stream substring sum take tail test toArray toList toLowerCase toMap toSet toString toUpperCase trim unapply value valueOf values write
	append also asList collect drop use with zip mkString reduce nonEmpty withIndex message cause getMessage getCause ordinal invoke call execute accept update
	submit await wait notify notifyAll lock unlock flush delete insert reset execute encode decode plus minus`)

var javaBuiltins = words(`var boolean byte char double float int long short void Appendable ArithmeticException ArrayIndexOutOfBoundsException AssertionError AutoCloseable
	Boolean Byte CharSequence Character Class ClassCastException ClassLoader ClassNotFoundException CloneNotSupportedException Cloneable Comparable Deprecated Double Enum Error
	Exception Float FunctionalInterface IllegalAccessException IllegalArgumentException IllegalStateException IndexOutOfBoundsException InstantiationException Integer
	InterruptedException Iterable LinkageError Long Math NegativeArraySizeException NoSuchFieldError NoSuchFieldException NoSuchMethodException NullPointerException Number
	NumberFormatException Object OutOfMemoryError Override Package Process ProcessBuilder Readable Record ReflectiveOperationException Runnable Runtime RuntimeException
	SafeVarargs SecurityException Short StackOverflowError StackTraceElement StrictMath String StringBuffer StringBuilder SuppressWarnings System Thread ThreadGroup
	ThreadLocal Throwable UnsupportedOperationException VirtualMachineError Void length`)

var kotlinBuiltins = words(`Any Array Boolean BooleanArray Byte ByteArray Char CharArray CharSequence Comparable Double DoubleArray Enum Error Exception Float FloatArray
	Function IllegalArgumentException IllegalStateException IndexOutOfBoundsException Int IntArray Iterable Iterator Collection Lazy List ListIterator Long LongArray Map
	MutableCollection MutableIterable MutableList MutableMap MutableSet Nothing NullPointerException Number NumberFormatException Pair Regex Result RuntimeException Sequence
	Set Short ShortArray String StringBuilder Suppress Throwable Triple UInt ULong Unit UnsupportedOperationException ClassCastException NoSuchElementException
	AssertionError Deprecated JvmStatic JvmField JvmName JvmOverloads Volatile Synchronized Throws OptIn ArrayList HashMap HashSet LinkedHashMap LinkedHashSet Comparator
	also apply arrayOf arrayOfNulls assert buildList buildMap buildSet buildString booleanArrayOf byteArrayOf charArrayOf check checkNotNull compareBy doubleArrayOf emptyArray
	emptyList emptyMap emptySequence emptySet enumValueOf enumValues error generateSequence hashMapOf hashSetOf intArrayOf lazy let linkedMapOf linkedSetOf listOf
	listOfNotNull longArrayOf mapOf maxOf measureTimeMillis minOf mutableListOf mutableMapOf mutableSetOf print println readLine repeat require requireNotNull run
	runCatching sequence sequenceOf setOf sortedMapOf sortedSetOf suspend synchronized takeIf takeUnless to TODO use with arrayListOf iterator it field`)

var scalaBuiltins = words(`Any AnyRef AnyVal Array BigDecimal BigInt Boolean Byte Char Double Either Exception Float Function1 Function2 IllegalArgumentException
	IllegalStateException Int IndexedSeq Integer Iterable Iterator Left LazyList List Long Map Nil None Nothing Null Numeric Object Option Ordering PartialFunction Product
	Range Right RuntimeException Seq Serializable Set Short Some Stream String StringBuilder StringContext Symbol Throwable Traversable Tuple2 Tuple3 Unit
	UnsupportedOperationException Vector Ordered Fractional Integral Function Double Runnable System Math Thread Class Comparable deprecated tailrec inline specialized
	throws assert assume classOf identity implicitly locally print printf println require summon ??? None`)

// jvmOuter is a name beyond classes: an import that names it, the package, an import of all of a package, the first word of
// a full name.
func jvmOuter(j *job, u *unit, name string, from int) value {
	lang := j.r.files[u.file].lang
	for i := len(u.imports) - 1; i >= 0; i-- {
		m := &u.imports[i]
		if m.Name == "*" || m.From >= 0 && !contains(u, from, m.From) {
			continue
		}
		if local := m.Alias; local == name || local == "" && m.Path[strings.LastIndexByte(m.Path, '.')+1:] == name {
			if v := j.dotted(m.Path, u); v.kind != nothing {
				return v
			}
			return value{kind: external}
		}
	}
	for _, pkg := range jvmPackages(u, lang) {
		if nodes := j.nearest(j.qualified(joined(pkg, name), lang), u.file); len(nodes) > 0 {
			return j.topValue(nodes, u)
		}
	}
	outside := false
	for i := range u.imports {
		m := &u.imports[i]
		if m.Name != "*" || m.From >= 0 && !contains(u, from, m.From) {
			continue
		}
		if v := j.dotted(m.Path+"."+name, u); v.kind != nothing {
			return v
		}
		outside = outside || !sameRoot(m.Path, u.pkg)
	}
	if nominalRulesOf(lang).builtins[name] {
		return value{}
	}
	if first := name + "."; strings.HasPrefix(u.pkg+".", first) || jvmRoots[name] {
		return value{kind: module, dir: name}
	}
	for i := range u.imports {
		if strings.HasPrefix(u.imports[i].Path, name+".") {
			return value{kind: module, dir: name}
		}
	}
	if outside {
		return value{kind: external}
	}
	return value{}
}

// jvmRoots begin full names that no import needs to name.
var jvmRoots = words(`java javax kotlin kotlinx scala com org net io jakarta android androidx sun`)

// topValue is what definitions are that are seen from a file: private ones of other files are not.
func (j *job) topValue(nodes []agenvantage.Node, u *unit) value {
	var seen []agenvantage.Node
	for _, n := range nodes {
		if s, _ := j.peek(n); s != nil && (n.File == u.file || s.Parent >= 0 || j.r.files[n.File].lang != "kotlin" || j.symbol(n).Visibility != "private") {
			seen = append(seen, n)
		}
	}
	if len(seen) == 0 {
		return value{}
	}
	return j.symbolsValue(seen)
}

// jvmPackages are the packages whose names a file sees without an import. In Scala the packages around are seen too.
func jvmPackages(u *unit, lang string) []string {
	if lang != "scala" {
		return []string{u.pkg}
	}
	var out []string
	for p := u.pkg; p != ""; {
		out = append(out, p)
		i := strings.LastIndexByte(p, '.')
		if i < 0 {
			break
		}
		p = p[:i]
	}
	if out == nil {
		out = []string{""}
	}
	return out
}

func joined(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// sameRoot reports whether two packages begin with the same two words: those of one owner.
func sameRoot(a, b string) bool {
	cut := func(s string) string {
		parts := strings.SplitN(s, ".", 3)
		return strings.Join(parts[:min(2, len(parts))], ".")
	}
	return b != "" && cut(a) == cut(b)
}

// dotted is what a full name means to a file: a definition, or a member that a class inherits. In Scala it may begin at any
// of the packages around.
func (j *job) dotted(full string, u *unit) value {
	lang := j.r.files[u.file].lang
	prefixes := []string{""}
	if lang == "scala" {
		prefixes = append(jvmPackages(u, lang), "")
	}
	for _, p := range prefixes {
		if nodes := j.nearest(j.qualified(joined(p, full), lang), u.file); len(nodes) > 0 {
			return j.namespaceValue(joined(p, full), nodes)
		}
	}
	i := strings.LastIndexByte(full, '.')
	if i < 0 || strings.Count(full, ".") > 12 {
		return value{}
	}
	last := full[strings.LastIndexByte(full[:i], '.')+1 : i]
	if last == "" || last[0] >= 'a' && last[0] <= 'z' && lang != "scala" {
		return value{}
	}
	if c := j.dotted(full[:i], u); c.kind == class || c.kind == object {
		if v, _ := j.nominalMember(c, full[i+1:], false, 0); v.kind != nothing {
			return v
		}
	}
	return value{}
}

// nearest keeps, of definitions in several files with one full name, those that share the longest way with a file: modules
// of one repository may define the same class. Kotlin declares one thing in several files on purpose.
func (j *job) nearest(nodes []agenvantage.Node, file uint32) []agenvantage.Node {
	if len(nodes) < 2 || j.r.files[nodes[0].File].lang == "kotlin" {
		return nodes
	}
	var kept []agenvantage.Node
	best := -1
	for _, n := range nodes {
		switch d := commonFolders(j.r.files[n.File].path, j.r.files[file].path); {
		case d > best:
			kept, best = append(kept[:0:0], n), d
		case d == best:
			kept = append(kept, n)
		}
	}
	return kept
}

// commonFolders is the number of folders that two paths share from the root; a file shares all and one more with itself.
func commonFolders(a, b string) int {
	if a == b {
		return strings.Count(a, "/") + 1
	}
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// kotlinExtensions are the extension functions and properties of a class, or of a class that it inherits, that the file sees.
func kotlinExtensions(j *job, c value, name string) []agenvantage.Node {
	receivers := map[string]bool{"Any": true, "T": true}
	if t := c.typ; t != nil && t.name != "" && t.name[0] != 0 {
		receivers[t.name[strings.LastIndexByte(t.name, '.')+1:]] = true
	}
	j.ancestors(c, 0, func(s *agenvantage.Symbol) { receivers[s.Name] = true })
	var found []agenvantage.Node
	for _, n := range j.named(name) {
		s, u := j.peek(n)
		if s == nil || j.r.files[n.File].lang != "kotlin" || s.Qualified == s.Name {
			continue
		}
		head := strings.TrimSuffix(s.Qualified, "."+s.Name)
		head = strings.TrimRight(head[strings.LastIndexByte(head, '.')+1:], "?")
		if !receivers[head] || s.Parent >= 0 && isClass(u.symbols[s.Parent].Kind) {
			continue
		}
		if j.kotlinSees(u, name) {
			found = append(found, n)
		}
	}
	return found
}

// kotlinTop is the files that define an extension which an import names by its package and its own name.
func (j *job) kotlinTop(full string) []uint32 {
	i := strings.LastIndexByte(full, '.')
	if i < 0 {
		return nil
	}
	var found []agenvantage.Node
	for _, n := range j.named(full[i+1:]) {
		if s, u := j.peek(n); s != nil && s.Parent < 0 && u.pkg == full[:i] && j.r.files[n.File].lang == "kotlin" {
			found = append(found, n)
		}
	}
	return filesOf(found)
}

// kotlinSees reports whether the file sees a top-level name of another.
func (j *job) kotlinSees(u *unit, name string) bool {
	if u.file == j.file || u.pkg == j.unit.pkg {
		return true
	}
	for i := range j.unit.imports {
		if m := &j.unit.imports[i]; m.Path == joined(u.pkg, name) || m.Name == "*" && m.Path == u.pkg {
			return true
		}
	}
	return false
}

// ancestors visits a class and what it inherits from, as far as the repository has it.
func (j *job) ancestors(c value, depth int, visit func(s *agenvantage.Symbol)) {
	if depth > 8 {
		return
	}
	for _, n := range c.nodes {
		s := j.symbol(n)
		if s == nil {
			continue
		}
		visit(s)
		u := j.unitAt(n.File)
		for _, b := range u.bases[n.Symbol] {
			if p := j.baseClass(b.name, n, s.Parent); p.kind == class {
				j.ancestors(p, depth+1, visit)
			}
		}
	}
}

// jvmImports links the file to the files of what its imports name. An import of a whole package links to those files of it
// that the file uses.
func jvmImports(j *job) {
	used := map[string][]uint32{}
	for _, e := range j.edges {
		if u, err := j.r.unitOf(e.To.File); err == nil && e.To.File != j.file { // an edge reads the file that it leads to
			used[u.pkg] = append(used[u.pkg], e.To.File)
		}
	}
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		v := j.dotted(m.Path, j.unit)
		targets := filesOf(v.nodes)
		if len(targets) == 0 && j.r.files[j.file].lang == "kotlin" {
			targets = j.kotlinTop(m.Path)
		}
		if m.Name == "*" {
			for _, pkg := range append(jvmPackages(j.unit, j.r.files[j.file].lang), "") {
				targets = append(targets, used[joined(pkg, m.Path)]...)
			}
		}
		if len(targets) == 0 {
			v = value{kind: external}
		}
		j.linkImports(m, v, targets)
	}
}

// filesOf are the files of nodes, without doubles.
func filesOf(nodes []agenvantage.Node) []uint32 {
	var out []uint32
	for _, n := range nodes {
		if len(out) == 0 || out[len(out)-1] != n.File {
			out = append(out, n.File)
		}
	}
	return out
}

// scalaClasses leaves out the companion object of a class: a type, and what "new" makes, is the class.
func scalaClasses(j *job, nodes []agenvantage.Node) []agenvantage.Node {
	var kept []agenvantage.Node
	for _, n := range nodes {
		if s, _ := j.peek(n); s != nil && s.Kind != agenvantage.KindModule {
			kept = append(kept, n)
		}
	}
	if len(kept) == 0 {
		return nodes
	}
	return kept
}
