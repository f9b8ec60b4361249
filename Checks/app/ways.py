"""Tests of the ways to be reached beside devices: channels in the settings."""

import contextlib
import http.server
import json
import pathlib
import re
import sqlite3
import threading
import urllib.parse

from alarms import instant, press, state_of
from house import House
from lib.mail import PASSWORD, USER, MailServer, library
from looks import fits, inspected, reload
from overlaps import OVERLAPS
from page import test
from webdriver import call, wait

GROUP = "#main [aria-labelledby='s-Other ways']"
SET = """
  const [name, value] = arguments, field = document.querySelector(`dialog [name=${name}]`);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));"""


class Receiver:
    """Another server, at a port of 127.0.0.1, which answers with `status`."""

    def __init__(self):
        # The method, the path, the header fields and the body of each request.
        self.seen, self.status = [], 200
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                receiver.seen.append((self.command, self.path, self.headers, body))
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_PUT = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.url = f"http://{self.host}"

    def message(self, holds=""):
        """The next request whose body has a text."""
        def found():
            for at, request in enumerate(self.seen):
                if holds in request[3]:
                    del self.seen[at]
                    return request
        return wait(f"a request with {holds}", found, quiet=True)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@contextlib.contextmanager
def receiving(page):
    """A receiver. Afterwards there are no channels, and the page is that of today."""
    receiver = Receiver()
    try:
        yield receiver
    finally:
        receiver.close()
        page.browser.run("document.querySelector('dialog')?.close()")
        for each in channels(page):
            page.house.delete(f"/v1/channels/{each['id']}")
        page.go("today")


def channels(page):
    return page.house.get("/v1/channels")["items"]


def cards(page):
    return page.browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", GROUP)


def says(page, text):
    return lambda: text in cards(page)


def card(page, label):
    press(page, f"{GROUP} .btn", label)


def fill(page, kind=None, **fields):
    """Fills the form in. `__` of a name are those of the form."""
    b = page.browser
    wait("the form is open", lambda: b.count("dialog[open] [name=name]"), quiet=True)
    if kind:
        b.run("const field = document.querySelector('dialog select');"
              "field.value = arguments[0]; field.onchange({ target: field })", kind)
        wait(f"the form of {kind}", lambda: b.run(
            "return document.querySelector('dialog select').value") == kind, quiet=True)
    for name, value in fields.items():
        wait(f"the field {name}", lambda: b.count(f"dialog [name={name}]"), quiet=True)
        if isinstance(value, bool):
            b.run("const [name, on] = arguments, box = document.querySelector("
                  "`dialog [name=${name}]`); if (box.checked !== on) box.click()", name, value)
        else:
            b.run(SET, name, value)


def save(page, is_done=True):
    b = page.browser
    b.run("document.querySelector('dialog footer .main').click()")
    if is_done:
        wait("the form closes", lambda: not b.count("dialog form footer"), quiet=True)


def begin(page):
    page.go("settings")
    wait("the ways are there", says(page, "Add a way"), quiet=True)


def make(page, kind, **fields):
    card(page, "Add a way")
    fill(page, kind, **fields)
    save(page)


def ntfy(page, receiver, **more):
    """A channel that the settings show."""
    made = page.house.post("/v1/channels", kind="ntfy", name="Phone", url=receiver.url,
                           settings={"topic": "abc", "token": "tk_secret"}, **more)
    begin(page)
    reload(page, "settings")
    wait("its card is there", says(page, f"ntfy · {receiver.host}/abc"))
    return made["id"]


@test
def ntfy_made(page):
    """A topic at random with its picture, a message of a test, and the state in words."""
    b = page.browser
    with receiving(page) as receiver:
        begin(page)
        card(page, "Add a way")
        fill(page)
        assert b.run("return document.querySelector('dialog [name=url]').value") == "https://ntfy.sh"
        topic = lambda: b.run("return document.querySelector('dialog [name=topic]').value")
        first, picture = topic(), b.run("return document.querySelector('dialog .qr path')"
                                        ".getAttribute('d')")
        assert re.fullmatch("[a-z0-9]{24}", first), first
        press(page, "dialog .btn", "Another topic")
        wait("there is another one", lambda: topic() != first)
        wait("with its picture", lambda: b.run(
            "return document.querySelector('dialog .qr path').getAttribute('d')") != picture)
        assert "upstream-base-url" not in b.text("dialog")
        fill(page, url=receiver.url, name="Kitchen", answers=True)
        wait("a server of one's own has a hint", lambda: "upstream-base-url" in b.text("dialog"))
        assert "can press them" in b.text("dialog"), b.text("dialog")
        chosen = topic()
        save(page)
        wait("it is there", says(page, f"Kitchen\nntfy · {receiver.host}/{chosen}"))
        made = channels(page)[0]
        wanted = {"kind": "ntfy", "events": ["alarm.ringing"], "lists": None, "after": None,
                  "quiet": None, "isEnabled": True}
        assert wanted.items() <= made.items(), made
        assert made["settings"] == {"topic": chosen, "answers": True}, made
        assert says(page, "Nothing was sent yet.")(), cards(page)
        card(page, "Test: Kitchen")
        wait("it says how long it took", lambda: re.search(r"Sent after \d+\.\d s", cards(page)))
        sent = json.loads(receiver.message()[3])
        assert [sent["topic"], "works" in sent["message"]] == [chosen, True], sent
        wait("and that it works", says(page, "Works. Last sent:"))


