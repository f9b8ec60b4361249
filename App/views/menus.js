// SPDX-License-Identifier: Apache-2.0
// Menus that open from a button, with everything that a key or a gesture does as well.

import * as actions from "../actions.js";
import { isEarly, ringingOf, snooze, stop } from "../edit/alarms.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { open as load } from "../lazy.js";
import { orderOf, setOrder } from "../places.js";
import { readDate } from "../edit/typed.js";
import { closeDetail } from "../focus.js";
import { go, state, store, update } from "../state.js";
import { addDays, capital, dayText, dueDay, instantOf, isDate, shortDay, timeOf, today, weekday }
  from "../time.js";
import { fail } from "../undo.js";
import { words } from "../words-more.js";

/**
 * @typedef {import("../state.js").Item} Item
 * @typedef {import("../store.js").ID} ID
 */

/**
 * @param {HTMLElement} anchor @param {string} label
 * @param {(Item | false | undefined)[]} items
 */
export function openMenu(anchor, label, items) {
  const { left, right, top, bottom } = anchor.getBoundingClientRect();
  const id = Math.random();
  update({ menu: { id, anchor, label, items: /** @type {Item[]} */ (items.filter(Boolean)), left,
    right, top, bottom } });
}

/** @param {ID} id @param {HTMLElement} anchor */
export function openRowMenu(id, anchor) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  const text = words.row;
  /** @param {(ids: ID[], anchor: HTMLElement) => unknown} open */
  const again = (open) => () => open([id], anchor);
  openMenu(anchor, words.row.more(reminder.title), [
    { icon: "text", label: text.open, do: () => go(`#/reminders/${store.keyOf(id)}`) },
    { icon: "edit", label: text.rename, do: () => update({ editing: store.keyOf(id) }) },
    { icon: "date", label: `${words.detail.due}…`, do: again(openDueMenu) },
    { icon: "clock", label: `${words.keys.snooze}…`, do: () => openSnoozeMenu(id, anchor) },
    { icon: "bars", label: `${words.detail.priority}…`, do: again(openPriorityMenu) },
    { icon: "tag", label: `${words.detail.tags}…`, do: again(openTags) },
    { icon: "flag", label: reminder.isFlagged ? text.unflag : text.flag,
      do: () => actions.toggleFlag(id) },
    { icon: "move", label: `${text.move}…`, do: again(openMoveMenu) },
    ...steps(id),
    { icon: "tree", label: words.keys.indent, do: () => actions.indent(id, true) },
    reminder.parentID !== null && { icon: "back", label: words.keys.outdent,
      do: () => actions.indent(id, false) },
    { icon: "bin", label: text.delete, isWarning: true, do: () => remove(id) },
  ]);
}

/** @param {ID} id Its details close, where they are open. */
export function remove(id) {
  const { place, id: opened } = state.route;
  actions.remove(id);
  if (place === "reminders" && store.idOf(opened) === store.idOf(id)) closeDetail();
}

/** @param {ID} id @param {import("../store.js").Kind} [kind] */
const steps = (id, kind) => [
  { icon: "up", label: words.row.up, do: () => actions.step(id, -1, kind) },
  { icon: "down", label: words.row.down, do: () => actions.step(id, 1, kind) },
];

/**
 * Asks for a day and a time.
 * @param {string} title @param {string} day @param {string} time
 * @param {(day: string, time: string) => unknown} act
 * @param {(text: string) => unknown} [actTyped] for a date in words
 */
const askMoment = (title, day, time, act, actTyped) =>
  ({ icon: "edit", label: `${words.other}…`, do: () =>
    update({ dialog: { kind: "moment", title, day, time, act, actTyped } }) });

