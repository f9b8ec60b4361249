"""The comparison of what martlet and the server in C respond, and of what they store, in one file."""

import contextlib
import http.client
import json
import pathlib
import re
import shutil
import sqlite3
import time

# Reminders that have every member of a reminder at least once. A number as `parentID` is the index
# of the parent in this table.
SAMPLES = (
    {"title": "Water the ladder", "dueDate": "2026-03-02", "startDate": "2026-03-01", "notes": 'It says "new" \\ old',
     "recurrence": {"rule": "FREQ=WEEKLY", "basis": "each", "excluded": ["2026-03-09", "2026-03-23"]}},
    {"title": "Oil the ladder", "dueDate": "2026-03-02T08:30:00Z", "timeZone": "Europe/Berlin", "priority": "high",
     "recurrence": {"rule": "FREQ=DAILY;COUNT=9", "start": "2026-03-01T08:30:00Z"}},
    {"title": "Paint the ladder", "dueDate": "2026-05-01", "isFlagged": True, "priority": "low",
     "recurrence": {"rule": "FREQ=MONTHLY;INTERVAL=3", "basis": "completion"}},
    {"title": "Buy a ladder", "status": "completed", "tags": ["tools", "garden"]},
    {"title": "Measure the wall", "parentID": 2},
    {"title": "Choose the color", "parentID": 2, "status": "completed"},
    {"title": "Hang <the> ladder & 'hooks'", "notes": 'Beside the "garden" <door>\n\tand é\x1b', "tags": ["<garden> & home"]},
    {"title": "Climb the ladder", "dueDate": "2999-03-02", "startDate": "2999-03-01", "alarms": [
        {"at": "2999-03-01T09:00:00.250Z", "repeat": {"every": "PT5M", "times": 3}},
        {"offset": "PT9H", "from": "due"}, {"offset": "-PT1H", "from": "start"}]},
)

# What each server creates. The last two get a default alarm; the time of the last one is past.
CREATES = (
    {"title": "Buy the long ladder"},
    {"title": "Buy the short ladder"},
    {"title": "Return the ladder", "dueDate": "2999-11-20"},
    {"title": "Lend the ladder", "dueDate": "2999-11-20T15:36:00Z"},
    {"title": "Carry the ladder", "dueDate": "2025-11-20T15:36:00Z"},
)

# What a create stores. UIDs and times differ: only their form is compared. Martlet deletes older
# lines of the change feed; their number is in the versions.
STORED = """
SELECT id, remindersListID, title, notes, dueDate, status, position, alarmCount, typeof(uid), length(uid),
  length(createdAt), length(updatedAt), createdAt <= updatedAt, version, calendarVersion,
  (SELECT json_array(max(version), listID, gone) FROM changes WHERE kind = 2 AND itemID = reminders.id),
  (SELECT json_group_array(json_array(id, at, anchor, offset, repeatEvery, repeatTimes, state, fireAt, isStale, rung,
   firedAt, snoozedUntil, acknowledgedAt, armedFor)) FROM alarms WHERE reminderID = reminders.id),
  (SELECT json_array(title, notes, tags) FROM reminderTexts WHERE rowid = reminders.id)
FROM reminders WHERE id > ? ORDER BY id
"""
# How long a server may need to notice the writes of the other program.
NOTICED_WITHIN = 20


class Different(SystemExit):
    def __init__(self, what, first, second):
        """`first` and `second` are pairs of a name and a text."""
        texts = [text if isinstance(text, str) else text.decode(errors="replace") for _, text in (first, second)]
        place = next((place for place, (one, two) in enumerate(zip(*texts)) if one != two), min(map(len, texts)))
        parts = [f"{name}: …{text[max(place - 60, 0) : place + 120]}…" for (name, _), text in zip((first, second), texts)]
        super().__init__("\n".join([f"bench: {what} differ at character {place}:", *parts]))


class Side:
    """One of the two servers, and a connection to it."""

    def __init__(self, name, served):
        self.name, self.served = name, served
        self.client = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)

    def ask(self, method, path, body=None, status=200):
        """The body of a response, without the cursor after a page: the server in C has no cursors."""
        text = body and json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
        try:
            self.client.request(method, path, text, {"Content-Type": "application/json"} if body else {})
            answer = self.client.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise SystemExit(f"bench: {self.name}: {method} {path}: no response: {error!r}")
        if answer.status != status or answer.headers["Content-Type"] != "application/json":
            raise SystemExit(f"bench: {self.name}: {method} {path}: status {answer.status} instead of {status}, "
                             f"{answer.headers['Content-Type']}: {text[:300].decode(errors='replace')}")
        return without_cursor(text)

    def create(self, body):
        """Creates a reminder. Returns its ID and the response."""
        text = self.ask("POST", "/v1/reminders", body, 201)
        return json.loads(text)["id"], text

    def end(self):
        self.client.close()
        self.served.end()


