"""Tests of several devices and people, and of forms that were hard to find through."""

from more import change, is_open
from page import test
from webdriver import wait


@test
def told_of_others(page):
    """Of the same member the last change wins, and who made the first one hears of it."""
    b, house = page.browser, page.house
    home = house.list_id("Home")
    item = house.post("/v1/reminders", listID=home, title="Paint the fence")["id"]
    page.go(f"lists/{home}")
    wait("it is there", page.shows("Paint the fence"))
    page.focus("Paint the fence")
    b.press("f")
    wait("it is flagged", lambda: house.get(f"/v1/reminders/{item}")["isFlagged"])
    b.press("e")
    wait("the title can be edited", lambda: b.count("#main .row .edit"))
    b.press("Control+a")
    b.type("Paint the gate")
    b.press("Enter")
    wait("it is changed", page.server_has("Paint the gate"))
    house.patch(f"/v1/reminders/{item}", notes="Green")
    wait("another member", lambda: "Green" in b.text("#main .rows"))
    assert "Another device" not in b.text(".toast")
    house.patch(f"/v1/reminders/{item}", title="Paint the door")
    wait("the same member", page.shows("Paint the door"))
    wait("is said", lambda: "Another device has changed “Paint the door” since: Title" in
         b.text(".toast"))
    b.tap(".toast a")
    wait("and can be opened", lambda: b.run("return location.hash") == f"#/reminders/{item}")
    b.press("Escape")
    house.delete(f"/v1/reminders/{item}")


@test
def chosen_parent(page):
    """What it is a part of is found by typing, however many there are."""
    b, house = page.browser, page.house
    made = house.post("/v1/lists", title="Many parents", color="#4a99ef")["id"]
    house.post("/v1/batch", operations=[
        {"method": "POST", "path": f"/v1/lists/{made}/reminders", "body": {
            "title": f"Chapter {number}"}} for number in range(1, 451)])
    page.go(f"lists/{made}")
    wait("they are there", lambda: "450 open" in b.text("#main .head p"))
    item = house.post("/v1/reminders", listID=made, title="A page of it")["id"]
    there = lambda: house.get(f"/v1/reminders/{item}")["parentID"]
    page.go(f"reminders/{item}")
    button = ".pane .props > :nth-child(6) button"
    wait("it has no parent", lambda: b.text(button) == "None")
    b.click(button)
    wait("the dialog is open", is_open(b))
    wait("the field has the focus", lambda: b.run("return document.activeElement.type") == "search")
    assert b.count(".choices li") == 31, b.count(".choices li")
    b.type("chapter 449")
    wait("typing finds it", lambda: b.titles(".choices li") == ["Chapter 449"])
    b.press("Enter")
    wait("Enter takes it", lambda: there() is not None)
    wait("the details say it", lambda: b.text(button) == "Chapter 449")
    b.click(button)
    wait("the dialog is open again", is_open(b))
    wait("with none first", lambda: b.titles(".choices li")[:1] == ["None"])
    b.type("there is none of this")
    wait("nothing is found", lambda: not b.count(".choices li"))
    b.press("Enter")
    assert b.count("dialog[open]") and there() is not None
    b.run("const field = document.querySelector('dialog input'); field.value = '';"
          "field.dispatchEvent(new Event('input'))")
    wait("none can be chosen", lambda: b.count(".choices li") > 2)
    b.click(".choices button")
    wait("it has no parent again", lambda: there() is None)
    b.press("Escape")
    house.delete(f"/v1/lists/{made}")


@test
def repeated_alarm(page):
    """How often an alarm repeats is asked of those who want that."""
    b, house = page.browser, page.house
    item = house.post("/v1/reminders", listID=house.list_id("Home"), title="Wake up",
                      dueDate="2030-04-30", alarms=[])["id"]
    page.go(f"reminders/{item}")
    wait("the details open", lambda: b.count(".pane .add-alarm select"))
    change(b, ".pane .add-alarm select", "own")
    wait("the dialog is open", is_open(b))
    assert not b.count("dialog [name=times]") and "Repeat the alarm" in b.text("dialog")
    b.click("dialog [type=checkbox]")
    wait("then it is asked", lambda: b.count("dialog [name=times]") and b.count(
        "dialog [name=every]"))
    b.run("const field = document.querySelector('dialog [name=count]'); field.value = 15")
    b.click("dialog footer .main")
    alarms = lambda: house.get(f"/v1/reminders/{item}")["alarms"]
    wait("three times, every five minutes", lambda: [each["repeat"] for each in alarms()] ==
         [{"every": "PT5M", "times": 3}])
    b.press("Escape")
    house.delete(f"/v1/reminders/{item}")


@test
def details_before_the_feed(page):
    """A reminder that the feed has not brought yet can be changed in every way."""
    b, house = page.browser, page.house
    page.go("today")
    b.run("const plain = window.fetch; window.fetch = (...all) =>"
          "/feed|stream|changes/.test(all[0]) ? new Promise(() => {}) : plain(...all)")
    house.stop()
    house.start()
    item = house.post("/v1/reminders", listID=house.list_id("Home"), title="Wake up early",
                      dueDate="2030-04-30", alarms=[])["id"]
    page.go(f"reminders/{item}")
    wait("the details open", lambda: b.count(".pane .add-alarm select"))
    assert "Wake up early" not in b.titles()
    change(b, ".pane .add-alarm select", "own")
    wait("any alarm can be set", is_open(b))
    b.press("Escape")
    for place in (3, 6):
        wait("it closes", lambda: not b.count("dialog"))
        b.click(f".pane .props > :nth-child({place}) button")
        wait("the next dialog is open", is_open(b))
        b.press("Escape")
    house.delete(f"/v1/reminders/{item}")
    b.reload()
    wait("live", page.sign("Live"))


@test
def one_heading(page):
    """On a phone the page with the lists has one heading."""
    b = page.browser
    b.size(360, 740, True)
    page.go("lists")
    wait("it is shown", lambda: b.text(".side h1") == "Lists")
    top = b.run("return [...document.querySelector('.scrolls').children].slice(0, 2)"
                ".map((each) => each.innerText.trim())")
    assert top == ["Lists\nLive", "Search"], top
    b.size(1280, 860)
    page.go("today")
    wait("beside a list it has a name", lambda: "Martlet" in b.text(".side .brand"))


@test
def part_in_german(page):
    """A subtask is read in either language, as any other line."""
    b, house = page.browser, page.house
    item = house.post("/v1/reminders", listID=house.list_id("Home"), title="Oma besuchen")["id"]
    page.go(f"reminders/{item}")
    wait("the details open", lambda: b.count(".pane .new-part input"))
    b.run("document.querySelector('.pane .new-part input').focus()")
    b.type("Kuchen backen jeden zweiten Dienstag um 10")
    b.press("Enter")
    part = page.server_has("Kuchen backen", parentID=item)
    wait("it is read", lambda: part() and part()["recurrence"]["rule"] ==
         "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU")
    b.press("Escape")
    house.delete(f"/v1/reminders/{item}")


@test
def one_after_another(page):
    """A dialog that opens while another one closes stays open."""
    b = page.browser
    page.go("today")
    b.run("document.activeElement.blur()")
    b.press("?")
    wait("the keys are shown", is_open(b))
    b.run_async("""
      const done = arguments[0], dialog = document.querySelector("dialog");
      dialog.addEventListener("close", () => setTimeout(done));
      dialog.close();
      document.querySelector("[aria-label='New list']").click();""")
    assert b.count("dialog[open] #list-title") == 1
    b.press("Escape")
    wait("it closes", lambda: not b.count("dialog"))
