"""Checks histories of clients: whether what they saw could have been done one after another.

An operation has the time of its call and of its return. A write that may or may not have been done
has no return: it may take effect at any time after its call, or never.
"""

from dataclasses import dataclass

FOREVER = float("inf")


@dataclass(frozen=True)
class Operation:
    kind: str  # "read" or "write"
    value: object
    call: float
    back: float = FOREVER


def linearizable(history, initial):
    """Whether operations on one register are linearizable.

    Wing and Gong's search with the memory of Lowe: tries each operation that may be next, and never
    the same set of finished operations with the same value twice. Each value is written once.
    """
    read = {op.value for op in history if op.kind == "read"}
    # A write that may not have been done, and that no read has seen, is left out.
    history = sorted(
        (op for op in history if op.back != FOREVER or op.value in read), key=lambda op: op.call)
    total = len(history)
    seen = set()
    # Each state: how many of the first operations are done, others that are done, and the value.
    stack = [(0, frozenset(), initial)]
    while stack:
        start, ahead, value = stack.pop()
        while start < total and start in ahead:
            ahead = ahead - {start}
            start += 1
        if start == total:
            return True
        if (start, ahead, value) in seen:
            continue
        seen.add((start, ahead, value))
        # The next one was called before any that is not done has returned.
        limit = FOREVER
        candidates = []
        for index in range(start, total):
            op = history[index]
            if op.call > limit:
                break
            if index in ahead:
                continue
            candidates.append(index)
            limit = min(limit, op.back)
        for index in reversed(candidates):
            op = history[index]
            if op.call > limit:
                continue
            if op.kind == "read":
                if op.value == value:
                    stack.append((start, ahead | {index}, value))
            else:
                stack.append((start, ahead | {index}, op.value))
    return False


def wrong_appends(order, appends, reads):
    """What is wrong with operations on a list to which values are only appended; empty if nothing.

    `order` has all values in the order in which they are in the list at the end. The value of a read
    is how many it has seen, or the tuple of them. The moment of each append must be after its call,
    after the moment of the append before it, and after the call of each read that has not seen it;
    and before its return and the return of each read that has seen it.
    """
    by_value, stored = {op.value: op for op in appends}, set(order)
    faults = [("was acknowledged and is lost", op) for op in appends
              if op.back != FOREVER and op.value not in stored]
    faults += [("is there, and no client has sent it", value) for value in order if value not in by_value]
    if faults or len(stored) < len(order):
        return faults or [("there is a value twice", order)]
    earliest = [by_value[value] for value in order]
    latest = list(earliest)
    for read in reads:
        count = len(read.value) if isinstance(read.value, tuple) else read.value
        if count > len(order) or isinstance(read.value, tuple) and list(read.value) != list(order[:count]):
            faults.append(("has seen what does not begin the list", read))
            continue
        if count < len(order) and read.call > earliest[count].call:
            earliest[count] = read
        if count > 0 and read.back < latest[count - 1].back:
            latest[count - 1] = read
    # Each append happens as early as it can.
    last = None
    for soonest, end in zip(earliest, latest):
        last = soonest if last is None or soonest.call > last.call else last
        if last.call > end.back:
            faults.append(("cannot be before the other one", last, end))
    return faults


def check_itself():
    """The checkers find what is wrong, and accept what is right."""
    w, r = (lambda v, c, b=FOREVER: Operation("write", v, c, b)), (lambda v, c, b: Operation("read", v, c, b))
    good = [
        [w(1, 0, 1), r(1, 2, 3)],
        [w(1, 0, 5), r(0, 1, 2), r(1, 3, 4)],
        [w(1, 0), r(0, 1, 2), r(1, 3, 4), r(1, 5, 6)],
        [w(1, 0), r(0, 1, 2), r(0, 3, 4)],
        [w(1, 0, 3), w(2, 1, 4), r(2, 5, 6), r(2, 7, 8)],
        [w(1, 0, 3), w(2, 1, 4), r(1, 2, 5), r(2, 6, 7)],
    ]
    bad = [
        [w(1, 0, 1), r(0, 2, 3)],
        [w(1, 0, 5), r(1, 1, 2), r(0, 3, 4)],
        [w(1, 0), r(1, 1, 2), r(0, 3, 4)],
        [w(1, 0, 1), w(2, 2, 3), r(1, 4, 5)],
        [w(1, 0, 3), w(2, 1, 4), r(2, 5, 6), r(1, 7, 8)],
    ]
    for history in good:
        assert linearizable(history, 0), history
    for history in bad:
        assert not linearizable(history, 0), history
    check_appends(w, r)


def check_appends(w, r):
    """The same for lists. The value of a write is its name; that of a read is a number, or names."""
    a, b, c = w("a", 0, 1), w("b", 2, 3), w("c", 4)
    slow, next = w("a", 0, 9), w("b", 3, 4)
    good = [
        ("abc", [a, b, c], [r(1, 1.5, 1.7), r(2, 5, 6), r(3, 5, 6), r(1, 2.5, 2.6)]),
        ("ab", [a, b, c], [r(2, 5, 6), r(2, 7, 8)]),
        ("a", [w("a", 0, 9)], [r(0, 1, 2), r(1, 3, 4), r(1, 5, 6)]),
        ("a", [w("a", 0)], [r(1, 2, 5), r(0, 3, 4), r(1, 6, 7)]),
        ("ab", [slow, next], [r(1, 1, 2), r(2, 5, 6)]),
        ("ba", [slow, next], [r(0, 1, 2), r(1, 5, 6), r(("b",), 7, 8), r(("b", "a"), 8.5, 9)]),
        ("", [c], [r(0, 5, 6)]),
    ]
    bad = [
        # Less than was acknowledged, or more than was sent.
        ("ab", [a, b], [r(0, 1.5, 1.7)]),
        ("ab", [a, b], [r(1, 3.5, 6)]),
        ("ab", [a, b], [r(2, 1.2, 1.4)]),
        ("ab", [a, b], [r(3, 5, 6)]),
        # Less than a read before it.
        ("a", [w("a", 0, 9)], [r(1, 2, 3), r(0, 4, 5)]),
        ("a", [w("a", 0)], [r(1, 2, 3), r(0, 4, 5)]),
        # Each number is possible, also for the pair, but not with the append between them.
        ("ab", [slow, next], [r(1, 1, 2), r(1, 5, 6)]),
        ("ba", [slow, next], [r(1, 1, 2), r(1, 5, 6)]),
        # Another order than that of the appends, or of the reads.
        ("ba", [a, b], []),
        ("ba", [w("a", 0, 9), w("b", 0, 9)], [r(("a",), 1, 2), r(("b", "a"), 3, 4)]),
        ("ab", [w("a", 0, 9), w("b", 0, 9)], [r(("b",), 1, 2)]),
        # Lost, doubled and never sent.
        ("b", [a, b], []),
        ("aab", [a, b], []),
        ("abc", [a, b], []),
    ]
    for order, appends, reads in good:
        assert not wrong_appends(list(order), appends, reads), (order, appends, reads)
    for order, appends, reads in bad:
        assert wrong_appends(list(order), appends, reads), (order, appends, reads)


if __name__ == "__main__":
    check_itself()
