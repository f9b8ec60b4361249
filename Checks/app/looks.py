"""Tests of how it looks to everybody: axe-core, sizes, focus, preferences, languages, paper."""

import base64
import pathlib
import re
import subprocess
import sys
import time

import proxy
from more import choose
from page import by_title, test
from webdriver import wait

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIEWS = ["today", "scheduled", "flagged", "all", "lists", "search?q=the", "calendar",
         "calendar?view=week", "completed", "trash", "stats",
         "stats?by=week", "settings", "tags/phone", "tags/none"]
# What does not fit is found by what could be scrolled.
WIDE = """
  const boxes = document.querySelectorAll("html, main, .scrolls, .pane, dialog");
  const wide = [...boxes].filter((each) => each.scrollWidth > each.clientWidth + 1);
  return wide.map((each) => `${each.className || each.localName}: ${each.scrollWidth}`);"""
# Text that ends at the edge of its box. Some is cut on purpose, and shown whole elsewhere.
CUT = """
  return [...document.querySelectorAll("#app *")].filter((each) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(each);
    const isHidden = (value) => value === "hidden" || value === "clip";
    return each.checkVisibility() && textOverflow !== "ellipsis" && !each.closest(".vh") &&
      [...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim()) &&
      (isHidden(overflowX) && each.scrollWidth > each.clientWidth + 1 ||
        isHidden(overflowY) && each.scrollHeight > each.clientHeight + 1);
  }).map((each) => `${each.localName}.${each.className}: ${each.textContent.slice(0, 40)}`);"""


