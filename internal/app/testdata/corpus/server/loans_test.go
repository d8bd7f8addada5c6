package server

import (
	"errors"
	"testing"
	"time"
)

func TestLendTwice(t *testing.T) {
	ledger := &Ledger{open: map[string]Loan{}}
	if _, err := ledger.Lend("9780", "ada", time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Lend("9780", "bob", time.Now()); !errors.Is(err, ErrAlreadyLent) {
		t.Errorf("%v, want ErrAlreadyLent", err)
	}
}
