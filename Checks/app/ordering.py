"""Tests of lists in another order, and of dates in words."""

from gestures import drag
from more import choose, is_open
from page import test
from webdriver import wait


@test
def sorted_list(page):
    b, house = page.browser, page.house
    made = house.post("/v1/lists", title="Sorting", color="#4a99ef")["id"]
    today = b.run("return document.querySelector('.nav [data-day]').dataset.day")
    for title, more in [("Pears", {"dueDate": "2031-05-02"}), ("apples", {"priority": "low"}),
                        ("Zebras", {"priority": "high", "dueDate": "2031-05-01"}),
                        ("Bread", {"dueDate": today})]:
        item = house.post("/v1/reminders", listID=made, title=title, **more)["id"]
    house.post("/v1/reminders", parentID=item, title="Yeast")
    page.go(f"lists/{made}")
    rows = lambda: b.titles()
    own = ["Pears", "apples", "Zebras", "Bread", "Yeast"]
    wait("it has its own order", lambda: rows() == own)

    def order(menu, choice):
        b.click("#main .tools .icon")
        choose(b, menu)
        choose(b, choice)
    order("Sort", "By title")
    wait("by title", lambda: rows() == ["apples", "Bread", "Yeast", "Pears", "Zebras"])
    order("Sort", "By priority")
    wait("by priority", lambda: rows()[:2] == ["Zebras", "apples"])
    order("Sort", "By date")
    dated = ["Bread", "Yeast", "Zebras", "Pears", "apples"]
    wait("by date", lambda: rows() == dated)
    b.reload()
    wait("the device keeps it", lambda: rows() == dated)
    page.focus("Pears")
    b.press("Alt+ArrowUp")
    wait("it cannot be ordered by hand now", lambda: "sorted" in b.text(".toast"))
    order("Group", "By priority")
    heads = lambda: b.run("return [...document.querySelectorAll('#main .group > h2')].map((each) =>"
                          "each.firstChild.textContent)")
    wait("in groups", lambda: heads() == ["High", "Low", "Without a priority"])
    order("Group", "By date")
    wait("by date", lambda: heads()[0] == "Today" and heads()[-1] == "Without a date")
    drag(page, "apples", "#main [data-day='2031-05-01'] h2")
    wait("a drag to a day", page.server_has("apples", dueDate="2031-05-01"))
    for width in 320, 1280:
        b.size(width, 740, width < 500)
        assert b.run("return document.documentElement.scrollWidth <= innerWidth")
    order("Group", "Without")
    order("Sort", "In its own")
    wait("its own order is still there", lambda: rows() == own)
    assert house.get(f"/v1/lists/{made}/reminders?limit=9")["items"][0]["title"] == "Pears"
    house.delete(f"/v1/lists/{made}")


@test
def dates_in_words(page):
    b, house = page.browser, page.house
    item = house.post("/v1/reminders", listID=house.list_id("Home"), title="Dust the lamp")["id"]
    there = lambda: house.get(f"/v1/reminders/{item}")
    page.go(f"reminders/{item}")
    wait("the details open", lambda: b.count(".pane [name=typed]"))
    b.run("document.querySelector('.pane [name=typed]').focus()")
    b.type("blue cheese")
    b.press("Enter")
    wait("what is no date is said", lambda: "not understood" in b.text(".toast"))
    assert b.run("return document.activeElement.value") == "blue cheese"
    b.press("Control+a")
    b.type("1 may 2031 9am")
    b.press("Enter")
    wait("a date is read", lambda: (there()["dueDate"] or "").startswith("2031-05-01T"))
    assert [each["offset"] for each in there()["alarms"]] == ["PT0S"], "a time rings"
    wait("the field is empty again", lambda: b.run("return document.activeElement.value") == "")
    b.type("jeden zweiten Dienstag um 10")
    b.press("Enter")
    wait("in either language, with a recurrence", lambda: (there()["recurrence"] or {}).get("rule")
         == "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU")
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("undo", lambda: there()["recurrence"] is None)
    b.press("Escape")
    page.go(f"lists/{house.list_id('Home')}")
    page.focus("Dust the lamp")
    b.press("d")
    choose(b, "Choose")
    wait("the menu asks, too", is_open(b))
    b.run("document.querySelector('dialog [name=typed]').focus()")
    b.type("2 june 2031")
    b.press("Enter")
    wait("it is due then", lambda: there()["dueDate"] == "2031-06-02")
    house.delete(f"/v1/reminders/{item}")
