"""What is done with a martlet while it is killed, or while its disk is recorded."""

import json
import signal
import threading
from dataclasses import dataclass

from service import Client, Failure, Service, check, contents, contents_now, now


@dataclass
class Step:
    method: str
    path: str
    body: object = None
    status: int = 0

    def do(self, client, number, again=False):
        """False where the server went before it answered."""
        status = client.ask(self.method, self.path, self.body, f"step-{number}")
        if status is None:
            return False
        expected = {self.status or {"POST": 201, "DELETE": 204}.get(self.method, 200)}
        if again and self.method == "DELETE":
            expected.add(404)
        check(status in expected, f"{self.method} {self.path} was answered with {status}")
        return True


def transfer(lists, reminders):
    """A file to import; large enough that the log has to be copied into the database."""
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
    """Ids follow from the order: nothing is left to chance."""
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
    """All steps, one after the other. What stands in the database after how many of them is learned at a first time, in
    which nothing goes wrong."""

    def __init__(self, program):
        self.program = program
        self.states = []
        # When it was told that so many steps were done.
        self.told = []

    def learn(self, **disk):
        """With a stop in the middle, so that there is an end and another start."""
        half = len(STEPS) // 2
        for numbers in (range(half), range(half, len(STEPS))):
            with Service(self.program, **disk) as service:
                client = Client(service.port)
                self.note(numbers.start)
                for number in numbers:
                    check(STEPS[number].do(client, number), "the server is gone")
                    self.note(number + 1)
                service.end(signal.SIGTERM)

    def note(self, done):
        self.told.append((now(), done))
        if done == len(self.states):
            self.states.append(contents_now(self.program.database))

    def live_through(self, **disk):
        """In an empty folder, with a death on the way; a second server goes on. Gives whether there was a death, and
        whether the step in which it came was done."""
        done, killed = self.go_on(0, **disk)
        untold = self.compare(contents(self.program.folder), done)
        all_done, _ = self.go_on(done, again=True)
        check(all_done == len(STEPS), "the second server is gone")
        check_same(contents(self.program.folder), self.states[-1], "in the end")
        return killed, untold

    def go_on(self, done, again=False, **disk):
        """Gives how many steps were acknowledged in the end, and whether the server was killed."""
        with Service(self.program, **disk) as service:
            if not service.port:
                return done, service.end()
            client = Client(service.port)
            for number in range(done, len(STEPS)):
                if not STEPS[number].do(client, number, again and number == done):
                    return number, service.end()
            return len(STEPS), service.end(signal.SIGTERM)

    def compare(self, left, done):
        """What is left when so many steps were acknowledged: they are there, and perhaps the next one. Gives whether that
        one is."""
        if left in self.states[done + 1 : done + 2]:
            return True
        if done == 0 and not (left or {}).get("reminders"):
            # Before the first start's end; the second start tells whether it can be done again.
            return False
        check_same(left, self.states[done], f"after {done} steps")
        return False

    def done_by(self, instant):
        return max((done for when, done in self.told if when < instant), default=0)


def check_same(left, wanted, when):
    if left == wanted:
        return
    check(left, f"{when} there is no database")
    for table in wanted:
        have, want = left.get(table, []), wanted[table]
        missing = [row for row in want if row not in have]
        extra = [row for row in have if row not in want]
        check(have == want, f"{when} {table} lacks {missing[:3]} and has {extra[:3]}")


class Crowd:
    """Clients that add reminders at once; each goes on until it was told of all of them."""

    CLIENTS, EACH = 8, 12

    def __init__(self, program):
        self.program = program
        # By title: when.
        self.asked, self.told = {}, {}

    def learn(self, **disk):
        with Service(self.program, **disk) as service:
            self.add(service.port)
            service.end(signal.SIGTERM)

    def live_through(self, kills, how):
        """A death for each of `kills`, and the clients come back. Gives how many there were."""
        deaths = 0
        for kill in [*kills, 0]:
            with Service(self.program, kill=kill, how=how) as service:
                if service.port:
                    self.add(service.port)
                has_all = len(self.told) == self.CLIENTS * self.EACH
                deaths += service.end(signal.SIGTERM if has_all else None)
            self.compare(contents(self.program.folder), now())
        check(has_all, "the clients did not come to their end")
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
            check(status == 201, f"{title} was answered with {status}")
            self.told[title] = now()

    def compare(self, left, instant):
        """What is left when everything ended at `instant`, with what was asked for and acknowledged by then."""
        titles = [row[2] for row in (left or {}).get("reminders", [])]
        check(len(set(titles)) == len(titles), "a reminder is there twice")
        lost = [title for title, when in self.told.items() if when < instant and title not in titles]
        check(not lost, f"acknowledged and gone: {lost[:5]}")
        early = [title for title in titles if self.asked[title] >= instant]
        check(not early, f"nobody had asked for {early[:5]}")
