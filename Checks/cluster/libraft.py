"""The known fault of libraft, and whether a crash of a node is that one.

https://github.com/canonical/raft/issues/350: a replica that has lost its leader while it stored an
entry answers it nevertheless, and takes the length of the address that it does not have any more.
The functions are strlen, uvClientInit, UvSend, sendAppendEntriesResult and appendFollowerCb.

Debian's libraft has no names of functions, and keeps no frame pointers, so that a backtrace ends at
strlen. There the fault is the call of strlen at one place in one build of the library.
"""

import re
import signal
import subprocess

from lib.crashes import backtrace

PACKAGE = "libraft2"
# The build of each version with the fault, and where strlen returns to in uvClientInit.
BUILDS = {"0.15.0-1": ("83b85e244fd2119ea68156e1db054ad3c55162f3", 0x1D706)}
FUNCTIONS = ["uvClientInit", "uvGetClient", "UvSend", "sendAppendEntriesResult"]
STRLEN = re.compile(r"(__)?strlen(_\w+)?$")
NULL = "Bad pointer dereference at 0x0000000000000000"


def installed():
    """The version of the package; `None` if it is not known."""
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", PACKAGE], capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() or None


def is_known(number, log, version):
    """Whether a crash by a signal, with the backtrace in a log, is the known fault of a version."""
    found = backtrace(log)
    if version not in BUILDS or number != signal.SIGSEGV or found is None or found.fault != NULL:
        return False
    build, place = BUILDS[version]
    frames = found.frames
    if not frames or not STRLEN.match(frames[0].function) or not frames[0].image.startswith("libc.so."):
        return False
    if not any(image.name.startswith("libraft.so.") and image.build == build for image in found.images):
        return False
    callers = [frame for frame in frames[1:] if frame.image]
    if not callers:
        image, where = found.place(found.stack) if found.stack else (None, None)
        return image is not None and image.build == build and where == place
    # With names: from strlen to the answer only these functions. What calls them comes after.
    named = []
    for frame in callers:
        if frame.function not in FUNCTIONS or not frame.image.startswith("libraft.so."):
            return False
        named.append(frame.function)
        if frame.function == FUNCTIONS[-1]:
            return named[0] in FUNCTIONS[:3]
    return False


class Crashes:
    """Counts the crashes of nodes by the known fault. Any other crash fails a check."""

    def __init__(self):
        check_itself()
        self.count = 0

    def forgive(self, process, number):
        """Whether a process has crashed so. See `Process`."""
        version = installed()
        if not is_known(number, process.said(), version):
            return False
        self.count += 1
        print(f"{process.name}: strlen was called by libraft where a leader is answered that is lost, which "
              f"is a known fault of {PACKAGE} {version}", flush=True)
        return True

    def __str__(self):
        return f"; {self.count} crashes by the known fault of libraft"