def axe():
    """axe-core, from the package axe-playwright-python of PyPI; `None` without PyPI."""
    folder = ROOT / ".build" / "axe"
    if not (found := list(folder.glob("lib/*/site-packages/axe_playwright_python/axe.min.js"))):
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            # Without playwright, which it is made for.
            subprocess.run([f"{folder}/bin/pip", "install", "--quiet", "--no-deps",
                            "axe-playwright-python==0.1.8"], check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        found = list(folder.glob("lib/*/site-packages/axe_playwright_python/axe.min.js"))
    return found[0].read_text()


def fits(page, what):
    assert (wide := page.browser.run(WIDE)) == [], (what, wide)


def reload(page, place="today"):
    b = page.browser
    b.run("location.hash = arguments[0]", f"#/{place}")
    b.reload()
    wait("the page is live", page.sign("Live"), quiet=True)
    wait("it is shown", lambda: b.count("#main h1, .side h1"), quiet=True)


def on_row(page, key, title="Dentist"):
    def act():
        page.focus(title)
        page.browser.press(key)
    return act


def layers(page):
    """Everything that opens: its name, where it does, what opens it, what is there then."""
    b = page.browser
    click = lambda selector: lambda: wait(selector, lambda: b.run(
        "const found = document.querySelector(arguments[0]); found?.click(); return !!found",
        selector), quiet=True)
    detail, home = f"reminders/{by_title(page, 'Dentist')['id']}", page.house.list_id("Home")

    def own_alarm():
        field = "const field = document.querySelector('[aria-label=\"Add an alarm\"]');"
        wait("the details are there", lambda: b.run(f"{field} return !!field"), quiet=True)
        b.run(f"{field} field.value = 'own'; field.onchange({{ target: field }})")

    def quick():
        page.add("Pay the rent friday 9am every month #Home @phone !high * // 42 €")
        wait("it is read", lambda: b.count("#read li"), quiet=True)

    def lines():
        page.add("")
        b.run("""
          const data = new DataTransfer();
          data.setData("text", "Milk tomorrow @fruit\\nA line with a very long title that says what "
            + "is to be done and where #Home !high");
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data,
            bubbles: true, cancelable: true }));""")

    yield "details", detail, lambda: None, ".pane"
    bin_ = next(each["id"] for each in page.house.get("/v1/reminders?limit=500")["items"]
                if each["title"].startswith("Take the paper bin"))
    page.house.patch(f"/v1/reminders/{bin_}", notes="- [ ] The lid\n- [x] The box\n1. First\n"
                     "https://waste.example.org/2027")
    yield "notes", f"reminders/{bin_}", lambda: None, ".pane .marked"
    yield "names", "today", lambda: page.add("Call #h"), ".names"
    yield "menu of a row", "scheduled", click("#main .row .more"), ".menu"
    for name, key in ("due", "d"), ("list", "m"), ("priority", "!"), ("snooze", "s"):
        yield name, "scheduled", on_row(page, key), ".menu"
    yield "menu of a list", f"lists/{home}", click("#main .tools .icon"), ".menu"

    def copy():
        click("#main .tools .icon")()
        choose(b, "Copy as")
    yield "copying", f"lists/{home}", copy, "dialog[open] [name=start]"
    yield "tags", "scheduled", on_row(page, "#"), "dialog[open]"
    yield "help", "today", lambda: b.press("?"), "dialog[open]"
    for name in "New list", "New smart list":
        yield name, "today", click(f"[aria-label='{name}']"), "dialog[open]"
    yield "emptying", "trash", click("#main .tools .btn.warn"), "dialog[open]"
    yield "recurrence", detail, click(".pane .props [aria-haspopup=dialog]"), "dialog[open]"
    yield "alarm", detail, own_alarm, "dialog[open]"
    yield "parent", detail, click(".pane .props > :nth-child(6) button"), "dialog[open] .choice"
    yield "lines", "today", lines, "dialog[open] .lines .read"
    yield "quick add", "today", quick, ".add.open"
    yield "a title that is edited", "scheduled", on_row(page, "e"), ".edit"
    yield "selection", "scheduled", on_row(page, "x"), ".bar"
    yield "what can be undone", "scheduled", on_row(page, "f"), ".toast"


def opened(page):
    """Opens one after the other."""
    b = page.browser
    for name, place, act, there in layers(page):
        page.go(place)
        if "reminders/" not in place:
            wait("rows are there", lambda: b.count("#main .row") or place == "trash", quiet=True)
        b.run("document.activeElement.blur()")
        act()
        wait(f"{name} opens", lambda: b.count(there), quiet=True)
        yield name
        b.run("document.querySelector('dialog')?.close()")
        b.press("Escape", "Escape")
        b.run("document.activeElement.blur()")
        wait(f"{name} closes", lambda: there in (".toast", ".pane") or not b.count(there),
             quiet=True)


# Each theme at each width. Rules that are not about colors say the same in both themes.
DRESSES = [("light", 1280, RULES), ("dark", 1280, ["color-contrast"]),
           ("light", 360, RULES), ("dark", 360, ["color-contrast"])]


def inspected(page, act):
    """Calls `act` in each theme and width, with a function that looks for violations."""
    b, script = page.browser, axe()
    if script is None:
        print("  left out: axe-core is not here, without PyPI")
        return

    def check(what, rules):
        if not b.run("return typeof axe !== 'undefined'"):
            b.cdp("Runtime.evaluate", expression=script)
        found = b.run_async(
            # Colors that fade are not measured half way.
            "const [rules, done] = arguments; Promise.all(document.getAnimations().filter((each) =>"
            "each.effect.getTiming().duration < 500).map(({ finished }) =>"
            "finished.catch(() => {})))"
            ".then(() => axe.run(document, { runOnly: rules, preload: false,"
            "resultTypes: ['violations'] })).then(({ violations }) =>"
            "done(violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]"
            ".join(' '))))", rules)
        b.complaints()  # It adds styles, which the policy refuses.
        assert found == [], (what, found)

    for theme, width, rules in DRESSES:
        b.size(width, 860 if width > 500 else 740, width < 500)
        b.run("localStorage.setItem('martlet.theme', arguments[0])", theme)
        reload(page)
        act(lambda what: check((theme, width, what), rules))
        wait(f"no violation in {theme} at {width} px", lambda: True)
    b.run("localStorage.removeItem('martlet.theme')")
    b.size(1280, 860)
    reload(page)


@test
def accessible(page):
    def look(check):
        for place in VIEWS:
            page.go(place)
            check(place)
        for name in opened(page):
            check(name)
    inspected(page, look)


@test
def sizes(page):
    """320 px, as with a zoom of 400 %, in any view; and with the text spacing of WCAG 1.4.12."""
    b = page.browser
    for width, height, spacing in [(320, 256, ""), (320, 640, "*"), (768, 700, "*"),
                                   (1280, 860, "*")]:
        b.size(width, height)
        reload(page)
        b.run("""
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(arguments[0] && `* { line-height: 1.5 !important; letter-spacing: .12em
            !important; word-spacing: .16em !important } p { margin-block-end: 2em !important }`);
          document.adoptedStyleSheets = [sheet];""", spacing)
        for place in VIEWS:
            page.go(place)
            wait("it is drawn", lambda: b.count("#main h1, .side h1"), quiet=True)
            fits(page, (width, place, spacing))
            assert (cut := b.run(CUT)) == [], (width, place, spacing, cut)
        for name in opened(page):
            fits(page, (width, name, spacing))
            assert (cut := b.run(CUT)) == [], (width, name, spacing, cut)
        wait(f"{width} × {height} px {'with wide text' if spacing else ''}", lambda: True)
    b.size(1280, 860)
    reload(page)


@test
def focus(page):
    """Tab goes through all of it; what has the focus is never below something else."""
    b = page.browser
    for width, height in (1280, 860), (320, 400):
        b.size(width, height)
        reload(page)
        page.focus("Dentist") if "Dentist" in b.titles() else None
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 1))
        home = page.house.get("/v1/lists")["items"][0]["id"]
        made = page.house.post("/v1/reminders", listID=home, title="The bar rings", dueDate=at)
        wait("a bar is there", lambda: b.count(".ring:not([hidden])"), quiet=True)
        b.run("document.activeElement.blur(); document.querySelector('.skip').focus()")
        seen = []
        for _ in range(120):
            b.press("Tab")
            hidden, name = b.run("""
              const { activeElement: each } = document;
              if (each === document.body) return [false, "body"];
              const { left, right, top, bottom } = each.getBoundingClientRect();
              const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
              const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
              const found = document.elementFromPoint(x, y);
              return [!found || !(each.contains(found) || found.contains(each) ||
                found.closest("label")?.control === each),
                [each.localName, each.className, each.textContent.slice(0, 20), x, y,
                  found?.localName, found?.className].join(" ")];""")
            assert not hidden, (width, name)
            seen.append(name)
            if name == "body":
                break
        assert len(set(seen)) > 20, seen
        wait(f"{len(seen)} stops at {width} px are seen", lambda: True)
        page.house.get(f"/v1/reminders/{made['id']}")
        b.tap(".ring .main")
        wait("the bar is gone", lambda: not b.count(".ring:not([hidden])"), quiet=True)
    b.size(1280, 860)
    reload(page)


