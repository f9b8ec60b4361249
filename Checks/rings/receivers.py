"""The receivers of a run: devices behind a push service, a webhook, ntfy and a mail server. They misbehave."""

import asyncio
import contextlib
import http.server
import json
import random
import re
import select
import smtplib
import socket
import threading
import time

from lib.mail import MailServer
from lib.push import Device
from lib.waiting import wait

# What a receiver does with a message, and how often. Without one of these it answers as it should.
MOODS = {"503": 2, "429": 1, "cut": 2, "hang": 1, "taken 503": 1, "taken cut": 2, "taken hang": 1}
USUAL = 90
# How often a receiver misbehaves with one message: each one is given up after about ten attempts.
MOST = 3
TOKEN = re.compile(r"ma_\d+_[0-9a-f]+")


class Moods:
    """Decides what a receiver does. It does not misbehave with the same message again and again."""

    def __init__(self, make, history):
        self.make, self.history, self.lock = make, history, threading.Lock()
        self.failures = {}

    def of(self, *message):
        with self.lock:
            chosen = self.make.choices(["", *MOODS], [USUAL, *MOODS.values()])[0]
            if self.history.is_calm or self.failures.get(message, 0) >= MOST:
                return ""
            if chosen:
                self.failures[message] = self.failures.get(message, 0) + 1
            return chosen


class Phone:
    """A device, and what its notifications show: by the tag and the firing, as the worker of the app decides."""

    def __init__(self, make):
        self.device, self.lock = Device(make), threading.Lock()
        self.make = make
        # What is shown, by its tag: the firing, and whether it rings.
        self.shown = {}
        # Each firing that made a sound.
        self.heard = []
        # The newest firing of each alarm that a person has answered here.
        self.closed = {}
        # What made a sound again, because its notification was closed while it was sent once more.
        self.again = []

    def show(self, message):
        tag, kind, firing = message.get("alarm"), message["kind"], message.get("firing")
        if kind not in ("ring", "ended"):
            return
        with self.lock:
            last, _ = self.shown.get(tag, (0, False))
            if kind == "ring" and firing > last:
                (self.again if firing <= self.closed.get(tag, 0) else self.heard).append(firing)
                self.shown[tag] = (firing, True)
            elif kind == "ended" and firing >= last:
                self.shown[tag] = (firing, False)
                # The worker closes it if the page is open, or another one is shown.
                if len(self.shown) > 1 or self.make.random() < .5:
                    del self.shown[tag]

    def close(self, alarm, firing):
        """A person has answered a notification."""
        with self.lock:
            if self.shown.get(alarm, (0, False))[0] <= firing:
                self.shown.pop(alarm, None)
                self.closed[alarm] = max(firing, self.closed.get(alarm, 0))