class Stream:
    """The events of a page."""

    def __init__(self, side, path):
        self.side, self.path = side, path
        self.client = http.client.HTTPConnection("127.0.0.1", side.served.port, timeout=NOTICED_WITHIN)
        self.client.request("GET", path, headers={"Accept": "text/event-stream"})
        self.answer = self.client.getresponse()

    def until(self, *words):
        """The data of the first event that has all the words."""
        deadline = time.monotonic() + NOTICED_WITHIN
        with contextlib.suppress(OSError):
            while time.monotonic() < deadline and (line := self.answer.readline()):
                if line.startswith(b"data: ") and all(word.encode() in line for word in words):
                    return without_cursor(line.removeprefix(b"data: ").rstrip(b"\r\n"))
        raise SystemExit(f"bench: {self.side.name}: no event of {self.path} has {' and '.join(words) or 'data'}")


def without_cursor(text):
    return re.sub(rb'"nextCursor":"[^"]*"}$', b'"nextCursor":null}', text)


def require_equal(what, own, other, first, second):
    if own != other:
        raise Different(what, (first.name, own), (second.name, other))


def samples(martlet, made_list):
    """Creates the samples. Returns their IDs."""
    made = []
    for sample in SAMPLES:
        above = {"parentID": made[sample["parentID"]]} if "parentID" in sample else {"listID": made_list}
        number, text = martlet.create({**sample, **above})
        made.append(number)
    tomorrow = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400))
    for alarm, changes in zip(json.loads(text)["alarms"], ({"snoozedUntil": tomorrow}, {"state": "acknowledged"})):
        martlet.ask("PATCH", f"/v1/alarms/{alarm['id']}", changes)
    return made


def writes(sides, made_list):
    """Each server creates and changes reminders, and the other one reads them. Returns their IDs."""
    made = []
    for writer, reader in (sides, sides[::-1]):
        written = written_by(writer, made_list)
        made += written
        # The reader notices the writes of another program a moment later.
        deadline = time.monotonic() + NOTICED_WITHIN
        for number, text in written.items():
            while (other := reader.ask("GET", f"/v1/reminders/{number}")) != text and time.monotonic() < deadline:
                time.sleep(0.05)
            require_equal(f"what was written and read of reminder {number}", text, other, writer, reader)
    return made


def written_by(side, number):
    """Creates reminders in a list, and changes the last two. Returns the newest responses by ID."""
    written = dict(side.create({"listID": number, **body}) for body in CREATES)
    for made in list(written)[-2:]:
        written[made] = side.ask("PATCH", f"/v1/reminders/{made}", {"title": "Buy a ladder"})
    return written


def stored(name, start, database, folder, reminders):
    """The rows of the same writes through a server that is alone with its file, as one text."""
    copy = pathlib.Path(folder, "stored.db")
    for ending in ("", "-wal", "-shm"):
        pathlib.Path(f"{copy}{ending}").unlink(missing_ok=True)
    shutil.copy(database, copy)
    side = Side(name, start(copy))
    try:
        written_by(side, 2)
    finally:
        side.end()
    with contextlib.closing(sqlite3.connect(copy)) as db:
        return side, "\n".join(map(json.dumps, db.execute(STORED, [reminders])))


def events(sides, number):
    """Both servers have streams of one page, which is changed through each of them.

    The last change is that of the server in C: its streams do not follow the writes of another
    program.
    """
    path = f"/v1/lists/{number}/reminders?limit=10"
    streams = [Stream(side, path) for side in sides]
    first = [stream.until() for stream in streams]
    require_equal(f"the first events of {path}", *first, *sides)
    items = [item["id"] for item in json.loads(first[0])["items"][:2]]
    titles = [f"Changed through {side.name}" for side in sides]
    for side, item, title in reversed(list(zip(sides, items, titles))):
        side.ask("PATCH", f"/v1/reminders/{item}", {"title": title})
    require_equal(f"the events of {path} after two writes", *(stream.until(*titles) for stream in streams), *sides)
    for stream in streams:
        stream.client.close()
    return 2 * len(streams)


def compare(limit, martlet, database, folder, reminders, lists, words):
    """Compares the responses byte by byte, and what creates store. Exits at the first difference.

    `limit` and `martlet` start a server on a file. Returns the number of compared responses.
    """
    starts = ("C", limit), ("Martlet", martlet)
    (first, own), (second, other) = (stored(*each, database, folder, reminders) for each in starts)
    require_equal("the stored rows of the same writes", own, other, first, second)
    copy = pathlib.Path(folder, "compared.db")
    shutil.copy(database, copy)
    with contextlib.ExitStack() as ending:
        sides = []
        for name, start in starts:
            sides.append(Side(name, start(copy)))
            ending.callback(sides[-1].end)
        made_list = json.loads(sides[1].ask("POST", "/v1/lists", {"title": "All members"}, 201))["id"]
        made = samples(sides[1], made_list)
        written = writes(sides, made_list)
        count = len(written) + events(sides, 2)
        paths = [f"/v1/reminders/{number}" for number in (*range(1, reminders, 7), *made, *written)]
        paths += [f"/v1/lists/{number}/reminders?limit={limit}" for number in (*lists, made_list) for limit in (10, 50)]
        paths += [f"/v1/search?q={word}&limit=20" for word in words]
        for path in ("/livez", *paths):
            require_equal(f"the responses for {path}", *(side.ask("GET", path) for side in sides), *sides)
        return count + 1 + len(paths)
