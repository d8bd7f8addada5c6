package server

import "time"

// centsPerDay is the late fee for each day.
const centsPerDay = 20

// lateFee is what a member owes for a loan that comes back too late, in cents.
func lateFee(l Loan, now time.Time) int {
	if !l.Overdue(now) {
		return 0
	}
	days := int(now.Sub(l.Due).Hours() / 24)
	return days * centsPerDay
}
