// SPDX-License-Identifier: Apache-2.0
// What people do to reminders and lists. Each action is shown at once and can be undone.

import { client, itemsOf, takeBack, write, writeAll } from "./sync.js";
import { say, state, store, update } from "./state.js";
import { offer } from "./undo.js";
import { addDays, clock, dueDay, instantOf, isDate, shortDay, timeOf, today, zoneName }
  from "./time.js";
import { words } from "./words.js";

/**
 * @typedef {import("./store.js").ID} ID
 * @typedef {import("./store.js").Kind} Kind
 * @typedef {import("./store.js").Reminder} Reminder
 * @typedef {import("./martlet.js").TrashEntry} TrashEntry
 * @typedef {ID | null | { $id: ID | null }} Reference to an item, in a body
 * @typedef {Omit<import("./martlet.js").ReminderPatch, "listID" | "parentID"> &
 *   { listID?: Reference, parentID?: Reference }} Changes
 */

const LEAVING = 1400; // How long a ticked row stays.

/** @param {unknown} id */
const isName = (id) => typeof id === "string";
/** @param {ID} id @param {Kind} [kind] */
export const pathOf = (id, kind = "reminder") =>
  `/v1/${kind}s/${isName(store.idOf(id)) ? `{${id}}` : store.idOf(id)}`;
/** @type {(id: ID | null) => Reference} */
export const referenceTo = (id) => isName(store.idOf(id)) ? { $id: id } : store.idOf(id);

/** @param {ID} id It is ticked. The row stays a moment, so that it is seen what was ticked. */
export function complete(id) {
  const reminder = store.reminder(id);
  if (!reminder || state.isReadOnly || state.leaving.has(reminder.id)) return;
  const index = [...document.querySelectorAll("[data-row]")]
    .findIndex((row) => row.dataset.row === String(store.keyOf(reminder.id)));
  state.leaving.set(reminder.id, { reminder, index, place: state.place });
  setTimeout(() => {
    state.leaving.delete(reminder.id);
    update();
  }, LEAVING);
  const done = write("PATCH", pathOf(id), { status: "completed" });
  offer(words.did.completed(reminder.title), async () => {
    await done;
    state.leaving.delete(reminder.id);
    reopen(reminder);
  });
}

/**
 * A completion of a recurring reminder is taken back; another one is opened again.
 * @param {Reminder} reminder
 */
function reopen(reminder) {
  const path = pathOf(reminder.id);
  if (reminder.recurrence) return write("POST", `${path}/reopen`, undefined, reminder);
  return write("PATCH", path, { status: "incomplete" }, reminder);
}

/** @param {Reminder} reminder The occurrence that is due is left out. */
export function skip(reminder) {
  const done = write("POST", `${pathOf(reminder.id)}/skip`);
  offer(words.did.skipped(reminder.title), async () => {
    await done;
    reopen(reminder);
  });
}

/** @param {Reminder} reminder A completed one is opened. */
export function uncomplete(reminder) {
  write("PATCH", pathOf(reminder.id), { status: "incomplete" }, { ...reminder,
    status: "incomplete" });
  offer(words.did.reopened(reminder.title), () =>
    write("PATCH", pathOf(reminder.id), { status: "completed" }));
}

/** @param {ID} id */
export function remove(id) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  const done = write("DELETE", pathOf(id));
  offer(words.did.deleted(reminder.title), async () =>
    bringBack(await done, "reminder", [reminder.id]));
}

/**
 * From the trash, or from the queue if the server has not heard of it.
 * @param {import("./sync.js").Written} written @param {Kind} kind @param {ID[]} ids
 */
async function bringBack(written, kind, ids) {
  const waits = [];
  for (const each of written.parts ?? [written]) {
    if (state.connection === "live" || !await takeBack(each.name)) waits.push(each.done);
  }
  if (waits.length === 0) return;
  await Promise.all(waits);
  const wanted = new Set(ids.map(store.idOf)), paths = [];
  for await (const { id, itemID, kind: each } of itemsOf("/v1/trash?limit=500")) {
    if (each === kind && wanted.has(itemID)) paths.push(`/v1/trash/${id}/restore`);
    if (paths.length === wanted.size) break;
  }
  if (paths.length === 0) throw new Error(words.did.undoFailed);
  while (paths.length > 0) {
    const some = paths.splice(0, 500);
    await client.batch((batch) => some.forEach((path) => batch.post(path)));
  }
}

/**
 * What undoes changes. In another list a subtask has no parent.
 * @param {Reminder} reminder @param {Changes} changes
 */