# What a node has printed on Debian 12, without other threads and most libraries.
EXAMPLE = """\
3564026 leader(nil)

*** Signal 11: Backtracing from 0x7ffa268a5ad8... done ***

*** Program crashed: Bad pointer dereference at 0x0000000000000000 ***

Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))

Thread 0 "cluster-node":

  0  0x00007ffa2677ac82 sigtimedwait + 114 in libc.so.6
...

Thread 3 crashed:

  0      0x00007ffa268a5ad8 __strlen_evex + 24 in libc.so.6
  1 [ra] 0x00007ffa1c009a08
...

Registers:

rax 0x0000000000000000  0
rsp 0x00007ffa253f95b8  06 c7 6f 26 fa 7f 00 00 10 97 3f 25 fa 7f 00 00  ·Ço&ú·····?%ú···
rip 0x00007ffa268a5ad8  62 f3 7d 20 3f 07 00 c5 fb 93 c0 85 c0 74 59 f3  bó} ?··Åû·À·ÀtYó

Images:

0x0000555773ee3000–0x0000555774998b50 cdb32b202203bbfa9fbd78208381c6247fd60ef1 cluster-node     /usr/bin/cluster-node
0x00007ffa266df000–0x00007ffa2670042d 83b85e244fd2119ea68156e1db054ad3c55162f3 libraft.so.2.0.0 /usr/lib/libraft.so.2.0.0
0x00007ffa2673e000–0x00007ffa268b90fc 93ac61ec5a8eb1396f9fbd350e3169a558528a40 libc.so.6        /usr/lib/libc.so.6

Backtrace took 0.45s
"""
LAST_FRAME = "  1 [ra] 0x00007ffa1c009a08\n"
NAMED = """\
  1 [inlined]  0x00007ffa266fc705 uvClientInit in libraft.so.2.0.0 at /src/uv_send.c:93
  2 [ra]       0x00007ffa266fc705 UvSend + 133 in libraft.so.2.0.0
  3 [ra]       0x00007ffa266fa4eb sendAppendEntriesResult + 59 in libraft.so.2.0.0
  4 [ra]       0x00007ffa266fa6d4 appendFollowerCb + 412 in libraft.so.2.0.0
  5 [ra]       0x0000555773ee4000 Node.run() + 100 in cluster-node at /src/Node.swift:7:1
"""
OURS = "  1 [ra] 0x0000555774000000 Answer.write(_:) + 100 in cluster-node at /src/Answer.swift:7:1\n"
VERSION = next(iter(BUILDS))
# Where strlen returns to: in libraft, and in the program.
INSIDE, OUTSIDE = "06 c7 6f 26 fa 7f 00 00", "00 00 00 74 57 55 00 00"


def check_itself():
    """Only the known fault is accepted."""
    named = EXAMPLE.replace(LAST_FRAME, NAMED)
    ours = EXAMPLE.replace(LAST_FRAME, OURS)
    other = "*** Program crashed: Bad pointer dereference at 0x0000000000000010 ***"
    later = EXAMPLE + "*** Program crashed: Illegal instruction at 0x0000555774000000 ***\n"
    good = [(EXAMPLE, "the fault"), (named, "the fault with names"), (later + EXAMPLE, "the last one of two")]
    bad = [
        (ours, "our own call of strlen"),
        (ours.replace(INSIDE, OUTSIDE), "our own call of strlen, also by the stack"),
        (EXAMPLE.replace(INSIDE, OUTSIDE), "our own call of strlen without a frame"),
        (EXAMPLE.replace(INSIDE, "07 c7 6f 26 fa 7f 00 00"), "another place in libraft"),
        (EXAMPLE.replace(INSIDE, "06 c7 7f 26 fa 7f 00 00"), "a place in no library"),
        (EXAMPLE.replace("rsp ", "r19 "), "no stack"),
        (EXAMPLE.replace(LAST_FRAME, OURS + NAMED), "our own frame above libraft"),
        (EXAMPLE.replace(LAST_FRAME, NAMED.replace("sendAppendEntriesResult", "sendRequestVote")), "another message"),
        (named.replace("uvClientInit", "raft_start").replace("UvSend", "raft_add"), "other functions"),
        (EXAMPLE.replace("__strlen_evex", "memcpy"), "another function"),
        (EXAMPLE.replace("evex + 24 in libc.so.6", "evex + 24 in cluster-node"), "a strlen of our own"),
        (EXAMPLE.replace("*** Program crashed: " + NULL + " ***", other), "another address"),
        (EXAMPLE.replace("83b85e24", "93b85e24"), "another build of libraft"),
        (EXAMPLE.replace("libraft", "libdraft"), "no libraft"),
        (EXAMPLE.split("Images:")[0], "no images"),
        (EXAMPLE.replace(" crashed:\n", ":\n"), "no thread that crashed"),
        (later, "another crash after it"),
        ("3564026 leader(nil)\n", "no backtrace"),
        ("", "no log"),
    ]
    for log, what in good:
        assert is_known(signal.SIGSEGV, log, VERSION), what
    for log, what in bad:
        assert not is_known(signal.SIGSEGV, log, VERSION), what
    for version in ["0.17.1-1", "0.15.0-2", None]:
        assert not is_known(signal.SIGSEGV, EXAMPLE, version), version
    for number in [signal.SIGABRT, signal.SIGILL, signal.SIGBUS]:
        assert not is_known(number, EXAMPLE, VERSION), number
