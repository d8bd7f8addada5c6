package app

import (
	"context"
	"slices"
	"strings"

	"agenvantage"
)

// Languages without edges get theirs for the map alone by equal names, as aider's map does: a reference leads to every
// definition of its last word in the same language, when these are few. They rank files and symbols; they are no part of the
// graph, and are as unsure as they look.

// maxNamesakes is how many files may define a name that still says something (aider's bound).
const maxNamesakes = 5

// linkByName adds uses to the code files of languages in which no file has edges.
func linkByName(ctx context.Context, c *corpus, o *overview, uses [][]use, linked []bool) error {
	has := map[string]bool{}
	for f := range o.Files {
		if linked[f] && o.Files[f].Code {
			has[langFamily(c.Lang(uint32(f)))] = true
		}
	}
	open := make([]bool, len(o.Files))
	any := false
	for f := range o.Files {
		open[f] = o.Files[f].Code && !has[langFamily(c.Lang(uint32(f)))]
		any = any || open[f]
	}
	if !any {
		return nil
	}
	defined, err := definedNames(ctx, c, o, open)
	if err != nil {
		return err
	}
	return eachFile(ctx, len(o.Files), func(f uint32) error {
		if !open[f] {
			return nil
		}
		refs, err := c.References(f)
		if err != nil {
			return err
		}
		var edges []agenvantage.Edge
		for _, r := range refs {
			family := langFamily(c.Lang(f))
			nodes := defined[family+" "+lastWord(r.Name)]
			if len(nodes) == 0 || len(nodes) > maxNamesakes || slices.ContainsFunc(nodes, func(n agenvantage.Node) bool { return n.File == f }) {
				continue
			}
			e := agenvantage.Edge{From: agenvantage.Node{File: f, Symbol: -1}, Kind: agenvantage.EdgeReferences, Line: r.Line, Confidence: agenvantage.ByName}
			if r.Kind == agenvantage.RefCall || r.Kind == agenvantage.RefInherit || r.Kind == agenvantage.RefImplements {
				e.Kind = agenvantage.EdgeCalls
			}
			if len(nodes) == 1 {
				e.Confidence = agenvantage.ByUnique
			}
			for _, n := range nodes {
				e.To = n
				edges = append(edges, e)
			}
		}
		uses[f] = append(uses[f], gatherUses(f, edges)...)
		slices.SortStableFunc(uses[f], compareUses)
		return nil
	})
}

// definedNames maps "family name" to its definitions outside of tests, in the order of files.
func definedNames(ctx context.Context, c *corpus, o *overview, open []bool) (map[string][]agenvantage.Node, error) {
	names := make([][]string, len(o.Files))
	err := eachFile(ctx, len(o.Files), func(f uint32) error {
		if !open[f] || len(o.Files[f].Definitions) == 0 {
			return nil
		}
		x, err := c.Facts(f)
		if err != nil {
			return err
		}
		for _, d := range o.Files[f].Definitions {
			names[f] = append(names[f], x.Symbols[d.Symbol].Name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	defined := map[string][]agenvantage.Node{}
	for f := range names {
		_, share := auxiliary(o.Files[f].Path)
		if share < 0.2 {
			continue // examples define the names of the product again
		}
		for i, name := range names[f] {
			if len(name) > 2 {
				key := langFamily(c.Lang(uint32(f))) + " " + name
				defined[key] = append(defined[key], agenvantage.Node{File: uint32(f), Symbol: o.Files[f].Definitions[i].Symbol})
			}
		}
	}
	return defined, nil
}

// langFamily joins languages that use each other's definitions.
func langFamily(lang string) string {
	switch lang {
	case "typescript", "tsx", "vue", "svelte":
		return "javascript"
	case "kotlin", "scala", "groovy":
		return "java"
	case "cpp", "objective-c":
		return "c"
	}
	return lang
}

// lastWord is the last part of a name with qualifiers.
func lastWord(name string) string {
	i := strings.LastIndexFunc(name, func(r rune) bool { return r == '.' || r == ':' || r == '>' || r == '/' || r == '\\' })
	return name[i+1:]
}
