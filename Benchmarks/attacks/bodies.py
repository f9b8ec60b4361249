#!/usr/bin/python3
"""Measures the memory that request bodies take: before, during and after 200 concurrent uploads.

Each of three rounds opens 200 connections, announces a body of 4 MiB on each and sends all but its
last byte. One server has an API key and the clients have none, so it must buffer nothing. The other
has no keys, so the limit on the total size of all bodies applies.

It exits with 1 if the first server does not reject each upload, if the second one responds with
another status than 503, or if `/livez` fails afterwards. `--check` opens 20 connections once.

    bodies.py .build/release/martlet [--check]
"""

import http.client
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from served import Served

SIZE = 4 << 20
CLIENTS, ROUNDS = (20, 1) if "--check" in sys.argv else (200, 3)
# What a server may answer. It answers nothing while it waits for the last byte.
EXPECTED = {"with a key": {"401"}, "without keys": {"-", "503"}}


def resident(server):
    """The current resident memory in MB."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024


def send(server, body):
    """Sends as much of the body as the server accepts. Returns the socket and the status."""
    client = socket.create_connection(("127.0.0.1", server.port))
    client.sendall(
        b"POST /v1/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        b"Content-Length: %d\r\n\r\n" % SIZE)
    client.settimeout(0.05)
    try:
        client.sendall(body)
    except OSError:
        pass
    try:
        status = client.recv(4096)[9:12].decode()
    except OSError:
        status = "-"
    return client, status


def require_answer(server, name):
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    client.request("GET", "/livez")
    if (status := client.getresponse().status) != 200:
        sys.exit(f"bodies: {name}: /livez has status {status} afterwards")
    client.close()


def measure(binary, name, arguments):
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/martlet.db"
        commands = [["migrate"]]
        if name == "with a key":
            commands.append(["key", "create", "--name", "bench", "--scope", "read"])
        for command in commands:
            subprocess.run(
                [binary, *command, "--database", database], check=True, capture_output=True)
        server = Served(
            [binary, "serve", "--port", "0", "--database", database, "--log-level", "error", *arguments])
        body = b"x" * (SIZE - 1)
        print(f"{name}: at rest {resident(server):.0f} MB")
        for number in range(ROUNDS):
            clients, statuses = [], {}
            for _ in range(CLIENTS):
                client, status = send(server, body)
                clients.append(client)
                statuses[status] = statuses.get(status, 0) + 1
            during = resident(server)
            for client in clients:
                client.close()
            time.sleep(2)
            print(
                f"  round {number + 1}: {during:.0f} MB during, {resident(server):.0f} MB afterwards;"
                f" {', '.join(f'{count} × {status}' for status, count in sorted(statuses.items()))}")
            if not statuses.keys() <= EXPECTED[name]:
                sys.exit(f"bodies: {name}: expected only {' and '.join(sorted(EXPECTED[name]))}")
            require_answer(server, name)
        server.end()


if __name__ == "__main__":
    measure(sys.argv[1], "with a key", [])
    measure(sys.argv[1], "without keys", [])
