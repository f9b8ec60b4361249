"""Commands that create or change a database file, to be killed while they run."""

import pathlib
import shutil
import sqlite3
from contextlib import closing

from lib.waiting import check
from service import contents
from session import check_same, transfer

RELEASED = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Released" / "0.1.0.db"


class Command:
    """A command line. `prepare` creates its initial files; `target` is the file that it changes."""

    def __init__(self, name, arguments, prepare, target="martlet.db"):
        self.name, self.arguments, self.prepare, self.target = name, arguments, prepare, target

    def begin(self, program):
        self.program = program
        shutil.rmtree(program.folder)
        program.folder.mkdir()
        self.prepare(program)

    def run(self, **disk):
        operands = [program_path.format(folder=self.program.folder) for program_path in self.arguments]
        return self.program.run(*operands, "--database", self.program.database, **disk)

    def learn(self, **disk):
        self.before = contents(self.program.folder, self.target)
        code, said = self.run(**disk)
        check(code == 0, said)
        self.after = contents(self.program.folder, self.target)
        check(self.before != self.after, "the command changed nothing")

    def live_through(self, **disk):
        """Kills the command, then runs it again. Returns whether the first run was killed."""
        code, said = self.run(**disk)
        check(code in (0, -9), f"exit code {code}: {said}")
        left = contents(self.program.folder, self.target)
        self.compare(left)
        if left != self.after:
            code, said = self.run()
            check(code == 0, f"the second run failed: {said}")
            check_same(contents(self.program.folder, self.target), self.after, "after the second run")
        return code != 0 or left != self.after

    def compare(self, left):
        """Checks that the interrupted command took effect completely or not at all."""
        if left != self.before:
            check_same(left, self.after, "after the interruption")


def add(program, *titles):
    lines = ["list,title", *(f"Home,{title}" for title in titles)]
    file = program.folder / "new.csv"
    file.write_text("\n".join(lines))
    code, said = program.run("import", file, "--format", "csv", "--database", program.database)
    check(code == 0, said)
    file.unlink()


def empty(program):
    code, said = program.run("migrate", "--database", program.database)
    check(code == 0, said)


def filled(program):
    add(program, *(f"Reminder {n}" for n in range(200)))


def of_the_first_version(program):
    """A file that version 0.1.0 has made, with some more reminders."""
    shutil.copy(RELEASED, program.database)
    with closing(sqlite3.connect(program.database)) as db:
        for number in range(200):
            db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, ?)", (f"Reminder {number}",))
        db.commit()


def with_a_backup(program):
    filled(program)
    code, said = program.run("backup", program.folder / "copy.db", "--database", program.database)
    check(code == 0, said)
    add(program, "Written after the backup")


def with_a_file(program):
    empty(program)
    (program.folder / "all.ndjson").write_bytes(transfer(3, 120))


def all_commands():
    return [
        Command("migrate", ["migrate"], of_the_first_version),
        Command("backup", ["backup", "{folder}/copy.db"], filled, "copy.db"),
        Command("backup over another", ["backup", "{folder}/copy.db"], with_a_backup, "copy.db"),
        Command("restore", ["restore", "{folder}/copy.db", "--force"], with_a_backup),
        Command("import", ["import", "{folder}/all.ndjson"], with_a_file),
        Command("key create", ["key", "create", "--name", "me", "--scope", "read"], filled),
    ]
