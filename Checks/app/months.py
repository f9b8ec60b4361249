"""Tests of the calendar: a month and a week of what is due."""

import datetime

from gestures import WHERE
from more import drag as drag_to
from page import test
from webdriver import wait


def box(page, day):
    return page.browser.run(
        "const { left, top, width, height } = document.querySelector(arguments[0])"
        ".getBoundingClientRect(); return [Math.round(left + width / 2), "
        "Math.round(top + height * .7)]", f".cell[data-day='{day}']")


def event(page, title):
    return page.browser.run(WHERE.replace("#main .row", "#main .event"), title)


@test
def calendar(page):
    b, house = page.browser, page.house
    made = house.post("/v1/lists", title="Months", color="#4a99ef")["id"]
    add = lambda title, due: house.post("/v1/reminders", listID=made, title=title,
                                        dueDate=due)["id"]
    item = add("Visit the dam", "2031-05-14")
    for number in range(1, 8):
        add(f"Busy {number}", "2031-05-20")
    add("At nine", "2031-05-15T09:00:00Z")
    page.go("scheduled")
    wait("Scheduled has a way to it", lambda: b.run("const link = document.querySelector("
         "'#main .tools a'); link?.click(); return !!link"))
    wait("this month is shown", lambda: b.text(".views [aria-current]") == "Month")
    assert b.count(".cell[aria-current=date]") == 1
    page.go("calendar?view=month&day=2031-05-01")
    wait("a month", lambda: b.text("#main h1") == "May 2031")
    days = lambda: b.run("return [...document.querySelectorAll('.cell')].map((each) =>"
                         "each.dataset.day)")
    first = datetime.date.fromisoformat(days()[0])
    monday = b.run("const locale = new Intl.Locale(navigator.languages[0]);"
                   "return (locale.getWeekInfo?.() ?? locale.weekInfo).firstDay")
    assert first.isoweekday() == monday and "2031-05-31" in days() and len(days()) == 35, days()
    titles = lambda day: b.titles(f".cell[data-day='{day}'] .title")
    wait("with what is due", lambda: titles("2031-05-14") == ["Visit the dam"])
    assert len(titles("2031-05-20")) == 4 and "3 more" in b.text("[data-day='2031-05-20']")
    there = lambda: house.get(f"/v1/reminders/{item}")["dueDate"]
    drag_to(b, event(page, "Visit the dam"), box(page, "2031-05-28"))
    wait("a drag to another day", lambda: there() == "2031-05-28")
    wait("it is there", lambda: titles("2031-05-28") == ["Visit the dam"])
    nine = page.server_has("At nine")
    drag_to(b, event(page, "At nine"), box(page, "2031-05-22"))
    wait("keeps the time", lambda: nine()["dueDate"].startswith("2031-05-22T09:00"))
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("undo", lambda: nine()["dueDate"].startswith("2031-05-15"))
    b.run("[...document.querySelectorAll('.event .title')].find((each) =>"
          "each.textContent === 'Visit the dam').focus()")
    b.press("f")
    wait("keys act on it", page.server_has("Visit the dam", isFlagged=True))
    b.press("Enter")
    wait("it opens beside the month", lambda: b.count(".pane") and b.count(".cal"))
    b.press("Escape")
    b.click(".tools .next")
    wait("the next month", lambda: b.text("#main h1") == "June 2031")
    b.click(".tools [aria-label=Earlier]")
    wait("and back", lambda: b.text("#main h1") == "May 2031")
    b.run("[...document.querySelectorAll('.rest')].at(-1).click()")
    wait("what does not fit is in the week", lambda: b.text(".views [aria-current]") == "Week" and
         len(titles("2031-05-20")) == 7 and len(days()) == 7)
    drag_to(b, event(page, "Busy 7"), box(page, "2031-05-23"))
    wait("a drag in a week", page.server_has("Busy 7", dueDate="2031-05-23"))
    b.size(320, 740, True)
    wait("a phone has the days below each other", lambda: b.run(
        "const all = [...document.querySelectorAll('.cell')].map((each) =>"
        "each.getBoundingClientRect().left); return new Set(all).size === 1 &&"
        "document.documentElement.scrollWidth <= innerWidth"))
    page.go("calendar?view=month&day=2031-05-01")
    wait("and numbers in a month", lambda: "6" in b.text("[data-day='2031-05-20'] .n"))
    label = b.run("return document.querySelector('[data-day=\"2031-05-20\"] .day').ariaLabel")
    assert label.endswith(", 6 reminders") and label.startswith("Tuesday"), label
    b.size(1280, 860)
    page.go("today")
    b.press("g", "m")
    wait("keys go there", lambda: b.run("return location.hash") == "#/calendar")
    page.go("today")
    house.delete(f"/v1/lists/{made}")
