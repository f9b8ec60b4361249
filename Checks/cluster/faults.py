"""What can happen to a service on several machines. Each fault returns when all is well again."""

import random
import shutil
import signal
import time

from machines import fail, inject, run, wait
from service import Client, Refused, Undecided

# How far the clocks of the nodes are apart, in seconds: less than what makes a node unready.
SKEWS = [-2.0, 0, 2.4]
# For the files of a node whose disk is full.
DISK = 256 << 20


class Faults:
    def __init__(self, cluster):
        self.cluster = cluster

    def possible(self, fault):
        """What is missing for a fault."""
        needs_root = ("partition", "one-way", "flap", "full")
        if fault in needs_root and not self.cluster.network.isolated:
            return "needs root and iproute2"
        if fault in ("fsync", "slow", "writes") and shutil.which("strace") is None:
            return "needs strace"
        if fault == "clocks" and not self.cluster.set_clocks(SKEWS):
            return "needs libfaketime"
        return None

    def prepare(self, fault):
        """Makes what a fault needs before any node runs."""
        if fault == "full":
            for node in self.cluster.nodes:
                self.cluster.mount(node, DISK)

    def happen(self, fault):
        getattr(self, fault.replace("-", "_"))(*self.cluster.primary())

    def others(self, node):
        return [other for other in self.cluster.nodes if other is not node]

    def minority_with(self, primary):
        """The primary, and of more than three nodes perhaps others: fewer than half of all."""
        others = self.others(primary)
        most = (len(self.cluster.nodes) - 1) // 2
        return [primary] + random.sample(others, random.randint(0, most - 1))

    def kill(self, primary, ids):
        failing = self.minority_with(primary)
        for node in failing:
            self.cluster.end(node, signal.SIGKILL)
        time.sleep(random.uniform(0, 2))
        for node in failing:
            self.cluster.start(node)

    def stop(self, primary, ids):
        primary.process.send_signal(signal.SIGSTOP)
        time.sleep(random.uniform(0.2, 4))
        primary.process.send_signal(signal.SIGCONT)

    def term(self, primary, ids):
        self.cluster.end(primary, signal.SIGTERM)
        self.cluster.start(primary)

    def rolling(self, primary, ids):
        """As for a new version: replicas first, and the next one when a node is ready again."""
        for node in self.others(primary) + [primary]:
            self.cluster.end(node, signal.SIGTERM)
            self.cluster.start(node)
            wait(f"{node.name} is ready", lambda: self.cluster.ready(node))

    def transfer(self, primary, ids):
        self.cluster.must("transfer")

    def clocks(self, primary, ids):
        random.choice([self.transfer, self.kill])(primary, ids)
        for node in self.cluster.nodes:
            wait(f"{node.name} warns of the clocks", lambda: "the clocks of the servers differ" in node.text())

    def partition(self, primary, ids):
        few = self.minority_with(primary)
        self.cluster.separate(few, True)
        time.sleep(random.uniform(0.5, 5))
        self.cluster.separate(few, False)

    def one_way(self, primary, ids):
        others = self.others(primary)
        pairs = random.choice([[(primary, others)], [(other, [primary]) for other in others]])
        self.cluster.block(pairs, True)
        time.sleep(random.uniform(0.5, 5))
        self.cluster.block(pairs, False)

    def flap(self, primary, ids):
        """The primary's network comes and goes: for all, or only between the nodes."""
        is_for_all = random.random() < 0.5
        for state in [True, False] * 8:
            if is_for_all:
                self.cluster.network.set(primary.name, "down" if state else "up")
            else:
                self.cluster.separate([primary], state)
            time.sleep(random.uniform(0.05, 0.6))

    def minority(self, primary, ids):
        """Most nodes are killed. Until they are back, every answer of the last one is a refusal."""
        failing = self.others(primary)[:(len(self.cluster.nodes) + 1) // 2]
        left = [node for node in self.cluster.nodes if node not in failing]
        for node in failing:
            self.cluster.end(node, signal.SIGKILL)
        client = Client(self.cluster)
        for node in left:
            wait(f"{node.name} knows that most are missing", lambda: is_refusing(client, node))
        end = time.monotonic() + random.uniform(0.5, 4)
        while time.monotonic() < end:
            if not all(is_refusing(client, node) for node in left):
                fail("a node answers without most of the others")
        for node in failing:
            self.cluster.start(node)

    def all(self, primary, ids):
        for node in self.cluster.nodes:
            self.cluster.end(node, signal.SIGKILL)
        for node in self.cluster.nodes:
            self.cluster.start(node)

    def member(self, primary, ids):
        leaving = random.choice(self.others(primary))
        self.cluster.must("remove", ids[f"{leaving.host}:{leaving.log}"], by=primary)
        self.cluster.nodes = [node for node in self.cluster.nodes if node is not leaving]
        self.cluster.end(leaving, signal.SIGTERM)
        shutil.rmtree(leaving.folder)
        joining = self.cluster.spare.pop(0)
        self.cluster.start(joining)
        self.cluster.nodes.append(joining)
        self.cluster.spare.append(leaving)
        wait("it joins", lambda: "joined the cluster" in joining.text())

    def lost(self, primary, ids):
        """The disk of a node is lost with all files. It joins anew, at the same addresses."""
        node = random.choice(self.cluster.nodes)
        self.cluster.end(node, signal.SIGKILL)
        self.cluster.nodes = [other for other in self.cluster.nodes if other is not node]
        shutil.rmtree(node.folder)
        leading, _ = self.cluster.primary()
        self.cluster.must("remove", ids[f"{node.host}:{node.log}"], by=leading)
        self.cluster.start(node)
        self.cluster.nodes.append(node)
        wait("it joins", lambda: "joined the cluster" in node.text())

    def full(self, primary, ids):
        """The disk of the primary is full, and then it has space again."""
        filler = primary.folder / "filler"
        run("dd", "if=/dev/zero", f"of={filler}", "bs=1M")
        time.sleep(random.uniform(1, 4))
        # The others need no room on this disk.
        self.cluster.writing(self.others(primary))
        filler.unlink()
        # A node that could not write its log may have ended, or stays out until the next start.
        if primary.process.poll() is None:
            self.cluster.end(primary, random.choice([signal.SIGKILL, signal.SIGTERM]))
        self.cluster.start(primary)

    def fsync(self, primary, ids):
        """Syncs of the primary's files fail. It must not go on as if nothing was."""
        inject(primary.process.pid, "fdatasync,fsync:error=EIO:when=3+", random.uniform(1, 4))
        self.cluster.end(primary, signal.SIGKILL)
        self.cluster.start(primary)

    def slow(self, primary, ids):
        """The primary's disk takes long for each sync."""
        delay = random.choice([20_000, 200_000, 1_000_000])
        calls = "fdatasync,fsync,io_submit,io_uring_enter"
        inject(primary.process.pid, f"{calls}:delay_enter={delay}", random.uniform(1, 4))

    def writes(self, primary, ids):
        """The primary commits some time after the log has an entry."""
        inject(primary.process.pid, "pwrite64:delay_enter=3000", random.uniform(1, 4))


def is_refusing(client, node):
    """Whether a node neither reads nor writes."""
    for method, body in [("GET", None), ("PATCH", {"color": "#123456"})]:
        try:
            client.request(method, "/v1/lists/1", body, node)
            return False
        except (Refused, Undecided):
            pass
    return True
