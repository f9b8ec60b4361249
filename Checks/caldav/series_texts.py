"""Random series of to-dos with changed occurrences, as calendar programs write them (RFC 5545)."""

import datetime
import zoneinfo

from dateutil.rrule import rrulestr

from edits import folded

# The zone of the server, which is that of times without one.
HOUSE = "Europe/Vienna"
# What programs call zones: one of them as Outlook does.
ZONES = {name: name for name in [
    HOUSE, "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]}
ZONES["W. Europe Standard Time"] = "Europe/Berlin"
# Half of the series begin some days before a change of the clocks in one of the zones.
CHANGES = [(3, 9), (3, 30), (4, 6), (10, 5), (10, 26), (11, 2)]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# How many occurrences of a series are compared.
COUNT = 14
# The longest that an occurrence takes, or is moved by, in days.
FAR = 40
DAY, SECOND = datetime.timedelta(days=1), datetime.timedelta(seconds=1)
UTC = datetime.timezone.utc
# Rules that stay in the text alone.
UNREAD = [
    "FREQ=YEARLY;BYYEARDAY=100", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=TU", "FREQ=HOURLY;INTERVAL=36"]


def rule(make):
    """A rule without an end.

    dateutil, by which the oracle counts, finds other dates than RFC 5545 for weeks with `BYSETPOS`,
    and where numbered weekdays are beside plain ones. Checks/recurrence-oracle compares these.
    """
    days = ",".join(make.sample(DAYS, make.randint(1, 3)))
    nth = f"{make.choice([1, 2, 3, 4, 5, -1, -2])}{make.choice(DAYS)}"
    month, number = make.randint(1, 12), make.choice([1, 5, 13, 28, 29, 30, 31, -1, -2, -5])
    some = f"BYDAY={days};BYSETPOS={make.choice(['1', '-1', '2', '1,-1'])}"
    frequency, parts = make.choice([
        ("DAILY", ["", "", "BYDAY=MO,TU,WE,TH,FR", f"BYMONTH={month}", "BYMONTHDAY=1,10,-1"]),
        ("WEEKLY", ["", f"BYDAY={days}", f"BYDAY={days}", f"BYDAY={days};WKST=SU"]),
        ("MONTHLY", ["", f"BYMONTHDAY={number}", f"BYMONTHDAY=4,{number}", f"BYDAY={nth}", some,
                     "BYDAY=FR;BYMONTHDAY=13"]),
        ("YEARLY", ["", f"BYMONTH={month};BYDAY={nth}", f"BYMONTH={month};{some}",
                    f"BYMONTH={month},6;BYMONTHDAY={make.randint(1, 28)}", f"BYDAY=-2{days[:2]}",
                    f"BYDAY={make.randint(6, 50)}{days[:2]}"])])
    every = make.choice([1, 1, 2, 3])
    return ";".join(each for each in [f"FREQ={frequency}", f"INTERVAL={every}" if every > 1 else "",
                                      make.choice(parts)] if each)


class Series:
    """A to-do that recurs, with changes of its occurrences."""

    def __init__(self, make, number):
        self.make, self.uid, self.title = make, f"series-{number}", f"Series {number}"
        self.kind = make.choice(["date", "floating", "utc", "zoned", "zoned"])
        self.zone = make.choice(sorted(ZONES))
        self.is_timed, self.is_past = self.kind != "date", make.random() < .1
        while not self.begin():
            pass
        # The occurrences by their starts, which the rule alone gives.
        self.starts = self.ended()
        self.left_out = set(make.sample(self.starts[:8], make.choice([0, 0, 1, 2]))
                            if len(self.starts) > 3 else [])
        self.added = self.more() if make.random() < .3 else []
        # The due dates of occurrences that are done.
        self.done = []
        # From which occurrence on the series is another one, and how much later the due dates are.
        self.turn, self.shift = None, 0 * DAY
        # The starts of the occurrences that changes take from the series.
        self.apart = set()
        self.parts = self.changes()
        self.avoid()
        self.master = self.lines()

    # The dates.

    def begin(self):
        """Chooses a rule and a start that it gives: otherwise the dates are undefined (RFC 5545
        section 3.8.5.3). Returns whether the series can be compared."""
        make = self.make
        self.is_read = make.random() > .03
        self.rule = rule(make) if self.is_read else make.choice(UNREAD)
        month, day = make.choice(CHANGES) if make.random() < .5 else (make.randint(1, 12), 1)
        first = datetime.datetime(2021 if self.is_past else 2031, month, day)
        first -= DAY * make.randint(0, 4)
        if self.is_timed:
            first = first.replace(hour=make.choice([0, 1, 2, 2, 3, 9, 14, 23]),
                                  minute=make.choice([0, 30]))
        self.start = next(iter(rrulestr(self.rule, dtstart=first)), None)
        if self.start is None:
            return False
        self.starts = rrulestr(self.rule, dtstart=self.start, cache=True)[:COUNT]
        self.due = self.end()
        return (len(self.starts) == COUNT and self.starts[-1].year < 2090
                and not self.meets_skipped(0 * DAY))

    def ended(self):
        """Gives the rule an end, or none. Returns the starts up to it."""
        make, most = self.make, self.make.randint(1, 8)
        end = make.choice(["", "", "COUNT", "UNTIL"])
        if end == "COUNT":
            self.rule += f";COUNT={most}"
        elif end:
            # The last moment or one after it. RFC 5545 section 3.3.10: in UTC if there is a zone.
            last = self.starts[most - 1]
            if self.is_timed:
                last += datetime.timedelta(hours=make.choice([0, 0, 1, 11]))
            last = min(last, self.starts[most] - SECOND)
            if self.kind == "zoned":
                last = self.moment(last).replace(tzinfo=None)
            self.rule += f";UNTIL={last:%Y%m%d}"
            if self.is_timed:
                self.rule += f"T{last:%H%M%S}" + ("" if self.kind == "floating" else "Z")
        return self.starts[:most] if end else self.starts

    def end(self):
        """How long an occurrence takes, and by which properties it is said."""
        make = self.make
        self.said = make.choice(["START", "DUE", "BOTH", "BOTH", "BOTH", "DURATION"])
        if self.said in ("START", "DUE"):
            return 0 * DAY
        days = make.choice([0, 0, 0, 1, 2, 10])
        hours = make.choice([0, 0, 1, 8]) if self.is_timed else 0
        if self.said == "DURATION" and self.kind != "utc":
            # The oracle adds hours on the clocks, the server in fact (RFC 5545 section 3.3.6).
            hours = 0
        return datetime.timedelta(days=days, hours=hours)

    def more(self):
        """Dates of `RDATE`."""
        make, found = self.make, []
        for _ in range(make.randint(1, 3)):
            start = make.choice([*self.starts[:4], self.start + DAY * make.randint(1, 40)])
            if self.is_timed and make.random() < .3:
                start = start.replace(hour=17)
            found.append(start)
        return found

    @property
    def must_recur(self):
        """Whether the server evaluates the rule in any case: to-dos that are due on another day
        than they begin recur only if a rule gives the due dates."""
        return self.is_read and self.start.date() == (self.start + self.due).date()

    # What the server does not do as RFC 5545 says.

    def meets_skipped(self, shift):
        """Whether clocks skip a date that the series can come to, and it begins before it is due or
        was moved there. Then the server takes the time of day that they show instead."""
        if not self.is_timed or not self.due and not shift:
            return False
        times = [time + shift for start in self.starts[:11] for time in (start, start + self.due)]
        shown = [self.moment(time).astimezone(self.clocks).replace(tzinfo=None) for time in times]
        return times != shown

    def may_turn(self, way, by):
        """Whether a change can be one of all later occurrences as well. Not so if no rule of the
        server gives the dates."""
        if way in ("complete", "cancel"):
            return True
        is_simple = "WEEKLY" in self.rule or "DAILY" in self.rule and "BY" not in self.rule
        return not self.meets_skipped(by) and (way == "change" or is_simple)

    def avoid(self):
        """Leaves some occurrence. A series of which nothing is left is over with the occurrence that
        it had come to, which is another one if it came in twice."""
        if set(self.starts) <= self.left_out | self.apart:
            self.left_out.discard(self.start)

    # The lines.

    @property
    def clocks(self):
        """The zone by whose clocks the series recurs."""
        names = {"zoned": ZONES[self.zone], "floating": HOUSE}
        return zoneinfo.ZoneInfo(names.get(self.kind, "UTC"))

    def moment(self, time):
        """A time of the series in UTC."""
        return time.replace(tzinfo=self.clocks).astimezone(UTC)

    def value(self, *times):
        if not self.is_timed:
            return ",".join(f"{time:%Y%m%d}" for time in times)
        return ",".join(f"{time:%Y%m%dT%H%M%S}" + "Z" * (self.kind == "utc") for time in times)

    def line(self, name, *times):
        """The line of a property with dates."""
        # The oracle adds durations on the clocks of the zone that RDATE names.
        may_be_utc = name not in ("DTSTART", "DUE", "RDATE")
        if self.kind == "zoned" and may_be_utc and self.make.random() < .2:
            return f"{name}:" + ",".join(f"{self.moment(time):%Y%m%dT%H%M%SZ}" for time in times)
        parameter = {"date": ";VALUE=DATE", "zoned": f";TZID={self.zone}"}.get(self.kind, "")
        return f"{name}{parameter}:{self.value(*times)}"

    def dates(self, start, due):
        lines = []
        if self.said != "DUE":
            lines.append(self.line("DTSTART", start))
        if self.said in ("DUE", "BOTH"):
            lines.append(self.line("DUE", due))
        elif self.said == "DURATION":
            days, hours = (due - start).days, (due - start).seconds // 3600
            # A duration has a time only if the start has one (RFC 5545 section 3.8.2.5).
            time = f"T{hours}H" if hours else ""
            lines.append(f"DURATION:P{f'{days}D' if days or not time else ''}{time}")
        return lines

    def lines(self):
        lines = [f"SUMMARY:{self.title}", *self.dates(self.start, self.start + self.due),
                 f"RRULE:{self.rule}"]
        left_out = sorted(self.left_out)
        if len(left_out) > 1 and self.make.random() < .5:
            lines.append(self.line("EXDATE", *left_out))
        else:
            lines += [self.line("EXDATE", each) for each in left_out]
        return lines + [self.line("RDATE", each) for each in self.added]

    # Changes of occurrences.

    def changes(self):
        """The lines of changed occurrences."""
        make, parts = self.make, []
        places = [start for start in self.starts[:8] if start not in self.left_out]
        for number, start in enumerate(places):
            if make.random() < .65:
                continue
            way, by = make.choice(["complete", "cancel", "move", "change"]), 0 * DAY
            if way == "move":
                by = datetime.timedelta(days=make.choice([-1, 1, 2, 20]))
                if self.is_timed:
                    by += datetime.timedelta(hours=make.choice([0, 2, -1]))
            is_range = make.random() < .2 and self.may_turn(way, by)
            self.apart.add(start)
            if is_range:
                self.turn = self.turn or start
                self.apart |= {each for each in self.starts if each > start}
            parts.append(self.change(number, start, way, by, is_range))
            # Some programs complete one occurrence by a range, and write another one after it. What
            # is after one that ends the series changes nothing.
            if is_range and way in ("complete", "cancel"):
                break
        return parts

    def change(self, number, start, way, by, is_range):
        name = "RECURRENCE-ID;RANGE=THISANDFUTURE" if is_range else "RECURRENCE-ID"
        lines = [f"SUMMARY:{self.title}: {number}", self.line(name, start)]
        more = DAY if way == "move" and self.said == "BOTH" and self.make.random() < .3 else 0 * DAY
        lines += self.dates(start + by, start + self.due + by + more)
        if way == "complete":
            self.done.append(self.said_due(start))
            lines += ["STATUS:COMPLETED", "COMPLETED:20261101T100000Z"]
        elif way == "cancel":
            lines.append("STATUS:CANCELLED")
        elif way == "change":
            lines.append("PRIORITY:1")
        if is_range:
            self.shift = by + more
        return lines

    def said_due(self, start):
        """The due date of an occurrence, as JSON says it. It is as many days after the start as
        that of the first one, at the same time of day (docs/caldav.md, What becomes of a to-do).
        """
        due = start + self.due + self.shift
        return said(self.moment(due)) if self.is_timed else f"{due:%Y-%m-%d}"

    # Texts.

    def todos(self, only_master=False):
        """The to-dos of the text, each as lines."""
        return [["BEGIN:VTODO", f"UID:{self.uid}", "DTSTAMP:20260101T000000Z", *lines, "END:VTODO"]
                for lines in [self.master, *([] if only_master else self.parts)]]

    def text(self):
        return calendar(self.todos())

    def window(self):
        """From when to when occurrences are compared, by their due dates."""
        last = self.starts[-1] + (self.due if self.is_endless else 100 * DAY)
        return self.start - FAR * DAY, last

    @property
    def is_endless(self):
        return len(self.starts) == COUNT


def said(time):
    """A time as JSON says it, without the milliseconds."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def calendar(todos, *more):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", *more,
             *(line for todo in todos for line in todo), "END:VCALENDAR", ""]
    return "\r\n".join(folded(line) for line in lines)
