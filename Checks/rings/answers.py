"""Random answers to what rings, and other changes, by clients and by another program."""

import datetime
import http.client
import threading

from lib.waiting import check
from lib.web import ask

# The changes, and how often each one is made.
ACTS = {"done": 14, "stop": 14, "snooze": 8, "twice": 6, "look": 3, "seen": 5, "complete": 8, "delete": 8, "again": 6,
        "acknowledge": 6, "soon": 10, "later": 6, "sql soon": 5, "sql later": 4, "sql stop": 4, "sql delete": 3}
BY_TOKEN = {"done": "done", "stop": "stopped", "snooze": "snoozed"}
RINGING, COMPLETED = 1, 1


def moment(seconds):
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)


def of_api(time):
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def of_sql(time):
    return time.replace(tzinfo=None).isoformat(" ", "milliseconds")


class Answers:
    """Answers from two threads until `stop`."""

    def __init__(self, make, server, sql, history, phones):
        self.make, self.server, self.sql, self.history = make, server, sql, history
        # The devices by their channels.
        self.phones = phones
        self.lock, self.busy, self.is_over, self.failure = threading.Lock(), set(), False, None
        # What was done by the token of a delivery: the verb and the result.
        self.given = {}
        self.epoch = sql("SELECT epoch FROM feedState")[0][0]
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(2)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.is_over = True
        self.history.calm()
        for thread in self.threads:
            thread.join()

    def work(self):
        try:
            while not self.is_over:
                with self.lock:
                    pause = self.make.randint(1, 30)
                # What was sent just now is answered, too, also if it is all that comes.
                self.history.wait(pause, 0.5)
                self.answer_one()
        except Exception as problem:
            # The check asks for it.
            self.failure = problem

    # One answer

    def answer_one(self):
        chosen = self.choose()
        if not chosen:
            return
        attempt, delivery, firing, alarm, reminder = chosen
        with self.lock:
            if reminder in self.busy:
                return
            self.busy.add(reminder)
            act = self.make.choices(list(ACTS), ACTS.values())[0]
        try:
            if act in BY_TOKEN or act in ("look", "seen"):
                self.by_token(act, attempt, delivery, firing, alarm, reminder)
            elif act == "twice":
                self.twice(attempt, delivery, firing, alarm, reminder)
            else:
                self.change(act, alarm, reminder)
        finally:
            with self.lock:
                self.busy.discard(reminder)

    def choose(self):
        """A message that was taken, and what it is about."""
        with self.history.changed:
            known = self.history.attempts
            # Mostly a new one.
            begin = max(0, len(known) - 60) if self.make.random() < .8 else 0
            known = [known[self.make.randrange(begin, len(known))] for _ in range(20 if known else 0)]
        known = [each for each in known if each.is_taken and each.kind == "ring" and each.token]
        if not known:
            return None
        attempt = known[0]
        delivery = int(attempt.token.split("_")[1])
        found = self.sql(
            "SELECT firings.id, alarmID, reminderID FROM deliveries JOIN firings ON firings.id = "
            f"CAST(substr(eventID, instr(eventID, '-alarm-') + 7) AS INTEGER) WHERE deliveries.id = {delivery}")
        check(found, f"the delivery {delivery} of a message is missing")
        return attempt, delivery, *found[0]

    def request(self, method, path, body=None):
        """The answer to a request, which is sent until there is one, as a client with a queue does."""
        while True:
            try:
                answer = ask(method, self.server.url + path, body)
            except (OSError, http.client.HTTPException) as problem:
                # The server is down, or was killed before it answered.
                answer = problem
            # With 503 nothing was done: another program has the lock for too long.
            if getattr(answer, "status", 503) != 503:
                return answer
            check(not self.failure, f"{method} {path}: {answer}")
            self.history.wait(5, 0.05)

    def post(self, token, act):
        body = {"token": token, "do": act}
        if act == "snooze":
            with self.lock:
                body["minutes"] = self.make.randint(700, 1_440)
        answer = self.request("POST", "/v1/answers", body)
        check(answer.status == 200, f"{act}: {answer.status} {answer.text}")
        return answer.json()

    def by_token(self, act, attempt, delivery, firing, alarm, reminder):
        is_moved = self.is_moved(alarm)
        result = self.post(attempt.token, act)
        did, because = result["did"], result["because"]
        if self.given.get(delivery, ("",))[0] == act:
            check(self.given[delivery][1] == result, f"{act} again: {result}, and before {self.given[delivery]}")
        elif act in BY_TOKEN and did == BY_TOKEN[act]:
            self.took(act, result, delivery, alarm, reminder, is_moved)
        else:
            check(did == "nothing" and (because or act == "look") or act == did == "seen", f"{act}: {result}")
        if act in BY_TOKEN or because:
            self.has_ended(act, firing, alarm)
        if attempt.channel in self.phones and act in BY_TOKEN:
            self.phones[attempt.channel].close(alarm, firing)

    def twice(self, attempt, delivery, firing, alarm, reminder):
        """Two devices answer at once. Only one of them has done something."""
        others = self.sql(
            "SELECT b.id, 'ma_' || b.id || '_' || b.token FROM deliveries a JOIN deliveries b ON b.eventID = a.eventID "
            f"WHERE a.id = {delivery} AND b.id <> a.id AND b.token IS NOT NULL")
        if not others:
            return
        with self.lock:
            other, token = self.make.choice(others)
            acts = [self.make.choice(["done", "stop"]) for _ in range(2)]
        results, is_moved = [None, None], self.is_moved(alarm)

        def answer(place, token):
            try:
                results[place] = self.post(token, acts[place])
            except Exception as problem:
                self.failure = problem
        threads = [threading.Thread(target=answer, args=each) for each in enumerate([attempt.token, token])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not all(results):
            return
        text = f"{acts} by {delivery} and {other}: {results}"
        check(all(each["did"] != "nothing" or each["because"] for each in results), f"no reason: {text}")
        done = [place for place in range(2) if results[place]["did"] != "nothing"]
        check(len(done) < 2, f"two answers were taken: {text}")
        for place in done:
            if [delivery, other][place] not in self.given:
                self.took(acts[place], results[place], [delivery, other][place], alarm, reminder, is_moved)
        self.has_ended("twice", firing, alarm)

    def change(self, act, alarm, reminder):
        """A change that needs no token. It is of what the alarm is now, whatever the message said."""
        with self.lock:
            soon, later = moment(self.make.uniform(.2, 1.5)), moment(self.make.randint(86_400, 9_000_000))
        offset, is_moved = self.sql(f"SELECT offset FROM alarms WHERE id = {alarm}"), self.is_moved(alarm)
        of_reminder, of_alarm = f"/v1/reminders/{reminder}", f"/v1/alarms/{alarm}"
        silent = {} if is_moved else {"state": 3}
        time = soon if "soon" in act or act == "again" else later
        has_date = bool(offset and offset[0][0])
        if act.startswith("sql"):
            set_date = (f"UPDATE reminders SET dueDate = '{of_sql(time)}' WHERE id = {reminder}" if has_date else
                        f"UPDATE alarms SET at = '{of_sql(time)}' WHERE id = {alarm}")
            self.sql({
                "sql stop": f"UPDATE alarms SET acknowledgedAt = '{of_sql(moment(0))}' WHERE id = {alarm}",
                "sql delete": f"DELETE FROM reminders WHERE id = {reminder}"}.get(act, set_date))
            holds = {"sql stop": silent, "sql delete": {"is deleted": True}}.get(act, {"time": of_sql(time)})
            if offset:
                self.history.answered(act=act, alarm=alarm, reminder=reminder, holds=holds)
            return self.has_ended(act, None, alarm)
        method, path, body, holds = {
            "complete": ("PATCH", of_reminder, {"status": "completed"}, {"status": COMPLETED}),
            "delete": ("DELETE", of_reminder, None, {"is deleted": True}),
            "acknowledge": ("PATCH", of_alarm, {"state": "acknowledged"}, silent),
            "again": ("PATCH", of_alarm, {"snoozedUntil": of_api(time)}, {} if is_moved else {"snoozed": of_sql(time)}),
        }.get(act) or (
            ("PATCH", of_reminder, {"dueDate": of_api(time)}, {"time": of_sql(time)}) if has_date else
            ("PATCH", of_alarm, {"at": of_api(time)}, {"time": of_sql(time)}))
        answer = self.request(method, path, body)
        # A snooze that was taken, but not answered, can be in the past when it is asked for again.
        allowed = {"delete": [204], "again": [200, 422]}.get(act, [200]) + ([] if offset and act != "delete" else [404])
        check(answer.status in allowed, f"{act}: {answer.status} {answer.text}")
        if answer.status == 422:
            # Unless it has never been taken, the alarm has rung again.
            self.history.answered(act=act, alarm=alarm, reminder=reminder)
        elif answer.status < 300 or act == "delete":
            self.history.answered(act=act, alarm=alarm, reminder=reminder, holds=holds)
            self.has_ended(act, None, alarm)

    # What is known then

    def is_moved(self, alarm):
        """Whether another program has moved an alarm, and the server has not worked that out.

        It is armed for the new date then, also if what rang before was stopped meanwhile.
        """
        return bool(self.sql(f"SELECT 1 FROM alarms WHERE id = {alarm} AND isStale"))

    def took(self, act, result, delivery, alarm, reminder, is_moved):
        """Notes an answer by a token that has done something."""
        self.given[delivery] = (act, result)
        self.history.answered(
            act=act, alarm=alarm, reminder=reminder, delivery=delivery, until=result["until"],
            holds={"done": {"status": COMPLETED}, "stop": {} if is_moved else {"state": 3}, "snooze": {}}[act])

    def has_ended(self, act, firing, alarm):
        """Notes which firings are over now, by what another connection reads after the answer."""
        with self.history.still:
            [(state, last)] = self.sql(
                f"SELECT (SELECT state FROM alarms WHERE id = {alarm}), "
                f"(SELECT max(id) FROM firings WHERE alarmID = {alarm})")
            rings = state == RINGING
            check(not rings or firing is None or firing < last, f"the alarm {alarm} rings after {act} of {firing}")
            condition = f"alarmID = {alarm} AND firings.id {'<' if rings else '<='} {last}"
            over = [row[0] for row in self.sql(f"SELECT id FROM firings WHERE {condition}")]
            # What waits for a later attempt is not in flight.
            paused = self.sql(
                "SELECT channels.id, firings.id FROM firings JOIN channels JOIN deliveries ON channelID = channels.id "
                f"AND eventID = '{self.epoch}-alarm-' || firings.id WHERE {condition} AND deliveries.state = 0 "
                "AND nextAt > strftime('%Y-%m-%d %H:%M:%f', 'now')")
            self.history.end(over, paused)
