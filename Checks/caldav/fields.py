"""What a to-do says, from JSON and from iCalendar, in one form that can be compared."""

import datetime

from lib.waiting import check
from programs import todo

UTC = datetime.timezone.utc


def of_reminder(item):
    """Of a reminder of the JSON API."""
    due = item.get("dueDate")
    if due and "T" in due:
        due = moment(datetime.datetime.fromisoformat(due))
    return {
        "title": item["title"], "due": due, "isCompleted": item["status"] == "completed",
        "priority": item.get("priority"), "tags": frozenset(item["tags"]),
        "notes": item.get("notes") or ""}


def of_text(text):
    """Of a text with one VTODO."""
    found = todo(text)
    due = found.get("DUE")
    if due is not None:
        due = due.dt
        due = moment(due) if isinstance(due, datetime.datetime) else due.isoformat()
    return {
        "title": str(found.get("SUMMARY", "")), "due": due,
        "isCompleted": str(found.get("STATUS", "")) in ("COMPLETED", "CANCELLED"),
        "priority": level(int(found.get("PRIORITY", 0))), "tags": frozenset(categories(found)),
        "notes": str(found.get("DESCRIPTION", ""))}


def moment(time):
    """In UTC, which is also the zone of the server for times without one."""
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return time.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def level(number):
    """RFC 5545 section 3.8.1.9."""
    return None if number == 0 else "high" if number < 5 else "medium" if number == 5 else "low"


def categories(found):
    lines = found.get("CATEGORIES", [])
    for line in lines if isinstance(lines, list) else [lines]:
        yield from (str(each) for each in line.cats)


def check_same(reminders, texts, what):
    """Checks that reminders and texts, both by UID, are the same to-dos."""
    alone = set(reminders) ^ set(texts)
    check(not alone, f"{what}: on one side only: {sorted(alone)[:5]}")
    for uid, item in reminders.items():
        here, there = of_reminder(item), of_text(texts[uid])
        differing = {name: (here[name], there[name]) for name in here if here[name] != there[name]}
        check(not differing, f"{what}: {uid} differs: {differing}\n{texts[uid]}")
