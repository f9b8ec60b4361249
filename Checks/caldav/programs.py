"""Drives vdirsyncer, todoman and cadaver."""

import json
import os
import pathlib
import shutil
import subprocess

import icalendar

from lib.waiting import check

# The longest that one run of a program may take, in seconds.
PATIENCE = 120
TODOMAN = shutil.which("todoman") or "todo"


def run(command, environment=None, said="", patience=PATIENCE):
    """Runs a program. Returns its exit code and all that it has printed."""
    done = subprocess.run(
        [str(word) for word in command], env=os.environ | (environment or {}), input=said,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=patience, check=False)
    return done.returncode, done.stdout


class Vdirsyncer:
    """One computer: a folder for each list, kept the same as a server."""

    def __init__(self, folder, url, key, collections=("from a", "from b"), resolution=None,
                 more=""):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.lists = self.folder / "lists"
        self.lists.mkdir()
        self.url, self.key, self.more = url, key, more
        self.collections = json.dumps(list(collections))
        self.configure(resolution)

    def configure(self, resolution):
        """Sets what wins a conflict: "a wins" is this computer, "b wins" the server."""
        (self.folder / "config").write_text(f"""\
[general]
status_path = "{self.folder}/status/"

[pair todos]
a = "here"
b = "there"
collections = {self.collections}
conflict_resolution = {json.dumps(resolution)}
metadata = ["displayname", "color"]

[storage here]
type = "filesystem"
path = "{self.lists}"
fileext = ".ics"

[storage there]
type = "caldav"
item_types = ["VTODO"]
url = "{self.url}"
username = "anyone"
password = "{self.key}"
{self.more}
""")

    def run(self, *words, said="y\n" * 20):
        environment = {"VDIRSYNCER_CONFIG": str(self.folder / "config")}
        return run(["vdirsyncer", *words], environment, said)

    def discover(self):
        code, text = self.run("discover")
        check(code == 0, f"vdirsyncer discover: {text[-1500:]}")
        return text

    def sync(self, *words):
        code, text = self.run("sync", *words)
        check(code == 0, f"vdirsyncer sync: {text[-1500:]}")
        return text

    def files(self, name):
        return sorted((self.lists / name).glob("*.ics"))

    def items(self, name):
        """The path of each item, by UID."""
        found = {}
        for path in self.files(name):
            uid = str(todo(path.read_text())["UID"])
            check(uid not in found, f"{uid} is in {path.name} and {found.get(uid)}")
            found[uid] = path
        return found


class Todoman:
    def __init__(self, folder, lists):
        self.config = pathlib.Path(folder) / "todoman.py"
        self.config.write_text(
            f'path = "{lists}/*"\ncache_path = "{folder}/todoman.sqlite3"\n'
            'date_format = "%Y-%m-%d"\ntime_format = "%H:%M"\ndefault_due = 0\n')

    def run(self, *words):
        code, text = run([TODOMAN, "--config", self.config, *words])
        check(code == 0, f"todoman {' '.join(map(str, words))}: {text[-1500:]}")
        return text

    def list(self, *words):
        """What it lists, as JSON."""
        text = self.run("--porcelain", "list", *words)
        try:
            return json.loads(text[text.index("[\n"):])
        except ValueError:
            check(False, f"todoman lists {text[:1500]}")


class Cadaver:
    """Runs scripts of cadaver, which reads the password from a file."""

    def __init__(self, folder, url, key):
        self.folder, self.url = pathlib.Path(folder), url
        self.folder.mkdir()
        (self.folder / ".netrc").write_text(f"machine 127.0.0.1\nlogin anyone\npassword {key}\n")
        (self.folder / ".netrc").chmod(0o600)

    def run(self, path, *lines):
        script = "".join(f"{line}\n" for line in [*lines, "quit"])
        code, text = run(["cadaver", self.url + path], {"HOME": str(self.folder)}, script)
        check(code == 0, f"cadaver: {text[-1500:]}")
        return text


def todo(text):
    """The VTODO of a text."""
    found = icalendar.Calendar.from_ical(text).walk("VTODO")
    check(len(found) == 1, f"{len(found)} to-dos in {text[:500]}")
    return found[0]


def written(uid, title, *lines):
    """A text as a program writes it."""
    all_lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//check-caldav//EN", "BEGIN:VTODO",
                 f"UID:{uid}", "DTSTAMP:20261127T080000Z", f"SUMMARY:{title}", *lines,
                 "END:VTODO", "END:VCALENDAR", ""]
    return "\r\n".join(all_lines)
