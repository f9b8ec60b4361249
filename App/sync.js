// SPDX-License-Identifier: Apache-2.0
// The feed in. Of several tabs one follows it and tells the others.

import { Client } from "./martlet.js";
import * as db from "./db.js";
import { access, channel, client, setConnection, tellConnection, wake } from "./link.js";
import { closeQueue, meet, openQueue, readQueue, storage } from "./outbox.js";
import { draft, setSetting, setting, state, store, update } from "./state.js";

const FEED = "martlet feed";
const LARGE = 20_000;
/** Milliseconds that one who signs in waits for the network. */
const PATIENCE = 10_000;
const PATHS = { list: "/v1/lists?limit=500", "smart-list": "/v1/smart-lists" };

export { client, wake } from "./link.js";
export { again, forget, takeBack, write, writeAll } from "./outbox.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("./store.js").Page} Page
 * @typedef {import("./outbox.js").Write} Write
 * @typedef {import("./outbox.js").Written} Written
 * @typedef {{ type: string, page: Page, connection: State["connection"],
 *   items: State["ringing"], key?: string }} Message of another tab; each type has what it needs
 *   of the others
 * @typedef {{ events(path: string, at: {}, options: { signal: AbortSignal }):
 *   AsyncIterable<{ type: string, data: any }> }} Streams which the client has for its own use
 */

let isTrusted = false;
/** @type {AbortController | undefined} */
let following;
/** @type {((page: Page) => void)[]} */
const listeners = [];

export async function start() {
  /** @type {Message[] | undefined} */
  let early = [];
  channel.onmessage = ({ data }) => early ? early.push(data) : hear(data);
  access.key = await db.storedKey();
  if (access.key === null) {
    // The copy of one who did not stay signed in, unless another tab still is.
    access.key = undefined;
    state.isLocked = true;
    if (!await hasOther(early)) await wipe();
  }
  state.kept = setting("kept");
  isTrusted = access.key !== undefined;
  openQueue();
  const [items, token] = [await db.allItems(), await db.value("token")];
  state.only = await db.value("only");
  store.apply({ items, next: token, more: token ? false : undefined });
  await readQueue();
  const told = early;
  early = undefined;
  told.forEach(hear);
  state.isReady = true;
  if (state.isLocked) {
    closeQueue();
    channel.postMessage({ type: "hello" });
  } else follow();
  for (const name of ["online", "offline"]) addEventListener(name, () => setConnection());
  addEventListener("hashchange", () => {
    const id = place();
    if (!state.only || !id || id === state.only) return;
    channel.postMessage({ type: "only" });
    begin();
  });
}

/** @param {Message[]} told @returns {Promise<unknown>} whether another tab is signed in */
async function hasOther(told) {
  const locks = await navigator.locks?.query();
  if (locks) return locks.held?.some(({ name }) => name === FEED);
  // Without HTTPS there are no locks; the other tab answers.
  channel.postMessage({ type: "hello" });
  await new Promise((resolve) => setTimeout(resolve, 500));
  return told.some(({ type }) => type === "unlocked");
}

/**
 * @param {string} path @param {{ retry?: boolean }} [options]
 * @returns {AsyncGenerator<any>} the items of all pages
 */
export async function* itemsOf(path, options) {
  let cursor = "";
  do {
    const page = await client.get(path + (cursor && `&cursor=${cursor}`), options);
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor);
}

