// SPDX-License-Identifier: Apache-2.0
// Whatever a person does: after undo all is as it was, and after redo as it was done. Also without
// a network, and with another device in between: node --test Checks/app/undo.test.mjs.

import assert from "node:assert/strict";
import test from "node:test";
import { MINUTE, oneIn, pass, pick, random } from "./chance.mjs";
import { first, history, rounds } from "./devices.mjs";

const HOME = 1;

/** Two lists with subtasks, series, dates and alarms, a completed one, and two smart lists. */
async function house(server, devices) {
  server.calm = true;
  const { id: other } = server.make({ title: "Other", color: "#14a5a5" }, "list").body;
  const lists = [HOME, other];
  for (let count = 0; count < 14; count++) {
    const all = [...server.reminders.values()].filter(({ status }) => status === "incomplete");
    server.make({ title: `Item ${count}`, listID: pick(lists), notes: oneIn(2) ? "Note" : "",
      parentID: all.length > 4 && oneIn(2) ? pick(all).id : null,
      dueDate: oneIn(2) ? "2026-11-28" : "2026-11-28T09:00:00Z", priority: oneIn(3) ? "high" : null,
      tags: oneIn(3) ? ["b", "a"] : [], isFlagged: oneIn(3),
      alarms: oneIn(3) ? [{ id: 9000 + count, offset: "-PT10M", from: "due", at: null, repeat: null,
        snoozedUntil: null, acknowledgedAt: null }] : [],
      recurrence: oneIn(3) ? { rule: "FREQ=WEEKLY", basis: "due" } : null });
  }
  for (const title of ["Flagged", "High"]) {
    server.make({ title, color: "#4a99ef", icon: null, sort: null, filter: { flagged: true } },
      "smart-list");
  }
  for (const device of devices) {
    for (const name of ["actions", "undo"]) device[name] = await device.load(`${name}.js`);
    // Reading a file takes time that is not of the history.
    await (await device.load("lazy.js")).load();
  }
  await pass(5 * MINUTE);
}

/** All that is stored, the open siblings in their order, without what a change leaves behind. */
function exported(server) {
  const sorted = (kind) => [...server.rows[kind].values()]
    .sort((a, b) => a.position - b.position || a.id - b.id);
  const siblings = sorted("reminder").sort((a, b) => (a.parentID ?? 0) - (b.parentID ?? 0));
  const plain = ({ updatedAt, position, alarms, doneWith, uid, tags, ...item }) => ({ ...item,
    ...tags && { tags: [...tags].sort() },
    ...alarms && { alarms: alarms.map(({ offset, at }) => ({ offset, at: at ?? null })) } });
  return { lists: sorted("list").map(plain),
    // One that is made again has another ID.
    smart: sorted("smart-list").map(({ id, ...item }) => plain(item)),
    reminders: sorted("list").map(({ id }) => ["incomplete", "completed"].map((status) =>
      (status === "completed" ? [...server.reminders.values()].sort((a, b) => a.id - b.id) :
        siblings).filter((each) => each.listID === id && each.status === status)
        .map(plain))) };
}

/** What the app shows of the open ones. */
function shown({ store }) {
  const plain = ({ title, notes, dueDate, priority, isFlagged, tags, recurrence, startDate }) =>
    ({ title, notes, dueDate: dueDate?.replace(".000Z", "Z"), priority, isFlagged,
      tags: [...tags].sort(), recurrence, startDate });
  const tree = (all) => all.map((each) => [plain(each), tree(store.children(each.id))]);
  return [store.lists.map((list) => [list.title, tree(store.inList(list.id))]),
    store.smartLists.map(({ title, filter }) => ({ title, filter }))];
}

/**
 * One action, as a person does it, with all that the app offers; returns what it is about.
 * @param {number} [chosen] the ID of a reminder
 */
