// SPDX-License-Identifier: Apache-2.0
// The rows of the page: which is focused, which are selected, and the way back to one.

import { hashOf } from "./places.js";
import { go, state, store, update } from "./state.js";

/** @typedef {import("./store.js").ID} ID */

export const rows = () => [...document.querySelectorAll("#main [data-row]:not(.done)")];
/** @param {any} element @returns {HTMLElement | undefined} */
export const rowOf = (element) => element?.closest?.("[data-row]");

/** @param {ID} id */
export function toggle(id) {
  const key = store.keyOf(store.idOf(id)), selected = new Set(state.selected);
  if (!selected.delete(key)) selected.add(key);
  update({ selected, anchor: key });
}

export function closeDetail() {
  const { id } = state.route;
  // As long as it is open, what it covers may not have the focus.
  addEventListener("hashchange", () => document.querySelector(
    `[data-row="${store.keyOf(store.idOf(id))}"] .title`)?.focus(), { once: true });
  go(hashOf(state.place));
}
