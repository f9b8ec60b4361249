"""Thousands of hostile requests from a seed.

No answer is a 500 and none takes over a second; what is XML is well-formed; the server lives, its
file is whole, and it reads what it has written.
"""

import pathlib
import random
import re
import socket
import xml.etree.ElementTree

import access
import hostile_bodies
from served import cpu_seconds
from lib.waiting import PATIENCE, check
from lib.web import basic
from place import hrefs
from programs import written

# CPU seconds of the server, because the machine does other things, too. A debug build needs five
# to ten times as many as a release build.
SLOWEST, SLOWEST_IN_DEBUG = 1.0, 4.0
METHODS = ["PROPFIND", "PROPPATCH", "MKCOL", "MKCALENDAR", "REPORT", "MOVE", "COPY", "LOCK",
           "UNLOCK", "ACL", "PUT", "DELETE", "GET", "HEAD", "OPTIONS", "POST", "PATCH",
           "SEARCH", "propfind"]
# Methods that change much are rarer, so that there is something left to attack.
WEIGHTS = [30, 12, 4, 6, 60, 12, 2, 2, 1, 1, 60, 3, 12, 3, 3, 2, 1, 1, 1]
NAMES = ["a", "b.ics", "m-1.ics", "m-999999999999999999999.ics", "%2F", "a%2Fb", "%00", "a%00b",
         "%", "%zz", "..", ".", "%2e%2e", "%ff%fe", "%C3%A4", "ä", "@", "%40", "a b", "+",
         "x" * 255, "x" * 256, "%F0%9F%98%80", "1", "01", "-1", "9223372036854775808", "'", "%22",
         "%3Cx%3E", "a;b=c", "a?b", "a#b", "", "%0d%0aX-Y:1", "CON", "~", "*", "\\", "m-.ics",
         "m-1.ICS"]
DEPTHS = ["0", "1", "infinity", "Infinity", "1,noroot", "2", "-1", "", "0, 1", "\xff", "1" * 5_000]
TAGS = ["*", '"x"', 'W/"x"', "x", '"', '""', "*, *", '"a", "b"', ",", '"1-1"', "W/", "\xff",
        '"' + "a" * 3_000 + '"']


def attack(place, folder, count, seed):
    """Sends `count` requests. Prints how many had which status."""
    Attack(place, seed).run(count)


