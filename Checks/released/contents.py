"""Fills a database through its server as users do, for Checks/release-fixture.

It is read again by later versions, in any year. So dates are long ago or far ahead, and what the
server would give up or change by itself is moved to the year 2099.
"""

import datetime
import http.server
import threading

from lib.waiting import check, wait
from lib.web import Caller

LONG_AGO, FAR_AHEAD = "2001-06-01", "2099-06-01"
# Tables that a database of a user may have empty, and why.
MAY_BE_EMPTY = {
    "repairs": "it has values that an old version stored and that are not valid any more",
}

TASK = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//example//tasks//EN\r
BEGIN:VTODO\r
UID:{uid}@example.org\r
DTSTAMP:20260901T080000Z\r
SUMMARY:{title}\r
DUE;VALUE=DATE:20990601\r
{more}END:VTODO\r
END:VCALENDAR\r
"""
WEEKLY = """RRULE:FREQ=WEEKLY\r
X-APPLE-SORT-ORDER:7\r
CATEGORIES:garden\r
BEGIN:VALARM\r
ACTION:DISPLAY\r
DESCRIPTION:Water\r
TRIGGER:-PT15M\r
END:VALARM\r
"""
COLLECTION = """<?xml version="1.0"?>
<D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:X="http://example.org/ns/">
<D:set><D:prop><D:resourcetype><D:collection/><C:calendar/></D:resourcetype>
<D:displayname>From a program</D:displayname><X:note>kept</X:note></D:prop></D:set></D:mkcol>
"""


# The keys of a browser: the base point of P-256, and a secret.
DEVICE = {"p256dh": "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
          "auth": "AAAAAAAAAAAAAAAAAAAAAA"}


class Receiver:
    """Receives what channels send: /gone wants no more of it, and other paths confirm it."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(410 if self.path == "/gone" else 204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def task(uid, title, more=""):
    return TASK.format(uid=uid, title=title, more=more)


def fill(server):
    """Returns the keys by name, and what calendar programs can GET."""
    caller = Caller(server.port, None)
    lists_and_reminders(caller)
    smart_lists(caller)
    alarms(caller)
    keys = make_keys(server)
    caller = Caller(server.port, keys["admin"])
    objects = calendars(caller)
    caller.json("POST", "/v1/live/sessions", {})
    channels(caller, server)
    wait("no status changes any more", lambda: not caller.json(
        "GET", "/v1/reminders?status=completing")["items"])
    # Stopped, so that nothing is on its way to a receiver.
    server.end()
    last_for_ever(server)
    server.start()
    wait("all alarms are armed", lambda: not server.sql("SELECT 1 FROM alarms WHERE isStale = 1"))
    return keys, objects


