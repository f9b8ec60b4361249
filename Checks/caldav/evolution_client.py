"""The libraries of Evolution, which GNOME's programs use, on a list: `evolution.py` starts this.

Each line of its output is JSON. It goes on when a line comes in, and ends with its input.
"""

import json
import sys
import time

import gi

gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
gi.require_version("ICalGLib", "3.0")
from gi.repository import ECal, EDataServer, ICalGLib  # noqa: E402

NONE = ECal.OperationFlags.NONE
MADE = """BEGIN:VTODO
UID:by-evolution
DTSTAMP:20261127T080000Z
SUMMARY:By Evolution
DUE;VALUE=DATE:20270301
PRIORITY:3
CATEGORIES:garden,paint
END:VTODO"""


def say(value):
    print(json.dumps(value), flush=True)
    sys.stdin.readline()


def titles(client):
    """The title and the UID of each to-do."""
    _, found = client.get_object_list_sync("#t", None)
    return {each.get_summary(): each.get_uid() for each in found}


def wait(client, title):
    """What there is, once there is a to-do with a title."""
    end = time.monotonic() + 20
    while title not in (found := titles(client)) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def main(url, key):
    registry = EDataServer.SourceRegistry.new_sync(None)
    source = registry.ref_source("a-list")
    credentials = EDataServer.NamedParameters()
    credentials.set("username", "anyone")
    credentials.set("password", key)
    tasks = EDataServer.WebDAVDiscoverSupports.TASKS
    found = EDataServer.webdav_discover_sources_sync(source, url, tasks, credentials, None)
    say(sorted(each.display_name for each in found[3]))

    client = ECal.Client.connect_sync(source, ECal.ClientSourceType.TASKS, 1, None)
    client.refresh_sync(None)
    before = wait(client, "To edit")
    say([client.is_readonly(), len(before)])

    component = ICalGLib.Component.new_from_string(MADE.replace("\n", "\r\n"))
    client.create_object_sync(component, NONE, None)
    _, edited = client.get_object_sync(before["To edit"], None, None)
    edited.set_summary("Edited")
    client.modify_object_sync(edited, ECal.ObjModType.THIS, NONE, None)
    client.remove_object_sync(before["To remove"], None, ECal.ObjModType.ALL, NONE, None)
    say("changed")

    client.refresh_sync(None)
    say(sorted(wait(client, "Changed elsewhere")))


main(*sys.argv[1:])
