"""Compares what receivers got and what was answered with what is in the database at the end."""

import json
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, field

WAITING, DELIVERED, DEAD, ANSWERED, MERGED = range(5)
STATES = ["waiting", "delivered", "dead", "answered", "merged"]
RINGING = 1
# The most messages that are on their way to one channel.
IN_FLIGHT = 2


@dataclass
class Facts:
    """Rows of the database, and what the check knows of the channels."""

    deliveries: list
    firings: list
    alarms: dict
    reminders: dict
    epoch: str
    # The channels that get each alarm, by their names; the one of people; the device that was lost.
    channels: dict
    people: set
    lost: int | None
    # Alarms that were set, and the devices, by their IDs.
    made: set = field(default_factory=set)
    phones: dict = field(default_factory=dict)

    def __post_init__(self):
        self.event = {(each["channelID"], each["eventID"]): each for each in self.deliveries}
        self.by_id = {each["id"]: each for each in self.deliveries}
        # The last firing of each alarm.
        self.last = {each["alarmID"]: each["id"] for each in self.firings}

    def ring(self, channel, firing):
        """The delivery of a firing to a channel."""
        return self.event.get((channel, f"{self.epoch}-alarm-{firing}"))

    def firing_of(self, attempt):
        """The firing that a message is about."""
        if attempt.firing or attempt.kind != "ring":
            return attempt.firing
        delivery = self.by_id.get(int(attempt.token.split("_")[1]))
        return delivery and int(delivery["eventID"].split("-")[2])

    def is_over(self, alarm):
        """Whether an alarm does not ring any more."""
        return self.alarms.get(alarm, {}).get("state") != RINGING

    def rings(self, firing):
        """Whether an alarm still rings because of this firing."""
        return not self.is_over(firing["alarmID"]) and self.last[firing["alarmID"]] == firing["id"]


def facts(database, **known):
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as file:
        file.row_factory = sqlite3.Row

        def rows(table):
            return [dict(row) for row in file.execute(f"SELECT * FROM {table} ORDER BY id")]
        check = file.execute("PRAGMA integrity_check").fetchone()[0]
        if check != "ok":
            raise ValueError(check)
        return Facts(deliveries=rows("deliveries"), firings=rows("firings"),
                     alarms={row["id"]: row for row in rows("alarms")},
                     reminders={row["id"]: row for row in rows("reminders")},
                     epoch=file.execute("SELECT epoch FROM feedState").fetchone()[0], **known)


# Each rule yields what is wrong.


def each_has_a_delivery(facts, history):
    """Each firing has one delivery to each channel; the device that was lost, until then."""
    count = Counter((each["channelID"], each["eventID"]) for each in facts.deliveries)
    for (channel, event), number in count.items():
        if number > 1:
            yield f"{number} deliveries of {event} to the channel {channel}"
    for name, channel in facts.channels.items():
        missing = [each["id"] for each in facts.firings if not facts.ring(channel, each["id"])]
        if channel == facts.lost:
            after = {each["id"] for each in facts.firings[len(facts.firings) - len(missing):]}
            missing = [each for each in missing if each not in after]
        if missing:
            yield f"no delivery to {name} of the firings {missing[:9]}"
    for alarm in facts.made - set(facts.last):
        yield f"the alarm {alarm} has never rung"


def each_is_settled(facts, history):
    """None waits, and none is dead but for the device that was lost. Programs get each alarm."""
    for each in facts.deliveries:
        allowed = {DELIVERED}
        if each["type"] == "alarm.ringing" and each["channelID"] in facts.people:
            allowed |= {ANSWERED, MERGED}
        if each["channelID"] == facts.lost:
            allowed |= {DEAD}
        if each["state"] not in allowed:
            yield (f"the delivery {each['id']} ({each['eventID']}) to the channel {each['channelID']} is "
                   f"{STATES[each['state']]}: {each['lastError']}")
    for each in facts.firings:
        for name, channel in facts.channels.items():
            found = facts.ring(channel, each["id"])
            if found and found["state"] == ANSWERED and facts.rings(each):
                yield f"the firing {each['id']} rings, and its delivery to {name} counts as answered"


