// SPDX-License-Identifier: Apache-2.0
// Brings back what writes have touched. A step keeps each item as it was before and as the writes
// left it; undo and redo are the writes from one of them to the other.

import { pathOf, referenceTo, takeBack, writeAll } from "./outbox.js";
import { readPath } from "./store.js";
import { state, store } from "./state.js";
import { client, itemsOf } from "./sync.js";
import { words } from "./words.js";

/**
 * @typedef {import("./store.js").ID} ID
 * @typedef {import("./store.js").Kind} Kind
 * @typedef {import("./outbox.js").Write} Write
 * @typedef {import("./outbox.js").Written} Written
 */
/**
 * An item that a write touches. `was` is undefined if the write made it, `is` if it deleted it.
 * What follows from a call (a completion of a series) is known to the server only.
 * @typedef {{ kind: Kind, id: ID, was?: any, is?: any, wasBehind?: ID[], isBehind?: ID[],
 *   call?: Write, body?: any, isRestored?: boolean }} Touched
 * @typedef {{ text: string, items: Touched[], writing: Promise<any>, isAnswered?: boolean }} Step
 */

/** Members that a client writes, and those that depend on each other and go together. */
const MEMBERS = {
  reminder: [["title"], ["notes"], ["startDate", "dueDate", "timeZone", "recurrence"],
    ["priority"], ["isFlagged"], ["tags"], ["alarms"], ["listID", "parentID"], ["status"]],
  list: [["title"], ["color"]],
  "smart-list": [["title"], ["color"], ["icon"], ["filter"], ["sort"]],
};
/** What is before an item in its order: the nearest of these that is still there is its place. */
const NEIGHBORS = 20;

/** @param {any} value with sorted members @returns {any} */
const sorted = (value) => Array.isArray(value) ? value.map(sorted) :
  value && typeof value === "object" ? Object.fromEntries(Object.keys(value).sort()
    .filter((name) => value[name] !== null).map((name) => [name, sorted(value[name])])) : value;

/** @type {Record<string, (value: any) => any>} What makes a difference in a member. */
const essence = {
  listID: idOf, parentID: idOf,
  tags: (tags) => [...tags].sort(),
  alarms: (all) => all.map((/** @type {any} */ { at, offset, from, repeat }) => at ?
    { at: Date.parse(at), repeat } : { offset, from: from ?? "due", repeat }),
  startDate: instant, dueDate: instant,
};
/** @param {any} reference */
function idOf(reference) { return store.idOf(reference?.$id ?? reference); }
/** @param {string | null} date */
function instant(date) { return date?.includes("T") ? Date.parse(date) : date; }

/** @param {string} name of a member @param {any} one @param {any} other */
export const isSame = (name, one, other) => {
  /** @param {any} value */
  const of = (value) => JSON.stringify(sorted(value == null ? null :
    (essence[name] ?? ((each) => each))(value)));
  return of(one) === of(other);
};

/** @param {Kind} kind @param {any} item @returns {any[]} all that it has a place among */
const orderOf = (kind, item) => kind === "reminder" ? store.byList(item.listID) : store.all(kind);

/**
 * The IDs before an item, the nearest first.
 * @param {Kind} kind @param {any} item
 */
function behind(kind, item) {
  const all = item ? orderOf(kind, item) : [];
  const index = all.findIndex(({ id }) => id === item.id);
  return all.slice(Math.max(0, index - NEIGHBORS), Math.max(0, index)).reverse()
    .map(({ id }) => id);
}

/** @param {Write} write Whether another place follows from it. */
const isMove = ({ path, body }) =>
  path.endsWith("/position") || "listID" in (body ?? {}) || "parentID" in (body ?? {});

/**
 * What writes are about to touch. An item that is not in the copy is one of `shown`.
 * @param {Write[]} writes @param {any[]} shown @returns {Touched[]}
 */
