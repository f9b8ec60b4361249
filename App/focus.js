// SPDX-License-Identifier: Apache-2.0
// The rows of the page: which is focused, which are selected, and the way back to one.

import { hashOf } from "./places.js";
import { drawNow, go, state, store, update } from "./state.js";
import { look } from "./views/window.js";

/** @typedef {import("./store.js").ID} ID */

export const rows = () => [...document.querySelectorAll("#main [data-row]:not(.done)")];
/** @param {any} element @returns {HTMLElement | undefined} */
export const rowOf = (element) => element?.closest?.("[data-row]");

/**
 * The row that is focused, or was last, with its neighbors: they exist where the window is.
 * @returns {HTMLElement | undefined}
 */
export function settle() {
  const row = rowOf(document.activeElement) ??
    rows().find((each) => each.dataset.row === String(state.current));
  row?.scrollIntoView({ block: "nearest" });
  if (look()) drawNow();
  return row;
}

/** @param {ID} id */
export function toggle(id) {
  const key = store.keyOf(store.idOf(id)), selected = new Set(state.selected);
  if (!selected.delete(key)) selected.add(key);
  update({ selected, anchor: key });
}

export function closeDetail() {
  const { id } = state.route;
  state.current = store.keyOf(store.idOf(id));
  // As long as it is open, what it covers may not have the focus.
  addEventListener("hashchange", () => document.querySelector(
    `[data-row="${store.keyOf(store.idOf(id))}"] .title`)?.focus(), { once: true });
  go(hashOf(state.place));
}
