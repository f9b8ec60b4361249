"""A client that keeps a copy of a list by sync tokens (RFC 6578), as programs on phones do.

vdirsyncer compares all entity tags each time, so it would not see an error of the tokens.
"""

import xml.etree.ElementTree as etree

from lib.waiting import check

DAV, CALDAV = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}"
SPACES = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'


class Mirror:
    def __init__(self, caller, path):
        self.caller, self.path = caller, path
        self.token = ""
        # The entity tag and the text of each object, by path.
        self.objects = {}

    def sync(self, pick):
        """Takes over what has changed, in pages of a random size. Then the copy is as the list."""
        while self.page(pick.choice([None, None, 1, 3, 50])):
            pass
        self.check()

    def page(self, limit):
        """Takes over one page. Returns whether there are more."""
        limit = f"<limit><nresults>{limit}</nresults></limit>" if limit else ""
        root = self.report(
            f"<sync-collection {SPACES}><sync-token>{self.token}</sync-token><sync-level>1"
            f"</sync-level>{limit}<prop><getetag/></prop></sync-collection>")
        changed, is_cut = [], False
        for response in root.findall(DAV + "response"):
            href, status = response.findtext(DAV + "href"), response.findtext(DAV + "status") or ""
            if href == self.path:
                check("507" in status, f"the list itself with {status!r}")
                is_cut = True
            elif "404" in status:
                self.objects.pop(href, None)
            else:
                changed.append(href)
        check(len(changed) == len(set(changed)), "an object is on a page twice")
        self.fetch(changed)
        token = root.findtext(DAV + "sync-token")
        check(token != self.token or not changed, "something is new, with the same token")
        self.token = token
        return is_cut

    def fetch(self, paths):
        for start in range(0, len(paths), 30):
            some = "".join(f"<href>{path}</href>" for path in paths[start:start + 30])
            root = self.report(f"<C:calendar-multiget {SPACES}><prop><getetag/><C:calendar-data/>"
                               f"</prop>{some}</C:calendar-multiget>")
            for response in root.findall(DAV + "response"):
                self.take(response)

    def take(self, response):
        path = response.findtext(DAV + "href")
        prop = response.find(f"{DAV}propstat/{DAV}prop")
        if prop is None:
            # It was deleted meanwhile.
            self.objects.pop(path, None)
            return
        tag, text = prop.findtext(DAV + "getetag"), prop.findtext(CALDAV + "calendar-data")
        if old := self.objects.get(path):
            # Some programs read again and again what only has another tag.
            check((old[0] == tag) == (old[1] == text),
                  f"{path} was {old[0]} and is {tag}, with the texts\n{old[1]}\n{text}")
        self.objects[path] = tag, text

    def check(self):
        """Checks the copy with all entity tags, and that there is nothing more to read."""
        found = self.caller.ask("PROPFIND", self.path, f"<propfind {SPACES}><prop><getetag/></prop>"
                                "</propfind>", Depth="1")
        tags = {response.findtext(DAV + "href"): response.findtext(f".//{DAV}getetag")
                for response in etree.fromstring(found.text).findall(DAV + "response")}
        del tags[self.path]
        mine = {path: tag for path, (tag, _) in self.objects.items()}
        wrong = {path for path in tags.keys() | mine.keys() if tags.get(path) != mine.get(path)}
        check(not wrong, f"the tokens have missed {sorted(wrong)[:5]}")

    def report(self, body):
        answer = self.caller.ask("REPORT", self.path, body)
        check(answer.status == 207, f"REPORT: {answer.status} {answer.text[:500]}\n{body}")
        return etree.fromstring(answer.text)
