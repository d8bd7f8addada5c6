package rerank

import (
	"slices"

	"agenvantage"
)

// ByFile orders candidates by the files that they are in: the best span of a file has the file's score, a further one the part
// of it that its own score is of the best one's, as a part named place_in_file. Roles are demoted as in ApplyFeatures. A
// candidate keeps what the channels said of it; its Share is what the channel's list of files gave. Candidates of files that
// are not among files are left out, and so are files without a candidate. The order is that of agenvantage.CompareCandidates;
// those given are not changed.
func ByFile(candidates, files []agenvantage.Candidate, facts FileReader, query agenvantage.Query, o FeatureOptions) []agenvantage.Candidate {
	best := map[uint32]float64{}
	for _, c := range candidates {
		best[c.File] = max(best[c.File], c.Score)
	}
	voted := make(map[uint32]*agenvantage.Candidate, len(files))
	for i := range files {
		voted[files[i].File] = &files[i]
	}
	asked := rolesAskedFor(query)
	out := make([]agenvantage.Candidate, 0, len(candidates))
	for _, c := range candidates {
		file := voted[c.File]
		if file == nil {
			continue
		}
		share := 1.0
		if best[c.File] > 0 {
			share = c.Score / best[c.File]
		}
		c.Score, c.Parts = file.Score, slices.Clone(file.Parts)
		c.Channels = withShares(c.Channels, file.Channels)
		scale(&c, "place_in_file", share)
		demote(&c, facts, asked, o.Roles)
		out = append(out, c)
	}
	demoteDeclarations(out, facts, o)
	slices.SortFunc(out, agenvantage.CompareCandidates)
	addFileNames(out, facts, query, o)
	slices.SortFunc(out, agenvantage.CompareCandidates)
	return out
}

// withShares is what channels said of a span, with the shares of its file.
func withShares(span, file map[string]agenvantage.ChannelRank) map[string]agenvantage.ChannelRank {
	out := make(map[string]agenvantage.ChannelRank, len(span))
	for name, r := range span {
		r.Share = file[name].Share
		out[name] = r
	}
	return out
}