const oldOf = (reminder, changes) => Object.fromEntries(Object.keys({ ...changes,
  ...changes.listID && { parentID: 0 } }).map((name) =>
  [name, /ID$/.test(name) ? referenceTo(reminder[name]) : reminder[name]]));

/**
 * Changes members of a reminder. The old ones are kept for undo.
 * @param {ID} id @param {Changes} changes @param {string} [text]
 * @param {Reminder} [shown] one that is not in the copy, as it is completed
 */
export function edit(id, changes, text, shown) {
  const reminder = store.reminder(id) ?? shown;
  if (!reminder) return;
  changes = fitting(reminder, changes);
  const same = Object.keys(changes).every((name) =>
    JSON.stringify(changes[name]) === JSON.stringify(reminder[name]));
  if (same) return;
  const before = oldOf(reminder, changes);
  write("PATCH", pathOf(id), changes);
  offer(text ?? words.did.edited(reminder.title), () => write("PATCH", pathOf(id), before));
}

/**
 * A start is a day or an instant as the due date is, and not after it.
 * @param {Reminder} reminder @param {Changes} changes
 */
function fitting(reminder, changes) {
  // What is chosen here is meant in the zone that is shown.
  if (["dueDate", "recurrence", "alarms"].some((name) =>
    changes[name] && changes[name] !== reminder[name])) {
    changes = { ...changes, timeZone: zoneName() };
  }
  const { startDate, dueDate } = { ...reminder, ...changes };
  if (!startDate || !dueDate) return changes;
  const start = isDate(dueDate) ? dueDay(startDate) :
    isDate(startDate) ? instantOf(startDate, "00:00") : startDate;
  const fitted = start > dueDate ? dueDate : start;
  return fitted === startDate ? changes : { ...changes, startDate: fitted };
}

/** @param {ID} id */
export const toggleFlag = (id) => edit(id, { isFlagged: !store.reminder(id)?.isFlagged });

/** @param {ID[]} ids @param {number} days from today, at the same time of day */
export const dueIn = (ids, days) => editAll(ids, ({ dueDate }) =>
  ({ dueDate: onDay(dueDate, addDays(today(), days)) }));

/** @param {number} time @returns "18:00", and the day if it is another one */
export function whenText(time) {
  const day = dueDay(new Date(time).toISOString());
  return [day !== today() && shortDay(day), clock(time)].filter(Boolean).join(", ");
}

/** @param {string | null} due @param {string} day */
export const onDay = (due, day) =>
  due === null || isDate(due) ? day : instantOf(day, timeOf(due));

/** @param {ID} id @param {ID} listID */
export function move(id, listID) {
  const list = store.list(listID);
  if (!list) return;
  edit(id, { listID: list.id }, words.did.moved(store.reminder(id)?.title, list.title));
}

/**
 * After or before another one of the same list; lists and smart lists have an order as well.
 * @param {ID} id @param {{ after?: Reference, before?: Reference }} destination
 * @param {Kind} [kind]
 */
export function place(id, destination, kind) {
  const item = store.item(id, kind);
  if (!item) return;
  const before = { after: referenceTo(siblingOf(item, -1, kind)?.id ?? null) };
  const path = `${pathOf(item.id, kind)}/position`;
  write("PUT", path, destination);
  offer(words.did.edited(item.title), () => write("PUT", path, before));
  const next = siblingsOf(store.item(id, kind), kind);
  const position = next.findIndex((each) => each.id === item.id) + 1;
  say(words.did.placed(item.title, position, next.length));
}

/** @type {(item: any, kind?: Kind) => any[]} */
const siblingsOf = (item, kind) => kind ? store.all(kind) : item.parentID === null ?
  store.inList(item.listID) : store.children(store.idOf(item.parentID));
/** @param {any} item @param {number} count @param {Kind} [kind] */
function siblingOf(item, count, kind) {
  const all = siblingsOf(item, kind);
  return all[all.findIndex((each) => each.id === item.id) + count];
}

/** @param {ID} id @param {number} count steps down among its siblings @param {Kind} [kind] */
export function step(id, count, kind) {
  const item = store.item(id, kind), other = item && siblingOf(item, count, kind);
  if (other) place(id, { [count < 0 ? "before" : "after"]: referenceTo(other.id) }, kind);
}

/**
 * One level in, below the one before it, or out, behind its parent.
 * @param {ID} id @param {boolean} isIn
 */