@test
def way_edited(page):
    """A change keeps the secrets that were not touched, and a key that only writes sees no ways."""
    b = page.browser
    with receiving(page) as receiver:
        number = ntfy(page, receiver)
        read = lambda: page.house.get(f"/v1/channels/{number}")
        b.run("document.querySelector(`[aria-label='Edit: Phone']`).focus()")
        b.press("Enter")
        fill(page, name="Radio", topic="def")
        home = page.house.list_id("Home")
        b.run("document.querySelector('dialog details').open = true")
        b.tap(f"dialog [name=lists][value='{home}']")
        fill(page, events="*", after="PT10M", quietFrom="22:00", quietTo="07:00")
        save(page)
        wait("it is changed", lambda: read()["name"] == "Radio")
        now, zone = read(), b.run("return Intl.DateTimeFormat().resolvedOptions().timeZone")
        assert now["settings"] == {"topic": "def", "token": "***"}, now
        assert [now["lists"], now["events"], now["after"]] == [[home], ["*"], "PT10M"], now
        assert now["quiet"] == {"from": "22:00", "to": "07:00", "mode": "silently",
                                "timeZone": zone}, now
        wait("the card says so", says(page, f"ntfy · {receiver.host}/def · Home · After 10 "
                                      "minutes · 22:00 to 07:00: without a sound"))
        focus = b.run("return document.activeElement.ariaLabel")
        assert focus == "Edit: Radio", focus
        card(page, "Test: Radio")
        assert receiver.message()[2]["Authorization"] == "Bearer tk_secret"
        card(page, "Edit: Radio")
        fill(page, token="", quietFrom="", after="")
        b.run("document.querySelector('dialog details').open = true")
        b.tap(f"dialog [name=lists][value='{home}']")
        save(page)
        wait("what is emptied is gone", lambda: "token" not in read()["settings"])
        now = read()
        assert [now["lists"], now["after"], now["quiet"]] == [None, None, None], now


@test
def quiet_way(page):
    """In quiet hours an alarm makes no sound on the phone."""
    b = page.browser
    with receiving(page) as receiver:
        number = ntfy(page, receiver)
        card(page, "Edit: Phone")
        fill(page, quietFrom="00:00", quietTo="23:59")
        save(page)
        wait("it is stored", lambda: page.house.get(f"/v1/channels/{number}")["quiet"])
        wait("and said", says(page, "00:00 to 23:59: without a sound"))
        item = page.house.post("/v1/reminders", listID=page.house.list_id("Home"),
                               title="Wind the old clock", dueDate=instant(1),
                               alarms=[{"offset": "PT0S"}])["id"]
        assert json.loads(receiver.message("Wind the old clock")[3])["priority"] == 2
        wait("the card says when", says(page, "Works. Last sent:"))
        page.house.delete(f"/v1/reminders/{item}")
        wait("it does not ring any more", lambda: not b.count(".ring"))


@test
def way_refused(page):
    """What the server refuses is told at its field, in the language of the page."""
    b = page.browser
    with receiving(page) as receiver:
        begin(page)
        card(page, "Add a way")
        fill(page, url=receiver.url, topic="no such topic", name="Phone")
        save(page, is_done=False)
        wait("it is told", lambda: b.count("dialog #wrong-topic"))
        about = b.run("const field = document.querySelector('dialog [name=topic]');"
                      "return [field === document.activeElement, field.ariaInvalid,"
                      "field.getAttribute('aria-describedby').split(' ')[0]]")
        assert about == [True, "true", "wrong-topic"], about
        assert "Up to 64 letters" in b.text("dialog #wrong-topic")
        fill(page, topic="abc", url="http://10.0.0.1/")
        save(page, is_done=False)
        wait("so is an address", lambda: b.count("dialog #wrong-url") and
             "may not send there" in b.text("dialog #wrong-url"))
        assert not b.count("dialog #wrong-topic"), "the other one is right now"
        fill(page, url=receiver.url)
        save(page)
        wait("it is made", lambda: len(channels(page)) == 1)
        b.complaints()


