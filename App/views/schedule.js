// SPDX-License-Identifier: Apache-2.0
// How a reminder recurs, in words, and when it rings.

import { alarmText } from "../edit/quick.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { clock, dueDay, shortDay, today, weekday } from "../time.js";
import { words } from "../words.js";

const text = words.detail, OWN = "own";
const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
/** The reminders whose rule is written out. */
const open = new Set();

/** "FREQ=WEEKLY" on a Friday and "FREQ=WEEKLY;BYDAY=FR" are the same. */
function shortened(rule, day) {
  return rule.replace(`FREQ=WEEKLY;BYDAY=${DAYS[weekday(day)]}`, "FREQ=WEEKLY")
    .replace(`;INTERVAL=2;BYDAY=${DAYS[weekday(day)]}`, ";INTERVAL=2")
    .replace(`FREQ=MONTHLY;BYMONTHDAY=${Number(day.slice(8))}`, "FREQ=MONTHLY")
    .replace(/FREQ=YEARLY;BYMONTH=\d+;BYMONTHDAY=\d+/, "FREQ=YEARLY");
}

export function repeat(reminder, change) {
  const { id, recurrence, dueDate } = reminder, day = dueDate === null ? today() : dueDay(dueDate);
  const rule = recurrence ? shortened(recurrence.rule ?? "", day) : "";
  const options = words.repeats(DAYS[weekday(day)], Number(day.slice(8)));
  const isKnown = options.some(([each]) => each === rule);
  const set = (rule) => change({ recurrence: rule ? { rule, basis: recurrence?.basis ??
    "due" } : null,
    ...dueDate === null && rule && { dueDate: day } });
  const isOwn = open.has(id);
  return [
    h("select", { key: "rule", class: "field", "aria-label": text.repeat,
      value: isOwn ? OWN : rule, onchange: ({ target }) => {
        if (target.value === OWN) open.add(id);
        else open.delete(id);
        if (target.value !== OWN) set(target.value);
        else target.dispatchEvent(new CustomEvent("redraw", { bubbles: true }));
      } },
    options.map(([each, name]) => h("option", { key: each, value: each,
      selected: !isOwn && each === rule }, name)),
    !isKnown && h("option", { key: rule, value: rule, selected: !isOwn }, sentence(rule)),
    h("option", { key: OWN, value: OWN, selected: isOwn }, `${text.own}…`)),
    isOwn && h("input", { key: "own", class: "field mono", "aria-label": text.rule,
      value: recurrence?.rule ?? "", placeholder: "FREQ=WEEKLY;BYDAY=MO,TH", spellcheck: "false",
      maxlength: 500, autocapitalize: "characters", onchange: ({ target }) => {
        open.delete(id);
        set(target.value.trim());
      } }),
    recurrence && h("select", { key: "basis", class: "field", "aria-label": text.basis,
      value: recurrence.basis, onchange: ({ target }) =>
        change({ recurrence: { rule: recurrence.rule, basis: target.value } }) },
    ["due", "each", "completion"].map((each) => h("option", { key: each, value: each,
      selected: each === recurrence.basis }, text.bases[each]))),
  ];
}

const sentence = (rule) => {
  const words_ = words.recurrence(rule);
  return words_[0].toUpperCase() + words_.slice(1);
};

const offsets = ["PT0S", "-PT10M", "-PT30M", "-PT1H", "-P1D", "-P7D"];
const dayOffsets = ["PT9H", "-PT15H", "-P7D"];

/** Alarms are replaced as a whole; those that stay keep their ID, and with it their state. */
export function alarms({ alarms, dueDate }, change) {
  const keep = alarms.map(({ id, at, offset, from, repeat }) => ({ id, at, offset, from, repeat }));
  const name = ({ at, offset }) => at ? `${shortDay(dueDay(at))}, ${clock(at)}` : alarmText(offset);
  const left = (dueDate?.length === 10 ? dayOffsets : offsets)
    .filter((offset) => !alarms.some((each) => each.offset === offset));
  return [
    h("ul", {}, alarms.map((each, index) => h("li", { key: each.id ?? index, class: "alarm" },
      h("span", {}, name(each)), h("button", { class: "icon tiny",
        "aria-label": text.removeAlarm(name(each)),
        onclick: () => change({ alarms: keep.filter((_, other) => other !== index).map(input) }) },
      icon("x", true))))),
    dueDate !== null && alarms.length < 20 && h("select", { key: alarms.length,
      class: "field add-alarm",
      "aria-label": text.addAlarm, value: "", onchange: ({ target }) => target.value &&
        change({ alarms: [...keep.map(input), { offset: target.value, from: "due" }] }) },
    h("option", { value: "" }, text.addAlarm),
    left.map((offset) => h("option", { key: offset, value: offset }, alarmText(offset)))),
    dueDate === null && alarms.length === 0 && h("span", { class: "quiet" }, text.none),
  ];
}

/** Members that are null are left out, as in a body of the API. */
const input = (alarm) =>
  Object.fromEntries(Object.entries(alarm).filter(([, value]) => value !== null &&
    value !== undefined));
