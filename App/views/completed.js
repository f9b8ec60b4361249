// SPDX-License-Identifier: Apache-2.0
// What was completed, and what else the server tells by days.

import { ask } from "../ask.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { state, update } from "../state.js";
import { dayName, dueDay, today } from "../time.js";
import { words } from "../words-more.js";
import { doneRow } from "./list.js";
import { empty, head, note } from "./parts.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../render.js").Node_} Node_
 */

/**
 * @template {object} T
 * @param {"completed" | "trash"} name of the place @param {string} path
 * @param {keyof T} at the member with the time @param {(item: T) => Node_} draw
 * @param {{ tools?: Children, end?: Children }} parts
 */
export function days(name, path, at, draw, { tools, end }) {
  const { body, problem } = ask(path);
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const each of body?.items ?? []) {
    const day = dueDay(each[at]);
    groups.set(day, [...groups.get(day) ?? [], each]);
  }
  return [head({ title: words[name], tools: body?.items.length > 0 && tools }), note(),
    problem && !body && h("p", { class: "line quiet" }, words.needsNetwork),
    [...groups].map(([day, all]) => h("section", { key: day, class: `group of-${name}`,
      "aria-labelledby": `d-${day}` },
    h("h2", { id: `d-${day}` }, dayName(day, today(), words),
      h("span", { class: "n" }, String(all.length))),
    h("ul", {}, all.map((each) => draw(each))))),
    body?.items.length === 0 && empty(name), body?.nextCursor && end];
}

export function view() {
  const limit = state.limits?.completed ?? 100;
  return days("completed", `/v1/reminders?completed=true&sort=-completedAt&limit=${limit}`,
    "completedAt", doneRow, { tools: h("a", { class: "icon", href: "#/stats",
      "aria-label": words.statistics }, icon("bars")), end: limit < 500 && h("button",
      { class: "btn", onclick: () =>
        update({ limits: { ...state.limits, completed: 500 } }) }, words.showMore) });
}
