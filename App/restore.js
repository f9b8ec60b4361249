// SPDX-License-Identifier: Apache-2.0
// Brings back what a step has touched.

import { answerAgain } from "./edit/alarms.js";
import { pathOf, referenceTo, takeBack, writeAll } from "./outbox.js";
import { onDrawn, state, store } from "./state.js";
import { answered, isSame } from "./steps.js";
import { client, itemsOf } from "./sync.js";
import { words } from "./words-more.js";

/**
 * @typedef {import("./store.js").ID} ID
 * @typedef {import("./store.js").Kind} Kind
 * @typedef {import("./outbox.js").Write} Write
 * @typedef {import("./steps.js").Step} Step
 * @typedef {import("./steps.js").Touched} Touched
 */

/** Members that a client writes, and those that depend on each other and go together. */
const MEMBERS = {
  reminder: [["title"], ["notes"], ["startDate", "dueDate", "timeZone", "recurrence"],
    ["priority"], ["isFlagged"], ["tags"], ["alarms"], ["listID", "parentID"], ["status"]],
  list: [["title"], ["color"]],
  "smart-list": [["title"], ["color"], ["icon"], ["filter"], ["sort"]],
};
/** The server gives a reminder with a new date its alarms. @type {Record<string, string>} */
const FOLLOWS = { alarms: "dueDate" };

/**
 * Undoes a step, or does it again.
 * @param {Step} step @param {boolean} isBack
 * @returns {Promise<{ left: Set<string>, isDone: boolean }>} the members that another device has
 *   changed meanwhile, which stay
 */
export async function restore(step, isBack) {
  if (step.alarms) {
    await answerAgain(step, isBack);
    return { left: new Set(), isDone: true };
  }
  const written = await step.writing;
  await answer(step);
  const left = /** @type {Set<string>} */ (new Set());
  /** @type {Write[]} */
  const writes = [];
  /** @type {any[]} */
  const shown = [];
  /** @type {Touched[]} */
  const made = [], lost = [], moved = [];
  // The last one first: what completed a parent completed its subtasks, too.
  for (const item of isBack ? [...step.items].reverse() : step.items) {
    const { kind, call } = item, id = store.idOf(item.id), now = store.item(id, kind);
    const was = before(step, item), [from, to] = isBack ? [item.is, was] : [was, item.is];
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
      const body = changes(item, from, to, now, left);
      for (const [name, cause] of Object.entries(FOLLOWS)) {
        if (cause in body && !to.isWaiting && !left.has(name)) body[name] = to[name];
      }
      if (Object.keys(body).length > 0) writes.push({ method: "PATCH", path, body });
      if (body.status === "incomplete") shown.push(to);
      if (item.wasBehind && !left.has("listID") &&
        (from.position !== to.position || body.listID || "parentID" in body)) moved.push(item);
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

let giveUp = () => {};
onDrawn(() => {
  if (state.connection !== "live") giveUp();
});
/**
 * Only the answer tells all that followed from a step. Without a network it is not waited for.
 * @param {Step} step
 * @throws the problem if the server refuses it: then there is nothing to undo
 */
async function answer(step) {
  const written = await step.writing, parts = written.parts ?? [written];
  const isTakenBack = parts.some((/** @type {Part} */ each) => each.isTakenBack);
  if (step.isAnswered || isTakenBack || state.connection !== "live") return;
  /** @type {Promise<void>} */
  const lost = new Promise((resolve) => { giveUp = resolve; });
  await Promise.race([answered(step), lost]);
}

/**
 * How an item was before a step. If the server had not answered the one before by then, its answer
 * also has what followed from that: where a series begins since its day has a time.
 * @param {Step} step @param {Touched} item
 */
function before(step, { kind, id, was }) {
  if (!was) return undefined;
  const last = state.done.filter((each) => each !== step).flatMap(({ items, isAnswered }) =>
    items.filter((each) => each.kind === kind && store.idOf(each.id) === store.idOf(id))
      .map(({ is }) => isAnswered && is)).at(-1);
  return last && !(was.updatedAt > last.updatedAt) ? last : was;
}

/**
 * The members that a step has changed, with all that followed from them, without those that
 * another device has changed.
 * @param {Touched} item @param {any} from @param {any} to
 * @param {any} now @param {Set<string>} left
 */
function changes({ kind, body: written = {} }, from, to, now, left) {
  /** @type {any} */
  const body = {};
  for (const group of MEMBERS[kind]) {
    if (!group.some((name) => name in written || FOLLOWS[name] in written)) continue;
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
    const { kind } = item, { listID, parentID } = target(item);
    const order = (isBack ? item.wasBehind : item.isBehind) ?? [];
    const before = order.find((id) => {
      const same = items.find((each) => store.idOf(each.id) === store.idOf(id));
      const other = same ? target(same) : store.item(id, kind);
      return other && (kind !== "reminder" || isSame("listID", other.listID, listID) &&
        isSame("parentID", other.parentID, parentID));
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
  if (paths.length === 0) throw Object.assign(new Error(), { title: words.did.undoFailed });
  while (paths.length > 0) {
    const some = paths.splice(0, 500);
    await client.batch((batch) => some.forEach((path) => batch.post(path)), { retry: false });
  }
}
