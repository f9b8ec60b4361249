// SPDX-License-Identifier: Apache-2.0
// Chooses what a reminder is a part of, among all others of its list.

import { edit, referenceTo } from "../actions.js";
import { h } from "../render.js";
import { store, update } from "../state.js";
import { words } from "../words-more.js";
import { field } from "../views/fields.js";

const MOST = 30;
const text = words.detail;

/**
 * Enter takes the first one that is found.
 * @param {import("../state.js").Dialog} dialog @param {import("../views/dialogs.js").Shell} shell
 * @returns {any}
 */
export function parent(dialog, shell) {
  const reminder = store.reminder(dialog.id) ?? dialog.reminder;
  if (!reminder) return undefined;
  const own = new Set(store.flat([reminder]).map(({ reminder }) => reminder.id));
  const wanted = (dialog.text ?? "").trim().toLowerCase();
  const found = store.flat(store.inList(reminder.listID)).filter(({ reminder: { id, title } }) =>
    !own.has(id) && title.toLowerCase().includes(wanted));
  /** @param {string} value @param {string} title @param {unknown} isChosen @param {number} depth */
  const option = (value, title, isChosen, depth = 0) => h("li", { key: value },
    h("button", { class: "choice", value, "aria-current": isChosen ? "true" : undefined,
      size: wanted ? 0 : depth }, title));
  return shell(text.parent, [
    field(text.findParent, "find", "", { type: "search", autofocus: true,
      placeholder: text.findParent, oninput: (/** @type {any} */ { target }) => {
        dialog.text = target.value;
        update();
      } }),
    h("ul", { class: "choices", "aria-label": text.parent },
      !wanted && option("", words.priority.none, reminder.parentID === null),
      found.slice(0, MOST).map(({ reminder: { id, title }, depth }) => option(String(id), title,
        store.idOf(reminder.parentID) === id, depth))),
    h("p", { class: "quiet", role: "status" }, words.found(found.length)),
  ], (_, event) => {
    const { submitter } = /** @type {any} */ (event);
    // Nothing was found.
    if (!submitter) return event.preventDefault();
    edit(reminder.id, { parentID: submitter.value ? referenceTo(submitter.value) : null },
      undefined, reminder);
  });
}
