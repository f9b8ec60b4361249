// SPDX-License-Identifier: Apache-2.0
// What people do to reminders and lists. Each action is shown at once and can be undone.

import { client, takeBack, write, writeAll } from "./sync.js";
import { say, state, store, update } from "./state.js";
import { offer } from "./undo.js";
import { addDays, instantOf, isDate, timeOf, today } from "./time.js";
import { words } from "./words.js";

const LEAVING = 1400; // How long a ticked row stays.

export const pathOf = (id, kind = "reminder") =>
  `/v1/${kind}s/${typeof id === "string" ? `{${id}}` : id}`;
export const referenceTo = (id) => typeof id === "string" ? { $id: id } : id;

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
  const same = Object.keys(changes).every((name) =>
    JSON.stringify(changes[name]) === JSON.stringify(reminder[name]));
  if (same) return;
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, reminder[name]]));
  write("PATCH", pathOf(id), changes);
  offer(text ?? words.did.edited(reminder.title), () => write("PATCH", pathOf(id), before));
}

export const toggleFlag = (id) => edit(id, { isFlagged: !store.reminder(id)?.isFlagged });

/** On another day, at the same time of day. */
export function dueOn(id, day) {
  const reminder = store.reminder(id);
  if (reminder) edit(id, { dueDate: onDay(reminder.dueDate, day) });
}
export const dueToday = (id) => dueOn(id, today());
export const dueTomorrow = (id) => dueOn(id, addDays(today(), 1));

export const onDay = (due, day) =>
  due === null || isDate(due) ? day : instantOf(day, timeOf(due));

export function move(id, listID) {
  const list = store.list(listID);
  if (!list) return;
  edit(id, { listID: list.id }, words.did.moved(store.reminder(id)?.title, list.title));
}

/** After or before another one of the same list. */
export function place(id, destination) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  const siblings = siblingsOf(reminder),
    index = siblings.findIndex((each) => each.id === reminder.id);
  const before = { after: referenceTo(siblings[index - 1]?.id ?? null) };
  write("PUT", `${pathOf(reminder.id)}/position`, destination);
  offer(words.did.edited(reminder.title), () =>
    write("PUT", `${pathOf(reminder.id)}/position`, before));
  const next = siblingsOf(store.reminder(id));
  const position = next.findIndex((each) => each.id === reminder.id) + 1;
  say(words.did.placed(reminder.title, position, next.length));
}

export const siblingsOf = (reminder) => reminder.parentID === null ?
  store.inList(reminder.listID) : store.children(store.idOf(reminder.parentID));

/** One step up or down among its siblings. */
export function step(id, count) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  const siblings = siblingsOf(reminder);
  const other = siblings[siblings.findIndex((each) => each.id === reminder.id) + count];
  if (other) place(id, { [count < 0 ? "before" : "after"]: referenceTo(other.id) });
}

// Several at once

/** The same change to all that are selected, as one batch. */
export function editAll(ids, changes) {
  const all = ids.map((id) => store.reminder(id)).filter(Boolean);
  if (all.length === 0) return;
  const of = typeof changes === "function" ? changes : () => changes;
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

// Lists

export async function addList(body) {
  const written = await write("POST", "/v1/lists", body);
  offer(words.did.listAdded(body.title), () => write("DELETE", pathOf(written.name, "list")));
  return written.name;
}

export function editList(id, changes) {
  const list = store.list(id), { title, color } = list;
  write("PATCH", pathOf(id, "list"), changes);
  offer(words.did.listEdited(changes.title ?? title), () =>
    write("PATCH", pathOf(id, "list"), { title, color }));
}

export function removeList(id) {
  const list = store.list(id), done = write("DELETE", pathOf(id, "list"));
  offer(words.did.listDeleted(list.title), async () =>
    bringBack(await done, "list", store.idOf(list.id)));
}
