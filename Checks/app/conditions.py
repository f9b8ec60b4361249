"""Tests of alarms, other input, settings, and conditions: offline, languages, sizes, keys."""

import json
import time
import urllib.request

from more import change
from page import by_title, test
from webdriver import call, wait


@test
def ringing(page):
    b = page.browser
    page.go("today")
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
    home = page.house.list_id("Home")
    page.house.post("/v1/reminders", listID=home, title="Turn off the oven", dueDate=at)
    wait("it rings", lambda: "Turn off the oven" in b.text(".ring"))
    b.run("document.querySelectorAll('.ring .btn')[1].click()")
    wait("snoozed", lambda: not b.count(".ring"))
    wait("on the server", lambda: [each for each in page.house.get(
        "/v1/alarms?state=snoozed")["items"] if each["title"] == "Turn off the oven"])
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
    page.house.post("/v1/reminders", listID=home, title="Take the bread out", dueDate=at)
    wait("another one rings", lambda: "Take the bread out" in b.text(".ring"))
    b.tap(".ring .main")
    wait("done", page.server_has("Take the bread out", status="completed"))
    wait("the bar is gone", lambda: not b.count(".ring"))


@test
def several(page):
    b = page.browser
    page.go("scheduled")
    wait("rows are there", lambda: b.count("#main .row") > 5)
    page.focus("Spelling words, part 1")
    b.press("x")
    page.focus("Spelling words, part 3")
    b.press("x")
    wait("two are selected", lambda: "2 selected" in b.text(".bar"))
    b.press("Delete")
    wait("both are gone", lambda: not page.server_has("Spelling words, part 1")() and
         not page.server_has("Spelling words, part 3")())
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("undo brings both back", lambda: page.server_has("Spelling words, part 1")() and
         page.server_has("Spelling words, part 3")())
    wait("in the page", page.shows("Spelling words, part 3"))


@test
def swipes(page):
    b = page.browser
    b.size(360, 740, True)
    page.go("today")

    def swipe(title, distance):
        x, y = b.run(
            "const row = [...document.querySelectorAll('#main .row .title')].find((each) =>"
            "each.textContent === arguments[0]); row.scrollIntoView({ block: 'center' });"
            "const box = row.closest('.row').getBoundingClientRect();"
            "return [180, Math.round(box.top + 20)]", title)
        steps = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        steps += [{"type": "pointerMove", "x": x + distance * part // 4, "y": y, "duration": 60}
                  for part in (1, 2, 3, 4)]
        steps.append({"type": "pointerUp", "button": 0})
        call("POST", f"{b.url}/actions", {"actions": [
            {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"},
             "actions": steps}]})

    wait("rows are there", page.shows("Check in for the flight to Lisbon"))
    swipe("Check in for the flight to Lisbon", -170)
    tomorrow = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400))
    wait("to the start is tomorrow", lambda: by_title(
        page, "Check in for the flight to Lisbon")["dueDate"].startswith(tomorrow))
    swipe("Buy milk, oats and the good olive oil", 170)
    wait("to the end is done", page.server_has("Buy milk, oats and the good olive oil",
                                               status="completed"))
    assert b.run("return location.hash") == "#/today"
    b.size(1280, 860)


@test
def settings(page):
    b = page.browser
    page.go("settings")
    b.click("input[value=dark]")
    assert b.run("return document.documentElement.dataset.theme") == "dark"
    b.click("input[value=system]")
    wait("the system's theme", lambda: b.run("return document.documentElement.dataset.theme")
         == "light")


@test
def default_alarms(page):
    b, house = page.browser, page.house
    of_times, of_days = "select[aria-label='At a time']", "select[aria-label='On a day']"
    page.go("settings")
    wait("the default alarms", lambda: b.count(of_times) == 1)
    shown = "return document.querySelector(arguments[0]).selectedOptions[0].text"
    assert b.run(shown, of_times) == "at the due time", b.run(shown, of_times)
    change(b, of_times, "-PT10M")
    wait("one is stored", lambda: house.get("/v1/settings")["defaultAlarm"] == "-PT10M")
    change(b, of_days, "")
    wait("both are stored", lambda: house.get("/v1/settings")["defaultDayAlarm"] is None)
    page.go("today")
    page.add("Ring the bell at 23:50")
    b.press("Enter")
    wait("it has the alarm", lambda: any(
        each["title"] == "Ring the bell" and [alarm["offset"] for alarm in each["alarms"]]
        == ["-PT10M"] for each in house.get("/v1/reminders?limit=500")["items"]))
    # It is set elsewhere meanwhile.
    house.patch("/v1/settings", defaultAlarm="-PT2H")
    page.go("settings")
    wait("another value is a choice, too",
         lambda: b.count(f"{of_times} option[value='-PT2H']") == 1, 20)


