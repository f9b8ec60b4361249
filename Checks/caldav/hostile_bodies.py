"""Bodies of requests that no program would send."""

from programs import written

DAV = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
ALL = f"<propfind {DAV}><allprop/></propfind>"
SYNC = (f"<sync-collection {DAV}><sync-token/><sync-level>1</sync-level><prop><getetag/>"
        "<C:calendar-data/></prop></sync-collection>")
TIMES = ["20270101T000000Z", "20260101T000000Z", "00010101T000000Z", "99991231T235959Z", "", "x",
         "20271301T000000Z", "20270101", "20270101T000000", "99999999T999999Z", "-20270101T000000Z"]
# Lines that no calendar may have, or not at this place.
BROKEN = ["BEGIN:VALARM", "END:VTODO", "BEGIN:VTODO", "END:VCALENDAR", ":", ";", "X", "X;", "X;A",
          "X;A=", 'X;A=":', " folded", "\tfolded", "SUMMARY:\x00", "SUMMARY:\x7f", "UID:second"]
NEGATED = ["yes", "no", "", "x"]
PROPERTIES = ["getetag", "displayname", "resourcetype", "C:calendar-data", "C:calendar-home-set",
              "sync-token", "getcontenttype", "C:supported-calendar-component-set", "x", "owner",
              "C:calendar-timezone", "lockdiscovery", "current-user-privilege-set",
              'color xmlns="http://apple.com/ns/ical/"', 'x xmlns=""', 'x xmlns="urn:y"']


def body(method, pick, uid="a-1"):
    """A body for a method, as bytes; broken now and then. `uid` is what a PUT should have."""
    kinds = {"PUT": lambda: calendar(pick, uid), "REPORT": lambda: report(pick),
             "PROPFIND": lambda: propfind(pick), "PROPPATCH": lambda: proppatch(pick),
             "MKCOL": lambda: make(pick), "MKCALENDAR": lambda: make(pick)}
    if method not in kinds and pick.random() < 0.8:
        return b""
    make_text = kinds.get(method) or pick.choice(list(kinds.values()))
    text = make_text()
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if pick.random() < 0.15:
        data = broken(data, pick)
    return data


def broken(data, pick):
    """Bytes that are cut, turned, repeated, inserted, or in another encoding."""
    place = pick.randint(0, len(data))
    kind = pick.randrange(8)
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + bytes([pick.randrange(256)]) + data[place + 1:]
    if kind == 2:
        return data[:place] + data[place:place + 50] * pick.randint(2, 200) + data[place:]
    if kind == 3:
        return data[:place] + pick.choice(
            [b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"&#0;", b"&x;", b"<![CDATA[", b"]]>", b"<!--",
             b"<?x?>", b"\r", b"\n ", b"\xc0\xaf", b"&#x10FFFF;", b"</x>"]) + data[place:]
    if kind == 4:
        return data.decode(errors="replace").encode("utf-16")
    if kind == 5:
        return b"\xef\xbb\xbf" + data
    if kind == 6:
        return bytes(pick.randrange(256) for _ in range(pick.randint(0, 500)))
    return data + data


def strange(pick):
    """XML as a whole that is refused, or should be cheap."""
    return pick.choice([
        '<!DOCTYPE x [<!ENTITY a "b">]><propfind xmlns="DAV:"><prop>&a;</prop></propfind>',
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;&b;</x>',
        '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>',
        '<?xml version="1.0" encoding="utf-7"?><x/>', '<?xml version="1.1"?><x/>',
        "<a>" * pick.choice([31, 32, 33, 5_000, 100_000]),
        "<a xmlns='DAV:'>" + "<b/>" * pick.choice([100, 19_999, 20_001, 100_000]) + "</a>",
        f"<propfind {DAV}><prop>{''.join(f'<x{n}/>' for n in range(9_000))}</prop></propfind>",
        "<a " + " ".join(f'a{n}="x"' for n in range(pick.choice([10, 5_000, 30_000]))) + "/>",
        f'<a b="{"x" * pick.choice([10_000, 900_000, 1_100_000])}"/>',
        f'<a xmlns="{"n" * pick.choice([200, 300, 100_000])}">{"<b/>" * 1_000}</a>',
        "".join(f'<p{n}:a xmlns:p{n}="urn:{n}">' for n in range(40)), "<a></b>", "<a", "<", "", " ",
        "{}", '<a xmlns:x=""/>', '<a xmlns:xml="urn:x"/>', "<x:a/>", "<a b=1/>", "<a b='1' b='2'/>",
        f"<propfind {DAV}><prop>{'<!-- x -->' * 5_000}</prop></propfind>",
        f"<propfind {DAV}><propname/><allprop/><prop/></propfind>",
    ])


