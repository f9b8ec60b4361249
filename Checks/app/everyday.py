"""Tests of what people do every day: add, tick, edit, search, move."""

import time

from page import by_title, test
from webdriver import call, wait


@test
def quick_add(page):
    b = page.browser
    page.go("today")
    page.add("Feed the fish tomorrow 9am every week @pets !high * // two spoons")
    wait("phrases are coloured", lambda: b.titles(".typed .k") == [
        "tomorrow 9am", "every week", "@pets", "!high", "*", "// two spoons"])
    wait("they are explained in words", lambda: "every week" in b.text("#read"))
    b.press("Enter")
    wait("the server has it", page.server_has("Feed the fish", priority="high", isFlagged=True,
                                              tags=["pets"], notes="two spoons"))
    assert b.run("return document.querySelector('textarea').value") == ""
    b.type("Fische füttern morgen")
    wait("another language is understood, and named", lambda: "Deutsch" in b.text("#read"))
    b.press("Enter")
    wait("the server has it, too", page.server_has("Fische füttern"))
    b.type("Ask for the bill")
    b.press("Enter")
    today = time.strftime("%Y-%m-%d", time.gmtime())
    wait("without a day it is due today, where it was written",
         page.server_has("Ask for the bill", dueDate=today))
    b.press("Escape")
    wait("Escape closes the line", lambda: not b.count(".add.open"))
    page.go("scheduled")
    wait("it is in Scheduled", page.shows("Feed the fish"))


@test
def tick_and_undo(page):
    b = page.browser
    page.go("today")
    page.focus("Call Grandma back")
    b.press(" ")
    wait("the row is struck", lambda: "Call Grandma back" in b.titles(".row.grace .title"))
    wait("the server has it", page.server_has("Call Grandma back", status="completed"))
    wait("the row leaves", page.lacks("Call Grandma back"))
    wait("the next row has the focus", lambda: b.run(
        "return document.activeElement.matches('.title')"))
    b.press("Control+z")
    wait("Ctrl Z brings it back", page.shows("Call Grandma back"))
    wait("on the server, too", page.server_has("Call Grandma back", status="incomplete"))
    before = page.server_has("Water the lemon tree")()["dueDate"]
    page.focus("Water the lemon tree")
    b.press(" ")
    wait("a recurring one moves on", lambda: page.server_has("Water the lemon tree")()["dueDate"]
         != before)
    wait("and leaves today", page.lacks("Water the lemon tree"))
    b.run("[...document.querySelectorAll('.toast .btn')].at(-1).click()")
    wait("the toast brings it back", page.server_has("Water the lemon tree", dueDate=before))
    wait("in the page", page.shows("Water the lemon tree"))
    page.focus("Call Grandma back")
    b.press("Delete")
    wait("Del deletes", lambda: not page.server_has("Call Grandma back")())
    b.press("Control+z")
    wait("undo takes it from the trash", page.server_has("Call Grandma back"))
    wait("and shows it", page.shows("Call Grandma back"))


@test
def edit(page):
    b = page.browser
    page.go("today")
    page.focus("Return the library books")
    b.press("e")
    wait("the title is a field", lambda: b.run("return document.activeElement.matches('.edit')"))
    b.press("End")
    b.type(" to Ana")
    b.press("Enter")
    wait("the server has the new title", page.server_has("Return the library books to Ana"))
    assert b.run("return document.activeElement.textContent") == "Return the library books to Ana"
    b.press("Control+z")
    wait("undo", page.server_has("Return the library books"))
    wait("is shown", page.shows("Return the library books"))
    page.focus("Return the library books")
    b.press("f")
    wait("f flags", page.server_has("Return the library books", isFlagged=True))
    b.press("t")
    today = time.strftime("%Y-%m-%d", time.gmtime())
    wait("t makes it due today", page.server_has("Return the library books", dueDate=today))


