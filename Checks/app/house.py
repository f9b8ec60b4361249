"""A server with the reminders of a house: for tests and screenshots."""

import datetime

import proxy
from lib.server import Server, free_port
from webdriver import call


# Notifications go to a push service of the tests.
FLAGS = ["--push-contact", "mailto:operator@example.com", "--outgoing-to", "127.0.0.1"]


class House(Server):
    def __init__(self, program, app, folder):
        """`app` is a folder with the app; without one it is that of the program."""
        super().__init__(program, folder / "house.db", *FLAGS)
        # Tests start it again at the same port, which no client may have got meanwhile.
        self.app, self.proxy, self.page_port = app, None, free_port()
        self.start()

    def start(self, instead=None):
        """Starts again at the same address. `instead` are parts of another version of the app."""
        is_behind = self.app or instead
        self.port = 0 if is_behind else self.page_port
        super().start()
        if is_behind:
            self.proxy = proxy.serve(self.app, self.port, self.page_port, instead)
        self.page_port = self.proxy.server_port if is_behind else self.port

    @property
    def api(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.page_port}"

    def stop(self):
        if self.proxy:
            self.proxy.shutdown()
            self.proxy.server_close()
        self.proxy = None
        self.end()

    def key(self, scope="admin"):
        return self.make_key("--scope", scope)

    def revoke(self, key):
        self.run("key", "revoke", key)

    def post(self, path, **body):
        return call("POST", f"{self.api}{path}", body)

    def patch(self, path, **body):
        return call("PATCH", f"{self.api}{path}", body)

    def delete(self, path):
        return call("DELETE", f"{self.api}{path}")

    def get(self, path, key=None):
        return call("GET", f"{self.api}{path}", key=key)

    def list_id(self, title):
        return next(each["id"] for each in self.get("/v1/lists")["items"] if each["title"] == title)

    def fill(self):
        """What a family could have to do now."""
        now = datetime.datetime.now(datetime.timezone.utc).replace(second=0, microsecond=0)
        day = lambda count: (now + datetime.timedelta(days=count)).date().isoformat()
        instant = lambda minutes: (now + datetime.timedelta(minutes=minutes)).strftime("%FT%TZ")
        # Not after midnight, because tests look for these in Today.
        soon = lambda minutes: instant(min(minutes, 24 * 60 - 1 - now.hour * 60 - now.minute))
        lists = {}
        for title, color in [("Home", "#14a5a5"), ("Shopping", "#e07b39"), ("School", "#4a99ef"),
                             ("Garden", "#3fa45b"), ("Bills", "#d6568a"),
                             ("Lisbon in December", "#9a74dc")]:
            lists[title] = self.post("/v1/lists", title=title, color=color)["id"]
        add = lambda where, title, **more: self.post(
            "/v1/reminders", listID=lists[where], title=title, **more)["id"]
        add("School", "Return the library books", dueDate=day(-3), tags=["errand"])
        add("Bills", "Pay the water bill", dueDate=day(-1), priority="high", isFlagged=True,
            recurrence={"rule": "FREQ=MONTHLY"})
        add("Garden", "Water the lemon tree", dueDate=day(0),
            recurrence={"rule": "FREQ=DAILY;INTERVAL=3"})
        milk = add("Shopping", "Buy milk, oats and the good olive oil", dueDate=day(0),
                   tags=["errand"])
        for part in ["Milk", "Oats", "Olive oil"]:
            self.post("/v1/reminders", parentID=milk, title=part)
        add("Home", "Call Grandma back", dueDate=soon(-4), tags=["phone"])
        bin_ = add("Home", "Take the paper bin out", dueDate=soon(18),
                   notes="Blue bin, lid closed, left of the gate.\nDates for the year: "
                         "https://waste.example.org/2027",
                   recurrence={"rule": "FREQ=WEEKLY;INTERVAL=2"})
        for part in ["Flatten the boxes in the hall", "Tie up the newspapers"]:
            self.post("/v1/reminders", parentID=bin_, title=part)
        add("School", "Pick up Mira from football, and bring her jacket, the ball pump and the "
            "signed form for the tournament", dueDate=soon(48), tags=["car"])
        add("Lisbon in December", "Check in for the flight to Lisbon", dueDate=soon(185),
            isFlagged=True, tags=["computer"])
        for count in range(1, 9, 2):
            add("School", f"Spelling words, part {count}", dueDate=day(count))
        add("Bills", "Transfer the rent", dueDate=day(3), recurrence={"rule": "FREQ=MONTHLY"})
        add("Home", "Dentist", dueDate=instant(60 * 24 * 2 + 90), alarms=[{"offset": "-PT30M"}],
            tags=["phone"])
        papers = add("Lisbon in December", "Papers")
        pack = add("Lisbon in December", "Pack")
        for parent, parts in [(papers, ["Renew Mira’s passport", "Print the boarding passes"]),
                              (pack, ["Swimming things for everyone", "Chargers, and the travel "
                                      "adapter with the long cable that is in the drawer below "
                                      "the coffee machine", "Rain jackets, just in case"])]:
            for part in parts:
                self.post("/v1/reminders", parentID=parent, title=part)
        add("Lisbon in December", "Reserve the tram museum",
            notes="Closed on Mondays; the tour is at 11")
        add("Lisbon in December", "Ask Ana to feed the cat and take in the post",
            dueDate=day(2), tags=["phone"])
        for title in ["Order the blue curtains again", "Sign Mira’s maths test"]:
            done = add("Home", title, tags=["computer"])
            call("PATCH", f"{self.api}/v1/reminders/{done}", {"status": "completed"})
        gone = add("Garden", "Rake the leaves")
        call("DELETE", f"{self.api}/v1/reminders/{gone}")
        self.post("/v1/smart-lists", title="Calls to make", filter={"tag": "phone"})
        self.post("/v1/smart-lists", title="This week", icon="📅", filter={"dueWithin": "P7D"})
        call("DELETE", f"{self.api}/v1/lists/1")
        return lists