@test
def preferences(page):
    b = page.browser
    reload(page)
    b.media(prefers_reduced_motion="reduce")
    on_row(page, "f", "Take the paper bin out")()
    wait("a toast is there", lambda: b.count(".toast"))
    moving = b.run("return document.getAnimations().map((each) => [each.animationName, "
                   "each.effect.getComputedTiming().duration]).filter(([, ms]) => ms > 10)")
    assert moving == [], moving
    on_row(page, "f", "Take the paper bin out")()
    b.media(forced_colors="active")
    page.focus("Take the paper bin out")
    b.press("x")
    wait("a row is selected", lambda: b.count(".row.is-sel"))
    outline = "return getComputedStyle(document.querySelector(arguments[0])).outlineStyle"
    for selector in ".row.is-sel", ".nav a[aria-current]":
        assert b.run(outline, selector) == "solid", selector
    b.press("Escape")
    page.add("Buy oats tomorrow")
    wait("a phrase is found", lambda: b.titles(".typed .k") == ["tomorrow"])
    color = b.run("return getComputedStyle(document.querySelector('.typed textarea')).color")
    assert color != "rgba(0, 0, 0, 0)", "what is typed is seen"
    b.run("document.querySelector('.add textarea').value = ''")
    b.press("Escape", "Escape")
    b.media()


PSEUDO = """
const long = (value) => typeof value === "string" ? /^ |^[^a-z]*$/i.test(value) ? value :
    `⟦${value}${"\\u00b7".repeat(Math.ceil(value.length * .4))}⟧` :
  typeof value === "function" ? (...all) => long(value(...all)) :
  Array.isArray(value) ? value.map(long) : typeof value === "object" && value ?
  Object.fromEntries(Object.entries(value).map(([name, each]) =>
    [name, ["units", "names"].includes(name) ? each : long(each)])) : value;
document.documentElement.dir = "rtl";
export default long(%s);
"""


