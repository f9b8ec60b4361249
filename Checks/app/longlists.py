"""Tests of long lists: only rows near the window exist, and nobody notices."""

import datetime

from gestures import click, drag
from page import test
from webdriver import wait

MOST = 160
# What is in sight: the rows at some heights of the window.
SEEN = """
  const { left, width, top, height } = document.querySelector("#main").getBoundingClientRect();
  return [.3, .5, .7, .95].map((part) => document.elementFromPoint(left + width / 2,
    top + height * part)?.closest("[data-row]")?.querySelector(".title")?.textContent);"""
SCROLL = """
  const [part, done] = arguments, main = document.querySelector("#main");
  main.scrollTop = part * main.scrollHeight;
  requestAnimationFrame(() => requestAnimationFrame(done));"""
PLACES = """
  return [...document.querySelectorAll("#main .row:not(.done)")].filter((row) =>
    row.ariaSetSize !== arguments[0] || row.querySelector(".title").textContent !==
    `${arguments[1]} ${row.ariaPosInSet}`).length"""


def fill(page, title, number, **more):
    """A list whose reminders are called "title 1" and so on."""
    made = page.house.post("/v1/lists", title=title, color="#4a99ef")["id"]
    for start in range(1, number + 1, 500):
        page.house.post("/v1/batch", operations=[
            {"method": "POST", "path": f"/v1/lists/{made}/reminders", "body": {
                "title": f"{title} {each}", **{k: v(each) for k, v in more.items()}}}
            for each in range(start, min(start + 500, number + 1))])
    return made


def near(page):
    """Some rows exist, and not many."""
    return 5 < page.browser.count("#main .row") <= MOST


def focused(page, title):
    b = page.browser
    return lambda: b.run("return document.activeElement.textContent") == title and b.run(
        "const { top, bottom } = document.activeElement.getBoundingClientRect();"
        "return top >= 0 && bottom <= innerHeight")


@test
def long_list(page):
    b, house = page.browser, page.house
    made = fill(page, "Line", 5000)
    page.go(f"lists/{made}")
    wait("5,000 reminders are here", lambda: "5000 open" in b.text("#main .head p"), 60)
    wait("only some exist", lambda: near(page), 20)
    for part in .1, .5, .25, .9:
        b.run_async(SCROLL, part)
        assert sum(map(bool, b.run(SEEN))) >= 3 and near(page), (part, b.run(SEEN), b.count("#main .row"))
    wait("what is in sight exists", lambda: True)
    assert b.run(PLACES, "5000", "Line") == 0
    wait("each says which of how many it is", lambda: True)
    b.run_async(SCROLL, 0)
    page.focus("Line 3")
    b.press("ArrowDown")
    wait("an arrow goes on", focused(page, "Line 4"))
    b.run_async(SCROLL, .7)
    assert b.run("return document.activeElement.textContent") == "Line 4", "the focus stays"
    assert "Line 4" not in b.run(SEEN) and near(page)
    b.press("ArrowDown")
    wait("an arrow comes back to it", focused(page, "Line 5"))
    for number in range(6, 60):
        b.press("j")
    wait("and goes far", focused(page, "Line 59"))
    b.run("document.activeElement.blur(); location.hash = '#/flagged'")
    wait("another place", lambda: b.text("#main h1") == "Flagged")
    page.go(f"lists/{made}")
    b.press("k")
    wait("up begins with the last of all", focused(page, "Line 5000"))
    b.press("Enter")
    wait("its details open", lambda: b.count(".pane"))
    b.run_async(SCROLL, .2)
    b.press("Escape")
    wait("and are closed", lambda: not b.count(".pane"))
    assert b.run("return document.activeElement.textContent") == "Line 5000"
    b.press("ArrowUp")
    wait("the focus is where it was", focused(page, "Line 4999"))

    b.run_async(SCROLL, 0)
    click(page, "Line 2", "Control")
    b.run_async(SCROLL, 1)
    click(page, "Line 5000", "Shift")
    wait("a range over what does not exist", lambda: b.text(".bar p") == "4999 selected")
    b.press("Escape")
    b.press("Control+a")
    wait("all can be selected", lambda: b.text(".bar p") == "5000 selected")
    b.press("Escape")
    wait("none is selected", lambda: not b.count(".bar"))

    b.run_async(SCROLL, .5)
    title = b.run(SEEN)[2]
    number = int(title.split()[1])
    drag(page, title, None, 60)
    find = lambda number: house.get(f"/v1/search?q=%22Line+{number}%22")["items"][0]
    wait("a drag makes a subtask of the one above", lambda: find(number)["parentID"] ==
         find(number - 1)["id"])
    b.press("Control+z")
    wait("undo", lambda: find(number)["parentID"] is None)
    wait("few exist still", lambda: near(page))

    b.run_async(SCROLL, 0)
    assert not b.run("return window.find('Line 4321', false, false, true)")
    b.press("Control+f")
    wait("for the find of the browser all of them exist", lambda: b.count("#main .row") == 5000, 30)
    assert b.run("return window.find('Line 4321', false, false, true)")
    page.go("today")
    page.go(f"lists/{made}")
    wait("in the next place only some", lambda: near(page))
    page.go("today")
    house.delete(f"/v1/lists/{made}")


@test
def long_days(page):
    """Many days, many lists, and many subtasks of one."""
    b, house = page.browser, page.house
    first = datetime.date(2028, 1, 1)
    day = lambda number: (first + datetime.timedelta(days=number)).isoformat()
    made = fill(page, "Daily", 600, dueDate=day)
    page.go("scheduled")
    wait("only some days exist", lambda: near(page), 30)
    assert b.count(".days [data-day]") < 150
    b.run_async(SCROLL, .6)
    assert any(b.run(SEEN)) and near(page), b.run(SEEN)
    house.delete(f"/v1/lists/{made}")
    lists = [fill(page, f"Shelf {number}", 50) for number in range(12)]
    page.go("all")
    wait("only some lists exist", lambda: "Shelf" in b.text(".side") and near(page), 30)
    b.run_async(SCROLL, .8)
    assert any(b.run(SEEN)) and near(page), b.run(SEEN)
    for each in lists:
        house.delete(f"/v1/lists/{each}")
    made = house.post("/v1/lists", title="Deep", color="#4a99ef")["id"]
    parent = house.post("/v1/reminders", listID=made, title="Many parts")["id"]
    house.post("/v1/batch", operations=[{"method": "POST", "path": "/v1/reminders", "body": {
        "parentID": parent, "title": f"Part {number}"}} for number in range(1, 301)])
    last = house.post("/v1/reminders", listID=made, title="After them")["id"]
    page.go(f"lists/{made}")
    wait("the parent is there", page.shows("Many parts"))
    wait("only some parts exist", lambda: near(page) and "302 open" in b.text("#main .head p"))
    b.run_async(SCROLL, 1)
    wait("the end is in sight", page.shows("After them"))
    page.focus("After them")
    b.press("k")
    wait("an arrow goes into the parts", focused(page, "Part 300"))
    b.press("x")
    page.focus("After them")
    b.press("Shift+ArrowUp")
    b.press("Escape")
    assert last and near(page)
    house.delete(f"/v1/lists/{made}")
    page.go("today")
