// SPDX-License-Identifier: Apache-2.0
// Menus that open from a button, with everything that a key or a gesture does as well.

import * as actions from "../actions.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { go, state, store, update } from "../state.js";
import { addDays, shortDay, today } from "../time.js";
import { words } from "../words.js";

/** @typedef {{ icon?: string, dot?: string, label: string, at?: string, do?: () => void,
 *   isWarning?: boolean }} Item */

/** @param {Element} anchor @param {string} label @param {(Item | false)[]} items */
export function openMenu(anchor, label, items) {
  const { left, right, top, bottom } = anchor.getBoundingClientRect();
  const id = Math.random();
  update({ menu: { id, anchor, label, items: items.filter(Boolean), left, right, top, bottom } });
}

export function openRowMenu(id, anchor) {
  const reminder = store.reminder(id);
  if (!reminder) return;
  const text = words.row, day = today();
  openMenu(anchor, words.row.more(reminder.title), [
    { icon: "text", label: text.open, do: () => go(`#/reminders/${store.keyOf(id)}`) },
    { icon: "edit", label: text.rename, do: () => update({ editing: store.keyOf(id) }) },
    { icon: "today", label: text.dueToday, at: shortDay(day), do: () => actions.dueToday(id) },
    { icon: "date", label: text.dueTomorrow, at: shortDay(addDays(day, 1)),
      do: () => actions.dueTomorrow(id) },
    reminder.dueDate !== null && { icon: "x", label: text.noDue,
      do: () => actions.edit(id, { dueDate: null, ...reminder.recurrence &&
        { recurrence: null } }) },
    { icon: "flag", label: reminder.isFlagged ? text.unflag : text.flag,
      do: () => actions.toggleFlag(id) },
    { icon: "move", label: `${text.move}…`, do: () => openMoveMenu([id], anchor) },
    { icon: "up", label: text.up, do: () => actions.step(id, -1) },
    { icon: "down", label: text.down, do: () => actions.step(id, 1) },
    { icon: "bin", label: text.delete, isWarning: true, do: () => actions.remove(id) },
  ]);
}

export function openMoveMenu(ids, anchor) {
  const listID = ids.length === 1 ? store.reminder(ids[0])?.listID : undefined;
  openMenu(anchor, words.row.move, store.lists.filter(({ id }) => id !== listID).map((list) => ({
    dot: list.color, label: list.title,
    do: () => ids.length === 1 ? actions.move(ids[0], list.id) :
      actions.editAll(ids, { listID: list.id }),
  })));
}

export function openListMenu(list, anchor) {
  openMenu(anchor, words.row.more(list.title), [
    { icon: "edit", label: `${words.editList}…`, do: () => editList(list) },
    { icon: "bin", label: `${words.deleteList}…`, isWarning: true,
      do: () => update({ dialog: { kind: "deleteList", id: list.id } }) },
  ]);
}
export const editList = (list) => update({ dialog: { kind: "list", id: list.id } });

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

function choose(item) {
  const { anchor } = state.menu;
  update({ menu: undefined });
  const link = anchor.closest?.("[data-row]")?.querySelector(".title");
  (link ?? anchor).focus?.({ preventScroll: true });
  item.do();
}

/** Below the button, or above it where there is no room. */
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

function moveFocus(event) {
  const all = [...event.currentTarget.querySelectorAll("button")];
  const index = all.indexOf(document.activeElement);
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0,
    End: all.length - 1 }[event.key];
  event.stopPropagation();
  if (event.key === "Tab") update({ menu: undefined });
  if (next === undefined) return;
  event.preventDefault();
  all[(next + all.length) % all.length].focus();
}
