"""A headless Firefox, driven over Marionette, which is a part of it.

A message is its length, a colon, and JSON: `[0, ID, command, parameters]`, which is answered by
`[1, ID, error, result]`
(https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html).
"""

import itertools
import json
import pathlib
import re
import socket
import tempfile

from lib import waiting
from lib.server import Process
from lib.waiting import Failure
from page import AppBrowser
from webdriver import ELEMENT

SETTINGS = {"marionette.port": 0, "intl.accept_languages": "en-GB", "app.update.disabledForTesting": True,
            "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
            "browser.aboutwelcome.enabled": False, "toolkit.telemetry.enabled": False}


class Firefox(AppBrowser):
    """What a browser of the tests does by scripts and keys."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="firefox-")
        folder = pathlib.Path(self.profile.name)
        (folder / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items()))
        self.driver = Process(["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile",
                               folder, "about:blank"], folder / "log").start()
        file = folder / "MarionetteActivePort"
        port = waiting.wait("Firefox starts", lambda: self.driver.must_run() and file.exists()
                            and file.read_text(), 60)
        self.socket = socket.create_connection(("127.0.0.1", int(port)))
        self.stream, self.ids = self.socket.makefile("rb"), itertools.count(1)
        self.message()  # It greets.
        self.call("WebDriver:NewSession", capabilities={})
        self.size(1280, 860)

    def message(self):
        length = b""
        while (byte := self.stream.read(1)) != b":":
            if not byte:
                raise Failure(f"Firefox has closed the connection: {self.driver.said()[-2000:]}")
            length += byte
        return json.loads(self.stream.read(int(length)))

    def call(self, command, **parameters):
        text = json.dumps([0, next(self.ids), command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.message()
        if error:
            raise Failure(f"{command}: {error['error']}: {error['message']}")
        return result

    def close(self):
        self.socket.close()
        self.driver.kill()
        self.profile.cleanup()

    def open(self, url):
        self.call("WebDriver:Navigate", url=url)

    def reload(self):
        self.call("WebDriver:Refresh")

    def size(self, width, height, touch=False):
        """Of the page, about: a window has at least 450 pixels, and no touch."""
        self.call("WebDriver:SetWindowRect", width=width, height=height + 100)

    def element(self, selector):
        found = self.call("WebDriver:FindElement", using="css selector", value=selector)
        return found["value"][ELEMENT]

    def click(self, selector):
        self.call("WebDriver:ElementClick", id=self.element(selector))

    def run(self, script, *args):
        return self.call("WebDriver:ExecuteScript", script=script, args=list(args), sandbox=None)["value"]

    def run_async(self, script, *args):
        return self.call("WebDriver:ExecuteAsyncScript", script=script, args=list(args), sandbox=None)["value"]

    def perform(self, *sources):
        self.call("WebDriver:PerformActions", actions=list(sources))

    def errors(self):
        """The exceptions of pages, which Firefox prints."""
        return re.findall(r"JavaScript error: (http.*)", self.driver.said())
