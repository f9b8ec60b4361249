// SPDX-License-Identifier: Apache-2.0
// A month or a week of what is due. A reminder is dragged to another day as in Scheduled.

import { icon } from "../icons.js";
import { rowPointer } from "../lazy.js";
import { hashOf, scheduled } from "../places.js";
import { h } from "../render.js";
import { state, store } from "../state.js";
import { addDays, capital, clock, dayText, daysBetween, dueDay, firstWeekday, isDate, isLate,
  longDay, today, weekday } from "../time.js";
import { words } from "../words-more.js";
import { head, note } from "./parts.js";
import { isCollected } from "./window.js";

/**
 * @typedef {import("../places.js").Scheduled} Scheduled
 * @typedef {import("../state.js").Place} Place
 */

/** Reminders of a day in a month; the others are in its week. */
const MOST = 4;
const text = words.cal;

/** @param {boolean} isWeek @param {string} day */
const placeOf = (isWeek, day) => hashOf({ place: "calendar",
  query: new URLSearchParams({ view: isWeek ? "week" : "month", day }) });

/** @param {string} day @returns the first day of its week, by the region of the browser */
const weekOf = (day) => addDays(day, -((weekday(day) - firstWeekday() + 7) % 7));

/** @param {string} day @param {number} count @returns the first day of another month */
function addMonths(day, count) {
  const date = new Date(`${day.slice(0, 7)}-01T12:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 10);
}

/** @param {Place} place @param {number} now */
export function view({ query }, now) {
  const isWeek = query?.get("view") === "week", current = today(now);
  const asked = query?.get("day") ?? "", day = isDay(asked) ? asked : current;
  const month = day.slice(0, 7), start = weekOf(isWeek ? day : `${month}-01`);
  const last = addDays(addMonths(day, 1), -1);
  const weeks = isWeek ? 1 : Math.ceil((daysBetween(start, last) + 1) / 7);
  /** @type {Map<string, Scheduled[]>} */
  const due = new Map();
  for (const each of scheduled()) {
    const key = dueDay(each.dueDate), some = due.get(key);
    if (some) some.push(each);
    else due.set(key, [each]);
  }
  const title = isWeek ? text.week(dayText(start, { day: "numeric", month: "short" }),
    dayText(addDays(start, 6), { day: "numeric", month: "short", year: "numeric" })) :
    capital(dayText(day, { month: "long", year: "numeric" }));
  /** @param {number} count */
  const to = (count) => placeOf(isWeek, isWeek ? addDays(day, count * 7) : addMonths(day, count));
  return [head({ title, tools: [
    h("a", { key: "back", class: "icon", href: to(-1), "aria-label": text.previous },
      icon("back")),
    h("a", { key: "today", class: "btn bare", href: placeOf(isWeek, current) }, words.today),
    h("a", { key: "next", class: "icon next", href: to(1), "aria-label": text.next },
      icon("back"))] }),
  note(), switcher(isWeek ? "week" : "month", day),
  h("div", { key: "cal", class: isWeek ? "cal week-of" : "cal", role: "table",
    "aria-label": title },
  h("div", { role: "row", class: "cal-head" }, [...Array(7).keys()].map((index) => h("span",
    { key: index, role: "columnheader", "aria-label": dayText(addDays(start, index),
      { weekday: "long" }) }, dayText(addDays(start, index), { weekday: "short" })))),
  [...Array(weeks).keys()].map((week) => h("div", { key: week, role: "row" },
    [...Array(7).keys()].map((index) => {
      const each = addDays(start, week * 7 + index);
      return cell(each, due.get(each) ?? [], { isWeek, now, current,
        isOther: !isWeek && each.slice(0, 7) !== month });
    }))))];
}

/** @param {string} text */
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/**
 * Beside Scheduled: a list, a month and a week of the same.
 * @param {"list" | "month" | "week"} chosen @param {string} day
 */
export const switcher = (chosen, day) => h("nav", { key: "views", class: "views",
  "aria-label": text.views }, [["list", "#/scheduled"], ["month", placeOf(false, day)],
  ["week", placeOf(true, day)]].map(([name, href]) => h("a", { key: name, class: "chip", href,
  "aria-current": name === chosen ? "page" : undefined }, text.names[name])));

/**
 * @param {string} day @param {Scheduled[]} all
 * @param {{ isWeek: boolean, now: number, current: string, isOther: boolean }} options
 */
function cell(day, all, { isWeek, now, current, isOther }) {
  const some = isWeek ? all : all.slice(0, MOST), rest = all.length - some.length;
  const names = ["cell", isOther && "other", day === current && "is-today"];
  return h("div", { key: day, role: "cell", class: names.filter(Boolean).join(" "),
    "data-day": day, "aria-current": day === current ? "date" : undefined },
  h("a", { class: "day", href: placeOf(true, day), "aria-label": text.day(longDay(day),
    all.length) }, h("span", {}, dayText(day, { weekday: "short" })),
  h("b", {}, dayText(day, { day: "numeric" })), all.length > 0 && h("i", { class: "n" },
    String(all.length))),
  some.length > 0 && h("ul", {}, some.map((each) => entry(each, now))),
  rest > 0 && h("a", { class: "rest", href: placeOf(true, day), "aria-hidden": "true",
    tabindex: -1 }, text.more(rest)));
}

/** @param {Scheduled} reminder @param {number} now */
function entry(reminder, now) {
  const { id, title, dueDate, listID } = reminder, key = store.keyOf(id);
  isCollected(key);
  const list = store.list(listID), isSelected = state.selected.has(key);
  const names = ["event", isLate(reminder, now) && "late", isSelected && "is-sel"];
  return h("li", { key: `row ${key}`, class: names.filter(Boolean).join(" "), "data-row": key,
    ...rowPointer }, h("i", { class: "dot", list: list?.color }),
  !isDate(dueDate) && h("time", {}, clock(dueDate)), h("a", { class: "title",
    href: `#/reminders/${key}`, draggable: "false" }, title, isSelected && h("span",
    { class: "vh" }, ` (${words.row.selected})`)));
}
