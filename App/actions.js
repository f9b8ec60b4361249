// SPDX-License-Identifier: Apache-2.0
// What people do to reminders and lists. Each action is shown at once and can be undone.

import { pathOf, referenceTo } from "./outbox.js";
import { orderOf } from "./places.js";
import { memberNames } from "./problems.js";
import { say, state, store, update } from "./state.js";
import { isSame } from "./steps.js";
import { act, show } from "./undo.js";
import { order } from "./views/window.js";
import { addDays, clock, dueDay, instantOf, isDate, shortDay, timeOf, today, zoneName }
  from "./time.js";
import { words } from "./words.js";

/**
 * @typedef {import("./store.js").ID} ID
 * @typedef {import("./store.js").Kind} Kind
 * @typedef {import("./store.js").Reminder} Reminder
 * @typedef {ID | null | { $id: ID | null }} Reference to an item, in a body
 * @typedef {Omit<import("./martlet.js").ReminderPatch, "listID" | "parentID"> &
 *   { listID?: Reference, parentID?: Reference }} Changes
 */

const LEAVING = 1400; // How long a ticked row stays.

export { pathOf, referenceTo };

/** @param {ID} id It is ticked. The row stays a moment, so that it is seen what was ticked. */
export function complete(id) {
  const reminder = store.reminder(id);
  if (!reminder || state.isReadOnly || state.leaving.has(reminder.id)) return;
  const index = order().indexOf(store.keyOf(reminder.id));
  state.leaving.set(reminder.id, { reminder, index, place: state.place });
  setTimeout(() => {
    state.leaving.delete(reminder.id);
    update();
  }, LEAVING);
  act(words.did.completed(reminder.title), [patch(id, { status: "completed" })]);
}

/** @type {(id: ID, body: Changes) => import("./outbox.js").Write} */
const patch = (id, body) => ({ method: "PATCH", path: pathOf(id), body });

/** @param {Reminder} reminder The occurrence that is due is left out. */
export const skip = ({ id, title }) =>
  act(words.did.skipped(title), [{ method: "POST", path: `${pathOf(id)}/skip` }]);

/** @param {Reminder} reminder A completed one is opened. */
export const uncomplete = (reminder) => act(words.did.reopened(reminder.title),
  [patch(reminder.id, { status: "incomplete" })], { ...reminder, status: "incomplete" },
  [reminder]);

/** @param {ID} id */
export function remove(id) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  act(words.did.deleted(reminder.title), [{ method: "DELETE", path: pathOf(id) }]);
}

/**
 * Changes members of a reminder.
 * @param {ID} id @param {Changes} changes @param {string} [text]
 * @param {Reminder} [shown] one that is not in the copy, as it is completed
 */
export function edit(id, changes, text, shown) {
  const reminder = store.reminder(id) ?? shown;
  if (!reminder) return;
  changes = fitting(reminder, changes);
  if (!isChange(reminder, changes)) return;
  act(text ?? words.did.edited(reminder.title, names(changes)), [patch(id, changes)], undefined,
    [reminder]);
}

/** @param {Changes} changes @returns "Due, Repeat" */
const names = (changes) => Object.keys(changes).filter((name) => name !== "timeZone")
  .map((name) => memberNames[name]).join(", ");

/** @param {Reminder} reminder @param {Changes} changes */
const isChange = (reminder, changes) =>
  Object.keys(changes).some((name) => !isSame(name, changes[name], reminder[name]));

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

/** @param {string} text "one, two" or "@one @two" */
export const tagsOf = (text) => [...new Set(text.split(/[,\s]*@|,/).map((each) => each.trim())
  .filter(Boolean))];

/** @param {ID} id */
export const toggleFlag = (id) => edit(id, { isFlagged: !store.reminder(id)?.isFlagged });

/** @param {ID[]} ids @param {number} days from today, at the same time of day */
export function dueIn(ids, days) {
  const day = addDays(today(), days);
  if (known(ids).every(({ dueDate }) => dueDay(dueDate) === day)) {
    show({ text: words.did.dueThen(shortDay(day)) });
  }
  editAll(ids, ({ dueDate }) => ({ dueDate: onDay(dueDate, day) }));
}

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
  edit(id, { listID: referenceTo(list.id) },
    words.did.moved(store.reminder(id)?.title, list.title));
}

/**
 * After or before another one of the same list; lists and smart lists have an order as well.
 * @param {ID} id @param {{ after?: Reference, before?: Reference }} destination
 * @param {Kind} [kind]
 */
export function place(id, destination, kind) {
  const item = store.item(id, kind);
  if (!item) return;
  const isAfter = "after" in destination, mark = isAfter ? destination.after : destination.before;
  const there = siblingOf(item, isAfter ? -1 : 1, kind);
  if (isSame("parentID", there?.id, mark)) return;
  act(words.did.edited(item.title, words.smart.sort), [{ method: "PUT",
    path: `${pathOf(item.id, kind)}/position`, body: destination }]);
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
  const isTop = !kind && item?.parentID === null;
  if (isTop && state.place.place === "lists" && orderOf(item.listID).sort) {
    return show({ text: words.isSorted });
  }
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
  act(words.did.edited(reminder.title), isIn ? [patch(id, { parentID: referenceTo(parent.id) })] :
    [patch(id, { parentID: referenceTo(parent.parentID) }), { method: "PUT",
      path: `${path}/position`, body: { after: referenceTo(parent.id) } }]);
  state.folded.delete(store.keyOf(parent.id));
}

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
  const isDone = of(all[0]).status === "completed";
  const writes = all.filter((each) => isChange(each, of(each)))
    .map((each) => patch(each.id, of(each)));
  if (writes.length > 0) {
    act(words.did.many[isDone ? "completed" : "edited"](all.length, names(of(all[0]))), writes);
  }
  update({ selected: new Set() });
}

/** @param {ID[]} ids @returns {ID[]} without those whose parent is among them, and goes along */
export function tops(ids) {
  const all = known(ids);
  /** @param {Reminder} each @returns {boolean} */
  const isTop = ({ parentID }) => {
    const parent = store.reminder(parentID);
    return !parent || !all.includes(parent) && isTop(parent);
  };
  return all.filter(isTop).map(({ id }) => id);
}

/** @param {ID[]} ids */
export function removeAll(ids) {
  act(words.did.many.deleted(known(ids).length), tops(ids).map((id) =>
    ({ method: "DELETE", path: pathOf(id) })));
  update({ selected: new Set() });
}

// Lists and smart lists

/** @param {any} body @param {Kind} kind */
export async function addList(body, kind) {
  const { name } = await act(words.did.added(body.title),
    [{ method: "POST", path: `/v1/${kind}s`, body }]);
  return name;
}

/** @param {ID} id @param {any} changes @param {Kind} kind */
export function editList(id, changes, kind) {
  act(words.did.edited(changes.title), [{ method: "PATCH", path: pathOf(id, kind),
    body: changes }]);
}

/** @param {ID} id @param {Kind} kind */
export function removeList(id, kind) {
  act(words.did.deleted(store.item(id, kind).title), [{ method: "DELETE",
    path: pathOf(id, kind) }]);
}
