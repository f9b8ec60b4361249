"""A server process that is measured from outside."""

import atexit
import os
import pathlib
import re
import signal
import subprocess

CORES = sorted(os.sched_getaffinity(0))


def pinned(core):
    """A `preexec_fn` that pins a child process to this core."""
    return lambda: os.sched_setaffinity(0, {core})


def cpu_seconds(process):
    """The CPU time of all threads of a process, including threads that have ended."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(process, field):
    """A field of `/proc/PID/status` in MB, such as VmHWM."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status).group(1)) / 1024


class Served:
    """Runs `command`, whose first line of output has its URL; pinned to `core` if given."""

    def __init__(self, command, core=None, errors=subprocess.DEVNULL):
        self.process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.PIPE, stderr=errors, text=True,
            preexec_fn=None if core is None else pinned(core),
        )
        # A benchmark that fails leaves no server behind.
        atexit.register(self.process.kill)
        line = self.process.stdout.readline()
        found = re.search(r"listening on (http://127.0.0.1:(\d+))", line)
        if not found:
            raise SystemExit(f"{command[0]} did not start: {line}{self.process.communicate()[1] or ''}")
        self.url, self.port = found.group(1), int(found.group(2))

    def seconds(self):
        return cpu_seconds(self.process.pid)

    def megabytes(self):
        """The peak resident memory in MB."""
        return megabytes(self.process.pid, "VmHWM")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
