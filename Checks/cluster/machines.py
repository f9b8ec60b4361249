"""What the checks of clusters share: processes and networks of this machine, and comparing files."""

import atexit
import ctypes
import http.client
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

# For benchmarks, which are in another folder.
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from lib import waiting  # noqa: E402
from lib.server import free_port  # noqa: E402
from lib.waiting import fail  # noqa: E402
from lib.web import ask  # noqa: E402

# Seconds for what must happen at some time in a cluster.
PATIENCE = 60
# setns(2): the network namespace.
CLONE_NEWNET = 0x40000000


def wait(what, condition, limit=PATIENCE):
    return waiting.wait(what, condition, limit)


def milliseconds():
    return int(time.monotonic() * 1000)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def inject(pid, how, seconds):
    """Lets strace change what system calls of a process do. `how` begins with the names of these."""
    tracer = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={how.split(':')[0]}",
         "-e", f"inject={how}", "-p", str(pid)], stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    tracer.terminate()
    tracer.wait()


def unused_net():
    """The first three numbers of addresses that no other check uses now."""
    used = run("ip", "-o", "-4", "address").stdout
    return next(net for net in iter(lambda: f"10.77.{random.randrange(250)}", None) if f" {net}." not in used)


class Network:
    """A network namespace for each node, joined by a bridge. Without root all are on loopback.

    This process reaches the nodes of a network if it is `reachable`, also those that are cut off from
    each other.
    """

    made = 0

    def __init__(self, names, reachable=False, net=None, first=1):
        # Each network has names of its own: the kernel removes a namespace with its interfaces
        # some time after the command that asks for it.
        Network.made += 1
        self.isolated = os.geteuid() == 0 and shutil.which("ip") is not None
        self.tag = f"m{os.getpid() % 10000}{chr(96 + Network.made)}"
        if not self.isolated:
            self.addresses = {name: f"127.0.0.1:{free_port()}" for name in names}
            self.outside = "127.0.0.1"
            return
        net = net or unused_net()
        self.addresses = {name: f"{net}.{i + first}:9501" for i, name in enumerate(names)}
        # The address of this process, for nodes that reach it.
        self.outside = f"{net}.254"
        # However the check ends, also while the namespaces are made.
        atexit.register(self.remove)
        self.must("ip", "link", "add", f"{self.tag}b", "type", "bridge")
        self.must("ip", "link", "set", f"{self.tag}b", "up")
        if reachable:
            self.must("ip", "addr", "add", f"{net}.254/24", "dev", f"{self.tag}b")
        for i, name in enumerate(names):
            space, outer, inner = self.names(name)
            self.must("ip", "netns", "add", space)
            self.must("ip", "link", "add", outer, "type", "veth", "peer", "name", inner)
            self.must("ip", "link", "set", inner, "netns", space)
            self.must("ip", "link", "set", outer, "master", f"{self.tag}b", "up")
            host = self.addresses[name].split(":")[0]
            self.must("ip", "-n", space, "addr", "add", f"{host}/24", "dev", inner)
            self.must("ip", "-n", space, "link", "set", inner, "up")
            self.must("ip", "-n", space, "link", "set", "lo", "up")

    def names(self, name):
        return f"{self.tag}{name}", f"{self.tag}o{name}", f"{self.tag}i{name}"

    def must(self, *command):
        result = run(*command)
        if result.returncode != 0:
            self.remove()
            fail(f"{' '.join(command)}: {result.stderr.strip()}")

    def command(self, name):
        return ["ip", "netns", "exec", self.names(name)[0]] if self.isolated else []

    def inside(self, name, work):
        """Calls `work` in the namespace of a node. Sockets that it makes stay there."""
        def enter():
            with open(f"/run/netns/{self.names(name)[0]}") as space:
                libc = ctypes.CDLL(None, use_errno=True)
                if libc.setns(space.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            return work()
        # The namespace is that of a thread.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(enter if self.isolated else work).result()

    def ask(self, name, method, path, body=None):
        """The status and the content of an answer of the server at 127.0.0.1:8080 of a machine; 0 and
        the reason without an answer."""
        try:
            answer = self.inside(name, lambda: ask(method, f"http://127.0.0.1:8080{path}", body))
            return answer.status, answer.json()
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error)

    def set(self, name, state):
        self.must("ip", "link", "set", self.names(name)[1], state)

    def block(self, name, others, state):
        """Drops what a node sends to others, or drops it no more."""
        for other in others:
            host = self.addresses[other].split(":")[0]
            how = "add" if state else "del"
            self.must("ip", "-n", self.names(name)[0], "route", how, "blackhole", f"{host}/32")

    def remove(self):
        atexit.unregister(self.remove)
        if self.isolated:
            for name in self.addresses:
                space, outer, _ = self.names(name)
                run("ip", "link", "del", outer)
                run("ip", "netns", "del", space)
            run("ip", "link", "del", f"{self.tag}b")


def contents(file):
    """Everything that a file stores, except which node it belongs to."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        tables = db.execute(
            "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') "
            "AND name NOT IN ('sqlite_schema', 'martlet_cluster') AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'")
        found = {}
        for name, without_ids in tables.fetchall():
            columns = "*" if without_ids or name == "sqlite_sequence" else "rowid, *"
            found[name] = sorted(db.execute(f'SELECT {columns} FROM "{name}"').fetchall(), key=repr)
        return found


def check_file(file):
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        found = db.execute("PRAGMA integrity_check(5)").fetchall()
        if found != [("ok",)]:
            fail(f"{file}: integrity_check: {found}")
        if db.execute("PRAGMA foreign_key_check").fetchall():
            fail(f"{file}: foreign_key_check found a violation")
        db.execute("BEGIN")
        db.execute("INSERT INTO reminderTexts (reminderTexts) VALUES ('integrity-check')")
        db.execute("ROLLBACK")


def compare_files(files):
    """Fails unless all files, by names of nodes, have the same content and are sound."""
    first, *others = files
    wanted = contents(files[first])
    for name in others:
        found = contents(files[name])
        for table in wanted.keys() | found.keys():
            if wanted.get(table) != found.get(table):
                difference = set(map(repr, wanted.get(table, []))) ^ set(map(repr, found.get(table, [])))
                fail(f"{first} and {name} differ in {table}: {sorted(difference)[:4]}")
    for file in files.values():
        check_file(file)


def position(file):
    """The last entry of the log that a file has."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        return db.execute("SELECT seq FROM martlet_cluster").fetchone()[0]
