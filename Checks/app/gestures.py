"""Tests of the mouse, a finger and the keys that select."""

from page import test
from webdriver import KEYS, call, wait

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
    call("POST", f"{b.url}/actions", {"actions": [
        {"type": "key", "id": "keys", "actions": [
            *keys, *[{"type": "pause"}] * 3,
            *[{**each, "type": "keyUp"} for each in reversed(keys)]]},
        {"type": "pointer", "id": "mouse", "actions": [*pauses, *mouse]}]})


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
    selects = lambda what, *wanted: wait(what, lambda: chosen() == list(wanted), 5)
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
