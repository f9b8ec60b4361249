"""What the parts of `cluster` share: the nodes and the single server, load, and how times are told."""

import contextlib
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Checks" / "cluster"))
from machines import fail, wait  # noqa: E402
from service import Client, Cluster, Refused, Undecided  # noqa: E402

from databases import database  # noqa: E402
from served import cpu_seconds, megabytes  # noqa: E402

BUILD = ROOT / ".build" / "bench"
REMINDERS, LISTS = 10_000, 10
# All clients have one address, which may have many connections and streams.
SETTINGS = ("--log-level", "warning", "--response-cache", "0", "--max-connections-per-address", "9000",
            "--max-streams-per-address", "8000")
CREATE = f"""
local fields = {{["Content-Type"] = "application/json"}}
math.randomseed(os.time())
request = function()
  local body = '{{"listID":' .. math.random(2, {LISTS + 1}) .. ',"title":"Buy the long ladder"}}'
  return wrk.format("POST", "/v1/reminders", fields, body)
end
"""
BY_ID = f"""
math.randomseed(os.time())
request = function() return wrk.format("GET", "/v1/reminders/" .. math.random({REMINDERS})) end
"""
# One request of twenty is a create.
MIXED = f"""
local fields = {{["Content-Type"] = "application/json"}}
math.randomseed(os.time())
request = function()
  if math.random(20) > 1 then return wrk.format("GET", "/v1/reminders/" .. math.random({REMINDERS})) end
  local body = '{{"listID":' .. math.random(2, {LISTS + 1}) .. ',"title":"Buy the long ladder"}}'
  return wrk.format("POST", "/v1/reminders", fields, body)
end
"""
PAGE = f"""
math.randomseed(os.time())
request = function() return wrk.format("GET", "/v1/lists/" .. math.random(2, {LISTS + 1}) .. "/reminders?limit=50") end
"""


class Nodes(Cluster):
    """Three nodes, and a server of its own beside them, which begin with copies of one database."""

    def __init__(self, program, folder):
        super().__init__(program, folder, SETTINGS)
        self.single = self.spare[-1]
        self.client = Client(self)
        seed = database(program, REMINDERS)
        for node in (self.nodes[0], self.single):
            node.folder.mkdir()
            shutil.copy(seed, node.database)

    def settle(self):
        """Waits until all nodes have a vote and every entry, and write through each other."""
        wait("all nodes have joined", self.is_complete)
        for node in self.nodes:
            wait(f"{node.name} writes", lambda: self.writes(node))

    def is_complete(self):
        result = self.command("status")
        names, *rows = [re.split("  +", line.strip()) for line in result.stdout.splitlines()] or [[]]
        found = [dict(zip(names, row)) for row in rows]
        return result.returncode == 0 and sorted(row["ROLE"] for row in found) == ["primary", "replica", "replica"] \
            and all(row["BEHIND"] == "0" and row["SEEN"] in ("0 s ago", "1 s ago") for row in found)

    def writes(self, node, client=None):
        """Creates a reminder through a node; false if that was refused or is undecided."""
        with contextlib.suppress(Refused, Undecided):
            return (client or self.client).request(
                "POST", "/v1/reminders", {"listID": 2, "title": "Buy the long ladder"}, node)

    def replicas(self):
        leading, _ = self.primary()
        return [node for node in self.nodes if node is not leading]


@contextlib.contextmanager
def serving(program):
    """Three nodes that are ready, and the single server."""
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        nodes = Nodes(program, folder)
        try:
            for node in nodes.nodes:
                nodes.start(node, first=node is nodes.nodes[0])
            nodes.serve(nodes.single)
            nodes.settle()
            yield nodes
        finally:
            nodes.close()


def wrk(targets, clients, seconds, script):
    """Requests and requests/s of all clients together, which are spread over the targets."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as lua:
        lua.write(script)
        lua.flush()
        running = [subprocess.Popen(
            ["wrk", "-t1", f"-c{clients // len(targets) + (number < clients % len(targets))}", f"-d{seconds}s",
             "--timeout", "10s", "-s", lua.name, f"http://{node.host}:{node.public}"],
            stdout=subprocess.PIPE, text=True) for number, node in enumerate(targets)]
        said = [process.communicate()[0] for process in running]
    for text in said:
        if wrong := re.search(r"Non-2xx.*|Socket errors.*", text):
            fail(f"wrk: {wrong.group(0)}")
    return (sum(int(re.search(r"(\d+) requests in", text).group(1)) for text in said),
            sum(float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)) for text in said))


def cpu(nodes):
    """The CPU seconds of the processes of these nodes so far."""
    return sum(cpu_seconds(node.process.pid) for node in nodes)


def memory(node):
    """The memory in MB that is the process's own."""
    return megabytes(node.process.pid, "RssAnon")


class Writers:
    """Clients of each node that create reminders all the time, and when each had its answer."""

    def __init__(self, nodes, each):
        self.nodes, self.is_running, self.answers = nodes, True, []
        self.threads = [threading.Thread(target=self.run, args=(node,)) for node in nodes.nodes for _ in range(each)]
        for thread in self.threads:
            thread.start()

    def run(self, node):
        client = Client(self.nodes)
        while self.is_running:
            if self.nodes.writes(node, client):
                self.answers.append(time.monotonic())
            else:
                time.sleep(0.005)

    def longest_gap(self, begin, end):
        """The longest time in seconds without an answer."""
        moments = sorted(moment for moment in self.answers if begin <= moment <= end)
        if len(moments) < 2:
            return end - begin
        return max(after - before for before, after in zip([begin, *moments], [*moments, end]))

    def end(self):
        self.is_running = False
        for thread in self.threads:
            thread.join()


def of_order(values, part):
    """The value that this part of all values does not exceed."""
    return sorted(values)[max(math.ceil(part * len(values)) - 1, 0)]


def times_row(name, seconds, target=""):
    """A row of the table of times, in milliseconds."""
    values = [value * 1000 for value in seconds]
    tail = f"{of_order(values, 0.99):.1f}" if len(values) >= 100 else "–"
    return (name, f"{len(values):,}", f"{statistics.median(values):.1f}", f"{of_order(values, 0.9):.1f}", tail,
            f"{max(values):.1f}", target)


def ratio_row(name, alone, together, target="", digits=0):
    """A row of the table of rounds: medians, and the median, lowest and highest of their ratios."""
    ratios = sorted(two / one for one, two in zip(alone, together))
    return (name, f"{statistics.median(alone):,.{digits}f}", f"{statistics.median(together):,.{digits}f}",
            f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})", target)