def waiting(browser):
    """How many writes the queue has stored."""
    return browser.run_async(
        "const done = arguments[0], request = indexedDB.open('martlet queue');"
        "request.onsuccess = () => { const { result } = request;"
        "const all = result.transaction('entries').objectStore('entries').getAll();"
        # What was answered is kept with the IDs that were made.
        "all.onsuccess = () => { result.close();"
        "done(all.result.filter(({ operations }) => operations).length); }; };")


@test
def offline(page):
    b = page.browser
    page.go("today")
    page.lose_server()
    for number in range(1, 6):
        page.add(f"Offline {number}")
        b.press("Enter")
    b.press("Escape")
    wait("what was added is shown", lambda: b.count(".row.wait") >= 5)
    page.focus("Offline 2")
    b.press("e", "End")
    b.type(" changed")
    b.press("Enter")
    wait("an edit is shown", page.shows("Offline 2 changed"))
    page.focus("Pay the water bill")
    b.press("f")
    page.focus("Offline 3")
    b.press("Delete")
    wait("a deletion is shown", page.lacks("Offline 3"))
    wait("it says how many wait", lambda: "waiting" in b.text(".sign"))
    wait("and has stored them", lambda: waiting(b) == 8)
    b.run("location.reload()")
    wait("after a reload all is there", page.shows("Offline 2 changed"), 20)
    page.find_server()
    wait("the page is live", page.sign("Live"), 30)
    wait("nothing waits", lambda: "waiting" not in b.text(".sign"), 30)
    titles = lambda: sorted(each["title"] for each in
                            page.house.get("/v1/reminders?limit=500")["items"]
                            if each["title"].startswith("Offline"))
    wait("all is there once", lambda: titles() == [
        "Offline 1", "Offline 2 changed", "Offline 4", "Offline 5"], 30)
    wait("the change, too", page.server_has("Pay the water bill", isFlagged=False))
    assert not b.count(".note.failed"), b.text(".note.failed")


@test
def offline_subtask(page):
    b = page.browser
    page.go("all")
    page.lose_server()
    page.add_with_part("Above the sea", "Below the sea")
    page.find_server()
    wait("the page is live", page.sign("Live"), 30)
    wait("they are on the server", page.server_has("Below the sea"), 40)
    wait("one below the other", page.server_has(
        "Below the sea", parentID=by_title(page, "Above the sea")["id"]))
    assert not b.count(".note.failed"), b.text(".note.failed")


@test
def worker(page):
    b = page.browser
    wait("the service worker has the app", lambda: b.run_async(
        "navigator.serviceWorker.ready.then(() => caches.open('martlet app')).then((cache) =>"
        "cache.keys()).then((all) => arguments[0](all.length > 10))"))
    b.run("location.reload()")
    wait("it controls the page", lambda: b.run("return !!navigator.serviceWorker.controller"))
    page.house.stop()
    b.open(f"{page.house.url}/#/scheduled")
    b.run("location.reload()")
    wait("the app opens without a network", lambda: len(b.titles()) > 3)
    page.go("today")
    page.add("Written on the train")
    b.press("Enter", "Escape")
    wait("one can write", page.shows("Written on the train"))
    page.find_server()
    wait("it is sent later", page.server_has("Written on the train"), 40)
    path = "/app/words/en.js" if page.house.app else "/app/en.js"
    get = lambda path: urllib.request.urlopen(page.house.url + path).read().decode()
    words = get(path)
    assert words.count('"Martlet"') == 1
    version = {**json.loads(get("/app/version.json")), "version": "another"}
    page.house.stop()
    page.house.start({path: words.replace('"Martlet"', '"Martlet 2"').encode(),
                      "/app/version.json": json.dumps(version).encode()})
    b.run("navigator.serviceWorker.controller.postMessage('look')")
    wait("a new version is offered", lambda: b.count(".note.fresh .btn"))
    assert "Martlet 2" not in b.text(".brand"), b.text(".brand")
    b.tap(".note.fresh .btn")
    wait("and loaded when one wants it", lambda: "Martlet 2" in b.text(".brand"))
    page.house.stop()
    page.house.start()
    b.run("caches.delete('martlet app'); navigator.serviceWorker.getRegistrations().then((all) =>"
          "all.forEach((each) => each.unregister()))")
    b.run("location.reload()")
    wait("the page is live", page.sign("Live"))


