// SPDX-License-Identifier: Apache-2.0
// The recurrence picker. It changes parts of the rule, so that a rule of any kind stays what it is.

import { edit, onDay } from "../actions.js";
import { ask } from "../ask.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { partsOf, ruleText, UNITS } from "../rules.js";
import { store, update } from "../state.js";
import { addDays, capital, DAYS, dayText, dueDay, today, unitName, weekday, weekdayName }
  from "../time.js";
import { chip, choice } from "../views/fields.js";
import { words } from "../words-more.js";
import { firstDay } from "./series.js";

/** @typedef {import("../state.js").Dialog} Dialog */

const PLACES = [1, 2, 3, 4, -1];
const none = { BYDAY: "", BYMONTHDAY: "", BYMONTH: "", BYSETPOS: "" };

/** @param {Record<string, unknown>} parts */
const ruleOf = (parts) => Object.entries(parts).filter(([, value]) => value)
  .map((each) => each.join("=")).join(";");

/**
 * @param {string} rule @param {import("../martlet.js").RecurrenceBasis} [basis]
 * @returns "Every week on Monday"
 */
export const sentence = (rule, basis) => capital(ruleText(rule, basis));

/** @type {(dialog: Required<Dialog>, shell: import("../views/dialogs.js").Shell) => any} */
export function repeat(dialog, shell) {
  // One that is completed is not at hand.
  const reminder = store.reminder(dialog.id) ?? dialog.reminder;
  if (!reminder) return undefined;
  const { recurrence, dueDate } = reminder, text = words.repeat, day = dueDay(dueDate) ?? today();
  const name = DAYS[weekday(day)], date = Number(day.slice(8)), month = Number(day.slice(5, 7));
  dialog.rule ??= recurrence?.rule ?? `FREQ=WEEKLY;BYDAY=${name}`;
  dialog.basis ??= recurrence?.basis ?? "due";
  const { rule } = dialog, part = partsOf(rule), { FREQ = "" } = part;
  /** @param {string} rule */
  const set = (rule) => {
    dialog.rule = rule;
    update();
  };
  /** @param {Record<string, unknown>} changes */
  const put = (changes) => set(ruleOf({ ...part, ...changes }));
  const chosen = part.BYDAY?.split(",") ?? [name];
  const nth = `${Math.min(4, Math.ceil(date / 7))}${name}`;
  /** @param {string[]} all @returns {[value: string, text: string][]} */
  const on = (...all) => all.map((each) => [each, ruleText(each)]);
  const others = { MONTHLY: on(`BYMONTHDAY=${date}`, `BYDAY=${nth}`, `BYDAY=-1${name}`,
    "BYMONTHDAY=-1", ...Array.from({ length: 31 }, (_, index) => `BYMONTHDAY=${index + 1}`),
    ...PLACES.flatMap((place) => DAYS.map((each) => `BYDAY=${place}${each}`))),
  YEARLY: on(`BYMONTH=${month};BYMONTHDAY=${date}`, `BYMONTH=${month};BYDAY=${nth}`,
    `BYMONTH=${month};BYDAY=-1${name}`) }[FREQ];
  const { BYMONTH, BYMONTHDAY, BYDAY, BYSETPOS } = part;
  const now = ruleOf({ BYMONTH, BYMONTHDAY, BYDAY, BYSETPOS }) || others?.[0][0] || "";
  // Only the server knows the next days, of what it has stored.
  const next = rule === recurrence?.rule && typeof reminder.id === "number" &&
    ask(`/v1/reminders/${reminder.id}/occurrences?limit=4`).body?.items;
  // A due date that is none of its days stays, unless one wants the first of these.
  const start = firstDay(rule, day) ?? day, isApart = start !== dueDay(dueDate);
  const isOther = rule !== recurrence?.rule || dialog.basis !== recurrence.basis;
  const save = () => edit(reminder.id, {
    ...isOther && { recurrence: { rule, basis: dialog.basis } },
    ...(dueDate === null || isApart && dialog.isMoved) && { dueDate: onDay(dueDate, start) } },
  undefined, reminder);
  const from = text.from(dayText(start, { weekday: "short", day: "numeric", month: "short" }));
  return shell(sentence(rule, dialog.basis), [
    h("p", { class: "tags" }, ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
      `FREQ=WEEKLY;BYDAY=${name}`, `FREQ=MONTHLY;BYMONTHDAY=${date}`,
      `FREQ=MONTHLY;BYDAY=-1${name}`, "FREQ=YEARLY"].map((each) =>
      chip(sentence(each), () => set(each), String(each === rule)))),
    h("p", { class: "line" }, text.every,
      h("input", { type: "number", class: "field n", min: 1, max: 999, "aria-label": text.interval,
        autofocus: true, value: part.INTERVAL ?? 1, onchange: ({ target }) =>
          put({ INTERVAL: Number(target.value) > 1 ? Math.trunc(Number(target.value)) : "" }) }),
      choice(text.unit, FREQ, Object.entries(UNITS).map(([each, unit]) =>
        [each, unitName(unit)]), (FREQ) => put({ ...none, FREQ })),
      others && choice(text.on, now, [...new Map([...others, ...on(now)])], (each) =>
        put({ ...none, ...partsOf(each) }))),
    FREQ === "WEEKLY" && h("fieldset", { class: "week", "aria-label": text.on }, DAYS.map(
      (each, index) => h("label", { key: each }, h("input", { type: "checkbox",
        checked: chosen.includes(each), "aria-label": weekdayName(index, "long"),
        onchange: ({ target }) => {
          const all = DAYS.filter((other) => other === each ? target.checked :
            chosen.includes(other));
          // One of them has to stay.
          put({ BYDAY: all.join() || each });
        } }), weekdayName(index, "narrow")))),
    isApart && h("p", { key: "start" }, dueDate === null ? from :
      chip(from, () => {
        dialog.isMoved = !dialog.isMoved;
        update();
      }, String(Boolean(dialog.isMoved)))),
    h("fieldset", {}, h("legend", {}, words.detail.basis), Object.entries(words.detail.bases).map(
      (/** @type {[any, string[]]} */ [each, [title, hint]]) => h("label", { key: each,
        class: "radio" }, h("input",
        { type: "radio", name: "basis", checked: dialog.basis === each, onchange: () => {
          dialog.basis = each;
          update();
        } }), title, h("small", {}, hint)))),
    h("p", { class: "line" }, text.ends,
      choice(text.ends, part.COUNT ? "COUNT" : part.UNTIL ? "UNTIL" : "", text.ways, (way) =>
        put({ COUNT: way === "COUNT" && 10,
          UNTIL: way === "UNTIL" && addDays(day, 182).replaceAll("-", "") })),
      part.COUNT && [h("input", { type: "number", class: "field n", min: 1, max: 9999,
        "aria-label": text.times, value: part.COUNT, onchange: ({ target }) =>
          put({ COUNT: Math.max(1, Math.trunc(Number(target.value))) }) }), text.times],
      part.UNTIL && h("input", { type: "date", class: "field", "aria-label": words.detail.date,
        value: part.UNTIL.replace(/^(....)(..)(..).*/, "$1-$2-$3"), min: day,
        onchange: ({ target }) => target.value &&
          put({ UNTIL: target.value.replaceAll("-", "") }) })),
    next?.length > 0 && h("p", { class: "quiet" }, words.of(words.detail.next,
      next.map((/** @type {{ dueDate: string }} */ { dueDate }) =>
        dayText(dueDay(dueDate), { day: "numeric", month: "short" })).join(" · "))),
    h("details", {}, h("summary", {}, icon("go"), text.rule), h("input", { class: "field mono",
      "aria-label": text.rule, value: rule, maxlength: 500, spellcheck: "false",
      autocapitalize: "characters", onchange: ({ target }) => set(target.value.trim()) })),
  ], save, words.detail.repeat, { extra: recurrence && h("button", { class: "btn bare warn",
    type: "button", onclick: ({ target }) => {
      edit(reminder.id, { recurrence: null }, undefined, reminder);
      target.closest("dialog")?.close();
    } }, text.never) });
}
