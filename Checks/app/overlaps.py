"""Tests of what lies over something else: texts over texts, panes over lists, buttons out of sight."""

import itertools

from looks import CUT, fits
from page import LANGUAGES, by_title, test
from webdriver import wait

WIDE = ':root { --font: "DejaVu Sans", Verdana, sans-serif !important }'
# Boxes of text that are seen, each cut by what it scrolls in, and the pairs that overlap.
OVERLAPS = """
  const seen = [];
  const top = document.querySelector("dialog[open], .menu") ?? document.querySelector("#app");
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode());) {
    const owner = node.parentElement;
    if (!node.data.trim() || owner.closest(".vh, .typed, .grow, .toast, [inert], option, .skip") ||
      !owner.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      // A line is higher than its letters.
      const slack = (bottom - top) * .2;
      const box = { left, right, top: top + slack, bottom: bottom - slack, owner };
      for (let each = owner; each; each = each.parentElement) {
        if (getComputedStyle(each).overflow === "visible") continue;
        const clip = each.getBoundingClientRect();
        box.left = Math.max(box.left, clip.left);
        box.right = Math.min(box.right, clip.right);
        box.top = Math.max(box.top, clip.top);
        box.bottom = Math.min(box.bottom, clip.bottom);
      }
      if (box.right - box.left > 1 && box.bottom - box.top > 1) seen.push(box);
    }
  }
  seen.sort((a, b) => a.top - b.top);
  const found = [];
  seen.forEach((one, index) => {
    for (const other of seen.slice(index + 1)) {
      if (other.top >= one.bottom) break;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      // Letters of two boxes that touch are one word for the eye.
      const touches = width > -1.5 && one.owner.closest(".props > div") &&
        one.owner.closest(".props > div > *") !== other.owner.closest(".props > div > *");
      if ((width > 1 || touches) && height > 2 && one.owner !== other.owner) {
        found.push([one, other].map(({ owner }) => owner.textContent.slice(0, 30)).join(" | "));
      }
    }
  });
  return found;"""
# Titles that have a letter or two in each line.
THIN = """
  return [...document.querySelectorAll("#main .row .title")].filter((each) =>
    each.textContent.length > 8 && each.clientWidth < 50).map((each) => each.textContent);"""
CROWDED = [
    ("Renew the passports for everyone", ["reise", "papiere"], "FREQ=MONTHLY;BYMONTHDAY=1", "high"),
    ("Transfer", ["geld"], "FREQ=MONTHLY;BYDAY=1MO", "high"),
    ("Clean the filter of the machine in the cellar", ["haus"], "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
     "medium"),
]


@test
def overlapping_texts(page):
    b, house = page.browser, page.house
    made = house.post("/v1/lists", title="Household accounts", color="#4a99ef")["id"]
    for title, tags, rule, priority in CROWDED:
        house.post("/v1/reminders", listID=made, title=title, tags=tags, priority=priority,
                   dueDate="2027-02-01", recurrence={"rule": rule, "basis": "due"},
                   alarms=[{"offset": "PT9H"}], notes="Bring the papers, and a pen")
    smart = house.post("/v1/smart-lists", title="Overlaps", filter={"tag": "geld"})["id"]
    item = by_title(page, "Transfer")["id"]
    places = ["today", "scheduled", "all", "completed", "trash", "settings", "lists", "tags/geld",
              f"lists/{made}", f"smart/{smart}", f"reminders/{item}", "search?q=the", "calendar",
              "calendar?view=week", "stats"]
    for language, width in itertools.product(LANGUAGES, (320, 360, 768, 1280)):
        b.size(width, 800, width < 500)
        b.run("localStorage.setItem('martlet.language', arguments[0]); location.hash = '#/today'",
              language)
        b.reload()
        wait("the page is live", page.live, quiet=True)
        b.run("const sheet = new CSSStyleSheet(); sheet.replaceSync(arguments[0]);"
              "document.adoptedStyleSheets = [sheet]", WIDE)
        for place in places:
            page.go(place)
            wait("it is drawn", lambda: b.count("#main h1, .side h1, .pane h2"), quiet=True)
            if place.startswith("reminders"):
                wait("the details are there", lambda: b.count(".pane .props"), quiet=True)
            found = b.run(OVERLAPS)
            assert found == [], (language, width, place, found)
            fits(page, (language, width, place))
            assert (cut := b.run(CUT)) == [], (language, width, place, cut)
            assert (thin := b.run(THIN)) == [], (language, width, place, thin)
        wait(f"no texts overlap in {language} at {width} px", lambda: True)
    b.size(1280, 860)
    b.run("localStorage.removeItem('martlet.language'); location.hash = '#/today';")
    b.reload()
    wait("the page is live", page.sign("Live"))
    house.delete(f"/v1/lists/{made}")
    house.delete(f"/v1/smart-lists/{smart}")