def costly():
    """Requests that would be expensive without a bound: what for, the method, the path, a body."""
    repeated = 2_000
    yield ("a long note", "PUT", "long.ics", written(
        "long", "Long", "DTSTART:20270101T000000Z", "DUE:20270101T000000Z", "RRULE:FREQ=DAILY",
        f"DESCRIPTION:{'a' * 100_000}"))
    yield "a long text to find", "REPORT", "", query(
        f'<C:prop-filter name="DESCRIPTION"><C:text-match>{"a" * 10_000}b</C:text-match>'
        "</C:prop-filter>")
    yield "a thousand days of a long note", "REPORT", "", query(
        "", '<C:calendar-data><C:expand start="20270101T000000Z" end="20300101T000000Z"/>'
        "</C:calendar-data>")
    yield "many conditions", "REPORT", "", query(
        '<C:prop-filter name="X-NONE"><C:is-not-defined/></C:prop-filter>' * repeated)
    yield "many own properties", "PROPPATCH", "", (
        f"<propertyupdate {DAV}><set><prop>{''.join(f'<y{n}>1</y{n}>' for n in range(400))}</prop>"
        "</set></propertyupdate>")
    yield "many properties", "PROPFIND", "", (
        f"<propfind {DAV}><prop>{''.join(f'<x{n}/>' for n in range(repeated))}</prop></propfind>")
    part = ('<C:calendar-data><C:comp name="VCALENDAR"><C:comp name="VTODO"><C:prop name="UID"/>'
            "</C:comp></C:comp></C:calendar-data>")
    yield "the same path many times", "REPORT", "", (
        f"<C:calendar-multiget {DAV}><prop>{part}</prop>"
        f"{'<href>/dav/lists/a/long.ics</href>' * repeated}</C:calendar-multiget>")
    yield "many lines", "PUT", "lines.ics", written("lines", "L", *["X-A:1"] * 50_000)
    yield "many alarms", "PUT", "alarms.ics", written(
        "alarms", "A", *["BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT1M\r\nEND:VALARM"] * 5_000)


def query(conditions, data=""):
    return (f"<C:calendar-query {DAV}><prop><getetag/>{data}</prop><C:filter><C:comp-filter "
            f'name="VCALENDAR"><C:comp-filter name="VTODO">{conditions}</C:comp-filter>'
            "</C:comp-filter></C:filter></C:calendar-query>")


def properties(pick):
    return "<prop>" + "".join(
        f"<{pick.choice(PROPERTIES)}/>" for _ in range(pick.randint(0, 8))) + "</prop>"


def propfind(pick):
    if pick.random() < 0.2:
        return strange(pick)
    inner = pick.choice([properties(pick), "<allprop/>", "<propname/>", "",
                         "<allprop/><include><x/></include>", properties(pick) * 2])
    return f"<propfind {DAV}>{inner}</propfind>"


def value(pick):
    return pick.choice(["", "x", "&lt;&amp;&gt;", "x" * 5_000, "x" * 20_000 + "y", "ä😀", "\t\n",
                        "<a><b c='d'>e</b>f</a>", "#FF0000FF", "#12345", "-1", "]]&gt;", "&#x85;",
                        '<C:comp name="VTODO"/>', '<C:comp name="VEVENT"/>', "<C:comp/>",
                        "<collection/><C:calendar/>", "<collection/><x/>"])


def setting(pick):
    name = pick.choice([*PROPERTIES, "C:calendar-description", 'calendar-color xmlns="http://apple'
                        '.com/ns/ical/"', 'calendar-order xmlns="http://apple.com/ns/ical/"'])
    close = name.split(" ")[0]
    return f"<prop><{name}>{value(pick)}</{close}></prop>"


def proppatch(pick):
    if pick.random() < 0.2:
        return strange(pick)
    steps = "".join(f"<{kind}>{setting(pick)}</{kind}>" for kind in
                    pick.choices(["set", "remove", "x"], [5, 2, 1], k=pick.randint(0, 5)))
    return f"<propertyupdate {DAV}>{steps}</propertyupdate>"


def make(pick):
    if pick.random() < 0.2:
        return strange(pick)
    name = pick.choice(["C:mkcalendar", "mkcol", "x"])
    return f"<{name} {DAV}><set>{setting(pick)}</set><set>{setting(pick)}</set></{name}>"


