"""Clients that follow a service on three nodes while nodes fail: live queries and the change feed."""

import http.client
import json
import random
import threading
import time
from urllib.parse import parse_qsl, urlsplit

from lib import web
from lib.waiting import Failure
from machines import fail, wait

BUNDLE = "/v1/live"
# Streams of results of every kind, besides the one whose states are compared one by one.
RESULTS = [
    "/v1/lists", "/v1/reminders?limit=20&sort=-createdAt", "/v1/reminders?completed=true", "/v1/tags",
    "/v1/search?q=scratch", "/v1/stats", "/v1/trash?total=true",
    BUNDLE + "?all=/v1/stats&some=/v1/reminders%3Flimit=5",
    # With only the differences from the result before.
    "/v1/lists?deltas=true", "/v1/reminders?limit=20&sort=-createdAt&deltas=true",
    BUNDLE + "?all=/v1/stats&some=/v1/reminders%3Fsort=-createdAt&gone=/v1/trash%3Ftotal=true&deltas=true",
]


def progress(result):
    """Numbers of a result that only grow: of reminders that are never deleted, and of deletions."""
    if "scheduled" in result:
        return [result["scheduled"]]
    if "total" in result:
        return [result["total"]]
    items = result.get("items", [])
    if items and isinstance(items[0].get("reminders"), dict):
        return [item["reminders"]["all"] for item in items if item["title"] == "appended"]
    return []


def changed(result, delta):
    """A result after the operations of a delta, in their order. The first member of a row is its key."""
    result = dict(result)
    rows = list(result.get("items", []))
    for kind, key, *more in delta.get("ops", []):
        keys = [next(iter(row.values())) for row in rows]
        if kind in "-~>":
            place = keys.index(key)
        if kind == "~":
            rows[place] = rows[place] | more[0]
            continue
        row = more[0] if kind == "+" else rows.pop(place)
        if kind != "-":
            keys = [next(iter(row.values())) for row in rows]
            rows.insert(0 if more[-1] is None else keys.index(more[-1]) + 1, row)
    if "items" in result:
        result["items"] = rows
    return result | delta.get("set", {})


def open_stream(load, path, last):
    """A stream of some node, and its connection; no stream if it was refused."""
    node = random.choice(load.cluster.nodes)
    connection = http.client.HTTPConnection(node.host, node.public, timeout=8)
    try:
        response = web.stream(connection, path, {"Last-Event-ID": last} if last else {})
        return connection, response if response.status == 200 else None
    except (OSError, http.client.HTTPException):
        return connection, None


def events(response, is_ending):
    """The events of a stream until it says that it ends, ends, or is no longer wanted."""
    for event in web.events(response, is_ending):
        yield event
        if event.get("event") == "bye":
            return


class Follower:
    """Follows something by one node after another."""

    path = ""

    def __init__(self, load):
        self.load, self.last, self.opened, self.isEnding = load, None, 0, False
        self.deltas = 0
        self.thread = threading.Thread(target=load.guard, args=(self.run,), daemon=True)

    def run(self):
        while not self.isEnding:
            connection, response = open_stream(self.load, self.path, self.last)
            try:
                if response:
                    self.opened += 1
                    for event in events(response, lambda: self.isEnding):
                        self.heard(event)
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            time.sleep(0.1)

    def heard(self, event):
        raise NotImplementedError


class CountStream(Follower):
    """Follows the number of reminders of a list, which only grows."""

    def __init__(self, load):
        super().__init__(load)
        self.states = []

    @property
    def path(self):
        return f"/v1/lists/{self.load.list}"

    def heard(self, event):
        if event.get("event") != "result":
            return
        state = json.loads(event["data"])["reminders"]["all"]
        if self.states and state < self.states[-1]:
            fail(f"a stream went back from {self.states[-1]} to {state}")
        self.states.append(state)
        self.last = event["id"]

    def check(self, client):
        final = client.read(self.path)["reminders"]["all"]
        wait("a stream has the last state", lambda: self.states and self.states[-1] == final)


