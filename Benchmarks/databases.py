"""Databases of many reminders, made once and kept under `.build/scale`."""

import pathlib
import shutil
import sqlite3
import subprocess

BUILD = pathlib.Path(__file__).resolve().parent.parent / ".build" / "scale"
# So many are made as people make them, with all triggers: some 6,000 a second. More are copies of them.
MOST_MADE = 1_000_000


def list_count(size):
    return min(max(size // 1_000, 1), 1_000)


def database(program, size):
    """A file with so many reminders, in lists of a thousand, of which there are at most a thousand."""
    file = BUILD / f"{size}.db"
    if file.exists():
        return file
    making = BUILD / "making.db"
    making.unlink(missing_ok=True)
    print(f"making {file.name}", flush=True)
    if size <= MOST_MADE:
        subprocess.run([program, "seed", "--reminders", str(size), "--lists", str(list_count(size)), "--database", making],
                       check=True, stdout=subprocess.DEVNULL)
    else:
        shutil.copy(database(program, MOST_MADE), making)
        multiply(making, size)
    making.rename(file)
    return file


def multiply(file, size):
    """Copies of the reminders and their tags behind them, with what triggers would have made of them."""
    with sqlite3.connect(file, isolation_level=None) as db:
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -1000000")
        apart = db.execute("""
            SELECT type, name, sql FROM sqlite_master WHERE type = 'trigger'
            OR type = 'index' AND sql IS NOT NULL AND tbl_name IN ('reminders', 'remindersTags')""").fetchall()
        for kind, name, _ in apart:
            db.execute(f'DROP {kind} "{name}"')
        many = db.execute("SELECT max(id) FROM reminders").fetchone()[0]
        others = ", ".join(row[1] for row in db.execute("PRAGMA table_info(reminders)") if row[1] != "id")
        for start in range(many, size, many):
            last = min(many, size - start)
            db.execute(f"INSERT INTO reminders (id, {others}) SELECT id + ?, {others} FROM reminders WHERE id <= ?",
                       (start, last))
            db.execute("INSERT INTO remindersTags (reminderID, tagID) "
                       "SELECT reminderID + ?, tagID FROM remindersTags WHERE reminderID <= ? ORDER BY reminderID",
                       (start, last))
        for _, _, sql in sorted(apart):
            db.execute(sql)
        # Last, and over the index of tags.
        db.execute("""
            INSERT INTO reminderTexts (rowid, title, notes, tags) SELECT id, title, notes, coalesce((
            SELECT group_concat(tagID, ' ') FROM remindersTags WHERE reminderID = reminders.id), '')
            FROM reminders WHERE id > ? ORDER BY id""", (many,))
        db.execute("PRAGMA journal_mode = WAL")


def put_in_one_list(file, count):
    """Moves the first `count` reminders into a list of their own; gives its id."""
    with sqlite3.connect(file) as db:
        made = db.execute("INSERT INTO remindersLists (title) VALUES ('Large')").lastrowid
        db.execute("UPDATE reminders SET remindersListID = ? WHERE id <= ?", (made, count))
    return made
