"""vdirsyncer and todoman beside the JSON API."""

import time

import fields
import proxies
from lib.waiting import check
from place import LISTS, Listener, hrefs
from programs import Todoman, Vdirsyncer, run, written
from proxies import replaced


def check_agreement(place, computer, names):
    """Checks that a computer has what the server has."""
    caller = place.caller()
    for name in names:
        number = place.lists[name]
        items = computer.items(str(number))
        texts = {uid: path.read_text() for uid, path in items.items()}
        fields.check_same(caller.reminders(number), texts, name)


def first_sync(place, folder):
    """vdirsyncer finds all lists, and copies all reminders."""
    computer = Vdirsyncer(folder / "first", place.url, place.key)
    computer.discover()
    start = time.monotonic()
    computer.sync()
    print(f"  {sum(LISTS.values())} reminders in {time.monotonic() - start:.1f} s")
    check_agreement(place, computer, LISTS)
    said = computer.sync()
    check("Copying" not in said and "Deleting" not in said, f"a second sync changes: {said[:500]}")
    code, said = computer.run("metasync")
    check(code == 0, f"vdirsyncer metasync: {said[-500:]}")
    title = (computer.lists / str(place.lists["Home"]) / "displayname").read_text()
    check(title == "Home", f"the display name is {title!r}")


def recipe(place, folder):
    """The configuration that docs/caldav.md shows, with other paths and another address."""
    text = replaced(
        proxies.recipe("vdirsyncer and todoman", "docs/caldav.md", "###"),
        ("https://todo.example.org/dav/", place.url), ("/home/me", str(folder)), ("~", str(folder)))
    (folder / "config").write_text(text)
    key = place.make_key("--scope", "write", "--list", str(place.lists["Books"]))
    (folder / "phone.key").write_text(key + "\n")
    for words in [["discover"], ["sync"], ["metasync"]]:
        code, said = run(["vdirsyncer", *words], {"VDIRSYNCER_CONFIG": str(folder / "config")},
                         "y\n" * 20)
        check(code == 0, f"vdirsyncer {words[0]}: {said[-1000:]}")
    todoman = Todoman(folder, folder / ".local" / "share" / "todos")
    lists = {each["list"] for each in todoman.list()}
    check(lists == {"Books"}, f"todoman lists {lists}")


def both_sides(place, folder):
    """The JSON API and todoman change the same list between two syncs."""
    number = place.lists["Books"]
    name = str(number)
    computer = Vdirsyncer(folder / "both", place.url, place.key, collections=[name])
    computer.discover()
    computer.sync()
    todoman = Todoman(computer.folder, computer.lists)
    listener = Listener(place)
    caller = place.caller()
    items = sorted((each for each in caller.reminders(number).values()
                    if each["status"] != "completed" and not each["recurrence"]),
                   key=lambda each: each["id"])
    patched, deleted, edited, done, cleared = items[:5]
    ids = {each["summary"]: each["id"] for each in todoman.list("--sort", "id")}

    caller.json("PATCH", f"/v1/reminders/{patched['id']}", {
        "title": "Renamed by JSON", "dueDate": "2027-06-01", "tags": ["shop", "new"]})
    made = caller.json("POST", "/v1/reminders", {"listID": number, "title": "Made by JSON"})
    caller.json("DELETE", f"/v1/reminders/{deleted['id']}")
    todoman.run("new", "Made by todoman", "--list", name, "--due", "2027-05-05 18:30",
                "--priority", "high")
    todoman.run("edit", ids[edited["title"]], "--due", "2027-07-07", "--priority", "low")
    todoman.run("done", ids[done["title"]])
    todoman.run("delete", "--yes", ids[cleared["title"]])
    computer.sync()
    check_agreement(place, computer, ["Books"])
    now = caller.reminders(number)
    check(made["uid"] in now, "what JSON has made is gone")
    check(patched["uid"] in now and now[patched["uid"]]["title"] == "Renamed by JSON",
          "the title of JSON is gone")
    check(deleted["uid"] not in now and cleared["uid"] not in now, "a deleted one is back")
    check(now[done["uid"]]["status"] == "completed", "todoman's completion is gone")
    check(now[edited["uid"]]["priority"] == "low", "todoman's priority is gone")
    check("Made by todoman" in {each["title"] for each in now.values()}, "a new one is missing")
    listener.wait("Made by todoman", edited["title"], done["title"])
    listener.wait_removed(cleared["id"])
    said = computer.sync()
    check("Copying" not in said, f"a second sync changes: {said[:500]}")
    conflict(place, computer, todoman, items[5])


