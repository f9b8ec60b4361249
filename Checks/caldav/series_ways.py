"""How programs complete an occurrence, or leave it out: changes of a text, as they write them."""

import datetime
import zoneinfo

from edits import name_of, replaced, unfolded
from series_texts import HOUSE, ZONES

DONE = ["STATUS:COMPLETED", "COMPLETED:20261101T100000Z", "PERCENT-COMPLETE:100"]
STATUS = ("STATUS", "COMPLETED", "PERCENT-COMPLETE")
DATES = ("DTSTART", "DUE", "DURATION")
KDE = "X-KDE-LIBKCAL-DTRECURRENCE"


class Text:
    """A text with one to-do. `pick` chooses what differs between versions of a program."""

    def __init__(self, text, pick):
        self.text, self.pick = text, pick
        lines = unfolded(text.replace("\r\n", "\n").replace("\n", "\r\n"))
        self.lines = lines[lines.index("BEGIN:VTODO") + 1:lines.index("END:VTODO")]
        # Programs may drop properties that they do not know.
        unknown = [line for line in self.lines if line.startswith("X-MARTLET")]
        self.dropped = {name_of(line): [] for line in unknown} if pick.random() < .3 else {}

    def line(self, name):
        return next((line for line in self.lines if name_of(line) == name), None)

    def date(self, name, said, form=None):
        """A line with a date, in the form of the start or the due date."""
        form = form or self.line("DTSTART") or self.line("DUE")
        head, value = form.split(":", 1)
        parameters = head[len(name_of(form)):]
        if len(said) == 10:
            return f"{name}{parameters}:{said.replace('-', '')}"
        time = datetime.datetime.fromisoformat(said)
        if value.endswith("Z"):
            return f"{name}:{time:%Y%m%dT%H%M%SZ}"
        zone = parameters.partition("TZID=")[2] or HOUSE
        shown = time.astimezone(zoneinfo.ZoneInfo(ZONES.get(zone, zone)))
        # At the time of day of the series, which the clocks may skip.
        of_series = shown.replace(hour=int(value[9:11]), minute=int(value[11:13]), fold=0)
        written = of_series if of_series.astimezone(datetime.UTC) == time else shown
        return f"{name}{parameters}:{written:%Y%m%dT%H%M%S}"

    def dates(self, item):
        """The dates of an occurrence, by the properties that this to-do has."""
        lines = {}
        if form := self.line("DTSTART"):
            lines["DTSTART"] = [self.date("DTSTART", item["start"], form)]
        if form := self.line("DUE"):
            lines["DUE"] = [self.date("DUE", item["due"], form)]
        return lines

    def changed(self, lines, *more):
        return replaced(self.text, self.dropped | lines, *more)

    # The ways, for the current occurrence and the one after it, if there is one.

    def status(self, *_):
        """The series is completed, and the server moves it on."""
        return self.changed({"STATUS": DONE, "COMPLETED": [], "PERCENT-COMPLETE": []})

    def move(self, _, following):
        """Tasks.org, Home Assistant, jtx Board: the to-do gets the dates of the next occurrence."""
        if not following:
            return self.status()
        lines = self.dates(following)
        rule = self.line("RRULE")
        count = rule.partition("COUNT=")[2].partition(";")[0]
        if count and self.pick.random() < .5:
            lines["RRULE"] = [rule.replace(f"COUNT={count}", f"COUNT={int(count) - 1}")]
        return self.changed(lines)

    def current(self, _, following):
        """KDE: the next occurrence is in a property of its own."""
        if not following:
            return self.status()
        return self.changed({KDE: [self.date(KDE, following["start"])]})

    def part(self, item, _=None):
        """Thunderbird: the completed occurrence is a to-do of its own."""
        return self.changed({}, *self.part_lines(item))

    def part_lines(self, item):
        left = ("RRULE", "EXDATE", "RDATE", KDE, *STATUS)
        dates = self.dates(item)
        lines = [line for line in self.lines if name_of(line) not in (*left, *dates)
                 and not line.startswith("X-MARTLET")]
        return ["BEGIN:VTODO", *lines, self.date("RECURRENCE-ID", item["start"]),
                *(line for each in dates.values() for line in each), *DONE, "END:VTODO"]

    def leave_out(self, item):
        """The occurrence is deleted."""
        known = [line for line in self.lines if name_of(line) == "EXDATE"]
        return self.changed({"EXDATE": [*known, self.date("EXDATE", item["start"])]})
