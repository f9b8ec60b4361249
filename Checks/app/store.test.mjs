// SPDX-License-Identifier: Apache-2.0
// Two devices with the store, the feed and the queue of the app, and a server that drops, repeats
// and delays, all in one process and in a time of its own:
// node --test Checks/app/store.test.mjs. APP says where the app is, SEED which history to repeat.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import test from "node:test";
import { pathToFileURL } from "node:url";

const app = process.env.APP ?? "App";
const first = Number(process.env.SEED ?? 1), rounds = process.env.SEED ? 1 : 8;
const MINUTE = 60_000, folder = mkdtempSync(`${tmpdir()}/devices-`);
test.after(() => rmSync(folder, { recursive: true }));

/** A pseudo-random number below a limit. */
let seed = first;
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
const oneIn = (number) => random(number) === 0;

// A time of its own

const settled = () => new Promise(setImmediate);
let now, timers;
const clock = {
  setTimeout(run, ms = 0) {
    const timer = { run, at: now + ms };
    timers.add(timer);
    return timer;
  },
  clearTimeout: (timer) => timers.delete(timer),
};
const soon = (ms) => new Promise((resolve) => clock.setTimeout(resolve, ms));

/** Lets time pass, from timer to timer. */
async function pass(ms) {
  const end = now + ms;
  for (;;) {
    for (let turn = 0; turn < 3; turn++) await settled();
    let next;
    for (const each of timers) if (!(next?.at <= each.at)) next = each;
    if (!next || next.at > end) break;
    now = Math.max(now, next.at);
    timers.delete(next);
    next.run();
  }
  now = end;
}

// What a browser has

/** As much of IndexedDB as the app uses. */
function databases(all = new Map()) {
  const later = (request, result) => {
    request.result = result;
    queueMicrotask(() => request.onsuccess?.());
    return request;
  };
  const requests = (stores) => (name) => {
    const { keyPath, rows } = stores.get(name);
    const put = (value, key = value[keyPath]) => {
      rows.set(key, structuredClone(keyPath ? { ...value, [keyPath]: key } : value));
      return { result: key };
    };
    return { put, add: (value) => put(value, Math.max(0, ...rows.keys()) + 1),
      get: (key) => later({}, structuredClone(rows.get(key))),
      getAll: () => ({ result: structuredClone([...rows.values()]) }),
      delete: (key) => ({ result: void rows.delete(key) }),
      clear: () => ({ result: rows.clear() }) };
  };
  return { copy: () => databases(structuredClone(all)), open(name) {
    const request = {}, isNew = !all.has(name), stores = all.get(name) ?? new Map();
    all.set(name, stores);
    const database = { close() {},
      createObjectStore: (name, { keyPath } = {}) => stores.set(name, { keyPath, rows: new Map() }),
      transaction() {
        const transaction = { objectStore: requests(stores) };
        queueMicrotask(() => queueMicrotask(() => transaction.oncomplete?.()));
        return transaction;
      } };
    request.result = database;
    if (isNew) queueMicrotask(() => request.onupgradeneeded?.());
    return later(request, database);
  } };
}

/** The app's modules for themselves, so that two devices share nothing. */
let copies = 0;
async function start(key, disk) {
  const copy = `${folder}/${++copies}`;
  cpSync(app, copy, { recursive: true });
  Object.assign(globalThis, { indexedDB: disk, sessionStorage: { getItem: () => key },
    BroadcastChannel: class { postMessage() {} close() {} } });
  const load = (name) => import(pathToFileURL(`${copy}/${name}`).href);
  const sync = await load("sync.js"), { state, store } = await load("state.js");
  const device = { key, disk, state, store, write: sync.write, writeAll: sync.writeAll,
    takeBack: sync.takeBack, db: await load("db.js") };
  await sync.start();
  return device;
}

/** Closed in the middle of something, and opened again with what it had stored. */
async function restart(devices, index, server) {
  const { key, disk } = devices[index], next = `${key.split(" ")[0]} ${copies}`;
  server.gone.add(key);
  devices[index] = await start(next, disk.copy());
}

