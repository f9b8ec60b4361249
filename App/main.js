// SPDX-License-Identifier: Apache-2.0
// Starts the app, and draws the page for the place in its address.

import { openQuick } from "./edit/quick.js";
import { install, showBadge } from "./install.js";
import { rowOf } from "./focus.js";
import { isLoaded, lazy, load, open } from "./lazy.js";
import { decode, hashOf, routeOf } from "./places.js";
import { forgetUnused, h, render } from "./render.js";
import { go, onDrawn, onUpdate, setting, state, store, update } from "./state.js";
import { start } from "./sync.js";
import { setZone } from "./time.js";
import { toast } from "./views/layers.js";
import { listView } from "./views/list.js";
import { drawRows, follow } from "./views/window.js";
import { applyTheme, counts, sidebar, tabs } from "./views/sidebar.js";
import { words } from "./words.js";

const app = /** @type {HTMLElement} */ (document.querySelector("#app"));
const isNarrow = matchMedia("(width < 40rem)"), isCovering = matchMedia("(width < 68rem)");
const isDark = matchMedia("(prefers-color-scheme: dark)");

/** Places that are views of their own; the others are lists. */
const own = ["calendar", "completed", "trash", "search", "settings", "stats"];

/** The beginning of this minute, so that what depends on the time is drawn once a minute. */
const minute = () => Math.floor(Date.now() / 60_000) * 60_000;

/** A view that needs no key. */
const aloneView = () => state.link?.[0] === "answer" ? "answer" : state.isLocked && "door";

function page() {
  const now = minute(), { place } = state;
  const alone = aloneView();
  if (alone) return [lazy(alone), live()];
  const isLists = place.place === "lists" && place.id === undefined;
  const view = isLists ? { place: "today" } : place;
  const isPage = isLists && isNarrow.matches;
  const isOpen = state.route.place === "reminders";
  // What the pane covers cannot be reached.
  const inert = isOpen && isCovering.matches;
  return [
    h("button", { key: "skip", class: "skip", inert, onclick: () =>
      document.querySelector("#main h1")?.focus() }, words.skip),
    h("div", { key: "side", class: "through", inert }, sidebar(now, isPage)),
    h("div", { key: "stage", class: "stage" },
      h("div", { key: "behind", class: "through", inert },
        (state.ringing.length > 0 || isLoaded()) && lazy("ring"),
        // On a phone the page with the lists takes its place.
        !isPage && h("main", { key: "main", id: "main", tabindex: -1, onscroll: follow },
          h("div", { key: hashOf(view), class: "view" }, drawRows(() => own.includes(view.place) ?
            lazy(/** @type {"search"} */ (view.place), view, now) : listView(view, now)))),
        state.selected.size > 0 && lazy("select")), toast()),
    isOpen && lazy("detail", now),
    h("div", { key: "tabs", class: "through", inert }, tabs()),
    state.menu && lazy("menu"), state.dialog && lazy("dialog"), live(),
  ];
}

const live = () => h("p", { key: "live", class: "vh", role: "status" }, state.said);

function draw() {
  const focus = /** @type {Element} */ (document.activeElement), row = rowOf(focus);
  const index = row ? [...document.querySelectorAll("#main [data-row]")].indexOf(row) : -1;
  app.dataset.place = aloneView() ? "door" : state.place.place;
  app.dataset.reads = String(state.isReadOnly);
  app.dataset.lists = String(state.place.place === "lists" && state.place.id === undefined);
  render(app, page());
  forgetUnused();
  document.title = title();
  if (row && !row.isConnected) refocus(row.dataset.row, index, focus);
}

/**
 * The focus is never lost: it goes to the same row, or to the one that took its place.
 * @param {string | undefined} key @param {number} index @param {Element} before
 */
function refocus(key, index, before) {
  const kind = before.matches("input[type=checkbox]") ? "input" : "a.title";
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return;
    const rows = [...document.querySelectorAll("#main [data-row]")];
    const next = rows.find((each) => each.dataset.row === key) ?? rows[index] ?? rows.at(-1);
    (next?.querySelector(kind) ?? next?.querySelector("input") ??
      document.querySelector("#main h1"))?.focus();
  });
}

