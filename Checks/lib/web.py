"""HTTP requests with JSON, and event streams."""

import base64
import http.client
import json
import time
import urllib.parse
import urllib.request
from typing import NamedTuple

from lib.waiting import PATIENCE, check

# A connection that was not used for so many seconds is not used again: the server closes such ones.
IDLE = 5


class Answer(NamedTuple):
    status: int
    fields: http.client.HTTPMessage
    text: str

    def json(self):
        return json.loads(self.text) if self.text else None


def basic(key):
    """The field of a key as a password."""
    return "Basic " + base64.b64encode(f"anyone:{key}".encode()).decode()


def sent(connection, method, path, body=None, fields=None):
    """The answer to a request. A body that is neither text nor bytes is sent as JSON."""
    fields = dict(fields or {})
    if body is not None and not isinstance(body, (str, bytes)):
        body = json.dumps(body)
        fields.setdefault("Content-Type", "application/json")
    connection.request(method, path, body.encode() if isinstance(body, str) else body, fields)
    response = connection.getresponse()
    return Answer(response.status, response.headers, response.read().decode(errors="replace"))


def ask(method, url, body=None, fields=None, key=None, limit=PATIENCE):
    """The answer to a request over a connection of its own, whatever its status is."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=limit)
    fields = ({"Authorization": f"Bearer {key}"} if key else {}) | dict(fields or {})
    try:
        return sent(connection, method, url[len(f"http://{parts.netloc}"):], body, fields)
    finally:
        connection.close()


def call(method, url, body=None, headers=None, key=None):
    """The decoded answer to a JSON request. Raises `urllib.error.HTTPError` if its status is an error."""
    data = None if body is None else json.dumps(body).encode()
    fields = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    request = urllib.request.Request(url, data, fields | (headers or {}), method=method)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.loads(response.read() or b"null")


class Caller:
    """One connection to a server, with a key: as a token for JSON, as a password for CalDAV."""

    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.key, self.last = key, time.monotonic()

    def ask(self, method, path, body=None, **fields):
        """Sends a request. The names of fields have `_` for `-`."""
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if self.key:
            fields.setdefault("Authorization", f"Bearer {self.key}" if path.startswith("/v1") else basic(self.key))
        if time.monotonic() - self.last > IDLE:
            self.connection.close()
        self.last = time.monotonic()
        return sent(self.connection, method, path, body, fields)

    def json(self, method, path, body=None):
        """Sends a JSON request that has to succeed. Returns the decoded response."""
        data = None if body is None else json.dumps(body)
        answer = self.ask(method, path, data, Content_Type="application/json")
        check(answer.status < 300, f"{method} {path}: {answer.status} {answer.text[:300]}")
        return answer.json()


def stream(connection, path, fields=None):
    """The response to a request for an event stream."""
    connection.request("GET", path, headers={"Accept": "text/event-stream", **(fields or {})})
    return connection.getresponse()


def events(response, is_ending=lambda: False):
    """The events of a stream, each with its fields by name, until it ends or is no longer wanted."""
    event = {}
    while not is_ending() and (line := response.readline()):
        text = line.decode().rstrip("\r\n")
        name, _, value = text.partition(":")
        # A line that begins with a colon is a comment.
        if name:
            event[name] = value.removeprefix(" ")
        elif not text and event:
            yield event
            event = {}
