"""Tests the service with the generated client; `Checks/check-client` runs it.

Prints each difference and exits 1 if there is any.
"""

import datetime
import sys

from martlet_client import Client
from martlet_client.api.lists import create_list, list_lists
from martlet_client.api.operation import get_entrance
from martlet_client.api.reminders import (
    create_reminder, delete_reminder, get_reminder, list_reminders, update_reminder,
)
from martlet_client.api.search import search_reminders
from martlet_client.models import (
    NewList, NewReminder, Problem, Reminder, ReminderPatch, ReminderStatus,
)

client = Client(base_url=sys.argv[1])
failures = []


def expect(what, is_so):
    if not is_so:
        failures.append(what)


home = create_list.sync(client=client, body=NewList(title="Home"))
expect(f"a list: {home}", home.title == "Home" and home.reminders.all_ == 0)

day = datetime.date(2026, 12, 1)
moment = datetime.datetime(2026, 12, 1, 18, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
milk = create_reminder.sync(client=client, body=NewReminder(list_id=home.id, title="Milk", due_date=day, tags=["shop"]))
expect(f"a date: {milk}", milk.due_date == day)
tyres = create_reminder.sync(client=client, body=NewReminder(list_id=home.id, title="Tyres", due_date=moment))
expect(f"an instant: {tyres}", tyres.due_date == moment)
none = create_reminder.sync(client=client, body=NewReminder(list_id=home.id, title="Some day"))
expect(f"no due date: {none}", none.due_date is None and none.priority is None)
expect(f"a time: {milk.created_at}", milk.created_at.tzinfo is not None)

read = get_reminder.sync_detailed(id=milk.id, client=client)
expect(f"an ETag: {read.headers}", read.headers["ETag"].startswith('"'))
expect("a read after a write", read.parsed == milk)
done = update_reminder.sync(
    id=milk.id, client=client, if_match=read.headers["ETag"],
    body=ReminderPatch(status=ReminderStatus.COMPLETED, due_date=None))
expect(f"a change: {done}", done.status == ReminderStatus.COMPLETED and done.due_date is None)
late = update_reminder.sync(id=milk.id, client=client, if_match=read.headers["ETag"], body=ReminderPatch(title="x"))
expect(f"a stale ETag: {late}", isinstance(late, Problem) and late.type_ == "/problems/precondition-failed")

seen, cursor = [], None
while True:
    page = list_reminders.sync(client=client, limit=1, **({"cursor": cursor} if cursor else {}))
    seen += [each.title for each in page.items]
    cursor = page.next_cursor
    if cursor is None:
        break
expect(f"pages: {seen}", sorted(seen) == ["Milk", "Some day", "Tyres"])
found = search_reminders.sync(client=client, q="tyr")
expect(f"a search: {found}", [each.highlights.title for each in found.items] == ["<mark>Tyres</mark>"])
wrong = create_reminder.sync(client=client, body=NewReminder(list_id=99, title="x"))
expect(f"a problem: {wrong}", isinstance(wrong, Problem) and wrong.errors[0].pointer == "/listID")
expect("a deletion", delete_reminder.sync_detailed(id=none.id, client=client).status_code == 204)
expect("the links of the entrance", get_entrance.sync(client=client).lists == "/v1/lists")
expect("two lists", len(list_lists.sync(client=client).items) == 2)

# A client must accept members that a later version adds to a response.
grown = Reminder.from_dict({**milk.to_dict(), "children": 2})
expect("a member of a later version", grown.title == "Milk" and grown["children"] == 2)

for failure in failures:
    print(f"the generated client: {failure}")
print(f"the generated client: {'failed' if failures else 'as expected'}")
sys.exit(1 if failures else 0)