def recurring(place, folder):
    """todoman completes an occurrence by a copy without the rule, and makes the next one."""
    number = place.lists["Garden"]
    computer = Vdirsyncer(folder / "recurring", place.url, place.key, [str(number)], "a wins")
    computer.discover()
    caller = place.caller()
    made = caller.json("POST", "/v1/reminders", {
        "listID": number, "title": "Water the lemon tree", "dueDate": "2027-04-01T18:00:00Z",
        "recurrence": {"rule": "FREQ=DAILY;INTERVAL=3"}, "alarms": [{"offset": "-PT10M"}]})
    computer.sync()
    path = computer.items(str(number))[made["uid"]]
    check("RRULE:FREQ=DAILY;INTERVAL=3" in path.read_text() and "VALARM" in path.read_text(),
          f"the rule or the alarm is missing: {path.read_text()}")
    todoman = Todoman(computer.folder, computer.lists)
    ids = {each["summary"]: each["id"] for each in todoman.list("--sort", "id")}
    todoman.run("done", ids["Water the lemon tree"])
    computer.sync()
    found = sorted((each["status"], bool(each["recurrence"]), each["dueDate"][:10])
                   for each in caller.reminders(number).values()
                   if each["title"] == "Water the lemon tree")
    check(found == [("completed", False, "2027-04-01"), ("incomplete", True, "2027-04-04")],
          f"there is {found}")
    check_agreement(place, computer, ["Garden"])
    subtasks(place, computer)


def subtasks(place, computer):
    """A subtask may come before its parent, and stays when its parent is deleted."""
    number = place.lists["Garden"]
    folder = computer.lists / str(number)
    (folder / "a-child.ics").write_text(
        written("child-of-later", "Buy seeds", "RELATED-TO;RELTYPE=PARENT:later"), newline="")
    computer.sync()
    caller = place.caller()
    check(caller.reminders(number)["child-of-later"]["parentID"] is None, "a parent was made up")
    (folder / "b-parent.ics").write_text(written("later", "Sow"), newline="")
    computer.sync()
    items = caller.reminders(number)
    check(items["child-of-later"]["parentID"] == items["later"]["id"], "the parent is not joined")
    said = computer.sync()
    check("Copying" not in said, f"joining a parent changes a text: {said[:500]}")
    path, away = f"/dav/lists/{number}/", f"/dav/lists/{place.lists['Books']}/child.ics"
    child = [each for each in hrefs(caller.ask("PROPFIND", path, Depth="1").text)
             if "child-of-later" in each][0]
    for start, end in [(child, away), (away, child)]:
        moved = caller.ask("MOVE", start, Destination=end).status
        check(moved == 201, f"MOVE of {start}: {moved}")
    items = caller.reminders(number)
    check(items["child-of-later"]["parentID"] == items["later"]["id"],
          "a subtask that went away and came back is alone")
    (folder / "b-parent.ics").unlink()
    computer.sync()
    items = caller.reminders(number)
    check("later" not in items and items["child-of-later"]["parentID"] is None,
          "the subtask went with its parent")
    check_agreement(place, computer, ["Garden"])


def conflict(place, computer, todoman, item):
    """The same reminder, changed on both sides: vdirsyncer asks for a decision, and then has it."""
    ids = {each["summary"]: each["id"] for each in todoman.list("--sort", "id")}
    caller = place.caller()
    caller.json("PATCH", f"/v1/reminders/{item['id']}", {"notes": "of JSON"})
    todoman.run("edit", ids[item["title"]], "--priority", "medium")
    code, said = computer.run("sync")
    check(code != 0 and "conflict" in said.lower(), f"no conflict: {said[:500]}")
    check(caller.json("GET", f"/v1/reminders/{item['id']}")["notes"] == "of JSON",
          "a conflict was written")
    computer.configure("b wins")
    computer.sync()
    check_agreement(place, computer, ["Books"])
    check(caller.json("GET", f"/v1/reminders/{item['id']}")["notes"] == "of JSON",
          "the other side won")


def new_list(place, folder):
    """A folder that is new here becomes a list there, and its color goes along."""
    listener = Listener(place)
    # vdirsyncer makes the list with the name of the folder, which is a conflict with its title.
    computer = Vdirsyncer(folder / "new", place.url, place.key, ["holidays"], "a wins")
    (computer.lists / "holidays").mkdir()
    (computer.lists / "holidays" / "displayname").write_text("Holidays")
    (computer.lists / "holidays" / "color").write_text("#aa33cc")
    computer.discover()
    todoman = Todoman(computer.folder, computer.lists)
    todoman.run("new", "Find the passport", "--list", "Holidays")
    computer.sync()
    code, said = computer.run("metasync")
    check(code == 0, f"vdirsyncer metasync: {said[-500:]}")
    listener.wait("Holidays", "Find the passport")
    lists = place.caller().json("GET", "/v1/lists?limit=100")["items"]
    made = [each for each in lists if each["title"] == "Holidays"]
    check(len(made) == 1 and made[0]["color"].lower().startswith("#aa33cc"), f"the list is {made}")
    found = place.caller().ask("PROPFIND", "/dav/lists/", Depth="1")
    check("/dav/lists/holidays/" in hrefs(found.text), "its path is not the name of the folder")
