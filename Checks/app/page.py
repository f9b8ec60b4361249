"""The page of the app in a browser, and the list of its tests."""

import pathlib

from webdriver import Browser, wait

tests = []
WORDS = pathlib.Path(__file__).resolve().parent.parent.parent / "App" / "words"
LANGUAGES = sorted(path.stem for path in WORDS.glob("??.js"))
STATE = """
  const said = [...document.querySelectorAll(".toast, .note, dialog, .menu, [role=status]")];
  return [location.href, `focus on ${document.activeElement.outerHTML.slice(0, 200)}`,
    ...said.map(({ innerText }) => innerText), document.body.innerText.slice(0, 500)].join("\\n");"""


def test(function):
    """Adds a test. The order is that of the modules: each finds what the ones before have left."""
    tests.append(function)
    return function


class AppBrowser(Browser):
    def __init__(self):
        super().__init__("--lang=en-GB", "--hide-scrollbars", "--force-color-profile=srgb")
        self.size(1280, 860)

    def titles(self, selector="#main .row:not(.done) .title"):
        return self.run("return [...document.querySelectorAll(arguments[0])]"
                        ".map((each) => each.textContent)", selector)


class Page:
    def __init__(self, house, browser):
        self.house, self.browser = house, browser

    def go(self, place):
        # The listener of the app is called before this one, and draws the place.
        self.browser.run_async(
            "const [hash, done] = arguments; if (location.hash === hash) return done();"
            "addEventListener('hashchange', () => done(), { once: true });"
            "location.hash = hash;", f"#/{place}")
        # It is drawn a moment later. Details are beside the view that was there before.
        wait(f"{place} is shown", lambda: self.browser.run(
            "const [hash, place] = arguments, drawn = document.querySelector('#app').dataset.place;"
            "return document.querySelector('#main h1, .side h1') !== null && "
            "location.hash === hash && (place === null || drawn === place)", f"#/{place}",
            place if place.isalpha() else None), quiet=True)

    def focus(self, title):
        """As soon as its row is there."""
        wait(f"a row {title}", lambda: self.browser.run(
            "const row = [...document.querySelectorAll('#main .row .title')]"
            ".find((each) => each.textContent === arguments[0]); row?.focus(); return !!row", title
        ), quiet=True)

    def state(self):
        """What it shows, for the message of a failure."""
        return self.browser.run(STATE)

    def shows(self, title):
        return lambda: title in self.browser.titles()

    def lacks(self, title):
        return lambda: title not in self.browser.titles()

    def server_has(self, title, **members):
        def found():
            rows = self.house.get("/v1/reminders?limit=500")["items"]
            rows = [row for row in rows if row["title"] == title]
            return len(rows) == 1 and all(rows[0][k] == v for k, v in members.items()) and rows[0]
        return found

    def sign(self, wanted):
        return lambda: wanted in self.browser.text(".sign")

    def live(self):
        """As `sign("Live")`, in any language."""
        return self.browser.run("return document.querySelector('.sign')?.className.trim() === 'sign'")

    def lose_server(self):
        self.house.stop()
        wait("the page notices", self.sign("Reconnecting"), 20)

    def find_server(self):
        """The server is back, and the page looks for it at once."""
        self.house.start()
        self.browser.run("dispatchEvent(new Event('online'))")

    def add_with_part(self, title, part):
        """A reminder, and a subtask right behind it."""
        self.add(title)
        self.browser.press("Enter")
        wait("it is shown", self.shows(title))
        self.browser.press("Tab")
        self.browser.type(part)
        self.browser.press("Enter", "Escape")
        wait("with its subtask", self.shows(part))

    def add(self, text):
        b = self.browser
        if not b.count(".add.open"):
            b.run("document.activeElement.blur()")
            b.press("q")
            wait("quick add is open", lambda: b.run(
                "return document.activeElement.localName === 'textarea'"), quiet=True)
            # A line that was not sent is still there.
            b.run("document.activeElement.select()")
        b.type(text)


def by_title(page, title):
    return page.server_has(title)()
