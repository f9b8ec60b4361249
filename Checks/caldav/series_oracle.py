"""The occurrences of to-dos, by python-icalendar and recurring-ical-events.

Reads texts with spans of time from standard input, as JSON, and writes for each text its
occurrences: the open ones, and the closed ones. Runs in the environment of the libraries.
"""

import datetime
import json
import sys
from zoneinfo import ZoneInfo

import recurring_ical_events
from icalendar import Calendar, vDDDTypes

HIDDEN = "X-MARTLET-START"
CURRENT = "X-KDE-LIBKCAL-DTRECURRENCE"


def said(date, house):
    if not isinstance(date, datetime.datetime):
        return date.isoformat()
    if date.tzinfo is None:
        date = date.replace(tzinfo=house)
    return f"{date.astimezone(datetime.UTC):%Y-%m-%dT%H:%M:%SZ}"


def occurrences(case):
    house = ZoneInfo(case["house"])
    calendar = Calendar.from_ical(case["text"])
    first, last = (datetime.datetime.fromisoformat(case[name]).replace(tzinfo=datetime.UTC)
                   for name in ("first", "last"))
    query = recurring_ical_events.of(calendar, components=["VTODO"], skip_bad_series=False)
    found = []
    for item in query.between(first, last):
        start, due = item["DTSTART"].dt, item["DUE"].dt
        # docs/caldav.md, What becomes of a to-do: if no rule gives the starts.
        if HIDDEN in item:
            start = due + vDDDTypes.from_ical(item[HIDDEN])
        found.append({
            "id": said(item["RECURRENCE-ID"].dt, house) if "RECURRENCE-ID" in item else None,
            "start": said(start, house), "due": said(due, house), "title": str(item["SUMMARY"]),
            "isClosed": str(item.get("STATUS", "")) in ("COMPLETED", "CANCELLED")})
    # KDE writes the current occurrence, and leaves the dates (docs/caldav.md, KDE).
    for todo in calendar.walk("VTODO"):
        if CURRENT in todo and "RRULE" in todo:
            date = todo[CURRENT]
            current = said(vDDDTypes.from_ical(date, date.params.get("TZID")), house)
            for item in found:
                item["isClosed"] |= item["start"] < current
    return sorted(found, key=lambda item: (item["due"], item["start"], item["title"]))


json.dump([occurrences(case) for case in json.load(sys.stdin)], sys.stdout)