def report(pick):
    if pick.random() < 0.15:
        return strange(pick)
    kind = pick.randrange(8)
    if kind < 4:
        data = pick.choice(["", "<C:calendar-data/>", f"<C:calendar-data>{part(pick)}"
                            "</C:calendar-data>"])
        filters = filter_of(pick)
        return (f"<C:calendar-query {DAV}><prop><getetag/>{data}</prop><C:filter>{filters}"
                f"</C:filter>{pick.choice(['', zone(pick)])}</C:calendar-query>")
    if kind == 4:
        count = pick.choice([0, 1, 5, 50, 6_000])
        paths = "".join(f"<href>{href(pick)}</href>" for _ in range(count))
        return f"<C:calendar-multiget {DAV}>{properties(pick)}{paths}</C:calendar-multiget>"
    if kind in (5, 6):
        token = pick.choice(
            ["", "", "x", "data:,1-1", "data:,x-99999999999999999999", "data:,", "\n"])
        limit = pick.choice(["", "<limit><nresults>1</nresults></limit>", "<limit/>",
                             "<limit><nresults>-1</nresults></limit>",
                             "<limit><nresults>99999999999999999999</nresults></limit>"])
        level = pick.choice(["1", "infinite", "", "2", "x"])
        return (f"<sync-collection {DAV}><sync-token>{token}</sync-token><sync-level>{level}"
                f"</sync-level>{limit}{properties(pick)}</sync-collection>")
    name = pick.choice(["C:free-busy-query", "principal-property-search", "expand-property", "x",
                        "principal-search-property-set", "acl-principal-prop-set", "version-tree"])
    return f"<{name} {DAV}>{span(pick)}{properties(pick)}</{name}>"


def zone(pick):
    return f"<C:timezone>{pick.choice(['', 'x', 'BEGIN:VCALENDAR', 'Europe/Vienna'])}</C:timezone>"


def href(pick):
    mine = f"/dav/lists/{pick.choice('abc')}/{pick.randint(0, 60)}.ics"
    return pick.choice([mine, mine, mine, f"http://elsewhere.example{mine}", "", "/", "x", "%",
                        mine + "%00", mine.replace("/", "%2F"), "/dav/lists/a/", "//" + mine,
                        "/etc/passwd", "&#x1F600;", mine + "?x#y", "http://", "x" * 2_000])


def span(pick):
    names = pick.choice([["start", "end"], ["start"], ["end"], []])
    return "<C:time-range " + " ".join(f'{name}="{pick.choice(TIMES)}"' for name in names) + "/>"


def part(pick):
    start, end = pick.choice(TIMES), pick.choice(TIMES)
    return pick.choice([
        f'<C:expand start="{start}" end="{end}"/>', "<C:expand/>",
        f'<C:limit-recurrence-set start="{start}" end="{end}"/>',
        '<C:comp name="VCALENDAR"><C:prop name="VERSION"/><C:comp name="VTODO"><C:prop '
        'name="SUMMARY"/></C:comp></C:comp>', '<C:comp name=""/>', "<C:comp/>",
        '<C:comp name="VCALENDAR"><C:allprop/><C:allcomp/></C:comp>'])


def filter_of(pick, depth=0):
    name = pick.choice(["VCALENDAR", "VTODO", "VEVENT", "VALARM", "VTIMEZONE", "", "vtodo", "X"])
    if depth == 0:
        name = pick.choices(["VCALENDAR", name], [9, 1])[0]
    if depth == 1:
        name = pick.choices(["VTODO", name], [9, 1])[0]
    inner = ""
    for _ in range(pick.choice([0, 1, 1, 1, 2, 3])):
        kind = pick.randrange(6)
        if kind < 2 and depth < 6:
            inner += filter_of(pick, depth + 1)
        elif kind == 2:
            inner += span(pick)
        elif kind == 3:
            inner += "<C:is-not-defined/>"
        else:
            inner += property_filter(pick)
    test = pick.choice(["", "", ' test="anyof"', ' test="x"'])
    return f'<C:comp-filter name="{name}"{test}>{inner}</C:comp-filter>'


def property_filter(pick):
    name = pick.choice(
        ["SUMMARY", "COMPLETED", "STATUS", "DUE", "CATEGORIES", "X-A", "", "summary"])
    collation = pick.choice(["i;octet", "i;ascii-casemap", "i;unicode-casemap", "x", ""])
    inner = pick.choice([
        "", "<C:is-not-defined/>", span(pick),
        f'<C:text-match collation="{collation}" negate-condition="{pick.choice(NEGATED)}">'
        f"{value(pick)}</C:text-match>",
        '<C:param-filter name="TZID"><C:is-not-defined/></C:param-filter>',
        f'<C:param-filter name="X"><C:text-match>{value(pick)}</C:text-match></C:param-filter>',
        "<C:text-match/>"])
    return f'<C:prop-filter name="{name}">{inner}</C:prop-filter>'