def lists_and_reminders(caller):
    def reminder(list_id, title, **members):
        # A subtask is in the list of its parent.
        place = {"listID": list_id} if list_id else {}
        return caller.json("POST", "/v1/reminders", {"title": title, **place, **members})["id"]

    home, errands, given_up = (
        caller.json("POST", "/v1/lists", {"title": title, "color": color})["id"]
        for title, color in [("Home", "#4a99ef"), ("Errands", "#ef7e4a"), ("Given up", "#b25dd3")])
    reminder(home, "Winter tyres", notes="The car is due", dueDate=LONG_AGO, priority="high",
             isFlagged=True, tags=["car", "errand"])
    reminder(errands, "Späti", dueDate="2001-11-20T16:36:00.5+01:00", status="completed")
    reminder(errands, "日本語 👩‍👩‍👧", priority="low", tags=["café"])
    reminder(errands, "Renew the passport", startDate=FAR_AHEAD, dueDate="2099-06-08")
    reminder(errands, "Call the plumber", startDate=LONG_AGO, priority="medium", alarms=[])
    bins = reminder(home, "Bins", dueDate=FAR_AHEAD, recurrence={"rule": "FREQ=WEEKLY"})
    caller.json("PATCH", f"/v1/reminders/{bins}", {"status": "completed"})
    caller.json("POST", f"/v1/reminders/{bins}/skip")
    reminder(home, "Pills", dueDate="2099-06-01T08:00:00Z", timeZone="Europe/Vienna",
             recurrence={"rule": "FREQ=DAILY;COUNT=20", "excluded": ["2099-06-03T08:00:00Z"]})
    trip = reminder(home, "Trip", tags=["travel"])
    packing = reminder(None, "Packing", parentID=trip)
    reminder(None, "Socks", parentID=packing)
    done = reminder(None, "Tickets", parentID=trip)
    caller.json("PATCH", f"/v1/reminders/{done}", {"status": "completed"})
    reminder(given_up, "with its list", tags=["car"])
    caller.json("DELETE", f"/v1/lists/{given_up}")
    caller.json("DELETE", f"/v1/reminders/{reminder(home, 'Thrown away', tags=['errand'])}")
    caller.json("PUT", "/v1/lists/order", {"ids": [errands, 1, home]})
    # Imported: the lines that the server does not understand are kept.
    answer = caller.ask("POST", "/v1/import?format=ics", task("water", "Water the plants", WEEKLY))
    check(answer.status < 300, f"the import: {answer.text}")
    answer = caller.ask("POST", "/v1/tags", '{"title": "kept"}', Idempotency_Key="one")
    check(answer.status == 201, f"a tag: {answer.text}")
    caller.json("PATCH", "/v1/tags/errand", {"title": "Errands"})


def smart_lists(caller):
    for title, body in [
            ("Flagged", {"filter": {"flagged": True}, "icon": "🚩"}),
            ("Overdue", {"filter": {"due": "overdue", "timeZone": "Europe/Vienna"}, "sort": "dueDate"}),
            ("Errands and home", {"filter": {"listID": [2, 3], "tag": ["car", "café"]}}),
            ("Tyres", {"filter": {"q": "tyres"}, "color": "#ef7e4a"})]:
        caller.json("POST", "/v1/smart-lists", {"title": title, **body})


def alarms(caller):
    """Alarms that wait, ring, are acknowledged and are snoozed."""
    def add(reminder, **members):
        return caller.json("POST", f"/v1/reminders/{reminder}/alarms", members)["id"]

    add(1, at="2099-01-01T08:00:00Z", repeat={"every": "PT5M", "times": 3})
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    _, acknowledged, snoozed = ringing = [add(each, at=now) for each in (1, 3, 5)]
    wait("the alarms ring", lambda: {
        each["id"] for each in caller.json("GET", "/v1/alarms?state=ringing")["items"]} == set(ringing))
    caller.json("PATCH", f"/v1/alarms/{acknowledged}", {"state": "acknowledged"})
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=360)
    caller.json("PATCH", f"/v1/alarms/{snoozed}",
                {"snoozedUntil": later.strftime("%Y-%m-%dT%H:%M:%SZ")})


def make_keys(server):
    admin = server.make_key("--scope", "admin")
    caller = Caller(server.port, admin)
    # Before the first key is known, requests with any are accepted.
    wait("the key is valid", lambda: caller.ask("GET", "/v1/whoami").status == 200
         and caller.json("GET", "/v1/whoami")["keyID"])

    def key(name, **members):
        return caller.json("POST", "/v1/keys", {"name": name, **members})

    keys = {
        "admin": admin,
        "limited": key("limited", scope="read", lists=[2])["key"],
        "expires": key("expires", scope="write", expiresAt="2099-12-31T00:00:00Z")["key"],
    }
    caller.json("DELETE", f"/v1/keys/{key('revoked', scope='write')['id']}")
    code = caller.json("POST", "/v1/pairing-codes", {"scope": "read"})["code"]
    keys["paired"] = caller.json("POST", "/v1/pairings", {"code": code, "name": "phone"})["key"]
    # One that waits to be traded.
    caller.json("POST", "/v1/pairing-codes", {})
    return keys


