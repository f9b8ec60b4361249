// SPDX-License-Identifier: Apache-2.0
// When a reminder rings.

import { edit } from "../actions.js";
import { alarmText } from "../edit/quick.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { state, store, update } from "../state.js";
import { instantOf, today, unitName } from "../time.js";
import { words } from "../words-more.js";
import { choice, field, moment } from "./fields.js";

const text = words.detail, OWN = "own";
export const offsets = ["PT0S", "-PT10M", "-PT30M", "-PT1H", "-P1D", "-P7D"];
const units = { M: "minute", H: "hour", D: "day", W: "week" };
/** On the day, the day before and a week before, each at nine. */
export const dayOffsets = ["PT9H", "-PT15H", "-P6DT15H"];

/**
 * Opens a dialog about a reminder that the store need not have: it is completed, or not there yet.
 * @param {"alarm" | "parent" | "repeat"} kind @param {import("../store.js").Reminder} reminder
 */
export const openAbout = (kind, reminder) => update({ dialog: { kind, id: reminder.id,
  ...(!store.reminder(reminder.id) || state.leaving.has(reminder.id)) && { reminder } } });

/**
 * Alarms are replaced as a whole; those that stay keep their ID, and with it their state.
 * @param {import("../store.js").Reminder} reminder
 * @param {(changes: import("../actions.js").Changes) => unknown} change
 */
export function alarms(reminder, change) {
  const { alarms, dueDate } = reminder;
  const left = dueDate === null ? [] : (dueDate.length === 10 ? dayOffsets : offsets)
    .filter((offset) => !alarms.some((each) => each.offset === offset));
  return [
    h("ul", {}, alarms.map((each, index) => h("li", { key: each.id ?? index, class: "alarm" },
      h("span", {}, alarmText(each, reminder)), h("button", { class: "icon tiny",
        "aria-label": text.remove(alarmText(each, reminder)),
        onclick: () => change({ alarms: alarms.filter((other) => other !== each) }) },
      icon("x", true))))),
    alarms.length < 20 && h("div", { key: alarms.length, class: "add-alarm" },
      choice(text.addAlarm, "", [["", text.addAlarm],
        ...left.map((offset) => [offset, alarmText({ offset }, reminder)]),
        [OWN, `${words.other}…`]],
      (offset) => offset === OWN ? openAbout("alarm", reminder) :
        change({ alarms: [...alarms, { offset, from: "due" }] }))),
  ];
}

/**
 * An alarm of any kind.
 * @param {import("../state.js").Dialog} dialog @param {import("./dialogs.js").Shell} shell
 * @returns {any}
 */
export function alarm(dialog, shell) {
  const reminder = store.reminder(dialog.id) ?? dialog.reminder, text = words.alarm;
  if (!reminder) return undefined;
  const { dueDate, startDate, alarms } = reminder;
  const names = ["-due", "due", "-start", "start"].filter((each) =>
    each.includes("due") ? dueDate : startDate);
  const way = dialog.way ??= names[0] ?? "at", number = { type: "number", class: "field n" };
  /** @param {FormData} data */
  const save = (data) => {
    const [count, unit, day, times] = ["count", "unit", "day", "times"].map((each) =>
      data.get(each));
    const offset = `${way[0].replace(/\w/, "")}P${/[HM]/.test(unit) ? "T" : ""}${count}${unit}`;
    edit(reminder.id, { alarms: [...alarms, {
      ...way === "at" ? { at: instantOf(day || today(), data.get("time") || "09:00") } :
        { offset, from: /** @type {"due" | "start"} */ (way.replace("-", "")) },
      ...Number(times) > 0 && { repeat: { every: `PT${data.get("every")}M`,
        times: Number(times) } } }] }, undefined, reminder);
  };
  return shell(words.detail.addAlarm, [
    h("p", { key: way, class: "line" },
      way === "at" ? moment(today(), "09:00") : [
        field(text.count, "count", 10, { ...number, min: 0, max: 999, required: true,
          autofocus: true }),
        choice(words.repeat.unit, "M", Object.entries(units).map(([each, unit]) =>
          [each, unitName(unit)]), undefined, "unit")],
      choice(text.way, way, [...names, "at"].map((each) => [each, text.ways[each]("")]), (way) => {
        dialog.way = way;
        update();
      })),
    h("label", { class: "radio" }, h("input", { type: "checkbox",
      checked: Boolean(dialog.isRepeated), onchange: ({ target }) => {
        dialog.isRepeated = target.checked;
        update();
      } }), text.repeats),
    dialog.isRepeated && h("p", { key: "again", class: "line" }, text.again[0],
      field(text.times, "times", 3, { ...number, min: 1, max: 100, required: true }),
      text.again[1],
      field(text.every, "every", 5, { ...number, min: 1, max: 1440, required: true }),
      unitName(units.M)),
  ], save, words.add);
}
