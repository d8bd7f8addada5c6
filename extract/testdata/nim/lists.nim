## A module.
type
  Stack*[T] = object
    items: seq[T]

const Limit* = 3

## Pushes an item.
proc push*[T](s: var Stack[T], item: T) =
  s.items.add(item)

template twice(body: untyped) =
  body
