// SPDX-License-Identifier: Apache-2.0
// What can be done to all that are selected, as one batch.

import { dueIn, editAll, removeAll } from "../actions.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { state, update } from "../state.js";
import { words } from "../words.js";
import { openMoveMenu } from "./menus.js";

export function view() {
  const ids = [...state.selected];
  /**
   * @param {string} name @param {string} label
   * @param {(event: { currentTarget: HTMLElement }) => unknown} act
   */
  const button = (name, label, act, extra = "") => h("button", { key: name,
    class: `btn bare ${extra}`, onclick: act }, icon(name, true), label);
  return h("section", { key: "bar", class: "bar", "aria-label": words.selected(ids.length) },
    h("p", { role: "status" }, words.selected(ids.length)),
    button("done", words.done, () => editAll(ids, { status: "completed" })),
    button("today", words.today, () => dueIn(ids, 0)),
    button("flag", words.row.flag, () => editAll(ids, { isFlagged: true })),
    button("move", words.row.move, (event) => openMoveMenu(ids, event.currentTarget)),
    button("bin", words.row.delete, () => removeAll(ids), "warn"),
    button("x", words.close, () => update({ selected: new Set() })));
}
