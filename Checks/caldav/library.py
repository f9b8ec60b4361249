"""python-caldav, which Home Assistant uses as well."""

import datetime
import logging

import caldav

from lib.waiting import check
from place import Listener

# It tells of each search that it repeats in another way.
logging.getLogger().setLevel(logging.ERROR)


def calls(place, folder):
    """What the documentation of python-caldav shows for to-dos."""
    listener = Listener(place)
    caller = place.caller()
    with caldav.DAVClient(place.url, username="anyone", password=place.key) as client:
        check(client.check_cdav_support(), "the server has no calendar-access")
        principal = client.principal()
        names = {each.get_display_name() for each in principal.calendars()}
        check(set(place.lists) <= names, f"the calendars are {names}")
        books = [each for each in principal.calendars() if each.get_display_name() == "Books"][0]
        check(books.get_supported_components() == ["VTODO"], "events are possible")

        stored = caller.reminders(place.lists["Books"]).values()
        pending = {each["title"] for each in stored if each["status"] != "completed"}
        found = [summary(each) for each in books.todos()]
        check(len(found) == len(set(found)), "a to-do is there twice")
        check(set(found) == pending, f"it finds {len(found)} of {len(pending)} open to-dos")
        every = books.todos(include_completed=True)
        check(len(every) == len(stored), f"it finds {len(every)} of {len(stored)} to-dos")
        check(books.events() == [], "it finds events")

        calendar = principal.make_calendar(
            name="By the library", supported_calendar_component_set=["VTODO"])
        listener.wait("By the library")
        changes(calendar, listener, caller)
        calendar.delete()
        check("By the library" not in {each.get_display_name() for each in principal.calendars()},
              "a deleted calendar is there")


def changes(calendar, listener, caller):
    """Makes, changes, finds, completes and deletes to-dos."""
    objects = calendar.objects_by_sync_token(load_objects=True)
    task = calendar.save_todo(
        summary="Paint the fence", due=datetime.date(2027, 5, 1), priority=2,
        categories=["garden", "paint"])
    child = calendar.save_todo(summary="Buy paint", parent=[str(task.id)])
    listener.wait("Paint the fence", "Buy paint")
    updated, deleted = objects.sync()
    check({str(each.url) for each in updated} == {str(task.url), str(child.url)},
          f"the sync token finds {updated}")
    check(deleted == [], "the sync token finds deletions")
    stored = {each["title"]: each for each in mine(caller)}
    check(stored["Paint the fence"]["priority"] == "high", "the priority is missing")
    check(set(stored["Paint the fence"]["tags"]) == {"garden", "paint"}, "the tags are missing")
    check(stored["Buy paint"]["parentID"] == stored["Paint the fence"]["id"], "no parent")

    check([summary(each) for each in calendar.search(todo=True, summary="fence")]
          == ["Paint the fence"], "no match for a part of the title")
    check([summary(each) for each in calendar.search(todo=True, category="paint")]
          == ["Paint the fence"], "no match for a tag")
    span = {"start": datetime.datetime(2027, 4, 30), "end": datetime.datetime(2027, 5, 3)}
    found = {summary(each) for each in calendar.search(todo=True, **span)}
    check("Paint the fence" in found, "no match for a span of time")
    check(summary(calendar.todo_by_uid(str(child.id))) == "Buy paint", "no match for a UID")

    task.load()
    task.vobject_instance.vtodo.summary.value = "Paint the old fence"
    task.save()
    listener.wait("Paint the old fence")
    series(calendar, caller)
    child.load()
    child.complete()
    check({summary(each) for each in calendar.todos()} == {"Paint the old fence", "Mow"},
          "a completed to-do is open")
    objects.sync()
    task.delete()
    updated, deleted = objects.sync()
    check([str(each.url) for each in deleted] == [str(task.url)], f"the sync token finds {deleted}")
    listener.wait_removed(stored["Paint the fence"]["id"])


def series(calendar, caller):
    """Home Assistant completes by two writes, the second of which says the same as the first."""
    task = calendar.save_todo(
        "BEGIN:VTODO\nUID:series-of-the-library\nDTSTAMP:20261127T080000Z\n"
        "SUMMARY:Mow\nDTSTART;VALUE=DATE:20270601\nDUE;VALUE=DATE:20270601\n"
        "RRULE:FREQ=WEEKLY\nEND:VTODO")
    task.load()
    task.complete()
    task.save()
    mow = [each for each in mine(caller) if each["title"] == "Mow"]
    check([(each["dueDate"], each["status"]) for each in mow] == [("2027-06-08", "incomplete")],
          f"after mowing there is {mow}")
    done = caller.json("GET", f"/v1/completions?reminderID={mow[0]['id']}")["items"]
    check(len(done) == 1, f"mowing was completed {len(done)} times: {done}")


def mine(caller):
    lists = caller.json("GET", "/v1/lists?limit=100")["items"]
    made = [each["id"] for each in lists if each["title"] == "By the library"][0]
    return caller.reminders(made).values()


def summary(task):
    return task.vobject_instance.vtodo.summary.value
