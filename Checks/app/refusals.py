"""Tests of what the server refuses, and of what is undone."""

import sqlite3

from page import test
from webdriver import wait


def erase(house, table, id_):
    """Deletes a row while the server is stopped."""
    with sqlite3.connect(house.database) as database:
        database.execute(f"DELETE FROM {table} WHERE id = ?", (id_,))
    database.close()


@test
def refused(page):
    """What was written for a list that is gone meanwhile, with what belongs to it."""
    b, house = page.browser, page.house
    gone = house.post("/v1/lists", title="Soon gone")["id"]
    page.go(f"lists/{gone}")
    wait("the list is there", lambda: b.text("#main h1") == "Soon gone")
    page.lose_server()
    page.add_with_part("Plan the party", "Write invitations")
    erase(house, "remindersLists", gone)
    page.find_server()
    wait("the page is live", page.sign("Live"), 30)
    wait("one note names both", lambda: b.count(".note.failed") == 1 and all(
        each in b.text(".note.failed") for each in ["Plan the party", "Write invitations"]))
    wait("with the reason", lambda: "list" in b.text(".note.failed"))
    page.go("all")
    b.tap(".note.failed .btn")
    wait("another try stores them", page.server_has("Plan the party"), 30)
    wait("and what is below it", page.server_has("Write invitations"), 30)
    first = house.get("/v1/lists")["items"][0]["id"]
    made = page.server_has("Plan the party")()
    assert made["listID"] == first, (made, first)
    wait("as its subtask", page.server_has("Write invitations", parentID=made["id"]), 30)
    wait("no note is left", lambda: not b.count(".note.failed"))
    b.complaints()  # The answers that refuse.
    house.delete(f"/v1/reminders/{made['id']}")


@test
def discarded(page):
    """A change that is refused says what it is about, and goes when one wants it."""
    b, house = page.browser, page.house
    home = house.list_id("Home")
    item = house.post("/v1/reminders", listID=home, title="Move the chest")["id"]
    page.go("all")
    wait("it is there", page.shows("Move the chest"))
    page.lose_server()
    page.focus("Move the chest")
    b.press("f")
    erase(house, "reminders", item)
    page.find_server()
    wait("the page is live", page.sign("Live"), 30)
    wait("it is refused", lambda: b.count(".note.failed") == 1)
    b.run("document.querySelectorAll('.note.failed .btn')[1].click()")
    wait("it is discarded", lambda: not b.count(".note.failed"))
    b.complaints()


@test
def written_here(page):
    """What is written in a smart list or in Scheduled is seen there."""
    b, house = page.browser, page.house
    lists = {each["title"]: each["id"] for each in house.get("/v1/lists")["items"]}
    smart = house.post("/v1/smart-lists", title="Work at hand", filter={
        "flagged": True, "tag": ["at work", "desk"], "priority": ["high", "medium"],
        "listID": lists["Bills"], "dueWithin": "P7D"})["id"]
    page.go(f"smart/{smart}")
    wait("the smart list is there", lambda: b.text("#main h1") == "Work at hand")
    page.add("Answer the letters")
    b.press("Enter", "Escape")
    wait("it is stored", page.server_has("Answer the letters", isFlagged=True, priority="high",
                                         listID=lists["Bills"]))
    wait("with a day", lambda: page.server_has("Answer the letters")()["dueDate"])
    assert sorted(page.server_has("Answer the letters")()["tags"]) == ["at work", "desk"]
    wait("and seen", page.shows("Answer the letters"))
    page.go("scheduled")
    page.add("Look at the map")
    b.press("Enter", "Escape")
    wait("Scheduled gives it a day", lambda: (page.server_has("Look at the map")() or {})
         .get("dueDate"))
    wait("it is seen there, too", page.shows("Look at the map"))
    house.delete(f"/v1/smart-lists/{smart}")


@test
def undone(page):
    """Skipping, a new subtask, and restoring are undone as all else."""
    b, house = page.browser, page.house
    home = house.list_id("Home")
    item = house.post("/v1/reminders", listID=home, title="Clean the filter",
                      dueDate="2027-01-04", recurrence={"rule": "FREQ=WEEKLY"})["id"]
    there = lambda: house.get(f"/v1/reminders/{item}")
    undo = lambda: (b.run("document.activeElement.blur()"), b.press("Control+z"))
    page.go(f"reminders/{item}")
    wait("the details open", lambda: b.count(".pane .new-part"))
    chip = ("return [...document.querySelectorAll('.pane button.chip')]"
            ".find((each) => each.textContent.includes('Skip'))")
    wait("it can be skipped", lambda: b.run(f"{chip} !== undefined"))
    b.run(f"{chip.replace('return', '')}.click()")
    wait("it is skipped", lambda: there()["dueDate"] == "2027-01-11")
    undo()
    wait("undo brings the occurrence back", lambda: there()["dueDate"] == "2027-01-04")
    b.run("document.querySelector('.pane .new-part input').focus()")
    b.type("Buy a new one")
    b.press("Enter")
    wait("a subtask is added", page.server_has("Buy a new one", parentID=item))
    undo()
    wait("and taken back", lambda: not page.server_has("Buy a new one")())
    house.delete(f"/v1/reminders/{item}")
    page.go("trash")
    button = "document.querySelector(\"#main [aria-label='Restore Clean the filter']\")"
    wait("it is in the trash", lambda: b.run(f"return {button} !== null"))
    b.run(f"{button}.click()")
    wait("it is restored", page.server_has("Clean the filter"))
    # The answer comes later than the change.
    wait("and the page has heard", lambda: b.text(".toast p") == "Restored")
    undo()
    wait("and in the trash again", lambda: not page.server_has("Clean the filter")())
    wait("which the page shows", lambda: b.run(f"return {button} !== null"))
    page.lose_server()
    b.run(f"{button}.click()")
    wait("restoring needs the server", lambda: "connection" in b.text(".toast"))
    page.find_server()
    wait("the page is live", page.sign("Live"), 30)
    page.go(f"lists/{home}")
    done = house.post("/v1/reminders", listID=home, title="Wax the skis")["id"]
    wait("another device has added it", page.shows("Wax the skis"))
    house.patch(f"/v1/reminders/{done}", status="completed")
    wait("and completed it", page.lacks("Wax the skis"))
    page.go(f"reminders/{done}")
    wait("a completed one opens", lambda: b.count(".pane .big.done"))
    b.tap(".pane .props [aria-haspopup=dialog]")
    wait("its recurrence can be chosen", lambda: b.count("dialog[open] .week"))
    b.tap("dialog[open] .btn.main")
    wait("and is stored", lambda: house.get(f"/v1/reminders/{done}")["recurrence"])
    b.press("Escape")
