"""Tests of what the settings say of devices that ring while no page is open."""

import contextlib
import pathlib
import re
import sqlite3

from alarms import instant, press, state_of
from house import House
from lib.push import Device, library
from lib.waiting import PATIENCE
from looks import fits, inspected, reload
from overlaps import OVERLAPS
from page import Page, test
from phone import Phone, with_phone
from webdriver import call, wait


def states(page):
    """What the card says, without the names of its lines."""
    return page.browser.run(
        "return document.querySelector(`#main [aria-labelledby='s-This device']`)?.innerText ?? ''")


@with_phone
def states_of_the_device(page, phone):
    """What the settings say where it cannot ring, and what one can do there."""
    b = page.browser
    says = lambda text: lambda: text in states(page)
    for script, text in [
            ("Object.defineProperty(window, 'isSecureContext', { value: false });", "with https"),
            ("delete window.PushManager;", "cannot ring while the app is closed"),
            ("delete window.PushManager; Object.defineProperty(navigator, 'standalone', "
             "{ value: false });", "Add to Home Screen")]:
        made = phone.before(script)
        reload(page, "settings")
        wait(text, says(text))
        assert "Ring on this device" not in states(page), states(page)
        phone.after(made)
    reload(page, "settings")
    wait("it can be turned on", says("Ring on this device"))
    phone.allow("denied")
    wait("the browser says no", says("This browser does not allow it"))
    assert "Ring on this device" not in states(page), states(page)
    phone.allow("prompt")
    wait("or yes again", says("Ring on this device"))
    made = phone.before("PushManager.prototype.subscribe = async () => {"
                        "throw new DOMException('push service error', 'AbortError') };")
    reload(page, "settings")
    press(page, "#main .set .btn:not([disabled])", "Ring on this device")
    wait("without a service it says so", lambda: "no service" in b.text(".toast"))
    phone.after(made)
    reload(page, "settings")
    phone.allow("granted")
    phone.turn_on()
    row = phone.rows()[0]
    assert [row["name"], row["host"], row["lists"]] == ["Chrome, Linux", phone.host, None], row
    reload(page, "settings")
    wait("it stays on", says("It rings here"))
    assert phone.rows()[0]["id"] == row["id"], phone.rows()
    press(page, "#main .set .btn", "Turn off")
    wait("it is off", lambda: phone.rows() == [])
    wait("which is said", says("Ring on this device"))


@with_phone
def chosen_lists(page, phone):
    """A device rings for all lists or for some."""
    b, house = page.browser, page.house
    phone.turn_on()
    home = house.list_id("Home")
    press(page, "#main .set .btn", "Choose")
    b.tap(f"dialog [name=lists][value='{home}']")
    b.tap("dialog footer .main")
    wait("one is chosen", lambda: phone.rows()[0]["lists"] == [home])
    wait("which is shown", lambda: "Lists that ring\nHome" in states(page))
    silent = phone.due("Not for this phone", "Garden")
    item, message = phone.ring("For this phone")
    assert message["title"] == "For this phone", message
    wait("the other one rings", lambda: state_of(page, "Not for this phone")() == ["ringing"])
    assert phone.service.seen == [], "but not here"
    press(page, "#main .set .btn", "Choose")
    b.tap(f"dialog [name=lists][value='{home}']")
    b.tap("dialog footer .main")
    wait("without a choice it is all", lambda: phone.rows()[0]["lists"] is None)
    for each in item, silent:
        house.delete(f"/v1/reminders/{each}")


