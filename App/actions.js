// SPDX-License-Identifier: Apache-2.0
// What people do to reminders and lists. Each action is shown at once and can be undone.

import { client, takeBack, write, writeAll } from "./sync.js";
import { say, state, store, update } from "./state.js";
import { offer } from "./undo.js";
import { addDays, clock, dueDay, instantOf, isDate, shortDay, timeOf, today } from "./time.js";
import { words } from "./words.js";

const LEAVING = 1400; // How long a ticked row stays.

const isName = (id) => typeof id === "string";
export const pathOf = (id, kind = "reminder") =>
  `/v1/${kind}s/${isName(store.idOf(id)) ? `{${id}}` : store.idOf(id)}`;
export const referenceTo = (id) => isName(store.idOf(id)) ? { $id: id } : store.idOf(id);

/** Ticks it. The row stays a moment, so that it is seen what was ticked. */
export function complete(id) {
  const reminder = store.reminder(id);
  if (!reminder || state.leaving.has(reminder.id)) return;
  const index = [...document.querySelectorAll("[data-row]")]
    .findIndex((row) => row.dataset.row === String(store.keyOf(reminder.id)));
  state.leaving.set(reminder.id, { reminder, index });
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

/** A completion of a recurring reminder is taken back; another one is opened again. */
function reopen(reminder) {
  const path = pathOf(reminder.id);
  if (reminder.recurrence) return write("POST", `${path}/reopen`, undefined, reminder);
  return write("PATCH", path, { status: "incomplete" }, reminder);
}

/** Opens what is completed. @param {any} reminder as the server has it */
export function uncomplete(reminder) {
  write("PATCH", pathOf(reminder.id), { status: "incomplete" }, { ...reminder,
    status: "incomplete" });
  offer(words.did.reopened(reminder.title), () =>
    write("PATCH", pathOf(reminder.id), { status: "completed" }));
}

export function remove(id) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  const done = write("DELETE", pathOf(id));
  offer(words.did.deleted(reminder.title), async () =>
    bringBack(await done, "reminder", store.idOf(reminder.id)));
}

/** From the trash, or from the queue if the server has not heard of it. */
async function bringBack(written, kind, id) {
  if (state.connection !== "live" && await takeBack(written.name)) return;
  await written.done;
  const { items } = await client.get("/v1/trash?limit=100");
  const entry = items.find((each) => each.kind === kind && each.itemID === id);
  if (!entry) throw new Error(words.did.undoFailed);
  await client.post(`/v1/trash/${entry.id}/restore`);
}

/** Changes members of a reminder. The old ones are kept for undo. */
export function edit(id, changes, text) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  changes = fitting(reminder, changes);
  const same = Object.keys(changes).every((name) =>
    JSON.stringify(changes[name]) === JSON.stringify(reminder[name]));
  if (same) return;
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, reminder[name]]));
  write("PATCH", pathOf(id), changes);
  offer(text ?? words.did.edited(reminder.title), () => write("PATCH", pathOf(id), before));
}

/** A start is a day or an instant as the due date is, and not after it. */
function fitting(reminder, changes) {
  const { startDate, dueDate } = { ...reminder, ...changes };
  if (!startDate || !dueDate) return changes;
  const start = isDate(dueDate) ? dueDay(startDate) :
    isDate(startDate) ? instantOf(startDate, "00:00") : startDate;
  const fitted = start > dueDate ? dueDate : start;
  return fitted === startDate ? changes : { ...changes, startDate: fitted };
}

export const toggleFlag = (id) => edit(id, { isFlagged: !store.reminder(id)?.isFlagged });

/** On another day, at the same time of day. */
export function dueOn(id, day) {
  const reminder = store.reminder(id);
  if (reminder) edit(id, { dueDate: onDay(reminder.dueDate, day) });
}
export const dueToday = (id) => dueOn(id, today());
export const dueTomorrow = (id) => dueOn(id, addDays(today(), 1));

/** "18:00", and the day if it is another one. */
export function whenText(time) {
  const day = dueDay(new Date(time).toISOString());
  return [day !== today() && shortDay(day), clock(time)].filter(Boolean).join(", ");
}

export const onDay = (due, day) =>
  due === null || isDate(due) ? day : instantOf(day, timeOf(due));

export function move(id, listID) {
  const list = store.list(listID);
  if (!list) return;
  edit(id, { listID: list.id }, words.did.moved(store.reminder(id)?.title, list.title));
}

/** After or before another one of the same list; lists and smart lists have an order as well. */
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

const siblingsOf = (item, kind) => kind ? store.all(kind) : item.parentID === null ?
  store.inList(item.listID) : store.children(store.idOf(item.parentID));
