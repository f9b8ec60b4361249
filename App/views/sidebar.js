// SPDX-License-Identifier: Apache-2.0
// Places, smart lists, lists and tags, with counts, and the state of the connection.

import { icon } from "../icons.js";
import { itemPointer } from "../lazy.js";
import * as places from "../places.js";
import { h, memo } from "../render.js";
import { setting, setSetting, state, store, update } from "../state.js";
import { isLate } from "../time.js";
import { words } from "../words.js";

/** Counts are worked out once for each state of the store and minute. */
let counted = { key: [] };
function counts(now) {
  const { shown } = store;
  if (counted.shown === shown && counted.now === now) return counted;
  const today = places.dueToday(now);
  counted = { shown, now, today: today.length, late: today.filter((each) => isLate(each,
    now)).length,
    scheduled: places.scheduled().length, flagged: places.flagged().length,
    all: shown.reminder.size, lists: new Map() };
  for (const { listID } of shown.reminder.values()) {
    const id = store.idOf(listID);
    counted.lists.set(id, (counted.lists.get(id) ?? 0) + 1);
  }
  counted.tags = store.tags;
  navigator.setAppBadge?.(today.length).catch(() => {});
  counted.smart = new Map(store.smartLists.filter(({ filter }) => places.isLocal(filter))
    .map(({ id, filter }) => [id, places.matching(filter, null, now).length]));
  return counted;
}

export function sidebar(now, isPage) {
  const count = counts(now), { place } = state;
  return memo("sidebar", [count, place.place, place.id, state.connection, store.pending.length,
    store.shown, isPage], () => draw(count, isPage));
}

function draw(count, isPage) {
  return h("div", { class: "side", role: isPage ? "main" : "complementary",
    "aria-label": words.side },
  isPage && h("h1", { class: "narrow" }, words.lists),
  h("p", { class: "brand" }, icon("mark"), words.app, connection()),
  h("a", { class: "find", href: "#/search" }, icon("find", true), words.search,
    h("kbd", { "aria-hidden": "true" }, "/")),
  h("nav", { class: "nav", "aria-label": words.places }, h("ul", {},
    link("today", "today", count.today, count.late), link("scheduled", "date", count.scheduled),
    link("flagged", "flag", count.flagged), link("all", "all", count.all),
    link("completed", "done"), link("trash", "bin"))),
  collection("smart-list", words.smartLists, words.smart.make, (each) => entry(
    { place: "smart", id: store.keyOf(each.id) }, each.icon ? h("span", { class: "emoji",
      "aria-hidden": "true" }, each.icon) : colored(icon("filter"), each.color),
    each.title, count.smart.get(each.id), {}, 0, "smart-list")),
  collection("list", words.lists, words.newList, (list) => entry(
    { place: "lists", id: store.keyOf(list.id) }, h("i", { class: "dot", list: list.color }),
    list.title, count.lists.get(list.id) ?? 0, { "data-list": store.keyOf(list.id) }, 0, "list")),
  count.tags.length > 0 && h("section", { "aria-labelledby": "tags" },
    h("h2", { id: "tags" }, words.tags),
    h("ul", { class: "tags" }, count.tags.map((tag) => h("li", { key: tag },
      h("a", { class: "chip", href: places.hashOf({ place: "tags", id: tag }),
        "aria-current": isHere("tags", tag) ? "page" : undefined }, `@${tag}`))))),
  h("div", { class: "foot" },
    h("a", { class: "icon", href: "#/settings", "aria-label": words.settings }, icon("set")),
    h("button", { class: "icon", "aria-label": words.keys.title,
      onclick: () => update({ dialog: { kind: "help" } }) }, icon("keys")),
    h("button", { class: "icon", "aria-label": words.set.appearance, onclick: switchTheme },
      icon("moon"))));
}

const colored = (node, list) => ({ ...node, props: { ...node.props, list } });

const collection = (kind, title, make, draw) => h("nav", { key: kind, class: "nav",
  "aria-labelledby": kind },
h("h2", {}, h("span", { id: kind }, title), h("button", { class: "icon", "aria-label": make,
  onclick: () => update({ dialog: { kind: "list", of: kind } }) }, icon("plus", true))),
h("ul", { "data-order": kind }, store.all(kind).map(draw)));

const isHere = (place, id) => state.place.place === place && state.place.id === id;

function entry(target, sign, title, number, more = {}, late = 0, kind = "") {
  return h("li", { key: `${target.place} ${target.id ?? ""}`,
    ...kind && { "data-item": `${kind} ${target.id}`, ...itemPointer } },
    h("a", { href: places.hashOf(target), draggable: "false", ...more,
      "aria-current": isHere(target.place, target.id) ? "page" : undefined },
    sign, h("span", {}, title), number !== undefined && h("i",
      { class: late > 0 ? "n late" : "n", "aria-label": late > 0 ? words.left(number, late) :
        undefined, role: late > 0 ? "img" : undefined }, String(number))));
}
const link = (place, name, number, late) =>
  entry({ place }, icon(name), words[place], number, {}, late);

function connection() {
  const waiting = store.pending.length, { connection } = state;
  const isOff = connection === "offline" || connection === "reconnecting";
  const isSlow = connection === "live" && waiting > 0 &&
    Date.now() - store.pending[0].at > 2000;
  const number = isOff || isSlow ? waiting : 0;
  return h("span", { class: `sign ${connection === "live" ? "" : isOff ? "off" : "idle"}` },
    words.connection[connection], number > 0 && ` · ${number}`,
    number > 0 && h("span", { class: "vh" }, ` ${words.waiting}`));
}

export function switchTheme() {
  const isDark = document.documentElement.dataset.theme === "dark";
  setTheme(isDark ? "light" : "dark");
}
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
  const tab = (place, name, href = `#/${place}`) => h("a", { href,
    "aria-current": (place === "lists" ? isHere("lists") : state.place.place === place) ? "page" :
      undefined }, icon(name), words[place]);
  return h("nav", { class: "tabs", "aria-label": words.tabs },
    tab("today", "today"), tab("scheduled", "date"),
    h("a", { class: "plus", href: "#/add", "aria-label": words.quick.placeholder }, icon("plus")),
    tab("lists", "list"), tab("search", "find"));
}
