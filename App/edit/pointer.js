// SPDX-License-Identifier: Apache-2.0
// Gestures on a row, the same for mouse, pen and finger: drag, swipe, select. Each of them has a
// key and a button as well.

import * as actions from "../actions.js";
import { toggle } from "../focus.js";
import { state, store } from "../state.js";
import { openRowMenu } from "../views/menus.js";
import { words } from "../words.js";
import { selectTo } from "./selection.js";

const MOVED = 6, HELD = 420, LATE = 500, COMMIT = .4, FLING = .6, EDGE = 64;
/** So far to the side is one level in, or out. */
const LEVEL = 36;
/** @type {any} */
let gesture;

const idOf = (row) => store.idOf(row.dataset.row);

export function down(event) {
  if (event.button !== 0 || event.target.closest("button, input, label")) return;
  const row = event.currentTarget, isTouch = event.pointerType === "touch";
  const [kind, id] = row.dataset.item?.split(" ") ?? [];
  gesture = { row, isTouch, item: kind, id: store.idOf(id ?? row.dataset.row),
    x: event.clientX, y: event.clientY, at: event.timeStamp, pointer: event.pointerId };
  if (isTouch) gesture.timer = setTimeout(held, HELD, gesture);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", escape, true);
  addEventListener("touchmove", stay, { passive: false });
}

/** A finger that drags does not scroll. */
const stay = (event) => gesture?.kind && event.cancelable && event.preventDefault();

/** A finger that rests selects; if it moves then, it drags. */
function held(held) {
  if (gesture !== held || gesture.kind) return;
  gesture.kind = "held";
  navigator.vibrate?.(10);
  if (!gesture.item) toggle(gesture.id);
}

function move(event) {
  if (!gesture || event.pointerId !== gesture.pointer) return;
  const dx = event.clientX - gesture.x, dy = event.clientY - gesture.y;
  if (!gesture.kind || gesture.kind === "held") {
    if (Math.hypot(dx, dy) < MOVED) return;
    clearTimeout(gesture.timer);
    if (!gesture.isTouch || gesture.kind === "held") startDrag();
    else if (!gesture.item && Math.abs(dx) > Math.abs(dy) * 1.5) startSwipe();
    else return cancel();
  }
  if (gesture.kind === "drag") drag(event, dx, dy);
  if (gesture.kind === "swipe") swipe(event, dx);
}

function up(event) {
  if (!gesture || event.pointerId !== gesture.pointer) return;
  const { kind } = gesture;
  if (kind) {
    addEventListener("click", swallowClick, true);
    // A busy device clicks some time later. The next pointer has a click of its own.
    const over = () => removeEventListener("click", swallowClick, true);
    addEventListener("pointerdown", over, { capture: true, once: true });
    setTimeout(over, LATE);
  }
  if (kind === "drag") drop();
  else if (kind === "swipe") endSwipe();
  finish();
}
const swallow = (event) => {
  event.preventDefault();
  event.stopPropagation();
};
/** A key clicks, too, without a count. */
const swallowClick = (event) => event.detail > 0 && swallow(event);
function escape(event) {
  if (event.key !== "Escape" || gesture?.kind !== "drag") return;
  swallow(event);
  cancel();
}

function cancel() {
  finish();
}

function finish() {
  if (!gesture) return;
  clearTimeout(gesture.timer);
  cancelAnimationFrame(gesture.frame);
  gesture.line?.remove();
  gesture.target?.classList.remove("drop");
  const { row } = gesture;
  row.classList.remove("is-drag", "is-swipe", "to-end", "to-start");
  row.style.translate = "";
  row.style.removeProperty("--swiped");
  gesture = undefined;
  removeEventListener("pointermove", move);
  removeEventListener("pointerup", up);
  removeEventListener("pointercancel", cancel);
  removeEventListener("keydown", escape, true);
  removeEventListener("touchmove", stay);
}

// Drag

function startDrag() {
  if (gesture.kind === "held" && !gesture.item) toggle(gesture.id);
  gesture.kind = "drag";
  const { row } = gesture, main = row.closest("main, .scrolls");
  row.classList.add("is-drag");
  gesture.main = main;
  gesture.scrolled = main?.scrollTop ?? 0;
  gesture.list = row.closest("[data-order]") && row.parentElement.closest("ul");
  gesture.line = document.createElement("div");
  gesture.line.className = "dropline";
  gesture.line.hidden = true;
  document.body.append(gesture.line);
  gesture.sign = getComputedStyle(row).direction === "rtl" ? -1 : 1;
}

function drag(event, dx, dy) {
  const { row, main } = gesture;
  gesture.last = event;
  row.style.translate = `${dx}px ${dy + main.scrollTop - gesture.scrolled}px`;
  gesture.target?.classList.remove("drop");
  // The row itself takes no events meanwhile.
  gesture.target = gesture.item ? undefined :
    document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-list], [data-day]");
  gesture.target?.classList.add("drop");
  gesture.line.hidden = true;
  gesture.destination = gesture.parent = undefined;
  gesture.isOut = false;
  if (!gesture.target && gesture.list) aim(event, dx * gesture.sign);
  scroll();
}

/**
 * Where it would land: above the first sibling whose middle is below the pointer. To the side, it
 * becomes a part of the one above, or goes behind its parent.
 */
