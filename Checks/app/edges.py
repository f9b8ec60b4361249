"""Tests of what goes wrong at the edges: other devices, full disks, half a date, old links."""

from page import test
from webdriver import wait


@test
def add_anywhere(page):
    b = page.browser
    line = lambda: b.run("return document.activeElement.value")
    for place in ("settings", "search", "trash"):
        page.go(place)
        b.run("document.activeElement.blur()")
        b.press("q")
        wait(f"q adds from {place}", lambda: line() == "" and b.text("#main h1") == "Today")
        b.press("Escape")
    b.press("q")
    b.type("Half a line")
    b.reload()
    wait("the page is live", page.sign("Live"))
    b.press("q")
    wait("what was typed outlives a reload", lambda: line() == "Half a line")
    b.run("IDBObjectStore.prototype.plain = IDBObjectStore.prototype.add;"
          "IDBObjectStore.prototype.put2 = IDBObjectStore.prototype.put;"
          "IDBObjectStore.prototype.add = IDBObjectStore.prototype.put = () => {"
          "  throw new DOMException('full', 'QuotaExceededError') }")
    b.press("Enter")
    wait("what cannot be stored", lambda: b.count(".toast"))
    wait("comes back into the line", lambda: line() == "Half a line")
    b.run("sessionStorage.removeItem('martlet.draft'); location.hash = '#/today';")
    b.reload()
    wait("the page is live", page.sign("Live"))


@test
def completed_details(page):
    b, house = page.browser, page.house
    home = house.list_id("Home")
    item = house.post("/v1/reminders", listID=home, title="Oil the gate")["id"]
    there = lambda: house.get(f"/v1/reminders/{item}")
    page.go("all")
    wait("it is there", page.shows("Oil the gate"))
    page.focus("Oil the gate")
    b.press("Enter")
    wait("the details open", lambda: b.count(".pane textarea"))
    b.press("Enter")
    wait("a second Enter goes into them", lambda: b.run(
        "return document.activeElement.closest('.pane') !== null"))
    b.run("document.querySelector('.pane .notes textarea').focus()")
    b.type("The upper hinge")
    house.patch(f"/v1/reminders/{item}", status="completed")
    wait("another device completes it", page.lacks("Oil the gate"))
    wait("the details show it", lambda: b.count(".pane .big.done"))
    b.press("Tab")
    wait("what was typed is saved", lambda: there()["notes"] == "The upper hinge")
    bin_ = next(each["id"] for each in house.get("/v1/reminders?limit=500")["items"]
                if each["title"].startswith("Take the paper bin out"))
    house.patch(f"/v1/reminders/{bin_}", notes="One\nTwo")
    shown = lambda: b.titles("#main .row .notes")
    wait("a row has the first line", lambda: "One" in shown())
    b.run("dispatchEvent(new Event('beforeprint'))")
    wait("paper has all of them", lambda: "One\nTwo" in shown())
    b.run("dispatchEvent(new Event('afterprint'))")
    wait("and the row one again", lambda: "One" in shown())
    b.press("Escape")
    page.go("completed")
    wait("it is in Completed", lambda: "Oil the gate" in b.titles("#main .done .title"))
    page.focus("Oil the gate")
    b.press("Enter")
    wait("its row opens", lambda: b.count(".pane .big.done"))
    b.run("document.querySelector('.pane .big h2 textarea').focus()")
    b.type(" hinges")
    b.press("Enter")
    wait("it can be changed", lambda: there()["title"] == "Oil the gate hinges")
    wait("and is shown so", lambda: "Oil the gate hinges" in b.text(".pane .big h2 div"))
    assert there()["status"] == "completed"
    b.press("Escape")


@test
def typed_dates(page):
    b, house = page.browser, page.house
    home = house.list_id("Home")
    item = house.post("/v1/reminders", listID=home, title="Type a date")["id"]
    there = lambda: house.get(f"/v1/reminders/{item}")
    page.go(f"reminders/{item}")
    wait("the details open", lambda: b.count(".pane [type=date]"))
    b.run("document.querySelector('.pane [type=date]').focus()")
    b.type("12122027")
    assert there()["dueDate"] is None, "it is saved while it is typed"
    b.press("Enter")
    wait("a date is saved when it is whole", lambda: there()["dueDate"] == "2027-12-12")
    zone = b.run("return Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert there()["timeZone"] == zone, "with the zone of the app"
    b.type("12120002")
    b.press("Tab", "Tab", "Tab", "Tab")
    wait("what cannot be is not saved", lambda: b.run(
        "return document.querySelector('.pane [type=date]').value") == "2027-12-12")
    assert there()["dueDate"] == "2027-12-12"
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("undo", lambda: there()["dueDate"] is None and there()["timeZone"] is None)
    b.press("Escape")
    house.patch(f"/v1/reminders/{item}", tags=["one", "both"])
    other = house.post("/v1/reminders", listID=home, title="Type two", tags=["two", "both"])["id"]
    page.go(f"lists/{home}")
    wait("both are there", page.shows("Type two"))
    for title in ("Type a date", "Type two"):
        page.focus(title)
        b.press("x")
    b.press("#")
    wait("tags are asked for", lambda: b.count("dialog[open]"))
    b.tap("dialog [value=both]")
    b.type("all")
    b.press("Enter")
    tags = lambda id: sorted(house.get(f"/v1/reminders/{id}")["tags"])
    wait("tags of several keep the others", lambda: tags(item) == ["all", "one"] and
         tags(other) == ["all", "two"])
    for each in (item, other):
        house.delete(f"/v1/reminders/{each}")


@test
def links_with_secrets(page):
    b = page.browser
    for link in ("#key=%E0%A4", "#pair=AAAAA-BBBBB"):
        b.run("location.hash = arguments[0]", link)
        wait(f"{link} does not stay", lambda: b.run("return location.hash").startswith("#/"))
        b.open("about:blank")
        b.open(f"{page.house.url}/{link}")
        wait("nor at the start", lambda: b.run("return location.hash") == "#/today")
        wait("the page is live", page.sign("Live"))
    page.go("lists/4711")
    wait("a list that is not there says so", lambda: "not here" in b.text("#main .empty"))
    page.go("today")
