"""Walks through the app as a person takes them: by keys alone, with one thumb, without a network.

Each makes a list, adds, sets a date and a recurrence, completes, undoes, searches, moves, deletes.
"""

import shutil
import time

from firefox import Firefox
from gestures import dragged, range_of_rows
from ordering import dates_in_words, sorted_list
from page import Page, test
from webdriver import wait

FOCUSED = "return document.activeElement.matches(arguments[0])"


class Keys:
    """Only keys, and after each step the focus is somewhere."""

    def __init__(self, page):
        self.page, self.b = page, page.browser

    def until(self, key, there, most=60):
        """Presses a key until the focus is on what a selector finds, or on a text."""
        script = ("const { activeElement: each } = document, [wanted] = arguments;"
                  "return each.textContent === wanted || /[.[]/.test(wanted) && each.matches(wanted)")
        for _ in range(most):
            if self.b.run(script, there):
                return
            self.b.press(key)
        raise AssertionError(f"{key} does not lead to {there}")

    def has_focus(self, what):
        wait(f"the focus is not lost: {what}", lambda: self.b.run(
            "return document.activeElement !== document.body"), quiet=True)

    def make_list(self, name):
        self.until("Tab", "[aria-label='New list']")
        self.b.press("Enter")
        wait("the dialog opens", lambda: self.b.run(FOCUSED, "#list-title"), quiet=True)
        self.b.type(name)
        self.b.press("Enter")

    def add(self, *lines):
        self.b.press("q")
        wait("the line is open", lambda: self.b.run(FOCUSED, "textarea"), quiet=True)
        for line in lines:
            self.b.type(line)
            self.b.press("Enter")
        self.b.press("Escape")
        self.has_focus("after adding")

    def row(self, title):
        self.b.press("j")
        self.until("k", title)

    def tomorrow(self, title):
        self.row(title)
        self.b.press("d")
        wait("the menu opens", lambda: self.b.run(FOCUSED, ".menu button"), quiet=True)
        # The first letter leads to one, and once more to the next one.
        self.until("t", ".menu :nth-child(2)")
        self.b.press("Enter")
        self.has_focus("after the date")

    def every_day(self, title):
        self.row(title)
        self.b.press("Enter")
        wait("the details open", lambda: self.b.count(".pane .props"), quiet=True)
        self.b.press("Enter")
        self.until("Tab", ".pane .props [aria-haspopup=dialog]")
        self.b.press("Enter")
        wait("the picker opens", lambda: self.b.run(FOCUSED, "dialog input"), quiet=True)
        self.until("Shift+Tab", "Every day")
        self.b.press(" ")
        wait("it is chosen", lambda: self.b.text("dialog h2") == "Every day", quiet=True)
        self.until("Tab", "dialog .main")
        self.b.press("Enter")
        wait("the focus is where it was", lambda: self.b.run(
            FOCUSED, ".pane .props [aria-haspopup=dialog]"), quiet=True)
        wait("the details say it", lambda: "Every day" in self.b.text(".pane .props"), quiet=True)
        self.b.press("Escape")
        wait("and on the row", lambda: self.b.run(
            "return document.activeElement.textContent") == title, quiet=True)

    def complete(self, title):
        self.row(title)
        self.b.press(" ")

    def undo(self):
        self.b.press("Control+z")
        self.has_focus("after undo")

    def search(self, text, title):
        self.b.press("/")
        wait("the search opens", lambda: self.b.run(FOCUSED, "#query"), quiet=True)
        self.b.type(text)
        wait("it finds", lambda: self.b.titles() == [title], quiet=True)
        self.b.press("ArrowDown")
        wait("the arrow goes there", lambda: self.b.run(FOCUSED, "a.title"), quiet=True)

    def move(self, title, name):
        self.b.press("m")
        wait("the lists are there", lambda: self.b.run(FOCUSED, ".menu button"), quiet=True)
        self.until("ArrowDown", name)
        self.b.press("Enter")
        self.has_focus("after moving")

    def delete(self, title):
        self.row(title)
        self.b.press("Delete")
        self.has_focus("after deleting")


