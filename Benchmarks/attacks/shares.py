#!/usr/bin/python3
"""Measures how long a client waits while another client does its worst.

usage: shares.py MARTLET_BINARY [--kind NAME] [--seconds N] [--connections N]
       shares.py MARTLET_BINARY --check

The attacker's key is limited to one list, but for imports. Some kinds need the right to write, the
others only read.
Another key, of a second list with 2,000 reminders, measures five things, one after the other: a
`GET` of a reminder, a write, the live event of that write, the first copy of the list by CalDAV, and
an export. The table has the median and the worst time of each in milliseconds, first with an idle
server. It exits with 1 if the other key gets an error. `--check` runs each kind for a second with
small requests.
"""

import argparse
import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from served import Served

PROBES = ("GET", "write", "event", "first copy", "export")
XML = {"Content-Type": "application/xml; charset=utf-8"}
JSON = {"Content-Type": "application/json"}
FIRST_COPY = """<c:calendar-query xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><prop><getetag/>
<c:calendar-data/></prop><c:filter><c:comp-filter name="VCALENDAR"/></c:filter></c:calendar-query>"""


class Client:
    """A connection with a key. It is opened again when the server has closed it."""

    def __init__(self, port, key):
        self.port, self.key, self.connection = port, key, None

    def send(self, method, path, body=None, headers=()):
        self.connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        if isinstance(body, (dict, list)):
            body, headers = json.dumps(body), JSON
        try:
            self.connection.request(method, path, body, {"Authorization": f"Bearer {self.key}", **dict(headers)})
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            return 0, b""


