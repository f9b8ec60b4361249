// SPDX-License-Identifier: Apache-2.0
// The feed in, the queue out. Of several tabs one follows the feed and tells the others.

import { Client, indexedDBStorage } from "./martlet.js";
import * as db from "./db.js";
import { state, store, update } from "./state.js";

const QUEUE = "martlet queue";
const storage = indexedDBStorage(QUEUE);
const channel = new BroadcastChannel("martlet app");
const LARGE = 20_000, KINDS = ["list", "smart-list"];

let key, isTrusted = false, following, listeners = [];

export const client = new Client({
  // A key that was refused is not tried again.
  key: (refused) => refused ? undefined : key,
});

export const queue = client.queue({ storage, onSettled: settled, onStatus: waits });

/** The key of this tab, or the one that was kept. */
async function storedKey() {
  try {
    return sessionStorage.getItem("martlet.key") ?? await db.value("key");
  } catch {
    return db.value("key");
  }
}

export async function start() {
  let early = [];
  channel.onmessage = ({ data }) => early ? early.push(data) : hear(data);
  key = await storedKey();
  isTrusted = key !== undefined;
  const [items, token] = [await db.allItems(), await db.value("token")];
  state.only = await db.value("only");
  store.apply({ items, next: token, more: token ? false : undefined });
  await readQueue();
  const told = early;
  early = undefined;
  told.forEach(hear);
  state.isReady = true;
  follow();
  addEventListener("offline", () => setConnection("offline"));
  addEventListener("hashchange", () => {
    const id = place();
    if (!state.only || !id || id === state.only) return;
    channel.postMessage({ type: "only" });
    begin();
  });
}

