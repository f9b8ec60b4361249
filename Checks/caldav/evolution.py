"""Evolution's libraries, if evolution-data-server, gir1.2-ecal-2.0 and dbus-daemon are installed."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading

from lib.waiting import Failure, check
from place import Listener, Place

CLIENT = pathlib.Path(__file__).parent / "evolution_client.py"
SOURCE = """[Data Source]
DisplayName=A list
Enabled=true
Parent=

[Task List]
BackendName=caldav
Selected=true

[Authentication]
Host=127.0.0.1
Method=none
Port={port}
RememberPassword=false

[Security]
Method=none

[WebDAV Backend]
AvoidIfmatch=false
ResourcePath=/dav/lists/{list}/
"""


def is_installed():
    return bool(shutil.which("dbus-run-session")) and pathlib.Path(
        "/usr/libexec/evolution-calendar-factory").exists()


# The longest that all of it may take, in seconds.
PATIENCE = 40


def evolution(place, folder):
    """Finds lists, and reads and changes one; the JSON API hears of it, and is heard."""
    if not is_installed():
        print("  left out: evolution-data-server, gir1.2-ecal-2.0 or dbus-daemon is missing")
        return
    # It asks for passwords in a window. Finding lists takes them from a program.
    alone = Place(place.server.program, folder, has_keys=False)
    try:
        drive(place, alone, folder)
    finally:
        alone.end()


def drive(place, alone, folder):
    caller, listener = alone.caller(), Listener(alone)
    number = caller.json("POST", "/v1/lists", {"title": "Evolution"})["id"]
    ids = {title: caller.json("POST", "/v1/reminders", {"listID": number, "title": title})["id"]
           for title in ["To edit", "To remove", "To change", "To delete"]}
    sources = folder / ".config" / "evolution" / "sources"
    sources.mkdir(parents=True)
    (sources / "a-list.source").write_text(SOURCE.format(port=alone.server.port, list=number))
    environment = os.environ | {
        "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "GSETTINGS_BACKEND": "memory"}
    environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
    process = subprocess.Popen(
        ["dbus-run-session", "--", "/usr/bin/python3", CLIENT, place.url, place.key],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True)
    try:
        look(process, caller, listener, number, ids)
    finally:
        end(process)
        process.wait(20)


def end(process):
    """Ends the bus and all that it has started."""
    os.killpg(process.pid, signal.SIGTERM)


def look(process, caller, listener, number, ids):
    def heard():
        line = process.stdout.readline()
        if not line:
            raise Failure(f"Evolution: {process.stderr.read()[-1500:]}")
        return json.loads(line)

    # It waits for its bus without an end.
    watch = threading.Timer(PATIENCE, end, [process])
    watch.start()

    def go_on():
        process.stdin.write("\n")
        process.stdin.flush()

    names = heard()
    check({"Home", "Work"} <= set(names), f"it finds {names}")
    go_on()
    is_read_only, count = heard()
    check(not is_read_only and count == 4, f"it reads {count}, read-only {is_read_only}")
    go_on()
    check(heard() == "changed", "it changes nothing")
    listener.wait("By Evolution", "Edited")
    listener.wait_removed(ids["To remove"])
    made = caller.reminders(number)["by-evolution"]
    check((made["dueDate"], made["priority"], set(made["tags"]))
          == ("2027-03-01", "high", {"garden", "paint"}), f"it has made {made}")
    caller.json("PATCH", f"/v1/reminders/{ids['To change']}", {"title": "Changed elsewhere"})
    caller.json("DELETE", f"/v1/reminders/{ids['To delete']}")
    go_on()
    titles = heard()
    watch.cancel()
    check(titles == ["By Evolution", "Changed elsewhere", "Edited"], f"it has {titles}")
