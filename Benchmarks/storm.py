"""Measures many alarms at one moment, and the writes of a client meanwhile."""

import http.client
import http.server
import json
import sqlite3
import tempfile
import threading
import time

from devices import LIMIT, WAITING, share
from served import Served


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def measure(program, alarms, channels):
    """Prints a row of a table: the times until all have rung, and are delivered, and of writes."""
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.daemon_threads = True
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/martlet.db"
        server = Served([program, "serve", "--port", "0", "--database", database, "--outgoing-to", "127.0.0.1",
                         "--log-level", "warning"])
        client = http.client.HTTPConnection("127.0.0.1", server.port)

        def post(path, body):
            begun = time.monotonic()
            client.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = client.getresponse()
            answer.read()
            if answer.status != 201:
                raise SystemExit(f"storm: {path} was answered with {answer.status}")
            return time.monotonic() - begun

        for number in range(channels):
            post("/v1/channels", {"kind": "ntfy", "name": "storm", "settings": {"topic": f"t{number}"},
                                  "url": f"http://127.0.0.1:{receiver.server_port}"})
        shell = sqlite3.connect(database, timeout=20)
        with shell:
            shell.execute(
                "INSERT INTO reminders (remindersListID, title) "
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 1, i FROM n",
                (alarms,))

        def write():
            taken = post("/v1/reminders", {"listID": 1, "title": "beside"})
            time.sleep(0.02)
            return taken

        idle = [write() for _ in range(100)]
        with shell:
            shell.execute("INSERT INTO alarms (reminderID, at, fireAt, isStale) SELECT id, now, now, 0 FROM reminders, "
                          "(SELECT strftime('%Y-%m-%d %H:%M:%f', 'now') AS now) WHERE id <= ?", (alarms,))
        begun, rung, beside = time.monotonic(), None, []
        while True:
            beside.append(write())
            past = time.monotonic() - begun
            if rung is None and shell.execute("SELECT max(id) FROM firings").fetchone()[0] == alarms:
                rung = past
            if rung and not shell.execute("SELECT 1 FROM deliveries WHERE state = ? LIMIT 1", (WAITING,)).fetchone():
                break
            if past > LIMIT:
                raise SystemExit(f"storm: {alarms} alarms have not rung after {LIMIT} s")
        shell.close()
        server.end()
    receiver.shutdown()
    receiver.server_close()
    figures = [share(part, which) for which in (0.5, 0.99) for part in (idle, beside)]
    print(f"{channels:>8} {rung:>8.1f} {past:>10.1f} " + " ".join(f"{figure:>10.1f}" for figure in figures))
