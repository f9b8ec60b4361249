// SPDX-License-Identifier: Apache-2.0
// What writes touch. A step keeps each item as it was before and as the writes left it; undo and
// redo are the writes from one of them to the other (restore.js).

import { readPath } from "./store.js";
import { store } from "./state.js";

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
 * @typedef {{ text: string, items: Touched[], writing: Promise<any>, isAnswered?: boolean,
 *   alarms?: { ids: number[], body: any } }} Step with the alarms that were answered
 */

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
const orderOf = (kind, item) => kind !== "reminder" ? store.all(kind) :
  store.byList(item.listID).filter((each) => isSame("parentID", each.parentID, item.parentID));

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
export async function answered(step) {
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