class ResultStream(Follower):
    """Follows a result of any kind. It never goes back, and in the end it is what a request gets."""

    def __init__(self, load, path):
        super().__init__(load)
        self.path, self.states, self.newest = path, [], {}
        self.queries = dict(parse_qsl(urlsplit(path).query)) if path.startswith(BUNDLE) else {}
        self.has_deltas = self.queries.pop("deltas", None) is not None

    def heard(self, event):
        if event.get("event") not in ("result", "delta"):
            return
        data = json.loads(event["data"])
        before = self.newest
        if not self.queries:
            self.newest = self.next(before, data, event["event"] == "delta")
            self.compare(before, self.newest)
        else:
            # An event of several queries has only the results that have changed.
            self.newest = dict(before)
            for name, member in data.items():
                is_delta = self.has_deltas and "result" not in member
                member = member["result"] if self.has_deltas and not is_delta else member
                self.newest[name] = self.next(before.get(name), member, is_delta)
                self.compare(before.get(name), self.newest[name])
        self.states.append(None)
        self.last = event["id"]

    def next(self, before, data, is_delta):
        if not is_delta:
            return data
        self.deltas += 1
        try:
            return changed(before, data)
        except (ValueError, LookupError, TypeError) as error:
            fail(f"a delta of {self.path} does not fit ({error}): {json.dumps(data)[:1000]}, "
                 f"after {json.dumps(before)[:2000]}")

    def compare(self, before, after):
        old, new = progress(before or {}), progress(after)
        # A list that is new stands behind the others.
        if len(new) < len(old) or any(b < a for a, b in zip(old, new)):
            fail(f"the stream of {self.path} went back from {old} to {new}")

    def result(self, client):
        if self.queries:
            return {name: client.read(query) for name, query in self.queries.items()}
        return client.read(self.path)

    def check(self, client):
        try:
            wait("a stream has the last state", lambda: self.newest == self.result(client), 20)
        except Failure:
            fail(f"the stream of {self.path} ends with {json.dumps(self.newest)[:2000]}, "
                 f"and not with {json.dumps(self.result(client))[:2000]}")


class FeedCopy:
    """Keeps a copy of everything by the change feed, with pauses, by pages and by streams."""

    def __init__(self, load):
        self.load, self.items, self.token, self.isEnding, self.begun = load, {}, None, False, 0
        self.versions = {}
        self.thread = threading.Thread(target=load.guard, args=(self.run,), daemon=True)
        self.lock = threading.Lock()

    def run(self):
        while not self.isEnding:
            if random.random() < 0.3:
                self.follow()
            else:
                self.read()
            time.sleep(random.choice([0, 0.05, 0.5]))

    def target(self, limit=None):
        query = [f"limit={limit or random.choice([1, 7, 100])}"] + ([f"since={self.token}"] if self.token else [])
        return f"/v1/changes?{'&'.join(query)}"

    def read(self):
        page = self.load.timed(self.load.reader, "GET", self.target())
        if page and page[0]:
            self.apply(page[0])

    def follow(self):
        end = time.monotonic() + random.uniform(0, 3)
        connection, response = open_stream(self.load, self.target(), None)
        try:
            for event in events(response, lambda: self.isEnding or time.monotonic() > end) if response else ():
                if event.get("event") == "changes":
                    self.apply(json.loads(event["data"]))
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    def apply(self, page):
        with self.lock:
            for item in page["items"]:
                key = (item["kind"], item["id"])
                if item["version"] < self.versions.get(key, 0):
                    fail(f"the change feed went back from version {self.versions[key]} of {key} to {item}")
                self.versions[key] = item["version"]
                if item.get("deleted"):
                    self.items.pop(key, None)
                else:
                    self.items[key] = item
            self.token = page["next"]
            self.begun += 1

    def catch_up(self, client):
        """Reads the feed to its end."""
        more = True
        while more:
            page = client.read(self.target(500))
            self.apply(page)
            more = page["more"]

    def check(self, client):
        """The copy is what a client gets that begins now."""
        self.isEnding = True
        self.thread.join()
        self.catch_up(client)
        fresh = FeedCopy(self.load)
        fresh.catch_up(client)
        if self.items != fresh.items:
            differing = [key for key in self.items.keys() | fresh.items.keys() if self.items.get(key) != fresh.items.get(key)]
            fail(f"a copy by the change feed differs in {differing[:5]}: "
                 f"{[(self.items.get(key), fresh.items.get(key)) for key in differing[:2]]}")


def check_itself():
    """Applies deltas, and sees what goes back."""
    rows = {"items": [{"id": 1}, {"id": 2, "title": "a"}, {"id": 3}], "total": 3}
    delta = {"ops": [["-", 1], ["~", 2, {"title": "b"}], [">", 3, None], ["+", 4, {"id": 4}, 2]]}
    after = {"items": [{"id": 3}, {"id": 2, "title": "b"}, {"id": 4}], "total": 4}
    assert changed(rows, delta | {"set": {"total": 4}}) == after
    assert changed({"all": 1, "open": 1}, {"set": {"open": 0}}) == {"all": 1, "open": 0}
    stream = ResultStream(Bench(), "/v1/trash?total=true&deltas=true")
    for kind, data in [("result", rows), ("delta", {"ops": [], "set": {"total": 4}})]:
        stream.heard({"event": kind, "data": json.dumps(data), "id": "1"})
    assert stream.newest["total"] == 4
    for kind, data in [("result", rows), ("delta", {"ops": [["-", 9]]})]:
        try:
            stream.heard({"event": kind, "data": json.dumps(data), "id": "2"})
        except Failure:
            continue
        raise AssertionError(f"{data} was accepted after {stream.newest}")


class Bench:
    """Stands for the load of a stream that is not started."""

    def guard(self, body, *arguments):
        pass