export function indent(id, isIn) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  const before = siblingOf(reminder, -1), path = pathOf(id);
  const parent = isIn ? before : store.reminder(reminder.parentID);
  if (!parent) return;
  /** @param {ID | null} parentID @param {ID | null} [after] */
  const to = (parentID, after) => writeAll([
    { method: "PATCH", path, body: { parentID: referenceTo(parentID) } },
    ...after === undefined ? [] : [{ method: "PUT", path: `${path}/position`,
      body: { after: referenceTo(after) } }]]);
  if (isIn) to(parent.id);
  else to(parent.parentID, parent.id);
  state.folded.delete(store.keyOf(parent.id));
  offer(words.did.edited(reminder.title), () => to(reminder.parentID, before?.id ?? null));
}

/**
 * It rings again at another time; what does not ring gets an alarm then.
 * @param {ID} reminderID @param {number} time
 */
export function snooze(reminderID, time) {
  const alarm = state.ringing.find((each) =>
    each.reminderID === store.idOf(reminderID) && !answered.has(each.id));
  const at = new Date(time).toISOString(), reminder = store.reminder(reminderID);
  const text = words.did.snoozed(whenText(time));
  if (!alarm) return reminder && edit(reminderID, { alarms: [...reminder.alarms, { at }] }, text);
  const path = `/v1/alarms/${alarm.id}`;
  answered.add(alarm.id);
  write("PATCH", path, { snoozedUntil: at });
  offer(text, () => {
    answered.delete(alarm.id);
    return write("PATCH", path, { snoozedUntil: new Date().toISOString() });
  });
}
/** @type {Set<number>} Alarms that were answered here, until the server says so, too. */
export const answered = new Set();

// Several at once

/** @param {ID[]} ids */
const known = (ids) => /** @type {Reminder[]} */ (ids.map((id) => store.reminder(id))
  .filter(Boolean));

/**
 * The same change to all that are selected, as one batch.
 * @param {ID[]} ids @param {Changes | ((reminder: Reminder) => Changes)} changes
 */
export function editAll(ids, changes) {
  const all = known(ids);
  if (all.length === 0) return;
  /** @param {Reminder} each */
  const of = (each) => fitting(each, typeof changes === "function" ? changes(each) : changes);
  if (all.length === 1 && !state.selected.size) return edit(all[0].id, of(all[0]));
  const before = all.map((each) => ({ method: "PATCH", path: pathOf(each.id),
    body: oldOf(each, of(each)) }));
  const isDone = of(all[0]).status === "completed";
  const done = writeAll(all.map((each) =>
    ({ method: "PATCH", path: pathOf(each.id), body: of(each) })));
  offer(words.did.many[isDone ? "completed" : "edited"](all.length), async () => {
    await done;
    if (!isDone) return writeAll(before);
    for (const each of all) reopen(each);
  });
  update({ selected: new Set() });
}

/** @param {ID[]} ids */
export function removeAll(ids) {
  const all = known(ids);
  // A parent takes its subtasks along; the batch would not find them any more.
  /** @param {Reminder} each @returns {boolean} */
  const isTop = ({ parentID }) => {
    const parent = store.reminder(parentID);
    return !parent || !all.includes(parent) && isTop(parent);
  };
  const tops = all.filter(isTop);
  const done = writeAll(tops.map(({ id }) => ({ method: "DELETE", path: pathOf(id) })));
  offer(words.did.many.deleted(all.length), async () =>
    bringBack(await done, "reminder", tops.map(({ id }) => id)));
  update({ selected: new Set() });
}

// Lists and smart lists

/** @param {any} body @param {Kind} kind */
export async function addList(body, kind) {
  const { name } = await write("POST", `/v1/${kind}s`, body);
  offer(words.did.added(body.title), () => write("DELETE", pathOf(name, kind)));
  return name;
}

/** @param {ID} id @param {any} changes @param {Kind} kind */
export function editList(id, changes, kind) {
  const { title, color, filter, sort } = store.item(id, kind), before = { title, color };
  if (filter) {
    const none = Object.keys(changes.filter).map((name) => [name, null]);
    Object.assign(before, { sort, filter: { ...Object.fromEntries(none), ...filter } });
  }
  write("PATCH", pathOf(id, kind), changes);
  offer(words.did.edited(changes.title), () => write("PATCH", pathOf(id, kind), before));
}

/**
 * A list goes into the trash. A smart list is only a filter, which can be made again.
 * @param {ID} id @param {Kind} kind
 */
export function removeList(id, kind) {
  const { title, color, icon, filter, sort } = store.item(id, kind);
  const done = write("DELETE", pathOf(id, kind));
  offer(words.did.deleted(title), async () => filter ?
    write("POST", `/v1/${kind}s`, { title, color, icon, filter, sort }) :
    bringBack(await done, kind, [id]));
}
