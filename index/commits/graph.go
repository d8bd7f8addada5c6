package commits

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"
)

// graph is every stored row with its parents as row numbers.
type graph struct{ rows []row }

// missing stands for a parent that is not stored.
const missing = -1

// readGraph reads the rows that q sees, and checks that there are next of them.
func readGraph(q *sql.Tx, next int) (*graph, error) {
	g := &graph{rows: make([]row, 0, next)}
	blocks, err := q.Query(`SELECT first, facts FROM blocks ORDER BY first`)
	if err != nil {
		return nil, err
	}
	defer blocks.Close()
	for blocks.Next() {
		var first int
		var facts sql.RawBytes
		if err := blocks.Scan(&first, &facts); err != nil {
			return nil, err
		}
		if first != len(g.rows) {
			return nil, fmt.Errorf("%w: a block begins at %d after %d rows", ErrCorrupt, first, len(g.rows))
		}
		rows, err := decodeBlock(facts, first)
		if err != nil {
			return nil, err
		}
		g.rows = append(g.rows, rows...)
	}
	if err := blocks.Err(); err != nil {
		return nil, err
	}
	if len(g.rows) != next {
		return nil, fmt.Errorf("%w: %d rows, want %d", ErrCorrupt, len(g.rows), next)
	}
	g.link()
	return g, nil
}

// link finds the rows of parents that are known by their ids: those in other blocks, a few in a hundred.
func (g *graph) link() {
	wanted := map[string]int{}
	for i := range g.rows {
		for _, p := range g.rows[i].parents {
			if p.row < 0 {
				wanted[p.id] = missing
			}
		}
	}
	for i := range g.rows {
		if _, ok := wanted[g.rows[i].id]; ok {
			wanted[g.rows[i].id] = i
		}
	}
	for i := range g.rows {
		parents := g.rows[i].parents
		for j := range parents {
			if parents[j].row < 0 {
				parents[j].row = wanted[parents[j].id]
			}
		}
	}
}

// find is the row of a raw id, missing when it is not stored.
func (g *graph) find(id string) int {
	for i := range g.rows {
		if g.rows[i].id == id {
			return i
		}
	}
	return missing
}

// reach marks the rows that are tips or ancestors of them, and counts their parents that are not stored.
func (g *graph) reach(tips ...int) (live []bool, lacking int) {
	live = make([]bool, len(g.rows))
	var stack []int
	for _, t := range tips {
		if t >= 0 && !live[t] {
			live[t] = true
			stack = append(stack, t)
		}
	}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.rows[at].flags&flagCut != 0 {
			continue
		}
		for _, p := range g.rows[at].parents {
			switch {
			case p.row < 0:
				lacking++
			case !live[p.row]:
				live[p.row] = true
				stack = append(stack, p.row)
			}
		}
	}
	return live, lacking
}

// order lists the live rows newest first, every commit before its ancestors: by time, where a commit counts as at least one
// second later than its parents (clocks differ, and a rebase gives many commits one second), then by id. It depends on
// the commits alone, not on the order in which they came.
func (g *graph) order(live []bool) []int {
	times := make([]int64, len(g.rows))
	done := make([]bool, len(g.rows))
	var stack []int
	rows := make([]int, 0, len(g.rows))
	for start := range g.rows {
		if !live[start] || done[start] {
			continue
		}
		for stack = append(stack, start); len(stack) > 0; {
			at := stack[len(stack)-1]
			ready, latest := true, g.rows[at].time
			for _, p := range g.rows[at].parents {
				if p.row < 0 || !live[p.row] {
					continue
				}
				if !done[p.row] {
					ready = false
					stack = append(stack, p.row)
				} else {
					latest = max(latest, times[p.row]+1)
				}
			}
			if !ready {
				continue
			}
			stack = stack[:len(stack)-1]
			if !done[at] {
				done[at], times[at] = true, latest
				rows = append(rows, at)
			}
		}
	}
	slices.SortFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(g.rows[a].id, g.rows[b].id))
	})
	return rows
}