/** @param {ID[]} ids @param {HTMLElement} anchor */
export function openDueMenu(ids, anchor) {
  const day = today(), { dueDate = null } = store.reminder(ids[0]) ?? {};
  /** @param {string} icon @param {string} label @param {number} count */
  const item = (icon, label, count) => ({ icon, label, at: shortDay(addDays(day, count)),
    do: () => actions.dueIn(ids, count) });
  const week = 7 - weekday(day);
  openMenu(anchor, words.detail.due, [item("today", words.today, 0),
    item("date", words.tomorrow, 1),
    week > 1 && item("date", capital(dayText(addDays(day, week), { weekday: "long" })), week),
    askMoment(words.detail.due, dueDay(dueDate) ?? day, dueDate && !isDate(dueDate) ?
      timeOf(dueDate) : "", (day, time) =>
      actions.editAll(ids, { dueDate: time ? instantOf(day, time) : day }), (text) =>
      readDate(text, ids.some((id) => store.reminder(id)?.alarms.length)).then((changes) =>
        actions.editAll(ids, changes)).catch(fail)),
    { icon: "x", label: words.row.noDue, do: () => actions.editAll(ids, ({ recurrence }) =>
      ({ dueDate: null, ...recurrence && { recurrence: null } })) }]);
}

/** @param {ID[]} ids @param {HTMLElement} anchor */
export const openPriorityMenu = (ids, anchor) => openMenu(anchor, words.detail.priority,
  /** @type {const} */ (["high", "medium", "low", null]).map((priority) => ({ icon: "bars",
    label: words.priority[priority ?? "none"], do: () => actions.editAll(ids, { priority }) })));

/** @param {ID[]} ids */
export const openTags = (ids) => update({ dialog: { kind: "tags", ids } });

/** @param {ID} id @param {HTMLElement} anchor */
export function openSnoozeMenu(id, anchor) {
  const text = words.ring, now = Date.now(), hour = 3_600_000, day = today();
  const title = text.title((store.reminder(id) ?? state.ringing.find((each) =>
    each.reminderID === id))?.title);
  /** @param {string} label @param {number} time */
  const at = (label, time) => time > now && { icon: "clock", label, at: actions.whenText(time),
    do: () => snooze(id, time) };
  const alarm = ringingOf(id);
  openMenu(anchor, title, [
    alarm && { icon: "bell", label: text.ok, do: () => stop([alarm]) },
    alarm && isEarly(alarm) && { icon: "done", label: words.done, do: () => actions.complete(id) },
    at(text.ten, now + hour / 6), at(text.hour, now + hour),
    at(text.tonight, Date.parse(instantOf(day, "20:00"))),
    at(words.tomorrow, Date.parse(instantOf(addDays(day, 1), "09:00"))),
    askMoment(title, day, timeOf(now + hour), (day, time) =>
      snooze(id, Date.parse(instantOf(day, time || "09:00"))))]);
}

/** @param {ID[]} ids @param {HTMLElement} anchor */
export function openMoveMenu(ids, anchor) {
  const listID = ids.length === 1 ? store.reminder(ids[0])?.listID : undefined;
  openMenu(anchor, words.row.move, store.lists.filter(({ id }) => id !== listID).map((list) => ({
    dot: list.color, label: list.title,
    do: () => {
      if (ids.length > 1) return actions.editAll(ids, { listID: actions.referenceTo(list.id) });
      actions.move(ids[0], list.id);
      update({ selected: new Set() });
    },
  })));
}

/**
 * @param {{ id: ID, title: string, filter?: object }} list of either kind
 * @param {HTMLElement} anchor
 */
export function openListMenu({ id, title, filter }, anchor) {
  const kind = filter ? "smart-list" : "list";
  /** @param {string} dialog */
  const open = (dialog) => () =>
    update({ dialog: { kind: dialog, id, of: kind } });
  openMenu(anchor, words.row.more(title), [
    { icon: "edit", label: `${words.edit}…`, do: open("list") },
    ...steps(id, kind),
    ...filter ? [] : [
      { icon: "list", label: `${words.copy.menu}…`, do: () => {
        const list = store.list(id);
        if (list) load("askCopy", list);
      } },
      { icon: "bars", label: `${words.order.sort}…`, do: () =>
        openOrderMenu(id, anchor, "sort", words.order.sorts) },
      { icon: "list", label: `${words.order.group}…`, do: () =>
        openOrderMenu(id, anchor, "group", words.order.groups) }],
    { icon: "bin", label: words.row.delete, isWarning: true, do: filter ? () => {
      actions.removeList(id, kind);
      go("#/today");
    } : open("deleteList") },
  ]);
}

