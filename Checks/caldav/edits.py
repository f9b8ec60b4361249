"""Changes of a to-do as a JSON body, and as content lines of a text."""

from programs import todo

# Properties that the server does not know, and the parent, whose line stays as it came.
UNKNOWN = ("X-STAMP", "X-OTHER", "LOCATION", "URL", "GEO", "CLASS", "COMMENT", "ATTACH",
           "RELATED-TO")


def as_json(change):
    """A change as the body of a request."""
    body = {}
    for name, value in change.items():
        if name == "due":
            if value and "T" in value:
                value = f"{value[:4]}-{value[4:6]}-{value[6:11]}:{value[11:13]}:{value[13:]}"
            body["dueDate"] = value
        elif name == "isCompleted":
            body["status"] = "completed" if value else "incomplete"
        elif name == "tags":
            body["tags"] = sorted(value)
        else:
            body[name] = value
    return body


def as_lines(change, pick):
    """A change as content lines, in one of the ways in which programs write them."""
    lines = {}
    for name, value in change.items():
        if name == "title":
            lines["SUMMARY"] = [f"SUMMARY:{escaped(value)}"]
        elif name == "notes":
            lines["DESCRIPTION"] = [f"DESCRIPTION:{escaped(value)}"] if value else []
        elif name == "priority":
            numbers = {None: [0], "high": [1, 2, 3, 4], "medium": [5], "low": [6, 7, 8, 9]}[value]
            lines["PRIORITY"] = [f"PRIORITY:{pick.choice(numbers)}"]
        elif name == "tags":
            each = sorted(value)
            lines["CATEGORIES"] = pick.choice([
                [f"CATEGORIES:{','.join(each)}"] if each else [],
                [f"CATEGORIES:{tag}" for tag in each]])
        elif name == "isCompleted":
            lines |= {"COMPLETED": [], "PERCENT-COMPLETE": [], "STATUS": pick.choice([
                [], ["STATUS:NEEDS-ACTION"], ["STATUS:IN-PROCESS"]])}
            if value:
                lines["STATUS"] = ["STATUS:COMPLETED"]
                lines["COMPLETED"] = ["COMPLETED:20261127T090000Z"]
                lines["PERCENT-COMPLETE"] = pick.choice([[], ["PERCENT-COMPLETE:100"]])
        elif value is None:
            lines["DUE"] = []
        elif "T" in value:
            lines["DUE"] = [pick.choice([
                f"DUE:{value}", f"DUE:{value[:-1]}", f"DUE;TZID=Europe/Vienna:{value[:-1]}"])]
        else:
            lines["DUE"] = [f"DUE;VALUE=DATE:{value.replace('-', '')}"]
    return lines


def escaped(text):
    for old, new in [("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")]:
        text = text.replace(old, new)
    return text


def unfolded(text):
    return text.replace("\r\n ", "").replace("\r\n\t", "").split("\r\n")


def name_of(line):
    return line.split(":", 1)[0].split(";", 1)[0].upper()


def replaced(text, lines, *more):
    """The text with other lines for some properties of its to-do; `more` are lines behind it."""
    text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    rest, around = [], []
    for line in unfolded(text):
        if line.startswith("BEGIN:"):
            around.append(line[6:])
        if around != ["VCALENDAR", "VTODO"] or name_of(line) not in lines:
            rest.append(line)
        if line.startswith("END:"):
            around.pop()
    end = rest.index("END:VTODO")
    added = [line for each in lines.values() for line in each]
    rest[end:end + 1] = [*added, "END:VTODO", *more]
    return "\r\n".join(folded(line) for line in rest)


def folded(line):
    """At most 75 bytes in a line (RFC 5545 section 3.1)."""
    if len(line) < 75 and line.isascii():
        return line
    parts, part = [], ""
    for character in line:
        if len((part + character).encode()) > 74:
            parts.append(part)
            part = ""
        part += character
    return "\r\n ".join([*parts, part])


def unknown_lines(text):
    todo(text)
    text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return sorted(line for line in unfolded(text) if name_of(line) in UNKNOWN)
