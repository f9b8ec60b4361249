"""Reads what the Swift runtime prints when a process crashes: on standard error, so it is in the log."""

import re
from typing import NamedTuple

BEGIN = re.compile(r"(?m)^(?:\*\*\* Signal \d+: Backtracing|\*\*\* Program crashed: |.*\bFatal error: )")
# The first line, with the signal.
SIGNAL = re.compile(r"(?m)^\*\*\* Signal (\d+): Backtracing")
FAULT = re.compile(r"(?m)^\*\*\* Program crashed: (.*?)(?: \*\*\*)?$")
THREAD = re.compile(r"(?m)^Thread \d+.* crashed:\n\n((?:.+\n?)*)")
FRAME = re.compile(r"(?m)^ *\d+ +(?:\[[^]]*\] +)*(0x[0-9a-f]+)(?: (.*?)(?: \+ \d+)? in (\S+))?")
STACK = re.compile(r"(?m)^rsp 0x[0-9a-f]+ +((?:[0-9a-f]{2} ){8})")
IMAGE = re.compile(r"(?m)^(0x[0-9a-f]+)–(0x[0-9a-f]+) (\S+) +(\S+) +(/.*)$")
# The lines of a log that are printed with a crash without a backtrace, and before a backtrace.
LAST, BEFORE = 30, 5


class Frame(NamedTuple):
    address: int
    # Without a symbol both are empty.
    function: str
    image: str


class Image(NamedTuple):
    begin: int
    end: int
    build: str
    name: str


class Backtrace(NamedTuple):
    # Such as "Bad pointer dereference at 0x0000000000000000".
    fault: str
    # Of the thread that crashed; the function that crashed is the first one.
    frames: list
    # What was at the top of its stack: where the function returns to, if it has stored nothing.
    stack: int | None
    # The program and its libraries.
    images: list

    def place(self, address):
        """The image that an address is in, and the place in it."""
        for image in self.images:
            if image.begin <= address < image.end:
                return image, address - image.begin
        return None, None


def backtrace(log):
    """The last backtrace of a log; `None` if there is none."""
    faults = list(FAULT.finditer(log))
    if not faults:
        return None
    text = log[faults[-1].start():]
    thread, stack = THREAD.search(text), STACK.search(text)
    return Backtrace(
        faults[-1][1],
        [Frame(int(address, 16), function, image)
         for address, function, image in FRAME.findall(thread[1])] if thread else [],
        int.from_bytes(bytes.fromhex(stack[1]), "little") if stack else None,
        [Image(int(begin, 16), int(end, 16), build, name)
         for begin, end, build, name, _ in IMAGE.findall(text)])


def report(log):
    """What a log says of a crash: the message and the thread that crashed, or the last lines."""
    begins = [found.start() for found in BEGIN.finditer(log)]
    if not begins:
        lines = log.splitlines()[-LAST:]
        return "\n".join(["there is no backtrace; the last lines of the log:", *lines])
    # A message comes right before its backtrace.
    begin = next(place for place in begins if log.count("\n", place, begins[-1]) < 10)
    head, thread = log[begin:].split("\nThread ", 1)[0], THREAD.search(log, begins[-1])
    return "\n".join([*log[:begin].splitlines()[-BEFORE:], head[:4000], thread[0] if thread else "no thread is named"])
