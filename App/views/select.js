// SPDX-License-Identifier: Apache-2.0
// What can be done to all that are selected, as one batch.

import { editAll, removeAll } from "../actions.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { state, update } from "../state.js";
import { words } from "../words-more.js";
import { openDueMenu, openMenu, openMoveMenu, openPriorityMenu, openTags } from "./menus.js";

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
    button("date", `${words.detail.due}…`, (event) => openDueMenu(ids, event.currentTarget)),
    button("move", words.row.move, (event) => openMoveMenu(ids, event.currentTarget)),
    button("bin", words.row.delete, () => removeAll(ids), "warn"),
    button("more", words.more, ({ currentTarget }) => openMenu(currentTarget, words.more, [
      { icon: "flag", label: words.row.flag, do: () => editAll(ids, { isFlagged: true }) },
      { icon: "flag", label: words.row.unflag, do: () => editAll(ids, { isFlagged: false }) },
      { icon: "bars", label: `${words.detail.priority}…`, do: () =>
        openPriorityMenu(ids, currentTarget) },
      { icon: "tag", label: `${words.detail.tags}…`, do: () => openTags(ids) }])),
    button("x", words.close, () => update({ selected: new Set() })));
}
