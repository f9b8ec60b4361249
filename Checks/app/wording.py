"""Tests of what the app says when something goes wrong."""

import sqlite3

from page import test
from refusals import erase
from webdriver import wait


@test
def own_words(page):
    """A German page does not show the English of the server, nor its paths."""
    b, house = page.browser, page.house
    home = house.list_id("Home")
    items = [house.post("/v1/reminders", listID=home, title=f"Move the sofa {n}")["id"]
             for n in (1, 2)]
    b.run("localStorage.setItem('martlet.language', 'de')")
    b.reload()
    wait("the page is live", page.sign("Live"))
    page.go("today")
    page.add("morgen um 9")
    wait("a title is asked for", lambda: b.text("#read .err") == "Ein Titel fehlt.")
    b.run("document.activeElement.select()")
    b.press("Delete", "Escape")
    page.go(f"lists/{home}")
    wait("both are there", page.shows("Move the sofa 2"))
    house.stop()
    wait("the page notices", page.sign("Verbind"), 20)
    for title in ("Move the sofa 1", "Move the sofa 2"):
        page.focus(title)
        b.press("x")
    b.press("f")
    erase(house, "reminders", items[0])
    page.find_server()
    wait("the page is live", page.sign("Live"), 30)
    wait("it is refused", lambda: b.count(".note.failed") == 1)
    told = b.text(".note.failed")
    assert "Es ist nicht mehr da." in told and "/" not in told and "operation" not in told, told
    b.run("document.querySelectorAll('.note.failed .btn')[1].click()")
    wait("it is discarded", lambda: not b.count(".note.failed"))
    b.complaints()
    b.run("localStorage.removeItem('martlet.language'); location.hash = '#/today';")
    b.reload()
    wait("the page is live", page.sign("Live"))
    house.delete(f"/v1/reminders/{items[1]}")


@test
def spoiled_entry(page):
    """What another program has spoiled in the trash cannot be restored, and the app says why."""
    b, house = page.browser, page.house
    item = house.post("/v1/reminders", listID=house.list_id("Home"), title="Fold the map")["id"]
    house.delete(f"/v1/reminders/{item}")
    with sqlite3.connect(house.database) as database:
        database.execute("UPDATE trash SET content = '{}' WHERE title = 'Fold the map'")
    database.close()
    page.go("trash")
    b.tap("[aria-label='Restore Fold the map']")
    wait("it says why not", lambda: "Another program has damaged it" in b.text(".toast"))
    b.complaints()
    page.go("today")
