"""A server with lists of reminders and keys for them, asked over JSON and over CalDAV."""

import http.client
import json
import pathlib
import re
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "Benchmarks"))

from lib import web  # noqa: E402
from lib.server import Server  # noqa: E402
from lib.waiting import check, wait  # noqa: E402

# The lists and how many reminders are in each.
LISTS = {"Work": 1_200, "Home": 400, "Garden": 300, "Books": 100}
BATCH = 500


class Caller(web.Caller):
    def reminders(self, list_id):
        """All reminders of a list, by UID."""
        found, since = {}, ""
        while True:
            path = f"/v1/changes?kind=reminder&listID={list_id}&limit=500{since}"
            page = self.json("GET", path)
            for item in page["items"]:
                if not item.get("deleted"):
                    found[item["item"]["uid"]] = item["item"]
            since = f"&since={page['next']}"
            if not page["more"]:
                return found


class Place:
    """`has_keys` is false for a server that everything on this machine may use."""

    def __init__(self, program, folder, *flags, has_keys=True):
        self.folder = pathlib.Path(folder)
        self.server = Server(program, self.folder / "client.db", *flags).start()
        self.url = f"http://127.0.0.1:{self.server.port}/dav/"
        self.key = self.make_key("--scope", "admin") if has_keys else ""
        self.lists = {}

    def make_key(self, *flags):
        """A key, once the server knows it."""
        key = self.server.make_key(*flags)
        caller = self.caller(key)
        # Before the first key, requests without one are accepted as well.
        wait("the key is valid", lambda: '"keyID":' in caller.ask("GET", "/v1/whoami").text
             and caller.json("GET", "/v1/whoami")["keyID"])
        return key

    def caller(self, key=None):
        return Caller(self.server.port, self.key if key is None else key)

    def fill(self, lists=None):
        """Makes lists with reminders."""
        caller = self.caller()
        for title, count in (lists or LISTS).items():
            made = caller.json("POST", "/v1/lists", {"title": title})["id"]
            self.lists[title] = made
            for start in range(0, count, BATCH):
                numbers = range(start, min(start + BATCH, count))
                caller.json("POST", "/v1/batch", {"operations": [
                    {"method": "POST", "path": f"/v1/lists/{made}/reminders",
                     "body": reminder(title, number)} for number in numbers]})

    def end(self):
        self.server.end()

    def is_whole(self):
        """Whether SQLite finds the file intact, and the server still answers."""
        ready = self.caller().ask("GET", "/readyz").status
        check(ready == 200, f"/readyz answers {ready}")
        said = [row for text in ["PRAGMA integrity_check", "PRAGMA foreign_key_check"]
                for row in self.server.sql(text)]
        check(said == [("ok",)], f"the database is damaged: {said[:3]}")


def reminder(title, number):
    """One of many kinds of reminders."""
    return {
        "title": f"{title} {number}: ‘äß😀’, with a comma; and a \\",
        **({"dueDate": f"2027-{1 + number % 12:02}-{1 + number % 28:02}"} if number % 2 else {}),
        **({"dueDate": f"2027-03-{1 + number % 28:02}T{number % 24:02}:30:00Z"}
           if number % 5 == 0 else {}),
        **({"recurrence": {"rule": "FREQ=WEEKLY"}} if number % 10 == 5 else {}),
        **({"alarms": [{"offset": "-PT15M"}]} if number % 20 == 5 else {}),
        **({"tags": ["errand", "phone"][:number % 3]} if number % 3 else {}),
        **({"notes": "Two lines\nof notes"} if number % 4 == 0 else {}),
        **({"priority": "high"} if number % 11 == 0 else {}),
        **({"status": "completed"} if number % 7 == 3 else {}),
        "isFlagged": number % 9 == 0,
    }


class Listener(threading.Thread):
    """Follows the change feed as an event stream."""

    def __init__(self, place):
        super().__init__(daemon=True)
        caller = place.caller()
        page, since = None, ""
        while page is None or page["more"]:
            page = caller.json("GET", f"/v1/changes?limit=500{since}")
            since = f"&since={page['next']}"
        self.titles, self.removed, self.has_ended = set(), set(), False
        self.connection = http.client.HTTPConnection("127.0.0.1", place.server.port, timeout=60)
        self.response = web.stream(
            self.connection, f"/v1/changes?limit=500{since}",
            {"Authorization": f"Bearer {place.key}"} if place.key else {})
        check(self.response.status == 200, f"the stream answers {self.response.status}")
        self.start()

    def run(self):
        try:
            for event in web.events(self.response):
                for item in json.loads(event.get("data", "{}")).get("items", []):
                    self.hear(item)
        except (OSError, ValueError, http.client.HTTPException):
            self.has_ended = True

    def hear(self, item):
        if item.get("deleted"):
            self.removed.add((item["kind"], item["id"]))
        else:
            self.titles.add(item["item"]["title"])

    def wait(self, *titles):
        for title in titles:
            wait(f"the stream has {title!r}", lambda: title in self.titles)

    def wait_removed(self, identifier, kind="reminder"):
        wait(f"the stream removes {kind} {identifier}", lambda: (kind, identifier) in self.removed)


def hrefs(text):
    return re.findall(r"<(?:\w+:)?href>([^<]*)</", text)