@test
def buttons_in_sight(page):
    """The buttons of a dialog are seen, whatever is between them and the heading."""
    b, house = page.browser, page.house
    item = house.post("/v1/reminders", listID=house.list_id("Home"), title="Every other week",
                      dueDate="2027-02-02", recurrence={"rule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"})
    for language, (width, height) in itertools.product(LANGUAGES, ((360, 640), (360, 740))):
        b.size(width, height, True)
        b.run("localStorage.setItem('martlet.language', arguments[0]);"
              "location.hash = arguments[1]", language,
              f"#/reminders/{item['id']}")
        b.reload()
        wait("the details open", lambda: b.count(".pane .props"), quiet=True)
        b.tap(".pane .props [aria-haspopup=dialog]")
        wait("the picker opens", lambda: b.count("dialog[open] footer"), quiet=True)
        bottom = b.run("return document.querySelector('dialog footer').getBoundingClientRect().bottom")
        assert bottom <= height, (language, height, bottom)
        wait(f"seen in {language} at {width} × {height}", lambda: True)
        b.press("Escape")
    b.size(1280, 860)
    b.run("localStorage.removeItem('martlet.language'); location.hash = '#/today';")
    b.reload()
    wait("the page is live", page.sign("Live"))
    house.delete(f"/v1/reminders/{item['id']}")


@test
def covered(page):
    """What the details cover cannot have the focus."""
    b = page.browser
    item = by_title(page, "Dentist")["id"]
    for width in 360, 768, 1000:
        b.size(width, 740)
        page.go("scheduled")
        wait("rows are there", page.shows("Dentist"), quiet=True)
        page.focus("Dentist")
        b.press("Enter")
        wait("the details open", lambda: b.count(".pane .props"), quiet=True)
        for _ in range(45):
            b.press("Tab")
            where = b.run("const each = document.activeElement; return each === document.body ||"
                          "each.closest('.pane, .toast') ? '' : each.outerHTML.slice(0, 90)")
            assert where == "", (width, where)
        b.run("document.querySelector('.pane .close').click()")
        wait("its row has the focus again", lambda: b.run(
            "return document.activeElement.getAttribute('href')") == f"#/reminders/{item}", 5)
    b.size(1280, 860)


@test
def forms_of_ways(page):
    """No form is wider than a small phone, in any language."""
    b = page.browser
    b.size(320, 800, True)
    for language in LANGUAGES:
        b.run("localStorage.setItem('martlet.language', arguments[0]);"
              "location.hash = '#/settings'", language)
        b.reload()
        add = b.run_async("const [path, done] = arguments; import(path).then((words) =>"
                          "done(words.default.ways.add))",
                          f"/app/{'words/' if page.house.app else ''}{language}-ways.js")
        wait("the form opens", lambda: b.run(
            "const add = [...document.querySelectorAll('#main button')].find((each) =>"
            "each.textContent === arguments[0]); add?.click();"
            "return document.querySelector('dialog[open] select') !== null", add), quiet=True)
        kinds = b.run("return [...document.querySelector('dialog select').options]"
                      ".map(({ value }) => value)")
        for kind in kinds:
            b.run("const all = document.querySelector('dialog select'); all.value = arguments[0];"
                  "all.dispatchEvent(new Event('change', { bubbles: true }))", kind)
            b.run("document.querySelectorAll('dialog details').forEach((each) => each.open = true)")
            wide = b.run("""
              const dialog = document.querySelector("dialog");
              const { right } = dialog.getBoundingClientRect();
              return [...dialog.querySelectorAll("form *")].filter((each) =>
                each.checkVisibility() && each.getBoundingClientRect().right > right + 1)
                .map((each) => `${each.localName}: ${each.textContent.slice(0, 40)}`);""")
            assert wide == [], (language, kind, wide)
        wait(f"{len(kinds)} forms fit in {language}", lambda: True)
        b.run("document.querySelector('dialog').close()")
    b.size(1280, 860)
    b.run("localStorage.removeItem('martlet.language'); location.hash = '#/today';")
    b.reload()
    wait("the page is live", page.sign("Live"))