function act({ actions, undo, store, state }, chosen) {
  if (store.shown.reminder.size === 0) actions.addList({ title: "Empty" }, "list");
  if (store.shown.reminder.size === 0) return "newList";
  const all = [...store.shown.reminder.values()], text = `New ${random(1e6)}`;
  const id = chosen ?? pick(all).id;
  const some = [...new Set([id, pick(all).id, pick(all).id])];
  const list = pick(store.lists), kind = pick(["list", "smart-list"]);
  const ofKind = store.all(kind);
  const ways = {
    complete: () => actions.complete(id),
    skip: () => {
      const series = all.filter(({ recurrence }) => recurrence);
      if (series.length > 0) actions.skip(pick(series));
    },
    remove: () => actions.remove(id),
    title: () => actions.edit(id, { title: text }),
    notes: () => actions.edit(id, { notes: text }),
    due: () => actions.edit(id, { dueDate: pick([null, "2026-12-01", "2026-12-01T10:00:00.000Z"]),
      recurrence: null }),
    time: () => actions.edit(id, { dueDate: pick(["2026-12-01", "2026-12-01T10:00:00.000Z"]) }),
    // As the picker, which sends nothing if it is the same.
    repeat: () => store.reminder(id).recurrence?.rule !== "FREQ=DAILY" && actions.edit(id,
      { recurrence: { rule: "FREQ=DAILY", basis: "due" }, dueDate: "2026-12-02" }),
    alarm: () => actions.edit(id, { alarms: [{ offset: "-PT5M", from: "due" }] }),
    tags: () => actions.edit(id, { tags: ["c"] }),
    flag: () => actions.toggleFlag(id),
    move: () => actions.move(id, list.id),
    parent: () => {
      const own = store.flat([store.reminder(id)]).map(({ reminder }) => reminder.id);
      const others = all.filter((each) => !own.includes(each.id));
      actions.edit(id, { parentID: oneIn(3) || others.length === 0 ? null :
        actions.referenceTo(pick(others).id) });
    },
    step: () => actions.step(id, pick([-1, 1])),
    place: () => {
      const { listID, parentID } = store.reminder(id);
      const other = pick(parentID ? store.children(parentID) : store.inList(listID)).id;
      if (other !== id) actions.place(id,
        { [pick(["after", "before"])]: actions.referenceTo(other) });
    },
    indent: () => actions.indent(id, oneIn(2)),
    dueIn: () => actions.dueIn([id], random(3)),
    many: () => {
      state.selected = new Set(some);
      pick([() => actions.editAll(some, { status: "completed" }),
        () => actions.editAll(some, { isFlagged: true }),
        () => actions.editAll(some, { listID: actions.referenceTo(list.id) }),
        () => actions.editAll(some, ({ tags }) => ({ tags: [...tags, "new"] })),
        () => actions.dueIn(some, 2), () => actions.removeAll(some)])();
      state.selected = new Set();
    },
    line: () => undo.act(text, [{ method: "POST", path: "/v1/quick-add",
      body: { text, listID: actions.referenceTo(list.id) } }], { title: text, listID: list.id }),
    part: () => undo.act(text, [{ method: "POST", path: "/v1/reminders",
      body: { parentID: actions.referenceTo(id), title: text } }]),
    newList: () => actions.addList({ title: text, color: "#4a99ef",
      ...kind === "smart-list" && { filter: {}, sort: null, icon: null } }, kind),
    editList: () => ofKind.length > 0 && actions.editList(pick(ofKind).id, { title: text,
      ...kind === "smart-list" && { filter: { priority: "high", flagged: null } } }, kind),
    stepList: () => ofKind.length > 0 && actions.step(pick(ofKind).id, pick([-1, 1]), kind),
    removeList: () => store.lists.length > 1 && ofKind.length > 0 &&
      actions.removeList(pick(ofKind).id, kind),
  };
  const name = pick(Object.keys(ways)), before = state.done.at(-1);
  ways[name]();
  return state.done.at(-1) !== before && name;
}

/** Undo and redo may have to wait for the server, in the time of the history. */
function turn({ undo }, name, ms) {
  undo[name]();
  return pass(ms);
}

const seeds = Array.from({ length: rounds }, (_, index) => first + index);

test("after undo all is as it was, and after redo as it was done", async () => {
  for (const seed of seeds) {
    await history(seed, async (server, devices) => {
      await house(server, devices);
      const [one] = devices;
      for (let count = 0; count < 25; count++) {
        const before = exported(server), isOff = oneIn(3);
        server.isDown = isOff;
        if (!isOff) dispatchEvent(new Event("online"));
        await pass(MINUTE);
        const name = act(one);
        if (!name) continue;
        // Until the server has answered, the next date of a series is not known.
        const isKnown = isOff || oneIn(2);
        await pass(isKnown ? MINUTE : 1);
        const done = shown(one), label = `${name}${isOff ? ", offline" : ""}`;
        await turn(one, "undo", MINUTE);
        if (isOff && oneIn(2)) {
          await turn(one, "redo", MINUTE);
          assert.deepEqual(shown(one), done, `redo of ${label}`);
          await turn(one, "undo", 1);
        }
        server.isDown = false;
        dispatchEvent(new Event("online"));
        await pass(5 * MINUTE);
        assert.deepEqual(exported(server), before, `undo of ${label}`);
        assert.deepEqual(one.state.failed, [], label);
        if (oneIn(2)) continue;
        await turn(one, "redo", 5 * MINUTE);
        if (isKnown && !isOff) assert.deepEqual(shown(one), done, `redo of ${label}`);
        const again = exported(server);
        assert.notDeepEqual(again, before, `redo of ${label}`);
        await turn(one, "undo", 5 * MINUTE);
        assert.deepEqual(exported(server), before, `undo after redo of ${label}`);
        await turn(one, "redo", 5 * MINUTE);
        assert.deepEqual(exported(server), again, `redo after undo of ${label}`);
      }
      const { done } = one.state, before = done.length;
      server.isDown = false;
      dispatchEvent(new Event("online"));
      await pass(5 * MINUTE);
      while (one.state.done.length > 0) {
        await turn(one, "undo", 5 * MINUTE);
      }
      assert.deepEqual(one.state.failed, [], `all ${before} are undone`);
    });
  }
});

