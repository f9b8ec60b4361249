"""Clients that put load on a martlet, survive its failures, and record its responses."""

import collections
import contextlib
import http.client
import json
import threading
import time

from lib import web
from lib.waiting import check, wait

PATIENCE = 20

OK, REFUSED, BROKEN, STALLED = "answered", "refused", "broken", "stalled"
FULL, UNKNOWN = "/problems/storage-full", "/problems/outcome-unknown"
INTERNAL, OVERLOADED = "/problems/internal", "/problems/overloaded"
# After one of these the outcome of a write is unknown.
OPEN = (BROKEN, STALLED, UNKNOWN)


class Client(threading.Thread):
    """Repeats one operation and counts the outcomes by kind."""

    def __init__(self, load):
        super().__init__(daemon=True)
        self.load = load
        self.connection = None
        self.steps = 0

    def run(self):
        while not self.load.has_ended:
            with self.load.going():
                self.step()
            self.steps += 1

    def connect(self):
        self.close()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.load.port, timeout=PATIENCE)
        self.connection.connect()

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def ask(self, method, target, body=None):
        """Sends a request. Returns the kind of outcome and the decoded body."""
        started = time.monotonic()
        kind, document = self.answer(method, target, body)
        if kind not in (OK, FULL, OVERLOADED):
            self.close()
        self.load.note(kind, time.monotonic() - started)
        if kind != OK:
            self.load.rest.wait(0.02)
        return kind, document

    def answer(self, method, target, body):
        try:
            if not self.connection:
                self.connect()
        except OSError:
            return REFUSED, None
        try:
            answer = web.sent(self.connection, method, target, body)
        except TimeoutError:
            return STALLED, None
        except (OSError, http.client.HTTPException):
            return BROKEN, None
        if answer.fields.get("Connection") == "close":
            self.close()
        try:
            document = answer.json()
        except ValueError:
            return f"not JSON: {answer.text[:200]}", None
        if answer.status < 300:
            return OK, document
        if answer.fields.get("Content-Type") != "application/problem+json":
            return f"status {answer.status} without a problem", None
        return document["type"], document


class Writer(Client):
    """Creates reminders and deletes every third one.

    `stored` maps each title to whether it must be in the database; None if the outcome is unknown.
    """

    def __init__(self, load, name):
        super().__init__(load)
        self.title = name
        self.stored = {}
        self.ids = {}

    def step(self):
        title = f"{self.title}-{self.steps}"
        kind, document = self.ask("POST", "/v1/reminders", {"listID": 1, "title": title})
        self.stored[title] = None if kind in OPEN else kind == OK
        if kind != OK:
            return
        identifier = self.ids[title] = document["id"]
        if self.steps % 3:
            self.load.readable.append((identifier, title))
            return
        kind, _ = self.ask("DELETE", f"/v1/reminders/{identifier}")
        self.stored[title] = None if kind in OPEN else kind != OK

    def untold(self, rows):
        """The titles of writes that were committed without an acknowledgement."""
        added = [t for t, there in self.stored.items() if there is None and t in rows]
        deleted = [t for t in self.ids if self.stored[t] is None and t not in rows]
        return [t for t in added if t not in self.ids] + deleted


class Reader(Client):
    """Reads acknowledged reminders over one connection."""

    def step(self):
        if not self.load.readable:
            self.load.rest.wait(0.02)
            return
        identifier, title = self.load.readable[-1 - self.steps % min(len(self.load.readable), 50)]
        kind, document = self.ask("GET", f"/v1/reminders/{identifier}")
        if kind == OK and document["title"] != title:
            self.load.note(f"wrong response {document} for {title}")


class Visitor(Client):
    """Opens a new connection for each request."""

    def step(self):
        self.close()
        self.ask("GET", "/v1/stats")


class Subscriber(Client):
    """Subscribes to the statistics and reconnects when the stream ends. It is never paused."""

    def __init__(self, load):
        super().__init__(load)
        self.last = self.id = None

    def run(self):
        while not self.load.has_ended:
            self.follow()

    def follow(self):
        try:
            self.connect()
        except OSError:
            self.load.rest.wait(0.02)
            return
        try:
            response = web.stream(self.connection, "/v1/stats", {"Last-Event-ID": self.id} if self.id else {})
            for event in web.events(response):
                self.id = event.get("id", self.id)
                data = json.loads(event.get("data", "{}"))
                self.last = data.get("all", self.last)
        except TimeoutError:
            self.load.note("a stream without heartbeats")
        except (OSError, http.client.HTTPException):
            pass


class Load:
    """All clients together."""

    def __init__(self, port):
        self.port = port
        self.has_ended = False
        self.rest = threading.Event()
        self.lock = threading.Lock()
        self.gate = threading.Condition()
        self.is_paused = False
        self.active = 0
        self.readable = []
        self.reset()
        self.writers = [Writer(self, f"w{number}") for number in range(3)]
        self.follower = Subscriber(self)
        self.clients = [*self.writers, Reader(self), Reader(self), Visitor(self)]
        for client in [*self.clients, self.follower]:
            client.start()

    def note(self, kind, seconds=0):
        with self.lock:
            self.counts[kind] += 1
            self.slowest = max(self.slowest, seconds)

    def reset(self):
        with self.lock:
            self.counts, self.slowest = collections.Counter(), 0

    def told(self):
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts.items()))
        return f"{kinds}; slowest {self.slowest:.2f} s"

    def allow(self, kinds):
        surprises = set(self.counts) - {OK} - set(kinds)
        check(not surprises, f"{surprises}; {self.told()}")

    def advance(self, steps):
        """Waits until every client has completed this many more steps."""
        before = [client.steps for client in self.clients]
        wait(
            "every client makes progress",
            lambda: all(c.steps >= b + steps for c, b in zip(self.clients, before)),
        )

    @contextlib.contextmanager
    def going(self):
        with self.gate:
            self.gate.wait_for(lambda: not self.is_paused)
            self.active += 1
        try:
            yield
        finally:
            with self.gate:
                self.active -= 1
                self.gate.notify_all()

    @contextlib.contextmanager
    def paused(self):
        """Pauses the clients; no request is in flight inside the block."""
        with self.gate:
            self.is_paused = True
            check(self.gate.wait_for(lambda: self.active == 0, PATIENCE), "a client did not pause")
        try:
            yield
        finally:
            with self.gate:
                self.is_paused = False
                self.gate.notify_all()

    def compare(self, rows):
        """Compares the database with the responses. Returns the number of compared writes."""
        stored = {}
        for writer in self.writers:
            stored |= writer.stored
            # Each contradiction is reported once.
            writer.stored = {title: title in rows for title in writer.stored}
        lost = [title for title, there in stored.items() if there and title not in rows]
        extra = [title for title in rows if stored.get(title) is False]
        strangers = [title for title in rows if title not in stored]
        check(not lost, f"acknowledged but lost: {lost[:5]}")
        check(not extra, f"rejected or deleted, but stored: {extra[:5]}")
        check(not strangers, f"stored but never requested: {strangers[:5]}")
        for writer in self.writers:
            wrong = [t for t, i in writer.ids.items() if t in rows and rows[t] != i]
            check(not wrong, f"stored with another ID: {wrong[:5]}")
        return len(stored)
