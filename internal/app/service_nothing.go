package app

import (
	"cmp"

	"agenvantage"
)

// OnlyByMeaning says why a search found nothing where vectors alone were asked; ok is false where other channels were. like says that the
// question was a place (SearchRequest.Like), for which there are no others. try is what else may find something.
func OnlyByMeaning(r agenvantage.Response, like bool) (try, why string, ok bool) {
	var semantic *agenvantage.ChannelReport
	for i, c := range r.Channels {
		switch {
		case c.Status == agenvantage.StatusOff:
		case c.Name != semanticChannel:
			return "", "", false
		default:
			semantic = &r.Channels[i]
		}
	}
	if semantic == nil {
		return "", "", false
	}
	try = "other channels"
	if like {
		try = "another place"
	}
	if semantic.Note == "" {
		try += ", or a lower semantic.floor"
	}
	return try, cmp.Or(semantic.Note, "nothing is near enough"), true
}
