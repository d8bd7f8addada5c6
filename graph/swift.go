package graph

import (
	"strings"

	"agenvantage"
)

// Swift sees every file of its module without an import, and modules of one repository are rarely told apart by names: a
// top-level name is looked for in all Swift files.

var swiftCommon = words(`append count contains description filter first forEach hash index insert isEmpty joined keys last map max min name prefix print reduce remove
	removeAll removeFirst removeLast resume reversed self sort sorted split suffix value values write cancel add flatMap compactMap enumerated zip next get set data
	start stop update init string encode decode hasPrefix hasSuffix lowercased uppercased async sync wait`)

var swiftBuiltins = words(`Any AnyClass AnyHashable AnyObject Array Bool Character ClosedRange CodingKey Codable Collection Comparable CustomDebugStringConvertible
	CustomStringConvertible Decodable Decoder Dictionary Double Encodable Encoder Equatable Error ExpressibleByStringLiteral ExpressibleByArrayLiteral
	ExpressibleByDictionaryLiteral Float Hashable Hasher Identifiable Int Int32 Int64 Iterator IteratorProtocol KeyPath MutableCollection Never ObjectIdentifier Optional
	OptionSet RandomAccessCollection Range RawRepresentable Result Sendable Sequence Set String StaticString Substring UInt UInt8 UInt16 UInt32 UInt64 Void Task MainActor
	abs assert assertionFailure debugPrint fatalError max min precondition preconditionFailure print stride type withUnsafePointer zip Self nil true false
	CaseIterable CheckedContinuation AsyncSequence AsyncStream WritableKeyPath Unmanaged Mirror discardableResult escaping autoclosure available objc inlinable
	newValue oldValue error StringProtocol BinaryInteger Strideable`)

func swiftOuter(j *job, u *unit, name string, _ int) value {
	var found []agenvantage.Node
	for _, n := range j.qualified(name, "swift") {
		if n.File == u.file || j.symbol(n).Visibility != "private" {
			found = append(found, n)
		}
	}
	if len(found) > 0 {
		return j.symbolsValue(j.nearestModule(found, u.file))
	}
	if swiftBuiltins[name] {
		return value{}
	}
	for i := range u.imports {
		if m := &u.imports[i]; m.Path == name || len(j.swiftModule(m.Path)) == 0 {
			return value{kind: external}
		}
	}
	return value{}
}

// nearestModule keeps, of definitions in several modules, those of a file's own: of files below one folder of Sources.
func (j *job) nearestModule(nodes []agenvantage.Node, file uint32) []agenvantage.Node {
	var kept []agenvantage.Node
	own := swiftModuleOf(j.r.files[file].path)
	for _, n := range nodes {
		if swiftModuleOf(j.r.files[n.File].path) == own {
			kept = append(kept, n)
		}
	}
	if len(kept) > 0 {
		return kept
	}
	return nodes
}

// swiftModuleOf is the folder of a module in a package: "Sources/Name", "" outside of one.
func swiftModuleOf(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if (p == "Sources" || p == "Source" || p == "Tests") && i+2 < len(parts) {
			return strings.Join(parts[:i+2], "/")
		}
	}
	return ""
}

// swiftModule is the files that the file uses of a module of the repository.
func (j *job) swiftModule(name string) []uint32 {
	var out []uint32
	for _, e := range j.edges {
		module := swiftModuleOf(j.r.files[e.To.File].path)
		if e.To.File != j.file && module[strings.LastIndexByte(module, '/')+1:] == name {
			out = append(out, e.To.File)
		}
	}
	return out
}

// swiftImports links the file to the files that it uses of the modules that it imports.
func swiftImports(j *job) {
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		first, _, _ := strings.Cut(m.Path, ".")
		j.linkImports(m, value{kind: external}, j.swiftModule(first))
	}
}
