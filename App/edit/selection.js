// SPDX-License-Identifier: Apache-2.0
// Several rows at once: a range from an anchor, by clicks and by keys, and all of them. Most rows
// of a long list do not exist, so that a range is one of its order.

import { rows, settle } from "../focus.js";
import { state, store, update } from "../state.js";
import { order } from "../views/window.js";

/** @typedef {import("../store.js").ID} ID */

/** @param {HTMLElement} row @returns {ID} */
const keyOf = (row) => store.keyOf(store.idOf(/** @type {string} */ (row.dataset.row)));

/**
 * The rows from the anchor, or from the row itself where there is none, to the row.
 * @param {ID[]} all @param {ID} key
 */
function range(all, key) {
  const anchor = all.indexOf(/** @type {ID} */ (state.anchor)), index = all.indexOf(key);
  const [start, end] = [anchor < 0 ? index : anchor, index].sort((a, b) => a - b);
  return all.slice(Math.max(0, start), end + 1);
}

/** @param {HTMLElement} row All from the anchor to the row are selected. */
export function selectTo(row) {
  state.anchor ??= keyOf(row);
  update({ selected: new Set([...state.selected, ...range(order(), keyOf(row))]) });
}

/** @param {number} step The range from the anchor ends one row further. */
export function extendSelection(step) {
  const row = settle() ?? rows()[0], near = rows(), next = near[near.indexOf(row) + step];
  if (!row || !next) return;
  if (state.selected.size === 0) state.anchor = keyOf(row);
  const selected = new Set(state.selected), all = order();
  for (const each of range(all, keyOf(row))) selected.delete(each);
  for (const each of range(all, keyOf(next))) selected.add(each);
  next.querySelector(".title")?.focus();
  next.scrollIntoView({ block: "nearest" });
  update({ selected });
}

export const selectAll = () => update({ selected: new Set(order()) });