class Receivers(http.server.ThreadingHTTPServer):
    """Takes what is sent by HTTP. Each channel has a path of its own."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, make, history, phones):
        super().__init__(("127.0.0.1", 0), Handler)
        self.history, self.moods = history, Moods(make, history)
        self.phones = [Phone(make) for _ in range(phones)]
        # The channel and how to read its messages, by path.
        self.paths = {}
        # The paths of devices whose subscription has ended, and the status that says so.
        self.gone = {}
        # The connections, and how many have only asked whether they are accepted.
        self.lock, self.handlers, self.barriers = threading.Lock(), set(), 0
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server_port}"

    def add(self, path, channel, read):
        self.paths[path] = (channel, read)

    def handle_error(self, *_):
        # A process that is killed leaves connections behind.
        pass

    def drain(self):
        """Waits until all has been noted that was sent by a process which has ended."""
        with contextlib.closing(socket.create_connection(self.server_address)) as one:
            # Connections are accepted in their order.
            before = self.barriers
            one.sendall(b"GET / HTTP/1.0\r\n\r\n")
            wait("a connection is accepted", lambda: self.barriers > before)
        with self.lock:
            busy = set(self.handlers)

        def is_quiet():
            busy.difference_update([each for each in busy if each.is_quiet()])
            return not busy
        wait("all messages are read", is_quiet)

    def message(self, path, headers, body):
        """What a message is about; the other members of an attempt."""
        channel, read = self.paths[path]
        return {"channel": channel, "topic": headers.get("Topic")} | read(headers, body)

    def read_push(self, phone):
        def read(_, body):
            text = json.loads(phone.device.read(body))
            return {"kind": text["kind"], "firing": text.get("firing"), "alarm": text.get("alarm"),
                    "reminder": text.get("reminder"), "token": text.get("token"),
                    "identity": text["token"], "show": lambda: phone.show(text)}
        return read


def firing_of(event):
    """The firing in the ID of an event, and the kind of the event."""
    kind, number = event.split("-")[1:3]
    return {"kind": {"alarm": "ring"}.get(kind, kind), "firing": int(number) if kind in ("alarm", "ended") else None}


def read_webhook(headers, body):
    text, event = json.loads(body), headers["webhook-id"]
    alarm, reminder = text["data"]["alarm"], text["data"].get("reminder")
    return firing_of(event) | {
        "alarm": alarm["id"], "reminder": (reminder or {}).get("id"), "token": None, "identity": event, "text": body}


def read_ntfy(_, body):
    """A message of ntfy has no ID, except that of the delivery in its buttons."""
    found = TOKEN.search(body.decode())
    return {"kind": "ring" if found else "summary", "firing": None, "alarm": None, "reminder": None,
            "token": found and found[0], "identity": found[0] if found else body.decode()}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Whether a request was read that is not noted yet; whether it hangs or is closed.
    is_busy, is_gone = False, False

    def setup(self):
        super().setup()
        with self.server.lock:
            self.server.handlers.add(self)

    def finish(self):
        self.is_gone = True
        with self.server.lock:
            self.server.handlers.discard(self)
        super().finish()

    def parse_request(self):
        self.is_busy = True
        return super().parse_request()

    def is_quiet(self):
        """Whether it has nothing to read and nothing to note."""
        try:
            has_data = self.is_gone or select.select([self.connection], [], [], 0)[0]
        except (OSError, ValueError):
            return True
        # Between reading and noting, there is a moment in which neither is seen.
        time.sleep(0.002)
        return self.is_gone or not has_data and not self.is_busy

    def do_GET(self):
        self.server.barriers += 1
        self.close_connection = True

    def do_POST(self):
        server, path = self.server, self.path
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) < int(self.headers["Content-Length"]):
            # A kill has cut it off.
            self.close_connection = True
            return
        message = server.message(path, self.headers, body)
        show, text = message.pop("show", None), message.pop("text", None)
        mood = server.moods.of(path, message["identity"])
        gone = server.gone.get(path)
        is_taken = not gone and (not mood or mood.startswith("taken"))
        how = str(gone or mood.removeprefix("taken ") or 201)
        server.history.note(is_taken=is_taken, how=how, **message)
        self.is_busy = False
        if text is not None:
            server.history.problems += different(server, message["identity"], text)
        if is_taken and show:
            show()
        self.react(how)

    def react(self, how):
        if how == "cut":
            self.close_connection = True
        elif how == "hang":
            self.is_gone = True
            self.server.history.wait(random.randint(5, 60))
            self.close_connection = True
        else:
            self.send_response(int(how))
            if how == "429":
                self.send_header("Retry-After", "1")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *_):
        pass


bodies = {}


def different(server, event, body):
    """A problem if an event has come with another body before."""
    with server.lock:
        return [] if bodies.setdefault(event, body) == body else [f"the event {event} has two bodies"]


class Mailbox(MailServer):
    """A mail server that misbehaves, too."""

    def __init__(self, make, history):
        self.moods, self.history, self.channel = Moods(make, history), history, None
        super().__init__()

    def decide(self, message):
        """The reply to a mail. The mail is taken if it begins with 250 or `taken`."""
        identity = message["Message-ID"]
        mood = self.moods.of(identity)
        token = TOKEN.search(message.text)
        is_taken = not mood or mood.startswith("taken")
        event, how = identity[1:].split("@")[0], mood.removeprefix("taken ")
        reply = {"": "250 OK", "503": "451 Later", "429": "421 Later"}.get(how, how)
        self.history.note(channel=self.channel, alarm=None, reminder=None, topic=None, identity=identity,
                          token=token and token[0], is_taken=is_taken, how=reply, **firing_of(event))
        return reply

    async def hang(self):
        end = self.history.count + random.randint(5, 60)
        while self.history.count < end and not self.history.is_calm:
            await asyncio.sleep(0.02)

    def drain(self):
        """As that of the other receivers: the loop of the server has read what came before."""
        with smtplib.SMTP("127.0.0.1", self.port) as one:
            for _ in range(3):
                one.noop()
