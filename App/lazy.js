// SPDX-License-Identifier: Apache-2.0
// What is loaded when it is needed: the views and menus of later.js, the pages of pages.js.

import { update } from "./state.js";

/** @typedef {typeof import("./later.js") & typeof import("./pages.js")} Later */
/** @typedef {"later" | "pages"} Part */
/** @type {Record<Part, () => Promise<any>>} */
const parts = { later: () => import("./later.js"), pages: () => import("./pages.js") };
/** @type {Record<Part, any>} */
const loaded = { later: undefined, pages: undefined };
/** @type {Partial<Record<Part, Promise<void>>>} */
const loading = {};

/** What pages.js has. */
const pages = ["answer", "askCopy", "calendar", "completed", "settings", "stats", "trash"];
/** @param {string} name @returns {Part} */
const partOf = (name) => pages.includes(name) ? "pages" : "later";

/** @param {Part} [part] */
export function load(part = "later") {
  return loading[part] ??= parts[part]().then((module) => {
    loaded[part] = module;
    update();
  }).catch(() => {
    // Without a network; a drawing tries again.
    loading[part] = undefined;
    setTimeout(update, 2000);
  });
}

export const isLoaded = () => loaded.later !== undefined;

/**
 * A view of a later part, or nothing until it is there.
 * @template {keyof Later} K
 * @param {K} name @param {Parameters<Later[K]>} all @returns {import("./render.js").Children}
 */
export function lazy(name, ...all) {
  const part = partOf(name);
  load(part);
  return loaded[part]?.[name](...all);
}

/**
 * The gestures of edit/pointer.js, which find the row by its element. A list is only dragged.
 * @type {import("./render.js").Props<HTMLElement>}
 */
export const itemPointer = { onpointerdown: (event) => loaded.later?.down(event),
  oncontextmenu: (event) => loaded.later?.hold(event) };
/** @type {import("./render.js").Props<HTMLElement>} */
export const rowPointer = { ...itemPointer, onclick: (event) => loaded.later?.click(event) };

/**
 * Calls a function of a later part: at once if it is there, as an event needs it.
 * @template {keyof Later} K
 * @param {K} name @param {Parameters<Later[K]>} all @returns {any}
 */
export function open(name, ...all) {
  const part = partOf(name), call = () => loaded[part]?.[name](...all);
  return loaded[part] ? call() : load(part).then(call);
}
