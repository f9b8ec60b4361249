"""Tests of keys and devices. They are the last ones: from the first key on, all need one."""

from looks import inspected
from page import test
from webdriver import call, wait


def looked_at(page):
    """The dialogs about devices, a code with its picture, and its end."""
    b = page.browser

    def look(check):
        page.go("settings")
        press(b, "Show a code")
        wait("it is asked what a new one may do", lambda: b.count("dialog[open]"), quiet=True)
        check("a new device")
        b.tap("dialog footer .main")
        wait("a code is shown", lambda: b.count("output.code"), quiet=True)
        check("a code")
        press(b, "Done")
        wait("it is not shown again", lambda: not b.count("output.code"), quiet=True)
        b.tap("#main [aria-label^='Revoke: ']")
        wait("the end is asked for", lambda: b.count("dialog[open]"), quiet=True)
        check("the end of a device")
        b.press("Escape")
        wait("it is closed", lambda: not b.count("dialog"), quiet=True)
    inspected(page, look)


def press(browser, text):
    """Clicks a button of Settings, as soon as it is there."""
    wait(f"{text} can be pressed", lambda: browser.run(
        "const found = [...document.querySelectorAll('#main .set .btn')].find((each) =>"
        "each.textContent === arguments[0]); found?.click(); return !!found", text), quiet=True)


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
    show = lambda: (press(b, "Show a code"),
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
    press(b, "Done")
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
    b.reload()
    wait("it is kept", page.shows("With a key"))
    page.go("settings")
    press(b, "Show a code")
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
    looked_at(page)
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
    press(b, "Show a code")
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
