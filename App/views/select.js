// SPDX-License-Identifier: Apache-2.0
// What can be done to all that are selected, as one batch.

import { editAll, onDay, removeAll } from "../actions.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { state, update } from "../state.js";
import { today } from "../time.js";
import { words } from "../words.js";
import { openMoveMenu } from "./menus.js";

const text = words.select;

export function view() {
  const ids = [...state.selected];
  const button = (name, label, act, extra = "") => h("button", { key: name,
    class: `btn bare ${extra}`, onclick: act }, icon(name, true), label);
  return h("section", { key: "bar", class: "bar", "aria-label": text.number(ids.length) },
    h("p", { role: "status" }, text.number(ids.length)),
    button("done", text.done, () => editAll(ids, { status: "completed" })),
    button("today", text.today, () => editAll(ids, ({ dueDate }) =>
      ({ dueDate: onDay(dueDate, today()) }))),
    button("flag", text.flag, () => editAll(ids, { isFlagged: true })),
    button("move", text.move, (event) => openMoveMenu(ids, event.currentTarget)),
    button("bin", text.delete, () => removeAll(ids), "warn"),
    button("x", text.clear, () => update({ selected: new Set() })));
}
