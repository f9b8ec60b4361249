"""Clients that keep a martlet busy, whatever becomes of it, and remember what they were told."""

import collections
import contextlib
import http.client
import json
import threading
import time

PATIENCE = 20

OK, REFUSED, BROKEN, STALLED = "answered", "refused", "broken", "stalled"
FULL, UNKNOWN = "/problems/storage-full", "/problems/outcome-unknown"
INTERNAL, OVERLOADED = "/problems/internal", "/problems/overloaded"
# After these a write may have been done or not.
OPEN = (BROKEN, STALLED, UNKNOWN)


class Failure(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Failure(what)


def wait(what, condition):
    """Returns when `condition` holds; what does not come in time is a failure."""
    end = time.monotonic() + PATIENCE
    while not condition():
        check(time.monotonic() < end, f"not within {PATIENCE} s: {what}")
        time.sleep(0.01)


class Client(threading.Thread):
    """Does one thing again and again; what comes of it is counted by kind."""

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
        """What came of it, and the document."""
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
            data = None if body is None else json.dumps(body).encode()
            self.connection.request(method, target, data)
            response = self.connection.getresponse()
            text = response.read()
        except TimeoutError:
            return STALLED, None
        except (OSError, http.client.HTTPException):
            return BROKEN, None
        if response.will_close:
            self.close()
        try:
            document = json.loads(text) if text else None
        except ValueError:
            return f"not JSON: {text[:200]}", None
        if response.status < 300:
            return OK, document
        if response.getheader("Content-Type") != "application/problem+json":
            return f"status {response.status} without a problem", None
        return document["type"], document


class Writer(Client):
    """Adds a reminder, and deletes every third one.

    `stored` says of each title whether it is there; None where an answer is missing, or told so.
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
        """What was done although nobody was told so."""
        added = [t for t, there in self.stored.items() if there is None and t in rows]
        deleted = [t for t in self.ids if self.stored[t] is None and t not in rows]
        return [t for t in added if t not in self.ids] + deleted


class Reader(Client):
    """Reads what was acknowledged, on one connection."""

    def step(self):
        if not self.load.readable:
            self.load.rest.wait(0.02)
            return
        identifier, title = self.load.readable[-1 - self.steps % min(len(self.load.readable), 50)]
        kind, document = self.ask("GET", f"/v1/reminders/{identifier}")
        if kind == OK and document["title"] != title:
            self.load.note(f"the wrong answer {document} for {title}")


class Visitor(Client):
    """Comes anew for each request."""

    def step(self):
        self.close()
        self.ask("GET", "/v1/stats")


class Subscriber(Client):
    """Follows the statistics and comes back when its stream ends; does not rest with the others."""

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
        fields = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.id} if self.id else {})
        try:
            self.connection.request("GET", "/v1/stats", headers=fields)
            response = self.connection.getresponse()
            while line := response.readline().decode():
                name, _, value = line.rstrip("\n").partition(": ")
                if name == "id":
                    self.id = value
                elif name == "data" and "all" in json.loads(value):
                    self.last = json.loads(value)["all"]
        except TimeoutError:
            self.load.note("a stream without a heartbeat")
        except (OSError, http.client.HTTPException):
            pass


class Load:
    """All of them together."""

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
        """Every client comes so far."""
        before = [client.steps for client in self.clients]
        wait(
            "every client goes on",
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
        """No request is on its way."""
        with self.gate:
            self.is_paused = True
            check(self.gate.wait_for(lambda: self.active == 0, PATIENCE), "a client does not end")
        try:
            yield
        finally:
            with self.gate:
                self.is_paused = False
                self.gate.notify_all()

    def compare(self, rows):
        """What is stored with what was told. Gives how many writes it compared."""
        stored = {}
        for writer in self.writers:
            stored |= writer.stored
            # A contradiction is told once.
            writer.stored = {title: title in rows for title in writer.stored}
        lost = [title for title, there in stored.items() if there and title not in rows]
        extra = [title for title in rows if stored.get(title) is False]
        strangers = [title for title in rows if title not in stored]
        check(not lost, f"acknowledged and gone: {lost[:5]}")
        check(not extra, f"refused or deleted, and there: {extra[:5]}")
        check(not strangers, f"nobody asked for these: {strangers[:5]}")
        for writer in self.writers:
            wrong = [t for t, i in writer.ids.items() if t in rows and rows[t] != i]
            check(not wrong, f"with another id: {wrong[:5]}")
        return len(stored)
