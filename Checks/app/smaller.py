"""Tests of smaller things that a week of use finds."""

from gestures import WHERE, rows_of
from page import test
from webdriver import call, wait


def paste(page, text):
    page.browser.run("""
      const data = new DataTransfer();
      data.setData("text", arguments[0]);
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data,
        bubbles: true, cancelable: true }));""", text)


@test
def pasted_lines(page):
    b, house = page.browser, page.house
    made = rows_of(page, "Paste", 1)
    page.add("")
    b.press("Backspace")
    paste(page, "- [ ] Apples tomorrow\n* Pears @fruit\n\n  3. Plums\nRotten ones\n")
    shown = lambda: b.titles("dialog .lines > li > label")
    wait("it is shown what they become", lambda: shown() == ["Apples", "Pears", "Plums",
                                                             "Rotten ones"])
    wait("with what was understood", lambda: "fruit" in "".join(b.titles("dialog .lines .read")))
    assert not page.server_has("Plums")() and b.text("dialog footer .main") == "Add 4"
    b.run("document.querySelectorAll('dialog .lines input')[3].click()")
    wait("one is left out", lambda: b.text("dialog footer .main") == "Add 3")
    b.click("dialog footer .main")
    for title in ("Apples", "Pears", "Plums"):
        wait(f"{title} is a reminder", page.server_has(title, listID=made))
    assert not page.server_has("Rotten ones")()
    assert page.server_has("Pears")()["tags"] == ["fruit"] and page.server_has("Apples")()["dueDate"]
    b.press("Escape")
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("one undo takes all back", lambda: not page.server_has("Plums")() and
         not page.server_has("Apples")())
    house.delete(f"/v1/lists/{made}")


@test
def small_words(page):
    """What the toast says, the right button, an address with an ID, tags, and a shared page."""
    b, house = page.browser, page.house
    made = rows_of(page, "Small", 2)
    page.focus("Small 1")
    b.press("T")
    wait("the toast says what was changed", lambda: b.text(".toast p") == "Changed “Small 1”: Due")
    page.focus("Small 1")
    b.press("T")
    wait("and that it was so already", lambda: "already" in b.text(".toast p"))
    x, y = b.run(WHERE, "Small 2")
    call("POST", f"{b.url}/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
        {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 2},
        {"type": "pointerUp", "button": 2}]}]})
    wait("the right button opens the menu of the row", lambda: b.count(".menu button") > 6)
    b.press("Escape")
    wait("Escape closes it", lambda: not b.count(".menu"))
    page.focus("Small 2")
    b.press("Enter")
    wait("the details open", lambda: b.count(".pane .props"))
    b.write(".pane [aria-label='Add a tag']", "new tag, two\ue007")
    wait("two tags are two", lambda: sorted(page.server_has("Small 2")()["tags"]) == ["new tag", "two"])
    labels = b.run("return [...document.querySelectorAll('.pane [type=date]')].map((each) =>"
                   "each.getAttribute('aria-label'))")
    assert len(set(labels)) == len(labels), labels
    b.press("Escape")
    b.click("[aria-label='New list']")
    wait("the dialog opens", lambda: b.count("dialog[open]"))
    b.write("#list-title", "Named")
    b.press("Enter")
    wait("the server has the list", lambda: "Named" in [
        each["title"] for each in house.get("/v1/lists")["items"]])
    wait("the address has its ID", lambda: b.run("return location.hash") ==
         f"#/lists/{house.list_id('Named')}")
    assert "Named" in b.text("#main h1")
    house.delete(f"/v1/lists/{house.list_id('Named')}")
    page.go("today")
    b.run("location.hash = '#/add?title=A%20page&text=Read%20it&url=https://example.org/a'")
    wait("a shared page is a title with notes", lambda: b.run(
        "return document.querySelector('.add textarea')?.value") ==
        "A page // Read it https://example.org/a")
    b.run("document.querySelector('.add textarea').select()")
    b.press("Delete", "Escape")
    house.delete(f"/v1/lists/{made}")


@test
def open_first(page):
    b, house = page.browser, page.house
    home = house.list_id("Home")
    done = house.post("/v1/reminders", listID=home, title="Quince jam")["id"]
    house.patch(f"/v1/reminders/{done}", status="completed")
    there = house.post("/v1/reminders", listID=home, title="Quince cheese")["id"]
    page.go("search?q=quince")
    titles = lambda: b.titles("#main .row .title")
    wait("a search has the open ones first", lambda: titles() == ["Quince cheese", "Quince jam"])
    smart = house.post("/v1/smart-lists", title="Quinces", filter={"q": "quince"})["id"]
    page.go(f"smart/{smart}")
    wait("so has a smart list", lambda: titles() == ["Quince cheese", "Quince jam"])
    wait("which counts the open ones", lambda: "1 open" in b.text("#main .head"))
    assert b.count("#main .add") == 1
    page.go(f"reminders/{there}")
    wait("the details open", lambda: b.count(".pane .props"))
    b.press("Escape")
    house.delete(f"/v1/reminders/{there}")
    page.go(f"reminders/{there}")
    wait("what is gone has a way to the trash", lambda: b.count(".pane [href='#/trash']"))
    b.press("Escape")
    page.go("today")
    house.delete(f"/v1/smart-lists/{smart}")
    house.delete(f"/v1/reminders/{done}")
    b.complaints()


@test
def completed_names(page):
    """Names of lists and tags are offered while one types # or @."""
    b, house = page.browser, page.house
    made = house.post("/v1/lists", title="Trip to Lapland", color="#4a99ef")["id"]
    rows_of(page, "Names", 1)
    value = lambda: b.run("return document.querySelector('.add textarea').value")
    page.add("Wax skis #lap")
    wait("the list is offered", lambda: b.titles(".names li") == ["#Trip to Lapland"])
    b.press("Enter")
    wait("Enter takes it, in quotes", lambda: value() == 'Wax skis #"Trip to Lapland" ')
    b.type("@pho")
    wait("a tag is offered", lambda: b.titles(".names li") == ["@phone"])
    b.press("Escape")
    wait("Escape closes the names, not the line", lambda: not b.count(".names") and
         b.count(".add.open"))
    b.type("n")
    wait("they are there again", lambda: b.count(".names li"))
    b.press("Tab")
    wait("Tab takes one, too", lambda: value().endswith("@phone "))
    b.press("Enter")
    wait("Enter adds the line", page.server_has("Wax skis", listID=made, tags=["phone"]))
    b.press("Escape")
    house.delete(f"/v1/lists/{made}")
    house.delete(f"/v1/lists/{house.list_id('Names')}")
    page.go("today")