@test
def pseudo(page):
    """In a language with long words, from right to left, all texts are its own and none is cut."""
    b, house = page.browser, page.house
    made = {}
    for path in [f"/app/{'words/' if house.app else ''}{name}.js"
                 for name in ("en", "en-more", "en-ways")]:
        text = b.run_async("const [path, done] = arguments; fetch(path).then((answer) =>"
                           "answer.text()).then(done)", path)
        made[path] = text.replace("export default {", "const plain = {") + PSEUDO % "plain"
        if found := re.search(r"export\s*\{\s*([\w$]+) as default\s*\};?", text):
            made[path] = text.replace(found.group(0), "") + PSEUDO % found.group(1)
    # Another address, because the service worker of this one has its words.
    other = proxy.serve(house.app, house.port,
                        instead={path: text.encode() for path, text in made.items()})
    b.open(f"http://127.0.0.1:{other.server_port}/#/today")
    try:
        for width in 320, 768, 1280:
            b.size(width, 860)
            page.go("today")
            wait("the page speaks it", lambda: "⟦" in b.text("#main h1"), quiet=True)
            for place in VIEWS:
                page.go(place)
                wait("it is drawn", lambda: b.count("#main h1, .side h1"), quiet=True)
                fits(page, (width, place))
                assert (cut := b.run(CUT)) == [], (width, place, cut)
                foreign = b.run("""
                  return [...document.querySelectorAll(`#app :is(button, h2, legend, summary,
                    .label, .tabs a), #app :is(nav, section, ul, button)[aria-label]`)]
                    .map((each) => each.getAttribute("aria-label") ?? each.textContent)
                    .filter((text) => /[a-z]{2}/i.test(text) && !text.includes("⟦"))""")
                lists = [each["title"] for each in house.get("/v1/lists")["items"]]
                foreign = [each for each in foreign if each.rstrip("0123456789") not in lists
                           and not re.search("^[A-Z]+$|day|[0-9]", each)]
                assert foreign == [], (width, place, foreign)
            wait(f"{width} px", lambda: True)
    finally:
        b.size(1280, 860)
        b.open(house.url + "/#/today")
        other.shutdown()
        wait("the page is live", page.sign("Live"), 30)


@test
def printed(page):
    """A list prints as a list: all rows with boxes, titles, dates and notes, black on white."""
    b = page.browser
    paper = page.house.post("/v1/lists", title="Paper", color="#e07b39")["id"]
    for start in range(0, 150, 50):
        page.house.post("/v1/batch", operations=[{
            "method": "POST", "path": f"/v1/lists/{paper}/reminders", "body": {
                "title": f"Sheet {number}", "notes": "Both sides", "dueDate": "2030-01-02"}}
            for number in range(start, start + 50)])
    b.run("localStorage.setItem('martlet.theme', 'dark')")
    reload(page, f"lists/{paper}")
    wait("rows are there", page.shows("Sheet 1"))
    b.run("addEventListener('beforeprint', () => queueMicrotask(() => {"
          "  window.printed = document.querySelectorAll('#main .row').length; }))")
    made = base64.b64decode(b.cdp("Page.printToPDF", printBackground=False)["data"])
    sheets = len(re.findall(rb"/Type\s*/Page\b", made))
    assert b.run("return printed") == 150, "all rows are drawn for the printer"
    assert 4 <= sheets <= 12, f"{sheets} sheets"
    b.media(media="print")
    found = b.run("""
      const style = (each) => getComputedStyle(each), row = document.querySelector("#main .row");
      const all = (selector) => [...document.querySelectorAll(selector)];
      const seen = (selector) => all(selector).some((each) => each.checkVisibility());
      const wrong = [];
      for (const selector of [".side", ".tabs", ".add", ".tools", ".note", ".more", ".fold",
        ".toast", ".bar", "details", ".skip"]) {
        if (seen(selector)) wrong.push(`${selector} is seen`);
      }
      for (const selector of ["h1", ...[".title", ".due", ".notes", "input"]
        .map((each) => `.row ${each}`)]) {
        if (!seen(`#main ${selector}`)) wrong.push(`${selector} is not seen`);
      }
      for (const each of all("#main h1, #main .row .title")) {
        if (style(each).color !== "rgb(0, 0, 0)") wrong.push(`${each.className} is not black`);
      }
      for (let each = row; each; each = each.parentElement) {
        const { backgroundColor, overflow, display, contentVisibility } = style(each);
        const isWhite = /, 0\\)$|rgb\\(255, 255, 255\\)/.test(backgroundColor);
        if (!isWhite) wrong.push(`${each.className || each.localName} is ${backgroundColor}`);
        if (contentVisibility !== "visible") wrong.push(`${each.className} is left out`);
        // A grid or a box that scrolls is not broken well.
        if (each !== row && (overflow !== "visible" ||
          !/block|contents/.test(display))) {
          wrong.push(`${each.className || each.localName}: ${overflow} ${display}`);
        }
      }
      if (!all("#main .row").every((each) => style(each).breakInside === "avoid")) {
        wrong.push("a row may be broken in two");
      }
      if (style(row.querySelector("input")).borderTopColor !== "rgb(0, 0, 0)") wrong.push("box");
      return [...new Set(wrong)];""")
    assert found == [], found
    wait(f"150 rows on {sheets} sheets", lambda: True)
    b.media()
    b.run("localStorage.removeItem('martlet.theme')")
    page.house.delete(f"/v1/lists/{paper}")
    reload(page)
