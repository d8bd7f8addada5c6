package app

import (
	"agenvantage"
	"agenvantage/graph"
	"agenvantage/index"
)

// maxResolvedAgain bounds how often the references of a file are resolved again to learn why they have no edge: some
// milliseconds each. Beyond it the reason is unknown.
const maxResolvedAgain = 48

// resolvedAgain resolves some references of files as if the others were not there. What a file declares stays.
type resolvedAgain struct {
	*corpus
	resolver index.LinkResolver
	file     uint32
	only     map[agenvantage.Reference]bool
	whole    map[uint32]bool // files whose facts were read last: their references are asked for next, for the cache of the resolver
	count    int
}

// Facts implements index.LinkCorpus.
func (r *resolvedAgain) Facts(f uint32) (*agenvantage.Extraction, error) {
	r.whole[f] = true
	return r.corpus.Facts(f)
}

// Uses implements index.LinkCorpus.
func (r *resolvedAgain) Uses(f uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	refs, bindings, err := r.corpus.Uses(f)
	if whole := r.whole[f]; err != nil || f != r.file || whole {
		delete(r.whole, f)
		return refs, bindings, err
	}
	kept := make([]agenvantage.Reference, 0, len(r.only))
	for _, ref := range refs {
		if r.only[ref] {
			kept = append(kept, ref)
		}
	}
	return kept, bindings, nil
}

// resolve finds the edges of references of a file, and counts by reason those that have none. ok is false when the bound is
// reached or the resolver fails.
func (r *resolvedAgain) resolve(f uint32, refs []agenvantage.Reference) (links index.Links, ok bool, err error) {
	if r.count++; r.count > maxResolvedAgain {
		return links, false, nil
	}
	if r.resolver == nil {
		r.resolver, r.whole = linker{}.Resolver(r), map[uint32]bool{}
	}
	r.file, r.only = f, make(map[agenvantage.Reference]bool, len(refs))
	for _, ref := range refs {
		r.only[ref] = true
	}
	defer func() {
		if recover() != nil { // as the index does with a file that its resolver cannot take
			links, ok, err = index.Links{}, false, nil
		}
	}()
	links, err = r.resolver.Resolve(f)
	return links, err == nil, err
}

// outsideReasons are those of references that lead out of the repository, as far as the resolver knows.
var outsideReasons = map[string]bool{string(graph.ReasonExternal): true, string(graph.ReasonBuiltin): true}