function siblingOf(item, count, kind) {
  const all = siblingsOf(item, kind);
  return all[all.findIndex((each) => each.id === item.id) + count];
}

/** One step up or down among its siblings. */
export function step(id, count, kind) {
  const item = store.item(id, kind), other = item && siblingOf(item, count, kind);
  if (other) place(id, { [count < 0 ? "before" : "after"]: referenceTo(other.id) }, kind);
}

/** One level in, below the one before it, or out, behind its parent. */
export function indent(id, isIn) {
  const reminder = store.reminder(id), before = reminder && siblingOf(reminder, -1);
  const parent = isIn ? before : reminder?.parentID && store.reminder(reminder.parentID);
  if (!parent) return;
  const path = pathOf(id), to = (parentID, after) => writeAll([
    { method: "PATCH", path, body: { parentID: referenceTo(parentID) } },
    ...after === undefined ? [] : [{ method: "PUT", path: `${path}/position`,
      body: { after: referenceTo(after) } }]]);
  if (isIn) to(parent.id);
  else to(parent.parentID, parent.id);
  state.folded.delete(store.keyOf(parent.id));
  offer(words.did.edited(reminder.title), () => to(reminder.parentID, before?.id ?? null));
}

/** It rings again at another time; what does not ring gets an alarm then. */
export function snooze(reminderID, time) {
  const alarm = state.ringing.find((each) =>
    each.reminderID === store.idOf(reminderID) && !answered.has(each.id));
  const at = new Date(time).toISOString(), reminder = store.reminder(reminderID);
  const text = words.did.snoozed(whenText(time));
  if (!alarm) return edit(reminderID, { alarms: [...reminder.alarms, { at }] }, text);
  const path = `/v1/alarms/${alarm.id}`;
  answered.add(alarm.id);
  write("PATCH", path, { snoozedUntil: at });
  offer(text, () => {
    answered.delete(alarm.id);
    return write("PATCH", path, { snoozedUntil: new Date().toISOString() });
  });
}
/** Alarms that were answered here, until the server says so, too. */
export const answered = new Set();

// Several at once

/** The same change to all that are selected, as one batch. */
export function editAll(ids, changes) {
  const all = ids.map((id) => store.reminder(id)).filter(Boolean);
  if (all.length === 0) return;
  const of = (each) => fitting(each, typeof changes === "function" ? changes(each) : changes);
  if (all.length === 1 && !state.selected.size) return edit(all[0].id, of(all[0]));
  const before = all.map((each) => [each, Object.fromEntries(Object.keys(of(each))
    .map((name) => [name, each[name]]))]);
  const isDone = of(all[0]).status === "completed";
  const done = writeAll(all.map((each) =>
    ({ method: "PATCH", path: pathOf(each.id), body: of(each) })));
  offer(words.did.many[isDone ? "completed" : "edited"](all.length), async () => {
    await done;
    if (!isDone) {
      return writeAll(before.map(([{ id }, body]) => ({ method: "PATCH", path: pathOf(id),
        body })));
    }
    for (const each of all) reopen(each);
  });
  update({ selected: new Set() });
}

export function removeAll(ids) {
  const all = ids.map((id) => store.reminder(id)).filter(Boolean);
  // A parent takes its subtasks along; the batch would not find them any more.
  const tops = all.filter((each) => !all.some(({ id }) => id === store.idOf(each.parentID)));
  const done = writeAll(tops.map(({ id }) => ({ method: "DELETE", path: pathOf(id) })));
  offer(words.did.many.deleted(all.length), async () => {
    const written = await done;
    for (const { id } of tops) await bringBack(written, "reminder", store.idOf(id));
  });
  update({ selected: new Set() });
}

// Lists and smart lists

export async function addList(body, kind) {
  const { name } = await write("POST", `/v1/${kind}s`, body);
  offer(words.did.added(body.title), () => write("DELETE", pathOf(name, kind)));
  return name;
}

export function editList(id, changes, kind) {
  const { title, color, filter, sort } = store.item(id, kind), before = { title, color };
  if (filter) {
    const none = Object.keys(changes.filter).map((name) => [name, null]);
    Object.assign(before, { sort, filter: { ...Object.fromEntries(none), ...filter } });
  }
  write("PATCH", pathOf(id, kind), changes);
  offer(words.did.edited(changes.title), () => write("PATCH", pathOf(id, kind), before));
}

/** A list goes into the trash. A smart list is only a filter, which can be made again. */
export function removeList(id, kind) {
  const { title, color, icon, filter, sort } = store.item(id, kind);
  const done = write("DELETE", pathOf(id, kind));
  offer(words.did.deleted(title), async () => filter ?
    write("POST", `/v1/${kind}s`, { title, color, icon, filter, sort }) :
    bringBack(await done, kind, store.idOf(id)));
}
