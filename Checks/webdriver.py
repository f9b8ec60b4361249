"""A headless Chromium, driven over WebDriver (https://www.w3.org/TR/webdriver2/)."""

import base64
import json
import pathlib
import re
import tempfile

from lib import waiting
from lib.server import Process
from lib.waiting import PATIENCE
from lib.web import call

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowDown": "\ue015", "ArrowUp": "\ue013",
        "ArrowLeft": "\ue012", "ArrowRight": "\ue014",
        "Delete": "\ue017", "Tab": "\ue004", "Control": "\ue009", "Alt": "\ue00a",
        "Shift": "\ue008", "Backspace": "\ue003", "End": "\ue010"}


def wait(what, condition, limit=PATIENCE, quiet=False):
    return waiting.wait(what, condition, limit, shown=not quiet)


class Browser:
    def __init__(self, *options, trace=None):
        """`trace` are categories of events, which `events` returns."""
        self.log = tempfile.NamedTemporaryFile(suffix=".log")
        self.driver = Process(["chromedriver", "--port=0"], self.log.name).start()
        port = waiting.wait("chromedriver starts", lambda: self.driver.must_run() and re.search(
            r"successfully on port (\d+)", self.driver.said()))[1]
        chrome = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", *options]}
        wanted = {"goog:chromeOptions": chrome, "goog:loggingPrefs": {"browser": "ALL"}}
        if trace:
            wanted["goog:loggingPrefs"]["performance"] = "ALL"
            chrome["perfLoggingPrefs"] = {"enableNetwork": False, "enablePage": False,
                                          "traceCategories": trace}
        session = call("POST", f"http://127.0.0.1:{port}/session",
                       {"capabilities": {"alwaysMatch": wanted}})
        self.url = f"http://127.0.0.1:{port}/session/{session['value']['sessionId']}"

    def close(self):
        call("DELETE", self.url)
        self.driver.kill()
        self.log.close()

    def cdp(self, cmd, **params):
        return call("POST", f"{self.url}/goog/cdp/execute", {"cmd": cmd, "params": params})["value"]

    def size(self, width, height, touch=False):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=touch)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=touch)

    def media(self, **features):
        self.cdp("Emulation.setEmulatedMedia", media=features.pop("media", ""), features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def open(self, url):
        call("POST", f"{self.url}/url", {"url": url})

    def reload(self):
        """Returns when it is loaded, so that nothing is asked of the page that was there before."""
        call("POST", f"{self.url}/refresh", {})

    def run(self, script, *args):
        body = {"script": script, "args": list(args)}
        return call("POST", f"{self.url}/execute/sync", body)["value"]

    def run_async(self, script, *args):
        body = {"script": script, "args": list(args)}
        return call("POST", f"{self.url}/execute/async", body)["value"]

    def element(self, selector):
        body = {"using": "css selector", "value": selector}
        return call("POST", f"{self.url}/element", body)["value"][ELEMENT]

    def write(self, selector, text):
        call("POST", f"{self.url}/element/{self.element(selector)}/value", {"text": text})

    def click(self, selector):
        call("POST", f"{self.url}/element/{self.element(selector)}/click", {})

    def tap(self, selector):
        """Clicks on an element by its script, as soon as it is there."""
        wait(f"{selector} can be clicked", lambda: self.run(
            "const found = document.querySelector(arguments[0]); found?.click(); return !!found",
            selector), quiet=True)

    def press(self, *keys):
        """Types on what has the focus. "Control+z" are two keys at once."""
        actions = []
        for each in keys:
            names = each.split("+") if len(each) > 1 else [each]
            codes = [KEYS.get(name, name) for name in names]
            actions += [{"type": "keyDown", "value": code} for code in codes]
            actions += [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self.perform({"type": "key", "id": "keys", "actions": actions})

    def perform(self, *sources):
        """Actions of the keyboard or a pointer (https://www.w3.org/TR/webdriver2/#actions)."""
        call("POST", f"{self.url}/actions", {"actions": list(sources)})

    def type(self, text):
        self.press(*text)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def window(self):
        return call("GET", f"{self.url}/window")["value"]

    def new_window(self):
        made = call("POST", f"{self.url}/window/new", {"type": "tab"})["value"]["handle"]
        self.switch(made)
        return made

    def switch(self, handle):
        call("POST", f"{self.url}/window", {"handle": handle})

    def complaints(self):
        """The messages of the console, except for failed connections: tests stop the server."""
        entries = call("POST", f"{self.url}/se/log", {"type": "browser"})["value"]
        return [each["message"] for each in entries
                if not re.search("net::ERR|icon from the Manifest: .*Download error", each["message"])]

    def trace(self):
        """Traces anew. Chromium begins with the call that finds nothing."""
        while self.events():
            pass

    def events(self):
        """What was traced since the last call of `trace`."""
        entries = call("POST", f"{self.url}/se/log", {"type": "performance"})["value"]
        messages = [json.loads(each["message"])["message"] for each in entries]
        return [each["params"] for each in messages if each["method"] == "Tracing.dataCollected"]

    def screenshot(self, file):
        image = call("GET", f"{self.url}/screenshot")["value"]
        pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(file).write_bytes(base64.b64decode(image))
