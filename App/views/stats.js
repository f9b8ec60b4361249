// SPDX-License-Identifier: Apache-2.0
// What was completed: a picture by day or by week, the table behind it, and the lists.

import { ask } from "../ask.js";
import { hashOf } from "../places.js";
import { h } from "../render.js";
import { store } from "../state.js";
import { addDays, dayText, daysBetween, dueDay, shortDay, today } from "../time.js";
import { words } from "../words-more.js";
import { empty, head, note } from "./parts.js";

/**
 * @typedef {import("../martlet.js").Completion} Completion
 * @typedef {{ from: string, number: number }} Bar
 */

const text = words.stats;
/** Days of a picture, by how many days one of its bars has. */
const spans = { 1: 30, 7: 91 };
/** Pages of 500 that are asked for. */
const MOST = 20;
const WIDTH = 12, HEIGHT = 100;

/** @param {string} path @returns {{ items: Completion[], isWhole: boolean, problem?: unknown }} */
function all(path) {
  /** @type {Completion[]} */
  const items = [];
  let cursor = "";
  for (let count = 0; count < MOST; count++) {
    const { body, problem } = ask(path + cursor);
    if (!body) return { items, isWhole: false, problem };
    items.push(...body.items);
    if (!body.nextCursor) return { items, isWhole: true };
    cursor = `&cursor=${body.nextCursor}`;
  }
  return { items, isWhole: true };
}

/** @param {import("../state.js").Place} place @param {number} now */
export function view({ query }, now) {
  const size = query?.get("by") === "week" ? 7 : 1, days = spans[size], current = today(now);
  const start = addDays(current, 1 - days);
  // The day before, because the server may have another zone.
  const { items, isWhole, problem } = all(
    `/v1/completions?after=${addDays(start, -2)}&limit=500`);
  const done = items.filter(({ kind, completedAt }) => kind !== "skipped" &&
    dueDay(completedAt) >= start);
  /** @type {Bar[]} */
  const bars = Array.from({ length: days / size }, (_, index) =>
    ({ from: addDays(start, index * size), number: 0 }));
  for (const { completedAt } of done) {
    const bar = bars[Math.floor(daysBetween(start, dueDay(completedAt)) / size)];
    if (bar) bar.number++;
  }
  const dated = done.filter(({ dueDate }) => dueDate !== null);
  const onTime = dated.filter(({ dueDate, completedAt }) => dueDay(completedAt) <=
    /** @type {string} */ (dueDay(dueDate))).length;
  return [head({ title: words.statistics, text: isWhole ? [text.done(done.length),
    dated.length > 0 && text.onTime(Math.round(onTime / dated.length * 100))].filter(Boolean)
    .join(" · ") : undefined }), note(),
  h("nav", { key: "spans", class: "views", "aria-label": text.spans }, [["day", 1], ["week", 7]]
    .map(([name, each]) => h("a", { key: name, class: "chip", "aria-current": each === size ?
      "page" : undefined, href: hashOf({ place: "stats", query: new URLSearchParams({
      by: String(name) }) }) }, text.by[name]))),
  problem && h("p", { key: "problem", class: "quiet" }, words.needsNetwork),
  isWhole && (done.length === 0 ? empty("completed") : [chart(bars, size, current),
    lists(done)])];
}

/** @param {Bar} bar @param {number} size */
const nameOf = ({ from }, size) => size === 1 ? shortDay(from) :
  `${shortDay(from)} – ${shortDay(addDays(from, size - 1))}`;

/**
 * The picture says its extremes; each number is in the table.
 * @param {Bar[]} bars @param {number} size @param {string} current
 */
function chart(bars, size, current) {
  const most = Math.max(...bars.map(({ number }) => number)), width = bars.length * WIDTH;
  const best = /** @type {Bar} */ (bars.find(({ number }) => number === most));
  return h("figure", { key: "chart", class: "chart card" },
    h("svg", { viewBox: `0 0 ${width} ${HEIGHT + 2}`, role: "img", "aria-label":
      text.picture(nameOf(best, size), most), preserveAspectRatio: "none" },
    bars.map(({ from, number }, index) => {
      const tall = number / most * HEIGHT;
      return h("rect", { key: from, x: index * WIDTH + 2, y: HEIGHT - tall, width: WIDTH - 4,
        height: tall + 2, class: daysBetween(from, current) < size ? "now" : "" });
    })),
    h("p", { class: "ends", "aria-hidden": "true" }, h("span", {}, dayText(bars[0].from,
      { day: "numeric", month: "short" })), h("span", {}, text.most(most)),
    h("span", {}, words.today)),
    h("details", {}, h("summary", {}, text.table), h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, text.by[size === 1 ? "day" : "week"]),
        h("th", { scope: "col" }, words.completed))),
      h("tbody", {}, [...bars].reverse().map((bar) => h("tr", { key: bar.from },
        h("th", { scope: "row" }, nameOf(bar, size)), h("td", {}, String(bar.number))))))));
}

/** @param {Completion[]} done */
function lists(done) {
  const counts = new Map();
  for (const { listID } of done) counts.set(listID, (counts.get(listID) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return h("section", { key: "lists", class: "group", "aria-labelledby": "stats-lists" },
    h("h2", { id: "stats-lists" }, words.lists),
    h("ul", { class: "shares" }, sorted.map(([id, number]) => {
      const list = store.list(id);
      return h("li", { key: id }, h("span", {}, h("i", { class: "dot", list: list?.color }),
        list?.title ?? text.gone), h("meter", { "aria-hidden": "true", max: done.length,
        value: number }), h("b", {}, String(number)));
    })));
}
