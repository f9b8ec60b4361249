"""Random series by each path into the server, completed by each way, compared with icalendar.

A series comes in by CalDAV, by two kinds of import over HTTP, and by `martlet import`. Then its
occurrences are completed, over JSON and as programs write it. After each step the rows and the
completions of all paths are equal, and what the server writes has the occurrences that the first
text has by python-icalendar, without the closed ones.
"""

import collections
import json
import pathlib
import random
import re
import subprocess

from edits import name_of, unfolded
from lib.tools import installed
from lib.waiting import Failure, check, wait
from place import Place
from series_texts import DAY, FAR, HOUSE, Series, calendar
from series_ways import Text

# So many series are in each list.
CHUNK = 100
STEPS = 3
PATHS = ["put", "add", "update", "command"]
# The members of a reminder that are equal, whatever the path is.
MEMBERS = ["uid", "title", "notes", "startDate", "dueDate", "timeZone", "recurrence", "status",
           "priority"]
# So many differences are shown.
SHOWN = 3


def compare(program, folder, count, seed):
    """Sends series by all paths, completes occurrences, and compares after each step."""
    python = installed("icalendar", also=["recurring-ical-events"])
    if python is None:
        return
    make = random.Random(seed)
    place = Place(program, folder, "--time-zone", HOUSE)
    try:
        wrong, kinds = [], collections.Counter()
        for start in range(0, count, CHUNK):
            test = Test(place, python.parent / "python", make, start, min(CHUNK, count - start))
            test.run()
            wrong += test.wrong
            kinds += test.kinds
        print(f"  {count} series: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
        for each in wrong[:SHOWN]:
            print(each)
        check(not wrong, f"{len(wrong)} of {count} series differ")
        place.is_whole()
    finally:
        place.end()


class Sample:
    """A series, and what is predicted of it."""

    def __init__(self, series):
        self.series = series
        # The open occurrences of the text, by their due dates, and the due dates of closed ones.
        self.open, self.done = [], sorted(series.done)
        # Whether it recurs here; the rule of another one is in its text only.
        self.is_evaluated = None
        # How occurrences were closed.
        self.steps = []


class Test:
    """Some series in a list for each path."""

    def __init__(self, place, python, make, first, count):
        self.place, self.python, self.make = place, python, make
        self.caller = place.caller()
        self.samples = [Sample(Series(make, number)) for number in range(first, first + count)]
        self.lists, self.first = {}, first
        self.wrong, self.kinds = [], collections.Counter()
        self.known = {}

    def run(self):
        series = [sample.series for sample in self.samples]
        for sample, items in zip(self.samples, self.expanded([
                (each, each.text()) for each in series])):
            sample.open = [key(item) for item in items if not item["isClosed"]]
        for path in PATHS:
            getattr(self, path)(f"{path} {self.first}", series)
            self.kinds[path] += len(series)
        self.look("as written", and_export=True)
        self.kinds["not evaluated"] = sum(not sample.is_evaluated for sample in self.samples)
        for number in range(STEPS):
            self.step()
            self.look(f"step {number}", and_export=number == STEPS - 1)

    # The paths.

    def put(self, title, series):
        self.lists["put"] = self.caller.json("POST", "/v1/lists", {"title": title})["id"]
        for each in series:
            path = f"/dav/lists/{self.lists['put']}/{each.uid}.ics"
            answer = self.caller.ask("PUT", path, each.text(), Content_Type="text/calendar")
            check(answer.status == 201, f"PUT: {answer.status} {answer.text[:300]}\n{each.text()}")

    def file(self, title, series, **options):
        """A file with all series, in any order."""
        todos = [todo for each in series for todo in each.todos(**options)]
        return calendar(self.make.sample(todos, len(todos)), f"X-WR-CALNAME:{title}")

    def send(self, path, query, text):
        answer = self.caller.ask("POST", f"/v1/import{query}", text, Content_Type="text/calendar")
        check(answer.status == 200, f"POST /v1/import{query}: {answer.status} {answer.text[:500]}")
        self.find(path)

    def find(self, path):
        """Finds the list. The server hears of what another program writes a moment later."""
        def found():
            lists = self.caller.json("GET", "/v1/lists?limit=500")["items"]
            return [each["id"] for each in lists if each["title"] == f"{path} {self.first}"]

        lists = wait(f"the list of {path} is there", found)
        check(len(lists) == 1, f"{path} has made {len(lists)} lists")
        self.lists[path] = lists[0]

    def add(self, title, series):
        self.send("add", "", self.file(title, series))

    def update(self, title, series):
        """The series, and then all, which is in the file the next day."""
        self.send("update", "?update=true", self.file(title, series, only_master=True))
        self.send("update", "?update=true", self.file(title, series))

    def command(self, title, series):
        file = self.place.folder / "series.ics"
        file.write_text(self.file(title, series), newline="")
        self.place.server.run("import", file, "--time-zone", HOUSE)
        self.find("command")

    # The steps.

    def step(self):
        for sample in list(self.samples):
            uids = sorted(uid for uid, row in self.rows["put"][sample.series.uid].items()
                          if row["status"] != "completed")
            try:
                if not sample.is_evaluated:
                    self.refuse(sample)
                elif uids:
                    self.change(sample, self.make.choice(uids))
            except Failure as problem:
                self.fail(sample, f"a step: {problem}")

    def refuse(self, sample):
        """A series that is not evaluated is not completed over JSON: that would end it."""
        number = self.rows["put"][sample.series.uid][sample.series.uid]["id"]
        answer = self.caller.ask("PATCH", f"/v1/reminders/{number}", {"status": "completed"})
        check(answer.status == 409, f"PATCH: {answer.status} {answer.text[:300]}")

    def change(self, sample, uid):
        """Closes an occurrence of a reminder, in all lists."""
        rows = {path: self.rows[path][sample.series.uid][uid] for path in PATHS}
        items = [each for each in self.items["put", uid] if not each["isClosed"]]
        item, following = (items + [None, None])[:2]
        recurs = bool(rows["put"]["recurrence"])
        if not item or not following and recurs and sample.series.is_endless:
            # The next one is after what is compared.
            return
        kind = self.make.choice(["complete"] * 5 + ["later", "leave_out", "skip"])
        # Over JSON and by a status, what was missed is skipped (docs/using.md, Let a reminder
        # recur).
        is_missed = sample.series.is_past and recurs
        if not recurs or not following or is_missed and kind == "skip":
            kind = "complete"
        if kind == "later":
            item = self.make.choice(items[1:4])
        for path, row in rows.items():
            way = kind
            if kind == "complete":
                ways = ["patch", "status"] if not is_missed or not following else []
                ways += ["move", "current", "part"] if recurs else []
                way = self.make.choice(ways)
            self.kinds[way] += 1
            sample.steps.append(f"{path}: {way} {uid} {item['due']}")
            self.close(path, row, way, item, following)
        sample.open.remove(key(item))
        if kind != "leave_out":
            sample.done = sorted([*sample.done, item["due"]])

    def close(self, path, row, way, item, following):
        number = row["id"]
        if way == "patch":
            self.caller.json("PATCH", f"/v1/reminders/{number}", {"status": "completed"})
        elif way == "skip":
            self.caller.json("POST", f"/v1/reminders/{number}/skip")
        else:
            text = Text(self.texts[path, row["uid"]], self.make)
            if way in ("later", "leave_out"):
                new = text.part(item) if way == "later" else text.leave_out(item)
            else:
                new = getattr(text, way)(item, following)
            answer = self.caller.ask(
                "PUT", self.href(path, row), new, Content_Type="text/calendar")
            check(answer.status in (201, 204), f"PUT: {answer.status} {answer.text[:300]}\n{new}")

    def href(self, path, row):
        has_name = path == "put" and re.fullmatch(r"series-\d+", row["uid"])
        name = row["uid"] if has_name else f"m-{row['id']}"
        return f"/dav/lists/{self.lists[path]}/{name}.ics"

    # What the server says.

    def look(self, when, and_export):
        """Reads all, and compares it with what is predicted."""
        self.rows, self.completions, self.texts = {}, {}, {}
        for path in PATHS:
            self.read(path)
        by_uid = {sample.series.uid: sample for sample in self.samples}
        asked = [(by_uid[of(uid)].series, text) for (_, uid), text in self.texts.items()
                 if of(uid) in by_uid]
        places = [place for place in self.texts if of(place[1]) in by_uid]
        self.items = dict(zip(places, self.expanded(asked)))
        exports = self.exported(by_uid) if and_export else {}
        for sample in list(self.samples):
            try:
                self.compare(sample, exports)
            except Failure as problem:
                self.fail(sample, f"{when}: {problem}")

    def fail(self, sample, problem):
        self.samples.remove(sample)
        steps = "\n".join(sample.steps)
        self.wrong.append(f"{sample.series.uid} {problem}\n{steps}\n{sample.series.text()}")

    def read(self, path):
        list_id = self.lists[path]
        self.rows[path] = collections.defaultdict(dict)
        self.completions[path] = collections.defaultdict(list)
        uids = {}
        for uid, row in self.caller.reminders(list_id).items():
            self.rows[path][of(uid)][uid] = row
            uids[row["id"]] = uid
            answer = self.caller.ask("GET", self.href(path, row))
            check(answer.status == 200, f"GET of {uid}: {answer.status} {answer.text[:300]}")
            self.texts[path, uid] = answer.text
        cursor = ""
        while cursor is not None:
            page = self.caller.json("GET", f"/v1/completions?listID={list_id}&limit=500{cursor}")
            for item in page["items"]:
                self.completions[path][of(uids[item["reminderID"]])].append(
                    (uids[item["reminderID"]], item["title"], whole(item["dueDate"]),
                     whole(item["startDate"])))
            cursor = page["nextCursor"] and f"&cursor={page['nextCursor']}"

    def exported(self, by_uid):
        """The occurrences of each series by the export of its list."""
        asked, places = [], []
        for path in PATHS:
            answer = self.caller.ask("GET", f"/v1/export?format=ics&listID={self.lists[path]}")
            check(answer.status == 200, f"the export: {answer.status} {answer.text[:300]}")
            for uid, text in divided(answer.text):
                if of(uid) in by_uid:
                    asked.append((by_uid[of(uid)].series, text))
                    places.append((path, of(uid)))
        found = collections.defaultdict(list)
        for place, items in zip(places, self.expanded(asked)):
            found[place] += items
        return found

    def expanded(self, asked):
        """The occurrences of texts, each with its series, by python-icalendar."""
        cases = {}
        asked = [(series, divided(text)[0][1]) for series, text in asked]
        for series, text in asked:
            if text not in self.known:
                first, last = series.window()
                cases[text] = {"text": text, "house": HOUSE, "first": first.isoformat(),
                               "last": (last + FAR * DAY).isoformat()}
        script = pathlib.Path(__file__).with_name("series_oracle.py")
        answer = subprocess.run([self.python, script], input=json.dumps(list(cases.values())),
                                text=True, stdout=subprocess.PIPE, check=True)
        self.known |= dict(zip(cases, json.loads(answer.stdout)))
        found = []
        for series, text in asked:
            end = series.window()[1].isoformat()
            found.append([item for item in self.known[text] if item["due"] < end])
        return found

    # What it should say.

    def compare(self, sample, exports):
        uid = sample.series.uid
        first = self.rows["put"][uid]
        check(uid in first, "there is no reminder")
        recurs = bool(first[uid]["recurrence"]) or first[uid]["status"] == "completed"
        if sample.is_evaluated is None:
            sample.is_evaluated = recurs
            check(recurs or not sample.series.must_recur, "it does not recur")
        check(recurs == sample.is_evaluated, f"whether it recurs has changed: {recurs}")
        for path in PATHS:
            rows = self.rows[path][uid]
            same(f"the rows by {path}", plain(rows), plain(first))
            same(f"the completions by {path}", sorted(self.completions[path][uid], key=str),
                 sorted(self.completions["put"][uid], key=str))
            items = [item for each in rows for item in self.items[path, each]]
            same(f"the occurrences by {path}", opened(items), sorted(sample.open))
            if exports:
                same(f"the export of {path}", opened(exports[path, uid]), sorted(sample.open))
            if sample.is_evaluated:
                for each, row in rows.items():
                    self.compare_row(row, self.items[path, each])
        if sample.is_evaluated:
            done = sorted(due or start for _, _, due, start in self.completions["put"][uid])
            same("the completions", done, sorted(sample.done + self.over(first, done, sample.done)))

    def over(self, rows, done, known):
        """The completions of reminders of which the last occurrences were canceled or left out:
        such a series is over, which is a completion (docs/caldav.md, `STATUS` and `EXDATE`)."""
        dates = collections.Counter(
            whole(row["dueDate"]) for row in rows.values() if row["status"] == "completed")
        return list((dates & (collections.Counter(done) - collections.Counter(known))).elements())

    def compare_row(self, row, items):
        """A reminder has the dates of the first open occurrence of its text."""
        first = next((item for item in items if not item["isClosed"]), None)
        check(first is None or row["status"] != "completed", f"{row} is over, and has {first}")
        if first is None:
            return
        start, due = whole(row["startDate"]), whole(row["dueDate"])
        same("the due date", due or start, first["due"])
        same("the start date", start or due, first["start"])


def of(uid):
    """The UID of the series that a reminder is of, or has been."""
    return re.match(r"series-\d+", uid)[0]


def key(item):
    return item["due"], item["start"], item["title"]


def opened(items):
    return sorted(key(item) for item in items if not item["isClosed"])


def whole(date):
    return date and date.replace(".000Z", "Z")


def plain(rows):
    return sorted(([row[name] for name in MEMBERS] for row in rows.values()), key=str)


def same(what, is_so, should_be):
    if is_so != should_be:
        more = [each for each in is_so if each not in should_be]
        less = [each for each in should_be if each not in is_so]
        check(False, f"{what} is {more or is_so}\n  and should be {less or should_be}")


def divided(text):
    """The to-dos of a calendar by their UIDs, without what differs by path, and without the
    definitions of zones, which have the names of the system."""
    todos, block = collections.defaultdict(list), []
    for line in unfolded(text.replace("\r\n", "\n").replace("\n", "\r\n")):
        if line == "BEGIN:VTODO":
            block = []
        if name_of(line) not in ("DTSTAMP", "CREATED", "LAST-MODIFIED", "X-MARTLET-LIST"):
            block.append(line)
        if line == "END:VTODO":
            uid = next(each[4:] for each in block if each.startswith("UID:"))
            todos[uid] += block
    return [(uid, calendar([block])) for uid, block in todos.items()]
