// Package server lends books to members and takes them back.
package server

import (
	"errors"
	"time"
)

// ErrAlreadyLent means that another member has the book.
var ErrAlreadyLent = errors.New("book already lent")

// loanPeriod is how long a member may keep a book.
const loanPeriod = 21 * 24 * time.Hour

// Loan is one book in the hands of one member.
type Loan struct {
	ISBN   string
	Member string
	Due    time.Time
}

// Overdue reports whether the due date has passed.
func (l Loan) Overdue(now time.Time) bool { return now.After(l.Due) }

// Ledger keeps the open loans by ISBN.
type Ledger struct {
	open map[string]Loan
}

// Lend gives a book to a member. A book that someone else has is ErrAlreadyLent.
func (l *Ledger) Lend(isbn, member string, now time.Time) (Loan, error) {
	if held, ok := l.open[isbn]; ok && held.Member != member {
		return Loan{}, ErrAlreadyLent
	}
	loan := Loan{ISBN: isbn, Member: member, Due: now.Add(loanPeriod)}
	l.open[isbn] = loan
	return loan, nil
}

// Return takes a book back and says what the member owes.
func (l *Ledger) Return(isbn string, now time.Time) int {
	loan, ok := l.open[isbn]
	if !ok {
		return 0
	}
	delete(l.open, isbn)
	return lateFee(loan, now)
}