/** The list that is shown. */
const place = () => Number(/^#\/lists\/(\d+)/.exec(location.hash)?.[1]) || undefined;

/** With too many reminders for a page, the feed is only that of one list. */
async function measure() {
  // Not each key may read them.
  const { open } = await client.get("/v1/stats").catch(() => ({}));
  state.only = undefined;
  if (open > LARGE) {
    const pages = await Promise.all(KINDS.map((kind) => client.get(`/v1/${kind}s`)
      // A key for some lists sees no smart lists.
      .catch(() => ({ items: [] }))));
    const items = pages.flatMap(({ items }, index) => items.map((item) =>
      ({ kind: KINDS[index], id: item.id, item })));
    channel.postMessage({ type: "page", page: { items } });
    takePage({ items });
    await db.applyPage({ items }).catch(() => {});
    state.only = store.list(place())?.id ?? store.lists[0]?.id;
  }
  await db.setValue("only", state.only);
}

/** Forgets the copy, and reads it again. */
async function begin() {
  // A page that is on its way belongs to the old copy.
  if (state.isLeader) following.abort();
  store.clear();
  await db.clearItems();
  if (state.isLeader) follow();
}

// The feed in

function follow() {
  following?.abort();
  following = new AbortController();
  const { signal } = following;
  channel.postMessage({ type: "hello" });
  const run = () => readFeed(signal);
  // Without HTTPS there are no locks: then each tab follows for itself.
  const running = navigator.locks ? navigator.locks.request("martlet feed", { signal },
    run) : run();
  running.catch(() => {});
}

async function readFeed(signal) {
  followAlarms(signal).catch(() => {});
  const onStatus = (status) => {
    setConnection(status === "live" ? "live" : "reconnecting");
    if (status === "live") wake();
  };
  while (!signal.aborted) {
    try {
      if (!store.token) await measure();
      const options = { since: store.token, open: true, limit: 500, signal, onStatus,
        ...state.only && { listID: state.only } };
      for await (const page of client.changes(options)) {
        if (signal.aborted) return;
        await db.applyPage(page).catch(() => {});
        if (signal.aborted) return;
        channel.postMessage({ type: "page", page });
        takePage(page);
      }
    } catch (problem) {
      if (signal.aborted) return;
      if (problem.status === 410) {
        await db.clearItems();
        channel.postMessage({ type: "anew" });
        store.clear();
      } else if (problem.status === 401) {
        channel.postMessage({ type: "locked" });
        await lock();
        return;
      } else {
        setConnection("reconnecting");
        await new Promise((resolve) => setTimeout(resolve, 5000));
      }
    }
  }
}

/** What rings is a result of its own, because time changes it and no write. */
async function followAlarms(signal) {
  state.isLeader = true;
  const path = "/v1/alarms?state=ringing&limit=50";
  for await (const { type, data } of client.events(path, {}, { signal })) {
    if (type !== "result") continue;
    channel.postMessage({ type: "ringing", items: data.items });
    update({ ringing: data.items });
  }
}

function takePage(page) {
  store.apply(page);
  for (const listener of listeners) listener(page);
  update();
}

/** Calls back after each change that the server tells. */
export function onPage(listener) { listeners.push(listener); }

function hear({ type, page, connection, items }) {
  if (type === "page") takePage(page);
  else if (type === "anew") store.clear();
  else if (type === "only") begin();
  else if (type === "locked") lock();
  else if (type === "unlocked") storedKey().then(unlock);
  else if (type === "queued") readQueue();
  else if (type === "status") update({ connection });
  else if (type === "ringing") update({ ringing: items });
  else if (type === "hello") {
    channel.postMessage({ type: "status", connection: state.connection });
    channel.postMessage({ type: "ringing", items: state.ringing });
  }
}

function setConnection(connection) {
  if (!navigator.onLine) connection = "offline";
  if (state.connection === connection) return;
  update({ connection });
  channel.postMessage({ type: "status", connection });
}

/** The queue waits up to five minutes; this ends the wait. */
export const wake = () => dispatchEvent(new Event("online"));

// The queue out

async function readQueue() {
  const entries = await queue.entries();
  const known = new Map(store.pending.map((each) => [each.name, each]));
  const waiting = entries.filter(({ problem }) => !problem);
  store.pending = await Promise.all(waiting.map(async ({ name, operations }) =>
    known.get(name) ?? { name, operations, at: Date.now(), shown: await db.value(hintOf(name)) }));
  for (const record of await storage.all()) {
    for (const [name, id] of record.made ?? []) {
      if (id) store.ids.set(name, Number(id));
    }
  }
  store.changed();
  update({ failed: entries.filter(({ problem }) => problem) });
}

/**
 * Shows a write at once, and sends it when that can be.
 * @param {string} method @param {string} path @param {any} [body]
 * @param {any} [shown] how it looks until there is an answer
 */
export function write(method, path, body, shown) {
  return enqueue((queue) => method === "DELETE" ? queue.delete(path) :
    queue[method.toLowerCase()](path, body), [{ method, path, body }], shown);
}

/**
 * Several writes, all of them or none.
 * @param {{ method: string, path: string, body?: any }[]} all
 */
export function writeAll(all) {
  if (all.length === 1) return write(all[0].method, all[0].path, all[0].body);
  return enqueue((queue) => queue.batch((batch) => {
    for (const { method, path, body } of all) {
      if (method === "DELETE") batch.delete(path);
      else batch[method.toLowerCase()](path, body);
    }
  }), all);
}

async function enqueue(send, operations, shown) {
  // IndexedDB takes a moment. What was done is seen before.
  const early = { name: `early ${Math.random()}`, at: Date.now(), shown,
    operations: operations.map((each, index) => ({ name: `early-${index}`, ...each })) };
  const isNew = operations.some(({ method }) => method === "POST");
  if (!isNew) {
    store.pending.push(early);
    store.changed();
    update();
  }
  const drop = () => { store.pending = store.pending.filter((each) => each !== early); };
  try {
    const written = await send(queue);
    drop();
    const { name, operations } = written;
    if (shown) await db.setValue(hintOf(name), shown).catch(() => {});
    if (!gone.delete(name)) store.pending.push({ name, operations, shown, at: early.at });
    channel.postMessage({ type: "queued" });
    return written;
  } catch (problem) {
    drop();
    update({ toast: { problem: problem.message } });
    throw problem;
  } finally {
    store.changed();
    update();
  }
}

/** Answers that came before it was known here that they were waited for. */
const gone = new Set();

function settled({ entry, results, problem }) {
  if (!store.pending.some(({ name }) => name === entry.name)) gone.add(entry.name);
  store.settle(entry.name, entry.operations, results);
  if (problem) readQueue();
  update();
  keepDay(entry, results);
}

/** How a write is shown until there is an answer is kept with it, for a reload in between. */
const hintOf = (name) => `shown ${name}`;

/** What was typed in Today is due today, if the server has read no other day out of it. */
async function keepDay({ name }, results) {
  const hint = await db.value(hintOf(name)).catch(() => {});
  const { reminder } = results?.[0]?.body ?? {};
  const isOpen = reminder?.dueDate === null && store.reminder(reminder.id);
  // Several tabs may do it; the same day twice is no harm.
  if (hint?.isForToday && isOpen) {
    await write("PATCH", `/v1/reminders/${reminder.id}`, { dueDate: hint.dueDate });
  }
  if (hint) await db.setValue(hintOf(name), undefined);
}

function waits(status, problem) {
  if (problem?.status === 0) setConnection("reconnecting");
}

/** Takes a write back that was not sent yet. @returns {Promise<boolean>} whether it was so */
export async function takeBack(name) {
  const entry = (await queue.entries()).find((each) => each.name === name);
  if (!entry || entry.sent !== undefined) return false;
  await queue.forget(entry);
  store.settle(name, []);
  channel.postMessage({ type: "queued" });
  update();
  return true;
}

export async function forget(entry) {
  await queue.forget(entry);
  channel.postMessage({ type: "queued" });
  await readQueue();
}

// The key

/** Stores a key that the server accepts, or throws its problem. */
export async function signIn(text, isKept) {
  const caller = await new Client({ key: text }).get("/v1/whoami", { retry: false });
  if (isKept) await db.setValue("key", text);
  else sessionStorage.setItem("martlet.key", text);
  unlock(text);
  channel.postMessage({ type: "unlocked" });
  return caller;
}

function unlock(text) {
  if (!text && state.isLocked === false) return;
  key = text;
  isTrusted = true;
  update({ isLocked: false, connection: "connecting" });
  follow();
  wake();
}

/** A key that has ended takes the copy with it; what was not sent is shown as a text. */
async function lock() {
  if (isTrusted) await wipe();
  update({ isLocked: true, dialog: undefined, menu: undefined });
}

async function wipe() {
  const entries = await queue.entries();
  const kept = entries.map(({ operations }) => operations.map(({ body }) =>
    body?.text ?? [body?.title, body?.notes].filter(Boolean).join(" // ")).join("\n"))
    .filter(Boolean).join("\n");
  following?.abort();
  for (const record of await storage.all()) await storage.delete(record.key);
  store.clear();
  store.pending = [];
  key = undefined;
  isTrusted = false;
  sessionStorage.removeItem("martlet.key");
  await db.deleteAll();
  for (const name of await globalThis.caches?.keys() ?? []) await caches.delete(name);
  update({ kept: kept || undefined, failed: [] });
}

export async function signOut() {
  await wipe();
  channel.postMessage({ type: "locked" });
  update({ isLocked: true });
}
export const hasKey = () => key !== undefined;

/** An answer that is not JSON. */
export async function file(path) {
  const answer = await fetch(path, { headers: key ? { Authorization: `Bearer ${key}` } : {} });
  if (!answer.ok) throw await answer.json();
  return answer.blob();
}