def each_has_arrived(facts, history):
    """What is delivered was taken, under one ID; what has come is a delivery."""
    taken = {(each.channel, each.identity) for each in history.attempts if each.is_taken}
    known = set()
    for each in facts.deliveries:
        found = {(each["channelID"], identity) for identity in identities(each)}
        known |= found
        if each["state"] == DELIVERED and not taken & found and has_identity(each, facts):
            yield f"the delivery {each['id']} ({each['eventID']}) is delivered, and has not come"
    events = defaultdict(set)
    for each in history.attempts:
        if each.firing:
            events[each.channel, each.kind, each.firing].add(each.identity)
        if (each.channel, each.identity) not in known and each.channel != facts.channels["ntfy"]:
            yield f"a message to the channel {each.channel} is of no delivery: {each}"
    for event, found in events.items():
        if len(found) > 1:
            yield f"the event {event} has come under {len(found)} IDs"


def identities(delivery):
    """How a message shows which delivery it is: the ID of the event, that of a mail, or the token."""
    event = delivery["eventID"]
    return [event, f"<{event}@reminders.example.org>", f"ma_{delivery['id']}_{delivery['token']}"]


def has_identity(delivery, facts):
    """A summary of ntfy has no ID and no token."""
    return delivery["channelID"] != facts.channels["ntfy"] or delivery["token"]


def merged_are_counted(facts, history):
    """The summaries of a channel have as many alarms as were merged."""
    merged, counted = Counter(), Counter()
    for each in facts.deliveries:
        merged[each["channelID"]] += each["state"] == MERGED
        if each["type"] == "alarm.summary":
            counted[each["channelID"]] += json.loads(each["body"])["data"]["count"]
    for channel in merged:
        if merged[channel] != counted[channel]:
            yield f"{merged[channel]} alarms were merged for the channel {channel}, and {counted[channel]} sent"


def heard_once(facts, history):
    for channel, phone in facts.phones.items():
        for firing, number in Counter(phone.heard).items():
            if number > 1:
                alarm = next(each["alarmID"] for each in facts.firings if each["id"] == firing)
                yield (f"the firing {firing} was heard {number} times at the device {channel}"
                       + story(facts, history, channel, alarm))


def story(facts, history, channel, alarm):
    """All that is known of an alarm at a channel."""
    lines = []
    for row in facts.firings:
        if row["alarmID"] == alarm:
            ring = facts.ring(channel, row["id"]) or {"id": None, "state": WAITING, "attempts": 0, "endedAt": None}
            lines.append(f"firing {row['id']}: at {row['firedAt']}, over at {row['endedAt']}; delivery {ring['id']}: "
                         f"{STATES[ring['state']]} after {ring['attempts']} attempts at {ring['endedAt']}")
    happened = [each for each in history.attempts if each.channel == channel and each.alarm == alarm]
    happened += [each for each in history.answers if each.alarm == alarm]
    for each in sorted(happened, key=lambda each: each.order):
        what = (f"{each.kind} of {each.firing}, taken: {each.is_taken}, {each.how}" if hasattr(each, "kind") else
                f"{each.act} by {each.delivery or 'a client'}: {each.holds}")
        lines.append(f"{each.order}, start {each.life}: {what}")
    return "".join(f"\n    {line}" for line in lines)


def nothing_late(facts, history):
    """What is over is not sent any more, except what is in flight."""
    paused = {(channel, firing): order for channel, firing, order in reversed(sorted(history.paused))}
    late, cut = defaultdict(dict), set()
    for each in history.attempts:
        if each.channel not in facts.people or each.kind != "ring":
            continue
        firing = facts.firing_of(each)
        # If a connection that was used before breaks, libcurl sends the request again. That is one
        # attempt of the server.
        is_same = (each.channel, firing) in cut
        cut.discard((each.channel, firing))
        if each.how in ("cut", "hang"):
            cut.add((each.channel, firing))
        over, life = history.over.get(firing, (each.order, 0))
        if over >= each.order:
            continue
        if each.life != life:
            yield f"the firing {firing} was over before a start of the server, and was sent after it: {each}"
        if paused.get((each.channel, firing), each.order) < each.order:
            yield f"the firing {firing} was over in a pause between two attempts, and was sent again: {each}"
        number = late[each.channel].get(firing, (0, 0, 0))[2]
        late[each.channel][firing] = (over, each.order, number + (number == 0 or not is_same))
    for channel, found in late.items():
        for begin, _, _ in found.values():
            together = [firing for firing, (start, end, _) in found.items() if start <= begin < end]
            if len(together) > IN_FLIGHT:
                yield f"the firings {together} were over, and {len(together)} came to the channel {channel}"
        for firing, (_, _, number) in found.items():
            if number > 1:
                alarm = next(each["alarmID"] for each in facts.firings if each["id"] == firing)
                yield (f"the firing {firing} was over, and was sent {number} times to the channel {channel}"
                       + story(facts, history, channel, alarm))


