package app

import (
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// What a library offers is called by its examples and tests alone; a review of a change of it said that it has no callers.
func TestCallersOfALibraryAreInExamples(t *testing.T) {
	const library = "var res = {}\n\nres.redirect = function redirect(url) {\n  var address = url;\n  return address;\n}\n\nmodule.exports = res\n"
	w := newGitWorld(t, files{"lib/response.js": library})
	w.commit("callers", files{
		"examples/auth/index.js": "app.get('/', function (req, res) {\n  res.redirect('/login');\n});\n",
		"test/res.redirect.js":   "it('sends', function () {\n  app.use(function (req, res) {\n    res.redirect('http://example.com');\n  });\n});\n"})
	head := "HEAD"
	w.write(files{"lib/response.js": "var res = {}\n\nres.redirect = function redirect(url) {\n  var address = String(url);\n  return address;\n}\n\nmodule.exports = res\n"})
	p := w.packed(PackRequest{Task: ReviewTask, Preset: agenvantage.TaskReview, FromDiff: &head, Budget: 3000})
	i := slices.IndexFunc(p.Slots, func(s agenvantage.Slot) bool { return s.Name == agenvantage.SlotCallers })
	if s := p.Slots[i]; s.State != agenvantage.SlotFilled || !strings.HasPrefix(s.Coverage, "2 call sites") {
		t.Errorf("%s: %s", s.State, s.Coverage)
	}
	if lines := linesShown(p, "examples/auth/index.js"); !slices.Contains(lines, 2) {
		t.Errorf("the example is not shown: %s", places(p))
	}
}