@test
def webhook_secret(page):
    """The secret of a webhook is shown once, and can be copied. Quiet hours are only later."""
    b = page.browser
    with receiving(page) as receiver:
        begin(page)
        card(page, "Add a way")
        fill(page, "webhook", url=f"{receiver.url}/hook", name="Light")
        modes = b.titles("dialog [name=quietMode] option")
        assert modes == ["later, when they are over"], modes
        b.run("document.querySelector('dialog details').open = true")
        fill(page, quietFrom="22:00", quietTo="06:30")
        save(page)
        wait("the secret is shown", lambda: "Secret of “Light”" in b.text("dialog"))
        secret = b.run("return document.querySelector('dialog [name=shown]').value")
        assert secret.startswith("whsec_"), secret
        # A page may copy what a click asks it to.
        b.click("dialog .line .btn")
        wait("it is copied", lambda: "Copied" in b.text("dialog"))
        b.press("Escape")
        wait("it closes", lambda: not b.count("dialog"))
        made = channels(page)[0]
        assert [made["kind"], made["quiet"]["mode"]] == ["webhook", "later"], made
        assert secret not in b.run("return document.documentElement.outerHTML")


@test
def given_up(page):
    """A message that was given up is sent again, after a receiver was gone. Removing asks first."""
    b = page.browser
    with receiving(page) as receiver:
        number = ntfy(page, receiver)
        receiver.status = 503
        card(page, "Test: Phone")
        wait("the test says why", says(page, "It was not sent."))
        wait("so does the card", says(page, "Has failed since"))
        assert f"{receiver.host} refuses it (503)" in cards(page), cards(page)
        receiver.status = 410
        for each in page.house.get("/v1/deliveries")["items"]:
            call("POST", f"{page.house.api}/v1/deliveries/{each['id']}/retry", {})
        wait("a 410 disables it", lambda: not page.house.get(
            f"/v1/channels/{number}")["isEnabled"])
        with sqlite3.connect(page.house.database) as database:
            database.execute("UPDATE deliveries SET state = 2, nextAt = NULL, endedAt = createdAt")
        database.close()
        reload(page, "settings")
        wait("which is said", says(page, "Disabled."))
        assert "Test" not in b.titles(f"{GROUP} .btn"), "what is disabled is not tested"
        receiver.status = 200
        card(page, "Edit: Phone")
        fill(page)
        b.run("document.querySelector('dialog details').open = true")
        fill(page, isEnabled=True)
        save(page)
        receiver.seen.clear()
        card(page, "Send again: Phone")
        receiver.message("works")
        wait("it works", says(page, "Works. Last sent:"))
        card(page, "Remove: Phone")
        wait("it asks", lambda: "Remove “Phone”?" in b.text("dialog"))
        b.press("Escape")
        wait("it stays", lambda: not b.count("dialog"))
        card(page, "Remove: Phone")
        b.tap("dialog footer .warn")
        wait("it is removed", lambda: channels(page) == [])
        wait("and gone", lambda: "Phone" not in cards(page))
        assert b.run("return document.activeElement.id") == "add-way", page.state()


