"""The parts of `cluster` about how long writes wait, when nodes die and hand over."""

import random
import signal
import threading
import time

from cluster_load import Client, Writers, fail

# The longest time without an answer is looked for from the beginning of a change to this many
# seconds after its end.
AFTERWARDS = 1


def failover(nodes, kills):
    """Seconds from each SIGKILL of the primary to the first write that another node has answered."""
    for _ in range(kills):
        leading, _ = nodes.primary()
        race = Race(nodes, [node for node in nodes.nodes if node is not leading])
        time.sleep(random.uniform(0, 0.3))
        killed = time.monotonic()
        nodes.end(leading, signal.SIGKILL)
        yield race.first() - killed
        nodes.start(leading)
        nodes.settle()


class Race:
    """A client of each of some nodes, which repeats a write from a start on until it is answered."""

    def __init__(self, nodes, others):
        self.nodes, self.started, self.won = nodes, threading.Event(), None
        self.threads = [threading.Thread(target=self.run, args=(node,)) for node in others]
        self.ready = threading.Barrier(len(others) + 1)
        for thread in self.threads:
            thread.start()
        self.ready.wait()

    def run(self, node):
        client = Client(self.nodes)
        # Its connection is open and its node has one to the primary before the start.
        self.nodes.writes(node, client)
        self.ready.wait()
        self.started.wait()
        end = time.monotonic() + 60
        while self.won is None and time.monotonic() < end:
            if self.nodes.writes(node, client):
                now = time.monotonic()
                self.won = min(self.won or now, now)
            else:
                time.sleep(0.005)

    def first(self):
        self.started.set()
        for thread in self.threads:
            thread.join()
        return self.won or fail("no write was answered for 60 s after a kill")


def nothing(nodes):
    """The control: as long as a change with `AFTERWARDS`, without one."""
    time.sleep(0.5)


def transfer(nodes):
    result = nodes.command("transfer")
    if result.returncode != 0:
        fail(f"transfer: {result.stderr}")


def hand_over(nodes):
    nodes.end(nodes.primary()[0], signal.SIGTERM)


def gaps(nodes, change, times):
    """For each change, the longest time in seconds in which no client of any node had an answer."""
    for _ in range(times):
        writers = Writers(nodes, 2)
        try:
            time.sleep(random.uniform(0.5, 1))
            begin = time.monotonic()
            change(nodes)
            time.sleep(AFTERWARDS)
            end = time.monotonic()
        finally:
            writers.end()
        yield writers.longest_gap(begin, end)
        for node in nodes.nodes:
            if node.process.poll() is not None:
                nodes.start(node)
        nodes.settle()
