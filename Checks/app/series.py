"""Tests of what recurs, and of the words for it and for alarms."""

import datetime

from page import test
from webdriver import wait


@test
def first_occurrence(page):
    """The picker begins a series on the first of its days."""
    b, house = page.browser, page.house
    home = house.list_id("Home")
    today = datetime.datetime.now(datetime.timezone.utc).date()
    other = today + datetime.timedelta(days=3)
    name = other.strftime("%a").upper()[:2]
    last = (today.replace(day=1) + datetime.timedelta(days=31)).replace(day=1)
    last -= datetime.timedelta(days=1)
    item = house.post("/v1/reminders", listID=home, title="Water the ficus")["id"]
    there = lambda: house.get(f"/v1/reminders/{item}")

    def pick(rule):
        page.go(f"reminders/{item}")
        wait("the details open", lambda: b.count(".pane .props"), quiet=True)
        b.tap(".pane .props [aria-haspopup=dialog]")
        wait("the picker opens", lambda: b.count("dialog[open] details"), quiet=True)
        b.run("const field = document.querySelector('dialog .mono'); field.value = arguments[0];"
              "field.dispatchEvent(new Event('change'))", rule)

    def save():
        b.tap("dialog footer .main")
        wait("the picker closes", lambda: not b.count("dialog"), quiet=True)
    for rule, first in [(f"FREQ=WEEKLY;INTERVAL=2;BYDAY={name}", other),
                        ("FREQ=MONTHLY;BYMONTHDAY=-1", last)]:
        house.patch(f"/v1/reminders/{item}", dueDate=None, recurrence=None)
        pick(rule)
        wait("the first day is shown", lambda: b.run(
            "return [...document.querySelectorAll('dialog .body > p')].some((each) =>"
            "/^from /.test(each.textContent) && each.textContent.includes(arguments[0]))",
            str(first.day)))
        save()
        wait(f"{rule} begins on {first}", lambda: there()["dueDate"] == str(first))
    before = today + datetime.timedelta(days=1)
    house.patch(f"/v1/reminders/{item}", dueDate=str(before), recurrence=None)
    pick(f"FREQ=WEEKLY;BYDAY={name}")
    wait("another day is offered", lambda: b.count("dialog .body > p > .chip[aria-pressed=false]"))
    save()
    wait("a due date that is none of them stays", lambda: there()["recurrence"] and
         there()["dueDate"] == str(before))
    pick(f"FREQ=WEEKLY;BYDAY={name}")
    b.run("[...document.querySelectorAll('dialog .body > p > .chip')].find((each) =>"
          "each.textContent.startsWith('from')).click()")
    save()
    wait("unless the first one is chosen", lambda: there()["dueDate"] == str(other))
    house.delete(f"/v1/reminders/{item}")


@test
def told_alarms(page):
    """What counts from its completion, and alarms of a day, are told as people say it."""
    b, house = page.browser, page.house
    home = house.list_id("Home")
    item = house.post("/v1/reminders", listID=home, title="Descale the kettle", dueDate="2027-03-01",
                      alarms=[{"offset": "PT9H"}, {"offset": "-PT15H"}, {"offset": "-P7D"}],
                      recurrence={"rule": "FREQ=MONTHLY;INTERVAL=3", "basis": "completion"})["id"]
    for language, alarms, rule in [
            ("en", ["7 days before at", "the day before at", "on the day at"],
             "3 months after it is done"),
            ("de", ["7 Tage vorher um", "am Vortag um", "am selben Tag um"],
             "3 Monate nach dem Erledigen"),
            ("fr", ["7 jours avant à", "la veille à", "le jour même à"],
             "3 mois après l’avoir terminé")]:
        b.run("localStorage.setItem('martlet.language', arguments[0]);"
              "location.hash = arguments[1]", language, f"#/reminders/{item}")
        b.reload()
        wait("the details open", lambda: b.count(".pane .props"), quiet=True)
        told = b.titles(".pane .alarm > span")
        assert len(told) == 3 and all(any(each.startswith(f"{start} ") for each in told)
                                      for start in alarms), told
        said = lambda where: b.text(where).replace("\u00a0", " ")
        assert rule in said(".pane .props"), said(".pane .props")
        wait("and so in its row", lambda: rule in said("#main"))
        b.tap(".pane .props [aria-haspopup=dialog]")
        wait("and in the picker", lambda: said("dialog h2") == rule)
        b.press("Escape")
    b.run("localStorage.removeItem('martlet.language'); location.hash = '#/today'")
    b.reload()
    wait("the page is live", page.sign("Live"))
    house.delete(f"/v1/reminders/{item}")
