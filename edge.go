package agenvantage

// EdgeKind is a relation between two nodes of the code graph. The set is closed: --edges accepts exactly these.
type EdgeKind string

// The kinds of edges, read from the From side: a test tests a symbol, a document documents a symbol or a file.
const (
	EdgeImports    EdgeKind = "imports"    // file → file
	EdgeDefines    EdgeKind = "defines"    // file → symbol, symbol → the symbols inside it
	EdgeCalls      EdgeKind = "calls"      // symbol or file → symbol
	EdgeReferences EdgeKind = "references" // a mention that is no call
	EdgeInherits   EdgeKind = "inherits"
	EdgeImplements EdgeKind = "implements"
	EdgeTests      EdgeKind = "tests"      // test symbol or file → what it tests
	EdgeDocuments  EdgeKind = "documents"  // document → symbol or path that it names
	EdgeConfigures EdgeKind = "configures" // manifest or configuration key → the code that reads it
	EdgeRoutes     EdgeKind = "routes"     // framework route → handler
)

// EdgeKinds lists every kind, sorted.
func EdgeKinds() []EdgeKind {
	return []EdgeKind{EdgeCalls, EdgeConfigures, EdgeDefines, EdgeDocuments, EdgeImplements, EdgeImports, EdgeInherits, EdgeReferences, EdgeRoutes, EdgeTests}
}

// Confidence says what an edge rests on. Larger is surer.
type Confidence uint8

// The confidences.
const (
	ByName   Confidence = 1 // the name alone; there are other definitions with it
	ByUnique Confidence = 2 // the only definition of that name that can be seen from there
	ByScope  Confidence = 3 // scope, import or declared type lead to it
)

// String is the word for c in JSON and text.
func (c Confidence) String() string {
	switch c {
	case ByScope:
		return "resolved"
	case ByUnique:
		return "unique"
	case ByName:
		return "name"
	}
	return ""
}

// Node is a symbol of a file, or the file itself when Symbol is -1. File is the rank of its path in the view.
type Node struct {
	File   uint32
	Symbol int
}

// Edge is one relation. Line is where it shows in the file of From.
type Edge struct {
	From, To   Node
	Kind       EdgeKind
	Line       int
	Confidence Confidence
}
