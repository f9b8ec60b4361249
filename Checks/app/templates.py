"""Tests of a list as a template."""

from more import choose, is_open, names
from page import test
from webdriver import wait


@test
def copied_list(page):
    b, house = page.browser, page.house
    made = house.post("/v1/lists", title="Trip", color="#9a74dc")["id"]
    add = lambda title, **more: house.post("/v1/reminders", title=title, **more)["id"]
    pack = add("Pack", listID=made, dueDate="2031-05-10", alarms=[{"offset": "PT9H"}],
               tags=["car"], priority="high", notes="All of it")
    add("Shoes", parentID=pack)
    add("Leave", listID=made, dueDate="2031-05-12T07:30:00Z", timeZone="UTC",
        alarms=[{"offset": "-PT1H"}, {"at": "2031-05-11T20:00:00Z"}],
        recurrence={"rule": "FREQ=YEARLY"})
    add("Buy a map", listID=made)
    house.patch(f"/v1/reminders/{add('Done long ago', listID=made)}", status="completed")
    page.go(f"lists/{made}")
    wait("the list is there", page.shows("Buy a map"))

    def copy(title, day):
        page.go(f"lists/{made}")
        wait("the list is there", lambda: b.text("#main h1") == "Trip", quiet=True)
        b.click("#main .tools .icon")
        choose(b, "Copy")
        wait("the name is asked for", is_open(b))
        assert b.text("dialog footer .main") == "Copy 4 reminders", b.text("dialog footer")
        b.run("const [title, day] = arguments; document.querySelector('dialog [name=title]').value ="
              "title; document.querySelector('dialog [name=start]').value = day", title, day)
        b.click("dialog footer .main")
        wait(f"{title} is shown", lambda: b.text("#main h1") == title)
        wait("with its reminders", page.shows("Shoes"))
        wait("on the server", lambda: title in names(house, "lists"))
        rows = house.get(f"/v1/lists/{house.list_id(title)}/reminders?limit=99")["items"]
        return {each["title"]: each for each in rows}
    rows = copy("Trip to Rome", "2032-01-30")
    assert sorted(rows) == ["Buy a map", "Leave", "Pack", "Shoes"], rows
    assert rows["Pack"]["dueDate"] == "2032-01-30" and rows["Pack"]["priority"] == "high", rows
    assert rows["Pack"]["tags"] == ["car"] and rows["Pack"]["notes"] == "All of it", rows
    assert rows["Shoes"]["parentID"] == rows["Pack"]["id"], rows
    assert rows["Leave"]["dueDate"] == "2032-02-01T07:30:00.000Z", rows["Leave"]["dueDate"]
    assert sorted((each["offset"] or each["at"]) for each in rows["Leave"]["alarms"]) == [
        "-PT1H", "2032-01-31T20:00:00.000Z"], rows["Leave"]["alarms"]
    assert rows["Leave"]["recurrence"]["rule"] == "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=1", rows
    assert rows["Buy a map"]["dueDate"] is None and rows["Buy a map"]["alarms"] == [], rows
    b.run("document.activeElement.blur()")
    b.press("Control+z")
    wait("one undo takes the list back", lambda: "Trip to Rome" not in names(house, "lists"))
    assert "Trip" in names(house, "lists")
    b.press("Control+Shift+z")
    wait("and redo brings it back", lambda: "Trip to Rome" in names(house, "lists"))
    rows = copy("Trip without days", "")
    assert all(each["dueDate"] is None and each["alarms"] == [] and each["recurrence"] is None
               for each in rows.values()), rows
    page.go("today")
    for title in "Trip", "Trip to Rome", "Trip without days":
        house.delete(f"/v1/lists/{house.list_id(title)}")
