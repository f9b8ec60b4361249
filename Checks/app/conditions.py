"""Tests of alarms, other input, settings, and conditions: offline, languages, sizes."""

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
    assert b.run(shown, of_times) == "when due", b.run(shown, of_times)
    change(b, of_times, "-PT10M")
    wait("one is stored", lambda: house.get("/v1/settings")["defaultAlarm"] == "-PT10M")
    change(b, of_days, "")
    wait("both are stored", lambda: house.get("/v1/settings")["defaultDayAlarm"] is None)
    change(b, "select[aria-label='From calendar programs']", "false")
    wait("calendar programs get none", lambda: not house.get("/v1/settings")["defaultForCalendars"])
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
    b.reload()
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
    b.reload()
    wait("it controls the page", lambda: b.run("return !!navigator.serviceWorker.controller"))
    page.house.stop()
    b.open(f"{page.house.url}/#/scheduled")
    b.reload()
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
    b.reload()
    wait("the page is live", page.sign("Live"))


@test
def german(page):
    b = page.browser
    b.run("localStorage.setItem('martlet.language', 'de'); location.hash = '#/today';")
    b.reload()
    wait("the page is German", lambda: b.text("#main h1") == "Heute")
    page.add("Oma anrufen morgen um 9 jede Woche")
    wait("its phrases are German", lambda: b.titles(".typed .k") == ["morgen um 9", "jede Woche"])
    b.press("Escape")
    b.run("localStorage.removeItem('martlet.language')")
    b.reload()
    wait("and English again", lambda: b.text("#main h1") == "Today")


@test
def french(page):
    """A line is read in the languages of the server, and their name is below it."""
    b = page.browser
    b.run("localStorage.setItem('martlet.language', 'fr'); location.hash = '#/today';")
    b.reload()
    wait("the page is French", lambda: b.text("#main h1") == "Aujourd’hui")
    page.add("Appeler maman tomorrow 9am")
    wait("its phrases are English", lambda: b.titles(".typed .k") == ["tomorrow 9am"])
    assert b.titles("#read [lang=en]") == ["English"], b.text("#read")
    b.run("document.activeElement.select()")
    b.type("Appeler maman demain à 9h30")
    wait("or French", lambda: b.titles(".typed .k") == ["demain à 9h30"])
    assert b.titles("#read [lang=fr]") == ["Français"], b.text("#read")
    b.press("Enter", "Escape")
    wait("it is added", page.server_has("Appeler maman"))
    reminder = page.server_has("Appeler maman")()
    assert "T" in reminder["dueDate"], reminder
    page.house.delete(f"/v1/reminders/{reminder['id']}")
    b.run("localStorage.removeItem('martlet.language')")
    b.reload()
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
