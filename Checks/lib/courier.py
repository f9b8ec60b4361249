"""The process `martlet courier`, which is given orders as the server gives them."""

import json
import signal
import subprocess

from lib.server import Process
from lib.waiting import check, wait


class Courier(Process):
    """A courier that may send to 127.0.0.1. `settings` change those of its first line."""

    def __init__(self, program, log, **settings):
        super().__init__([program, "courier"], log, name="the courier", stdin=subprocess.PIPE)
        self.settings = {
            "allowed": ["127.0.0.1"], "userAgent": "check", "connectTimeout": 20_000, "timeout": 60_000, "mailTimeout": 60_000,
            "idleTimeout": 60_000, "bodyLimit": 1 << 16, "headerLimit": 1 << 16, "curl": "libcurl.so.4",
            "crypto": "libcrypto.so.3"} | settings
        self.last, self.results, self.read = 0, {}, 0

    def start(self):
        super().start()
        self.write(self.settings)
        wait("the courier is ready", lambda: self.must_run() and '{"ready":true}' in self.said())
        return self

    def write(self, line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def order(self, **members):
        """Gives an order, and returns its ID."""
        self.last += 1
        self.write({"id": self.last} | members)
        return self.last

    def result(self, number, limit=120):
        """The answer to an order, when it has come."""
        return wait(f"the answer to order {number}", lambda: self.must_run() and self.arrived(number), limit)

    def arrived(self, number):
        with self.log.open("rb") as log:
            log.seek(self.read)
            lines = log.read()
        lines = lines[:lines.rfind(b"\n") + 1]
        self.read += len(lines)
        for line in map(json.loads, lines.splitlines()):
            if "id" in line:
                self.results[line["id"]] = line
        return self.results.pop(number, None)

    def make_key(self):
        """A new key pair: the members `privateKey` and `publicKey`."""
        answer = self.result(self.order(makeKey=True))
        check("publicKey" in answer, f"no key: {answer}")
        return {name: answer[name] for name in ("privateKey", "publicKey")}

    def end(self, how=signal.SIGTERM, limit=20):
        """Closes its input, at whose end the process ends."""
        self.process.stdin.close()
        self.exits(0, limit)