@test
def recipes(page):
    """Services with an API of their own get the requests that they expect."""
    b, house = page.browser, page.house
    text = "Martlet\n "
    with receiving(page) as receiver:
        at = receiver.url
        wanted = {
            "gotify": ({"url": f"{at}/", "secret": "A7token"}, "POST", "/message",
                       {"X-Gotify-Key": "A7token"}, None),
            "telegram": ({"url": at, "secret": "123456:ABC-DEF", "chat": "-100200"}, "POST",
                         "/bot123456:ABC-DEF/sendMessage", {}, {"chat_id": "-100200"}),
            "matrix": ({"url": at, "room": "!abc:example.org", "secret": "syt_1"}, "PUT",
                       "/_matrix/client/v3/rooms/!abc:example.org/send/m.room.message/",
                       {"Authorization": "Bearer syt_1"}, {"msgtype": "m.text"}),
            "slack": ({"hook": f"{at}/services/T00/B00/XxX"}, "POST", "/services/T00/B00/XxX", {},
                      {}),
            "discord": ({"hook": f"{at}/api/webhooks/12/AbC_d-e"}, "POST",
                        "/api/webhooks/12/AbC_d-e", {}, {"allowed_mentions": {"parse": []}}),
            "home": ({"url": at, "service": "notify.mobile_app_phone", "secret": "ey.1"}, "POST",
                     "/api/services/notify/mobile_app_phone", {"Authorization": "Bearer ey.1"},
                     None),
        }
        begin(page)
        for kind, (fields, method, path, headers, body) in wanted.items():
            make(page, kind, **fields)
            wait(f"{kind} is made", lambda: len(channels(page)) == 1)
            made = channels(page)[0]
            name = made["name"]
            secret = made["settings"]["secret"]
            assert [secret, made["settings"]["people"]] == ["***", True], made
            wait("its card is there", says(page, f"{name}\n{name} · {receiver.host}"), quiet=True)
            card(page, f"Edit: {name}")
            fill(page, name=f"My {name}")
            shown = {each: b.run("return document.querySelector(`dialog [name=${arguments[0]}]`)"
                                 ".value", each) for each in fields}
            assert "secret" not in shown or shown["secret"] == "***", shown
            save(page)
            wait("it is changed", says(page, f"My {name}\n{name} ·"), quiet=True)
            receiver.seen.clear()
            card(page, f"Test: My {name}")
            got = receiver.message()
            at_path = urllib.parse.unquote(got[1])
            assert got[0] == method and at_path.startswith(path), got[:2]
            assert headers.items() <= dict(got[2].items()).items(), got[2].items()
            sent = json.loads(got[3])
            if body is not None:
                said = sent.get("text") or sent.get("body") or sent.get("content")
                assert said.startswith(text) and body.items() <= sent.items(), sent
            else:
                assert [sent["title"], "works" in sent["message"]] == ["Martlet", True], sent
            wait("it was sent", says(page, "Sent after"), quiet=True)
            house.delete(f"/v1/channels/{made['id']}")
            reload(page, "settings")
            wait("no way is left", lambda: "Add a way" in cards(page) and name not in
                 cards(page).replace("or a chat", ""), quiet=True)


POST = {"kind": "template", "name": "Post", "settings": {
    "body": '{"title": "{{title}}", "token": "{{answer}}"}', "answers": True}}


def token_of(house, receiver, title, key=None):
    """A reminder that rings, and the token of its message."""
    home = house.get("/v1/lists", key)["items"][0]["id"]
    item = call("POST", f"{house.api}/v1/reminders", {
        "listID": home, "title": title, "dueDate": instant(1), "alarms": [{"offset": "PT0S"}]},
        key=key)
    return item["id"], json.loads(receiver.message(f'{{"title": "{title}"')[3])["token"]


def answer_page(page, token, house=None):
    """Opens the page as a link in a message does."""
    b = page.browser
    b.open("about:blank")
    b.open(f"{(house or page.house).url}/#answer={token}")
    wait("the page of the answer is open", lambda: b.count("main.door h1"), quiet=True)
    wait("the token has left the address", lambda: "ma_" not in b.run("return location.href"),
         quiet=True)


@test
def answered_by_link(page):
    """The page behind a link in a message acts on a click, and says what happened."""
    b, house = page.browser, page.house
    said = lambda text: lambda: text in b.text("main.door")
    with receiving(page) as receiver:
        house.post("/v1/channels", url=f"{receiver.url}/post", **POST)
        item, token = token_of(house, receiver, "Turn the compost")
        answer_page(page, token)
        wait("it asks", lambda: b.titles("main.door button") == ["Done", "Stop", "10 minutes"])
        assert not b.count(".side"), "nothing else is there"
        assert state_of(page, "Turn the compost")() == ["ringing"], "it did nothing"
        assert b.text("main.door h1") == "Turn the compost", b.text("main.door")
        assert "Due:" in b.text("main.door"), b.text("main.door")
        b.press("q")
        press(page, "main.door button", "10 minutes")
        wait("it says when", said("Rings again at"))
        wait("it is so", lambda: state_of(page, "Turn the compost")() == ["snoozed"])
        assert not b.count("main.door button, .add.open"), b.text("main.door")
        answer_page(page, token)
        wait("what was answered is told", said("It was already answered."))
        house.delete(f"/v1/reminders/{item}")
        item, token = token_of(house, receiver, "Close the shutters")
        answer_page(page, token)
        press(page, "main.door button", "Done")
        wait("it is done", said("Done."))
        assert house.get(f"/v1/reminders/{item}")["status"] == "completed"
        b.tap("main.door a")
        wait("the app opens", lambda: b.count(".side") and not b.count("main.door"))
        item, token = token_of(house, receiver, "Open the shutters")
        answer_page(page, token)
        wait("it asks", lambda: b.count("main.door button"), quiet=True)
        house.delete(f"/v1/reminders/{item}")
        press(page, "main.door button", "Stop")
        wait("it is gone meanwhile", said("It was deleted."))
        answer_page(page, "ma_1_0000000000000000000000000000000000000000")
        wait("a wrong one is told", said("This link is not valid any more."))
        b.complaints()
        b.tap("main.door a")
        wait("the page is live", page.sign("Live"), quiet=True)


