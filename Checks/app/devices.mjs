// SPDX-License-Identifier: Apache-2.0
// Two devices with the store, the feed and the queue of the app, all in one process. APP says where
// the app is, SEED which history to repeat.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { begin, MINUTE, now, pass } from "./chance.mjs";
import { Server } from "./server.mjs";

const app = process.env.APP ?? "App";
export const first = Number(process.env.SEED ?? 1), rounds = process.env.SEED ? 1 : 8;
const folder = mkdtempSync(`${tmpdir()}/devices-`);
test.after(() => rmSync(folder, { recursive: true }));

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
  // The views need a page.
  writeFileSync(`${copy}/later.js`, 'export { restore } from "./restore.js";');
  Object.assign(globalThis, { indexedDB: disk, sessionStorage: { getItem: () => key },
    BroadcastChannel: class { postMessage() {} close() {} } });
  const load = (name) => import(pathToFileURL(`${copy}/${name}`).href);
  const sync = await load("sync.js"), { state, store } = await load("state.js");
  const device = { key, disk, state, store, write: sync.write, writeAll: sync.writeAll,
    takeBack: sync.takeBack, db: await load("db.js"), load };
  await sync.start();
  return device;
}

/** Closed in the middle of something, and opened again with what it had stored. */
export async function restart(devices, index, server) {
  const { key, disk } = devices[index], next = `${key.split(" ")[0]} ${copies}`;
  server.gone.add(key);
  devices[index] = await start(next, disk.copy());
}

test.before(() => {
  Date.now = now;
  Object.defineProperty(globalThis, "navigator", { configurable: true,
    value: { onLine: true, languages: ["en"] } });
  globalThis.document = { documentElement: {}, querySelectorAll: () => [],
    querySelector: () => null };
  const target = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) {
    globalThis[name] = target[name].bind(target);
  }
  globalThis.localStorage = { getItem: () => null };
});

/** What a server tells of a reminder. */
const told = ({ done, doneWith, ...item }) => item;

export async function history(number, run) {
  begin(number);
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
      assert.deepEqual(sorted(store.shown.reminder.values()), sorted(open).map(told));
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
