// SPDX-License-Identifier: Apache-2.0
// Places, smart lists, lists and tags, with counts, and the state of the connection.

import { icon } from "../icons.js";
import { itemPointer } from "../lazy.js";
import * as places from "../places.js";
import { h, memo } from "../render.js";
import { setting, setSetting, state, store, update } from "../state.js";
import { dueDay, today } from "../time.js";
import { words } from "../words.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../state.js").Place} Place
 * @typedef {import("../store.js").ID} ID
 * @typedef {{ shown: object, now: number, today: number, late: number, scheduled: number,
 *   flagged: number, all: number, tags: string[], smart: Map<ID, number> }} Counts
 */

/** @type {Counts | undefined} They are worked out once for each state of the store and minute. */
let counted;
/** @param {number} now @returns {Counts} */
export function counts(now) {
  const { shown } = store;
  if (counted?.shown === shown && counted.now === now) return counted;
  const due = places.dueToday(now);
  return counted = { shown, now, today: due.length,
    late: due.filter(({ dueDate }) => dueDay(dueDate) < today(now)).length,
    scheduled: places.scheduled().length, flagged: places.flagged().length,
    all: shown.reminder.size, tags: store.tags,
    smart: new Map(store.smartLists.filter(({ filter }) => places.isLocal(filter))
      .map(({ id, filter }) => [id, places.matching(filter, null, now).length])) };
}

/** @param {number} now @param {boolean} isPage */
export function sidebar(now, isPage) {
  const count = counts(now), { place } = state;
  return memo("sidebar", [count, place.place, place.id, state.connection, state.isSlow,
    store.pending.length, store.shown, isPage], () => draw(count, isPage));
}

/** @param {Counts} count @param {boolean} isPage */
function draw(count, isPage) {
  return h("div", { class: "side", role: isPage ? "main" : "complementary",
    "aria-label": words.side },
  h("div", { class: "scrolls" }, isPage ? h("div", { key: "title", class: "brand" },
    h("h1", { tabindex: -1 }, words.lists), connection()) :
    h("p", { class: "brand" }, icon("mark"), words.app, connection()),
  h("a", { class: "find", href: "#/search" }, icon("find", true), words.search,
    h("kbd", { "aria-hidden": "true" }, "/")),
  h("nav", { class: "nav", "aria-label": words.places }, h("ul", {},
    link("today", "today", count.today, count.late,
      { "data-day": today(count.now) }), link("scheduled", "date", count.scheduled),
    link("flagged", "flag", count.flagged), link("all", "all", count.all),
    link("completed", "done"), link("trash", "bin"))),
  collection("smart-list", words.smartLists, words.smart.make, (each) => entry(
    { place: "smart", id: store.keyOf(each.id) }, each.icon ? h("span", { class: "emoji",
      "aria-hidden": "true" }, each.icon) : colored(icon("filter"), each.color),
    each.title, count.smart.get(each.id), {}, 0, "smart-list")),
  collection("list", words.lists, words.newList, (list) => entry(
    { place: "lists", id: store.keyOf(list.id) }, h("i", { class: "dot", list: list.color }),
    list.title, store.count(list.id), { "data-list": store.keyOf(list.id) }, 0, "list")),
  count.tags.length > 0 && h("section", { "aria-labelledby": "tags" },
    h("h2", { id: "tags" }, words.tags),
    h("ul", { class: "tags" }, count.tags.map((tag) => h("li", { key: tag },
      h("a", { class: "chip", href: places.hashOf({ place: "tags", id: tag }),
        "aria-current": isHere("tags", tag) ? "page" : undefined }, `@${tag}`)))))),
  h("div", { class: "foot" },
    h("a", { class: "icon", href: "#/settings", "aria-label": words.settings }, icon("set"),
      h("span", { class: "narrow" }, words.settings)),
    h("button", { class: "icon", "aria-label": words.keys.title,
      onclick: () => update({ dialog: { kind: "help" } }) }, icon("keys")),
    h("button", { class: "icon", "aria-label": words.set.appearance, onclick: switchTheme },
      icon("moon"))));
}

/** @type {(node: import("../render.js").Node_, list: string) => Children} */
const colored = (node, list) => ({ ...node, props: { ...node.props, list } });

/**
 * @template {import("../store.js").Kind} K
 * @param {K} kind @param {string} title @param {string} make the name of the button
 * @param {(item: import("../store.js").Kinds[K]) => Children} draw
 */
const collection = (kind, title, make, draw) => h("nav", { key: kind, class: "nav",
  "aria-labelledby": kind },
h("h2", {}, h("span", { id: kind }, title), h("button", { class: "icon", "aria-label": make,
  onclick: () => update({ dialog: { kind: "list", of: kind } }) }, icon("plus", true))),
h("ul", { "data-order": kind }, store.all(kind).map(draw)));

/** @param {string} place @param {ID} [id] */
const isHere = (place, id) => state.place.place === place && state.place.id === id;

/**
 * @param {Place} target @param {Children} sign @param {string} title @param {number} [number]
 */
function entry(target, sign, title, number, more = {}, late = 0, kind = "") {
  return h("li", { key: `${target.place} ${target.id ?? ""}`,
    ...kind && { "data-item": `${kind} ${target.id}`, ...itemPointer } },
    h("a", { href: places.hashOf(target), draggable: "false", ...more,
      "aria-current": isHere(target.place, target.id) ? "page" : undefined },
    sign, h("span", {}, title), number !== undefined && h("i",
      { class: late > 0 ? "n late" : "n", "aria-label": late > 0 ? words.left(number, late) :
        undefined, role: late > 0 ? "img" : undefined }, String(number))));
}
/** @type {(place: any, name: string, number?: number, late?: number, more?: object) => Children} */
const link = (place, name, number, late, more) =>
  entry({ place }, icon(name), words[place], number, more, late);

export function connection() {
  const waiting = store.pending.length, { connection } = state;
  const isOff = connection === "offline" || connection === "reconnecting";
  const number = isOff || state.isSlow ? waiting : 0;
  const look = isOff || state.isSlow ? "off" : connection === "live" ? "" : "idle";
  return h("span", { class: `sign ${look}` },
    words.connection[connection], number > 0 && ` · ${number}`,
    number > 0 && h("span", { class: "vh" }, ` ${words.waiting}`));
}

export function switchTheme() {
  const isDark = document.documentElement.dataset.theme === "dark";
  setTheme(isDark ? "light" : "dark");
}
/** @param {string} name */
export function setTheme(name) {
  setSetting("theme", name);
  applyTheme();
  update();
}
export function applyTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const theme = setting("theme") ?? system;
  document.documentElement.dataset.theme = theme;
}

export function tabs() {
  /** @param {"today" | "scheduled" | "lists" | "search"} place @param {string} name */
  const tab = (place, name, href = `#/${place}`) => h("a", { href,
    "aria-current": (place === "lists" ? isHere("lists") : state.place.place === place) ? "page" :
      undefined }, icon(name), words[place]);
  return h("nav", { class: "tabs", "aria-label": words.tabs },
    tab("today", "today"), tab("scheduled", "date"),
    h("a", { class: "plus", href: "#/add", "aria-label": words.quick.placeholder }, icon("plus")),
    tab("lists", "list"), tab("search", "find"));
}
