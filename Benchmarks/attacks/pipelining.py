#!/usr/bin/python3
"""Measures how long other clients wait while some clients pipeline thousands of requests.

One client, then four, pipeline 4,000 `HEAD` requests for a page of 500 reminders in a single write.
The server has one event loop and 20,000 reminders. Another connection requests `/livez` meanwhile.

It exits with 1 if a response is missing or has another status than 200, or 503 of a busy server.
With `--check` there are 2,000 reminders and 400 requests.

    pipelining.py .build/release/martlet [--check]
"""

import pathlib
import shutil
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from databases import database
from served import Served

REMINDERS, REQUESTS = (2_000, 400) if "--check" in sys.argv else (20_000, 4_000)
REQUEST = b"HEAD /v1/reminders?limit=500 HTTP/1.1\r\nHost: localhost\r\n%s\r\n"


def flood(server, fields, done):
    client = socket.create_connection(("127.0.0.1", server.port))
    client.sendall(REQUEST % fields * REQUESTS)
    answers = 0
    rest = b""
    while answers < REQUESTS:
        data = client.recv(1 << 16)
        if not data:
            break
        *heads, rest = (rest + data).split(b"\r\n\r\n")
        answers += len(heads)
        done += [head[9:12].decode() for head in heads]


def health(server):
    """Returns a function that requests `/livez` on one open connection and returns milliseconds."""
    client = socket.create_connection(("127.0.0.1", server.port))

    def ask():
        start = time.monotonic()
        client.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.recv(4096)
        return (time.monotonic() - start) * 1000

    return ask


def measure(server, clients, fields, name):
    ask = health(server)
    ask()
    done = []
    threads = [threading.Thread(target=flood, args=(server, fields, done)) for _ in range(clients)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    time.sleep(0.05)
    times = []
    while any(thread.is_alive() for thread in threads):
        times.append(ask())
        time.sleep(0.005)
    times.sort()
    told = ", ".join(f"{done.count(status):,} × {status}" for status in sorted(set(done)))
    if not times:
        times = [0]
    print(
        f"{clients} × {REQUESTS:,} {name}: {time.monotonic() - start:.1f} s, {told};"
        f" /livez p50 {times[len(times) // 2]:.1f} ms, max {times[-1]:.1f} ms ({len(times)} requests)")
    if len(done) != clients * REQUESTS or not set(done) <= {"200", "503"}:
        sys.exit(f"pipelining: expected {clients * REQUESTS:,} responses with status 200, or 503 of a busy server")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "martlet.db"
        shutil.copy(database(sys.argv[1], REMINDERS), file)
        server = Served(
            [sys.argv[1], "serve", "--port", "0", "--loops", "1", "--database", file,
             "--log-level", "error"])
        for clients in (1, 4):
            measure(server, clients, b"", "pages")
            measure(server, clients, b"Accept-Encoding: gzip\r\n", "pages in gzip")
        server.end()
