// SPDX-License-Identifier: Apache-2.0
// All keys. The help is printed from this table.

import * as actions from "./actions.js";
import { openQuick } from "./edit/quick.js";
import { closeDetail, rowOf, rows, settle, toggle } from "./focus.js";
import { open } from "./lazy.js";
import { drawNow, go, setting, state, store, update } from "./state.js";
import { hide, redo, undo } from "./undo.js";
import { remove } from "./views/menus.js";
import { begin } from "./views/search.js";
import { look } from "./views/window.js";

/**
 * @typedef {import("./store.js").ID} ID
 * @typedef {(id: ID, row: HTMLElement) => any} Act without a row if `onRow` is not set
 * @typedef {{ keys: string[], name: string, group: string, do?: Act, onRow?: boolean }} Key
 */

/** @param {number} count @returns {Act} */
const shift = (count) => (id, row) => {
  const [kind, other] = itemOf(document.activeElement)?.dataset.item?.split(" ") ?? [];
  if (row || kind) actions.step(row ? id : other, count, /** @type {any} */ (kind));
};
/**
 * A menu for all that are selected, or for the row.
 * @param {"openDueMenu" | "openMoveMenu" | "openTags" | "openPriorityMenu"} name @returns {Act}
 */
const menu = (name) => (id, row) =>
  open(name, idsOf(id), /** @type {HTMLElement} */ (row.querySelector(".title")));

/** A row is needed where `onRow` says so; then `id` is its reminder.
 * @type {Key[]} */
export const table = [
  { keys: ["j", "ArrowDown"], name: "next", group: "move", do: () => moveFocus(1) },
  { keys: ["k", "ArrowUp"], name: "previous", group: "move", do: () => moveFocus(-1) },
  { keys: ["Alt+ArrowUp"], name: "up", group: "move", do: shift(-1) },
  { keys: ["Alt+ArrowDown"], name: "down", group: "move", do: shift(1) },
  { keys: ["Alt+ArrowRight"], name: "indent", group: "move", onRow: true,
    do: (id) => actions.indent(id, true) },
  { keys: ["Alt+ArrowLeft"], name: "outdent", group: "move", onRow: true,
    do: (id) => actions.indent(id, false) },
  { keys: ["Enter", "ArrowRight"], name: "open", group: "reminder", onRow: true, do: (id) =>
    state.route.place === "reminders" && store.idOf(state.route.id) === id ?
      document.querySelector(".pane textarea")?.focus() : go(`#/reminders/${store.keyOf(id)}`) },
  { keys: [" "], name: "tick", group: "reminder", onRow: true, do: (id) => selected(id,
    (ids) => actions.editAll(ids, { status: "completed" }), actions.complete) },
  { keys: ["e"], name: "rename", group: "reminder", onRow: true,
    do: (id) => update({ editing: store.keyOf(id) }) },
  { keys: ["t"], name: "dueToday", group: "reminder", onRow: true,
    do: (id) => actions.dueIn(idsOf(id), 0) },
  { keys: ["T"], name: "dueTomorrow", group: "reminder", onRow: true,
    do: (id) => actions.dueIn(idsOf(id), 1) },
  { keys: ["f"], name: "flag", group: "reminder", onRow: true, do: (id) => selected(id,
    (ids) => actions.editAll(ids, { isFlagged: true }), actions.toggleFlag) },
  { keys: ["d"], name: "due", group: "reminder", onRow: true, do: menu("openDueMenu") },
  { keys: ["m"], name: "move", group: "reminder", onRow: true, do: menu("openMoveMenu") },
  { keys: ["#"], name: "tags", group: "reminder", onRow: true, do: menu("openTags") },
  { keys: ["!"], name: "priority", group: "reminder", onRow: true, do: menu("openPriorityMenu") },
  { keys: ["s"], name: "snooze", group: "reminder", do: snooze },
  { keys: ["Shift+ArrowUp"], name: "extendUp", group: "reminder",
    do: () => open("extendSelection", -1) },
  { keys: ["Shift+ArrowDown"], name: "extendDown", group: "reminder",
    do: () => open("extendSelection", 1) },
  { keys: ["Control+a"], name: "selectAll", group: "reminder", do: () => open("selectAll") },
  { keys: ["x"], name: "select", group: "reminder", onRow: true, do: (id) => toggle(id) },
  { keys: ["Delete", "Backspace"], name: "delete", group: "reminder", onRow: true,
    do: (id) => selected(id, actions.removeAll, remove) },
  { keys: ["q", "a"], name: "add", group: "page", do: () => openQuick() },
  { keys: ["Tab", "Shift+Tab"], name: "addPart", group: "page" },
  { keys: ["/"], name: "search", group: "page", do: search },
  { keys: ["?"], name: "title", group: "page", do: () => update({ dialog: { kind: "help" } }) },
  { keys: ["Control+z"], name: "undo", group: "page", do: undo },
  { keys: ["Control+Shift+z", "Control+y"], name: "redo", group: "page", do: redo },
  { keys: ["Escape"], name: "close", group: "page", do: close },
  { keys: ["g t"], name: "today", group: "go", do: () => go("#/today") },
  { keys: ["g s"], name: "scheduled", group: "go", do: () => go("#/scheduled") },
  { keys: ["g m"], name: "calendar", group: "go", do: () => go("#/calendar") },
  { keys: ["g f"], name: "flagged", group: "go", do: () => go("#/flagged") },
  { keys: ["g a"], name: "all", group: "go", do: () => go("#/all") },
  { keys: ["g c"], name: "completed", group: "go", do: () => go("#/completed") },
];