@test
def lists(page):
    b = page.browser
    b.click("[aria-label='New list']")
    wait("the dialog opens", lambda: b.count("dialog[open]"))
    b.write("#list-title", "Cellar")
    b.press("Enter")
    wait("the server has the list", lambda: "Cellar" in [
        each["title"] for each in page.house.get("/v1/lists")["items"]])
    wait("it is shown", lambda: "Cellar" in b.text("#main h1"))
    wait("with its ID in the address", lambda: True)
    page.add("Count the jars")
    b.press("Enter", "Escape")
    wait("it has what was added", page.server_has("Count the jars"))
    b.click("#main .tools .icon")
    wait("its menu opens", lambda: b.count(".menu"))
    b.tap(".menu button")
    wait("the dialog opens", lambda: b.count("dialog[open]"))
    b.run("document.querySelector('#list-title').value = 'Basement'")
    b.run("document.querySelector('dialog form').requestSubmit()")
    wait("it is renamed", lambda: "Basement" in b.text("#main h1"))
    b.click("#main .tools .icon")
    wait("its menu opens", lambda: b.count(".menu"))
    b.run("[...document.querySelectorAll('.menu button')].at(-1).click()")
    wait("it asks", lambda: "1 open reminder" in b.text("dialog"))
    b.run("document.querySelector('dialog form').requestSubmit()")
    wait("the list is gone", lambda: "Basement" not in [
        each["title"] for each in page.house.get("/v1/lists")["items"]])
    wait("the page goes on", lambda: b.text("#main h1") == "Today")
    b.press("Control+z")
    wait("undo brings it back", lambda: "Basement" in b.text(".side"))
    wait("with its reminder", page.server_has("Count the jars"))


@test
def two_windows(page):
    b = page.browser
    page.go("all")
    first = b.window()
    second = b.new_window()
    b.open(f"{page.house.url}/#/all")
    wait("the second window has everything", page.shows("Pay the water bill"))
    b.run_async("import('/app/later.js').then(() => arguments[0]())")
    page.house.post("/v1/quick-add", text="From the command line #Home")
    wait("it sees what curl adds", page.shows("From the command line"))
    page.focus("From the command line")
    b.press("e", "End")
    b.type(", changed")
    b.press("Enter")
    b.switch(first)
    wait("the first one follows", page.shows("From the command line, changed"))
    b.switch(second)
    call("DELETE", f"{b.url}/window")
    b.switch(first)
    page.house.post("/v1/quick-add", text="After that window #Home")
    wait("it goes on alone", page.shows("After that window"))


@test
def hostile(page):
    b = page.browser
    titles = ["<img src=x onerror='document.title=1'><script>alert(1)</script>",
              "\u202eevil\u202c and \u2067right to left\u2069", "x" * 1000, "\u05e9\u05dc\u05d5\u05dd"]
    home = page.house.list_id("Home")
    for title in titles:
        page.house.post("/v1/reminders", listID=home, title=title, tags=["<b>"])
    page.go(f"lists/{home}")
    for title in titles:
        wait(f"a title is text: {title[:12]!r}", page.shows(title))
    assert b.count("#app img, #app script, #main b") == 0
    for width in (1280, 768, 360):
        b.size(width, 800)
        assert b.run("return document.documentElement.scrollWidth <= innerWidth && "
                     "document.querySelector('#main').scrollWidth <= "
                     "document.querySelector('#main').clientWidth"), f"scrolls at {width}"
    b.size(1280, 860)


