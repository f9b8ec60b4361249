"""Measures alarms that go to devices by Web Push, and answers to them."""

import base64
import contextlib
import datetime
import hmac
import http.client
import http.server
import json
import os
import sqlite3
import threading
import time

# A point of P-256: the public key of all devices. What they differ in is `auth`.
POINT = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
# How long the receiver takes to answer.
DELAY = 0.05
# The time between alarms that are sent one by one.
APART = 0.1
# How long what is missing is waited for, in seconds.
LIMIT = 120
WAITING, DELIVERED, MERGED = 0, 1, 4


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def moment(seconds):
    """An instant so many seconds from now, and how the API writes it."""
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    time = time.replace(microsecond=time.microsecond // 1000 * 1000)
    return time.timestamp(), time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def share(values, part):
    """A percentile in milliseconds."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)] * 1000


class PushService(http.server.ThreadingHTTPServer):
    """Takes messages of all devices. It does not read them: the field Topic says which alarm one is about."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        # The time of each message by the device, its Topic and its Urgency.
        self.seen, self.count = {}, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        now = time.time()
        # A summary has the same Topic each time.
        self.server.seen[int(self.path[1:]), self.headers["Topic"], self.headers["Urgency"]] = now
        self.server.count += 1
        time.sleep(DELAY)
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Client:
    """A connection to the server."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)

    def send(self, method, path, body=None):
        """The decoded answer, and how long it took."""
        begin = time.time()
        fields = {"Content-Type": "application/json"}
        self.connection.request(method, path, body and json.dumps(body), fields)
        response = self.connection.getresponse()
        text, seconds = response.read(), time.time() - begin
        if response.status >= 300:
            raise SystemExit(f"alarms: {method} {path}: {response.status} {text.decode()}")
        return json.loads(text or b"null"), seconds


class Writer:
    """Changes a reminder again and again while it runs, and measures that."""

    def __init__(self, port, reminder):
        self.times, self.is_over = [], False
        self.client, self.path = Client(port), f"/v1/reminders/{reminder}"
        self.thread = threading.Thread(target=self.work)

    def work(self):
        while not self.is_over:
            self.times.append(self.client.send("PATCH", self.path, {"title": f"{len(self.times)}"})[1])
            time.sleep(0.005)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join()


class Devices:
    def __init__(self, port, database, count):
        self.port, self.database, self.count = port, database, count
        self.service, self.client = PushService(), Client(port)
        self.secrets, self.channels = [os.urandom(16) for _ in range(count)], []
        self.client.send("POST", "/v1/push/key")
        for number, secret in enumerate(self.secrets):
            made, _ = self.client.send("PUT", "/v1/push/subscriptions", {
                "endpoint": f"http://127.0.0.1:{self.service.server_port}/{number}", "name": f"device {number}",
                "keys": {"p256dh": encoded(POINT), "auth": encoded(secret)}})
            self.channels.append(made["id"])

    def sql(self, text):
        with contextlib.closing(sqlite3.connect(self.database)) as file:
            return file.execute(text).fetchall()

    def set_alarm(self, time):
        """A new reminder with an alarm."""
        return self.client.send("POST", "/v1/lists/1/reminders", {"title": "bench", "alarms": [{"at": time}]})[0]["id"]

    def arrived(self, device, alarm, urgency):
        """When a message about an alarm came to a device; `None` if it has not."""
        topic = encoded(hmac.digest(self.secrets[device], f"alarm {alarm}".encode(), "sha256")[:24])
        return self.service.seen.get((device, topic, urgency))

    def states(self, reminders):
        """How many deliveries of the alarms of reminders are in each state."""
        ids = ",".join(map(str, reminders))
        return dict(self.sql(
            "SELECT state, count(*) FROM deliveries JOIN firings ON firings.id = "
            "CAST(substr(eventID, instr(eventID, '-alarm-') + 7) AS INTEGER) WHERE type = 'alarm.ringing' "
            f"AND reminderID IN ({ids}) AND channelID IN ({','.join(map(str, self.channels))}) GROUP BY state"))

    def settle(self, reminders):
        """Waits until all is delivered or merged. Returns the number of each."""
        end = time.time() + LIMIT
        expected = len(reminders) * self.count
        while time.time() < end:
            states = self.states(reminders)
            if states.get(DELIVERED, 0) + states.get(MERGED, 0) == expected and not self.sql(
                    "SELECT 1 FROM deliveries WHERE state = 0 LIMIT 1"):
                return states.get(DELIVERED, 0), states.get(MERGED, 0)
            time.sleep(0.02)
        raise SystemExit(f"alarms: {states} instead of {expected} deliveries to devices")

    def alarms(self, reminders):
        """The alarm of each reminder."""
        ids = ",".join(map(str, reminders))
        return dict(self.sql(f"SELECT reminderID, id FROM alarms WHERE reminderID IN ({ids})"))

    def late(self, moments):
        """How late the messages of alarms came, by what was delivered. `moments` are by the reminder."""
        alarms, found = self.alarms(moments), []
        for reminder, due in moments.items():
            for device in range(self.count):
                if came := self.arrived(device, alarms[reminder], "high"):
                    found.append(came - due)
        return found

    def ring(self, count, apart):
        """Sets alarms, so far apart, and waits until they are delivered. Returns when each is due."""
        moments = {}
        # At one moment: when all of them are set.
        due, text = moment(0.15 if apart else max(1, count * 0.03))
        for _ in range(count):
            if apart:
                due, text = moment(0.15)
            moments[self.set_alarm(text)] = due
            time.sleep(apart)
        sent, merged = self.settle(moments)
        late = self.late(moments)
        if len(late) < sent:
            raise SystemExit(f"alarms: {len(late)} of {sent} pushes came")
        return moments, late, merged

    def answer(self, reminders):
        """Done at the first device, by its token: how long the answer took, and the news of it at the others."""
        answers, ends, alarms = [], [], self.alarms(reminders)
        for reminder in reminders:
            [(delivery, token)] = self.sql(
                "SELECT deliveries.id, token FROM deliveries JOIN firings ON "
                "eventID = (SELECT epoch FROM feedState) || '-alarm-' || firings.id "
                f"WHERE reminderID = {reminder} AND channelID = {self.channels[0]}")
            got = [device for device in range(1, self.count) if self.arrived(device, alarms[reminder], "high")]
            begin = time.time()
            result, seconds = self.client.send("POST", "/v1/answers", {"token": f"ma_{delivery}_{token}", "do": "done"})
            if result["did"] != "done":
                raise SystemExit(f"alarms: an answer has done {result}")
            answers.append(seconds)
            end = begin + LIMIT
            while not all(self.arrived(device, alarms[reminder], "normal") for device in got):
                if time.time() > end:
                    raise SystemExit("alarms: a device does not hear that an alarm was answered")
                time.sleep(0.002)
            ends += [self.arrived(device, alarms[reminder], "normal") - begin for device in got]
        return answers, ends


def line(name, figure, limit=""):
    print(f"{name:<60} {figure:>16} {limit:>14}")


def measure(port, database, count, single, burst):
    """Prints the figures of so many devices: alarms one by one, and a burst of them."""
    devices = Devices(port, database, count)
    reminder = devices.client.send("POST", "/v1/lists/1/reminders", {"title": "bench"})[0]["id"]
    # The courier and its connections are there before.
    devices.ring(1, APART)
    print(f"\n{count} devices; their push service answers after {DELAY * 1000:.0f} ms\n")
    line("", "measured", "limit")
    moments, late, merged = devices.ring(single, APART)
    what = f"alarm to POST, {single} alarms, {len(late)} messages"
    line(f"{what}: median", f"{share(late, .5):.1f} ms", "60 ms")
    line(f"{what}: 99 %", f"{share(late, .99):.1f} ms", "300 ms")
    with Writer(port, reminder) as alone:
        time.sleep(burst * APART)
    with Writer(port, reminder) as beside:
        apart, late, few = devices.ring(burst, APART)
        spent = time.time() - min(apart.values())
    line(f"{burst} alarms, {APART * 1000:.0f} ms apart, until all are delivered"
         + (f" ({few} merged)" if few else ""), f"{spent:.1f} s", "30 s")
    line("a write meanwhile: 99 %", f"{share(beside.times, .99):.1f} ms")
    line("a write without alarms: 99 %", f"{share(alone.times, .99):.1f} ms")
    before = devices.service.count
    at_once, _, merged = devices.ring(burst, 0)
    spent = max(devices.service.seen.values()) - min(at_once.values())
    line(f"{burst} alarms at one moment, {merged} of {burst * count} merged: until the last", f"{spent * 1000:.0f} ms")
    line("messages about them", str(devices.service.count - before))
    answers, ends = devices.answer(moments)
    if ends:
        line(f"Done to the end at another device, {len(ends)} messages: 99 %", f"{share(ends, .99):.1f} ms", "500 ms")
    line(f"/v1/answers, {len(answers)} answers: 99 %", f"{share(answers, .99):.1f} ms", "20 ms")
