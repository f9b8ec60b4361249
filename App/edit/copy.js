// SPDX-License-Identifier: Apache-2.0
// A list as a template: a copy with its open reminders and their subtasks, its dates moved.

import { referenceTo } from "../actions.js";
import { h } from "../render.js";
import { go, store, update } from "../state.js";
import { addDays, daysBetween, dueDay, instantOf, isDate, timeOf, today } from "../time.js";
import { act } from "../undo.js";
import { words } from "../words-more.js";
import { field, labeled } from "../views/fields.js";
import { movedRule } from "./moved.js";

/**
 * @typedef {import("../store.js").List} List
 * @typedef {import("../store.js").Reminder} Reminder
 * @typedef {import("../outbox.js").Write} Write
 */

const text = words.copy;

/** @param {List} list @returns {Reminder[]} each behind the one that it is a part of */
const remindersOf = (list) => store.flat(store.inList(list.id)).map(({ reminder }) => reminder);

/** @param {Reminder[]} all @returns {string | undefined} the first day that is named in a list */
const firstDay = (all) => all.flatMap(({ startDate, dueDate }) => [startDate, dueDate])
  .filter((each) => each !== null).map((each) => dueDay(/** @type {string} */ (each))).sort()[0];

/** @param {List} list Asks for the name of the copy, and for its first day. */
export function askCopy(list) {
  const all = remindersOf(list), first = firstDay(all);
  update({ dialog: { kind: "copy", draw: (shell) => shell(text.title(list.title), [
    labeled(words.listTitle, "title", list.title, { required: true, maxlength: 1000,
      autofocus: true }),
    first && h("label", { key: "start", class: "label" }, text.start, field(text.start, "start",
      today(), { type: "date", min: "1970-01-01", max: "9999-12-31" })),
    first && h("p", { class: "quiet" }, text.hint),
  ], (data) => {
    const title = data.get("title").trim(), start = data.get("start") || undefined;
    if (title !== "") copy(list, all, title, start && first && daysBetween(first, start));
  }, text.verb(all.length)) } });
}

/**
 * @param {List} list @param {Reminder[]} all @param {string} title
 * @param {number | string | undefined} days that dates are moved by; without them there are none
 */
async function copy(list, all, title, days) {
  const name = `copy-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  const names = new Map(all.map(({ id }, index) => [id, `${name}-${index}`]));
  /** @type {Write} */
  const made = { method: "POST", path: "/v1/lists", body: { title, color: list.color }, name };
  const writes = all.map((each) => ({ method: "POST", path: "/v1/reminders",
    name: names.get(each.id), body: { listID: { $id: name }, ...bodyOf(each, days),
      ...each.parentID !== null &&
        { parentID: referenceTo(names.get(store.idOf(each.parentID)) ?? null) } } }));
  // Undo takes the list back as a whole.
  act(text.done(list.title, title), [made, ...writes], undefined, undefined, [made])
    .then(({ operations }) => go(`#/lists/${operations[0].name}`), () => {});
}

/** @param {Reminder} reminder @param {number | string | undefined} days */
function bodyOf({ title, notes, priority, isFlagged, tags, ...timed }, days) {
  /** @param {string | null} date */
  const moved = (date) => days === undefined || date === null ? null : isDate(date) ?
    addDays(date, Number(days)) : instantOf(addDays(dueDay(date), Number(days)), timeOf(date));
  const dueDate = moved(timed.dueDate), startDate = moved(timed.startDate);
  const { recurrence } = timed;
  const { alarms: rings } = timed, alarms = [];
  for (const { at, offset, from, repeat } of rings) {
    const when = at ? { at: moved(at) } : { offset, from };
    const anchor = at ? when.at : from === "start" ? startDate : dueDate;
    if (anchor) alarms.push({ ...when, ...repeat && { repeat } });
  }
  return { title, notes, priority, isFlagged, tags, dueDate, startDate, alarms,
    timeZone: dueDate || startDate ? timed.timeZone : null,
    recurrence: recurrence && dueDate && timed.dueDate ? { basis: recurrence.basis,
      rule: movedRule(recurrence.rule ?? "", dueDay(timed.dueDate), dueDay(dueDate)) } : null };
}
