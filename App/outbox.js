// SPDX-License-Identifier: Apache-2.0
// The queue out: what was written here, until the server has it.

import { indexedDBStorage, memoryStorage } from "./martlet.js";
import * as db from "./db.js";
import { channel, client, setConnection, wake } from "./link.js";
import { problemText } from "./problems.js";
import { state, store, update } from "./state.js";
import { words } from "./words.js";

/**
 * @typedef {import("./martlet.js").Problem} Problem
 * @typedef {import("./martlet.js").QueueEntry} QueueEntry
 * @typedef {import("./state.js").State} State
 * @typedef {{ method: string, path: string, body?: any, name?: string }} Write `name` is of what
 *   it makes, so that others of the same step can refer to it
 * @typedef {import("./martlet.js").QueuedWrite<any>} One
 * @typedef {One & { parts?: One[] }} Written where many are sent in parts
 * @typedef {State["failed"][number]} Refused
 * @typedef {import("./store.js").Pending["shown"]} Shown
 */

/** @param {unknown} id */
const isName = (id) => typeof id === "string";
/** @param {import("./store.js").ID} id @param {import("./store.js").Kind} [kind] */
export const pathOf = (id, kind = "reminder") =>
  `/v1/${kind}s/${isName(store.idOf(id)) ? `{${id}}` : store.idOf(id)}`;
/**
 * In the body of a write.
 * @typedef {import("./store.js").ID | null} MaybeID
 * @type {(id: MaybeID) => MaybeID | { $id: MaybeID }}
 */
export const referenceTo = (id) => isName(store.idOf(id)) ? { $id: id } : store.idOf(id);

export const storage = await db.open() ? indexedDBStorage("martlet queue") : memoryStorage();

const opened = Date.now();
/** @type {import("./martlet.js").Queue} */
let queue;
export const closeQueue = () => queue?.close();
export function openQueue() {
  closeQueue();
  queue = client.queue({ storage, check, onSettled: settled, onStatus: waits });
}

/** @type {NonNullable<import("./martlet.js").QueueOptions["check"]>} */
const check = async (request) => {
  const before = await db.value("epoch");
  const { body } = await request("GET", "/v1/changes?limit=1");
  // What it was about to send may have been refused, here or by the feed meanwhile.
  const isOther = await meet(body.next) || before && before !== await db.value("epoch");
  if (isOther) throw new TypeError("Another database.");
};

export async function readQueue() {
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
  update({ failed: grouped(entries.filter(({ problem }) => problem)) });
}

/**
 * Refused writes, each with the later ones that refer to what it would have created.
 * @param {QueueEntry[]} entries
 */
function grouped(entries) {
  /** @type {Refused[]} */
  const all = [], made = new Map();
  for (const each of entries) {
    const text = JSON.stringify(each.operations);
    const known = [...text.matchAll(/\$id":"([\w-]+)|{([\w-]+)}/g)].map(([, id, name]) =>
      made.get(id ?? name)).filter(Boolean);
    /** @type {Refused[]} */
    const roots = [...new Set(known)].sort((a, b) => a.key - b.key);
    const [first = /** @type {Refused} */ ({ ...each, later: [] }), ...others] = roots;
    if (known[0]) first.later.push(each);
    else all.push(first);
    for (const { name } of each.operations) made.set(name, first);
    // It is about several: they belong together.
    for (const other of others) {
      all.splice(all.indexOf(other), 1);
      first.later.push(other, ...other.later);
      for (const [name, root] of made) if (root === other) made.set(name, first);
    }
  }
  for (const { later } of all) later.sort((a, b) => a.key - b.key);
  return all;
}

/**
 * Shows a write at once, and sends it when that can be.
 * @param {string} method @param {string} path @param {any} [body]
 * @param {Shown} [shown] how it looks until there is an answer
 */
export function write(method, path, body, shown) {
  return told(enqueue((queue) => method === "DELETE" ? queue.delete(path) :
    queue[method.toLowerCase()](path, body), [{ method, path, body }], shown));
}

/**
 * The toast has shown the failure, so callers need not handle it.
 * @template {Promise<any>} T
 * @param {T} writing
 */
function told(writing) {
  writing.catch(() => {});
  return writing;
}

/**
 * Several writes, all of them or none. The server takes 500 at once.
 * @param {Write[]} all @param {Shown} [shown] @returns {Promise<any>}
 */
export const writeAll = (all, shown) => told(writeParts(all, shown));

/** @param {Write[]} all @param {Shown} [shown] @returns {Promise<any>} */
async function writeParts(all, shown) {
  if (all.length > 500) {
    const parts = [await writeParts(all.slice(0, 500), shown),
      await writeParts(all.slice(500), shown)].flatMap((each) => each.parts ?? each);
    return { parts, operations: parts.flatMap(({ operations }) => operations),
      done: Promise.all(parts.map(({ done }) => done)) };
  }
  if (all.length === 1) return write(all[0].method, all[0].path, all[0].body, shown);
  return enqueue((queue) => queue.batch((batch) => {
    for (const { method, path, body, name } of all) {
      if (method === "DELETE") batch.delete(path);
      else batch[method.toLowerCase()](path, body, name ? { name } : undefined);
    }
  }), all, shown);
}

