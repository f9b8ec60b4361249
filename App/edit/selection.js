// SPDX-License-Identifier: Apache-2.0
// Several rows at once: a range from an anchor, by clicks and by keys, and all of them.

import { rowOf, rows } from "../focus.js";
import { state, store, update } from "../state.js";

/** @typedef {import("../store.js").ID} ID */

/** @param {HTMLElement} row @returns {ID} */
const keyOf = (row) => store.keyOf(store.idOf(/** @type {string} */ (row.dataset.row)));

/**
 * The rows between two, which are a part of it.
 * @param {HTMLElement} one @param {HTMLElement} other
 */
function between(one, other) {
  const all = rows(), [start, end] = [all.indexOf(one), all.indexOf(other)].sort((a, b) => a - b);
  return all.slice(Math.max(0, start), end + 1).map(keyOf);
}

/** @param {HTMLElement} row The anchor, or the row itself where there is none. */
const anchorOf = (row) =>
  rows().find((each) => String(keyOf(each)) === String(state.anchor)) ?? row;

/** @param {HTMLElement} row All from the anchor to the row are selected. */
export function selectTo(row) {
  state.anchor ??= keyOf(row);
  update({ selected: new Set([...state.selected, ...between(anchorOf(row), row)]) });
}

/** @param {number} step The range from the anchor ends one row further. */
export function extendSelection(step) {
  const all = rows(), row = rowOf(document.activeElement) ?? all[0];
  const next = all[all.indexOf(row) + step];
  if (!row || !next) return;
  if (state.selected.size === 0) state.anchor = keyOf(row);
  const selected = new Set(state.selected), anchor = anchorOf(row);
  for (const each of between(anchor, row)) selected.delete(each);
  for (const each of between(anchor, next)) selected.add(each);
  next.querySelector(".title")?.focus();
  next.scrollIntoView({ block: "nearest" });
  update({ selected });
}

export const selectAll = () => update({ selected: new Set(rows().map(keyOf)) });
