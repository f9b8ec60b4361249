// SPDX-License-Identifier: Apache-2.0
// What was completed, by day.

import { ask } from "../ask.js";
import { h } from "../render.js";
import { state, update } from "../state.js";
import { dayName, dueDay, today } from "../time.js";
import { words } from "../words.js";
import { doneRow } from "./list.js";
import { empty, head, note } from "./parts.js";

export function view() {
  const limit = state.limits?.completed ?? 100;
  const { body, problem } = ask(`/v1/reminders?completed=true&sort=-completedAt&limit=${limit}`);
  const days = new Map();
  for (const each of body?.items ?? []) {
    const day = dueDay(each.completedAt);
    days.set(day, [...days.get(day) ?? [], each]);
  }
  return [head({ title: words.completed }), note(),
    problem && !body && h("p", { class: "line quiet" }, words.needsNetwork),
    [...days].map(([day, all]) => h("section", { key: day, class: "group",
      "aria-labelledby": `d-${day}` },
    h("h2", { id: `d-${day}` }, dayName(day, today(), words),
      h("span", { class: "n" }, String(all.length))),
    h("ul", {}, all.map((each) => doneRow(each))))),
    body?.items.length === 0 && empty("completed"),
    body?.nextCursor && limit < 500 && h("button", { class: "btn", onclick: () =>
      update({ limits: { ...state.limits, completed: 500 } }) }, words.showMore)];
}
