#!/usr/bin/python3
"""Measures what expensive reads cost other clients: latency of streams and reads, and memory.

The database has 500 reminders with 10 kB of notes (`a a a …`) and 200 with 100 kB. Each measurement
uses its own server:
- The latency of an event on one stream, before and while a bundle of 20 new searches is opened.
- Four concurrent searches with long highlight marks, and `/v1/stats` requested with another key.
- Memory: six bundles subscribe to 32 different pages of 500 each; one search uses the longest
  marks; 300 clients request a page of 5 MB and do not read it.

It exits with 1 if an event or a response is missing, or has a wrong status. With `--check` there are
fewer reminders, and fewer clients that are not measured for long.

    reads.py .build/release/martlet [--check]
"""

import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from served import Served


IS_CHECK = "--check" in sys.argv
# A result that is too large or takes too long is refused.
EXPECTED = {"200", "422", "503"}


def require(is_right, what):
    if not is_right:
        sys.exit(f"reads: {what}")


def pause(seconds):
    time.sleep(min(seconds, 1) if IS_CHECK else seconds)


def request(port, method, path, body=b"", key=None, patience=60):
    """Sends one request. Returns the status and the seconds until the response is complete."""
    start = time.monotonic()
    client = socket.create_connection(("127.0.0.1", port), timeout=patience)
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    if key:
        head += f"Authorization: Bearer {key}\r\n"
    client.sendall(head.encode() + b"\r\n" + body)
    data = client.recv(16)
    while client.recv(1 << 16):
        pass
    return data[9:12].decode(), time.monotonic() - start


def follow(port, path, key=None):
    client = socket.create_connection(("127.0.0.1", port))
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
    if key:
        head += f"Authorization: Bearer {key}\r\n"
    client.sendall(head.encode() + b"\r\n")
    return client


def resident(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024


class Service:
    """A server with its own database, filled with notes of two sizes."""

    def __init__(self, binary, keys=()):
        self.folder = tempfile.TemporaryDirectory()
        path = f"{self.folder.name}/martlet.db"
        subprocess.run([binary, "migrate", "--database", path], check=True, capture_output=True)
        lines = [{"type": "list", "id": 1, "title": "Large"}]
        for number, size in [(50, 10_000), (10, 100_000)] if IS_CHECK else [(500, 10_000), (200, 100_000)]:
            for place in range(number):
                notes = "a " * (size // 2)
                lines.append({"type": "reminder", "listID": 1, "title": f"r{size} {place}", "notes": notes})
        file = pathlib.Path(self.folder.name) / "all.ndjson"
        file.write_text("\n".join(json.dumps(line) for line in lines))
        subprocess.run(
            [binary, "import", str(file), "--database", path], check=True, capture_output=True)
        self.keys = [
            subprocess.run(
                [binary, "key", "create", "--name", name, "--scope", "read", "--database", path],
                check=True, capture_output=True, text=True).stdout.strip() for name in keys]
        self.server = Served(
            [binary, "serve", "--port", "0", "--database", path, "--log-level", "error"])
        self.port = self.server.port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.end()
        self.folder.cleanup()


def stalls(binary):
    with Service(binary) as service:
        stream = follow(service.port, "/v1/lists/2")
        titles = []

        def read():
            rest = b""
            while data := stream.recv(1 << 16):
                rest += data
                while b"\n\n" in rest:
                    event, rest = rest.split(b"\n\n", 1)
                    if found := re.search(rb'"title":"([^"]*)"', event):
                        titles.append(found.group(1).decode())

        threading.Thread(target=read, daemon=True).start()

        def lag(name):
            start = time.monotonic()
            status, _ = request(service.port, "PATCH", "/v1/lists/2", json.dumps({"title": name}).encode())
            require(status == "200", f"a change has status {status}")
            while titles[-1:] != [name] and time.monotonic() - start < 120:
                time.sleep(0.001)
            require(titles[-1:] == [name], f"the stream has no event of {name}")
            return (time.monotonic() - start) * 1000

        time.sleep(0.3)
        before = lag("before")
        queries = "&".join(
            f"q{n}=" + urllib.parse.quote(f"/v1/search?q=a&limit={500 - n}&before={'x' * 32}", safe="")
            for n in range(20))
        bundle = follow(service.port, f"/v1/live?{queries}")
        time.sleep(0.3)
        during = [lag(f"during {n}") for n in range(5)]
        fresh = time.monotonic()
        new = follow(service.port, "/v1/lists")
        require(new.recv(64).startswith(b"HTTP/1.1 200"), "a new stream was refused")
        fresh = (time.monotonic() - fresh) * 1000
        print(
            f"a stream beside 20 new searches: event after {before:.0f} ms before, "
            f"max {max(during):.0f} ms meanwhile; a new stream has its head after {fresh:.0f} ms")
        bundle.close()


def slow(binary):
    with Service(binary, ["attacker", "other"]) as service:
        path = f"/v1/search?q=a&limit=200&before={'x' * 32}&after={'x' * 32}"
        answers = []
        threads = [
            threading.Thread(target=lambda: answers.append(
                request(service.port, "GET", path, key=service.keys[0]))) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        others = [request(service.port, "GET", "/v1/stats", key=service.keys[1]) for _ in range(5)]
        for thread in threads:
            thread.join()
        print(
            "four searches with marks: " + ", ".join(f"{s} after {t:.1f} s" for s, t in sorted(answers))
            + "; /v1/stats of another key: " + ", ".join(f"{s} {t * 1000:.0f} ms" for s, t in others))
        require(len(answers) == 4 and {status for status, _ in answers} <= EXPECTED, "a search has a wrong status")
        # A busy server may answer 503, but not when the searches are over.
        after, _ = request(service.port, "GET", "/v1/stats", key=service.keys[1])
        require({status for status, _ in others} <= {"200", "503"}, "/v1/stats has a wrong status")
        require(after == "200", f"/v1/stats has status {after} after the searches")


def memory(binary):
    with Service(binary) as service:
        rest = resident(service.server)
        streams = []
        for stream in range(6):
            queries = "&".join(
                f"q{n}=" + urllib.parse.quote(f"/v1/reminders?limit={500 - 32 * stream - n}", safe="")
                for n in range(32))
            streams.append(follow(service.port, f"/v1/live?{queries}"))
        pause(15)
        during = resident(service.server)
        for stream in streams:
            stream.close()
        pause(3)
        print(
            f"6 bundles × 32 pages of 500: {rest:.0f} MB at rest, {during:.0f} MB during, "
            f"{resident(service.server):.0f} MB afterwards")
    with Service(binary) as service:
        mark = urllib.parse.quote("\u2192" * 32)
        status, _ = request(service.port, "GET", f"/v1/search?q=a&limit=500&before={mark}&after={mark}")
        require(status in EXPECTED, f"a search with the longest marks has status {status}")
        print(f"one search with the longest marks: peak {service.server.megabytes():.0f} MB")
    with Service(binary) as service:
        clients = []
        count = 30 if IS_CHECK else 300
        for _ in range(count):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", service.port))
            client.sendall(b"GET /v1/reminders?limit=450 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            clients.append(client)
        pause(10)
        status, _ = request(service.port, "GET", "/livez")
        require(status == "200", f"/livez has status {status} beside clients that do not read")
        print(f"{count} clients that request a large page and do not read: {resident(service.server):.0f} MB")


if __name__ == "__main__":
    stalls(sys.argv[1])
    slow(sys.argv[1])
    memory(sys.argv[1])
