"""Tests of links, lists and boxes in notes."""

from page import test
from webdriver import wait

NOTES = """For the trip:
- [ ] Passports
- [x] Tickets, see [the shop](https://tram.example.org/tickets)
  - for four
1. Pack
2. Lock up

<b>Not bold</b> and [no](javascript:alert(1)), but https://a.example.org/x."""


@test
def marked_notes(page):
    b, house = page.browser, page.house
    item = house.post("/v1/reminders", listID=house.list_id("Home"), title="Go to Rome",
                      notes=NOTES)["id"]
    notes = lambda: house.get(f"/v1/reminders/{item}")["notes"]
    page.go(f"reminders/{item}")
    wait("lists are lists", lambda: b.count(".pane .marked ul li") == 3 and
         b.count(".pane .marked ol li") == 2)
    links = b.run("return [...document.querySelectorAll('.marked a')].map((each) =>"
                  "[each.textContent, each.href, each.rel])")
    assert links == [["the shop", "https://tram.example.org/tickets", "noopener noreferrer"],
                     ["a.example.org/x", "https://a.example.org/x", "noopener noreferrer"]], links
    assert not b.count(".marked b") and "<b>Not bold</b> and [no](javascript:alert(1))" in \
        b.text(".pane .marked")
    assert b.run("return [...document.querySelectorAll('.marked input')].map((each) =>"
                 "each.checked)") == [False, True]
    b.click(".pane .marked input")
    wait("a box can be ticked", lambda: notes() == NOTES.replace("[ ]", "[x]"))
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("and undone", lambda: notes() == NOTES)
    wait("here, too", lambda: not b.run("return document.querySelector('.marked input').checked"))
    field = "document.querySelector('.pane .notes textarea')"
    b.run("document.querySelector('.marked p').click()")
    wait("a click edits the text", lambda: b.run(f"return document.activeElement === {field}"))
    assert not b.run("return document.querySelector('.marked').checkVisibility()")
    b.press("End")
    b.type(" Hello")
    b.press("Escape")
    wait("it is saved", lambda: "Hello" in notes())
    for width in 320, 1280:
        b.size(width, 740, width < 500)
        page.go(f"reminders/{item}")
        wait("it fits", lambda: b.run("const pane = document.querySelector('.pane');"
                                      "return pane && pane.scrollWidth <= pane.clientWidth"))
        b.run("document.querySelector('.pane header .close').focus()")
        for _ in range(9):
            b.press("Tab")
            if b.run(f"return document.activeElement === {field}"):
                break
        assert b.run(f"return document.activeElement === {field} && {field}.checkVisibility()")
        b.press("Tab")
        b.run("document.activeElement.blur()")
    b.size(1280, 860)
    page.go("today")
    house.delete(f"/v1/reminders/{item}")
