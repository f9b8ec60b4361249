"""Tests the comparison: puts one fault after the other into what was found, each of which it must find."""

import copy
import dataclasses
from types import SimpleNamespace

from lib.waiting import check
from rings.verdict import ANSWERED, DEAD, DELIVERED, MERGED, WAITING, judge


def replaced(facts, delivery, **members):
    """The facts with other values in a delivery; without it, if there are none."""
    rest = [each for each in facts.deliveries if each is not delivery]
    return dataclasses.replace(facts, deliveries=rest + ([delivery | members] if members else []))


def faults(facts, history):
    """Each fault: the rule that must find it, what it is, and the facts and the history with it."""
    rings = [each for each in facts.deliveries if each["type"] == "alarm.ringing"]
    device = facts.channels["device 0"]
    phone = facts.phones[device]

    def first(state, *channels):
        return next((each for each in rings if each["state"] == state and (
            not channels or each["channelID"] in channels)), None)

    def told(**members):
        return SimpleNamespace(**(vars(history) | members))

    def firing(delivery):
        return int(delivery["eventID"].split("-")[2])

    def with_phone(change):
        new = copy.copy(phone)
        new.shown, new.heard = dict(phone.shown), list(phone.heard)
        change(new)
        return dataclasses.replace(facts, phones=facts.phones | {device: new})

    sent = first(DELIVERED, device)
    came = [each for each in history.attempts if each.channel == device and each.kind == "ring"
            and each.firing == firing(sent)]
    usual = [each for each in history.attempts if each not in came]
    yield "each_has_a_delivery", "a delivery is missing", replaced(facts, sent), history
    yield "each_has_a_delivery", "an alarm has not rung", dataclasses.replace(facts, made=facts.made | {0}), history
    for state in [WAITING, DEAD]:
        yield "each_is_settled", f"the state {state}", replaced(facts, sent, state=state, lastError=""), history
    webhook = first(DELIVERED, facts.channels["webhook"])
    for state in [ANSWERED, MERGED]:
        yield "each_is_settled", f"the state {state} of a webhook", replaced(facts, webhook, state=state), history
    yield "each_has_arrived", "a message has not come", facts, told(attempts=usual)
    yield "each_has_arrived", "no message was taken", facts, told(
        attempts=usual + [dataclasses.replace(each, is_taken=False) for each in came])
    yield "each_has_arrived", "another ID", facts, told(
        attempts=history.attempts + [dataclasses.replace(came[0], identity="ma_0_0")])
    [mailed] = [each for each in history.attempts if each.channel == facts.channels["mail"] and each.is_taken
                and each.kind == "ring"][:1]
    yield "each_has_arrived", "another Message-ID", facts, told(
        attempts=history.attempts + [dataclasses.replace(mailed, identity="<a@reminders.example.org>")])
    yield "each_has_arrived", "a message of nothing", replaced(facts, sent), history
    if merged := first(MERGED):
        yield "merged_are_counted", "one more in a summary", replaced(facts, merged, state=DELIVERED), history
    yield "heard_once", "heard twice", with_phone(lambda new: new.heard.append(new.heard[0])), history
    yield "one_topic", "another topic", facts, told(
        attempts=history.attempts + [dataclasses.replace(came[0], topic="another")])

    # After an answer.
    over, life = {firing(sent): (came[-1].order, came[-1].life)}, came[-1].life
    later = dataclasses.replace(came[-1], order=came[-1].order + 1, how="201")
    yield "nothing_late", "after a start", facts, told(
        attempts=[*history.attempts, dataclasses.replace(later, life=life + 1)], over=history.over | over)
    yield "nothing_late", "after a pause", facts, told(
        attempts=[*history.attempts, later], over=history.over | over,
        paused=history.paused | {(device, firing(sent), came[-1].order)})
    yield "nothing_late", "twice", facts, told(
        attempts=[*history.attempts, later, dataclasses.replace(later, order=later.order + 1)],
        over=history.over | over)
    some = {each.firing: each for each in history.attempts if each.channel == device and each.kind == "ring"}
    some = list(some.values())[:3]
    end = history.attempts[-1].order + 1
    yield "nothing_late", "three in flight", facts, told(
        attempts=[*history.attempts, *(dataclasses.replace(each, order=end, life=0) for each in some)],
        over={each.firing: (end - 1, 0) for each in some}, paused=set())

    # The answers themselves.
    for each in history.answers:
        if each.delivery:
            yield "answers_hold", "an answer is missing", replaced(
                facts, facts.by_id[each.delivery], answer=None), history
            break
    for name in ("status", "time", "is deleted", "state", "snoozed"):
        for each in reversed(history.answers):
            if name in each.holds and (name == "is deleted") != (each.reminder in facts.reminders):
                last = [other for other in history.answers if other.reminder == each.reminder][-1]
                if last is not each:
                    continue
                reminders, alarms = dict(facts.reminders), dict(facts.alarms)
                reminders[each.reminder] = reminders.get(each.reminder, {}) | {"status": 0, "dueDate": "another"}
                if name != "is deleted":
                    alarms[each.alarm] = alarms[each.alarm] | {"state": 0, "at": "another", "snoozedUntil": None}
                new = dataclasses.replace(facts, reminders=reminders, alarms=alarms, firings=[
                    row for row in facts.firings if name != "snoozed" or row["alarmID"] != each.alarm])
                yield "answers_hold", f"the {name} is another one", new, history
                break

    # Ends.
    alarm, last = next((alarm, last) for alarm, last in facts.last.items() if facts.is_over(alarm))
    ended = facts.event[facts.channels["webhook"], f"{facts.epoch}-ended-{last}"]
    yield "ends_are_sent", "an end is missing", replaced(facts, ended), history
    for rule, is_last in [("ends_are_sent", True), ("earlier_ends_are_sent", False)]:
        shown = next((row for row in facts.firings if facts.is_over(row["alarmID"])
                      and (facts.last[row["alarmID"]] == row["id"]) == is_last
                      and facts.ring(device, row["id"])["state"] == DELIVERED), None)
        if shown:
            yield rule, "a device shows what is over", with_phone(
                lambda new: new.shown.update({shown["alarmID"]: (shown["id"], True)})), history


def prove(facts, history):
    count = 0
    for rule, fault, *changed in faults(facts, history):
        found = judge(*changed)
        check(any(broken.__name__ == rule for broken, _ in found), f"{rule} has not found: {fault}")
        count += 1
    print(f"the comparison has found each of {count} faults that were put in", flush=True)
