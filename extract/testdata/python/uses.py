import os.path as p, sys
from . import x
from ..a.b import (c as d, e)
from m import *
LIMIT: int = 3
handler = make(LIMIT)
class A(Base, m.Meta, metaclass=ABCMeta):
    kind = Thing()
    other: "Foo" = None
    def __init__(self, db: Database, *args, n=3, k: int = 4, **kw) -> None:
        self.db = db
        self.cache: Dict[str, Item] = {}
        super().__init__(db)
    @property
    def item(self) -> "Item":
        return self.db.open(n)[0].item
def f(xs: list[Foo], g=LIMIT):
    a, b = g()
    for x in xs:
        x.run(handler, key=LIMIT)
    with open(p) as fh, Lock() as l2:
        fh.read()
    try:
        pass
    except (ValueError, KeyError) as e:
        raise Problem(e) from LIMIT
    except m.Err as e2:
        e2.x
    z = [y.name for y in xs if y is not LIMIT]
    if (q := compute()) == LIMIT and isinstance(q, Foo):
        return {"a": LIMIT, LIMIT: [handler]}
    global LIMIT
    return lambda t: t.go(LIMIT + 1)
