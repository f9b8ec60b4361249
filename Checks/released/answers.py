"""The answers of a server to every GET of its own openapi.yaml, for Checks/release-fixture.

Each operation is asked for everything that the database has, with each of its parameters, by a key
that sees everything and by one that is limited to a list. Pages are followed to the end. Of an answer JSON, exports and the first event of a stream are
stored, and of a problem its type. A parameter without a value, an operation that never succeeds,
and a content that is neither stored nor excused are errors.
"""

import json
import re
import urllib.parse
import urllib.request

import yaml

from lib.waiting import PATIENCE, check
from lib.web import Caller, basic

# Operations whose content is not stored, and why. Their status and type are.
EXCUSED = {
    "/openapi.yaml": "it describes the program, and not the data",
    "/problems/{slug}": "a text for people, which may be improved",
    "/try": "a page of the program",
    "/try.css": "a part of a page",
    "/try.js": "a part of a page",
    "/app/martlet.js": "the client for JavaScript, which has tests of its own",
    "/app/martlet.d.ts": "the types of that client",
    "/metrics": "numbers of the process; of them the names and types are stored",
}
STORED = ("application/json", "text/csv", "application/x-ndjson", "text/calendar")

# Parameters that are not asked, and why.
UNASKED = {
    "access": "a secret, which expires",
    "deltas": "the first event is the same",
    "lastEventID": "the state of a stream",
    "cursor": "pages are followed",
    "since": "pages are followed",
}
# The values of a parameter, or of a parameter of one path. A parameter of another name has those of
# its enum.
VALUES = {
    "limit": ["2"],
    "q": ["tyres", "café", "wat*", "日本語"],
    "timeZone": ["Europe/Vienna", "America/New_York"],
    "dueBefore": ["2026-12-01", "2050-01-01", "2001-11-20T15:36:00.500Z"],
    "dueAfter": ["2026-12-01", "2050-01-01", "2001-11-20T15:36:00.500Z"],
    "dueWithin": ["P7D", "P2W"],
    "after": ["2050-01-01"],
    "before": ["2050-01-01"],
    "/v1/search after": ["»"],
    "/v1/search before": ["«"],
    "/v1/live queries": [
        {"lists": "/v1/lists", "open": "/v1/reminders?completed=false", "stats": "/v1/stats"}],
}
# Parameters whose values are members of what another route has.
FROM = {"listID": ("/v1/lists", "id"), "parentID": ("/v1/reminders", "id"),
        "reminderID": ("/v1/reminders", "id"), "channelID": ("/v1/channels", "id"),
        "tag": ("/v1/tags", "title")}
# What no route has, for each parameter of a path.
MISSING = {"id": "999999", "tag": "none", "slug": "none"}
# Parameters without which a route has no answer.
REQUIRED = {"/v1/search": {"q": "tyres"}, "/v1/live": VALUES["/v1/live queries"][0]}
MOST_PAGES = 200
# What recurs for ever has no last page. Of it the first ones are stored.
ENDLESS, FIRST_PAGES = "/v1/reminders/{id}/occurrences", 3


# The keys that do not see everything.
LIMITED = {"limited"}
WHOAMI = "/v1/whoami"


