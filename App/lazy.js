// SPDX-License-Identifier: Apache-2.0
// What is loaded when it is needed: the views of later.js, and the menus.

import { update } from "./state.js";

/** @typedef {typeof import("./later.js")} Later */
/** @type {any} */
let later;
/** @type {Promise<void> | undefined} */
let loading;
export function load() {
  return loading ??= import("./later.js").then((module) => {
    later = module;
    update();
  }).catch(() => {
    // Without a network; a drawing tries again.
    loading = undefined;
    setTimeout(update, 2000);
  });
}

export const isLoaded = () => later !== undefined;

/**
 * A view of later.js, or nothing until it is there.
 * @template {keyof Later} K
 * @param {K} name @param {Parameters<Later[K]>} all @returns {import("./render.js").Children}
 */
export function lazy(name, ...all) {
  load();
  return later?.[name](...all);
}

/**
 * The gestures of edit/pointer.js, which find the row by its element. A list is only dragged.
 * @type {import("./render.js").Props<HTMLElement>}
 */
export const itemPointer = { onpointerdown: (event) => later?.down(event),
  oncontextmenu: (event) => later?.hold(event) };
/** @type {import("./render.js").Props<HTMLElement>} */
export const rowPointer = { ...itemPointer, onclick: (event) => later?.click(event) };

/**
 * Calls a function of later.js: at once if it is there, as an event needs it.
 * @template {keyof Later} K
 * @param {K} name @param {Parameters<Later[K]>} all @returns {any}
 */
export const open = (name, ...all) => later ? later[name](...all) :
  load().then(() => later?.[name](...all));