export function touched(writes, shown) {
  /** @type {Map<string, Touched>} */
  const all = new Map();
  writes.forEach((write, index) => {
    const [, kind, id, rest] = readPath(write.path, store.ids);
    if (write.method === "POST" && !rest?.startsWith("/skip")) {
      const made = /^\/v1\/(smart-list|list)s$/.exec(write.path)?.[1] ?? "reminder";
      all.set(`new ${index}`, { kind: /** @type {Kind} */ (made), id: "",
        ...made === "smart-list" && { wasBehind: [] } });
      return;
    }
    const was = store.item(id, kind) ?? shown.find((each) => each.id === id);
    /** @type {Touched} */
    const item = all.get(`${kind} ${id}`) ?? { kind, id, was };
    if (write.method === "PATCH") item.body = { ...item.body, ...write.body };
    if (isMove(write) || kind === "smart-list") item.wasBehind = behind(kind, was);
    const isDone = write.body?.status === "completed" && was?.recurrence;
    if (isDone || rest === "/skip") item.call = write;
    all.set(`${kind} ${id}`, item);
  });
  return [...all.values()];
}

/**
 * How the writes left the items: as they are shown, until the server has answered.
 * @param {Step} step @param {Write[]} writes
 */
export async function follow(step, writes) {
  const written = await step.writing;
  /** @type {Written[]} */
  const parts = written.parts ?? [written];
  const made = parts.flatMap((each) => each.operations).filter(({ method }) => method === "POST");
  const isDeletion = writes.some(({ method }) => method === "DELETE");
  for (const item of step.items) {
    if (item.id === "") item.id = /** @type {any} */ (made.shift()).name;
    item.is = store.item(item.id, item.kind) ??
      (isDeletion ? undefined : { ...item.was, ...item.body });
    if (item.wasBehind) item.isBehind = behind(item.kind, item.is);
  }
  for (const each of parts) {
    each.done.then((answer) => learn(step, answer?.results ?? [{ body: answer }]), () => {});
  }
  await answered(step);
}

/** @param {Step} step Until then, what another device has done cannot be told from it. */
async function answered(step) {
  const { writing } = step;
  step.isAnswered = false;
  await (await writing).done;
  step.isAnswered = step.writing === writing;
}

/** @param {Step} step @param {readonly any[]} results */
function learn(step, results) {
  for (const { body } of results) {
    const answer = body?.reminder ?? body;
    const item = step.items.find(({ id }) => answer?.id && store.idOf(id) === answer.id);
    if (item?.is) item.is = answer;
  }
}

/**
 * Undoes a step, or does it again.
 * @param {Step} step @param {boolean} isBack
 * @returns {Promise<{ left: Set<string>, isDone: boolean }>} the members that another device has
 *   changed meanwhile, which stay
 */
export async function restore(step, isBack) {
  const written = await step.writing, left = /** @type {Set<string>} */ (new Set());
  /** @type {Write[]} */
  const writes = [];
  /** @type {any[]} */
  const shown = [];
  /** @type {Touched[]} */
  const made = [], lost = [], moved = [];
  // The last one first: what completed a parent completed its subtasks, too.
  for (const item of isBack ? [...step.items].reverse() : step.items) {
    const { kind, call } = item, id = store.idOf(item.id), now = store.item(id, kind);
    const [from, to] = isBack ? [item.is, item.was] : [item.was, item.is];
    const path = pathOf(item.id, kind);
    state.leaving.delete(id);
    if (!to) {
      if (now || state.only || item.isRestored) writes.push({ method: "DELETE", path });
      else left.add("gone");
    } else if (!from && kind !== "smart-list") lost.push(item);
    else if (!from) {
      const { title, color, icon, filter, sort } = to;
      writes.push({ method: "POST", path: "/v1/smart-lists", body: { title, color, icon, filter,
        sort } });
      made.push(item);
      moved.push(item);
    } else if (call && step.isAnswered && now && !isSame("dueDate", now.dueDate, from.dueDate)) {
      left.add("dueDate");
    } else if (call) {
      shown.push(to);
      writes.push(isBack ? { method: "POST", path: `${path}/reopen` } :
        { ...call, path: path + (call.path.endsWith("/skip") ? "/skip" : "") });
    } else if (!now && from.status === "incomplete" && to.status === "incomplete") left.add("gone");
    else {
      const body = changes(kind, from, to, now, left);
      if (Object.keys(body).length > 0) writes.push({ method: "PATCH", path, body });
      if (body.status === "incomplete") shown.push(to);
      if (item.wasBehind && !left.has("listID") &&
        (from.position !== to.position || body.listID)) moved.push(item);
    }
  }
  if (lost.length > 0) await bringBack(written, lost);
  // They may not be in the copy yet when they are deleted again.
  for (const item of lost) item.isRestored = true;
  if (made.length === 0) writes.push(...places(moved, isBack));
  if (writes.length > 0) {
    step.writing = writeAll(writes, shown);
    answered(step).catch(() => {});
  }
  if (made.length > 0) {
    const { operations } = await step.writing;
    made.forEach((item, index) => rename(item, operations[index].name));
    await writeAll(places(moved, isBack));
  }
  return { left, isDone: writes.length + lost.length > 0 };
}

