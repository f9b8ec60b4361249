"""Tests of the worker that shows what the server pushes, and of the buttons of that."""

from alarms import instant, press, rings, state_of
from phone import with_phone
from webdriver import call, wait


def snooze(house, message, until):
    call("PATCH", f"{house.api}/v1/alarms/{message['alarm']}", {"snoozedUntil": until})


def stop(house, message):
    call("PATCH", f"{house.api}/v1/alarms/{message['alarm']}", {"state": "acknowledged"})


def close_all(browser):
    """A person swipes the notifications away."""
    browser.run("return (async () => { const worker = await navigator.serviceWorker.ready;"
                " for (const each of await worker.getNotifications()) each.close(); })()")


@with_phone
def rings_while_closed(page, phone):
    """It rings once for each time, says that it did, and not any more when it was answered."""
    b, house = page.browser, page.house
    phone.turn_on()
    assert "Nothing was shown yet" in b.text("#main"), b.text("#main")
    item, first = phone.ring("Turn the soup down")
    shown = phone.deliver(first)
    assert shown["title"] == "Turn the soup down", shown
    assert shown["tag"] == f"alarm {first['alarm']}", shown
    assert shown["body"].startswith("Home · ") and shown["requireInteraction"], shown
    seen = lambda: [(each["title"], each["actions"]) for each in phone.seen()]
    both = [["done", "Done"], ["snooze", "10 minutes"]]
    wait("it has its buttons", lambda: seen() == [("Turn the soup down", both)])
    wait("the server knows that it was shown", lambda: phone.rows()[0]["seenAt"])
    wait("and the settings", lambda: "Last shown" in b.text("#main"))
    assert not phone.deliver(first)["renotify"], "what comes twice is heard once"
    snooze(house, first, instant(1))
    second = phone.message("ring")
    assert second["firing"] > first["firing"] and second["alarm"] == first["alarm"]
    assert phone.deliver(second)["renotify"], "it rings again"
    again = phone.deliver(first)
    assert not again["renotify"] and again["data"] == second, ("what comes too late", again)
    assert len(phone.seen()) == 1
    phone.service.seen.clear()
    stop(house, first)
    ended = phone.message("ended")
    over = phone.deliver(ended)
    assert over["silent"] and over["body"] == "It does not ring any more.", over
    wait("who sees the app needs no notification", lambda: phone.seen() == [])
    house.delete(f"/v1/reminders/{item}")
    item, first = phone.ring("Feed the cat")
    phone.deliver(first)
    stop(house, first)
    ended = phone.message("ended")
    phone.asked(look="hidden")
    phone.deliver(ended)
    wait("else it stays, silently", lambda: [(each["title"], each["body"], each["silent"])
         for each in phone.seen()] == [("Feed the cat", "It does not ring any more.", True)])
    assert phone.deliver(first)["silent"], "its message comes once more"
    close_all(b)
    assert phone.deliver(first)["body"] == "It does not ring any more.", "also if it was closed"
    snooze(house, first, instant(1))
    second = phone.message("ring")
    assert not phone.deliver(second).get("silent"), "a new time is heard"
    close_all(b)
    assert phone.deliver(second)["silent"], "not twice, although it was closed"
    stop(house, second)
    ended = phone.message("ended")
    phone.deliver(ended)
    other = {**first, "alarm": 1_000_000, "firing": 1_000_000, "title": "Another one"}
    phone.deliver(other)
    phone.deliver(ended)
    wait("it goes if another one is seen", lambda: [each["title"] for each in phone.seen()] ==
         ["Another one"])
    house.delete(f"/v1/reminders/{item}")


@with_phone
def buttons_of_notifications(page, phone):
    """They answer the alarm. What cannot be sent says so, and what is too old opens the app."""
    b, house = page.browser, page.house
    phone.turn_on()
    item, message = phone.ring("Water the plants")
    phone.deliver(message)
    phone.press(message, "done")
    wait("it is done", page.server_has("Water the plants", status="completed"))
    wait("nothing is left", lambda: phone.seen() == [])
    item, message = phone.ring("Leave for the train", dueDate=instant(3601),
                               alarms=[{"offset": "-PT1H"}])
    assert message["do"] == ["stop", "snooze"], message
    phone.deliver(message)
    assert phone.seen()[0]["actions"] == [["stop", "Stop"], ["snooze", "10 minutes"]]
    phone.press(message, "stop")
    wait("it is stopped", lambda: state_of(page, "Leave for the train")() == ["acknowledged"])
    assert page.server_has("Leave for the train", status="incomplete")()
    house.delete(f"/v1/reminders/{item}")
    item, message = phone.ring("Take the pills")
    phone.deliver(message)
    phone.press(message, "snooze")
    wait("it is snoozed", lambda: state_of(page, "Take the pills")() == ["snoozed"])
    house.delete(f"/v1/reminders/{item}")
    item, message = phone.ring("Close the windows")
    phone.deliver(message)
    page.lose_server()
    phone.press(message, "done")
    waits = lambda: [(each["body"], each["silent"], len(each["actions"])) for each in phone.seen()]
    wait("without a network it says so", lambda: waits() ==
         [("Not sent yet. Try again with a network.", True, 2)])
    phone.find_server()
    phone.press(message, "done")
    wait("another press sends it", page.server_has("Close the windows", status="completed"))
    wait("nothing is left", lambda: phone.seen() == [])
    item, message = phone.ring("Book the ferry")
    b.run("window.isSame = true")
    phone.deliver({**message, "token": "ma_1_0"})
    phone.press(message, "done")
    opened = lambda: b.run("return [location.hash, window.isSame]")
    wait("with an old token the reminder opens", lambda: opened() == [f"#/reminders/{item}", True])
    page.go("today")
    phone.deliver({**message, "do": [], "firing": message["firing"] + 1})
    wait("a key that only reads has no buttons", lambda: phone.seen()[0]["actions"] == [])
    phone.press(message)
    wait("a click opens the reminder", lambda: opened() == [f"#/reminders/{item}", True])
    wait("and closes it", lambda: phone.seen() == [])
    house.delete(f"/v1/reminders/{item}")
    b.complaints()  # The answer that refuses the old token.


