"""Orders and their totals."""
import os
import json.decoder as decoder
from .base import Record, money as cash
from typing import List

TAX_RATE = 0.2
_cache = {}
left, right = 1, 2

try:
    import ujson
    FAST = True
except ImportError:
    FAST = False


# A plain function.
def total(lines: List["Line"], *, rounded=True) -> float:
    """Sum the lines.

    Rounds to cents.
    """
    subtotal = sum(line.price for line in lines)

    def discount(x):
        # inner remark
        return x * 0.9

    return discount(subtotal)
    # trailing remark of total


@register("order")
@dataclass(frozen=True)
class Order(Record, metaclass=Meta):
    """One order."""

    number: int = 0
    LIMIT = 5

    def __init__(self, number):
        self.number = number

    @property
    def open(self) -> bool:
        return not self._closed()

    @staticmethod
    async def fetch(key: str) -> "Order":
        return await store.get(key)

    def _closed(self):
        return os.path.exists(cash(self))

    class Meta:
        pass


handler = lambda event: total(event)