def answers_hold(facts, history):
    """Each answer that was acknowledged is in the database, unless something was done after it."""
    expected = defaultdict(dict)
    for each in history.answers:
        known = expected[each.reminder, each.alarm]
        known.pop("snoozed", None)
        # What is done with the reminder later changes the state of the alarm.
        if "time" in each.holds or each.act in ("again", "snooze"):
            known.pop("state", None)
        known.update(each.holds)
        if each.delivery:
            stored = facts.by_id.get(each.delivery, {}).get("answer")
            words = [each.act] + ([each.until.replace("T", " ").removesuffix("Z")] if each.until else [])
            if stored != " ".join(words):
                yield f"the answer {each} is stored as {stored}"
    for (reminder, alarm), known in expected.items():
        if known.get("is deleted"):
            if reminder in facts.reminders:
                yield f"the reminder {reminder} was deleted, and is there"
            continue
        row, ring = facts.reminders.get(reminder), facts.alarms.get(alarm)
        if not row or not ring:
            yield f"the reminder {reminder} was never deleted, and is missing"
            continue
        found = {"status": row["status"], "state": ring["state"],
                 "time": row["dueDate"] if ring["at"] is None else ring["at"], "snoozed": ring["snoozedUntil"]}
        rung = {each["dueAt"] for each in facts.firings if "snoozed" in known and each["alarmID"] == alarm}
        if "snoozed" in known and known["snoozed"] in rung:
            del known["snoozed"]
        for name, value in known.items():
            if found[name] != value:
                yield (f"the reminder {reminder} has the {name} {found[name]} and not {value}"
                       + story(facts, history, facts.channels["webhook"], alarm))


def ends_are_sent(facts, history):
    """Who has got an alarm hears that it does not ring any more, and no device shows that it rings."""
    names = {channel: name for name, channel in facts.channels.items()}
    for alarm, firing in facts.last.items():
        if not facts.is_over(alarm):
            continue
        for channel in [facts.channels["webhook"], *facts.phones]:
            ring = facts.ring(channel, firing)
            if channel != facts.lost and ring and ring["state"] == DELIVERED and (
                    channel, f"{facts.epoch}-ended-{firing}") not in facts.event:
                yield f"{names[channel]} does not hear that the firing {firing} is over"
    yield from shown_in_vain(facts, history, lambda alarm, firing: facts.last.get(alarm) == firing)


def earlier_ends_are_sent(facts, history):
    """As the rule above, if the alarm has rung again, and that was not sent to the device on its own."""
    yield from shown_in_vain(facts, history, lambda alarm, firing: facts.last.get(alarm, 0) > firing)


def shown_in_vain(facts, history, is_meant):
    names = {channel: name for name, channel in facts.channels.items()}
    for channel, phone in facts.phones.items():
        for alarm, (firing, rings) in phone.shown.items():
            ring = facts.ring(channel, firing)
            # What was not known to be delivered has no end.
            if rings and facts.is_over(alarm) and channel != facts.lost and is_meant(alarm, firing) and (
                    ring and ring["state"] == DELIVERED):
                yield (f"the device {names[channel]} shows that the firing {firing} of the alarm {alarm} rings"
                       + story(facts, history, channel, alarm))


def one_topic(facts, history):
    """All pushes to a device about an alarm replace each other."""
    topics = defaultdict(set)
    for each in history.attempts:
        if each.channel in facts.phones and each.alarm:
            topics[each.channel, each.alarm].add(each.topic)
    for alarm, found in topics.items():
        if len(found) > 1 or not all(found):
            yield f"the messages about {alarm} have the topics {found}"


RULES = [each_has_a_delivery, each_is_settled, each_has_arrived, merged_are_counted, heard_once, nothing_late,
         answers_hold, ends_are_sent, earlier_ends_are_sent, one_topic]
# What breaks these rules is printed, and does not fail the check.
KNOWN_FAULTS = []


def judge(facts, history):
    """What is wrong, each text with the name of its rule."""
    return [(rule, f"{rule.__name__}: {text}") for rule in RULES for text in rule(facts, history)]