/**
 * @param {ID} id @param {HTMLElement} anchor @param {"sort" | "group"} name
 * @param {Record<string, string>} choices
 */
function openOrderMenu(id, anchor, name, choices) {
  const chosen = orderOf(id)[name] ?? "";
  openMenu(anchor, words.order[name], Object.entries(choices).map(([value, label]) => ({
    label: value === chosen ? words.order.is(label) : label,
    icon: value === chosen ? "done" : undefined,
    do: () => {
      setOrder(id, { ...orderOf(id), [name]: value });
      update();
    } })));
}

export function menu() {
  const { menu } = state;
  if (!menu) return undefined;
  // A landmark, as all that is on the page.
  return h("section", { key: `menu ${menu.id}`, "aria-label": menu.label }, h("div", {
    class: "menu", role: "menu", "aria-label": menu.label, popover: "auto", ref: open,
      onkeydown: moveFocus,
    ontoggle: (event) => {
      if (event.newState === "closed" && state.menu?.id === menu.id) update({ menu: undefined });
    } },
  menu.items.map((item, index) => h("button", { key: index, role: "menuitem", tabindex: -1,
    class: item.isWarning ? "warn" : "", onclick: () => choose(item) },
  item.dot ? h("i", { class: "dot", list: item.dot }) : item.icon && icon(item.icon),
  h("span", {}, item.label), item.at && h("span", { class: "at" }, item.at)))));
}

/** @param {Item} item */
function choose(item) {
  const { anchor } = /** @type {import("../state.js").Menu} */ (state.menu);
  update({ menu: undefined });
  const link = anchor.closest?.("[data-row]")?.querySelector(".title");
  (link ?? anchor).focus?.({ preventScroll: true });
  item.do();
}

/** Below the button, or above it where there is no room. */
/** @param {HTMLElement} dom */
function open(dom) {
  queueMicrotask(() => {
    const { menu } = state;
    if (!dom.isConnected || !menu) return;
    dom.showPopover();
    // On a phone it is a sheet at the bottom.
    if (matchMedia("(width < 40rem)").matches) return dom.querySelector("button")?.focus();
    const { width, height } = dom.getBoundingClientRect(), gap = 4;
    const isStart = menu.left + width < innerWidth - gap && menu.right - width < gap;
    const left = isStart ? menu.left : Math.max(gap, menu.right - width);
    const isBelow = menu.bottom + gap + height < innerHeight;
    const top = isBelow ? menu.bottom + gap : Math.max(gap, menu.top - gap - height);
    dom.style.left = `${left}px`;
    dom.style.top = `${top}px`;
    dom.querySelector("button")?.focus();
  });
}

/** How long letters belong together, in ms. */
const TOGETHER = 1000;
let letters = "", lettersAt = 0;
/**
 * Letters lead to the next item that begins with them, and the same one again to the one after.
 * @param {KeyboardEvent} event @param {HTMLElement[]} all @param {number} index that has the focus
 */
function named({ key, timeStamp }, all, index) {
  letters = (timeStamp - lettersAt < TOGETHER ? letters : "") + key.toLowerCase();
  lettersAt = timeStamp;
  if (new Set(letters).size === 1) letters = letters.slice(0, 1);
  const start = index + (letters.length === 1 ? 1 : 0);
  const found = [...all.slice(start), ...all.slice(0, start)].find(({ textContent }) =>
    textContent?.toLowerCase().startsWith(letters));
  return found && all.indexOf(found);
}

/** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
function moveFocus(event) {
  const all = [...event.currentTarget.querySelectorAll("button")];
  const index = all.indexOf(/** @type {any} */ (document.activeElement));
  const isLetter = /^[^ ]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
  const next = isLetter ? named(event, all, index) : { ArrowDown: index + 1, ArrowUp: index - 1,
    Home: 0, End: all.length - 1 }[event.key];
  event.stopPropagation();
  if (event.key === "Tab") update({ menu: undefined });
  if (next === undefined) return;
  event.preventDefault();
  all[(next + all.length) % all.length].focus();
}
