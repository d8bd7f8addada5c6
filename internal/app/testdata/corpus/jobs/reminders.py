"""Reminds members of loans that are overdue."""

import datetime

from jobs.settings import load_settings
from jobs.mail import Outbox


class ReminderJob:
    """Runs once a day."""

    def __init__(self, loans, outbox: Outbox):
        self.loans = loans
        self.outbox = outbox

    def run(self, today: datetime.date) -> int:
        """Send one reminder for each overdue loan and return how many."""
        sent = 0
        for loan in self.loans:
            if loan.due < today and not self._reminded_recently(loan, today):
                self.outbox.send(loan.member, reminder_text(loan))
                sent += 1
        return sent

    def _reminded_recently(self, loan, today) -> bool:
        pause = datetime.timedelta(days=load_settings()["pause_days"])
        return loan.reminded_at is not None and today - loan.reminded_at < pause


def reminder_text(loan) -> str:
    return f"Please bring back {loan.title}: it was due on {loan.due}."
