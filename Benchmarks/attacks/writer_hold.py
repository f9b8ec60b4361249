#!/usr/bin/env python3
"""Measures how long one hostile request blocks the single writer.

usage: writer_hold.py MARTLET_BINARY [KIND [N]]
       writer_hold.py MARTLET_BINARY --check

Each kind starts a server on a free port, with its database in a temporary folder, and sends the
hostile request. Until its response arrives, small writes are sent one after the other. The printed
line has the size of the request, its status and duration, and the slowest small write. It exits
with 1 if a small write fails, or if the request has another status than a success or a rejection.
`--check` sends small requests of each kind.

    quote    a CSV row with a quotation mark that is closed N lines later
    rows     a CSV table of N rows of two bytes
    limit    the same, with the maximum number of rows in one upload
    tags     a reminder with the same tag N times
    renames  a batch that renames, N times, a tag used by 4,000 reminders
"""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

NUMBERS = {"quote": 4_000_000, "rows": 500_000, "limit": 65_535, "tags": 150_000, "renames": 130}
SMALL = {"quote": 40_000, "rows": 5_000, "limit": 500, "tags": 1_500, "renames": 3}
# A success, a rejected body or size, and a write that took too long and was rolled back.
EXPECTED = {200, 201, 413, 422, 503}


class Server:
    """A server process, stopped at the end of the `with` block."""

    def __init__(self, binary):
        self.folder = tempfile.TemporaryDirectory(prefix="martlet-attack-")
        self.process = subprocess.Popen(
            [binary, "serve", "--port", "0",
             "--database", os.path.join(self.folder.name, "attack.db")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        greeting = self.process.stdout.readline()
        if "listening on" not in greeting:
            sys.exit(f"{binary} did not start: {greeting!r}")
        self.port = int(re.search(r"listening on .*:(\d+)", greeting).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def post(self, path, body):
        """Sends a POST request. Returns the status and the duration in seconds."""
        start = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            connection.request("POST", path, body)
            answer = connection.getresponse()
            answer.read()
            return answer.status, time.monotonic() - start
        finally:
            connection.close()


def batch(operations):
    return json.dumps({"operations": operations}).encode()


def request(kind, number, server):
    """Creates the rows that the attack needs. Returns its path and body."""
    if kind == "quote":
        return "/v1/import?format=csv", b'title\n"' + b"\n" * number + b'"\n'
    if kind in ("rows", "limit"):
        return "/v1/import?format=csv", b"title\n" + b"a\n" * number
    if kind == "tags":
        reminder = {"listID": 1, "title": "x", "tags": ["t"] * number}
        return "/v1/reminders", json.dumps(reminder).encode()
    create = {"method": "POST", "path": "/v1/reminders",
              "body": {"listID": 1, "title": "r", "tags": ["even"]}}
    for _ in range(8):
        status, _ = server.post("/v1/batch", batch([create] * 500))
        if status != 200:
            sys.exit(f"creating the reminders to rename failed with status {status}")
    names = ["even", "odd"]
    return "/v1/batch", batch([
        {"method": "PATCH", "path": f"/v1/tags/{names[place % 2]}",
         "body": {"title": names[(place + 1) % 2]}}
        for place in range(number)])


def measure(binary, kind, number):
    with Server(binary) as server:
        path, body = request(kind, number, server)
        answers = []
        attack = threading.Thread(target=lambda: answers.append(server.post(path, body)))
        longest, statuses = 0.0, set()
        attack.start()
        while True:
            # Checked before the write, so that the last small write also began during the attack.
            is_over = not attack.is_alive()
            status, seconds = server.post("/v1/lists", b'{"title": "small"}')
            longest = max(longest, seconds)
            statuses.add(status)
            if is_over:
                break
            time.sleep(0.005)
        attack.join()
        status, seconds = answers[0] if answers else ("nothing", float("nan"))
        told = ", ".join(str(one) for one in sorted(statuses))
        print(f"{kind:8} {len(body):>9,} bytes: {status} after {seconds:6.2f} s; "
              f"slowest other write {longest:6.2f} s ({told})", flush=True)
        if statuses != {201} or status not in EXPECTED:
            sys.exit(f"writer_hold: {kind}: these statuses are wrong")


def main():
    if sys.argv[2:] == ["--check"]:
        for kind, number in SMALL.items():
            measure(sys.argv[1], kind, number)
        return
    if len(sys.argv) < 2 or len(sys.argv) > 4 or sys.argv[2:3] and sys.argv[2] not in NUMBERS:
        sys.exit(__doc__)
    binary = sys.argv[1]
    for kind in sys.argv[2:3] or NUMBERS:
        measure(binary, kind, int(sys.argv[3]) if len(sys.argv) > 3 else NUMBERS[kind])


if __name__ == "__main__":
    main()