/** The list that is shown. */
const place = () => Number(/^#\/lists\/(\d+)/.exec(location.hash)?.[1]) || undefined;

/** With too many reminders for a page, the feed is only that of one list. */
async function measure() {
  // Not each key may read them.
  const { open } = await client.get("/v1/stats").catch(() => ({}));
  state.only = undefined;
  if (open > LARGE) {
    /** @type {Page["items"][number][]} */
    const items = [];
    for (const [kind, path] of Object.entries(PATHS)) {
      try {
        for await (const item of itemsOf(path)) items.push({ kind, id: item.id, item });
      } catch (problem) {
        // A key for some lists sees no smart lists.
        if (problem.status !== 403) throw problem;
      }
    }
    channel.postMessage({ type: "page", page: { items } });
    takePage({ items });
    await db.applyPage({ items }).catch(() => {});
    state.only = /** @type {number | undefined} */ (store.list(place())?.id ??
      store.lists[0]?.id);
  }
  await db.setValue("only", state.only);
}

/** Forgets the copy, and reads it again. */
async function begin() {
  // A page that is on its way belongs to the old copy.
  if (state.isLeader) following?.abort();
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
  client.get("/v1/whoami").then(({ scope }) => update({ isReadOnly: scope === "read" }), () => {});
  const run = () => readFeed(signal);
  // Without HTTPS there are no locks: then each tab follows for itself.
  const running = navigator.locks ? navigator.locks.request(FEED, { signal },
    run) : run();
  running.catch(() => {});
}

/** @param {AbortSignal} signal */
async function readFeed(signal) {
  followAlarms(signal).catch(() => {});
  /** @param {string} status */
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
        await meet(page.next);
        await db.applyPage(page, store.token).catch(() => {});
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
      } else if (problem.type === "/problems/unauthorized") {
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

/** @param {AbortSignal} signal What rings is a result of its own: time changes it, no write. */
async function followAlarms(signal) {
  state.isLeader = true;
  const path = "/v1/alarms?state=ringing&limit=50";
  const streams = /** @type {Client & Streams} */ (client);
  for await (const { type, data } of streams.events(path, {}, { signal })) {
    if (type !== "result") continue;
    channel.postMessage({ type: "ringing", items: data.items });
    update({ ringing: data.items });
  }
}

/** @param {Page} page */
function takePage(page) {
  store.apply(page);
  for (const listener of listeners) listener(page);
  update();
}

/** @param {(page: Page) => void} listener called after each change that the server tells */
export function onPage(listener) { listeners.push(listener); }

/** @param {Message} message */
function hear({ type, page, connection, items, key }) {
  if (type === "page") takePage(page);
  else if (type === "anew") store.clear();
  else if (type === "only") begin();
  else if (type === "locked") lock();
  else if (type === "unlocked") {
    if (key) unlock(db.sessionKey(key) ?? key);
    else db.storedKey().then(unlock);
  }
  else if (type === "queued") readQueue();
  else if (type === "status") setConnection(connection);
  else if (type === "ringing") update({ ringing: items });
  else if (type === "hello") {
    if (db.sessionKey()) channel.postMessage({ type: "unlocked", key: db.sessionKey() });
    if (!state.isLeader) return;
    tellConnection();
    channel.postMessage({ type: "ringing", items: state.ringing });
  }
}

// The key

/** Options of a request that is sent again only while the network loses it. */
export function patience() {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), PATIENCE);
  /** @type {import("./martlet.js").OnStatus} */
  const onStatus = (_, problem) => {
    if (problem?.status) controller.abort(problem);
  };
  return { signal: controller.signal, onStatus };
}

/** @param {string} text A key that the server accepts is stored. @param {boolean} isKept */
export async function signIn(text, isKept) {
  const caller = await new Client({ key: text }).get("/v1/whoami", patience());
  setSetting("kept", "");
  await db.setValue("key", isKept ? text : null);
  db.sessionKey(isKept ? "" : text);
  unlock(text);
  channel.postMessage({ type: "unlocked", key: isKept ? undefined : text });
  return caller;
}

/** @param {string} [text] */
function unlock(text) {
  if (!text || text === access.key && !state.isLocked) return;
  access.key = text;
  isTrusted = true;
  openQueue();
  update({ isLocked: false, connection: "connecting" });
  follow();
  wake();
}

/** A key that has ended takes the copy with it; what was not sent is shown as a text. */
async function lock() {
  // Another tab may have a key, and sends.
  closeQueue();
  if (isTrusted) await wipe();
  update({ isLocked: true, dialog: undefined, menu: undefined });
}

async function wipe() {
  const records = await storage.all();
  const kept = [...records.map(({ operations }) => operations?.map((/** @type {Write} */
    { body }) => body?.text ?? [body?.title, body?.notes].filter(Boolean).join(" // "))
    .join("\n")), draft()].filter(Boolean).join("\n");
  if (kept && access.key) {
    // It outlives a reload only where one stays signed in.
    if (!db.sessionKey()) setSetting("kept", kept);
    update({ kept });
  }
  following?.abort();
  for (const record of records) await storage.delete(record.key);
  store.clear();
  store.pending = [];
  access.key = undefined;
  isTrusted = false;
  db.sessionKey("");
  await db.deleteAll();
  update({ failed: [], done: [], undone: [], toast: undefined, isReadOnly: false });
}

export async function signOut() {
  closeQueue();
  await wipe();
  for (const name of await globalThis.caches?.keys() ?? []) await caches.delete(name);
  channel.postMessage({ type: "locked" });
  update({ isLocked: true });
}
export const hasKey = () => access.key !== undefined;

/** @param {string} path @returns {Promise<Blob>} an answer that is not JSON */
export async function file(path) {
  const answer = await fetch(path, { headers: access.key ?
    { Authorization: `Bearer ${access.key}` } : {} });
  if (!answer.ok) throw await answer.json();
  return answer.blob();
}
