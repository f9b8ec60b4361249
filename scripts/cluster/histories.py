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


def wrong_counts(reads, appends):
    """The reads of a number that only grows which saw too little or too much.

    A read sees at least what was acknowledged before its call, and at most what was called before its
    return.
    """
    acknowledged = sorted(op.back for op in appends if op.back != FOREVER)
    called = sorted(op.call for op in appends)
    wrong = []
    for read in reads:
        least = count_below(acknowledged, read.call)
        most = count_below(called, read.back)
        if not least <= read.value <= most:
            wrong.append((read, least, most))
    return wrong


def count_below(numbers, bound):
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


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
    appends = [w(0, 0, 1), w(0, 2, 3), w(0, 4)]
    assert not wrong_counts([r(1, 1.5, 1.7), r(2, 5, 6), r(3, 5, 6), r(1, 2.5, 2.6)], appends)
    assert len(wrong_counts([r(0, 1.5, 1.7), r(1, 3.5, 6), r(2, 1.2, 1.4)], appends)) == 3


if __name__ == "__main__":
    check_itself()
