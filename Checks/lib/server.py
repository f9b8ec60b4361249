"""Processes of a check: servers, and the programs in front of them or beside them.

The output of each goes to a file. A process that dies of a signal which the check did not send is
noticed, also if nothing asks for it: it is printed with its backtrace, and the check fails.
"""

import atexit
import contextlib
import fcntl
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading

from lib.crashes import SIGNAL, report
from lib.waiting import PATIENCE, Failure, wait, watchers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LISTENING = re.compile(r"listening on \S*:(\d+)")
# The lines of a log that are printed when a check fails.
LAST = 20
# The processes that have started, until their end was seen; and the crashes that nothing forgives.
running, crashed = [], []
lock = threading.RLock()
# Ports for servers. Linux takes higher ones for clients (`ip_local_port_range`).
PORTS = range(10_000, 32_000)
# The ports that `free_port` has given out, and the file with their locks.
ports, ports_file = set(), None


def free_port():
    """A port of 127.0.0.1 that nothing listens on, and that belongs to this process until it ends.

    Two processes that run checks or tests never have the same one, because each locks the byte at the
    port's number in one file. Tests/Support/FreePort.swift does the same.
    """
    global ports_file
    with lock:
        ports_file = ports_file or open(f"/tmp/martlet-ports-{os.getuid()}", "ab")
        for _ in range(1_000):
            port = random.SystemRandom().choice(PORTS)
            with contextlib.suppress(OSError), socket.socket() as one:
                fcntl.lockf(ports_file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
                one.bind(("127.0.0.1", port))
                if port not in ports:
                    ports.add(port)
                    return port
    raise Failure(f"no free port from {min(PORTS)} to {max(PORTS)}")


class Process:
    """A process that writes its output to the end of the file `log`, and with `stderr=None` its
    errors to those of the check.

    `expects` are signals that it may die of, besides those that `send_signal` has sent. `forgives` is
    called with the process and the signal if it dies of another one: whether that is no failure.
    Then it is started again, as a service manager does. `preexec` is called in the new process.
    """

    def __init__(self, command, log, *, name=None, folder=None, environment=None, stdin=subprocess.DEVNULL,
                 stderr=subprocess.STDOUT, expects=(), forgives=None, preexec=None):
        self.command, self.log = [str(word) for word in command], pathlib.Path(log)
        self.name = name or pathlib.Path(self.command[0]).name
        self.folder, self.environment, self.preexec = folder, environment, preexec
        self.stdin, self.stderr = stdin, stderr
        self.expects, self.forgives = set(expects), forgives
        self.process, self.sent, self.began = None, set(), 0

    def start(self):
        self.sent = set()
        # With the addresses of all libraries, backtraces show where in a library a crash was.
        environment = {"SWIFT_BACKTRACE": "images=all"} | (os.environ if self.environment is None else self.environment)
        with self.log.open("ab") as log, lock:
            self.began = log.seek(0, os.SEEK_END)
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=environment, stdin=self.stdin, stdout=log,
                stderr=self.stderr, text=True, preexec_fn=self.preexec)
            running.append(self)
        return self

    @property
    def pid(self):
        return self.process.pid

    def text(self):
        """All that it has written."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def said(self):
        """What it has written since its start."""
        return self.log.read_bytes()[self.began:].decode(errors="replace") if self.log.exists() else ""

    def poll(self):
        """The exit code; `None` while it runs."""
        self.look()
        return self.process.poll()

    def must_run(self):
        """Fails if the process has ended."""
        code = self.poll()
        if code is not None:
            raise Failure(f"{self.name} has ended with {code}: {self.said()[-3000:]}")
        return True

    def look(self, starts_again=True):
        """Notices an end, and fails if it was by a signal that the process should not have got."""
        with lock:
            if self not in running or self.process.poll() is None:
                return
            running.remove(self)
            code = self.process.returncode
        number = -code if code < 0 else code - 128 if code > 128 else 0
        if number == 0 or number in self.sent | self.expects:
            # It can have been ended while it printed a backtrace.
            began = SIGNAL.search(self.said())
            if not began:
                return
            number = int(began[1])
        number = signal.Signals(number) if number in list(signal.Signals) else number
        print(f"{self.name} has crashed: {getattr(number, 'name', number)}\n{report(self.said())}", flush=True)
        if self.forgives and self.forgives(self, number):
            if starts_again:
                self.start()
            return
        crashed.append(self.name)
        raise Failure(f"{self.name} has crashed")

    def send_signal(self, number):
        if number == signal.SIGKILL and SIGNAL.search(self.said()):
            # It has crashed, and ends when it has printed the backtrace.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(PATIENCE)
        with lock:
            if self.process.poll() is None:
                self.sent.add(number)
                self.process.send_signal(number)

    def wait(self, limit=PATIENCE):
        """Waits until the process ends. Returns the exit code."""
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name} did not end within {limit} s: {self.said()[-3000:]}") from None
        self.look(starts_again=False)
        return self.process.returncode

    def exits(self, code=0, limit=PATIENCE):
        """Waits until the process ends, which must be with this exit code; `None` is any."""
        found = self.wait(limit)
        # Else it has crashed, and that was forgiven.
        has_ended = found >= 0 or -found in self.sent | self.expects
        if code is not None and found != code and has_ended:
            raise Failure(f"{self.name} ended with {found} and not {code}: {self.said()[-3000:]}")

    def end(self, how=signal.SIGTERM, limit=PATIENCE):
        """Ends the process, unless its end was seen already. After SIGTERM its exit code must be 0."""
        if self in running:
            self.send_signal(how)
            self.exits(0 if how == signal.SIGTERM else None, limit)

    def kill(self):
        """Ends the process and does not fail; a crash before is noticed, and fails the check later."""
        if self in running:
            self.send_signal(signal.SIGKILL)
            self.process.wait()
            with contextlib.suppress(Failure):
                self.look(starts_again=False)


class Server(Process):
    """`martlet serve` with a database, on a port that it keeps when it is started again.

    `wrapper` is a command that runs another one. The other arguments are those of a process.
    """

    def __init__(self, program, database, *flags, wrapper=(), log=None, port=0, **more):
        self.program, self.database, self.port = str(program), str(database), port
        self.flags, self.wrapper = flags, wrapper
        super().__init__(self.words(), log or f"{database}.log", **{"name": "the server"} | more)

    def words(self):
        return [*self.wrapper, self.program, "serve", "--port", str(self.port), "--database", self.database,
                *map(str, self.flags)]

    def start(self):
        """Starts the server and waits until it listens."""
        self.command = self.words()
        super().start()
        self.port = wait(f"{self.name} listens", self.listening)
        return self

    def listening(self):
        """The port at which it listens."""
        found = self.must_run() and LISTENING.search(self.said())
        return found and int(found[1])

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def run(self, *words):
        """What a command prints that is run with the database. It must succeed."""
        return output(*self.wrapper, self.program, *words, "--database", self.database)

    def make_key(self, *flags):
        return self.run("key", "create", "--name", "test", *flags).strip()

    def sql(self, text):
        with contextlib.closing(sqlite3.connect(self.database, timeout=PATIENCE)) as file, file:
            return file.execute(text).fetchall()


def output(*command, **more):
    """What a command prints on standard output. It must succeed."""
    command = [str(word) for word in command]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    done = subprocess.run(command, text=True, **pipes | more)
    if done.returncode:
        said = done.stdout[-4000:] + (done.stderr or "")[-4000:]
        raise Failure(f"{' '.join(command)}: exit code {done.returncode}\n{said}")
    return done.stdout


@contextlib.contextmanager
def workplace(parent=None, keeps=False):
    """A temporary folder. At its end the processes are killed whose output is there.

    After a failure the last lines of their output are printed. With `keeps` the folder then stays.
    """
    folder = pathlib.Path(tempfile.mkdtemp(prefix="martlet-check-", dir=parent))
    has_failed = False
    try:
        yield folder
    except BaseException:
        has_failed = True
        for log in dict.fromkeys(process.log for process in running if process.log.is_relative_to(folder)):
            lines = log.read_text(errors="replace").splitlines()[-LAST:]
            print("\n".join([f"--- the end of {log.relative_to(folder)}:", *lines]), flush=True)
        raise
    finally:
        for process in list(running):
            if process.log.is_relative_to(folder):
                process.kill()
        if has_failed and keeps:
            print(f"the files are in {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def look_at_all():
    for process in list(running):
        process.look()


def finish():
    """Ends what runs when the check ends. The exit code is 1 if any process has crashed."""
    for process in list(running):
        process.kill()
    if crashed:
        print(f"{pathlib.Path(sys.argv[0]).name}: crashed: {', '.join(crashed)}", file=sys.stderr, flush=True)
        sys.stdout.flush()
        os._exit(1)


watchers.append(look_at_all)
atexit.register(finish)
# Ends a check as Ctrl-C does, so that it ends its processes.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
