// SPDX-License-Identifier: Apache-2.0
// Of a long list only the rows near the window exist. It is drawn in parts of some rows; a part
// that is far away is empty, and as tall as it was or will be.

import { h } from "../render.js";
import { onDrawn, state, store, update } from "../state.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../store.js").ID} ID
 */

/** Rows of a part, from how many rows on there are parts, and pixels of a row until one is seen. */
const PART = 10, MANY = 60, ROW = 44;
/** So much of a window above it, and below it, is drawn, too. */
const MARGIN = .3;

/** @type {Set<string>} The parts near the window. */
let near = new Set();
/** @type {Set<string>} The parts whose place is known. */
let known = new Set();
/** @type {Map<string, number>} How tall parts are, or are thought to be. */
const tall = new Map();
/** What these are of: another place, or another width, begins anew. */
let seen = "";
/** @type {() => unknown} Draws the rows of the page. */
let drawAll = () => [];
/** @type {Set<unknown>} Rows that exist wherever they are, and those that they are below. */
let wanted = new Set();
/** @type {ID[] | undefined} */
let collected;

const isWhole = () => state.isPrinted || state.isWhole;

/** What is focused, edited or dragged stays, so that it is not lost when one scrolls. */
function kept() {
  const dragged = document.querySelector(":is(.is-drag, .is-swipe)[data-row]");
  const open = state.route.place === "reminders" ? state.route.id : undefined;
  const all = new Set();
  for (const key of [state.current, state.editing, open, dragged?.dataset.row]) {
    let reminder = store.reminder(key);
    while (reminder && !all.has(reminder.id)) {
      all.add(reminder.id);
      reminder = store.reminder(reminder.parentID);
    }
  }
  return all;
}

/** @template T @param {() => T} draw what has the rows of the page @returns {T} */
export function drawRows(draw) {
  drawAll = draw;
  wanted = kept();
  return draw();
}

/** @returns {ID[]} The keys of all rows in their order, also of those that do not exist now. */
export function order() {
  collected = [];
  try {
    drawAll();
    return collected;
  } finally {
    collected = undefined;
  }
}

/** @param {ID} key of a row that is drawn @returns {boolean} whether only its key is asked for */
export function isCollected(key) {
  collected?.push(key);
  return collected !== undefined;
}

/**
 * Parts of a list, or all of it if it is short.
 * @template T
 * @param {string} name of the list on the page
 * @param {T[]} items @param {(item: T, place: number, isLong: boolean) => Children} draw
 * @param {(item: T) => number} weigh how many rows it has
 * @param {(item: T) => ID[]} ids the reminders that it has
 * @returns {Children[]}
 */
export function windowed(name, items, draw, weigh, ids) {
  const weights = items.map(weigh), isLong = weights.reduce((a, b) => a + b, 0) >= MANY;
  /** @param {number} start @param {number} end */
  const some = (start, end) => items.slice(start, end).map((item, index) =>
    draw(item, start + index, isLong));
  if (!isLong || collected || isWhole()) return some(0, items.length);
  /** @type {Children[]} */
  const parts = [];
  let start = 0, rows = 0;
  for (let end = 1; end <= items.length; end++) {
    rows += weights[end - 1];
    if (rows < PART && end < items.length) continue;
    const key = `${name} ${parts.length}`;
    if (!tall.has(key)) tall.set(key, rows * ROW);
    // The first ones, until it is known where the window is.
    const isNear = known.has(key) ? near.has(key) : parts.length < 4;
    const isDrawn = isNear || wanted.size > 0 && items.slice(start, end).some((item) =>
      ids(item).some((id) => wanted.has(id)));
    parts.push(h("div", { key: `part ${key}`, class: "part", role: "none", "data-part": key,
      size: tall.get(key) }, isDrawn && some(start, end)));
    start = end;
    rows = 0;
  }
  return parts;
}
/**
 * Finds the parts near the window.
 * @returns {boolean} whether they are others than before
 */
export function look() {
  const main = document.querySelector("#main");
  const parts = main?.querySelectorAll("[data-part]") ?? [];
  if (!main || parts.length === 0) return false;
  const { top, bottom, width, height } = main.getBoundingClientRect();
  const is = `${state.place.place} ${state.place.id ?? ""} ${width}`;
  if (is !== seen) {
    tall.clear();
    known = new Set();
    seen = is;
  }
  const found = /** @type {Set<string>} */ (new Set()), all = new Set();
  for (const each of parts) {
    const box = each.getBoundingClientRect(), key = /** @type {string} */ (each.dataset.part);
    all.add(key);
    if (each.firstChild) tall.set(key, box.height);
    if (box.bottom > top - height * MARGIN && box.top < bottom + height * MARGIN) found.add(key);
  }
  const isOther = all.size !== known.size || found.size !== near.size ||
    [...found].some((key) => !near.has(key));
  [near, known] = [found, all];
  return isOther;
}

/** The page scrolls, or has changed: rows that come near are drawn before they are seen. */
export function follow() {
  if (!isWhole() && look()) update();
}
onDrawn(follow);
addEventListener("resize", follow);
addEventListener("beforeprint", () => update({ isPrinted: true }));
addEventListener("afterprint", () => update({ isPrinted: false }));
// The browser finds only what exists.
addEventListener("keydown", ({ key, ctrlKey, metaKey, shiftKey, altKey }) => {
  const isFind = key === "F3" || key.toLowerCase() === "f" && (ctrlKey || metaKey) && !shiftKey &&
    !altKey;
  if (isFind) update({ isWhole: true });
}, true);
