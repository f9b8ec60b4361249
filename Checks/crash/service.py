"""A martlet process under `disk.c`, an HTTP client, and functions that read the database."""

import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from lib import web
from lib.server import Server
from lib.waiting import check

PATIENCE = 30
KILLED = "killed"


class Program:
    """Runs martlet in a folder of its own."""

    def __init__(self, executable, shim, folder):
        self.executable, self.shim = str(executable), str(shim)
        self.folder = pathlib.Path(folder)
        self.database = self.folder / "martlet.db"
        # Not in the folder, whose changes are counted.
        self.log = self.folder.with_suffix(".log")

    def environment(self, kill=0, how="before", trace=None):
        if not kill and not trace:
            return dict(os.environ)
        own = {"LD_PRELOAD": self.shim, "DISK_FOLDER": str(self.folder)}
        if kill:
            own |= {"DISK_KILL": str(kill), "DISK_HOW": how}
        if trace:
            own["DISK_TRACE"] = str(trace)
        return os.environ | own

    def run(self, *arguments, **disk):
        """Runs a command. Returns its exit code and output."""
        done = subprocess.run(
            [self.executable, *map(str, arguments)], env=self.environment(**disk),
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )
        return done.returncode, done.stdout + done.stderr


class Service(Server):
    """A running server. `port` is None if it was killed before it listened."""

    def __init__(self, program, **disk):
        program.log.unlink(missing_ok=True)
        super().__init__(program.executable, program.database, "--log-level", "warning", log=program.log,
                         environment=program.environment(**disk), expects=[signal.SIGKILL])
        self.start()
        self.port = None if self.port is KILLED else self.port

    def listening(self):
        return KILLED if self.poll() == -signal.SIGKILL else super().listening()

    def stop(self, number=None):
        """Sends a signal, if given, and waits for the exit. Returns whether the server was killed."""
        if number:
            self.send_signal(number)
        code = self.wait(PATIENCE)
        check(code == -signal.SIGKILL or (number and code == 0), f"exit code {code}: {self.said()[-500:]}")
        return code != 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def ask(self, method, path, body=None, key=None):
        """Sends a request. Returns the status; None if the server died before it answered."""
        try:
            answer = web.sent(self.connection, method, path, body,
                              {"Idempotency-Key": key} if method == "POST" else {})
        except (OSError, http.client.HTTPException):
            return None
        check(answer.status < 500, f"{method} {path}: {answer.status} {answer.text[:300]}")
        return answer.status


COLUMNS = {
    "sqlite_schema": "type, name, sql",
    "remindersLists": "id, title, color, position",
    "reminders": "id, remindersListID, title, notes, dueDate, priority, isFlagged, status, position",
    "tags": "title",
    "remindersTags": "id, reminderID, tagID",
    "reminderTexts": "rowid, title, notes, tags",
    "calendarObjects": "reminderID, lines",
    "apiKeyParts": "keyID, part",
    "idempotentAnswers": "scope, key, status",
    "apiKeys": "id, name, scope, revokedAt IS NULL",
}

# The invariants that the triggers maintain: each query finds the rows that violate one.
BROKEN = {
    "a text that differs from its reminder": """
      SELECT reminders.id FROM reminders LEFT JOIN reminderTexts ON reminderTexts.rowid = reminders.id
      WHERE reminderTexts.title IS NOT reminders.title OR reminderTexts.notes IS NOT reminders.notes""",
    "a text without a reminder":
      "SELECT rowid FROM reminderTexts WHERE rowid NOT IN (SELECT id FROM reminders)",
    "two reminders in one position": """
      SELECT position FROM reminders GROUP BY remindersListID, position HAVING count(*) > 1""",
    "six tags": "SELECT reminderID FROM remindersTags GROUP BY reminderID HAVING count(*) > 5",
    "no list": "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM remindersLists)",
}


def contents_now(file):
    """All rows of a database that a server has open."""
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        return examine(db)


def contents(folder, name="martlet.db"):
    """All rows of a copy of the database after WAL recovery. None if there is no file."""
    with tempfile.TemporaryDirectory() as copy:
        for ending in ("", "-wal", "-journal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(pathlib.Path(folder, name + ending), copy)
        file = pathlib.Path(copy, name)
        if not file.exists():
            return None
        with contextlib.closing(sqlite3.connect(file)) as db:
            return examine(db)


def examine(original):
    """Checks the integrity of a database and its invariants. Returns its rows, without timestamps."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        # In a copy, because the integrity check of the search index is a write.
        original.backup(db)
        found = db.execute("PRAGMA integrity_check").fetchall()
        check(found == [("ok",)], f"integrity_check: {found[:3]}")
        check(not db.execute("PRAGMA foreign_key_check").fetchall(), "foreign_key_check found a violation")
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        tables.add("sqlite_schema")
        if "reminderTexts" in tables:
            db.execute("INSERT INTO reminderTexts (reminderTexts) VALUES ('integrity-check')")
            for what, query in BROKEN.items():
                rows = db.execute(query).fetchall()
                check(not rows, f"{what}: {rows[:3]}")
        return {
            table: sorted(db.execute(f"SELECT {columns} FROM {table}").fetchall(), key=repr)
            for table, columns in COLUMNS.items() if table in tables
        }


def now():
    return time.monotonic_ns()
