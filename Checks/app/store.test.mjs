// SPDX-License-Identifier: Apache-2.0
// Two devices and a server that drops, repeats and delays: node --test Checks/app/store.test.mjs.

import assert from "node:assert/strict";
import test from "node:test";
import { MINUTE, oneIn, pass, random, soon } from "./chance.mjs";
import { first, history, restart, rounds } from "./devices.mjs";
import { problem } from "./server.mjs";

const pathOf = (id) => `/v1/reminders/${typeof id === "string" ? `{${id}}` : id}`;

/** One thing that a person does. What is typed is new each time. */
let typed = 0;
function act({ store, write, writeAll }, texts) {
  const all = [...store.shown.reminder.values()], text = `typed ${++typed}`;
  const { id } = all.length > 0 ? all[random(all.length)] : {};
  const isWrite = all.length > 0 && !oneIn(3), kind = isWrite ? random(6) : 6;
  if (kind < 3 || kind > 4) texts.add(text);
  const writing = kind === 0 ? write("PATCH", pathOf(id), { title: text }) :
    kind === 1 || kind === 2 ? write("PATCH", pathOf(id), { notes: text }) :
    kind === 3 ? oneIn(3) ? write("DELETE", pathOf(id)) : write("PATCH", pathOf(id),
      oneIn(2) ? { status: "completed" } : { isFlagged: oneIn(2) }) :
    kind === 4 ? write("PUT", `${pathOf(id)}/position`, { after: null }) :
    kind === 5 ? writeAll([{ method: "PATCH", path: pathOf(id), body: { title: text } },
      { method: "PATCH", path: pathOf(all.at(-1).id), body: { isFlagged: true } }]) :
    oneIn(2) ? write("POST", "/v1/quick-add", { text }, { title: text }) :
    write("POST", "/v1/lists/1/reminders", { title: text });
  writing.then(({ done }) => done.catch(() => {}));
}

test("an hour without a network, and 50 edits on two devices", async () => {
  await history(first, async (server, devices, texts) => {
    for (let count = 0; count < 8; count++) act(devices[count % 2], texts);
    await pass(5 * MINUTE);
    server.isDown = true;
    for (let count = 0; count < 50; count++) {
      act(devices[random(2)], texts);
      await pass(random(2 * MINUTE));
    }
    for (const { state } of devices) assert.equal(state.connection, "reconnecting");
    assert.ok(devices.some(({ store }) => store.pending.length > 20));
  });
});

test("any history ends with what the server has, and nothing that was typed is lost", async () => {
  for (let round = 0; round < rounds; round++) {
    await history(first + round, async (server, devices, texts) => {
      for (let count = 0; count < 40; count++) {
        if (oneIn(8)) server.isDown = !server.isDown;
        const index = random(2);
        if (oneIn(15)) await restart(devices, index, server);
        act(devices[index], texts);
        await pass(random(oneIn(4) ? 10 * MINUTE : 2000));
      }
    });
  }
});

/** Both devices have one reminder; returns its ID. */
async function withOne(server, [{ store, write }]) {
  server.calm = true;
  await write("POST", "/v1/lists/1/reminders", { title: "Here" });
  await pass(5 * MINUTE);
  return [...store.shown.reminder.keys()][0];
}

test("a late answer does not bring back what is gone", async () => {
  for (const isClosed of [false, true]) {
    await history(first, async (server, devices) => {
      const id = await withOne(server, devices), [{ write }, other] = devices, { answer } = server;
      // It is done at once, and the answer is on its way for a minute, or gets lost.
      server.answer = async (path, init) => {
        const result = await answer.call(server, path, init);
        if (!/New|position/.test(init.body + path) || /two/.test(init.headers.get("Authorization"))) {
          return result;
        }
        await soon(MINUTE);
        if (!isClosed) return result;
        throw new TypeError("Failed to fetch");
      };
      await write("POST", "/v1/lists/1/reminders", { title: "New" });
      await pass(10_000);
      for (const each of other.store.shown.reminder.keys()) {
        if (each !== id) await other.write("DELETE", pathOf(each));
      }
      await pass(10_000);
      if (isClosed) await restart(devices, 0, server);
      server.answer = answer;
      if (isClosed) return;
      await pass(2 * MINUTE);
      server.answer = async (path, init) => {
        const result = await answer.call(server, path, init);
        if (/position/.test(path)) await soon(MINUTE);
        return result;
      };
      await write("PUT", `${pathOf(id)}/position`, { after: null });
      await pass(10_000);
      await other.write("PATCH", pathOf(id), { status: "completed" });
      await pass(10_000);
      server.answer = answer;
    });
  }
});

test("what is taken back while the queue still asks is not sent", async () => {
  await history(first, async (server, devices) => {
    const id = await withOne(server, devices), [{ write, takeBack }] = devices;
    const { name } = await write("DELETE", pathOf(id));
    assert.ok(await takeBack(name));
    assert.equal(await takeBack(name), false, "only once");
    await pass(5 * MINUTE);
    assert.ok(server.reminders.has(id));
  });
});

test("a subtask of a line that waits goes below what the line becomes", async () => {
  await history(first, async (server, devices) => {
    const [{ store, write }] = devices;
    server.isDown = true;
    const { name } = await write("POST", "/v1/quick-add", { text: "Above" });
    await write("POST", "/v1/lists/1/reminders", { title: "Below", parentID: { $id: name } });
    server.isDown = false;
    server.calm = true;
    await pass(5 * MINUTE);
    const [above, below] = [...store.shown.reminder.values()];
    assert.deepEqual([above.title, below.title], ["Above", "Below"]);
    assert.equal(below.parentID, above.id);
  });
});

test("what waits for one database does not go to another one", async () => {
  await history(first, async (server, devices) => {
    const id = await withOne(server, devices), [{ state, write }] = devices;
    server.isDown = true;
    const writing = [await write("PATCH", pathOf(id), { title: "Meant for Here" }),
      await write("POST", "/v1/lists/1/reminders", { title: "Below a list" }),
      await write("POST", "/v1/quick-add", { text: "New" })];
    writing.forEach(({ done }) => done.catch(() => {}));
    await pass(MINUTE);
    Object.assign(server, { epoch: "two", last: 0, log: server.log.slice(0, 1) });
    server.reminders.clear();
    server.make({ title: "Another" });
    server.isDown = false;
    await pass(30 * MINUTE);
    assert.deepEqual([...server.reminders.values()].map(({ title }) => title), ["Another", "New"]);
    assert.equal(state.failed.length, 2);
  });
});

test("what the server cannot do lets the others pass", async () => {
  await history(first, async (server, devices) => {
    const id = await withOne(server, devices), [{ state, write }] = devices, { answer } = server;
    server.answer = (path, init) => /poison/.test(init.body) ? problem(500, "internal") :
      answer.call(server, path, init);
    await write("PATCH", pathOf(id), { title: "poison" });
    await write("PATCH", pathOf(id), { notes: "behind it" });
    await pass(30 * MINUTE);
    assert.equal(server.reminders.get(id).notes, "behind it");
    assert.equal(state.failed[0].operations[0].body.title, "poison");
  });
});

test("after a page that was not stored no other one is", async () => {
  await history(first, async (server, [{ db }]) => {
    const page = (id, next) => ({ items: [{ kind: "reminder", id, item: { id } }], next });
    await db.clearItems();
    await db.applyPage(page(1, "a"));
    await db.applyPage(page(3, "c"), "b");
    assert.deepEqual([await db.value("token"), (await db.allItems()).length], ["a", 1]);
  });
});