@test
def keyboard(page):
    b = page.browser
    b.run("document.activeElement.blur()")
    for keys, place in [("gs", "scheduled"), ("gf", "flagged"), ("ga", "all"), ("gt", "today")]:
        b.type(keys)
        wait(f"{keys} goes to {place}", lambda: b.text("#main h1") == place.title())
    wait("rows are there", lambda: b.titles())
    b.press("j")
    first = b.run("return document.activeElement.textContent")
    assert first == b.titles()[0], first
    b.press("ArrowDown")
    assert b.run("return document.activeElement.textContent") == b.titles()[1]
    b.press("k")
    assert b.run("return document.activeElement.textContent") == first
    b.press("?")
    wait("? shows the keys", lambda: b.count("dialog .keys kbd") > 10)
    b.press("Escape")
    wait("Escape closes them", lambda: not b.count("dialog"))
    b.press("m")
    wait("m offers the lists", lambda: b.count(".menu button") > 3)
    b.press("ArrowDown", "Escape")
    wait("Escape closes the menu", lambda: not b.count(".menu"))
    wait("and the row has the focus again", lambda: b.run(
        "return document.activeElement.textContent") == first)


@test
def early_key(page):
    """Enter before the keys are loaded: the link opens it, and it is not opened twice."""
    b = page.browser
    page.go("today")
    page.focus("Return the library books")
    opened = b.run_async("""
      const done = arguments[0], link = document.activeElement;
      const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
      link.addEventListener("keydown", (event) => event.stopPropagation(), { once: true });
      link.dispatchEvent(event);
      addEventListener("hashchange", () => import("/app/later.js").then(({ onKey }) => {
        onKey(event);
        done(document.activeElement === link);
      }), { once: true });
      link.click();""")
    assert opened, "the focus stays on the row"
    wait("it is open", lambda: b.count(".pane .big"))
    b.press("Escape")
    wait("Escape closes it", lambda: not b.count(".pane"))


@test
def detail(page):
    b = page.browser
    page.go("today")
    page.focus("Take the paper bin out")
    b.press("Enter")
    wait("Enter opens the details", lambda: b.count(".pane textarea") == 2)
    assert b.titles(".pane .marked a") == ["waste.example.org/2027"]
    b.run("document.querySelector('.pane .big h2 textarea').focus()")
    b.press("End")
    b.type(" now")
    b.press("Enter")
    wait("the title is saved", page.server_has("Take the paper bin out now"))
    b.run("document.querySelector('.pane .notes textarea').focus()")
    b.press("Control+End")
    b.type("!")
    b.press("Tab")
    wait("the notes are saved", lambda: by_title(page, "Take the paper bin out now")["notes"]
         .endswith("2027!"))
    b.click(".pane [aria-haspopup=dialog]")
    wait("the picker opens", lambda: b.count("dialog[open]"))
    b.tap("dialog .chip")
    wait("its title is the rule", lambda: b.text("dialog h2") == "Every day")
    b.click("dialog footer .main")
    wait("the rule is saved", lambda: by_title(page, "Take the paper bin out now")["recurrence"]
         ["rule"] == "FREQ=DAILY")
    pick = ("const field = document.querySelector(`.pane [aria-label='${arguments[0]}']`);"
            "field.value = arguments[1]; field.dispatchEvent(new Event('change', {bubbles: true}))")
    b.run(pick, "Priority", "medium")
    b.run(pick, "Add an alarm", "-PT10M")
    wait("priority and alarm are saved", lambda: len(by_title(
        page, "Take the paper bin out now")["alarms"]) == 2)
    b.write(".pane [aria-label='Add a tag']", "bins\ue007")
    wait("a tag is added", page.server_has("Take the paper bin out now", tags=["bins"],
                                           priority="medium"))
    b.write(".pane [aria-label='Add a subtask']", "Gloves\ue007")
    wait("a subtask is added", page.server_has("Gloves"))
    wait("it is shown", lambda: "Gloves" in b.titles(".pane .row .title"))
    b.run(pick, "Due", "2030-01-02")
    wait("the day is saved", lambda: by_title(page, "Take the paper bin out now")["dueDate"]
         .startswith("2030-01-02T"))
    b.press("Escape")
    wait("Escape closes it", lambda: not b.count(".pane"))
    for _ in range(9):
        b.run("document.activeElement.blur()")
        b.press("Control+z")
        time.sleep(.15)
    wait("all of it is undone", lambda: by_title(page, "Take the paper bin out") and
         by_title(page, "Take the paper bin out")["tags"] == [])


