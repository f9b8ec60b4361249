"""A test of titles, notes, tags and names that mean harm, in every view."""

import re
import time

from looks import VIEWS, fits, reload
from page import test
from webdriver import wait

ATTACKS = [
    "<img src=x onerror='hacked=1'>", "</script><script>hacked=1</script>", "x" * 1000,
    "\u202eright to left \u2066mixed\u2069\u202c and \u05e9\u05dc\u05d5\u05dd",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466\U0001f3f4\u2764\ufe0f"
    * 9, "zero\u200bwidth\u2060\ufeff\u00ad" * 20, "Z\u0351\u036b\u0343\u036a\u0302" * 30,
    "{{7*7}} ${hacked=1} javascript:hacked=1 &lt;b&gt; \u2028 \\x00 %3Cscript%3E",
]
NOTES = ("javascript:hacked=1 <a href='javascript:hacked=1'>x</a> data:text/html,<script>hacked=1"
         "</script> https://example.org/\"onclick=\"hacked=1 http://a@b:c/<b>x</b> https://"
         + "y" * 900)


@test
def attacks(page):
    """Titles, notes, tags and names of lists that mean harm are text in every view."""
    b, house = page.browser, page.house
    b.cdp("Page.addScriptToEvaluateOnNewDocument", source="""
      window.hacked = 0;
      window.refused = [];
      addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
        refused.push(violatedDirective));""")
    made = [house.post("/v1/lists", title=each, color="#d9534a")["id"] for each in ATTACKS]
    smart = [house.post("/v1/smart-lists", title=each, filter={"flagged": True},
                        icon="\U0001f480")["id"] for each in ATTACKS]
    tags = ["<b>", "a\u202eb", "\U0001f469\u200d\U0001f467", "t" * 100, "\"'><svg/onload=hacked=1>"]
    day = time.strftime("%Y-%m-%d", time.gmtime())
    items = [house.post("/v1/reminders", listID=made[0], title=each, notes=NOTES, tags=tags,
                        isFlagged=True, dueDate=day)["id"] for each in ATTACKS]
    child = house.post("/v1/reminders", parentID=items[0], title=ATTACKS[0])["id"]
    for each in ATTACKS:
        done = house.post("/v1/reminders", listID=made[0], title=each)["id"]
        house.patch(f"/v1/reminders/{done}", status="completed")
        gone = house.post("/v1/reminders", listID=made[0], title=each)["id"]
        house.delete(f"/v1/reminders/{gone}")
    places = [*VIEWS, *(f"lists/{each}" for each in made), *(f"smart/{each}" for each in smart),
              *(f"reminders/{each}" for each in [*items, child]), "tags/%3Cb%3E",
              "search?q=%3Cimg", "search?q=x", "tags/%E2%80%AEx", "nothing/%3Cimg%20src%3E"]

    def harmless(what):
        happened = b.run("return [hacked, refused]")
        assert happened == [0, []], (what, happened)
        strange = b.run("""
          return [...document.querySelectorAll(`#app :is(script, img, iframe, b > *, object, base),
            #app [onload], #app [onerror], #app [style*=url]`)].map((each) => each.outerHTML);""")
        assert strange == [], (what, strange)
        links = b.run("return [...document.querySelectorAll('#app a')].map(({ href }) => href)")
        assert all(re.match("https?://", each) for each in links), (what, links)
        fits(page, what)

    for width in 1280, 360:
        b.size(width, 860)
        reload(page)
        for place in places:
            page.go(place)
            wait("it is drawn", lambda: b.count("#main h1, .side h1"), quiet=True)
            if "reminders/" in place:
                wait("the details are there", lambda: b.count(".pane .marked a"
                     if not place.endswith(str(child)) else ".pane"), quiet=True)
            harmless((width, place))
        # What turns its own text around does not move what is beside it.
        page.go(f"lists/{made[0]}")
        wait("rows are there", lambda: b.count("#main .row") >= len(items), quiet=True)
        turned = b.run("""
          return [...document.querySelectorAll("#main .row")].filter((row) => {
            const [tick, title, due] = [".tick", ".title", ".due"].map((each) =>
              row.querySelector(each)?.getBoundingClientRect());
            return tick.right > title.left + 1 || due && due.left < title.left;
          }).map((row) => row.textContent)""")
        assert turned == [], turned
        for key, there in [("m", ".menu"), ("#", "dialog[open]"), ("f", ".toast"), ("x", ".bar"),
                           ("e", ".edit")]:
            b.run("document.querySelector('#main .row .title').focus()")
            b.press(key)
            wait(f"{key} opens {there}", lambda: b.count(there), quiet=True)
            harmless((width, key))
            b.run("document.querySelector('dialog')?.close()")
            b.press("Escape")
            # A key does nothing before the dialog is taken out, which is a moment after it closes.
            wait("it closes", lambda: there == ".toast" and not b.count("dialog")
                 or not b.count(f"dialog, {there}"), quiet=True)
        wait(f"{len(places)} places at {width} px", lambda: True)
    for each in made:
        house.delete(f"/v1/lists/{each}")
    for each in smart:
        house.delete(f"/v1/smart-lists/{each}")
    b.size(1280, 860)
    reload(page)
