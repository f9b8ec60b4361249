// SPDX-License-Identifier: Apache-2.0
// Search while one types. Without a connection, what is at hand is searched.

import { ask } from "../ask.js";
import { icon } from "../icons.js";
import { problemText } from "../problems.js";
import { h } from "../render.js";
import { state, store, update } from "../state.js";
import { words } from "../words-more.js";
import { chip } from "./fields.js";
import { doneRow, openFirst } from "./list.js";
import { empty, note } from "./parts.js";
import { row } from "./row.js";

/** @typedef {import("../store.js").Reminder} Reminder */

const PAUSE = 120;
/** @type {{ text: string, asked: string, given?: string, last?: any }} */
const search = { text: "", asked: "" };
/** @type {number | undefined} */
let timer;

/** The server's text is escaped but for the marks; anything else is refused. */
const rules = { createHTML: (/** @type {string} */ text) => {
  if (/<(?!\/?mark>)/.test(text)) throw new TypeError("More than marks.");
  return text;
} };
const policy = globalThis.trustedTypes?.createPolicy("marks", rules) ?? rules;

/** @param {import("../state.js").Place} place @param {number} now */
export function view({ query }, now) {
  const given = query?.get("q");
  if (given && search.given !== given) type(search.given = given);
  return [
    h("header", { key: "head", class: "head" }, h("h1", { tabindex: -1 }, words.search)), note(),
    h("div", { key: "find", class: "find field", role: "search" }, icon("find"),
      h("input", { id: "query", type: "search", "aria-label": words.searchLabel,
        autocomplete: "off",
        placeholder: words.searchLabel, maxlength: 500, value: search.text,
        ref: (dom) => queueMicrotask(() => begin(dom)),
        oninput: ({ target }) => type(target.value), onkeydown: toResults })),
    results(now),
  ];
}

/** @param {any} field What was looked for last is replaced by what is typed. */
export function begin(field) {
  field?.focus();
  field?.select();
}

/** @param {string} text */
function type(text) {
  search.text = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    search.asked = text.trim();
    update();
  }, PAUSE);
  update();
}

/** @param {KeyboardEvent} event */
function toResults(event) {
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  event.preventDefault();
  document.querySelector("#main .row a.title")?.focus();
}

/** @param {number} now */
function results(now) {
  if (search.asked === "") return empty("searchHint");
  const { body, problem } = ask(`/v1/search?limit=50&q=${encodeURIComponent(search.asked)}`);
  const isOff = problem && (problem.status === 0 || problem.status >= 500);
  if (body) search.last = body;
  const found = isOff ? locally() : body ?? search.last;
  if (problem && !isOff) {
    return h("p", { class: "line err" }, icon("warn"), problemText(problem));
  }
  if (!found) return undefined;
  return [
    isOff && h("p", { key: "off", class: "line quiet" }, words.searchOffline),
    found.items.length === 0 ? empty("search") : h("p", { key: "n", class: "line quiet" },
      h("span", { role: "status" }, words.found(found.items.length)),
      !isOff && chip(words.smart.keep, () => update({ dialog: { kind: "list", of: "smart-list",
        title: search.asked, filter: { q: search.asked } } }))),
    h("ul", { key: "found", class: "rows", "aria-label": words.search },
      openFirst(found.items).map((each) =>
        marked(store.reminder(each.id) ?? each, each.highlights, now))),
  ];
}

function locally() {
  /** @param {string} text */
  const folded = (text) => text.toLowerCase().replaceAll("ß", "ss");
  const all = folded(search.asked).split(/\s+/);
  return { items: store.where(({ title, notes, tags }) => {
    const text = folded([title, notes, ...tags].join(" "));
    return all.every((word) => text.includes(word));
  }).slice(0, 50) };
}

/**
 * A row whose title shows what matched.
 * @param {Reminder} reminder @param {import("../martlet.js").Highlights} highlights
 * @param {number} now
 */
function marked(reminder, highlights, now) {
  const node = reminder.status === "completed" ? doneRow(reminder) :
    row(reminder, { now, showsList: true });
  if (!highlights || state.editing === store.keyOf(reminder.id)) return node;
  const children = node.children.map((/** @type {any} */ child) => child.props?.class === "title" ?
    { ...child, key: `marked ${highlights.title}`, props: { ...child.props, isOwn: true,
      ref: (/** @type {HTMLElement} */ dom) => {
        dom.innerHTML = policy.createHTML(highlights.title);
      } } } : child);
  return { ...node, children };
}
