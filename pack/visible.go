package pack

import "agenvantage/internal/visible"

// Visible is a rendered pack for a terminal: line feeds and tabs stay, and everything else that a terminal would obey or that
// cannot be seen (visible.Hidden) is written as an escape. What is shown so is for people: where escapes were needed it is no longer
// the exact text.
func Visible(markdown string) string {
	return visible.Escape(markdown, func(r rune) bool { return visible.Hidden(r) && r != '\n' && r != '\t' })
}
