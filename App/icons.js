// SPDX-License-Identifier: Apache-2.0
import { h } from "./render.js";

/**
 * A drawing of the sheet in index.html. A word says the same beside it, or its button's name.
 * @param {string} name
 */
export const icon = (name, small = false) =>
  h("svg", { class: small ? "i i-s" : "i", "aria-hidden": "true" },
    h("use", { href: `#i-${name}` }));

/** @param {string} name @param {string} label One that says something alone. */
export const sign = (name, label, extra = "") =>
  h("svg", { class: `i ${extra}`, role: "img", "aria-label": label },
    h("use", { href: `#i-${name}` }));
