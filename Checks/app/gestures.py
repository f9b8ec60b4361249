"""Tests of the mouse, a finger and the keys that select."""

from page import test
from webdriver import KEYS, wait

WHERE = """
  const row = [...document.querySelectorAll("#main .row")].find((each) =>
    each.querySelector(".title")?.textContent.replace(/ \\(.*/, "") === arguments[0]);
  row.scrollIntoView({ block: "center" });
  const { left, top } = row.querySelector(".title").getBoundingClientRect();
  return [Math.round(left + 20), Math.round(top + 8)];"""


def click(page, title, *held):
    """A click of the mouse, as a person does it, while keys are held."""
    b = page.browser
    x, y = b.run(WHERE, title)
    keys = [{"type": "keyDown", "value": KEYS[each]} for each in held]
    pauses = [{"type": "pause"}] * len(keys)
    mouse = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0},
             {"type": "pointerUp", "button": 0}]
    b.perform({"type": "key", "id": "keys", "actions": [
        *keys, *[{"type": "pause"}] * 3,
        *[{**each, "type": "keyUp"} for each in reversed(keys)]]},
        {"type": "pointer", "id": "mouse", "actions": [*pauses, *mouse]})


def drag(page, title, to, by=0):
    """Drags a row to what a selector finds, or `by` pixels to the side of where it was."""
    b = page.browser
    x, y = b.run(WHERE, title)
    # Only now, because the page scrolls to the row.
    to = to and center(page, to)
    actions = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0},
               {"type": "pointerMove", "x": x + 8, "y": y - 8, "duration": 60},
               {"type": "pointerMove", "x": to[0] if to else x + by, "y": to[1] if to else y + 3,
                "duration": 120},
               {"type": "pointerUp", "button": 0}]
    b.perform({"type": "pointer", "id": "mouse", "actions": actions})


def center(page, selector):
    return page.browser.run("const { left, top } = document.querySelector(arguments[0])"
                            ".getBoundingClientRect(); return [Math.round(left) + 30, "
                            "Math.round(top) + 12]", selector)


def rows_of(page, name, count=6):
    """A list of its own, with rows."""
    made = page.house.post("/v1/lists", title=name, color="#4a99ef")["id"]
    for number in range(1, count + 1):
        page.house.post("/v1/reminders", listID=made, title=f"{name} {number}")
    page.go(f"lists/{made}")
    wait("the rows are there", page.shows(f"{name} {count}"))
    return made


@test
def range_of_rows(page):
    b = page.browser
    made = rows_of(page, "Range")
    chosen = lambda: [each.removesuffix(" (selected)").removeprefix("Range ")
                      for each in b.titles("#main .is-sel .title")]
    selects = lambda what, *wanted: wait(what, lambda: chosen() == list(wanted))
    click(page, "Range 2", "Control")
    selects("Ctrl and a click select one", "2")
    click(page, "Range 5", "Shift")
    selects("Shift and a click select a range", "2", "3", "4", "5")
    click(page, "Range 1", "Shift")
    selects("from the same row", "1", "2", "3", "4", "5")
    b.press("Escape")
    selects("Escape selects none")
    click(page, "Range 3")
    wait("a click opens", lambda: b.count(".pane"))
    b.press("Escape")
    wait("it is closed", lambda: not b.count(".pane"))
    click(page, "Range 5", "Shift")
    selects("it was the beginning of a range", "3", "4", "5")
    b.press("Escape")
    page.focus("Range 2")
    b.press("Shift+ArrowDown", "Shift+ArrowDown")
    selects("Shift and arrows select", "2", "3", "4")
    b.press("Shift+ArrowUp")
    selects("and less again", "2", "3")
    b.press("Control+a")
    selects("Ctrl A selects all", *"123456")
    b.press("Escape")
    page.house.delete(f"/v1/lists/{made}")