def calendars(caller):
    """A collection with properties, and objects that are kept as they were put."""
    made = caller.ask("MKCOL", "/dav/lists/program/", COLLECTION, Content_Type="application/xml")
    check(made.status == 201, f"MKCOL: {made.status} {made.text}")
    paths = ["/dav/lists/program/first.ics", "/dav/lists/program/second.ics"]
    for path, text in zip(paths, [
            task("first", "Raw", "X-UNKNOWN;X-A=b:kept as it is\r\nURL:https://example.org/\r\n"),
            task("second", "Below", "RELATED-TO:first@example.org\r\n" + WEEKLY)]):
        answer = caller.ask("PUT", path, text, Content_Type="text/calendar")
        check(answer.status == 201, f"PUT {path}: {answer.status} {answer.text}")
    # The lines that are not understood outlive a change of the reminder.
    found = caller.json("GET", "/v1/reminders?q=Below")["items"][0]["id"]
    caller.json("PATCH", f"/v1/reminders/{found}", {"title": "Below the first"})
    return ["/dav/lists/1/", "/dav/lists/program/", *paths]


def channels(caller, server):
    """Deliveries that have arrived, that were given up and that wait."""
    receiver = Receiver()
    with_body = {"method": "POST", "headers": {"X-Key": "k"}, "body": '{"text": "{{title}}"}'}

    def channel(kind, name, path, **members):
        return caller.json("POST", "/v1/channels", {
            "kind": kind, "name": name, "url": receiver.url + path, **members})["id"]

    def state(channel):
        return caller.json("GET", f"/v1/deliveries?channelID={channel}")["items"][0]["state"]

    arrives = channel("webhook", "Home", "/hook", events=["*"])
    gone = channel("template", "Gone", "/gone", settings=with_body)
    for each in (arrives, gone):
        caller.json("POST", f"/v1/channels/{each}/test")
    wait("a delivery arrives", lambda: state(arrives) == "delivered")
    wait("a channel is disabled", lambda: not caller.json("GET", f"/v1/channels/{gone}")["isEnabled"])
    # What waits for it is given up four days later.
    server.sql(f"UPDATE deliveries SET expiresAt = '2001-01-01 00:00:00.000' WHERE channelID = {gone}")
    wait("a delivery is given up", lambda: state(gone) == "dead")
    # A device whose subscription has ended.
    caller.json("POST", "/v1/push/key", {})
    device = caller.ask("PUT", "/v1/push/subscriptions", {
        "endpoint": f"{receiver.url}/gone", "keys": DEVICE, "name": "Old phone"},
        Origin=f"https://127.0.0.1:{server.port}").json()["id"]
    caller.json("POST", f"/v1/push/subscriptions/{device}/test")
    wait("a subscription is lost", lambda: caller.json(
        "GET", f"/v1/push/subscriptions/{device}")["lostAt"])
    # From here on nothing listens on its port.
    receiver.close()
    phone = channel("ntfy", "Phone", "/", settings={"topic": "home", "token": "tk_1"}, lists=[1, 2])
    caller.json("POST", f"/v1/channels/{phone}/test")
    wait("a delivery fails", lambda: any(
        each["attempts"] and each["lastError"]
        for each in caller.json("GET", "/v1/deliveries?state=waiting")["items"]))
    # Later versions must not send anything when they are tested.
    for each in (arrives, gone, phone):
        caller.json("PATCH", f"/v1/channels/{each}", {"isEnabled": False})


def last_for_ever(server):
    """Moves what would end with time."""
    server.sql("UPDATE deliveries SET createdAt = '2099' || substr(createdAt, 5), "
               "expiresAt = '2099' || substr(expiresAt, 5), nextAt = '2099' || substr(nextAt, 5)")
    server.sql("UPDATE alarms SET snoozedUntil = '2099' || substr(snoozedUntil, 5) "
               "WHERE snoozedUntil IS NOT NULL AND state = 2")
    server.sql("UPDATE firings SET firedAt = '2099' || substr(firedAt, 5)")


def empty_tables(server):
    """The tables without rows that should have some."""
    names = [name for name, in server.sql(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")]
    return [name for name in names if name not in MAY_BE_EMPTY
            and not server.sql(f'SELECT EXISTS (SELECT 1 FROM "{name}")')[0][0]]
