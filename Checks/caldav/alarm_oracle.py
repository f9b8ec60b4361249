"""When the alarms of to-dos ring next, by python-icalendar: texts on standard input, as JSON.

The times on standard output are in UTC, one array for each text. Runs in the environment of the
library, which Checks/caldav/alarms.py installs.
"""

import datetime
import json
import sys

from icalendar import Alarms, Calendar


def moments(text):
    todo = Calendar.from_ical(text).walk("VTODO")[0]
    first = {}
    # An acknowledgement of the first moment also ends the repetition, which asks for one.
    for each in Alarms(todo).times:
        if "RELATED-TO" not in each.alarm:
            first.setdefault(id(each.alarm), each)
    return sorted({f"{each.trigger.astimezone(datetime.UTC):%Y-%m-%dT%H:%M:%SZ}"
                   for each in first.values() if each.is_active()})


json.dump([moments(text) for text in json.load(sys.stdin)], sys.stdout)