function aim(event, aside) {
  const { list, row, line } = gesture;
  const all = [...list.querySelectorAll(":is(:scope, :scope > .part) > " +
    ":is([data-row]:not(.done), [data-item])")].filter((each) =>
    each.checkVisibility({ contentVisibilityAuto: true }));
  const others = all.filter((each) => each !== row);
  const isPart = row.closest(".kids") !== null;
  if (others.length === 0 && !isPart) return;
  const bottom = (each) => (each.nextElementSibling?.matches(".kids") ? each.nextElementSibling :
    each).getBoundingClientRect().bottom;
  const before = others.find((each) =>
    event.clientY < (each.getBoundingClientRect().top + bottom(each)) / 2);
  const box = list.getBoundingClientRect();
  const y = before ? before.getBoundingClientRect().top : bottom(others.at(-1) ?? row);
  const reference = ({ dataset: { row, item } }) =>
    actions.referenceTo(row ?? item.split(" ")[1]);
  if (before) gesture.destination = { before: reference(before) };
  else if (others.length > 0) gesture.destination = { after: reference(others.at(-1)) };
  const last = all[all.indexOf(row) + 1];
  if (before ? last === before : all.at(-1) === row) gesture.destination = undefined;
  const above = before ? others[others.indexOf(before) - 1] : others.at(-1);
  if (!gesture.item && aside > LEVEL && above) gesture.parent = reference(above);
  gesture.isOut = !gesture.item && aside < -LEVEL && isPart;
  const shift = (gesture.parent ? LEVEL : 0) - (gesture.isOut ? LEVEL : 0);
  line.hidden = false;
  const left = box.left + (gesture.sign > 0 ? shift : 0), width = box.width - shift;
  Object.assign(line.style, { left: `${left}px`, width: `${width}px`, top: `${y}px` });
}

function scroll() {
  const { main, last } = gesture, box = main.getBoundingClientRect();
  const up = box.top + EDGE - last.clientY, down = last.clientY - box.bottom + EDGE;
  cancelAnimationFrame(gesture.frame);
  if (up <= 0 && down <= 0) return;
  gesture.frame = requestAnimationFrame(() => {
    main.scrollTop += up > 0 ? -Math.min(up, EDGE) / 5 : Math.min(down, EDGE) / 5;
    if (gesture?.kind === "drag") move(last);
  });
}

/** Those that are selected go along with the one that is dragged. */
function drop() {
  const { target, destination, id, item, parent, isOut } = gesture;
  const selected = [...state.selected], isOne = !selected.some((each) => store.idOf(each) === id);
  const ids = isOne ? [id] : selected, { list, day } = target?.dataset ?? {};
  if (list && isOne) actions.move(id, list);
  else if (list) actions.editAll(ids, { listID: actions.referenceTo(list) });
  else if (day) {
    const to = ({ dueDate }) => ({ dueDate: actions.onDay(dueDate, day) });
    actions.editAll(ids, to);
  } else if (isOut) actions.indent(id, false);
  else if (parent && isOne) actions.edit(id, { parentID: parent });
  else if (parent) actions.editAll(actions.tops(ids), { parentID: parent });
  else if (destination) actions.place(id, destination, item);
}

// Swipe

function startSwipe() {
  gesture.kind = "swipe";
  gesture.width = gesture.row.offsetWidth;
  gesture.sign = getComputedStyle(gesture.row).direction === "rtl" ? -1 : 1;
  gesture.row.classList.add("is-swipe");
  gesture.row.dataset.end = words.done;
  gesture.row.dataset.start = words.tomorrow;
}

function swipe(event, dx) {
  const { row, sign } = gesture, isEnd = dx * sign > 0;
  gesture.dx = dx;
  gesture.speed = dx / Math.max(1, event.timeStamp - gesture.at);
  row.style.translate = `${dx}px`;
  row.style.setProperty("--swiped", `${Math.abs(dx)}px`);
  row.classList.toggle("to-end", isEnd);
  row.classList.toggle("to-start", !isEnd);
}

function endSwipe() {
  const { dx = 0, width, speed = 0, sign, id } = gesture;
  const isFar = Math.abs(dx) > width * COMMIT || Math.abs(speed) > FLING && Math.abs(dx) > 48;
  if (!isFar) return;
  if (dx * sign > 0) actions.complete(id);
  else actions.dueIn([id], 1);
}

// Selection

export function click(event) {
  const row = event.currentTarget;
  if (event.target.closest("button, input, label")) return;
  const isMany = event.ctrlKey || event.metaKey;
  const isTap = state.selected.size > 0 && matchMedia("(pointer: coarse)").matches;
  if (!isMany && !event.shiftKey && !isTap) {
    state.anchor = store.keyOf(idOf(row));
    // The whole row opens it, the link is for keys and screen readers.
    if (!event.target.closest("a") &&
      !row.querySelector(".edit")) row.querySelector(".title").click();
    return;
  }
  event.preventDefault();
  if (event.shiftKey) selectTo(row);
  else toggle(idOf(row));
}

/**
 * A long press of a finger selects; the menu of the browser would cover it. The right button of a
 * mouse opens the menu of the row; with Shift it is that of the browser.
 */
export function hold(event) {
  if (gesture?.isTouch || event.pointerType === "touch") return event.preventDefault();
  const row = event.currentTarget;
  if (event.shiftKey || !row.matches("[data-row]:not(.done)") || event.target.closest("input")) {
    return;
  }
  event.preventDefault();
  const { clientX: x, clientY: y } = event;
  /** @type {any} */
  const anchor = { closest: () => row,
    getBoundingClientRect: () => ({ left: x, right: x, top: y, bottom: y }) };
  openRowMenu(idOf(row), anchor);
}