@with_phone
def tried_out(page, phone):
    """The test says when it was sent and shown, or why it may not have been."""
    b = page.browser
    phone.turn_on()
    press(page, "#main .set .btn", "Test")
    wait("it says when", lambda: "It rings in ten seconds" in states(page))
    message = phone.message("test")
    wait("it says that it was sent", lambda: "Sent after" in states(page))
    shown = phone.deliver(message)
    assert [shown["title"], shown["body"]] == ["Chrome, Linux", "This device rings."], shown
    wait("and shown", lambda: re.search(r"Sent after \d\.\d s, shown after \d+\.\d s",
                                        states(page)))
    press(page, "#main .set .btn", "Test")
    wait("once more", lambda: "It rings in ten seconds" in states(page))
    phone.message("test")
    wait("it is sent", lambda: "Sent after" in states(page))
    b.run("const { now } = Date; Date.now = () => now() + 90_000;")
    wait("what was not shown has its causes", lambda: "battery saver" in states(page) and
         f"{phone.host} has accepted it" in states(page))


@with_phone
def no_longer_reached(page, phone):
    """What the push service refuses is said, and a subscription that was lost is made anew."""
    b, house = page.browser, page.house
    phone.turn_on()
    phone.service.status = 403
    item, _ = phone.ring("Clean the oven")
    wait("it fails", lambda: phone.rows()[0]["failingSince"])
    wait("which is said", lambda: f"{phone.host} refuses it (403)" in states(page))
    assert "It rings here" not in states(page), states(page)
    house.delete(f"/v1/reminders/{item}")
    phone.service.status = 410
    item = phone.due("Clean the stove")
    wait("it is lost", lambda: phone.rows()[0]["lostAt"])
    wait("which is said, too", lambda: "given up its subscription" in states(page))
    phone.service.status = 201
    lost = phone.rows()[0]["id"]
    press(page, "#main .set .btn", "Ring on this device")
    wait("a click makes another one", lambda: [each["id"] != lost for each in phone.rows()] ==
         [True])
    wait("which rings", lambda: "It rings here" in states(page))
    house.delete(f"/v1/reminders/{item}")
    item, message = phone.ring("Clean the fridge")
    phone.deliver(message)
    house.delete(f"/v1/reminders/{item}")


@with_phone
def repaired(page, phone):
    """At its start the app puts right what does not fit any more."""
    b, house = page.browser, page.house
    phone.turn_on()
    first = phone.rows()[0]["id"]
    house.delete(f"/v1/push/subscriptions/{first}")
    reload(page)
    wait("a lost row is made again", lambda: [each["id"] for each in phone.rows()] != [first] and
         len(phone.rows()) == 1)
    second = phone.rows()[0]["id"]
    b.run("const kept = JSON.parse(localStorage.getItem('test.subscription'));"
          "localStorage.setItem('test.subscription', JSON.stringify({ ...kept, key: [4, 2] }))")
    reload(page)
    wait("another key of the server has another subscription", lambda: [each["id"]
         for each in phone.rows()] not in ([], [second]) and len(phone.rows()) == 1)
    third = phone.rows()[0]["id"]
    b.run("localStorage.removeItem('test.subscription')")
    reload(page)
    wait("and so has one that the browser has ended", lambda: [each["id"] for each in phone.rows()]
         not in ([], [third]) and len(phone.rows()) == 1)
    fourth = phone.rows()[0]["id"]
    marked = lambda: b.run_async("caches.match('/changed').then((each) => arguments[0](!!each))")
    phone.asked(event="pushsubscriptionchange")
    wait("the worker says that it is another one", marked)
    call("PATCH", f"{house.api}/v1/push/subscriptions/{fourth}", {"name": "Red phone"})
    reload(page)
    wait("the app tells the server", lambda: not marked())
    assert [(each["id"], each["name"]) for each in phone.rows()] == [(fourth, "Red phone")]
    page.go("settings")
    wait("it is on", lambda: "It rings here" in states(page))
    item, message = phone.ring("Sharpen the knives")
    phone.deliver(message)
    house.delete(f"/v1/reminders/{item}")