function title() {
  const { place, id } = state.place;
  const name = (place === "lists" && store.list(id)?.title) || (place === "smart" &&
    store.smartList(id)?.title) || (place === "tags" && `@${id}`) ||
    words[place === "stats" ? "statistics" : place];
  const { length } = state.ringing;
  return [length > 0 && `(${length})`, name && `${name} ·`, words.app].filter(Boolean).join(" ");
}

function navigate() {
  takeLink();
  const route = routeOf(location.hash);
  if (route.place === "add") {
    history.replaceState(null, "", hashOf(state.place));
    const { query } = route;
    // The first is the title, and the others are its notes.
    const [title = "", ...notes] = ["title", "text", "url"].map((name) => query.get(name))
      .filter(Boolean);
    return openQuick([title, ...notes.length > 0 ? ["//", ...notes] : []].join(" "));
  }
  const before = state.place;
  /** @type {Partial<import("./state.js").State>} */
  const changes = { route };
  if (route.place !== "reminders") changes.place = route;
  else {
    const reminder = store.reminder(route.id);
    changes.route = { ...route, id: store.idOf(route.id) };
    if (state.isFresh) changes.place = { place: "lists", id: reminder?.listID };
    if (state.isFresh && !reminder) changes.place = { place: "all" };
  }
  if (changes.place && hashOf(changes.place) !== hashOf(before)) {
    Object.assign(changes, { editing: undefined, selected: new Set(), current: undefined,
      anchor: undefined, isWhole: false, isAdding: false });
    queueMicrotask(() => document.querySelector("#main")?.scrollTo(0, 0));
  }
  update({ ...changes, isFresh: false, menu: undefined });
}

/** A secret does not stay in the address; the door uses it, or the page of an answer. */
function takeLink() {
  const link = /^#(key|pair|answer)=(.*)/.exec(location.hash);
  if (!link) return;
  state.link = link.slice(1).map(decode);
  history.replaceState(null, "", hashOf(state.place));
}

/** What is new has a name until the server gives it an ID, which other devices know, too. */
function nameByID() {
  const { place, id } = routeOf(location.hash), number = store.idOf(id);
  if (id !== undefined && place !== "tags" && number !== id) {
    history.replaceState(null, "", hashOf({ place, id: number }));
  }
}

/** A note about the connection, and about a write, is shown only when it takes a while. */
let offSince = Infinity;
function watchConnection() {
  const isOff = /offline|reconnecting/.test(state.connection);
  offSince = isOff ? Math.min(offSince, Date.now()) : Infinity;
  const before = Date.now() - 2000, isOffLong = offSince < before;
  const isSlow = store.pending.some(({ at }) => at < before);
  if (isOffLong !== Boolean(state.isOffLong) || isSlow !== Boolean(state.isSlow)) {
    update({ isOffLong, isSlow });
  }
}

async function begin() {
  takeLink();
  applyTheme();
  setZone(setting("zone"));
  isDark.addEventListener("change", applyTheme);
  for (const each of [isNarrow, isCovering]) each.addEventListener("change", () => update());
  onUpdate(draw);
  onDrawn(nameByID);
  onDrawn(() => showBadge(state.isLocked ? 0 : counts(minute()).today));
  addEventListener("hashchange", navigate);
  addEventListener("keydown", (event) => open("onKey", event));
  addEventListener("focusin", ({ target }) => {
    const row = rowOf(target);
    if (row) state.current = row.dataset.row;
  });
  let shown = minute();
  setInterval(() => {
    watchConnection();
    if (shown !== minute()) update();
    shown = minute();
  }, 1000);
  const shared = new URLSearchParams(location.search);
  if (shared.size > 0) history.replaceState(null, "", `/#/add?${shared}`);
  await start();
  state.isFresh = true;
  if (location.hash === "") history.replaceState(null, "", "#/today");
  navigate();
  // Right behind the first view: keys and gestures are a part of it, and the server should not have
  // another version yet.
  setTimeout(load);
  // Where a window is open already, a share or a shortcut comes into it.
  /** @type {any} */ (globalThis).launchQueue?.setConsumer(
    (/** @type {{ targetURL: string }} */ { targetURL }) => {
      const { hash, search } = new URL(targetURL);
      if (search || hash) go(search ? `#/add${search}` : hash);
    });
  install().catch(() => {});
}

begin();