class Thumb:
    """Only taps and swipes of a finger, on what is seen, is not covered, and is large enough."""

    # WCAG 2.5.8. A title is as large as its row, which opens it.
    SIZE = 24
    WHERE = """
      const [selector, text] = arguments;
      const each = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility() &&
        (text === null || (each.getAttribute("aria-label") ?? each.textContent).startsWith(text)));
      if (!each) return undefined;
      each.scrollIntoView({ block: "nearest" });
      const { left, top, width, height } = (each.matches(".title") ? each.closest(".row") : each)
        .getBoundingClientRect();
      const x = left + width / 2, y = top + height / 2, found = document.elementFromPoint(x, y);
      const isFound = each.contains(found) || found?.closest("label, .row")?.contains(each);
      return { x: Math.round(x), y: Math.round(y), width, height, isFound,
        by: found?.outerHTML.slice(0, 80) };"""

    def __init__(self, page):
        self.page, self.b = page, page.browser

    def finger(self, *steps):
        self.b.perform({"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"},
                        "actions": list(steps)})

    def tap(self, selector, text=None):
        what = text or selector
        at = wait(f"{what} is there", lambda: self.b.run(self.WHERE, selector, text), quiet=True)
        wait(f"{what} is not covered", lambda: at.update(self.b.run(
            self.WHERE, selector, text) or {}) or at["isFound"], quiet=True)
        assert min(at["width"], at["height"]) >= self.SIZE, (what, at)
        self.finger({"type": "pointerMove", "x": at["x"], "y": at["y"]},
                    {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def make_list(self, name):
        self.tap(".tabs a", "Lists")
        self.tap("button", "New list")
        wait("the dialog opens", lambda: self.b.run(FOCUSED, "#list-title"), quiet=True)
        self.b.type(name)
        self.tap("dialog footer .main")

    def add(self, *lines):
        self.tap(".tabs .plus")
        wait("the line is open", lambda: self.b.run(FOCUSED, "textarea"), quiet=True)
        for line in lines:
            self.b.type(line)
            self.tap(".add .main")
        self.tap("#main h1")

    def open(self, title):
        self.tap("#main .row .title", title)
        wait("the details open", lambda: self.b.count(".pane .props"), quiet=True)

    def close(self):
        self.tap(".pane .close")
        wait("the details are closed", lambda: not self.b.count(".pane"), quiet=True)

    def tomorrow(self, title):
        self.open(title)
        self.tap(".pane .chip", "Tomorrow")
        self.close()

    def every_day(self, title):
        self.open(title)
        self.tap(".pane .props [aria-haspopup=dialog]")
        self.tap("dialog .chip", "Every day")
        self.tap("dialog footer .main")
        wait("the details say it", lambda: "Every day" in self.b.text(".pane .props"), quiet=True)
        self.close()

    def complete(self, title):
        at = self.b.run(self.WHERE, "#main .row .title", title)
        move = {"type": "pointerMove", "y": at["y"]}
        self.finger({**move, "x": 150}, {"type": "pointerDown", "button": 0},
                    {**move, "x": 230, "duration": 80}, {**move, "x": 360, "duration": 120},
                    {"type": "pointerUp", "button": 0})

    def undo(self):
        self.tap(".toast .btn", "Undo")

    def search(self, text, title):
        self.tap(".tabs a", "Search")
        wait("the search opens", lambda: self.b.run(FOCUSED, "#query"), quiet=True)
        self.b.type(text)
        wait("it finds", lambda: self.b.titles() == [title], quiet=True)

    def move(self, title, name):
        """A finger that rests selects; the bar has what can be done then."""
        # A row can be drawn again, and move away under the finger.
        def is_selected():
            at = self.b.run(self.WHERE, "#main .row .title", title)
            if not at:
                return False
            self.finger({"type": "pointerMove", "x": at["x"], "y": at["y"]},
                        {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": 600},
                        {"type": "pointerUp", "button": 0})
            end = time.monotonic() + 2
            while not self.b.count(".bar") and time.monotonic() < end:
                time.sleep(.02)
            return self.b.count(".bar")
        wait("it is selected", is_selected, quiet=True)
        self.tap(".bar .btn", "Move")
        self.tap(".menu button", name)

    def delete(self, title):
        self.open(title)
        self.tap(".pane header [aria-haspopup=menu]")
        self.tap(".menu button", "Delete")


def walk(page, hand, name, shows):
    """`shows` waits until the page, and maybe the server, have what is said of a title."""
    b = page.browser
    shed, nails = f"Paint the shed {name}", f"Buy nails {name}"
    hand.make_list(name)
    wait("the list is there", lambda: b.text("#main h1") == name)
    hand.add(shed, nails)
    wait("both are added", lambda: b.titles() == [shed, nails])
    shows(shed, status="incomplete")
    hand.tomorrow(shed)
    tomorrow = b.run("const day = new Date(); day.setDate(day.getDate() + 1);"
                     "return new Intl.DateTimeFormat('sv').format(day)")
    shows(shed, dueDate=tomorrow)
    hand.every_day(shed)
    shows(shed, dueDate=tomorrow)
    hand.complete(nails)
    wait("what is completed leaves", page.lacks(nails))
    shows(nails, status="completed")
    hand.undo()
    wait("and comes back", page.shows(nails))
    shows(nails, status="incomplete")
    hand.search(f"nails {name}", nails)
    hand.move(nails, "Shopping")
    shows(nails, listID=page.shopping)
    hand.delete(nails)
    wait("what is deleted is gone", page.lacks(nails))
    hand.undo()
    wait("and comes back from the trash", page.shows(nails))
    shows(nails, listID=page.shopping, status="incomplete")


def clear(page, name):
    """What a walk has left."""
    assert not page.browser.count(".note.failed"), page.browser.text(".note.failed")
    for each in page.house.get("/v1/reminders?limit=500")["items"]:
        if each["title"] == f"Buy nails {name}":
            page.house.delete(f"/v1/reminders/{each['id']}")
    page.house.delete(f"/v1/lists/{page.house.list_id(name)}")
    page.browser.size(1280, 860)
    page.go("today")


def begin(page):
    page.shopping = page.house.list_id("Shopping")
    page.browser.size(1280, 860)
    page.go("today")
    page.browser.run("document.activeElement.blur()")


def stored(page):
    return lambda title, **members: wait(f"{title}: {members}", page.server_has(title, **members))


def walk_live(page, way, name):
    """The walk beside a server that stores each step."""
    walk(page, way, name, stored(page))
    wait("the series is stored", lambda: page.server_has(f"Paint the shed {name}")()["recurrence"])
    clear(page, name)


@test
def by_keys(page):
    begin(page)
    walk_live(page, Keys(page), "Keys")


@test
def with_a_thumb(page):
    begin(page)
    page.browser.size(390, 844, True)
    walk_live(page, Thumb(page), "Thumb")


@test
def without_a_network(page):
    begin(page)
    page.lose_server()
    walk(page, Keys(page), "Away", lambda title, **members: None)
    page.find_server()
    wait("the page is live", page.sign("Live"), 30)
    wait("nothing waits", lambda: "waiting" not in page.browser.text(".sign"), 30)
    has = stored(page)
    has("Buy nails Away", listID=page.shopping, status="incomplete")
    wait("the series is stored", lambda: page.server_has("Paint the shed Away")()["recurrence"])
    clear(page, "Away")


@test
def in_firefox(page):
    """The walk, the mouse, and an order of its own, in another browser."""
    if not shutil.which("firefox-esr"):
        print("  left out: firefox-esr is not installed")
        return
    begin(page)
    browser = Firefox()
    other = Page(page.house, browser)
    try:
        other.shopping = page.shopping
        browser.open(page.house.url + "/")
        wait("Firefox is live", other.sign("Live"))
        walk(other, Keys(other), "Firefox", stored(other))
        has = other.server_has
        wait("the series is stored", lambda: has("Paint the shed Firefox")()["recurrence"])
        for each in (range_of_rows, dragged, sorted_list, dates_in_words):
            each(other)
        assert browser.errors() == [], browser.errors()
    except Exception:
        print(f"  Firefox is {other.state()}")
        raise
    finally:
        browser.close()
    clear(page, "Firefox")