/**
 * The members that differ, without those that another device has changed.
 * @param {Kind} kind @param {any} from @param {any} to @param {any} now @param {Set<string>} left
 */
function changes(kind, from, to, now, left) {
  /** @type {any} */
  const body = {};
  for (const group of MEMBERS[kind]) {
    const wanted = group.filter((name) => !isSame(name, from[name], to[name]));
    if (wanted.length === 0) continue;
    const foreign = group.filter((name) => now && !isSame(name, now[name], from[name]) &&
      !isSame(name, now[name], to[name]));
    if (group.includes("listID")) {
      if (!store.list(to.listID)) foreign.push("listID");
      if (to.parentID !== null && !store.reminder(to.parentID)) foreign.push("parentID");
    }
    if (foreign.length > 0) for (const name of foreign) left.add(name);
    else for (const name of wanted) body[name] = valueOf(name, to[name], from[name]);
  }
  return body;
}

/** @param {string} name @param {any} value @param {any} before */
function valueOf(name, value, before) {
  if (name.endsWith("ID")) return referenceTo(value);
  if (name !== "filter") return value;
  // It is merged into the one that is there.
  const none = Object.keys(before).map((each) => [each, null]);
  return { ...Object.fromEntries(none), ...value };
}

/**
 * Each behind the one that was before it, from the first to the last.
 * @param {Touched[]} items @param {boolean} isBack @returns {Write[]}
 */
function places(items, isBack) {
  /** @param {Touched} item */
  const target = (item) => isBack ? item.was : item.is;
  return [...items].sort((a, b) => target(a).position - target(b).position).map((item) => {
    const { kind } = item, { listID } = target(item);
    const order = (isBack ? item.wasBehind : item.isBehind) ?? [];
    const before = order.find((id) => {
      const same = items.find((each) => store.idOf(each.id) === store.idOf(id));
      const other = same ? target(same) : store.item(id, kind);
      return other && (kind !== "reminder" || isSame("listID", other.listID, listID));
    });
    return { method: "PUT", path: `${pathOf(item.id, kind)}/position`,
      body: { after: referenceTo(before ?? null) } };
  });
}

/**
 * A smart list has no trash, and is made again: the other steps are about that one then.
 * @param {Touched} item @param {ID} name
 */
function rename(item, name) {
  const id = store.idOf(item.id);
  for (const { items } of [...state.done, ...state.undone, { items: [item] }]) {
    for (const each of items) {
      if (each.kind === item.kind && store.idOf(each.id) === id) each.id = name;
    }
  }
}

/**
 * From the trash, or out of the queue if the server has not heard of it.
 * @param {{ parts?: Part[] } & Part} written @param {Touched[]} items
 * @typedef {{ name: string, done: Promise<any>, isTakenBack?: boolean }} Part
 */
async function bringBack(written, items) {
  const parts = written.parts ?? [written], isLive = state.connection === "live";
  for (const each of parts) {
    // An answer to what was taken back never comes.
    each.isTakenBack ||= !isLive && await takeBack(each.name);
    const isPending = store.pending.some(({ name }) => name === each.name);
    if (!isLive && isPending) throw Object.assign(new Error(words.needsNetwork), { status: 0 });
  }
  const sent = parts.filter(({ isTakenBack }) => !isTakenBack);
  if (written.parts?.length !== 0 && sent.length === 0) return;
  await Promise.all(sent.map(({ done }) => done));
  const wanted = new Map(items.map((item) => [`${item.kind} ${store.idOf(item.id)}`, item]));
  const paths = [];
  for await (const { id, itemID, kind } of itemsOf("/v1/trash?limit=500", { retry: false })) {
    if (wanted.delete(`${kind} ${itemID}`)) paths.push(`/v1/trash/${id}/restore`);
    if (wanted.size === 0) break;
  }
  if (paths.length === 0) throw new Error(words.did.undoFailed);
  while (paths.length > 0) {
    const some = paths.splice(0, 500);
    await client.batch((batch) => some.forEach((path) => batch.post(path)), { retry: false });
  }
}
