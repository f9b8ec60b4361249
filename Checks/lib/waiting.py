"""How a check fails, and how it waits."""

import pathlib
import sys
import time

# How long to wait for what must happen at some time, in seconds.
PATIENCE = 20


class Failure(Exception):
    """Something is not as it has to be. Without an `except` it ends the check with exit code 1."""


def fail(what):
    raise Failure(what)


def check(holds, what):
    if not holds:
        raise Failure(what)


# What is called while a check waits. server.py adds that no process has crashed.
watchers = []


def wait(what, condition, limit=PATIENCE, shown=False):
    """Polls until `condition` holds, and returns its result. Fails after `limit` seconds.

    Prints `what` when it has happened, if `shown`.
    """
    end, pause, last = time.monotonic() + limit, 0.002, None
    while time.monotonic() < end:
        for watch in watchers:
            watch()
        last = condition()
        if last:
            if shown:
                print(f"  {what}", flush=True)
            return last
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)
    raise Failure(f"timeout after {limit} s: {what} (last: {str(last)[:300]})")


def printed(kind, problem, trace, otherwise=sys.excepthook):
    """Prints a failure in one line, and any other exception with where it was raised."""
    if issubclass(kind, Failure):
        sys.stdout.flush()
        print(f"{pathlib.Path(sys.argv[0]).name}: {problem}", file=sys.stderr, flush=True)
    else:
        otherwise(kind, problem, trace)


sys.excepthook = printed