@test
def search(page):
    b = page.browser
    page.house.post("/v1/quick-add", text="<b>bold</b> & lemons #Garden")
    b.press("/")
    wait("/ opens the search", lambda: b.run("return document.activeElement.id") == "query")
    b.type("lem")
    wait("it finds", page.shows("Water the lemon tree"))
    wait("and marks", lambda: "lem" in "".join(b.titles("#main mark")).lower())
    wait("text stays text", page.shows("<b>bold</b> & lemons"))
    page.house.post("/v1/quick-add", text="Lemonade #Home")
    wait("it is live", page.shows("Lemonade"))
    b.press("ArrowDown")
    assert b.run("return document.activeElement.matches('a.title')")


@test
def trash_and_completed(page):
    b = page.browser
    page.go("trash")
    wait("the trash has it", lambda: "Rake the leaves" in b.text("#main"))
    b.click("[aria-label='Restore Rake the leaves']")
    wait("it is restored", page.server_has("Rake the leaves"))
    wait("and left the trash", lambda: "Rake the leaves" not in b.text("#main"))
    page.go("completed")
    wait("completed ones are there", lambda: b.count("#main .row.done") >= 2)
    b.run("document.querySelector(\"[aria-label='Reopen Order the blue curtains again']\").click()")
    wait("it is open again", page.server_has("Order the blue curtains again", status="incomplete"))


@test
def order(page):
    b = page.browser
    lisbon = next(each["id"] for each in page.house.get("/v1/lists")["items"]
                  if each["title"].startswith("Lisbon"))
    page.go(f"lists/{lisbon}")
    roots = lambda: b.titles("[data-order] > .row > .title")
    served = lambda: [each["title"] for each in page.house.get(
        f"/v1/lists/{lisbon}/reminders?completed=false")["items"] if each["parentID"] is None]
    wait("the list is shown", lambda: len(roots()) >= 5)
    page.focus("Pack")
    b.press("Alt+ArrowUp")
    wait("Alt and arrow move it", lambda: roots().index("Pack") == 1)
    wait("on the server", lambda: served() == roots())
    assert b.run("return document.activeElement.textContent") == "Pack"
    where = ("const row = [...document.querySelectorAll('#main .row .title')].find((each) =>"
             "each.textContent === arguments[0]).closest('.row').getBoundingClientRect();"
             "return [Math.round(row.left + 200), Math.round(row.top + 12)]")
    x, y = b.run(where, "Ask Ana to feed the cat and take in the post")
    to = b.run(where, "Papers") if roots().index("Papers") < roots().index("Pack") else b.run(
        where, roots()[0])
    first = roots()
    drag = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "x": x, "y": y - 20, "duration": 100},
            {"type": "pointerMove", "x": to[0], "y": to[1] - 8, "duration": 200},
            {"type": "pointerUp", "button": 0}]
    call("POST", f"{b.url}/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": drag}]})
    wait("a drag moves it", lambda: roots()[0] == "Ask Ana to feed the cat and take in the post")
    wait("on the server, too", lambda: served() == roots())
    assert b.run("return location.hash") == f"#/lists/{lisbon}", "a drag is no click"
    b.press("Control+z")
    wait("undo puts it back", lambda: roots() == first)
    x, y = b.run(where, "Reserve the tram museum")
    to = b.run("const box = [...document.querySelectorAll('[data-list]')].find((each) =>"
               "each.textContent.startsWith('Home')).getBoundingClientRect();"
               "return [Math.round(box.left + 40), Math.round(box.top + 10)]")
    drag[0].update(x=x, y=y), drag[2].update(x=x, y=y - 20), drag[3].update(x=to[0], y=to[1])
    call("POST", f"{b.url}/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": drag}]})
    home = page.house.list_id("Home")
    wait("a drop on a list moves it there", page.server_has("Reserve the tram museum", listID=home))
