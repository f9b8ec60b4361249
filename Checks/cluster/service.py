"""A service on three nodes: starting and stopping them, which of them is the primary, requests."""

import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from lib import web
from lib.server import Process, output
from libraft import Crashes
from machines import PATIENCE, Network, compare_files, fail, position, run, wait


class Refused(Exception):
    """The request was not done."""


class Undecided(Exception):
    """The request may have been done."""


class Node:
    def __init__(self, name, address, folder):
        self.name, self.folder = name, Path(folder) / name
        self.host, port = address.split(":")
        # The ports: the log, the internal one, the public one.
        self.log, self.internal, self.public = (int(port) + 10_000 * i for i in range(3))
        self.process = None
        # Settings that only this node has.
        self.more = ()
        # How far its clock is from the others', in seconds.
        self.skew = 0

    @property
    def database(self):
        return self.folder / "martlet.db"

    def text(self):
        return self.process.text()


class Cluster:
    def __init__(self, program, folder, settings=("--log-level", "info"), count=3):
        self.program, self.folder, self.settings = program, Path(folder), settings
        names = ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"]
        self.network = Network(names, reachable=True)
        self.spare = [Node(name, address, folder) for name, address in self.network.addresses.items()]
        self.nodes = [self.spare.pop(0) for _ in range(count)]
        self.crashes = Crashes()
        self.secret = make_secret(program, folder)
        self.mounts = []

    def begin(self):
        for index, node in enumerate(self.nodes):
            self.start(node, first=index == 0)
        for node in self.nodes[1:]:
            wait(f"{node.name} joins", lambda: "joined the cluster" in node.text())

    def start(self, node, first=False):
        others = [other for other in self.nodes if other is not node]
        how = ["--cluster-bootstrap"] if first else [
            word for other in others for word in ("--cluster-join", f"{other.host}:{other.internal}")]
        self.serve(
            node, "--cluster-address", f"{node.host}:{node.log}", "--cluster-http", f"{node.host}:{node.internal}",
            "--cluster-secret-file", str(self.secret), *how)

    def serve(self, node, *more):
        """Starts a server at the addresses of a node; without `more` it belongs to no cluster."""
        node.folder.mkdir(exist_ok=True)
        node.process = Process(
            [*self.network.command(node.name), self.program, "serve", "--host", node.host, "--port",
             node.public, "--database", node.database, "--allow-no-keys", "--allowed-host",
             node.host, "--rate-limit", "0", *self.settings, *node.more, *more],
            node.folder / "log", name=node.name, environment=environment(node.skew), forgives=self.crashes.forgive)
        node.process.start()
        wait(f"{node.name} listens", lambda: self.alive(node) and "listening on" in node.process.said())

    def mount(self, node, size):
        """Gives a node that has no files yet a small disk."""
        node.folder.mkdir()
        self.network.must("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(node.folder))
        self.mounts.append(node.folder)

    def set_clocks(self, skews):
        """Lets the clocks of the nodes differ from now on. Returns whether that is possible here."""
        for node, skew in zip(self.nodes, skews):
            node.skew = skew
        return fake_time() is not None

    def alive(self, node):
        return node.process.must_run()

    def flags(self, node):
        """What commands need that ask a running node."""
        return "--cluster-http", f"{node.host}:{node.internal}", "--cluster-secret-file", str(self.secret)

    def command(self, *words, by=None):
        node = by or random.choice(self.nodes)
        return self.run(node, "cluster", *words, *self.flags(node))

    def run(self, node, *words):
        return subprocess.run(
            [*self.network.command(node.name), self.program, *words, "--database", str(node.database)],
            capture_output=True, text=True, timeout=60)

    def local(self, node, *words):
        """What a command prints on the machine of a node. It must succeed."""
        return output(*self.network.command(node.name), self.program, *words, "--database", node.database)

    def block(self, pairs, state):
        """Drops what nodes send to others, or drops it no more."""
        for sender, receivers in pairs:
            self.network.block(sender.name, [node.name for node in receivers], state)

    def separate(self, few, state):
        """Cuts the network between some nodes and all others, or mends it."""
        most = [node for node in self.nodes if node not in few]
        self.block([(node, most) for node in few] + [(node, few) for node in most], state)

    def must(self, *words, by=None):
        """The same; it must succeed, unless a node crashes meanwhile."""
        crashes = self.crashes.count
        result = self.command(*words, by=by)
        if result.returncode == 0:
            return
        for node in self.nodes:
            node.process.look()
        if self.crashes.count == crashes:
            fail(f"{words[0]}: {result.stderr}")
        self.primary()
        self.must(*words)

    def primary(self):
        """The node that leads, and the IDs of the nodes."""
        def found():
            for node in self.nodes:
                result = self.command("status", by=node)
                rows = [line.split() for line in result.stdout.splitlines()[1:]]
                leading = [row[2] for row in rows if row[1] == "primary"]
                for other in self.nodes:
                    if result.returncode == 0 and f"{other.host}:{other.log}" in leading:
                        return other, {row[2]: row[0] for row in rows}
        return wait("a node leads", found)

    def ready(self, node):
        try:
            return ask(node, "GET", "/readyz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def writing(self, nodes=None):
        """Waits until each of the nodes, or all of them, has answered a write."""
        client = Client(self)

        def writes(node):
            color = f"#{random.randrange(1 << 24):06x}"
            try:
                return client.request("PATCH", "/v1/lists/1", {"color": color}, node)
            except (Refused, Undecided):
                return None

        for node in nodes or self.nodes:
            wait(f"{node.name} writes", lambda: writes(node))

    def end(self, node, how):
        node.process.end(how, PATIENCE)

    def compare(self):
        """Ends all nodes at the same entry of the log, and compares their files."""
        wait("all nodes have the same entries", self.halted)
        for node in self.nodes:
            self.end(node, signal.SIGKILL)
        compare_files({node.name: node.database for node in self.nodes})

    def halted(self):
        """Stops all nodes at the same entry of the log: the primary has work of its own to write."""
        for node in self.nodes:
            node.process.send_signal(signal.SIGSTOP)
        if len({position(node.database) for node in self.nodes}) == 1:
            return True
        for node in self.nodes:
            node.process.send_signal(signal.SIGCONT)
        time.sleep(0.1)
        return False

    def close(self):
        for node in self.nodes + self.spare:
            if node.process:
                node.process.kill()
        for mount in self.mounts:
            # The files may be wanted after a failure.
            kept = mount.with_suffix(".kept")
            shutil.copytree(mount, kept, ignore=shutil.ignore_patterns("filler"))
            run("umount", "-l", str(mount))
            mount.rmdir()
            kept.rename(mount)
        self.network.remove()


def make_secret(program, folder):
    """The file with the secret of a cluster."""
    file = Path(folder) / "secret"
    file.touch(0o600)
    file.write_text(output(program, "cluster", "secret"))
    return file


def fake_time():
    """The library that changes the clock of a program; `None` if it is not installed."""
    return next(iter(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)


def environment(skew):
    if skew == 0:
        return None
    return os.environ | {
        "LD_PRELOAD": str(fake_time()), "FAKETIME": f"{skew:+}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def ask(node, method, path, body=None, fields=None):
    """One request to a node: the status, the fields and the text of the response."""
    return web.ask(method, f"http://{node.host}:{node.public}{path}", body, fields, limit=15)


class Client:
    """Requests to one node after another, each over a connection that is kept."""

    def __init__(self, cluster):
        self.cluster, self.connections = cluster, {}

    def request(self, method, path, body=None, node=None, accepts=()):
        node = node or random.choice(self.cluster.nodes)
        connection = self.connections.pop(node, None) or http.client.HTTPConnection(
            node.host, node.public, timeout=15)
        is_sent = False
        try:
            try:
                connection.connect() if connection.sock is None else None
            except OSError as error:
                raise Refused(str(error)) from None
            is_sent = True
            status, _, content = web.sent(connection, method, path, body)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise (Undecided if is_sent else Refused)(str(error)) from None
        self.connections[node] = connection
        if status == 503:
            raise Refused(content)
        if status >= 500:
            raise Undecided(content)
        if status in accepts:
            return None
        if status >= 400:
            fail(f"{method} {path}: {status} {content}")
        return json.loads(content) if content else None

    def read(self, path):
        """The answer to a GET, also if the nodes are without a primary for a moment."""
        def answer():
            try:
                return self.request("GET", path)
            except (Refused, Undecided):
                return None

        return wait(f"GET {path} is answered", answer)
