"""The requests sent to a martlet while it is killed or its disk is recorded."""

import json
import signal
import threading
from dataclasses import dataclass

from lib.waiting import Failure, check
from service import Client, Service, contents, contents_now, now


@dataclass
class Step:
    method: str
    path: str
    body: object = None
    status: int = 0

    def do(self, client, number, again=False):
        """Sends the request. Returns False if the server died before it answered."""
        status = client.ask(self.method, self.path, self.body, f"step-{number}")
        if status is None:
            return False
        expected = {self.status or {"POST": 201, "DELETE": 204}.get(self.method, 200)}
        if again and self.method == "DELETE":
            expected.add(404)
        check(status in expected, f"{self.method} {self.path} has the status {status}")
        return True


def transfer(lists, reminders):
    """A file to import, large enough to cause a checkpoint."""
    lines = [{"type": "list", "id": n, "title": f"Imported {n}"} for n in range(1, lists + 1)]
    lines += [
        {"type": "reminder", "listID": n % lists + 1, "title": f"Imported reminder {n}",
         "notes": "Some words about it. " * 40, "tags": ["imported", f"tag {n % 7}"]}
        for n in range(reminders)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


CALENDAR = b"""BEGIN:VCALENDAR
BEGIN:VTODO
UID:1
SUMMARY:Of a calendar
X-KEPT:as it came
END:VTODO
END:VCALENDAR
"""


def steps():
    """The requests. IDs follow from the order, so every run is the same."""
    yield Step("POST", "/v1/lists", {"title": "Home", "color": "#ff8800"})
    yield Step("POST", "/v1/lists", {"title": "Work"})
    for n in range(1, 13):
        due = {"dueDate": f"2027-01-{n:02}"} if n % 3 else {}
        yield Step("POST", "/v1/reminders", {
            "listID": 2 + n % 2, "title": f"Reminder {n}", "notes": "word " * n, "tags": [f"t{n % 4}", "all"], **due})
    yield Step("PATCH", "/v1/reminders/1", {"title": "Another title", "status": "completed"})
    yield Step("PATCH", "/v1/reminders/2", {"listID": 3, "dueDate": None, "priority": "high"})
    yield Step("PATCH", "/v1/reminders/3", {"tags": ["a", "b", "c", "d", "e"]})
    yield Step("PUT", "/v1/reminders/3/tags/f", status=409)
    yield Step("POST", "/v1/reminders", {"listID": 99, "title": "Nowhere"}, 422)
    yield Step("DELETE", "/v1/reminders/4")
    yield Step("PUT", "/v1/reminders/5/tags/new%20tag")
    yield Step("DELETE", "/v1/reminders/5/tags/all")
    yield Step("PATCH", "/v1/tags/t1", {"title": "T one"})
    yield Step("DELETE", "/v1/tags/t2")
    yield Step("POST", "/v1/import", transfer(3, 250), 200)
    operations = [{"name": "list", "method": "POST", "path": "/v1/lists", "body": {"title": "Batch"}}]
    operations += [
        {"method": "POST", "path": "/v1/lists/{list}/reminders", "body": {"title": f"Of a batch {n}"}}
        for n in range(20)
    ]
    yield Step("POST", "/v1/batch", {"operations": operations}, 200)
    broken = [*operations, {"method": "DELETE", "path": "/v1/reminders/9999"}]
    yield Step("POST", "/v1/batch", {"operations": broken}, 422)
    yield Step("DELETE", "/v1/lists/4")
    yield Step("PUT", "/v1/lists/order", {"ids": [3, 2, 5, 6, 7, 1]}, 204)
    yield Step("POST", "/v1/import", transfer(2, 150), 200)
    yield Step("POST", "/v1/import?format=ics", CALENDAR, 200)
    yield Step("DELETE", "/v1/lists/2")
    for n in range(13, 17):
        yield Step("POST", "/v1/reminders", {"listID": 3, "title": f"Reminder {n}", "tags": ["late"]})


STEPS = list(steps())


class Session:
    """Runs all steps in order. A first run without faults records the database after each step."""

    def __init__(self, program):
        self.program = program
        self.states = []
        # When the response to each step arrived: (time, number of steps done).
        self.told = []

    def learn(self, **disk):
        """Records the states, with a shutdown and a restart in the middle."""
        half = len(STEPS) // 2
        for numbers in (range(half), range(half, len(STEPS))):
            with Service(self.program, **disk) as service:
                client = Client(service.port)
                self.note(numbers.start)
                for number in numbers:
                    check(STEPS[number].do(client, number), "the server died")
                    self.note(number + 1)
                service.stop(signal.SIGTERM)

    def note(self, done):
        self.told.append((now(), done))
        if done == len(self.states):
            self.states.append(contents_now(self.program.database))

    def live_through(self, **disk):
        """Runs the steps with a server that is killed, and continues with a second server.

        Returns whether the first one was killed, and whether its unacknowledged step was committed.
        """
        done, killed = self.go_on(0, **disk)
        untold = self.compare(contents(self.program.folder), done)
        all_done, _ = self.go_on(done, again=True)
        check(all_done == len(STEPS), "the second server died")
        check_same(contents(self.program.folder), self.states[-1], "at the end")
        return killed, untold

    def go_on(self, done, again=False, **disk):
        """Continues after `done` steps. Returns the acknowledged steps and whether the server died."""
        with Service(self.program, **disk) as service:
            if not service.port:
                return done, service.stop()
            client = Client(service.port)
            for number in range(done, len(STEPS)):
                if not STEPS[number].do(client, number, again and number == done):
                    return number, service.stop()
            return len(STEPS), service.stop(signal.SIGTERM)

    def compare(self, left, done):
        """Checks that the acknowledged steps are stored, and at most the next one as well.

        Returns whether the next one is.
        """
        if left in self.states[done + 1 : done + 2]:
            return True
        if done == 0 and not (left or {}).get("reminders"):
            # Killed during the first start; the second start shows whether it can be repeated.
            return False
        check_same(left, self.states[done], f"after {done} steps")
        return False

    def done_by(self, instant):
        return max((done for when, done in self.told if when < instant), default=0)


def check_same(left, wanted, when):
    if left == wanted:
        return
    check(left, f"{when}: the database is missing")
    for table in wanted:
        have, want = left.get(table, []), wanted[table]
        missing = [row for row in want if row not in have]
        extra = [row for row in have if row not in want]
        check(have == want, f"{when}: {table} lacks {missing[:3]} and has the extra rows {extra[:3]}")


class Crowd:
    """Concurrent clients that create reminders until all of them are acknowledged."""

    CLIENTS, EACH = 8, 12

    def __init__(self, program):
        self.program = program
        # The time of the request and of its response, by title.
        self.asked, self.told = {}, {}

    def learn(self, **disk):
        with Service(self.program, **disk) as service:
            self.add(service.port)
            service.stop(signal.SIGTERM)

    def live_through(self, kills, how):
        """Runs one server for each of `kills`, which is killed there, and a last one that is not.

        Returns how many were killed.
        """
        deaths = 0
        for kill in [*kills, 0]:
            with Service(self.program, kill=kill, how=how) as service:
                if service.port:
                    self.add(service.port)
                has_all = len(self.told) == self.CLIENTS * self.EACH
                deaths += service.stop(signal.SIGTERM if has_all else None)
            self.compare(contents(self.program.folder), now())
        check(has_all, "the clients did not finish")
        return deaths

    def add(self, port):
        failures = []

        def run(name):
            try:
                self.run(name, Client(port))
            except Failure as failure:
                failures.append(failure)

        threads = [threading.Thread(target=run, args=(f"c{n}",)) for n in range(self.CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def run(self, name, client):
        for title in (f"{name}-{number}" for number in range(self.EACH)):
            if title in self.told:
                continue
            self.asked.setdefault(title, now())
            status = client.ask("POST", "/v1/reminders", {"listID": 1, "title": title}, title)
            if status is None:
                return
            check(status == 201, f"{title} has the status {status}")
            self.told[title] = now()

    def compare(self, left, instant):
        """Checks what is stored after an end at `instant` against the requests and responses by then."""
        titles = [row[2] for row in (left or {}).get("reminders", [])]
        check(len(set(titles)) == len(titles), "a reminder is stored twice")
        lost = [title for title, when in self.told.items() if when < instant and title not in titles]
        check(not lost, f"acknowledged but lost: {lost[:5]}")
        early = [title for title in titles if self.asked[title] >= instant]
        check(not early, f"stored before it was requested: {early[:5]}")
