package agenvantage

// QueryClass is the kind of a question. It decides channel weights and limits.
type QueryClass string

// The classes.
const (
	ClassIdentifier QueryClass = "identifier" // one name, qualified or not: Mux.ServeHTTP, load_user
	ClassPath       QueryClass = "path"       // a path, path:line or a diff
	ClassPhrase     QueryClass = "phrase"     // a few plain words, or anything in quotes
	ClassQuestion   QueryClass = "question"   // a sentence
	ClassIssue      QueryClass = "issue"      // a long text: more than 40 words
	ClassTrace      QueryClass = "trace"      // holds stack frames
	ClassRegex      QueryClass = "regex"      // /…/ or --regex
)

// IsReport reports whether questions of the class are long texts, which are about files before they are about lines.
func (c QueryClass) IsReport() bool { return c == ClassIssue || c == ClassTrace }

// Query is a question as read by plan.Parse. Text is what the user wrote, bounded; the rest are its parts in the order
// in which they stand, without repeats.
type Query struct {
	Text        string
	Class       QueryClass
	Terms       []Term   // for the lexical channels: normalised, stop words left out
	Identifiers []string // code-looking names as written: camelCase, snake_case, CONSTANT, a lone word
	Qualified   []string // names with qualifiers as written: Mux.ServeHTTP, a::b
	Phrases     []string // quoted strings, without their quotes
	Regex       string   // RE2 syntax, "" when the query is not one
	Paths       []string // path-looking words: src/main.py, cli.go
	Frames      []Frame  // path:line places
	Literal     string   // the whole trimmed query, when it is short enough (256 bytes) to be looked for as it stands
	Short       bool     // 40 words or fewer, or a diff, and no expression: the places in Frames are what is asked for, and not what a report mentions
	Hunks       []Hunk   // of a question that is a diff; Frames are their places by number
	Message     string   // Text, when it may be what a program said, with values filled in; "" otherwise
	Near        []Near   // words that may stand for one of Terms; bm25f alone asks for them
}

// Near is an index term that may stand where a term of the query does. An occurrence of it counts as Weight occurrences of that term.
type Near struct {
	Text   string
	For    string // the Text of one of Query.Terms
	Weight float64
	Source NearSource
}

// NearSource is what tells that a word may stand for another one.
type NearSource string

// The sources.
const (
	NearModel   NearSource = ""        // vectors: words of nearly the same meaning
	NearForm    NearSource = "form"    // grammar: another form of the word, asked for where few chunks hold the word itself
	NearSynonym NearSource = "synonym" // a table
)

// Term is one lexical term with the number of times that the query holds it.
type Term struct {
	Text  string
	Count int
	Part  bool // a part of an identifier that is in Terms as a whole too
}

// Frame is a place named by the query, as in a stack trace. Function is "" when the frame names none; EndLine is the last line of a
// range, 0 for Line alone.
type Frame struct {
	Path     string
	Line     int
	Function string
	EndLine  int
}

// Hunk is a run of lines of a pasted diff. Paths are "" where the diff names none (or /dev/null), lines are 1-based, and a range that was not
// read is 0.
type Hunk struct {
	OldPath, NewPath   string
	OldStart, OldLines int
	NewStart, NewLines int
	Function           string   // of the header, as a name; may be ""
	Lines              []string // each with its mark: ' ', '-' or '+'
}

// AsksForPlaces reports whether the places that the query names are what it asks for, whatever else it says.
func (q Query) AsksForPlaces() bool { return q.Short && len(q.Frames)+len(q.Hunks) > 0 }

// Filter restricts the corpus. Channels apply it before they cut their list. The zero Filter lets everything through.
type Filter struct {
	Paths    []string // root-relative globs with **; a folder's name means all below it; any may match
	NotPaths []string // none may match
	Langs    []string // language ids; any
	Kinds    []SymbolKind
}

// Empty reports whether f lets everything through.
func (f Filter) Empty() bool {
	return len(f.Paths) == 0 && len(f.NotPaths) == 0 && len(f.Langs) == 0 && len(f.Kinds) == 0
}