@test
def german(page):
    b = page.browser
    b.run("localStorage.setItem('martlet.language', 'de'); location.hash = '#/today';"
          "location.reload()")
    wait("the page is German", lambda: b.text("#main h1") == "Heute")
    page.add("Oma anrufen morgen um 9 jede Woche")
    wait("its phrases are German", lambda: b.titles(".typed .k") == ["morgen um 9", "jede Woche"])
    b.press("Escape")
    b.run("localStorage.removeItem('martlet.language'); location.reload()")
    wait("and English again", lambda: b.text("#main h1") == "Today")


@test
def narrow_and_mirrored(page):
    b = page.browser
    b.run("document.documentElement.dir = 'rtl'")
    for width in (320, 768, 1280):
        b.size(width, 700)
        for place in ("today", "scheduled", "settings", "search?q=the"):
            page.go(place)
            time.sleep(.2)
            assert b.run("return document.documentElement.scrollWidth <= innerWidth"), (width, place)
            wide = b.run("const main = document.querySelector('#main');"
                         "return main.scrollWidth - main.clientWidth")
            assert wide <= 0, (width, place, wide)
    b.size(1280, 860)
    b.run("document.documentElement.dir = ''")


def devices(page, key, own):
    """What Settings say and do of the other devices, and what a new one may do."""
    b, house = page.browser, page.house
    all_ = lambda: {each["name"]: each for each in house.get("/v1/keys", key)["items"]
                    if each["revokedAt"] is None}
    shown = lambda: b.run("return [...document.querySelectorAll('#main [aria-labelledby=s-Devices]"
                          " .set > div')].map((each) => each.innerText)")
    page.go("settings")
    wait("the devices are shown", lambda: len(shown()) == 3)
    assert "this device · may do everything" in shown()[1], shown()
    assert "Revoke" in shown()[0] and "Revoke" not in shown()[1], shown()
    show = lambda: (b.run("[...document.querySelectorAll('#main .btn')].find((each) =>"
                          "each.textContent === 'Show a code').click()"),
                    wait("the dialog is open", lambda: b.count("dialog[open]"), quiet=True))
    show()
    assert b.run("return document.querySelector('dialog :checked').value") == "write"
    home = house.get("/v1/lists", key)["items"][0]
    b.run("document.querySelector(`dialog [name=lists][value='${arguments[0]}']`).click()",
          home["id"])
    b.run("document.querySelector('dialog [name=name]').value = 'Kitchen'")
    b.tap("dialog footer .main")
    wait("one for a list is made at once", lambda: "Kitchen" in all_())
    assert all_()["Kitchen"]["lists"] == [home["id"]] and all_()["Kitchen"]["scope"] == "write"
    wait("its key is shown", lambda: b.text("output.code").startswith("mk_"))
    wait("with its list", lambda: any("Kitchen" in each and home["title"] in each
                                      for each in shown()))
    b.run("[...document.querySelectorAll('#main .set .btn')].find((each) =>"
          "each.textContent === 'Done').click()")
    wait("it is not shown again", lambda: not b.count("output.code"))
    show()
    b.tap("dialog [value=read]")
    b.tap("dialog footer .main")
    wait("a code is shown", lambda: b.count("output.code"))
    made = call("POST", f"{house.api}/v1/pairings", {"code": b.text("output.code"),
                                                     "name": "Old phone"})
    assert made["scope"] == "read", made
    wait("the new one comes by itself", lambda: any("Old phone" in each for each in shown()), 20)
    b.tap("#main [aria-label='Revoke: Old phone']")
    wait("it is asked", lambda: b.text("dialog h2") == "Revoke “Old phone”?")
    b.tap("dialog footer .warn")
    wait("it is revoked", lambda: "Old phone" not in all_())
    wait("and gone", lambda: not any("Old phone" in each for each in shown()))
    b.tap("#main [aria-label='Revoke: Kitchen']")
    b.tap("dialog footer .warn")
    wait("both are revoked", lambda: "Kitchen" not in all_())
    assert own in [each["id"] for each in all_().values()]


