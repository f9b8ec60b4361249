"""Tests of undo and redo against a real server: an export is equal again."""

import json

from lib.web import ask
from page import test
from webdriver import wait

# What a change leaves behind, and numbers that only have an order.
LEFT = ("updatedAt", "position", "completedAt", "causeID")


def exported(page):
    """All that an export has, by kind; siblings are in their order."""
    lines = [json.loads(line) for line in ask(
        "GET", f"{page.house.api}/v1/export?format=ndjson").text.splitlines()]
    order = sorted(lines, key=lambda each: (each.get("parentID") or 0, each.get("position", 0)))
    return [{name: value for name, value in each.items() if name not in LEFT and not (
        name == "id" and each["type"] == "completion")} for each in order]


def there_and_back(page, what, act):
    """Does something, undoes it, does it again, and undoes it again."""
    b, before = page.browser, exported(page)
    act()
    wait(f"{what}: done", lambda: exported(page) != before, quiet=True)
    # A part of it may come later: the day of what was written in Today.
    after = settled(page)
    for _ in range(2):
        b.run("document.activeElement.blur()")
        b.press("Control+z")
        becomes(page, f"{what}: undone", before)
        b.press("Control+Shift+z")
        becomes(page, f"{what}: done again", after)
    b.press("Control+z")
    becomes(page, f"{what}: undone again", before)
    assert not b.count(".note.failed"), (what, b.text(".note.failed"))


def becomes(page, what, wanted):
    """The message of a failure has what differs."""
    try:
        wait(what, lambda: exported(page) == wanted, quiet=True)
    except Exception as problem:
        now = exported(page)
        raise AssertionError(what, [each for each in now if each not in wanted],
                             [each for each in wanted if each not in now]) from problem


def settled(page):
    last = [None]

    def same():
        before, last[0] = last[0], exported(page)
        return before == last[0]
    wait("nothing waits", same, quiet=True)
    return last[0]


@test
def whole_undo(page):
    b, house = page.browser, page.house
    b.size(1280, 860)
    ids = {each: house.post("/v1/lists", title=each, color="#4a99ef")["id"]
           for each in ("Undo here", "Undo there")}
    here = ids["Undo here"]
    add = lambda title, **more: house.post("/v1/reminders", listID=here, title=title, **more)["id"]
    add("First")
    parent = add("Parent")
    part = [house.post("/v1/reminders", parentID=parent, title=f"Part {n}")["id"] for n in "123"]
    house.post("/v1/reminders", parentID=part[1], title="Deep")
    add("Due", dueDate="2027-03-01T09:00:00Z", alarms=[{"offset": "-PT10M"}, {"offset": "-PT1H"}],
        tags=["undo", "redo"], priority="low", notes="Two\nlines")
    add("Weekly", dueDate="2027-03-02", recurrence={"rule": "FREQ=WEEKLY"})
    add("Last")
    smart = house.post("/v1/smart-lists", title="Undo filter", icon="📅", filter={"tag": "undo"})
    page.go(f"lists/{here}")
    wait("the list is there", page.shows("Last"))

    def key(title, *keys):
        def act():
            page.focus(title)
            b.press(*keys)
        return act

    def chosen(title, keys, label):
        def act():
            if title:
                page.focus(title)
            b.press(*keys)
            wait("a menu is there", lambda: b.count(".menu"), quiet=True)
            b.run("[...document.querySelectorAll('.menu button')].find((each) =>"
                  "each.textContent.includes(arguments[0])).click()", label)
        return act

    def many(keys, *titles):
        def act():
            for title in titles:
                page.focus(title)
                b.press("x")
            keys()
        return act

    for what, act in {
        "ticking": key("First", " "), "ticking with subtasks": key("Parent", " "),
        "ticking a series": key("Weekly", " "), "deleting": key("Due", "Delete"),
        "deleting with subtasks": key("Parent", "Delete"), "deleting a subtask":
            key("Part 2", "Delete"), "flag": key("First", "f"), "today": key("Due", "t"),
        "today for a series": key("Weekly", "t"), "moving": chosen("Parent", "m", "Undo there"),
        "moving a subtask": chosen("Part 2", "m", "Undo there"),
        "priority": chosen("Due", "!", "High"), "no date": chosen("Due", "d", "Remove"),
        "no date for a series": chosen("Weekly", "d", "Remove"),
        "down": key("First", "Alt+ArrowDown"), "a subtask up": key("Part 3", "Alt+ArrowUp"),
        "in": key("Due", "Alt+ArrowRight"), "out": key("Part 2", "Alt+ArrowLeft"),
        "several done": many(lambda: b.press(" "), "First", "Due", "Weekly"),
        "several moved": many(chosen(None, "m", "Undo there"), "Parent", "Due"),
        "several deleted": many(lambda: b.press("Delete"), "Part 1", "Part 3", "Last"),
        "several flagged": many(lambda: b.press("f"), "Part 1", "Last"),
    }.items():
        there_and_back(page, what, act)

    def add_line():
        page.add("A new line @undo friday !high")
        b.press("Enter", "Escape")
        wait("it is there", page.server_has("A new line"), quiet=True)
    there_and_back(page, "adding", add_line)

    def rename():
        b.click("#main .tools .icon")
        b.tap(".menu button")
        wait("the dialog is there", lambda: b.count("dialog[open]"), quiet=True)
        b.run("document.querySelector('dialog [type=radio]').click();"
              "document.querySelector('dialog input').value = 'Undo renamed';"
              "document.querySelector('dialog form').requestSubmit()")
    there_and_back(page, "renaming a list", rename)
    page.go(f"smart/{smart['id']}")
    wait("the smart list is there", lambda: b.text("#main h1") == "📅Undo filter")

    def end():
        page.go(f"smart/{b.run(SMART)}")
        b.click("#main .tools .icon")
        wait("a menu is there", lambda: b.count(".menu"), quiet=True)
        b.run("[...document.querySelectorAll('.menu button')].at(-1).click()")
    smarts = lambda: [(each["title"], each["icon"], each["filter"]) for each in
                      house.get("/v1/smart-lists")["items"]]
    before = smarts()
    SMART = ("return document.evaluate(\"//a[contains(., 'Undo filter')]\", document, null, 9, null)"
             ".singleNodeValue.hash.split('/').at(-1)")
    end()
    wait("a smart list is deleted", lambda: len(smarts()) == len(before) - 1)
    b.press("Control+z")
    wait("and is there again, where it was", lambda: smarts() == before)
    b.press("Control+Shift+z")
    wait("deleted again", lambda: len(smarts()) == len(before) - 1)
    b.press("Control+z")
    wait("and there again", lambda: smarts() == before)
    for each in ids.values():
        house.delete(f"/v1/lists/{each}")