def calendar(pick, uid):
    """A calendar of lines that are wrong in some way."""
    deep = "BEGIN:X\r\n" * 2_000 + "END:X\r\n" * 2_000
    if pick.random() < 0.06:
        return pick.choice([
            "", "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
            strange(pick), "BEGIN:VEVENT\r\nEND:VEVENT\r\n", "BEGIN:VTODO\r\n" * 50_000,
            "\r\n" * 100_000, "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:" + "x" * 1_000_000,
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:" + "x" * 1_048_576,
            f"BEGIN:VCALENDAR\r\n{deep}END:VCALENDAR\r\n"])
    uid = f"UID:{uid}"
    count = pick.choices([1, 2, 3, 20], [10, 2, 1, 1])[0]
    parts = "".join(component(pick, uid, number) for number in range(count))
    end = pick.choices(["\r\n", "\n", "\r", "\r\n \r\n"], [20, 5, 1, 1])[0]
    extra = pick.choices(["", "METHOD:PUBLISH\r\n", "CALSCALE:x\r\n", vtimezone(pick)],
                         [20, 1, 2, 5])[0]
    text = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n{extra}{parts}END:VCALENDAR\r\n"
    return text.replace("\r\n", end)


def component(pick, uid, number):
    name = pick.choices(["VTODO", "VEVENT", "VJOURNAL", "vtodo", "X"], [30, 1, 1, 1, 1])[0]
    lines = [uid if pick.random() < 0.95 else pick.choice(
        ["", "UID:", "UID:other", "UID:" + "u" * 5_000, "UID:a\r\nUID:b", "UID:\x01", "uid:a-1"])]
    lines += [line(pick) for _ in range(pick.choice([0, 1, 3, 6, 12]))]
    if number and pick.random() < 0.8:
        lines.append("RECURRENCE-ID" + date(pick))
    if pick.random() < 0.4:
        lines += [alarm(pick)] * pick.choice([1, 1, 2, 30])
    pick.shuffle(lines)
    text = "".join(each + "\r\n" for each in lines if each)
    return f"BEGIN:{name}\r\n{text}END:{name}\r\n"


def date(pick):
    zone_name = pick.choice(
        ["Europe/Vienna", "X", "", "America/New_York", "/x/Europe/Vienna", '"a:b"',
         "W. Europe Standard Time", "UTC", "../../etc/passwd"])
    return pick.choice([
        ":20270301T120000Z", ":20270301T120000", ";VALUE=DATE:20270301", ":20270301",
        f";TZID={zone_name}:20270328T023000", f";TZID={zone_name}:20270301T120000Z",
        ":00000000T000000Z", ":00010101T000000Z", ":99991231T235960Z", ":20270230T000000Z", ":",
        ":x", ";VALUE=DATE:99991231", ";VALUE=PERIOD:20270301T120000Z/PT1H",
        ";VALUE=DATE-TIME:20270301", ":20270301T250000", ":-20270301T000000Z",
        ":20270301T120000Z,20270302T120000Z", ";VALUE=DATE;TZID=Europe/Vienna:20270301",
        ":19760401T005545Z"])


def rule(pick):
    return ";".join(pick.choices(
        ["FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY", "FREQ=SECONDLY", "FREQ=HOURLY",
         "FREQ=x", "COUNT=3", "COUNT=0", "COUNT=99999999999", "UNTIL=20270401", "UNTIL=x",
         "UNTIL=19000101T000000Z", "INTERVAL=0", "INTERVAL=999999999", "BYDAY=MO,TU", "BYDAY=53MO",
         "BYDAY=-1SU", "BYDAY=x", "BYMONTHDAY=31", "BYMONTHDAY=-31", "BYMONTH=2", "BYMONTH=13",
         "BYSETPOS=-1", "BYSETPOS=366", "BYYEARDAY=366", "BYWEEKNO=53", "BYHOUR=1,2,3",
         "BYSECOND=60", "WKST=SU", "RSCALE=HEBREW", "SKIP=OMIT", "", "=", "FREQ"],
        k=pick.randint(1, 5)))