@test
def offered_alarms(page):
    """Alarms for reminders without one are offered once, and undo takes all of them back."""
    b, house = page.browser, page.house
    line = ".bars .note"
    told = lambda: b.text(".bars")
    items = [house.post("/v1/reminders", listID=house.list_id("Garden"), title=f"Prune {number}",
                        dueDate=due, alarms=[])["id"]
             for number, due in enumerate([instant(86_400), instant(172_800), instant(-3600),
                                           instant(259_200)[:10]])]
    # More than one request may have.
    made = call("POST", f"{house.api}/v1/batch", {"operations": [
        {"method": "POST", "path": f"/v1/lists/{house.list_id('Garden')}/reminders",
         "body": {"title": f"Rake {number}", "dueDate": instant(90_000), "alarms": []}}
        for number in range(500)]})["results"]
    alarms = lambda: [len(house.get(f"/v1/reminders/{each}")["alarms"]) for each in items]
    alone = b.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
      for (const each of ["noAlarms", "noDayAlarms"]) {
        if (!sessionStorage.getItem(each)) localStorage.removeItem(`martlet.${each}`);
        sessionStorage.setItem(each, "asked");
      }""")["identifier"]
    try:
        reload(page)
        wait("it is offered", lambda: "502 reminders have a time and no alarm" in told())
        assert "A reminder is due on a day and has no alarm" in told(), told()
        fits(page, "the lines")
        b.run("document.querySelector('.bars .note .btn').click()")
        wait("they have one", lambda: alarms() == [1, 1, 0, 0])
        wait("all of them", lambda: all(each["alarms"] for each in house.get(
            "/v1/reminders?q=Rake&limit=500")["items"]))
        first = house.get(f"/v1/reminders/{items[0]}")["alarms"][0]
        assert first["offset"] == house.get("/v1/settings")["defaultAlarm"], first
        wait("the line is gone", lambda: "have a time" not in told())
        assert "Added 502 alarms" in b.text(".toast"), b.text(".toast")
        press(page, ".toast .btn", "UndoCtrl Z")
        wait("undo takes them back", lambda: alarms() == [0, 0, 0, 0])
        wait("all of them, too", lambda: not any(each["alarms"] for each in house.get(
            "/v1/reminders?q=Rake&limit=500")["items"]))
        press(page, f"{line} .btn", "No")
        wait("the other one is declined", lambda: not b.count(line))
        reload(page, "settings")
        wait("the settings offer it", lambda: "502 reminders have a time" in b.text("#main"))
        assert not b.count(line), "it was offered once"
        for each in made:
            house.delete(each["location"])
        entry = lambda: b.run("return [...document.querySelectorAll('#main .set > div')].find("
                              "(each) => each.textContent.includes('on a day and has no alarm'))"
                              "?.querySelector('button')?.click() ?? 'gone'")
        wait("one of a day is left", lambda: "2 reminders have a time" in b.text("#main"))
        entry()
        wait("it gets its alarm", lambda: alarms() == [0, 0, 0, 1])
        wait("the entry is gone", lambda: entry() == "gone")
    finally:
        b.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=alone)
        for each in items:
            house.delete(f"/v1/reminders/{each}")
        page.go("today")


@test
def ways_of_keys(page):
    """The page of an answer needs no key. Who is no admin sees no ways."""
    b, folder = page.browser, pathlib.Path(page.house.database).parent / "ways"
    folder.mkdir()
    house, receiver = House(page.house.program, page.house.app, folder), Receiver()
    admin, writer = house.key(), house.key("write")
    door = lambda text: lambda: text in b.text("main.door")
    try:
        call("POST", f"{house.api}/v1/channels", {**POST, "url": receiver.url}, key=admin)
        item, token = token_of(house, receiver, "Bleed the radiators", admin)
        answer_page(page, token, house)
        wait("it asks without a key", door("Bleed the radiators"))
        press(page, "main.door button", "Done")
        wait("it is done", door("Done."))
        assert house.get(f"/v1/reminders/{item}", admin)["status"] == "completed"
        b.tap("main.door a")
        wait("the app asks for a key", door("Sign in"))
        for key, sees in (writer, False), (admin, True):
            b.open("about:blank")
            b.open(f"{house.url}/#key={key}")
            wait("the page is live", page.sign("Live"), quiet=True)
            page.go("settings")
            wait("the settings are there", lambda: "may " in b.text("#main"), quiet=True)
            assert says(page, "Add a way")() == sees, cards(page)
            press(page, "#main .btn", "Sign out")
            wait("it is locked", door("Sign in"), quiet=True)
        b.complaints()
    finally:
        receiver.close()
        house.stop()
        b.open(f"{page.house.url}/#/today")
        wait("the page is live", page.sign("Live"), 30)


@test
def mail(page):
    """Mail with a user and a password, which the form does not show again, and a wrong one."""
    if not library():
        print("  left out: aiosmtpd is not here, without PyPI")
        return
    b, server = page.browser, MailServer(asks=True)
    with receiving(page):
        begin(page)
        card(page, "Add a way")
        fill(page, "mail")
        port = lambda: b.run("return document.querySelector('dialog [name=port]').value")
        security = lambda value: b.run(
            "const field = [...document.querySelectorAll('dialog select')][1];"
            "field.value = arguments[0]; field.onchange({ target: field })", value)
        ports = [port()]
        for each in "starttls", "none":
            security(each)
            ports.append(port())
        assert ports == ["465", "587", "25"], ports
        fill(page, host="127.0.0.1", port=str(server.port), **{"from": USER}, to="me@example.org",
             user=USER, name="Post")
        save(page, is_done=False)
        wait("a password is asked for", lambda: "user and the password" in
             b.text("dialog #wrong-password"))
        fill(page, password=PASSWORD)
        save(page)
        wait("its card is there", says(page, "Post\nMail · me@example.org"))
        made = channels(page)[0]
        assert made["url"] == f"smtp://127.0.0.1:{server.port}", made
        assert made["settings"] == {"from": USER, "to": "me@example.org", "user": USER,
                                    "password": "***", "security": "none"}, made
        card(page, "Test: Post")
        wait("it was sent", says(page, "Sent after"))
        assert server.arrived().recipients == ["me@example.org"]
        card(page, "Edit: Post")
        fill(page, to="you@example.org")
        save(page)
        wait("it is changed", says(page, "Mail · you@example.org"))
        card(page, "Test: Post")
        assert server.arrived(2).recipients == ["you@example.org"], "with the same password"
        card(page, "Edit: Post")
        fill(page, password="another")
        save(page)
        card(page, "Test: Post")
        wait("a wrong one is told", says(page, f"It was not sent. 127.0.0.1:{server.port} refuses "
                                         "the user or the password."))
        wait("it can be sent again", lambda: "Send again" in b.titles(f"{GROUP} .btn"))
        b.complaints()
    server.close()


@test
def ways_looked_at(page):
    """The cards and the forms in all widths and themes."""
    b = page.browser
    with receiving(page) as receiver:
        ntfy(page, receiver)
        page.house.post("/v1/channels", url=receiver.url, **POST)
        item, token = token_of(page.house, receiver, "Oil the gate")

        def look(check):
            page.go("settings")
            wait("the card is there", says(page, "ntfy"), quiet=True)
            fits(page, "cards")
            check("cards")
            for kind in "ntfy", "mail", "template":
                card(page, "Add a way")
                fill(page, kind)
                b.run("document.querySelector('dialog details').open = true")
                fits(page, kind)
                assert b.run(OVERLAPS) == [], b.run(OVERLAPS)
                check(kind)
                b.press("Escape")
                wait("it closes", lambda: not b.count("dialog"), quiet=True)
            answer_page(page, token)
            wait("it asks", lambda: b.count("main.door button"), quiet=True)
            fits(page, "an answer")
            check("an answer")
            b.tap("main.door a")
            wait("the app opens", page.sign("Live"), quiet=True)
        inspected(page, look)
        page.house.delete(f"/v1/reminders/{item}")
