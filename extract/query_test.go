package extract

import "testing"

// TestQueriesCompile compiles the query of every language of the table.
func TestQueriesCompile(t *testing.T) {
	for _, l := range languages {
		t.Run(l.id, func(t *testing.T) {
			if _, err := load(l.id); err != nil {
				t.Error(err)
			}
		})
	}
}