@with_phone
def messages_of_any_kind(page, phone):
    """Each shows one notification: browsers end the subscription of an app that shows none."""
    message = {"v": 1, "kind": "ring", "firing": 1, "alarm": 1, "reminder": 1, "title": "T",
               "list": "L", "due": None, "zone": "UTC", "rang": instant(0), "do": [], "token": "t"}
    for data in ["", "no JSON", "null", "[]", {}, {**message, "v": 2}, {**message, "kind": "other"},
                 {**message, "do": None}, {**message, "due": "soon, but when"}]:
        shown = phone.deliver(data)
        assert shown["body"] == "Something rings. Open the app to see what.", (data, shown)
    assert phone.deliver({**message, "due": "2030-12-24"})["body"] == "L · Tue, Dec 24"
    assert phone.deliver({**message, "firing": 2, "do": ["later", "done"], "more": 1})["actions"] \
        == [{"action": "done", "title": "Done"}], "of what it does not know it says nothing"
    test_ = phone.deliver({"v": 1, "kind": "test", "name": "Kitchen tablet", "token": "t"})
    assert [test_["title"], test_["body"]] == ["Kitchen tablet", "This device rings."], test_
    other = phone.deliver({"v": 1, "kind": "broken", "name": "Hall", "since": instant(0), "token": "t"})
    assert [other["title"], other["body"]] == ["Hall", "Nothing reaches it any more. See the settings."]
    several = phone.deliver({"v": 1, "kind": "summary", "count": 12, "titles": ["A", "B"],
                             "quiet": False, "token": "t"})
    assert [several["title"], several["body"]] == ["12 reminders ring.", "A, B, …"], several
    page.browser.complaints()  # The answers that refuse the token.


@with_phone
def late_messages(page, phone):
    """A phone that was off asks before it rings."""
    house = page.house
    phone.turn_on()
    item, message = phone.ring("Pick up the parcel")
    late = {**message, "rang": instant(-120)}
    assert "silent" not in phone.deliver(late), "it still rings"
    stop(house, message)
    wait("it is answered", lambda: state_of(page, "Pick up the parcel")() == ["acknowledged"])
    over = phone.deliver({**late, "firing": message["firing"] + 1})
    assert over["silent"] and over["title"] == "Pick up the parcel", over
    assert over["body"] == "It does not ring any more.", over
    page.lose_server()
    again = phone.deliver({**late, "firing": message["firing"] + 2})
    assert "silent" not in again and again["body"] != over["body"], "without an answer it rings"
    phone.find_server()
    house.delete(f"/v1/reminders/{item}")


@with_phone
def in_german(page, phone):
    b = page.browser
    phone.turn_on()
    b.run("localStorage.setItem('martlet.language', 'de')")
    b.reload()
    words = lambda: b.run_async("caches.match('/words').then((left) => left.text())"
                                ".then(arguments[0])")
    wait("the page leaves its words", lambda: "10 Minuten" in words())
    item, message = phone.ring("Tee trinken", dueDate="2030-12-24", alarms=[{"at": instant(1)}])
    shown = phone.deliver(message)
    assert [each["title"] for each in shown["actions"]] == ["Aus", "10 Minuten"], shown
    assert shown["body"] == "Home · Di., 24. Dez.", shown
    assert "Etwas klingelt" in phone.deliver("no JSON")["body"]
    page.house.delete(f"/v1/reminders/{item}")
    b.run("localStorage.removeItem('martlet.language')")


@with_phone
def one_of_both(page, phone):
    """On a device with push the page says nothing by the system itself."""
    b = page.browser
    phone.turn_on()
    b.run("window.told = []; document.hasFocus = () => false; window.Notification = class {"
          "constructor(title) { told.push(title); } close() {} static permission = 'granted' };")
    items = [phone.ring("Told by the worker")[0]]
    wait("the bar is there", rings(page, "Told by the worker"))
    press(page, "#main .set .btn", "Turn off")
    wait("it is off", lambda: phone.rows() == [])
    items.append(phone.due("Told by the page"))
    wait("without push the page does", lambda: b.run("return told") == ["Told by the page"])
    for each in items:
        page.house.delete(f"/v1/reminders/{each}")