class Walk:
    def __init__(self, port, keys):
        self.port = port
        self.callers = {name: Caller(port, key) for name, key in keys.items()}
        self.first = next(iter(keys))
        # Many answers have the same items, which are stored once.
        self.rows, self.numbers, self.answers, self.found = [], {}, [], {}
        # With other types than text a date, or a no, would be something else.
        self.document = yaml.load(
            self.callers[self.first].ask("GET", "/openapi.yaml").text, yaml.BaseLoader)

    def all(self, more=()):
        """`more` has targets that openapi.yaml does not describe."""
        operations = [path for path, item in self.document["paths"].items() if "get" in item]
        targets = [(asked, path) for path in operations for asked in self.targets(path)]
        for key in self.callers:
            for asked, operation in [*targets, *((each, each) for each in more)]:
                if key == self.first or self.differs(key, operation):
                    self.record(key, asked, operation)
        succeeded = {each["operation"] for each in self.answers if each["status"] == 200}
        failed = {*operations, *more} - succeeded
        check(not failed, f"no request of these operations succeeds: {sorted(failed)}")
        return {"rows": self.rows, "answers": self.answers}

    # What is asked

    def differs(self, key, operation):
        """Whether a key may get another answer than the first one, which sees everything."""
        if key not in LIMITED:
            return operation == WHOAMI
        return self.document["paths"].get(operation, {}).get("get", {}).get("security") != []

    def targets(self, path):
        item = self.document["paths"][path]
        declared = [self.resolved(each)
                    for each in [*item.get("parameters", []), *item["get"].get("parameters", [])]]
        paths, base = self.paths(path), REQUIRED.get(path, {})
        asked = [target(each, base) for each in paths]
        for parameter in declared:
            if parameter["in"] != "query" or parameter["name"] in UNASKED:
                continue
            for value in self.values(path, parameter):
                more = value if isinstance(value, dict) else {parameter["name"]: value}
                asked += [target(each, {**base, **more}) for each in paths[:1]]
        return dict.fromkeys(asked)

    def resolved(self, thing):
        while "$ref" in thing:
            place = self.document
            for name in thing["$ref"].removeprefix("#/").split("/"):
                place = place[name]
            thing = place
        return thing

    def paths(self, path):
        """The path with each value that its parameter has, and with one that is missing."""
        found = re.search(r"\{(\w+)\}", path)
        if not found:
            return [path]
        name = found[1]
        if name == "slug":
            values = re.findall(r"/problems/([a-z-]+)", json.dumps(self.document["x-problem-types"]))
        else:
            values = self.members(path[:found.start() - 1], "title" if name == "tag" else "id")
        values = [urllib.parse.quote(each, safe="") for each in [*values, MISSING[name]]]
        return [path.replace(found[0], each) for each in dict.fromkeys(values)]

    def values(self, path, parameter):
        name, schema = parameter["name"], self.resolved(parameter.get("schema", {}))
        schema = self.resolved(schema.get("items", schema))
        known = VALUES.get(f"{path} {name}", VALUES.get(name))
        if known:
            return known
        if name in FROM:
            return [*self.members(*FROM[name]), *(["none"] if "'none'" in str(schema) else [])]
        if schema.get("type") == "boolean":
            return ["true", "false"]
        check("enum" in schema, f"answers.py has no value for the parameter {name} of {path}: add one")
        return schema["enum"]

    def members(self, path, name):
        """A member of all items of a route."""
        if (path, name) not in self.found:
            items = self.callers[self.first].json("GET", path)["items"]
            self.found[path, name] = [str(each[name]) for each in items]
        return self.found[path, name]

    # What is answered

    def record(self, key, asked, operation):
        pages, following, answer = [], asked, None
        while following:
            status, kind, text = self.ask(key, following)
            check(not answer or answer == (status, kind), f"{following}: {status} {kind}")
            answer = status, kind
            page = self.stored(operation, status, kind, text)
            following = next_page(asked, page)
            pages.append(page)
            if operation == ENDLESS and len(pages) == FIRST_PAGES:
                break
            check(len(pages) < MOST_PAGES, f"{asked} has no last page")
        self.answers.append({"key": key, "target": asked, "operation": operation,
                             "status": answer[0], "type": answer[1],
                             "pages": [each for each in pages if each is not None]})

    def ask(self, key, asked):
        caller = self.callers[key]
        if not asked.startswith("/v1/live?"):
            field = basic(caller.key) if asked.startswith("/dav") else f"Bearer {caller.key}"
            answer = caller.ask("GET", asked, Accept="*/*", Authorization=field)
            return answer.status, answer.fields["Content-Type"].split(";")[0], answer.text
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{asked}", headers={
            "Accept": "text/event-stream", "Authorization": f"Bearer {caller.key}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            for line in answer:
                if line.startswith(b"data:"):
                    return answer.status, answer.headers.get_content_type(), line[5:].decode()
        raise RuntimeError(f"{asked} has ended without an event")

    def stored(self, operation, status, kind, text):
        if kind == "application/problem+json":
            return {"type": json.loads(text)["type"]}
        if operation == "/metrics":
            return sorted(set(re.findall(r"^# TYPE (\S+ \S+)$", text, re.M)))
        if operation in EXCUSED or status != 200:
            return None
        if kind == "text/event-stream":
            return json.loads(text)
        check(kind in STORED, f"{operation} has the type {kind}, which answers.py neither stores nor excuses")
        if kind != "application/json":
            return text
        page = json.loads(text)
        if isinstance(page.get("items"), list):
            page["items"] = [self.number(each) for each in page["items"]]
        return page

    def number(self, row):
        text = json.dumps(row, sort_keys=True)
        if text not in self.numbers:
            self.numbers[text] = len(self.rows)
            self.rows.append(row)
        return self.numbers[text]


def target(path, query):
    return path + ("?" + urllib.parse.urlencode(query) if query else "")


def next_page(asked, page):
    """The target of the next page, as openapi.yaml describes it for pages and for the feed."""
    if not isinstance(page, dict):
        return None
    if page.get("nextCursor"):
        name, value = "cursor", page["nextCursor"]
    elif page.get("more") is True:
        name, value = "since", page["next"]
    else:
        return None
    return f"{asked}{'&' if '?' in asked else '?'}{name}={urllib.parse.quote(value)}"