/** @param {any} element @returns {HTMLElement | undefined} a list of the side */
const itemOf = (element) => element?.closest?.("[data-item]");

/** @param {number} step */
function moveFocus(step) {
  const last = settle();
  // Without one it is the first or the last of all, wherever the window is.
  if (!last) document.querySelector("#main")?.scrollTo(0, step > 0 ? 0 : Number.MAX_SAFE_INTEGER);
  if (!last && look()) drawNow();
  const all = rows(), index = last ? all.indexOf(last) + step : step > 0 ? 0 : all.length - 1;
  const next = all[Math.max(0, Math.min(all.length - 1, index))];
  if (!next) return;
  state.anchor = store.keyOf(store.idOf(/** @type {string} */ (next.dataset.row)));
  next.querySelector(".title")?.focus();
  next.scrollIntoView({ block: "nearest" });
}

/** @param {ID} id */
const idsOf = (id) => state.selected.size > 0 ? [...state.selected] : [id];

/**
 * On all that are selected, or on the one.
 * @param {ID} id @param {(ids: ID[]) => unknown} onAll
 * @param {(id: ID) => unknown} onOne
 */
function selected(id, onAll, onOne) {
  return state.selected.size === 0 ? onOne(id) : onAll([...state.selected]);
}

/** @type {Act} What is focused, or else what rings. */
function snooze(id, row) {
  const anchor = row?.querySelector(".title") ?? document.querySelector(".ring .main");
  id ??= state.ringing[0]?.reminderID;
  if (id && anchor) open("openSnoozeMenu", id, anchor);
}

function search() {
  go("#/search");
  queueMicrotask(() => begin(document.querySelector("#query")));
}

/** What is on top is closed first. */
function close() {
  if (state.selected.size > 0) update({ selected: new Set() });
  else if (state.route.place === "reminders") closeDetail();
  else if (state.toast) hide();
}

/** @type {string | undefined} */
let before;
let beforeAt = 0;

/** @param {KeyboardEvent} event */
export function onKey(event) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const target = /** @type {HTMLInputElement} */ (event.target);
  const isField = /^(input|textarea|select)$/i.test(target.tagName) && target.type !== "checkbox";
  // What closes has closed before the state says so.
  const isBelow = document.querySelector("dialog[open], .menu:popover-open") !== null;
  if (event.isComposing || state.isLocked || isBelow ||
    state.link?.[0] === "answer") return;
  const isShifted = shiftKey && (ctrlKey || metaKey || key.length > 1);
  const modifier = (ctrlKey || metaKey ? "Control+" : altKey ? "Alt+" : "") +
    (isShifted ? "Shift+" : "");
  const isSingle = modifier === "" && key.length === 1;
  if (isField && (isSingle || key !== "Escape")) return;
  if (isSingle && key !== " " && setting("keys") === "off") return;
  const pressed = modifier + (modifier && key.length === 1 ? key.toLowerCase() : key);
  const isSequence = before !== undefined && event.timeStamp - beforeAt < 1500;
  const wanted = isSequence ? [`${before} ${pressed}`, pressed] : [pressed];
  before = pressed === "g" ? "g" : undefined;
  beforeAt = event.timeStamp;
  for (const each of wanted) {
    const found = table.find(({ keys }) => keys.includes(each));
    if (found?.do) return run(found, event);
  }
}

/** @param {any} found a key that does something @param {KeyboardEvent} event */
function run(found, event) {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const isControl = /^(button|summary|a)$/i.test(target.tagName) && !target.matches(".title");
  // Enter and Space do what the control does.
  if (isControl && /^(Enter| )$/.test(event.key)) return;
  if (target.type === "checkbox" && event.key === " ") return;
  // It was pressed before the keys were loaded, and the link has opened it.
  if (event.key === "Enter" && event.eventPhase === Event.NONE) return;
  // Only with the focus on a row, so that a key never acts on what is not seen.
  const row = rowOf(target);
  if (found.onRow && (!row || row.matches(".done"))) return;
  event.preventDefault();
  found.do(row && store.idOf(row.dataset.row), row);
}