test("what was done before the server answered is undone, too", async () => {
  for (const seed of seeds) {
    await history(seed, async (server, devices) => {
      await house(server, devices);
      const [one] = devices;
      for (let count = 0; count < 20; count++) {
        const before = exported(server), { length } = one.state.done, names = [];
        const { id } = pick([...one.store.shown.reminder.values()]);
        while (names.length < 4 && one.store.reminder(id)) {
          const name = act(one, id);
          if (name) names.push(name);
          await pass(oneIn(3) ? MINUTE : 1);
        }
        const isAnswered = oneIn(2);
        if (isAnswered) await pass(5 * MINUTE);
        while (one.state.done.length > length) {
          await turn(one, "undo", isAnswered ? 5 * MINUTE : 30_000);
        }
        await pass(5 * MINUTE);
        assert.deepEqual(one.state.failed, [], `undo of ${names}`);
        assert.deepEqual(exported(server), before, `undo of ${names}`);
      }
    });
  }
});

test("undo leaves what another device has changed meanwhile, and says so", async () => {
  for (const seed of seeds) {
    await history(seed, async (server, devices) => {
      await house(server, devices);
      const [one, two] = devices;
      for (let count = 0; count < 20; count++) {
        const before = new Map(server.reminders), { state, actions } = one;
        const { id } = pick([...one.store.shown.reminder.values()]);
        const [mine, theirs] = [pick(["title", "notes", "priority"]), pick(["title", "notes"])];
        const value = { title: `Mine ${count}`, notes: `Mine ${count}`, priority: "low" };
        actions.edit(id, { [mine]: value[mine] });
        if (server.reminders.get(id)[mine] === value[mine]) continue;
        await pass(5 * MINUTE);
        const isGone = oneIn(5);
        // A series would go on.
        const isOnce = !server.reminders.get(id).recurrence;
        if (isGone) two.actions[isOnce && oneIn(2) ? "complete" : "remove"](id);
        else two.actions.edit(id, { [theirs]: `Theirs ${count}` });
        await pass(5 * MINUTE);
        const meanwhile = server.reminders.get(id);
        await turn(one, "undo", 5 * MINUTE);
        const expected = isGone || mine === theirs ? meanwhile :
          { ...meanwhile, [mine]: before.get(id)[mine] };
        const plain = (item) => item && { ...item, updatedAt: undefined };
        assert.deepEqual(plain(server.reminders.get(id)), plain(expected));
        assert.deepEqual(state.failed, []);
        const isLeft = isGone || mine === theirs;
        assert.equal(/Another device/.test(state.said), isLeft, state.said);
        if (!isGone && isLeft) assert.match(state.said, new RegExp(mine, "i"));
      }
    });
  }
});

test("what the server refuses is not offered to be undone", async () => {
  await history(first, async (server, devices) => {
    await house(server, devices);
    const [{ actions, state, store }] = devices, { id } = pick([...store.shown.reminder.values()]);
    server.isDown = true;
    actions.edit(id, { title: "Refused" });
    await pass(MINUTE);
    assert.equal(state.done.length, 1);
    server.reminders.delete(id);
    server.isDown = false;
    await pass(30 * MINUTE);
    assert.equal(state.done.length, 0);
    assert.equal(state.failed.length, 1);
    server.commit("reminder", id);
  });
});

test("undo waits for the answer, and there is nothing to undo if it refuses", async () => {
  await history(first, async (server, devices) => {
    await house(server, devices);
    const [{ actions, state, store, undo }] = devices, [{ id }] = [...store.shown.reminder.values()];
    server.reminders.delete(id);
    const { length } = server.log;
    actions.edit(id, { title: "Refused" });
    await pass(1);
    undo.undo();
    await pass(30 * MINUTE);
    assert.deepEqual([state.done.length, state.undone.length, state.failed.length], [0, 0, 1]);
    assert.equal(state.failed[0].operations[0].body.title, "Refused");
    assert.equal(server.log.length, length);
    server.commit("reminder", id);
  });
});