@test
def dragged(page):
    """A drag to the side makes a subtask, one onto a day or Today a due date, also of several."""
    b, house = page.browser, page.house
    made = rows_of(page, "Drag")
    there = lambda number: page.server_has(f"Drag {number}")()
    today = b.run("return document.querySelector('.nav [data-day]').dataset.day")
    drag(page, "Drag 2", None, 60)
    wait("to the end it is a part of the one above", lambda: there(2)["parentID"] == there(1)["id"])
    wait("which is seen", lambda: b.count("#main .kids .row") == 1)
    drag(page, "Drag 2", None, -60)
    wait("and to the start it is none", lambda: there(2)["parentID"] is None)
    drag(page, "Drag 4", ".nav [data-day]")
    wait("onto Today it is due today", lambda: there(4)["dueDate"] == today)
    for number in (5, 6):
        page.focus(f"Drag {number}")
        b.press("x")
    drag(page, "Drag 6", ".nav [data-day]")
    wait("several are due today", lambda: there(5)["dueDate"] == there(6)["dueDate"] == today)
    for number in (5, 6):
        page.focus(f"Drag {number}")
        b.press("x")
    home = house.list_id("Home")
    drag(page, "Drag 5", f".nav [data-list='{home}']")
    wait("several are moved", lambda: there(5)["listID"] == there(6)["listID"] == home)
    later = house.post("/v1/reminders", listID=made, title="Drag 7", dueDate="2027-05-05")["id"]
    house.post("/v1/reminders", listID=made, title="Drag 8", dueDate="2027-05-06")
    page.go("scheduled")
    wait("both days are there", page.shows("Drag 8"))
    drag(page, "Drag 7", ".days [data-day='2027-05-06'] h2")
    wait("onto a day it is due then", lambda: there(7)["dueDate"] == "2027-05-06")
    for each in (later, there(5)["id"], there(6)["id"]):
        house.delete(f"/v1/reminders/{each}")
    house.delete(f"/v1/lists/{made}")


@test
def selection_bar(page):
    """What the keys do to several, the bar does for a thumb."""
    b, house = page.browser, page.house
    made = rows_of(page, "Bar", 3)
    b.size(360, 740, True)
    for number in (1, 2):
        page.focus(f"Bar {number}")
        b.press("x")
    press = lambda label: b.run(
        "[...document.querySelectorAll('.bar .btn, .menu button')].find((each) =>"
        "each.textContent.startsWith(arguments[0])).click()", label)
    wait("the bar is there", lambda: b.count(".bar .btn") == 6)
    outside = b.run("return [...document.querySelectorAll('.bar .btn')].filter((each) => {"
                    "const { left, right } = each.getBoundingClientRect();"
                    "return left < 0 || right > innerWidth }).length")
    assert outside == 0
    press("More")
    wait("its menu opens", lambda: b.count(".menu"))
    press("Priority")
    wait("with priorities", lambda: "High" in b.text(".menu"))
    press("High")
    wait("both have it", lambda: all(page.server_has(f"Bar {each}")()["priority"] == "high"
                                     for each in (1, 2)))
    b.size(1280, 860)
    house.delete(f"/v1/lists/{made}")


@test
def added_elsewhere(page):
    """What is added and not in sight is told with its place."""
    b, house = page.browser, page.house
    page.go("today")
    page.add("Renew the visa 3 march #Bills")
    b.press("Enter", "Escape")
    wait("the toast says the place", lambda: "Bills, " in b.text(".toast p"))
    b.tap(".toast a")
    wait("and opens it", lambda: b.count(".pane .props"))
    b.run("document.querySelector('.pane .new-part input').focus()")
    b.type("Sub one tomorrow 9am")
    b.press("Enter")
    wait("a subtask is read as any line", page.server_has("Sub one"))
    made = page.server_has("Sub one")()
    assert made["dueDate"], made
    parent = page.server_has("Renew the visa")()["id"]
    wait("and is below it", page.server_has("Sub one", parentID=parent))
    b.press("Escape")
    house.delete(f"/v1/reminders/{parent}")


@test
def settings_in_sight(page):
    b = page.browser
    for size in (1280, 500), (360, 640):
        b.size(*size)
        page.go("lists" if size[0] < 500 else "today")
        wait("Settings are in sight", lambda: b.run(
            "const { top, bottom } = document.querySelector(\"[href='#/settings']\")"
            ".getBoundingClientRect(); return top > 0 && bottom <= innerHeight"))
    assert "Settings" in b.run("return document.querySelector('.foot').innerText")
    b.size(1280, 860)
    page.go("today")