class Attack:
    def __init__(self, place, seed):
        self.place, self.random = place, random.Random(seed)
        self.caller = place.caller()
        is_debug = "debug" in pathlib.Path(place.server.program).parts
        self.most = SLOWEST_IN_DEBUG if is_debug else SLOWEST
        self.statuses, self.slowest = {}, (0, "")
        for name in "abc":
            self.caller.ask("MKCALENDAR", f"/dav/lists/{name}/")
            for number in range(20):
                self.caller.ask("PUT", f"/dav/lists/{name}/{number}.ics",
                                written(f"{name}-{number}", f"To do {number}"),
                                Content_Type="text/calendar")

    def run(self, count):
        for number in range(count):
            method, target, fields, body = self.request()
            what = f"request {number}: {method} {target[:100]} {fields[1:]}\n{body[:3_000]!r}"
            self.attack(method, target, fields, body, what)
        told = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))
        print(f"  {told}; the slowest took {self.slowest[0] * 1000:.0f} ms: "
              f"{self.slowest[1][:300]}")
        # Last, so that what it leaves behind is not in the way of the others.
        self.slowest = 0, ""
        for what, method, name, body in hostile_bodies.costly():
            fields = [("Authorization", basic(self.place.key)), ("Depth", "1")]
            if method == "PUT":
                fields.append(("Content-Type", "text/calendar"))
            self.attack(method, f"/dav/lists/a/{name}", fields, body.encode(), what)
        print(f"  of what has to be bounded, {self.slowest[1]} takes {self.slowest[0]:.2f} s")
        self.read_all()
        self.place.is_whole()

    def attack(self, method, target, fields, body, what):
        """Sends a request, and checks what every answer has to be."""
        start = cpu_seconds(self.place.server.process.pid)
        status, text = self.send(method, target, fields, body)
        seconds = cpu_seconds(self.place.server.process.pid) - start
        self.slowest = max(self.slowest, (seconds, what))
        self.statuses[status] = self.statuses.get(status, 0) + 1
        check(status not in (0, 500, 503), f"{status} {text[:500]!r} for {what}")
        check(seconds < self.most, f"{seconds:.1f} s for {what}")
        if method not in ("GET", "HEAD") and text.startswith(b"<?xml"):
            self.check_xml(text, what)

    def check_xml(self, text, what):
        try:
            xml.etree.ElementTree.fromstring(text)
        except xml.etree.ElementTree.ParseError as problem:
            check(False, f"the answer is no XML: {problem}\n{text[:3_000]!r}\n{what}")

    def send(self, method, target, fields, body):
        """Sends bytes that no library would send. Returns the status, 0 without an answer."""
        lines = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", "Connection: close",
                 f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in fields]
        data = ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape") + body
        with socket.create_connection(("127.0.0.1", self.place.server.port), PATIENCE) as stream:
            try:
                stream.sendall(data)
            except OSError:
                # It may answer, and close, before it has read all.
                pass
            answer = b""
            try:
                while part := stream.recv(1 << 16):
                    answer += part
            except ConnectionResetError:
                pass
            except TimeoutError:
                # Something that never ends has begun, or there is no answer at all.
                return 0, answer
        found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
        return int(found.group(1)) if found else 0, answer.partition(b"\r\n\r\n")[2]

    def request(self):
        pick = self.random
        method = pick.choices(METHODS, WEIGHTS)[0]
        target = self.target(method)
        fields = [("Authorization", basic(self.place.key))]
        if pick.random() < 0.02:
            fields = [("Authorization", pick.choice(
                ["Basic", "Basic ", "Basic \xff", "Basic ====", "Basic Og==",
                 "basic " + "A" * 9_000, "Bearer", "Digest x", "Basic bWs6"]))]
        if pick.random() < 0.7:
            fields.append(("Depth", pick.choice(DEPTHS[:3] if pick.random() < 0.8 else DEPTHS)))
        if pick.random() < 0.15:
            fields.append((pick.choice(["If-Match", "If-None-Match"]), pick.choice(TAGS)))
        if method in ("MOVE", "COPY") or pick.random() < 0.03:
            fields.append(("Destination", self.destination()))
            if pick.random() < 0.3:
                fields.append(("Overwrite", pick.choice(["F", "T", "f", "", "x"])))
        if method == "PUT" and pick.random() < 0.9:
            fields.append(("Content-Type", "text/calendar; charset=utf-8"))
        elif pick.random() < 0.5:
            fields.append(("Content-Type", pick.choice(
                ["application/xml", "text/xml; charset=utf-16", "text/calendar", "application/json",
                 "", ";", "multipart/form-data; boundary=x"])))
        if pick.random() < 0.1:
            fields.append(pick.choice(
                [("Prefer", "return=minimal"), ("Prefer", "depth-noroot, ,;="), ("Brief", "t"),
                 ("If", "(<x> [\"y\"])"), ("Timeout", "Infinite"), ("Lock-Token", "<x>"),
                 ("Content-Encoding", "gzip"), ("Accept", "text/event-stream"),
                 ("Range", "bytes=0-0"), ("Origin", "null"), ("Expect", "100-continue"),
                 ("Accept-Encoding", "gzip"), ("X-HTTP-Method-Override", "DELETE")]))
        uid = re.sub(r"^/dav/lists/([abc])/(\d+)\.ics$", r"\1-\2", target)
        return method, target, fields, hostile_bodies.body(method, pick, uid)

    def target(self, method):
        pick = self.random
        mine = pick.choice("abc")
        if method == "DELETE":
            return f"/dav/lists/{mine}/{pick.randint(0, 30)}.ics"
        if method in ("MKCOL", "MKCALENDAR") and pick.random() < 0.5:
            return f"/dav/lists/{mine}{pick.randint(0, 20)}/"
        if method == "PUT" and pick.random() < 0.8:
            return f"/dav/lists/{mine}/{pick.randint(0, 60)}.ics"
        return pick.choices([
            f"/dav/lists/{mine}/", f"/dav/lists/{mine}/{pick.randint(0, 30)}.ics",
            f"/dav/lists/{pick.choice(NAMES)}/", f"/dav/lists/{mine}/{pick.choice(NAMES)}",
            pick.choice(["/", "/dav", "/dav/", "/dav/principal/", "/dav/lists/", "/dav/lists",
                         "/.well-known/caldav", "//dav//", "/DAV/", "/dav/x", "*", "/dav/lists//",
                         "/dav/lists/a/b/c", "/dav/%6cists/a/", "/dav/lists/a?x=%zz&access=x",
                         "http://elsewhere.example/dav/", "/dav/../dav/", "/dav/lists/a/" * 200]),
            f"/dav/lists/{self.place.lists['Books']}/",
        ], [30, 30, 6, 12, 15, 4])[0]

    def destination(self):
        pick = self.random
        path = f"/dav/lists/{pick.choice('abc')}/{pick.randint(0, 60)}.ics"
        return pick.choices(
            [path, f"http://127.0.0.1{path}", f"https://elsewhere.example{path}",
             f"/dav/lists/{pick.choice(NAMES)}/{pick.choice(NAMES)}",
             pick.choice(["", "/", "x", "//", "http://", "http:", path + "/x", path + "?x", "\xff",
                          "/dav/lists/a/", "/v1/lists", "urn:x", "/dav/lists/none/a.ics",
                          "x" * 9_000])], [40, 10, 5, 20, 10])[0]

    def read_all(self):
        """Reads everything that is there now, and lets the server read what it has written."""
        caller = self.caller
        # The first one is that of the home.
        lists = hrefs(caller.ask("PROPFIND", "/dav/lists/", access.FIND, Depth="1").text)
        files = []
        for path in lists[1:]:
            answer = caller.ask("PROPFIND", path, hostile_bodies.ALL, Depth="1")
            check(answer.status == 207, f"PROPFIND {path}: {answer.status}")
            self.check_xml(answer.text.encode(), path)
            files += [each for each in hrefs(answer.text) if each.startswith(path) and each != path]
            report = caller.ask("REPORT", path, hostile_bodies.SYNC)
            check(report.status == 207, f"sync-collection of {path}: {report.status}")
            self.check_xml(report.text.encode(), path)
            check(caller.ask("GET", path).status == 200, f"GET {path}")
        put = 0
        for path in sorted(set(files)):
            answer = caller.ask("GET", path)
            check(answer.status == 200, f"GET {path}: {answer.status}")
            if path.startswith(tuple(f"/dav/lists/{name}/" for name in "abc")):
                self.check_written(path)
                put += 1
        for path in ["/v1/export", "/v1/export?format=ics", "/v1/stats"]:
            answer = caller.ask("GET", path)
            check(answer.status == 200, f"GET {path}: {answer.status} {answer.text[:300]}")
        print(f"  {len(files)} objects can be read; {put} were written by the server, and put")

    def check_written(self, path):
        """What the server writes anew after a change by JSON is what a program may put."""
        caller = self.caller
        name, file = path.removeprefix("/dav/lists/").split("/")
        rows = self.place.server.sql(f"""
            SELECT reminders.id FROM reminders
            JOIN calendarCollections ON calendarCollections.listID = reminders.remindersListID
            LEFT JOIN calendarObjects ON calendarObjects.reminderID = reminders.id
            WHERE calendarCollections.name = '{name}'
            AND coalesce(calendarObjects.name, 'm-' || reminders.id || '.ics') = '{file}'""")
        if not rows:
            return
        answer = caller.ask("PATCH", f"/v1/reminders/{rows[0][0]}", '{"isFlagged":true}',
                            Content_Type="application/json")
        check(answer.status == 200, f"PATCH of {path}: {answer.status} {answer.text[:300]}")
        text = caller.ask("GET", path)
        answer = caller.ask("PUT", path, text.text, Content_Type="text/calendar",
                            If_Match=text.fields["ETag"])
        check(answer.status == 204, f"PUT of what GET of {path} gave: {answer.status} {answer.text}"
              f"\n{text.text}")