@test
def keys(page):
    b = page.browser
    page.go("today")
    key = page.house.key()
    wait("the first key locks the page", lambda: b.count(".door"), 30)
    b.write("#key", "mk_1_nonsense")
    b.press("Enter")
    wait("a wrong key is named at its field", lambda: b.run(
        "return document.querySelector('#key')?.getAttribute('aria-describedby')") == "key-error")
    b.run("document.querySelector('#key').value = ''")
    b.write("#key", key)
    b.press("Enter")
    wait("the key opens the page", page.sign("Live"))
    wait("with the reminders", lambda: b.titles())
    page.add("With a key")
    b.press("Enter")
    wait("writes use the key", lambda: any(each["title"] == "With a key" for each in
         page.house.get("/v1/reminders?limit=500", key)["items"]))
    b.press("Escape")
    wait("due today", lambda: any(each["title"] == "With a key" and each["dueDate"] for each in
         page.house.get("/v1/reminders?limit=500", key)["items"]))
    b.run("location.reload()")
    wait("it is kept", page.shows("With a key"))
    page.go("settings")
    wait("another device can be added", lambda: b.run(
        "const button = [...document.querySelectorAll('#main .btn')].find((each) =>"
        "each.textContent === 'Show a code'); button?.click(); return !!button"))
    wait("what it may do is asked", lambda: b.count("dialog[open] [name=scope]") == 3)
    b.tap("dialog [value=admin]")
    b.tap("dialog footer .main")
    wait("a code is shown", lambda: b.count("output.code"))
    code = b.text("output.code")
    wait("with a picture of its address", lambda: b.run(
        "return document.querySelector('svg.qr path').getAttribute('d').length") > 3000)
    b.tap("[aria-labelledby=s-Access] .warn")
    wait("signing out locks the page", lambda: b.count(".door"))
    b.tap(".door .btn.bare")
    wait("a code can be typed", lambda: b.count("#key[placeholder^=XXX]"))
    b.write("#key", code.lower())
    b.press("Enter")
    wait("the code signs in", page.sign("Live"))
    made = next(each for each in page.house.get("/v1/keys", key)["items"]
                if each["pairedBy"] is not None)
    paired = made["id"]
    assert made["name"] == "Chrome, Linux" and made["scope"] == "admin", made
    devices(page, key, paired)
    page.go("today")
    wait("with the reminders again", page.shows("With a key"))
    bearer = {"Authorization": f"Bearer {key}"}
    page.lose_server()
    page.add("Written before the key ended")
    b.press("Enter", "Escape")
    wait("it waits", page.shows("Written before the key ended"))
    page.add("Half of a li")
    page.house.revoke(paired)
    page.find_server()
    wait("a revoked key locks the page", lambda: b.count(".door"), 30)
    wait("what was not sent is a text to copy", lambda: b.run(
        "return document.querySelector('#kept')?.value") == "Written before the key ended\nHalf of a li")
    wait("and deletes the copy", lambda: b.run_async(
        "indexedDB.databases().then((all) => arguments[0](all.every(({ name }) => "
        "name !== 'martlet')))"))
    code = call("POST", f"{page.house.api}/v1/pairing-codes", {}, bearer)["code"]
    b.open("about:blank")
    b.open(f"{page.house.url}/#pair={code}")
    wait("the address of the picture signs in", page.sign("Live"), 30)
    wait("with the reminders", page.shows("With a key"))
    assert b.run("return location.hash") == "#/today"
    b.press("q")
    wait("and the half line", lambda: b.run("return document.activeElement.value") ==
         "Half of a li")
    b.press("Escape")
    reads = page.house.key("read")
    page.go("settings")
    wait("one can sign out", lambda: b.count("[aria-labelledby=s-Access] .warn"))
    b.tap("[aria-labelledby=s-Access] .warn")
    wait("signing out locks the page", lambda: b.count(".door"))
    page.house.stop()
    b.run("location.hash = arguments[0]", f"#key={reads}")
    wait("a link is used", lambda: "key=" not in b.run("return location.hash"))
    page.house.start()
    wait("as soon as the server answers", lambda: not b.count(".door"), 30)
    page.go("today")
    wait("a key that only reads", lambda: "may only read" in b.text(".note"), 30)
    wait("shows the reminders", page.shows("With a key"))
    page.go("settings")
    wait("it can add a device", lambda: b.run(
        "const button = [...document.querySelectorAll('#main .btn')].find((each) =>"
        "each.textContent === 'Show a code'); button?.click(); return !!button"))
    wait("which may do no more than it", lambda: b.run(
        "return [...document.querySelectorAll('dialog [name=scope]')].map((each) => each.value)")
        == ["read"])
    assert not b.count("dialog [name=lists]") and len(b.titles("#main [aria-labelledby=s-Devices]"
                                                               " .set > div")) == 1
    b.press("Escape")
    page.go("today")
    assert not b.run("return [...document.querySelectorAll('.add')].some((each) => "
                     "each.checkVisibility())")
    page.focus("With a key")
    before = len(b.titles())
    b.press(" ", "f")
    wait("what it cannot do is said", lambda: "may only read" in b.text(".toast"))
    assert len(b.titles()) == before and not b.count("#main .row.grace")
