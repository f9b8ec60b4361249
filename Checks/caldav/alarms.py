"""Random alarms, acknowledgements and moves, compared with python-icalendar (RFC 9074)."""

import datetime
import json
import pathlib
import random
import subprocess

from lib.tools import installed
from lib.waiting import check

ZONES = ["Europe/Vienna", "America/New_York", "Asia/Kathmandu"]
LEADS = ["PT0S", "-PT5M", "-PT1H30M", "-P1D", "-P1W", "PT15M"]


def compare(place, folder, count, seed):
    """Stores to-dos of calendar programs, changes them over JSON, and asks both when they ring."""
    program = installed("icalendar", also=["recurring-ical-events"])
    if program is None:
        return
    make, caller = random.Random(seed), place.caller()
    name = caller.json("POST", "/v1/lists", {"title": "Alarms"})["id"]
    for number in range(count):
        path = f"/dav/lists/{name}/{number}.ics"
        answer = caller.ask("PUT", path, written(make, number), Content_Type="text/calendar")
        check(answer.status == 201, f"PUT of {number}: {answer.status} {answer.text[:300]}")
    both(program.parent / "python", caller, name, count, "as written")
    for item in caller.reminders(name).values():
        change(make, caller, item)
    both(program.parent / "python", caller, name, count, "after changes over JSON")


def written(make, number):
    """A to-do as a calendar program writes it."""
    zone = make.choice(ZONES)
    start = datetime.datetime(2031, make.randint(1, 12), make.randint(1, 28), make.randint(0, 23))
    due = start + datetime.timedelta(hours=make.choice([0, 3, 48]))
    lines = [f"UID:alarm-{number}", "DTSTAMP:20260101T000000Z", f"SUMMARY:{number}",
             f"DTSTART;TZID={zone}:{start:%Y%m%dT%H%M%S}", f"DUE;TZID={zone}:{due:%Y%m%dT%H%M%S}"]
    if make.random() < .3:
        lines.append("RRULE:FREQ=" + make.choice(["DAILY", "WEEKLY", "MONTHLY;INTERVAL=2"]))
    is_mozilla = make.random() < .3
    if is_mozilla:
        lines.append(f"X-MOZ-LASTACK:{near(make, start)}")
    for place in range(1 if is_mozilla else make.randint(1, 3)):
        lines += alarm(make, f"alarm-{number}-{place}", start, due, not is_mozilla)
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VTODO",
                        *lines, "END:VTODO", "END:VCALENDAR", ""])


def alarm(make, uid, start, due, may_be_acknowledged):
    lines = ["BEGIN:VALARM", f"UID:{uid}", "ACTION:" + make.choice(["DISPLAY", "AUDIO"])]
    if make.random() < .3:
        lines.append(f"TRIGGER;VALUE=DATE-TIME:{near(make, due)}")
    else:
        related = make.choice(["", ";RELATED=START", ";RELATED=END"])
        lines.append(f"TRIGGER{related}:{make.choice(LEADS)}")
    if make.random() < .3:
        lines += [f"REPEAT:{make.randint(1, 4)}", f"DURATION:PT{make.choice([5, 60])}M"]
    if may_be_acknowledged and make.random() < .5:
        lines.append(f"ACKNOWLEDGED:{near(make, start)}")
    return [*lines, "END:VALARM"]


def near(make, time):
    """A time in UTC, some days around another one."""
    minutes = datetime.timedelta(minutes=5 * make.randint(-600, 600))
    return f"{time + minutes:%Y%m%dT%H%M%S}Z"


def change(make, caller, item):
    """Moves or renames a reminder, or acknowledges an alarm."""
    path = f"/v1/reminders/{item['id']}"
    kind = make.choice(["move", "stop", "title"])
    alarms = caller.json("GET", f"/v1/alarms?reminderID={item['id']}&limit=50")["items"]
    if kind == "move":
        day = f"2032-0{make.randint(1, 9)}-11"
        caller.json("PATCH", path, {"dueDate": f"{day}T09:30:00Z", "startDate": f"{day}T08:00:00Z"})
    elif kind == "title":
        caller.json("PATCH", path, {"title": "Changed"})
    elif alarms:
        caller.json("PATCH", f"/v1/alarms/{make.choice(alarms)['id']}", {"state": "acknowledged"})


def both(python, caller, name, count, when):
    paths = [f"/dav/lists/{name}/{number}.ics" for number in range(count)]
    texts = [caller.ask("GET", path).text for path in paths]
    script = pathlib.Path(__file__).with_name("alarm_oracle.py")
    answer = subprocess.run([python, script], input=json.dumps(texts), text=True,
                            stdout=subprocess.PIPE, check=True)
    items = caller.reminders(name)
    for number, (text, wanted) in enumerate(zip(texts, json.loads(answer.stdout))):
        item = items[f"alarm-{number}"]
        said = caller.json("GET", f"/v1/alarms?reminderID={item['id']}&limit=50")["items"]
        times = sorted({each["fireAt"].replace(".000Z", "Z") for each in said if each["fireAt"]})
        check(times == wanted, f"{when}: rings at {times}, and should at {wanted}\n{text}\n{said}")
    print(f"  {count} to-dos {when}")