class Events:
    """An event stream of a reminder, whose titles arrive in `titles` with their time."""

    def __init__(self, port, key, path):
        self.arrived, self.titles = threading.Condition(), {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        self.connection.request(
            "GET", path, headers={"Authorization": f"Bearer {key}", "Accept": "text/event-stream"})
        self.stream = self.connection.getresponse()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.stream:
            if line.startswith(b"data:"):
                # The last event of a server that stops has no title.
                with self.arrived:
                    self.titles[json.loads(line[5:]).get("title")] = time.monotonic()
                    self.arrived.notify_all()

    def wait(self, title):
        with self.arrived:
            self.arrived.wait_for(lambda: title in self.titles, timeout=60)
            return self.titles.get(title)


def batch(operations):
    return "POST", "/v1/batch", {"operations": operations}


def kinds(small):
    """The requests of each kind: a function of the round and of the attacker's large reminder."""
    def scaled(number):
        return max(1, number // 50) if small else number

    names = "".join(f"<x{'n' * 60}{number} xmlns='u'/>" for number in range(scaled(200)))
    properties = f'<propfind xmlns="DAV:"><prop><getetag/>{names}</prop></propfind>'
    spaces = " ".join(f'xmlns:n{number}="u"' for number in range(scaled(900)))
    spaces = f'<propfind xmlns="DAV:" {spaces}><allprop/></propfind>'
    wide = ('<c:calendar-query xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><prop><getetag/></prop>'
            '<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO"><c:prop-filter name="SUMMARY">'
            f'<c:text-match>{"z" * scaled(900_000)}</c:text-match></c:prop-filter></c:comp-filter></c:comp-filter>'
            "</c:filter></c:calendar-query>")
    hrefs = "".join(f"<href>/dav/lists/2/{number}.ics</href>" for number in range(scaled(9_000)))
    some = f'<c:calendar-multiget xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><prop><getetag/></prop>{hrefs}</c:calendar-multiget>'
    table = "title,notes,tags\n" + "".join(f"a{number},b,x;y\n" for number in range(scaled(8_000)))
    groups = "CATEGORIES:" + "a," * scaled(400_000) + "a"
    todo = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:a\r\nBEGIN:VTODO\r\nUID:u\r\nSUMMARY:s\r\n{groups}\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    status = ("completed", "incomplete")
    long = {"title": "x " * 400, "notes": "n " * 900, "tags": ["a", "b", "c", "d", "e"], "listID": 2}
    return {
        "PROPFIND with long names": ("read", lambda n, top: ("PROPFIND", "/dav/lists/2/", properties, {**XML, "Depth": "1"})),
        "PROPFIND with namespaces": ("read", lambda n, top: ("PROPFIND", "/dav/lists/2/", spaces, {**XML, "Depth": "1"})),
        "REPORT with a long text": ("read", lambda n, top: ("REPORT", "/dav/lists/2/", wide, {**XML, "Depth": "1"})),
        "REPORT of many paths": ("read", lambda n, top: ("REPORT", "/dav/lists/2/", some, XML)),
        "first copies": ("read", lambda n, top: ("REPORT", "/dav/lists/2/", FIRST_COPY, {**XML, "Depth": "1"})),
        "the list as one calendar": ("read", lambda n, top: ("GET", "/dav/lists/2/")),
        "exports": ("read", lambda n, top: ("GET", "/v1/export?format=" + ("ndjson", "csv", "ics")[n % 3])),
        "searches": ("read", lambda n, top: ("GET", "/v1/search?q=s&limit=500")),
        "statistics": ("read", lambda n, top: ("GET", "/v1/stats")),
        "the whole feed": ("read", lambda n, top: ("GET", "/v1/changes?limit=500")),
        "completions of a tree": ("write", lambda n, top: batch(
            [{"method": "PATCH", "path": f"/v1/reminders/{top}", "body": {"status": status[part % 2]}}
             for part in range(scaled(40))])),
        "large batches": ("write", lambda n, top: batch(
            [{"method": "POST", "path": "/v1/reminders", "body": long}] * scaled(300))),
        "imports": ("admin", lambda n, top: ("POST", "/v1/import?format=csv", table, {"Content-Type": "text/csv"})),
        "PUT with categories": ("write", lambda n, top: (
            "PUT", f"/dav/lists/2/p{top}.ics", todo.replace("UID:u", f"UID:u{top}"), {"Content-Type": "text/calendar"})),
        "deletions of a tree": ("write", lambda n, top: batch(
            [{"method": "DELETE", "path": f"/v1/reminders/{top}"}, {"method": "DELETE", "path": "/v1/reminders/0"}])),
    }


class Service:
    """A server with an attacker's list, another list of 2,000 reminders, and a key for each."""

    def __init__(self, binary, folder, small):
        database = f"{folder}/martlet.db"
        self.binary, self.database = binary, database
        self.run("migrate")
        admin = self.run("key", "create", "--name", "admin", "--scope", "admin")
        self.served = Served([binary, "serve", "--port", "0", "--database", database, "--log-level", "error"])
        admin = self.admin = Client(self.served.port, admin)
        self.made(admin.send("POST", "/v1/lists", {"title": "attacker"}))
        self.made(admin.send("POST", "/v1/lists", {"title": "other"}))
        self.keys = {scope: self.run("key", "create", "--name", scope, "--scope", scope, "--list", "2")
                     for scope in ("read", "write")}
        # Only a key without lists may import.
        self.keys["admin"] = self.run("key", "create", "--name", "import", "--scope", "admin")
        self.other = self.run("key", "create", "--name", "other", "--scope", "write", "--list", "3")
        for list_id, count in ((2, 100 if small else 8_000), (3, 100 if small else 2_000)):
            for first in range(0, count, 500):
                self.made(admin.send(*batch(
                    [{"method": "POST", "path": "/v1/reminders", "body": {"listID": list_id, "title": f"s{number}"}}
                     for number in range(first, min(count, first + 500))])))
        self.tops = [self.tree(20 if small else 4_000) for _ in range(2 if small else 4)]
        self.measured = json.loads(
            self.made(admin.send("POST", "/v1/reminders", {"listID": 3, "title": "m"})))["id"]

    def run(self, *arguments):
        return subprocess.run([self.binary, *arguments, "--database", self.database], check=True,
                              capture_output=True, text=True).stdout.strip()

    def made(self, answer):
        if answer[0] not in (200, 201):
            sys.exit(f"shares: the setup failed: {answer}")
        return answer[1]

    def tree(self, count):
        """A reminder of the attacker with `count` subtasks."""
        top = json.loads(self.made(self.admin.send("POST", "/v1/reminders", {"listID": 2, "title": "top"})))["id"]
        for first in range(0, count, 500):
            self.made(self.admin.send(*batch(
                [{"method": "POST", "path": "/v1/reminders", "body": {"parentID": top, "title": "k"}}]
                * min(500, count - first))))
        return top


def measure(service, seconds):
    """The times of the other key's requests, by probe."""
    client, times, errors = Client(service.served.port, service.other), {name: [] for name in PROBES}, []
    path = f"/v1/reminders/{service.measured}"
    events = Events(service.served.port, service.other, path)

    def timed(name, *request):
        start = time.monotonic()
        status, _ = client.send(*request)
        times[name].append(time.monotonic() - start)
        if status not in (200, 201, 207):
            errors.append(f"{name}: {status}")

    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end or not times["export"]:
        number += 1
        timed("GET", "GET", path)
        title, start = f"m{time.monotonic()}", time.monotonic()
        timed("write", "PATCH", path, {"title": title})
        arrived = events.wait(title)
        if arrived is None:
            errors.append("event: none within a minute")
        else:
            times["event"].append(arrived - start)
        if number % 10 == 1:
            timed("first copy", "REPORT", "/dav/lists/3/", FIRST_COPY, {**XML, "Depth": "1"})
            timed("export", "GET", "/v1/export?format=ndjson")
        time.sleep(0.03)
    events.connection.close()
    return times, errors


def attack(service, scope, request, connections, stop, statuses):
    def work(place):
        client, number = Client(service.served.port, service.keys[scope]), 0
        while not stop.is_set():
            status, _ = client.send(*request(number, service.tops[place % len(service.tops)]))
            statuses[status] = statuses.get(status, 0) + 1
            number += 1

    threads = [threading.Thread(target=work, args=(place,), daemon=True) for place in range(connections)]
    for thread in threads:
        thread.start()
    return threads


def row(name, times, more=""):
    cells = [f"{statistics.median(values) * 1e3:.0f}, {max(values) * 1e3:.0f}" for values in times.values()]
    print(f"| {name} | {' | '.join(cells)} | {more} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--kind")
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    wanted = {name: kind for name, kind in kinds(options.check).items() if options.kind in (None, name)}
    failed = []
    print(f"| kind | {' | '.join(PROBES)} | the attacker's answers |\n|---|{'---|' * (len(PROBES) + 1)}")
    for number, (name, (scope, request)) in enumerate(wanted.items()):
        with tempfile.TemporaryDirectory(prefix="martlet-shares-") as folder:
            service = Service(options.binary, folder, options.check)
            if number == 0:
                row("none", measure(service, 1 if options.check else options.seconds)[0])
            stop, statuses = threading.Event(), {}
            threads = attack(service, scope, request, options.connections, stop, statuses)
            times, errors = measure(service, 1 if options.check else options.seconds)
            stop.set()
            for thread in threads:
                thread.join(90)
            answers = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
            row(name, times, answers)
            failed += [f"{name}: {error}" for error in errors]
            service.served.end()
    for line in failed[:20]:
        print(f"shares: {line}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
