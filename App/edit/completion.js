// SPDX-License-Identifier: Apache-2.0
// Names of lists and tags, offered while one types # or @ in the line.

import { h } from "../render.js";
import { state, store, update } from "../state.js";
import { words } from "../words.js";
import { setText } from "./quick.js";

const MOST = 6;

/** @param {HTMLTextAreaElement} field Offers what the name before the caret may become. */
export function complete(field) {
  const end = field.selectionStart, found = /(?:^|\s)([#@])("?)([^"#@]*)$/.exec(
    field.value.slice(0, end));
  const [, sign, quote, typed] = found ?? [], start = end - (quote + typed).length - 1;
  // A name of several words is in quotes.
  const isOver = !found || !quote && /\s/.test(typed);
  const begins = (/** @type {string} */ text) => text.toLowerCase().startsWith(typed.toLowerCase());
  const names = isOver ? [] : sign === "#" ? store.lists.map(({ title }) => title) : store.tags;
  const items = names.filter((name) => [name, ...name.split(/\s+/)].some(begins)).slice(0, MOST);
  const isWhole = names.some((name) => name.toLowerCase() === typed?.toLowerCase());
  update({ completion: items.length > 0 && !isWhole ? { sign, items, index: 0, start, end } :
    undefined });
}

/** @param {number} index of the one that is taken */
function take(index) {
  const { completion } = state, field = document.querySelector(".typed textarea");
  if (!completion || !(field instanceof HTMLTextAreaElement)) return;
  const { sign, items, start, end } = completion, name = items[index];
  const text = `${sign}${/^[\p{L}\p{N}_-]+$/u.test(name) ? name : `"${name}"`} `;
  // At once, so that what is typed next is behind it.
  field.setRangeText(text, start, end, "end");
  setText(field.value);
}

/** @param {KeyboardEvent} event @returns {boolean} whether the key was for the names */
export function completionKey(event) {
  const { completion } = state, { key } = event;
  if (!completion || event.isComposing) return false;
  const { items, index } = completion, step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step) {
    const next = (index + step + items.length) % items.length;
    update({ completion: { ...completion, index: next } });
  } else if (key === "Enter" || key === "Tab" && !event.shiftKey) take(index);
  else if (key === "Escape") update({ completion: undefined });
  else return false;
  event.preventDefault();
  return true;
}

export function completions() {
  const { completion } = state;
  return completion && h("ul", { key: "names", id: "names", class: "names", role: "listbox",
    "aria-label": completion.sign === "#" ? words.lists : words.tags },
  completion.items.map((name, index) => h("li", { key: name, id: `name-${index}`, role: "option",
    "aria-selected": String(index === completion.index),
    onpointerdown: (event) => {
      event.preventDefault();
      take(index);
    } }, `${completion.sign}${name}`)));
}
