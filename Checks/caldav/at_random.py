"""Two computers with vdirsyncer and the JSON API edit the same to-dos at random.

A third client only reads, by sync tokens. A model predicts what each of them has. An edit that has
no concurrent edit of the same to-do survives; of two, the one survives that the computer's
configuration says. The last part runs all at the same moment, where only agreement is predicted.
"""

import itertools
import random
import re
import threading
import time
from typing import NamedTuple

import fields
from edits import as_json, as_lines, replaced, unknown_lines
from mirror import Mirror
from lib.waiting import Failure, check
from place import Place
from programs import Todoman, Vdirsyncer, written

COUNT = 200
TAGS = ["home", "garden", "phone", "errand", "büro"]
WORDS = ["milk", "fence; gate", "a, b", "back\\slash", "ünï", "😀", "colon: here", '"quoted"',
         "x" * 90]
# The longest that the last part takes, in seconds.
STORM = 6


class Version(NamedTuple):
    """A state of a to-do. Numbers are never used twice."""

    number: int
    said: dict


def compare(said, wanted, what, text=""):
    """Checks that a to-do says what is predicted."""
    differing = {name: (said[name], wanted[name]) for name in said if said[name] != wanted[name]}
    check(not differing, f"{what} differs (is, should be): {differing}\n{text}".rstrip())


class Computer:
    """One that syncs, and what the model says that it has."""

    def __init__(self, place, folder, resolution, name):
        self.program = Vdirsyncer(folder, place.url, place.key, [name], resolution)
        self.program.discover()
        self.todoman = Todoman(folder, self.program.lists)
        self.wins, self.name = resolution, name
        self.here, self.base = {}, {}

    def path(self, uid):
        return self.program.items(self.name)[uid]


