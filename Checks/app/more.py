"""Tests of what people do now and then: recurrence, smart lists, order of lists, alarms, keys."""

import pathlib
import time

from page import by_title, test
from webdriver import call, wait

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DAY = 86400


def change(browser, selector, value):
    """What choosing or typing does at the end."""
    browser.run("const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                "field.dispatchEvent(new Event('change', { bubbles: true }))", selector, value)


def choose(browser, text):
    """Clicks the entry of the menu that begins so."""
    wait(f"the menu has {text}", lambda: browser.run(
        "const item = [...document.querySelectorAll('.menu button')].find((each) =>"
        "each.textContent.startsWith(arguments[0])); item?.click(); return !!item", text),
        quiet=True)


def names(house, kind):
    return [each["title"] for each in house.get(f"/v1/{kind}")["items"]]


def is_open(browser):
    return lambda: browser.count("dialog[open]")


def drag(browser, start, end):
    steps = [{"type": "pointerMove", "x": start[0], "y": start[1]},
             {"type": "pointerDown", "button": 0},
             {"type": "pointerMove", "x": start[0], "y": start[1] - 9, "duration": 100},
             {"type": "pointerMove", "x": end[0], "y": end[1], "duration": 200},
             {"type": "pointerUp", "button": 0}]
    call("POST", f"{browser.url}/actions", {"actions": [
        {"type": "pointer", "id": "mouse", "actions": steps}]})


@test
def recurrence(page):
    b = page.browser
    page.go("scheduled")
    page.focus("Dentist")
    b.press("Enter")
    wait("the details open", lambda: b.count(".pane [aria-haspopup=dialog]"))
    b.click(".pane .props [aria-haspopup=dialog]")
    wait("the picker opens", is_open(b))
    title = lambda: b.text("dialog h2")
    due = by_title(page, "Dentist")["dueDate"]
    name = time.strftime("%A", time.strptime(due[:10], "%Y-%m-%d"))
    wait("it begins with the day of the reminder", lambda: title() == f"Every {name}")
    change(b, "dialog [aria-label=Interval]", "2")
    wait("the title follows", lambda: title() == f"Every other week on {name}")
    change(b, "dialog [aria-label=Unit]", "MONTHLY")
    change(b, "dialog [aria-label=On]", "BYDAY=-1FR")
    wait("the last Friday", lambda: title() == "Every other month on the last Friday")
    change(b, "dialog [aria-label=Unit]", "WEEKLY")
    wait("the days of the week", lambda: b.count(".week input") == 7)
    for index, box in enumerate(b.run("return [...document.querySelectorAll('.week input')]"
                                      ".map((each) => each.checked)")):
        if box != (index in (0, 3)):
            b.run("document.querySelectorAll('.week input')[arguments[0]].click()", index)
            time.sleep(.05)
    wait("two days", lambda: title() == "Every other week on Monday and Thursday")
    change(b, "dialog [aria-label=Ends]", "COUNT")
    wait("an end", lambda: title().endswith(", 10 times"))
    b.run("document.querySelectorAll('dialog [name=basis]')[1].click()")
    b.run("document.querySelector('dialog details').open = true")
    assert "COUNT=10" in b.run("return document.querySelector('dialog .mono').value")
    b.click("dialog footer .main")
    saved = lambda: by_title(page, "Dentist")["recurrence"]
    wait("the server has it", lambda: saved() and saved()["basis"] == "each" and
         "BYDAY=MO,TH" in saved()["rule"] and "INTERVAL=2" in saved()["rule"])
    wait("the details say it", lambda: "Every other week on Monday and Thursday, 10 times" in
         b.text(".pane .props"))
    wait("and when it is next", lambda: b.count(".pane section .chip") > 3)
    b.click(".pane .props [aria-haspopup=dialog]")
    wait("the picker opens again", is_open(b))
    b.click("dialog footer .warn")
    wait("it does not recur any more", lambda: saved() is None)
    wait("the dialog is gone", lambda: not b.count("dialog"))
    b.press("Escape")


@test
def smart_lists(page):
    b, house = page.browser, page.house
    smart = lambda: {each["title"]: each for each in house.get("/v1/smart-lists")["items"]}
    page.go("today")
    b.click("[aria-label='New smart list']")
    wait("the editor opens", is_open(b))
    b.write("#list-title", "Urgent errands")
    b.run("document.querySelector('dialog [name=tag][value=errand]').click();"
          "document.querySelector('dialog [name=color][value=\"#d9534a\"]').click();"
          "document.querySelector('dialog [name=due]').value = 'scheduled';"
          "document.querySelector('dialog [name=sort]').value = 'dueDate'")
    b.press("Enter")
    wait("the server has it", lambda: "Urgent errands" in smart())
    made = smart()["Urgent errands"]
    assert made["filter"] == {"tag": ["errand"], "due": "scheduled"}, made
    assert made["sort"] == "dueDate" and made["color"] == "#d9534a", made
    wait("it is shown", lambda: b.text("#main h1") == "Urgent errands")
    wait("with what matches", page.shows("Return the library books"))
    b.click("#main .tools .icon")
    choose(b, "Edit")
    wait("the editor opens", is_open(b))
    b.run("document.querySelector('#list-title').value = 'Flagged ones';"
          "document.querySelector('dialog [name=tag][value=errand]').click();"
          "document.querySelector('dialog [name=flagged]').click()")
    b.click("dialog footer .main")
    wait("it is changed", lambda: "Flagged ones" in smart() and
         smart()["Flagged ones"]["filter"] == {"due": "scheduled", "flagged": True})
    wait("in the page", page.shows("Pay the water bill"))
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("undo", lambda: smart().get("Urgent errands", {}).get("filter") ==
         {"tag": ["errand"], "due": "scheduled"})
    oil = "Buy milk, oats and the good olive oil"
    page.go("search?q=olive")
    wait("a search", page.shows(oil))
    b.run("[...document.querySelectorAll('#main .chip')].at(-1).click()")
    wait("can be kept", is_open(b))
    b.click("dialog footer .main")
    wait("as a smart list", lambda: smart().get("olive", {}).get("filter") == {"q": "olive"})
    wait("which is shown", lambda: b.text("#main h1") == "olive")
    wait("with its reminder", page.shows(oil))
    b.click("#main .tools .icon")
    choose(b, "Delete")
    wait("it is deleted", lambda: "olive" not in smart())
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("and comes back", lambda: "olive" in smart())


@test
def order_of_lists(page):
    b, house = page.browser, page.house
    page.go("today")
    shown = lambda: b.titles("[data-order=list] li span")
    first = shown()
    assert first == names(house, "lists"), first
    b.run("document.querySelectorAll('[data-order=list] a')[1].focus()")
    b.press("Alt+ArrowUp")
    wait("Alt and arrow move a list", lambda: shown() == [first[1], first[0], *first[2:]])
    wait("on the server", lambda: names(house, "lists") == shown())
    wait("the focus stays", lambda: b.run("return document.activeElement.textContent")
         .startswith(first[1]))
    where = lambda index: b.run(
        "const box = document.querySelectorAll('[data-order=list] a')[arguments[0]]"
        ".getBoundingClientRect(); return [Math.round(box.left + 60), Math.round(box.top + 4)]",
        index)
    drag(b, where(3), where(0))
    wait("a drag moves one", lambda: shown()[0] == first[3])
    wait("on the server, too", lambda: names(house, "lists") == shown())
    b.press("Control+z")
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("undo", lambda: names(house, "lists") == first and shown() == first)
    page.go("lists/" + str(house.get("/v1/lists")["items"][0]["id"]))
    b.click("#main .tools .icon")
    choose(b, "Move down")
    wait("the menu moves one", lambda: names(house, "lists")[1] == first[0])
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("undo again", lambda: names(house, "lists") == first)


@test
def more_details(page):
    b = page.browser
    title = "Reserve the tram museum"
    item = lambda: by_title(page, title)
    page.go("all")
    page.focus(title)
    b.press("Enter")
    wait("the details open", lambda: b.count(".pane [aria-label=Start]"))
    change(b, ".pane [aria-label=Start]", "2030-05-01")
    wait("the start is saved", lambda: item()["startDate"] == "2030-05-01")
    change(b, ".pane [aria-label=Due]", "2029-05-01")
    wait("a due date before it takes it along", lambda: item()["startDate"] == "2029-05-01")
    b.press("Control+z")
    wait("and brings it back", lambda: item()["startDate"] == "2030-05-01" and
         item()["dueDate"] is None)
    parent = next(each for each in page.house.get("/v1/reminders?limit=500")["items"]
                  if each["listID"] == item()["listID"] and each["title"] != title and
                  each["parentID"] is None and each["status"] == "incomplete")["id"]
    b.click(".pane .props > :nth-child(6) button")
    b.tap(f".choice[value='{parent}']")
    wait("it has a parent", lambda: item()["parentID"] == parent)
    b.click(".pane .props > :nth-child(6) button")
    b.tap(".choices li:first-child button")
    wait("and none again", lambda: item()["parentID"] is None)
    for way, fields in [("start", {"count": "2", "unit": "H"}),
                        ("at", {"day": "2030-04-30", "time": "18:30", "times": "3"})]:
        change(b, ".pane [aria-label='Add an alarm']", "own")
        wait("any alarm can be set", is_open(b))
        change(b, "dialog [aria-label=From]", way)
        wait(f"{way} has its fields", lambda: b.count(f"dialog [name={next(iter(fields))}]"))
        if "times" in fields:
            b.click("dialog [type=checkbox]")
        for name, value in fields.items():
            b.run("document.querySelector(arguments[0]).value = arguments[1]",
                  f"dialog [name={name}]", value)
        b.click("dialog footer .main")
        wait("the dialog closes", lambda: not b.count("dialog"))
    wait("both alarms are saved", lambda: [
        (each["offset"], each["from"], (each["at"] or "")[:10], each["repeat"])
        for each in sorted(item()["alarms"], key=lambda each: each["at"] or "")] == [
            ("PT2H", "start", "", None),
            (None, None, "2030-04-30", {"every": "PT5M", "times": 3})])
    wait("they are named", lambda: "2 hours after the start" in b.text(".pane .alarm") and
         "again every 5 minutes, 3 times" in "".join(b.titles(".pane .alarm")))
    b.press("Escape")


@test
def row_keys(page):
    b = page.browser
    page.go("all")
    # A series, whose beginning follows its due date.
    title = "Transfer the rent"
    page.focus(title)
    item = lambda: by_title(page, title)
    day = lambda count: time.strftime("%Y-%m-%d", time.gmtime(time.time() + count * DAY))
    # An alarm that comes back is a new one.
    plain = lambda: {name: [{**each, "id": 0} for each in value] if name == "alarms" else value
                     for name, value in item().items() if name != "updatedAt"}
    before = plain()
    b.press("d")
    choose(b, "Tomorrow")
    wait("d sets the day", lambda: item()["dueDate"] == day(1))
    b.press("d")
    choose(b, "Choose")
    wait("any day can be asked for", is_open(b))
    b.run("document.querySelector('dialog [name=day]').value = '2031-02-03';"
          "document.querySelector('dialog [name=time]').value = '10:20'")
    b.click("dialog footer .main")
    wait("with a time", lambda: item()["dueDate"].startswith("2031-02-03T"))
    wait("the dialog is gone", lambda: not b.count("dialog"))
    b.press("!")
    choose(b, "Medium")
    wait("! sets the priority", lambda: item()["priority"] == "medium")
    b.press("#")
    wait("# asks for tags", is_open(b))
    b.type("porch, @garden work")
    b.press("Enter")
    wait("they are saved", lambda: {"porch", "garden work"} <= set(item()["tags"]))
    wait("the dialog is gone again", lambda: not b.count("dialog"))
    wait("the row has the focus", lambda: b.run("return document.activeElement.textContent")
         == title)
    b.press("s")
    choose(b, "1 hour")
    wait("s adds an alarm", lambda: any(each["at"] for each in item()["alarms"]))
    b.run("document.activeElement.blur()")
    for _ in range(5):
        b.press("Control+z")
    wait("all of it is undone", lambda: plain() == before)
    assert not b.count(".note.failed"), b.text(".note.failed")
    b.run("localStorage.setItem('martlet.keys', 'off')")
    page.focus(title)
    b.press("f")
    b.press("Alt+ArrowRight")
    b.run("localStorage.removeItem('martlet.keys')")
    assert not item()["isFlagged"], "single keys are off"


@test
def indents(page):
    b = page.browser
    lisbon = next(each["id"] for each in page.house.get("/v1/lists")["items"]
                  if each["title"].startswith("Lisbon"))
    page.go(f"lists/{lisbon}")
    page.add("Buy a map")
    b.press("Enter")
    wait("it is added", page.server_has("Buy a map"))
    b.press("Tab")
    wait("Tab goes one level in", lambda: "Buy a map" in b.run(
        "return document.querySelector('.typed textarea').placeholder"))
    b.type("Of the trams")
    b.press("Enter")
    wait("what is added is a part", lambda: by_title(page, "Of the trams") and
         by_title(page, "Of the trams")["parentID"] == by_title(page, "Buy a map")["id"])
    b.press("Shift+Tab")
    b.type("Charge the camera")
    b.press("Enter")
    wait("Shift Tab goes out", page.server_has("Charge the camera", parentID=None))
    b.press("Escape")
    page.focus("Charge the camera")
    b.press("Alt+ArrowRight")
    parent = by_title(page, "Buy a map")["id"]
    wait("Alt and arrow go in", page.server_has("Charge the camera", parentID=parent))
    wait("the row has the focus", lambda: b.run("return document.activeElement.textContent")
         == "Charge the camera")
    b.press("Alt+ArrowLeft")
    wait("and out", page.server_has("Charge the camera", parentID=None))
    b.press("Control+z")
    wait("undo goes in again", page.server_has("Charge the camera", parentID=parent))


@test
def being_told(page):
    b, house = page.browser, page.house
    home = house.list_id("Home")
    b.cdp("Browser.grantPermissions", permissions=["notifications"], origin=house.url)
    page.go("today")
    b.press("j")
    b.run("window.told = []; window.notes = 0;"
          "const start = OscillatorNode.prototype.start;"
          "OscillatorNode.prototype.start = function (...all) { window.notes++;"
          "  start.apply(this, all); };"
          "window.Notification = class { constructor(title, { tag }) { window.told.push(this);"
          "  Object.assign(this, { title, tag }); } close() { this.isClosed = true; }"
          "  static permission = 'granted' };"
          "document.hasFocus = () => false")
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
    house.post("/v1/reminders", listID=home, title="Ring the bell", dueDate=at)
    told = lambda: b.run("return window.told.map(({ title, tag, isClosed }) =>"
                         "[title, tag, !!isClosed])")
    wait("the system says it", lambda: [each[0] for each in told()] == ["Ring the bell"])
    wait("with two notes", lambda: b.run("return window.notes") == 2)
    alarm = house.get("/v1/alarms?state=ringing")["items"][0]["id"]
    assert told()[0][1] == f"alarm {alarm}"
    wait("the title counts it", lambda: b.run("return document.title").startswith("(1) "))
    b.run("document.activeElement.blur()")
    b.press("s")
    choose(b, "Choose")
    wait("any time can be asked for", is_open(b))
    b.run("document.querySelector('dialog [name=day]').value = '2026-12-24';"
          "document.querySelector('dialog [name=time]').value = '08:15'"
          .replace("2026-12-24", time.strftime("%Y-%m-%d", time.gmtime(time.time() + 9 * DAY))))
    b.click("dialog footer .main")
    wait("it is snoozed until then", lambda: [each for each in house.get(
        "/v1/alarms?state=snoozed")["items"] if each["title"] == "Ring the bell"])
    wait("and not said any more", lambda: told()[0][2])
    call("PATCH", f"{house.api}/v1/alarms/{alarm}", {"snoozedUntil": time.strftime(
        "%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 1))})
    wait("it rings again", lambda: b.count(".ring"))
    call("PATCH", f"{house.api}/v1/alarms/{alarm}", {"state": "acknowledged"})
    wait("acknowledged elsewhere, it is gone", lambda: not b.count(".ring"))
    wait("everywhere", lambda: all(each[2] for each in told()))
    b.reload()
    wait("the page is live", page.sign("Live"))


@test
def more_settings(page):
    b, house = page.browser, page.house
    garden = house.list_id("Garden")
    page.go("settings")
    wait("the lists are offered", lambda: b.count("[aria-label='List for new reminders'] option")
         > 3)
    change(b, "[aria-label='List for new reminders']", str(garden))
    b.run("window.saved = []; const plain = URL.createObjectURL; URL.createObjectURL = (blob) => {"
          "window.blob = blob; return plain(blob) }; HTMLAnchorElement.prototype.click = function () {"
          "window.saved.push([this.download, this.href]) }")
    b.run("[...document.querySelectorAll('#main .btn')].find((each) =>"
          "each.textContent === 'ICS').click()")
    wait("the export is a file", lambda: b.run("return window.saved[0]?.[0]") == "martlet.ics")
    assert b.run_async("window.blob.text().then(arguments[0])").startswith("BEGIN:VCALENDAR")
    page.go("today")
    page.add("Sow the peas")
    b.press("Enter")
    wait("new ones go there", page.server_has("Sow the peas", listID=garden))
    b.press("Escape")
    b.run("localStorage.removeItem('martlet.list')")
    b.reload()
    wait("the page is live", page.sign("Live"))


@test
def very_many(page):
    b, house = page.browser, page.house
    many = house.post("/v1/lists", title="Very many")["id"]
    for start in range(0, 20100, 500):
        house.post("/v1/batch", operations=[
            {"method": "POST", "path": f"/v1/lists/{many}/reminders",
             "body": {"title": f"Number {number}"}} for number in range(start, start + 500)])
    # More lists than a page of them has.
    shelves = [house.post("/v1/lists", title=f"Shelf {number}")["id"] for number in range(60)]
    home = house.list_id("Home")
    b.run("location.hash = arguments[0]", f"#/lists/{home}")
    b.run_async("const done = arguments[0]; new BroadcastChannel('martlet app').postMessage("
                "{ type: 'only' }); setTimeout(done, 500)")
    wait("it says so", lambda: "more than 20,000" in b.text("#main"), 60)
    wait("the list is followed", page.shows("Dentist"))
    wait("the last list is there", lambda: "Shelf 59" in b.text(".side"))
    bills = house.list_id("Bills")
    assert b.text(f"[data-list='{bills}'] .n") == "0", "only the list is followed"
    page.go(f"lists/{bills}")
    wait("another one is followed instead", page.shows("Transfer the rent"))
    house.post("/v1/reminders", listID=bills, title="Look at the tax")
    wait("live", page.shows("Look at the tax"))
    page.go("all")
    assert "Dentist" not in b.titles()
    b.reload()
    wait("also after a reload", page.shows("Look at the tax"))
    wait("with all lists", lambda: "Shopping" in b.text(".side") and "Calls" in b.text(".side"))
    for each in [many, *shelves]:
        call("DELETE", f"{house.api}/v1/lists/{each}")
    page.go(f"lists/{home}")
    wait("with fewer, everything is followed again", lambda: "20,000" not in b.text("#main") and
         page.shows("Dentist")(), 60)
    page.go("all")
    wait("all of it", page.shows("Transfer the rent"))


@test
def documented_keys(page):
    """The table of docs/app.md is what the help shows."""
    b = page.browser
    page.go("today")
    b.press("?")
    wait("the help is open", lambda: b.count("dialog[open] dl"))
    shown = b.run("return [...document.querySelectorAll('dialog dl > div')].map((each) => [[...each"
                  ".querySelector('dd').children].map((key) => key.matches('kbd') ? key.innerText :"
                  " ',').join(' ').replaceAll(' , ', ', '), each.querySelector('dt').innerText])")
    text = (ROOT / "docs" / "app.md").read_text()
    table = text.partition("| key | does |\n|---|---|\n")[2].partition("\n\n")[0]
    told = [[cell.strip().replace("`", "") for cell in line.strip("| ").split(" | ")]
            for line in table.split("\n")]
    assert sorted(told) == sorted(shown), [each for each in shown if each not in told]
    b.press("Escape")
    wait("the help is closed", lambda: not b.count("dialog[open]"))