def line(pick):
    if pick.random() < 0.04:
        return pick.choice(BROKEN)
    text = pick.choice(["x", "", "ä😀", "a\\,b\\;c\\nd\\", "x" * 2_000, "x" * 60_000,
                        "a\r\n b", "a\r\n\tb", "\u2028", "\ufeff", "e\u0301" * 500, "<&>]]>"])
    return pick.choice([
        f"SUMMARY:{text}", f"DESCRIPTION:{text}", f"SUMMARY;LANGUAGE=de;X=\"a;b:c\":{text}",
        f"DUE{date(pick)}", f"DTSTART{date(pick)}", f"COMPLETED{date(pick)}",
        f"CREATED{date(pick)}", f"RRULE:FREQ=DAILY;{rule(pick)}", f"RRULE:{rule(pick)}",
        f"EXDATE{date(pick)}", f"RDATE{date(pick)}", f"DTSTAMP{date(pick)}",
        f"LAST-MODIFIED{date(pick)}", f"X-MOZ-SNOOZE-TIME{date(pick)}",
        f"X-MOZ-LASTACK{date(pick)}",
        "DURATION:" + pick.choice(["PT1H", "P1W", "-P1D", "P99999999999D", "", "x", "PT"]),
        "STATUS:" + pick.choice(["NEEDS-ACTION", "COMPLETED", "CANCELLED", "IN-PROCESS", "x", ""]),
        "PERCENT-COMPLETE:" + pick.choice(["0", "100", "50", "101", "-1", "x", "9" * 30]),
        "PRIORITY:" + pick.choice(["0", "1", "5", "9", "10", "-1", "x", "9" * 30, ""]),
        "CATEGORIES:" + pick.choice(
            ["a", "a,b,c,d,e,f,g", "", ",", ",,,", "a,A,ä,Ä", "x" * 500, text, "a\\,b",
             ",".join(str(n) for n in range(500))]),
        "RELATED-TO:" + pick.choice([f"{pick.choice('abc')}-{pick.randint(0, 60)}", "", "x", text]),
        "RELATED-TO;RELTYPE=" + pick.choice(["PARENT", "CHILD", "SIBLING", "X", ""]) + ":a-1",
        "SEQUENCE:" + pick.choice(["1", "-1", "x", "9" * 30]), "X-MARTLET-FLAGGED:" + text,
        "X-APPLE-SORT-ORDER:x", "X-A;B=c,d,\"e\":f", "X;A=:",
        "ATTACH;ENCODING=BASE64:" + "QUJD" * 5_000, "GEO:x", "CLASS:PRIVATE",
        "RECURRENCE-ID;RANGE=THISANDFUTURE" + date(pick), f"X-{'A' * 1_000}:x"])


def alarm(pick):
    trigger = pick.choice([
        "TRIGGER:-PT15M", "TRIGGER;RELATED=END:PT0S", "TRIGGER;VALUE=DATE-TIME" + date(pick),
        "TRIGGER:", "TRIGGER:x", "TRIGGER:-P99999999999W", "", "TRIGGER;RELATED=x:PT1H",
        "TRIGGER:P1Y"])
    lines = ["ACTION:" + pick.choice(["DISPLAY", "AUDIO", "EMAIL", "NONE", "x", ""]), trigger]
    lines += pick.choice([[], ["REPEAT:3", "DURATION:PT5M"], ["REPEAT:-1", "DURATION:x"],
                          ["REPEAT:999999999999", "DURATION:PT1S"], ["UID:" + "u" * 300], ["UID:"],
                          ["ACKNOWLEDGED" + date(pick)], ["RELATED-TO;RELTYPE=SNOOZE:x"],
                          ["X-WR-ALARMUID:x", "PROXIMITY:ARRIVE"], ["BEGIN:X", "END:X"]])
    return "BEGIN:VALARM\r\n" + "".join(each + "\r\n" for each in lines if each) + "END:VALARM"


def vtimezone(pick):
    rule_text = pick.choice(["RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", f"RRULE:{rule(pick)}", ""])
    part = pick.choices(["STANDARD", "DAYLIGHT", "X"], [5, 5, 1])[0]
    end = pick.choices([part, "STANDARD"], [9, 1])[0]
    return "\r\n".join([
        "BEGIN:VTIMEZONE", "TZID:" + pick.choice(["X", "Europe/Vienna", "", "x" * 3_000]),
        f"BEGIN:{part}", "DTSTART" + date(pick),
        rule_text or "X:",
        "TZOFFSETFROM:" + pick.choice(["+0100", "-2500", "x", "", "+01", "+999999"]),
        "TZOFFSETTO:" + pick.choice(["+0200", "+235959", "x", ""]), f"END:{end}",
        "END:VTIMEZONE", ""])
