"""What has happened in a run, in one order: what receivers got, and what was answered."""

import sqlite3
import threading
from dataclasses import dataclass, field

from lib.waiting import PATIENCE


class Shell:
    """Another program with the database, which has a connection for each of its threads."""

    def __init__(self, database):
        self.database, self.local = database, threading.local()

    def sql(self, text):
        if not hasattr(self.local, "file"):
            self.local.file = sqlite3.connect(self.database, timeout=PATIENCE, isolation_level=None)
            # It must not hold the lock of writes while the disk is slow: a server that starts then
            # gives up after five seconds.
            self.local.file.execute("PRAGMA synchronous = OFF")
        return self.local.file.execute(text).fetchall()


@dataclass
class Attempt:
    """A message at a receiver, which has taken it or not."""

    order: int
    # How often the server had been started when it came.
    life: int
    channel: int
    # `ring`, `ended`, `summary` or another kind.
    kind: str
    # The firing that it is about, its alarm and its reminder, as far as the message says so.
    firing: int | None
    alarm: int | None
    reminder: int | None
    # What must be the same in all attempts: the ID of the event, or the token of the delivery.
    identity: str
    token: str | None
    # The field Topic of a push.
    topic: str | None
    is_taken: bool
    # What the receiver did then: a status, `cut`, or `hang`, after which it broke off, too.
    how: str


@dataclass
class Answer:
    """An answer, or another change, that was acknowledged."""

    order: int
    life: int
    # What was done: `done`, `stop`, `snooze`, or another change.
    act: str
    reminder: int
    alarm: int
    # What must be in the database because of it, unless something else was done later.
    holds: dict = field(default_factory=dict)
    # The delivery whose token was used, and until when it has snoozed the alarm.
    delivery: int | None = None
    until: str | None = None


class History:
    """The attempts and answers of a run. It is shared by threads, which wait for progress in it."""

    def __init__(self):
        self.changed = threading.Condition()
        self.count, self.life = 0, 0
        # Held while a process is killed, and while it is found out what has ended: the order of
        # these is known.
        self.still = threading.Lock()
        self.attempts, self.answers = [], []
        # When a firing was known to be over: the order and the life.
        self.over = {}
        # The firings that were over while a channel was in a pause between two attempts.
        self.paused = set()
        # Receivers behave from then on.
        self.is_calm = False
        self.problems = []

    def note(self, **members):
        """Adds an attempt, and returns it."""
        with self.changed:
            self.count += 1
            attempt = Attempt(order=self.count, life=self.life, **members)
            self.attempts.append(attempt)
            self.changed.notify_all()
            return attempt

    def answered(self, **members):
        with self.changed:
            self.count += 1
            answer = Answer(order=self.count, life=self.life, **members)
            self.answers.append(answer)
            self.changed.notify_all()
            return answer

    def end(self, firings, paused):
        """Notes that firings are over, and the channels that were in a pause with them then."""
        with self.changed:
            for firing in firings:
                self.over.setdefault(firing, (self.count, self.life))
            self.paused |= {(*each, self.count) for each in paused}

    def wait(self, more, limit=None):
        """Waits until so much more has happened, or the receivers behave."""
        with self.changed:
            end = self.count + more
            return self.changed.wait_for(lambda: self.count >= end or self.is_calm, limit)

    def calm(self):
        with self.changed:
            self.is_calm = True
            self.changed.notify_all()
