"""Tests of the statistics."""

from page import test
from webdriver import call, wait


@test
def statistics(page):
    b, house = page.browser, page.house
    made = house.post("/v1/lists", title="Figures", color="#d19a1e")["id"]
    today = b.run("return document.querySelector('.nav [data-day]').dataset.day")
    late = house.post("/v1/reminders", listID=made, title="Late one", dueDate="2020-01-01")["id"]
    ids = [house.post("/v1/reminders", listID=made, title=f"Figure {number}", dueDate=today)["id"]
           for number in range(3)] + [late]
    page.go("stats")
    count = lambda: int((b.text("#main .head p") or "0").split()[0])
    wait("the page is there", lambda: b.text("#main h1") == "Statistics" and "completed" in
         b.text("#main .head p"))
    before = count()
    for each in ids:
        call("PATCH", f"{house.api}/v1/reminders/{each}", {"status": "completed"})
    wait("what is completed counts at once", lambda: count() == before + 4, 20)
    assert "% on time" in b.text("#main .head p")
    bars = lambda: b.run("return [...document.querySelectorAll('.chart rect')].map((each) =>"
                         "each.getBBox().height)")
    assert len(bars()) == 30 and bars()[-1] == max(bars())
    label = b.run("return document.querySelector('.chart svg').ariaLabel")
    assert f"The most, {before + 4}" in label, label
    wait("the list is named", lambda: any(each.startswith("Figures") and each.endswith("4")
         for each in b.titles(".shares li")))
    b.click(".chart summary")
    wait("the table has each number", lambda: b.count(".chart tbody tr") == 30 and
         b.titles(".chart tbody tr td")[0] == str(before + 4))
    assert sum(map(int, b.titles(".chart tbody td"))) == count()
    page.go("stats?by=week")
    wait("by week", lambda: len(bars()) == 13 and b.text(".views [aria-current]") == "Week")
    b.size(320, 740, True)
    assert b.run("return document.documentElement.scrollWidth <= innerWidth")
    b.size(1280, 860)
    page.go("completed")
    wait("Completed has a way to it", lambda: b.run(
        "const link = document.querySelector('#main .tools a'); link?.click(); return !!link"))
    wait("it is shown", lambda: b.run("return location.hash") == "#/stats")
    page.go("today")
    house.delete(f"/v1/lists/{made}")
