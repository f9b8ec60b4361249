"""A headless Chromium, driven over WebDriver (https://www.w3.org/TR/webdriver2/)."""

import json
import re
import subprocess
import urllib.request

PATIENCE = 20


def call(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        url, data, {"Content-Type": "application/json"}, method=method
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.loads(response.read() or b"null")


class Browser:
    def __init__(self):
        command = ["chromedriver", "--port=0"]
        self.driver = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for line in self.driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                break
        else:
            raise SystemExit("check-javascript: chromedriver did not start")
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu"]}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        address = f"http://127.0.0.1:{found.group(1)}/session"
        session = call("POST", address, wanted)
        self.url = f"{address}/{session['value']['sessionId']}"

    def open(self, url):
        call("POST", f"{self.url}/url", {"url": url})

    def close(self):
        call("DELETE", self.url)
        self.driver.terminate()
        self.driver.wait(PATIENCE)
        self.driver.stdout.close()
