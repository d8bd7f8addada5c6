// Package topk keeps the first of many values in an order, in memory for those alone.
package topk

import "slices"

// List keeps the first k of the values that it is given, by a total order: a heap whose root is the last one kept. It is for one
// goroutine.
type List[T any] struct {
	k       int
	compare func(a, b T) int
	heap    []T
}

// New makes a list for k values, at least 1; compare is below 0 where a comes before b.
func New[T any](k int, compare func(a, b T) int) *List[T] {
	return &List[T]{k: k, compare: compare, heap: make([]T, 0, min(k, 1024))}
}

// Last is the last of the values kept, once there are k of them: what does not come before it is not among the first.
func (l *List[T]) Last() (last T, full bool) {
	if len(l.heap) < l.k {
		return last, false
	}
	return l.heap[0], true
}

// Add takes a value in, if it is one of the first k so far.
func (l *List[T]) Add(v T) {
	if len(l.heap) < l.k {
		l.heap = append(l.heap, v)
		for i := len(l.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if l.compare(l.heap[i], l.heap[parent]) <= 0 {
				break
			}
			l.heap[i], l.heap[parent] = l.heap[parent], l.heap[i]
			i = parent
		}
		return
	}
	if l.compare(v, l.heap[0]) >= 0 {
		return
	}
	l.heap[0] = v
	for i := 0; ; {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(l.heap); child++ {
			if l.compare(l.heap[child], l.heap[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		l.heap[i], l.heap[last] = l.heap[last], l.heap[i]
		i = last
	}
}

// Sorted returns what was kept, first things first. Nothing may be added after it.
func (l *List[T]) Sorted() []T {
	slices.SortFunc(l.heap, l.compare)
	return l.heap
}
