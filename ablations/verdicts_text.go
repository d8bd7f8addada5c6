package ablations

import (
	"fmt"
	"io"

	"agenvantage"
)

// WriteVerdicts writes the gate's part of WriteText.
func (r Report) WriteVerdicts(w io.Writer, width int) error {
	if width < 0 || width > maxTextWidth {
		return fmt.Errorf("%w: write verdicts as text: width %d is not between 0 and %d", agenvantage.ErrBadInput, width, maxTextWidth)
	}
	if width == 0 {
		width = defaultTextWidth
	}
	p := textWriter{width: max(width, minTextWidth)}
	newView(r).textVerdicts(&p)
	if _, err := io.WriteString(w, p.b.String()); err != nil {
		return fmt.Errorf("write verdicts as text: %w", err)
	}
	return nil
}