@with_phone
def other_devices(page, phone):
    b, house = page.browser, page.house
    call("PUT", f"{house.api}/v1/push/subscriptions", {
        "endpoint": f"{phone.service.origin}/tablet", "keys": Device().keys, "name": "Tablet",
        "lists": None})
    phone.turn_on()
    others = lambda: b.titles("#main [aria-labelledby='s-Other devices that ring'] .set > div")
    wait("it is beside this one", lambda: others() ==
         [f"Tablet{phone.host} · Nothing was shown yet.Remove"])
    b.tap("#main [aria-label='Remove: Tablet']")
    wait("it is removed", lambda: [each["name"] for each in phone.rows()] == ["Chrome, Linux"])
    wait("and gone", lambda: others() == [])


@with_phone
def when_it_rings(page, phone):
    """A device can wait for an answer of another one, and has quiet hours."""
    b, house = page.browser, page.house
    phone.turn_on()
    wait("it rings at once", lambda: "At once" in states(page))
    press(page, "#main .set .btn", "When it rings: Choose")
    wait("the dialog opens", lambda: b.count("dialog [name=after]"), quiet=True)
    b.run("document.querySelector('dialog [name=after]').value = 'PT10M'")
    for name, time in ("from", "00:00"), ("to", "23:59"):
        b.run(f"document.querySelector('dialog [name={name}]').value = '{time}'")
    b.tap("dialog footer .main")
    wait("it is stored", lambda: phone.rows()[0]["after"] == "PT10M")
    quiet = phone.rows()[0]["quiet"]
    zone = b.run("return Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert quiet == {"from": "00:00", "to": "23:59", "mode": "silently", "timeZone": zone}, quiet
    wait("and said", lambda: "After 10 minutes · 00:00 to 23:59: without a sound" in states(page))
    number = phone.rows()[0]["id"]
    call("PATCH", f"{house.api}/v1/push/subscriptions/{number}", {
        "after": None, "quiet": {"timeZone": "Asia/Tokyo", "from": "00:01", "to": "00:00"}})
    wait("another device may change it", lambda: "At once · 00:01" in states(page))
    reload(page, "settings")
    wait("the clocks are those of the device", lambda: phone.rows()[0]["quiet"]["timeZone"] == zone)
    item, message = phone.ring("Wind the clock")
    assert message["quiet"] is True and phone.deliver(message)["silent"], message
    house.delete(f"/v1/reminders/{item}")
    press(page, "#main .set .btn", "When it rings: Choose")
    wait("the dialog opens", lambda: b.count("dialog [name=from]"), quiet=True)
    b.run("document.querySelector('dialog [name=from]').value = ''")
    b.tap("dialog footer .main")
    wait("without a time there are none", lambda: phone.rows()[0]["quiet"] is None)


@with_phone
def told_of_broken(page, phone):
    """The app says which device gets nothing any more, until one has seen to it or put it off."""
    b, house = page.browser, page.house
    call("POST", f"{house.api}/v1/push/key", {})
    for name in "Tablet", "Radio":
        call("PUT", f"{house.api}/v1/push/subscriptions", {
            "endpoint": f"{phone.service.origin}/{name}", "keys": Device().keys, "name": name,
            "lists": None})
    radio = phone.rows()[1]["id"]
    page.go("today")
    phone.service.status = 410
    item = phone.due("Clean the lamp")
    line = ".note[role=status]"
    told = lambda: b.text(line) if b.count(line) else ""
    wait("it is told", lambda: "“Tablet” has got nothing since" in told() and "“Radio”" in told())
    fits(page, "the line")
    phone.service.status = 201
    call("DELETE", f"{house.api}/v1/push/subscriptions/{radio}")
    wait("what is removed is not told", lambda: "“Radio”" not in told() and "“Tablet”" in told())
    b.tap(f"{line} button")
    wait("it is put off", lambda: told() == "")
    b.reload()
    wait("the page is live", page.sign("Live"), quiet=True)
    wait("the rest is there", lambda: b.count(".row .title"), quiet=True)
    assert told() == "", told()
    b.run("localStorage.setItem('martlet.broken', String(Date.now() - 8 * 86_400_000))")
    b.reload()
    wait("for a week", lambda: "“Tablet”" in told())
    def fails(since):
        with contextlib.closing(sqlite3.connect(house.database, timeout=PATIENCE)) as file, file:
            file.execute("UPDATE settings SET cannotSendSince = ?", [since])

    fails("2030-12-24 08:00:00.000")
    b.run("localStorage.removeItem('martlet.broken')")
    b.reload()
    wait("it says that the server sends nothing", lambda: "The server has sent nothing since" in told())
    fails(None)
    house.delete(f"/v1/reminders/{item}")


@with_phone
def offered(page, phone):
    """With the first alarm it is offered, once, after the way back."""
    b, house = page.browser, page.house
    b.run("localStorage.removeItem('martlet.offered')")
    page.go("today")
    page.add("Ring the neighbours tomorrow 9am")
    b.press("Enter", "Escape")
    wait("the way back comes first", lambda: "Undo" in b.text(".toast"))
    b.tap(".toast [aria-label=Close]")
    wait("then it is offered", lambda: "can ring with the app closed" in b.text(".toast"))
    b.tap(".toast a")
    wait("it leads to the settings", lambda: "Ring on this device" in states(page))
    page.go("today")
    page.add("Ring the others tomorrow 9am")
    b.press("Enter", "Escape")
    wait("it is done", lambda: "Undo" in b.text(".toast"))
    b.tap(".toast [aria-label=Close]")
    wait("it is stored", page.server_has("Ring the others"))
    assert "closed" not in b.text(".toast"), "it is offered once"


@test
def signed_out(page):
    """Who signs out takes the device along. A key that only reads answers nothing."""
    if not library():
        return
    b, folder = page.browser, pathlib.Path(page.house.database).parent / "keys"
    folder.mkdir()
    house = House(page.house.program, page.house.app, folder)
    admin, phone = house.key(), Phone(Page(house, b), house.key("read"))
    try:
        with phone.lent():
            phone.turn_on()
            wait("the key has the device", lambda: [each["keyID"] for each in phone.rows()] == [2])
            home = house.get("/v1/lists", admin)["items"][0]["id"]
            call("POST", f"{house.api}/v1/reminders", {
                "listID": home, "title": "Read the meter", "dueDate": instant(1)}, key=admin)
            message = phone.message("ring")
            assert message["do"] == [], message
            phone.deliver(message)
            wait("it is shown", lambda: [each["actions"] for each in phone.seen()] == [[]])
            b.tap("[aria-labelledby=s-Access] .warn")
            wait("signing out locks the page", lambda: b.count(".door"))
            wait("the server sends nothing more", lambda: phone.rows() == [])
            assert b.run("return localStorage.getItem('test.subscription')") is None
            assert phone.seen() == [], "nothing of it is left to be seen"
    finally:
        house.stop()
        b.open(f"{page.house.url}/#/today")
        wait("the page is live", page.sign("Live"), 30)


@with_phone
def looked_at(page, phone):
    """The card in all widths and themes, on, off and failing."""
    b = page.browser

    def look(check):
        page.go("settings")
        wait("it is off", lambda: "It does not ring" in states(page), quiet=True)
        check("off")
        phone.turn_on()
        fits(page, "on")
        check("on")
        press(page, "#main .set .btn", "Choose")
        wait("the dialog opens", lambda: b.count("dialog[open]"), quiet=True)
        check("lists")
        b.press("Escape")
        wait("it closes", lambda: not b.count("dialog"), quiet=True)
        assert b.run(OVERLAPS) == [], b.run(OVERLAPS)
        press(page, "#main .set .btn", "Turn off")
        wait("it is off again", lambda: phone.rows() == [], quiet=True)
    inspected(page, look)