class Run:
    def __init__(self, program, folder, seed):
        self.random = random.Random(seed)
        self.numbers = itertools.count(1)
        self.place = Place(program, folder, "--time-zone", "UTC")
        self.caller = self.place.caller()
        self.place.fill({"Shared": COUNT // 2, "Other": 0})
        self.list = self.place.lists["Shared"]
        name = str(self.list)
        self.there = {uid: Version(next(self.numbers), fields.of_reminder(item) | {"unknown": []})
                      for uid, item in self.caller.reminders(self.list).items()}
        # A series moves on when it is completed, which this model does not predict.
        for uid, item in self.caller.reminders(self.list).items():
            if item["recurrence"]:
                self.caller.json("DELETE", f"/v1/reminders/{item['id']}")
                del self.there[uid]
        self.computers = [Computer(self.place, folder / "a", "a wins", name),
                          Computer(self.place, folder / "b", "b wins", name)]
        self.parsed, self.elsewhere = {}, {}
        self.mirror = Mirror(self.place.caller(), f"/dav/lists/{name}/")
        for _ in range(COUNT - len(self.there)):
            self.write_new(self.computers[0])
        for computer in self.computers:
            self.sync(computer)
        self.kinds = {}

    def any(self, uids, versions=None):
        """A UID. The order is the same in each run; UIDs of programs are not."""
        versions = versions or self.there
        return self.random.choice(sorted(uids, key=lambda uid: versions[uid].number))

    # The edits of the JSON API.

    def json_edit(self):
        uid = self.any(self.there)
        version = self.there[uid]
        change = self.change(version.said, uid)
        item = self.caller.reminders(self.list)[uid]
        answer = self.caller.json("PATCH", f"/v1/reminders/{item['id']}", as_json(change))
        said = version.said | change
        self.there[uid] = Version(next(self.numbers), said)
        got = fields.of_reminder(answer)
        check(got == {name: said[name] for name in got}, f"PATCH of {uid}: {got}, not {said}")

    def json_new(self):
        said = self.change({}, "", everything=True)
        body = as_json(said) | {"listID": self.list}
        item = self.caller.json("POST", "/v1/reminders", body)
        self.there[item["uid"]] = Version(next(self.numbers), said | {"unknown": []})

    def json_delete(self):
        """Subtasks go with their parent."""
        items = self.caller.reminders(self.list)
        uid = self.any(self.there)
        self.caller.json("DELETE", f"/v1/reminders/{items[uid]['id']}")
        gone = {items[uid]["id"]}
        while more := {each["id"] for each in items.values() if each["parentID"] in gone} - gone:
            gone |= more
        for uid, item in items.items():
            if item["id"] in gone:
                del self.there[uid]

    def json_leave(self):
        """Moves a to-do into another list, or one back."""
        gone = [uid for uid in self.elsewhere if uid not in self.there]
        if gone and self.random.random() < 0.5:
            uid = self.random.choice(gone)
            title = f"back {next(self.numbers)}"
            self.caller.json("PATCH", f"/v1/reminders/{self.elsewhere[uid][0]}",
                             {"listID": self.list, "title": title})
            self.there[uid] = Version(next(self.numbers), self.elsewhere.pop(uid)[1] | {
                "title": title})
            return
        # Not with others that it belongs to: these would go along.
        items = self.caller.reminders(self.list)
        parents = {each["parentID"] for each in items.values()}
        uid = self.any([uid for uid, each in items.items() if uid not in self.elsewhere
                        and not each["parentID"] and each["id"] not in parents])
        item = items[uid]
        other = self.place.lists["Other"]
        self.caller.json("PATCH", f"/v1/reminders/{item['id']}", {"listID": other})
        self.elsewhere[uid] = item["id"], self.there.pop(uid).said

    def json_move(self):
        """Another place in the list is no change of the to-do."""
        items = sorted(self.caller.reminders(self.list).values(), key=lambda each: each["id"])
        one, other = self.random.sample(items, 2)
        self.caller.json("PUT", f"/v1/reminders/{one['id']}/position", {"before": other["id"]})

    def change(self, said, uid, everything=False):
        """New values of some members, at least one of which differs."""
        pick = self.random
        new = {
            "title": f"{pick.choice(WORDS)} {next(self.numbers)}",
            # Not at night, when clocks are set forward.
            "due": pick.choice([None, f"2027-{pick.randint(1, 12):02}-{pick.randint(1, 28):02}",
                                f"2027{pick.randint(1, 12):02}{pick.randint(1, 28):02}T"
                                f"{pick.randint(4, 23):02}{pick.randint(0, 59):02}00Z"]),
            "isCompleted": pick.random() < 0.4,
            "priority": pick.choice([None, "low", "medium", "high"]),
            "tags": frozenset(pick.sample(TAGS, pick.randint(0, 4))),
            "notes": pick.choice(["", "one line", "two\nlines, and; more\\", f"{pick.random()}"]),
        }
        if may_be_parent(uid):
            new["isCompleted"] = False
        if everything:
            return new
        names = pick.sample(sorted(new), pick.randint(1, 2))
        if all(new[name] == said[name] for name in names):
            names = ["title"]
        return {name: new[name] for name in names}

    # The edits of a computer.

    def file_edit(self, computer):
        uid = self.any(computer.here, computer.here)
        path = computer.path(uid)
        lines = as_lines(self.change(computer.here[uid].said, uid), self.random)
        lines |= self.unknown(computer)
        path.write_text(replaced(path.read_text(), lines), newline="")
        self.look(computer, uid, path)

    def unknown(self, computer):
        number = next(self.numbers)
        pick = self.random
        lines = {"X-STAMP": [f"X-STAMP;X-PARAM=\"a:b;c\":{number}"]}
        lines |= pick.choice([
            {}, {"X-OTHER": [f"X-OTHER:{number}", f"X-OTHER;X-A=b:{'long ' * 30}"]},
            {"LOCATION": [f"LOCATION;LANGUAGE=de:Garten {number}"]}, {"LOCATION": []},
            {"URL": [f"URL:https://example.org/?a={number}&b=1"]}, {"GEO": ["GEO:48.85;2.35"]},
            {"CLASS": ["CLASS:PRIVATE"]}, {"RELATED-TO": [self.parent(computer)]},
            {"RELATED-TO": [self.parent(computer)]}, {"RELATED-TO": []},
            {"COMMENT": ["COMMENT:one", "COMMENT:two"]},
            {"ATTACH": ["ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:aGVsbG8="]}])
        return lines

    def parent(self, computer):
        """A parent that is there, or one that may come, or never."""
        uid = f"by-a-program-{5 * self.random.randint(1, COUNT)}@example.org"
        here = [each for each in computer.here if may_be_parent(each)]
        if here and self.random.random() < 0.7:
            uid = self.any(here, computer.here)
        return self.random.choice([f"RELATED-TO:{uid}", f"RELATED-TO;RELTYPE=PARENT:{uid}"])

    def write_new(self, computer):
        uid = f"by-a-program-{next(self.numbers)}@example.org"
        lines = as_lines(self.change({}, uid, everything=True), self.random)
        lines |= self.unknown(computer)
        path = computer.program.lists / computer.name / f"{uid}.ics"
        path.write_text(replaced(written(uid, "new"), lines), newline="")
        self.look(computer, uid, path)

    def file_delete(self, computer):
        uid = self.any(computer.here, computer.here)
        computer.path(uid).unlink()
        del computer.here[uid]

    def todoman_edit(self, computer):
        """todoman writes the whole to-do anew, with its library."""
        listed = computer.todoman.list("--status", "ANY")
        chosen = self.random.choice(listed)
        uid = [uid for uid, version in computer.here.items()
               if version.said["title"] == chosen["summary"]][0]
        path = computer.path(uid)
        before = path.read_text()
        if self.random.random() < 0.3 and not may_be_parent(uid):
            computer.todoman.run("done", chosen["id"])
        else:
            level = self.random.choice(["low", "medium", "high"])
            computer.todoman.run("edit", chosen["id"], "--priority", level, "--location",
                                 f"place {next(self.numbers)}", "--due", "2027-09-09 10:00")
        if path.read_text() != before:
            self.look(computer, uid, path)

    def todoman_new(self, computer):
        title = f"by todoman {next(self.numbers)}"
        computer.todoman.run("new", title, "--list", computer.name, "--priority", "low")
        found = [(uid, path) for uid, path in computer.program.items(computer.name).items()
                 if uid not in computer.here]
        check(len(found) == 1, f"todoman made {found}")
        self.look(computer, *found[0])

    def look(self, computer, uid, path):
        computer.here[uid] = Version(next(self.numbers), self.of_file(path))

    def of_file(self, path):
        text = path.read_bytes().decode()
        if text not in self.parsed:
            self.parsed[text] = fields.of_text(text) | {"unknown": unknown_lines(text)}
        return self.parsed[text]

    # Syncs.

    def sync(self, computer):
        computer.program.sync()
        self.predict(computer)
        self.compare(computer)

    def predict(self, computer):
        """What vdirsyncer does, by its documentation."""
        here, there, base = computer.here, self.there, computer.base
        for uid in set(here) | set(there) | set(base):
            a, b, old = here.get(uid), there.get(uid), base.get(uid)
            if a and b and a != old and b != old and a != b:
                winner = a if computer.wins == "a wins" else b
            elif a and b:
                winner = a if a != old else b
            elif a:
                winner = a if a != old else None
            else:
                winner = b if b != old else None
            for side in (here, there, base):
                if winner:
                    side[uid] = winner
                else:
                    side.pop(uid, None)

    def compare(self, computer):
        """Checks the files of a computer."""
        items = computer.program.items(computer.name)
        check(set(items) == set(computer.here),
              f"not as predicted: {sorted(set(items) ^ set(computer.here))[:5]}")
        for uid, path in items.items():
            compare(self.of_file(path), computer.here[uid].said, path, path.read_text())

    def compare_server(self):
        """Checks what JSON and CalDAV say, with the prediction."""
        items = self.caller.reminders(self.list)
        check(set(items) == set(self.there),
              f"the server: {sorted(set(items) ^ set(self.there))[:5]}")
        for uid, item in items.items():
            compare(fields.of_reminder(item), self.there[uid].said, f"reminder {item['id']}, {uid}")

    def settle(self):
        """Syncs until nothing changes any more."""
        for _ in range(6):
            said = [computer.program.sync() for computer in self.computers]
            if not any("Copying" in each or "Deleting" in each for each in said):
                return
        check(False, f"syncs do not end: {said}")

    # The steps.

    def step(self):
        pick = self.random.random()
        computer = self.random.choice(self.computers)
        kinds = [
            (0.28, "JSON edits", self.json_edit), (0.03, "other lists", self.json_leave),
            (0.04, "syncs by token", lambda: self.mirror.sync(self.random)),
            (0.04, "JSON creates", self.json_new),
            (0.04, "JSON deletes", self.json_delete), (0.04, "JSON moves", self.json_move),
            (0.32, "edits of files", lambda: self.file_edit(computer)),
            (0.03, "new files", lambda: self.write_new(computer)),
            (0.04, "deleted files", lambda: self.file_delete(computer)),
            (0.02, "edits of todoman", lambda: self.todoman_edit(computer)),
            (0.01, "new by todoman", lambda: self.todoman_new(computer)),
            (1, "syncs", lambda: self.sync(computer))]
        for chance, name, action in kinds:
            if pick < chance:
                action()
                self.kinds[name] = self.kinds.get(name, 0) + 1
                return
            pick -= chance

    def storm(self):
        """All three at the same moment: each sees changes in the middle of a sync."""
        ends, failed = time.monotonic() + STORM, []
        titles = {uid: None for uid in self.there}

        def guarded(action):
            try:
                while time.monotonic() < ends and not failed:
                    action()
            except Exception as problem:
                failed.append(problem)

        def edit():
            caller, pick = self.place.caller(), random.Random(self.random.random())
            items = sorted(caller.reminders(self.list).values(), key=lambda each: each["id"])
            while time.monotonic() < ends and not failed:
                item = pick.choice(items)
                titles[item["uid"]] = f"storm {next(self.numbers)}"
                caller.json("PATCH", f"/v1/reminders/{item['id']}", {"title": titles[item["uid"]]})
                time.sleep(0.01)

        def sync(computer):
            # A to-do that changes in the middle of a sync is a 412, and left for the next one.
            for uid in random.sample(sorted(computer.here), 5):
                path = computer.path(uid)
                path.write_text(replaced(path.read_text(), self.unknown(computer)),
                                newline="")
            computer.program.run("sync")

        threads = [threading.Thread(target=guarded, args=(action,)) for action in [
            edit, lambda: sync(self.computers[0]), lambda: sync(self.computers[1]),
            lambda: self.mirror.page(random.choice([None, 3]))]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check(not failed, f"{failed}")
        self.settle()
        items = self.caller.reminders(self.list)
        check(set(items) == set(titles), f"lost or doubled: {set(items) ^ set(titles)}")
        for computer in self.computers:
            texts = {uid: path.read_text()
                     for uid, path in computer.program.items(computer.name).items()}
            fields.check_same(items, texts, "after the storm")
        both = [{uid: self.of_file(path)
                 for uid, path in computer.program.items(computer.name).items()}
                for computer in self.computers]
        check(both[0] == both[1], "the computers differ after the storm")
        self.mirror.sync(self.random)


def may_be_parent(uid):
    """Those are never completed, because their subtasks would be completed with them."""
    return re.fullmatch(r"by-a-program-\d*[05]@example\.org", uid) is not None


def run(program, folder, steps, seed):
    start = time.monotonic()
    test = Run(program, folder, seed)
    try:
        for number in range(steps):
            try:
                test.step()
            except Exception as problem:
                raise Failure(f"step {number} of seed {seed}: {problem}") from problem
        for _ in range(2):
            for computer in test.computers:
                test.sync(computer)
        test.compare_server()
        test.mirror.sync(test.random)
        check(test.computers[0].here == test.computers[1].here == test.there,
              "the model does not agree with itself")
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(test.kinds.items()))
        print(f"  {steps} steps in {time.monotonic() - start:.0f} s: {kinds}")
        test.settle()
        test.storm()
        test.place.is_whole()
    finally:
        test.place.end()