// The server

const problem = (status, type, headers) => new Response(JSON.stringify({ title: type, status,
  type: `/problems/${type}` }), { status, headers });

class Server {
  reminders = new Map();
  /** Everything that was ever written, to see that nothing is lost. */
  texts = new Set();
  log = [{ kind: "list", id: 1, item: { id: 1, title: "L", color: "#4a99ef", position: 1 } }];
  answers = new Map();
  streams = new Set();
  /** The keys of devices that were closed. */
  gone = new Set();
  isDown = false;
  calm = false;
  epoch = "one";
  last = 0;

  commit(id, item) {
    if (item) {
      item = { ...item, updatedAt: new Date(now + this.log.length).toISOString() };
      this.reminders.set(id, item);
      this.texts.add(item.title).add(item.notes);
    } else this.reminders.delete(id);
    const isOpen = item?.status === "incomplete";
    this.log.push({ kind: "reminder", id, ...isOpen ? { item } : { deleted: true } });
    for (const stream of this.streams) stream.tell();
    return item;
  }

  make(body) {
    const id = ++this.last;
    const item = this.commit(id, { id, listID: 1, parentID: null, notes: "", dueDate: null,
      recurrence: null, priority: null, isFlagged: false, tags: [], alarms: [],
      status: "incomplete", position: id * 1000, ...body });
    return { status: 201, location: `/v1/reminders/${id}`, body: item };
  }

  /** One write. */
  operate({ method, path, body }, names) {
    path = path.replace(/\{([\w-]+)\}/, (text, name) => names.get(name) ?? text);
    if (method === "POST" && path === "/v1/quick-add") {
      const made = this.make({ title: body.text });
      return { ...made, body: { reminder: made.body, spans: [] } };
    }
    if (method === "POST" && path === "/v1/lists/1/reminders") return this.make(body);
    const [, id, rest] = /^\/v1\/reminders\/(\d+)(\/position)?$/.exec(path) ?? [];
    const known = this.reminders.get(Number(id));
    if (!known) return { status: 404 };
    if (method === "DELETE") this.commit(known.id);
    else if (rest) this.commit(known.id, { ...known, position: random(1000) });
    else this.commit(known.id, { ...known, ...body });
    return { status: 200, body: this.reminders.get(known.id) ?? {} };
  }

  request(method, path, body) {
    if (path !== "/v1/batch") return this.operate({ method, path, body }, new Map());
    const names = new Map(), before = new Map(this.reminders), { length } = this.log;
    const results = [];
    for (const operation of body.operations) {
      const result = this.operate(operation, names);
      if (result.status === 404) {
        // All or none.
        this.reminders = before;
        this.log.length = length;
        return { status: 404 };
      }
      if (result.location) names.set(operation.name, result.location.split("/").pop());
      results.push({ name: operation.name, ...result });
    }
    return { status: 200, body: { results } };
  }

  async answer(path, { method, headers, body, signal }) {
    const lost = () => { throw new TypeError("Failed to fetch"); };
    const [, device] = headers.get("Authorization").split(" ");
    await soon(1 + random(this.calm ? 10 : 3000));
    if (this.gone.has(headers.get("Authorization").slice(7))) return new Promise(() => {});
    if (signal?.aborted || this.isDown || !this.calm && oneIn(6)) return lost();
    if (headers.get("Accept") && path.startsWith("/v1/changes")) return this.stream(headers);
    if (path === "/v1/changes?limit=1") {
      return Response.json({ items: [], next: `${this.epoch}-0` });
    }
    if (method === "GET") return problem(404, "none");
    if (!this.calm && oneIn(8)) {
      return problem(oneIn(2) ? 503 : 429, "busy", { "Retry-After": String(1 + random(90)) });
    }
    const key = `${device} ${headers.get("Idempotency-Key") ?? ++this.last}`;
    if (!this.answers.has(key)) {
      this.answers.set(key, this.request(method, path, body && JSON.parse(body)));
    }
    await soon(random(this.calm ? 10 : 3000));
    // Done, but nobody knows.
    if (this.isDown || !this.calm && oneIn(5)) return lost();
    const { status, location, body: result } = this.answers.get(key);
    if (status === 404) return problem(404, "not-found");
    return new Response(JSON.stringify(result), { status, headers: location && { location } });
  }