/**
 * @param {(queue: import("./martlet.js").Queue) => Promise<Written>} send
 * @param {Write[]} operations
 * @param {Shown} [shown]
 */
async function enqueue(send, operations, shown) {
  if (state.isReadOnly) {
    update({ toast: { problem: words.readOnly } });
    throw new Error(words.readOnly);
  }
  // IndexedDB takes a moment. What was done is seen before.
  const early = { name: `early ${Math.random()}`, at: Date.now(), shown, since: store.deletions,
    operations: operations.map((each, index) => ({ name: `early-${index}`, ...each })) };
  const isNew = operations.some(({ method }) => method === "POST");
  if (!isNew) {
    store.pending.push(early);
    store.changed();
    update();
  }
  unstored++;
  addEventListener("beforeunload", stay);
  const drop = () => { store.pending = store.pending.filter((each) => each !== early); };
  try {
    const written = await send(queue);
    drop();
    const { name, operations } = written;
    if (shown) await db.setValue(hintOf(name), shown).catch(() => {});
    if (!gone.delete(name)) store.pending.push({ ...early, name, operations });
    channel.postMessage({ type: "queued" });
    return written;
  } catch (problem) {
    drop();
    update({ toast: { problem: problemText(problem) } });
    throw problem;
  } finally {
    if (--unstored === 0) removeEventListener("beforeunload", stay);
    store.changed();
    update();
  }
}

/** What is not in IndexedDB yet would be lost: the browser asks first. */
let unstored = 0;
/** @param {Event} event */
const stay = (event) => event.preventDefault();

/** @type {Set<string>} Answers that came before it was known here that they were waited for. */
const gone = new Set();

/** @param {{ entry: QueueEntry, results?: any[], problem?: Problem }} outcome */
function settled({ entry, results, problem }) {
  if (!store.pending.some(({ name }) => name === entry.name)) gone.add(entry.name);
  // Sent by a page that was closed: what the feed has told since then is not known.
  store.settle(entry.name, entry.operations, results, Number(entry.sent) < opened);
  if (problem) readQueue();
  update();
  keepDay(entry, results);
}

/** @param {string} name What is shown until there is an answer outlives a reload. */
const hintOf = (name) => `shown ${name}`;

/**
 * What was typed in Today is due today, if the server has read no other day out of it.
 * @param {QueueEntry} entry @param {any[]} [results]
 */
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

let faults = 0;
/** @type {import("./martlet.js").OnStatus} */
async function waits(_, problem) {
  if (problem?.status === 0) setConnection("reconnecting");
  // The others behind it are not kept waiting by one that the server cannot do.
  faults = problem?.status === 500 ? faults + 1 : 0;
  if (faults < 5) return;
  faults = 0;
  await refuse((await queue.entries()).find((each) => !each.problem), { ...problem });
  wake();
}

/** @param {any} entry @param {any} problem It is shown, and not sent. */
async function refuse(entry, problem) {
  await storage.set({ ...entry, problem });
  await changed();
}

/**
 * The IDs of one database mean nothing in another one, which a server may have been given.
 * @param {string} token of the feed; it begins with the name of the database
 * @returns {Promise<boolean>} whether it is another one than before
 */
export async function meet(token) {
  const [epoch] = token.split("-"), last = await db.value("epoch");
  if (epoch === last) return false;
  for (const entry of last ? await storage.all() : []) {
    const { key, made, operations, problem } = entry;
    if (made) await storage.delete(key);
    else if (!problem && /"path":"\/v1\/[^/]+\/\d|"(\w+ID|after|before)":\[?\d/
      .test(JSON.stringify(operations))) await refuse(entry, { title: words.otherDatabase });
  }
  // Last: the feed and the queue ask at the same time, and each has to wait for this.
  await db.setValue("epoch", epoch);
  return Boolean(last);
}

/**
 * Takes a write back that was not sent yet.
 * @param {string} name @returns {Promise<boolean>} whether it was so
 */
export async function takeBack(name) {
  const entry = (await queue.entries()).find((each) => each.name === name);
  const was = entry && await queue.forget(entry, true);
  if (!was || was.sent) return false;
  store.settle(name, []);
  channel.postMessage({ type: "queued" });
  update();
  return true;
}

/** @param {Refused} entry */
export async function forget(entry) {
  for (const each of [entry, ...entry.later]) await queue.forget(each);
  await changed();
}

/**
 * They are sent again in their order. What was to go into a list that is gone goes into the first.
 * @param {Refused} entry
 */
export async function again(entry) {
  for (const { problem, ...each } of [entry, ...entry.later]) {
    for (const { body } of each.operations) {
      const { listID } = body ?? {};
      if (listID && !store.list(listID.$id ?? listID)) body.listID = store.lists[0]?.id;
    }
    await storage.set(each);
  }
  await changed();
  queue.idle();
}

async function changed() {
  channel.postMessage({ type: "queued" });
  await readQueue();
}
