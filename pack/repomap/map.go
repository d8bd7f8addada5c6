package repomap

import "agenvantage"

// Map is what fits into the budget, in the order of the text.
type Map struct {
	Scope        string         `json:"scope,omitempty"` // folder or file that the map is of; absent for the whole repository
	Task         string         `json:"task,omitempty"`
	Name         string         `json:"name,omitempty"`
	About        *Fact          `json:"about,omitempty"` // what the repository says that it is
	Files        int            `json:"files"`
	Lines        int            `json:"lines"`
	Languages    []Language     `json:"languages"`
	Generated    int            `json:"generated"` // files whose symbols are left out
	Vendored     int            `json:"vendored"`  // files whose symbols are left out
	Instructions []Fact         `json:"instructions"`
	Commands     []Fact         `json:"commands"` // as the repository's own files state them
	EntryPoints  []Fact         `json:"entry_points"`
	Modules      []ShownModule  `json:"modules"`
	Neighbours   []Neighbour    `json:"neighbours"` // modules outside of the scope
	Tests        []TestFolder   `json:"tests"`
	Landmarks    []Fact         `json:"landmarks"`
	LeftOut      map[string]int `json:"left_out"` // what the budget did not hold, by section; symbols count on their own
	Budget       int            `json:"budget"`
	Tokens       int            `json:"tokens"` // of the text

	Text string `json:"-"` // the rendered map: at least how many files and lines there are, where that fits
}

// ShownModule is a folder with code as the map shows it.
type ShownModule struct {
	Path      string        `json:"path"`
	Files     int           `json:"files"`
	Lines     int           `json:"lines"`
	Languages []string      `json:"languages"`
	Purpose   *Fact         `json:"purpose,omitempty"`
	Public    int           `json:"public_symbols"`
	Symbols   []ShownSymbol `json:"symbols"`
	Uses      []Relation    `json:"uses"`
}

// ShownSymbol is a definition that others use.
type ShownSymbol struct {
	Name      string                 `json:"name"`
	Kind      agenvantage.SymbolKind `json:"kind"`
	Signature string                 `json:"signature"`
	Path      string                 `json:"path"`
	Line      int                    `json:"line"`
}
