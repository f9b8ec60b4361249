"""Tests of what rings: on a phone, several at once, and undo."""

import time

from more import choose
from page import test
from webdriver import wait


def instant(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def state_of(page, title):
    """The states of the alarms of a reminder."""
    return lambda: [each["state"] for name in ("ringing", "snoozed", "acknowledged")
                    for each in page.house.get(f"/v1/alarms?state={name}&limit=500")["items"]
                    if each["title"] == title]


def rings(page, title):
    return lambda: title in page.browser.text(".ring")


def press(page, selector, label):
    """Clicks on the button that is called so."""
    wait(f"{label} can be pressed", lambda: page.browser.run(
        "const found = [...document.querySelectorAll(arguments[0])].find((each) =>"
        "(each.ariaLabel ?? each.textContent) === arguments[1] && each.checkVisibility());"
        "found?.click(); return !!found", selector, label), quiet=True)


@test
def early_alarm(page):
    """Who is told an hour before can stop it, also on a phone, and it is not done by that."""
    b, house = page.browser, page.house
    home = house.list_id("Home")
    b.size(360, 740, True)
    page.go("today")
    item = house.post("/v1/reminders", listID=home, title="Go to the optician",
                      dueDate=instant(3602), alarms=[{"offset": "-PT1H"}])["id"]
    wait("it rings", rings(page, "Go to the optician"))
    assert b.text(".ring .main") == "Stop", b.text(".ring")
    press(page, ".ring .btn", "Later")
    wait("the menu has what is out of sight", lambda: "Done" in b.text(".menu"))
    assert b.text(".menu").startswith("Stop"), b.text(".menu")
    choose(b, "Stop")
    state = state_of(page, "Go to the optician")
    wait("it is stopped", lambda: state() == ["acknowledged"])
    wait("the bar is gone", lambda: not b.count(".ring"))
    assert house.get(f"/v1/reminders/{item}")["status"] == "incomplete"
    b.size(1280, 860)
    house.delete(f"/v1/reminders/{item}")


@test
def undo_of_alarms(page):
    """H3 of a snooze, and of a stop: it rings again, and the toast says the truth."""
    b, house = page.browser, page.house
    home = house.list_id("Home")
    page.go("today")
    item = house.post("/v1/reminders", listID=home, title="Feed the fish",
                      dueDate=instant(1))["id"]
    state = state_of(page, "Feed the fish")
    for label, wanted in ("10 min", "snoozed"), ("Stop", "acknowledged"):
        wait("it rings", rings(page, "Feed the fish"))
        press(page, ".ring .btn", label)
        wait(f"{label}: it is {wanted}", lambda: state() == [wanted])
        wait("the bar is gone", lambda: not b.count(".ring"))
        press(page, ".toast .btn", "UndoCtrl Z")
        wait("undo lets it ring again", lambda: state() == ["ringing"])
        wait("and says so", lambda: "Undone" in b.text(".toast") and not b.count(".toast .i-warn"))
    wait("it rings here", rings(page, "Feed the fish"))
    b.run("document.activeElement.blur()")
    b.press("Control+Shift+z")
    wait("redo stops it again", lambda: state() == ["acknowledged"])
    wait("here, too", lambda: not b.count(".ring"))
    b.press("Control+z")
    wait("and undo lets it ring", rings(page, "Feed the fish"))
    house.delete(f"/v1/reminders/{item}")
    wait("a deleted one is gone", lambda: not b.count(".ring"))


@test
def several_alarms(page):
    """All that rings can be seen and stopped."""
    b, house = page.browser, page.house
    home, at = house.list_id("Home"), instant(1)
    page.go("today")
    items = [house.post("/v1/reminders", listID=home, title=f"Pot {number}", dueDate=at)["id"]
             for number in (1, 2, 3, 4)]
    wait("four ring", lambda: "3 more" in b.text(".ring"))
    press(page, ".ring .btn", "3 more")
    wait("the others are shown", lambda: b.count(".others li") == 3)
    assert b.run("return document.querySelector('.ring [aria-expanded]').ariaExpanded") == "true"
    name = b.run("return document.querySelector('.others a').textContent")
    press(page, ".others .btn", f"Stop: {name}")
    wait("one of them is stopped", lambda: state_of(page, name)() == ["acknowledged"])
    wait("two others are left", lambda: b.count(".others li") == 2)
    for width, touch in (320, True), (1280, False):
        b.size(width, 740, touch)
        wait(f"nothing is outside at {width} px", lambda: b.run(
            "return [...document.querySelectorAll('.ring .btn')].every((each) => {"
            "const { left, right } = each.getBoundingClientRect();"
            "return left >= 0 && right <= innerWidth })"))
    press(page, ".ring .btn", "Stop all")
    states = lambda: [state_of(page, f"Pot {number}")() for number in (1, 2, 3, 4)]
    wait("all are stopped", lambda: states() == [["acknowledged"]] * 4)
    wait("the bar is gone", lambda: not b.count(".ring"))
    assert "Stopped 3 alarms" in b.text(".toast"), b.text(".toast")
    press(page, ".toast .btn", "UndoCtrl Z")
    wait("undo is of the three", lambda: states().count(["ringing"]) == 3)
    for each in items:
        house.delete(f"/v1/reminders/{each}")
    wait("the bar is gone", lambda: not b.count(".ring"))