  /** The feed: some pages come twice, some streams break. */
  stream(headers) {
    const encoder = new TextEncoder();
    const [epoch, since] = headers.get("Last-Event-ID")?.split("-") ?? [this.epoch, 0];
    if (epoch !== this.epoch) return problem(410, "feed-expired");
    let at = Number(since), isClosed = false;
    const stream = { tell: () => clock.setTimeout(send, random(this.calm ? 50 : 5000)) };
    const end = () => {
      isClosed = true;
      this.streams.delete(stream);
    };
    let output;
    const put = (text) => output.enqueue(encoder.encode(text));
    const send = () => {
      if (isClosed) return;
      if (this.isDown || !this.calm && oneIn(12)) {
        end();
        return output.error(new TypeError("cut"));
      }
      if (!this.calm && oneIn(6)) at = Math.max(0, at - 1 - random(3));
      const next = Math.min(this.log.length, at + 1 + random(5)), more = next < this.log.length;
      // As the server does, each item is told as it is now.
      const items = this.log.slice(at, next).filter(({ kind, id }, index, all) =>
        all.findLastIndex((each) => each.kind === kind && each.id === id) === index);
      put(`event: changes\ndata: ${JSON.stringify({ items, next: `${epoch}-${next}`, more })}\n\n`);
      at = next;
      if (more) stream.tell();
    };
    const beat = () => {
      if (isClosed) return;
      if (this.isDown) {
        end();
        return output.error(new TypeError("cut"));
      }
      put(":\n\n");
      clock.setTimeout(beat, 15_000);
    };
    this.streams.add(stream);
    return new Response(new ReadableStream({ start(controller) {
      output = controller;
      stream.tell();
      beat();
    }, cancel: end }));
  }
}

// Histories

let plainDate;
test.before(() => {
  plainDate = Date.now;
  Date.now = () => now;
  Object.defineProperty(globalThis, "navigator", { configurable: true,
    value: { onLine: true, languages: ["en"] } });
  globalThis.document = { documentElement: {} };
  const target = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) {
    globalThis[name] = target[name].bind(target);
  }
  globalThis.localStorage = { getItem: () => null };
});

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

async function history(number, run) {
  seed = number;
  now = Date.UTC(2026, 10, 27);
  timers = new Set();
  Object.assign(globalThis, clock);
  // Also what the app chooses at random is that of the history.
  Math.random = () => random(2 ** 30) / 2 ** 30;
  const server = new Server(), texts = new Set();
  globalThis.fetch = (url, init) => server.answer(url, init);
  const devices = [];
  for (const key of ["one", "two"]) devices.push(await start(key, databases()));
  try {
    await run(server, devices, texts);
    server.isDown = false;
    server.calm = true;
    await pass(30 * MINUTE);
    for (const { state, store } of devices) {
      const open = [...server.reminders.values()].filter(({ status }) => status === "incomplete");
      const sorted = (all) => [...all].sort((a, b) => a.id - b.id);
      assert.equal(store.pending.length, 0, "nothing waits");
      assert.deepEqual(sorted(store.shown.reminder.values()), sorted(open));
      for (const { operations } of state.failed) {
        for (const { body } of operations) server.texts.add(body?.title).add(body?.notes);
      }
    }
    for (const text of texts) assert.ok(server.texts.has(text), `lost: ${text}`);
    const titles = [...server.reminders.values()].map(({ uid, title }) => uid ?? title);
    assert.equal(new Set(titles).size, titles.length, "nothing is there twice");
  } catch (error) {
    error.message += ` (SEED=${number})`;
    throw error;
  }
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
