"""Databases with many reminders, created once and stored under `.build/scale`."""

import pathlib
import shutil
import sqlite3
import subprocess

BUILD = pathlib.Path(__file__).resolve().parent.parent / ".build" / "scale"
# Up to this size, reminders are created by `martlet seed`, with all triggers: about 6,000 a second.
# Larger databases copy those rows.
MOST_MADE = 1_000_000

# The tables with rows of a reminder: which rows, in what order, and the columns that differ in a
# copy. The database numbers a column with `None`.
COPIED = {
    "reminders": ("id <= :last", "id", {
        "id": "id + :start", "parentID": "parentID + :start", "uid": "uid || '-' || :start", "version": "version + :lines"}),
    "remindersTags": ("reminderID <= :last", "reminderID", {"id": None, "reminderID": "reminderID + :start"}),
    "completions": ("reminderID <= :last", "id", {"id": None, "reminderID": "reminderID + :start"}),
    "changes": ("kind = 2 AND itemID <= :last", "version", {"version": "version + :lines", "itemID": "itemID + :start"}),
}


def list_count(size):
    return min(max(size // 1_000, 1), 1_000)


def database(program, size):
    """The file with `size` reminders, in lists of a thousand; at most a thousand lists."""
    file = BUILD / f"{size}.db"
    if file.exists():
        # A version before this one may have made it.
        subprocess.run([program, "migrate", "--database", file], check=True, stdout=subprocess.DEVNULL)
        return file
    making = BUILD / "making.db"
    making.unlink(missing_ok=True)
    print(f"creating {file.name}", flush=True)
    if size <= MOST_MADE:
        subprocess.run([program, "seed", "--reminders", str(size), "--lists", str(list_count(size)), "--database", making],
                       check=True, stdout=subprocess.DEVNULL)
    else:
        shutil.copy(database(program, MOST_MADE), making)
        multiply(making, size)
    making.rename(file)
    return file


def multiply(file, size):
    """Appends copies of the reminders and all that belongs to them, without running the triggers."""
    with sqlite3.connect(file, isolation_level=None) as db:
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -1000000")
        tables = ", ".join(f"'{table}'" for table in COPIED)
        apart = db.execute(f"""
            SELECT type, name, sql FROM sqlite_master WHERE type = 'trigger'
            OR type = 'index' AND sql IS NOT NULL AND tbl_name IN ({tables})""").fetchall()
        for kind, name, _ in apart:
            db.execute(f'DROP {kind} "{name}"')
        many = db.execute("SELECT max(id) FROM reminders").fetchone()[0]
        lines = db.execute("SELECT max(version) FROM changes").fetchone()[0]
        for start in range(many, size, many):
            numbers = {"start": start, "last": min(many, size - start), "lines": lines * (start // many)}
            for table, (rows, order, changed) in COPIED.items():
                names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
                names = [name for name in names if changed.get(name, name)]
                values = ", ".join(changed.get(name, name) for name in names)
                db.execute(f"INSERT INTO {table} ({', '.join(names)}) "
                           f"SELECT {values} FROM {table} WHERE {rows} ORDER BY {order}", numbers)
        for _, _, sql in sorted(apart):
            db.execute(sql)
        # Last, because it reads the tags by their index.
        db.execute("""
            INSERT INTO reminderTexts (rowid, title, notes, tags) SELECT id, title, notes, coalesce((
            SELECT group_concat(tagID, ' ') FROM remindersTags WHERE reminderID = reminders.id), '')
            FROM reminders WHERE id > ? ORDER BY id""", (many,))
        db.execute("PRAGMA journal_mode = WAL")


def put_in_one_list(file, count):
    """Moves the first `count` reminders into a new list. Returns its ID."""
    with sqlite3.connect(file) as db:
        made = db.execute("INSERT INTO remindersLists (title) VALUES ('Large')").lastrowid
        db.execute("UPDATE reminders SET remindersListID = ? WHERE id <= ?", (made, count))
    return made
