// SPDX-License-Identifier: Apache-2.0
// One reminder of a list: a checkbox with its name, a link that opens it, and when it is due.

import { complete, edit } from "../actions.js";
import { icon, sign } from "../icons.js";
import { open, rowPointer } from "../lazy.js";
import { h, memo } from "../render.js";
import { ruleText } from "../rules.js";
import { state, store, update } from "../state.js";
import { dueText, zoneName } from "../time.js";
import { words } from "../words.js";
import { isCollected, windowed } from "./window.js";

/**
 * @typedef {import("../store.js").ID} ID
 * @typedef {import("../store.js").Reminder} Reminder
 */

/** @type {WeakMap<object, any>} What the end of a row says, worked out once a minute. */
const texts = new WeakMap();
/** @param {Reminder} reminder @param {number} now @param {boolean} isToday */
function textOf(reminder, now, isToday) {
  const zone = zoneName();
  let known = texts.get(reminder);
  if (known?.now !== now || known.isToday !== isToday || known.zone !== zone) {
    known = { ...dueText(reminder, now, words, isToday), now, isToday, zone };
    texts.set(reminder, known);
  }
  return known;
}

/**
 * @typedef {{ now: number, showsList?: boolean, isToday?: boolean, isTree?: boolean,
 *   place?: number, all?: number }} Options `place` of `all`, if not all of them exist
 */

/**
 * @param {Reminder} reminder @param {Options} options
 * @returns {import("../render.js").Node_}
 */
export function row(reminder, { now, showsList = false, isToday = false, isTree = false, place,
  all }) {
  const key = store.keyOf(reminder.id);
  if (isCollected(key)) return h("li", {});
  const text = textOf(reminder, now, isToday);
  const list = store.list(reminder.listID), isLeaving = state.leaving.has(reminder.id);
  const parts = isTree ? store.children(reminder.id).length : 0;
  const isFolded = state.folded.has(key);
  const inputs = [reminder, showsList && list, isToday, parts, isFolded, isLeaving, text.due,
    text.at, text.isLate, state.editing === key, state.selected.has(key), isWaiting(reminder),
    state.route.place === "reminders" && state.route.id === reminder.id,
    isTree && reminder.parentID === null, state.isPrinted, state.isReadOnly, place, all];
  return memo(`row ${key} ${isTree}`, inputs, () =>
    draw(reminder, { key, text, list: showsList && list, isLeaving, parts, isFolded, place, all,
      isRoot: isTree && reminder.parentID === null }));
}

/**
 * @param {Reminder} reminder
 * @param {{ key: ID, text: ReturnType<typeof dueText>, list?: Meta["list"], isLeaving: boolean,
 *   parts: number, isFolded: boolean, isRoot: boolean, place?: number, all?: number }} shown
 */
function draw(reminder, { key, text, list, isLeaving, parts, isFolded, isRoot, place, all }) {
  const { id, title, tags, recurrence, alarms, isFlagged, priority, subtasks, notes } = reminder;
  const isDone = isLeaving || reminder.status === "completing";
  const isOpen = state.route.place === "reminders" && state.route.id === id;
  const isSelected = state.selected.has(key), isSection = isRoot && parts > 0;
  const names = ["row", text.isLate && "late", isDone && "grace", isSection && "sec",
    (isSelected || isOpen) && "is-sel", isWaiting(reminder) && "wait"];
  const meta = metaOf({ list, subtasks: isSection ? { all: 0 } : subtasks, tags, priority, notes });
  const hasAlarm = alarms?.some((alarm) => alarm.acknowledgedAt === null);
  const again = recurrence && icon("again");
  const below = isWaiting(reminder) ? [icon("cut"), words.waiting] : [again,
    hasAlarm && sign("bell", words.row.alarm),
    text.at || (recurrence && ruleText(recurrence.rule ?? "", recurrence.basis)) ||
    (isSection && words.row.parts(subtasks.open, subtasks.all))];
  return h("li", { key: `row ${key}`, role: "listitem", class: names.filter(Boolean).join(" "),
    "data-row": key, "aria-posinset": place, "aria-setsize": all, ...rowPointer },
  parts > 0 && h("button", { class: "icon fold", "aria-expanded": String(!isFolded),
    "aria-label": words.row.fold(title), onclick: () => toggleFold(key) }, icon("go", true)),
  h("label", { class: "tick" }, h("input", { type: "checkbox", "aria-label": title,
    checked: isDone, disabled: state.isReadOnly, onchange: () => complete(id) })),
  state.editing === key ? field(reminder) : h("a", { class: "title", href: `#/reminders/${key}`,
    draggable: "false",
    ondblclick: (event) => {
      event.preventDefault();
      update({ editing: key });
    } }, title, isSelected && h("span", { class: "vh" }, ` (${words.row.selected})`)),
  (text.due || isFlagged) && h("span", { class: "due" },
    isFlagged && sign("flag", words.flagged, "flag"), text.due),
  under(meta, below),
  h("button", { class: "icon more", "aria-label": words.row.more(title), "aria-haspopup": "menu",
    onclick: (event) => open("openRowMenu", id, event.currentTarget) }, icon("more")));
}

/**
 * The second line: what it is at the start, when it is at the end.
 * @param {Children[]} meta @param {Children[]} at
 */
export const under = (meta, at) => (meta.length > 0 || at.some(Boolean)) && h("span",
  { key: "under", class: "under" }, meta.length > 0 && h("span", { class: "meta" }, meta),
  at.some(Boolean) && h("span", { class: "at" }, at.map((each) =>
    typeof each === "string" ? h("span", { key: "text" }, each) : each)));

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {{ list?: import("../store.js").List | false,
 *   subtasks?: { open?: number, all: number } }} Meta
 */

/** @param {Reminder} reminder A new one or a change waits, without a connection or for long. */
const isWaiting = ({ isNew, isWaiting }) => (isNew || isWaiting) &&
  (state.isSlow || state.connection !== "live");

/** @param {Partial<Pick<Reminder, "tags" | "priority" | "notes">> & Meta} reminder */
export function metaOf({ list, subtasks, tags, priority, notes }) {
  return [
    list && h("span", { class: "sub" }, h("i", { class: "dot", list: list.color }), list.title),
    subtasks?.all && h("span", { class: "sub" }, icon("tree"),
      words.row.parts(subtasks.open, subtasks.all)),
    priority && h("span", { class: priority === "high" ? "prio" : "" }, words.priority[priority]),
    tags?.map((tag) => h("span", { key: `tag ${tag}` }, `@${tag}`)),
    notes && h("span", { class: "sub notes" }, icon("text"), h("span", {}, state.isPrinted ? notes :
      firstLine(notes))),
  ].flat().filter(Boolean);
}

/** @param {string} notes */
const firstLine = (notes) => notes.trim().split("\n", 1)[0].slice(0, 120);

/** @param {ID} key */
function toggleFold(key) {
  if (!state.folded.delete(key)) state.folded.add(key);
  update();
}

/** @param {Reminder} reminder The field stands where the title stood. */
function field(reminder) {
  let isOver = false;
  /** @param {{ target: HTMLInputElement }} event @param {boolean} isKept */
  const end = (event, isKept) => {
    if (isOver) return;
    isOver = true;
    const title = event.target.value.trim(), row = event.target.closest("[data-row]");
    const hadFocus = document.activeElement === event.target;
    if (isKept && title !== "") edit(reminder.id, { title });
    update({ editing: undefined });
    if (hadFocus) queueMicrotask(() => row?.querySelector(".title")?.focus());
  };
  return h("input", { key: "edit", class: "edit", "aria-label": words.row.edit(reminder.title),
    maxlength: 1000, value: undefined, enterkeyhint: "done",
    ref: (dom) => {
      dom.value = reminder.title;
      queueMicrotask(() => dom.focus());
    },
    onblur: (event) => end(event, true),
    onkeydown: (event) => {
      event.stopPropagation();
      if (event.key === "Enter" && !event.isComposing) {
        // The focus goes to the link, which would open.
        event.preventDefault();
        end(event, true);
      }
      if (event.key === "Escape") end(event, false);
    } });
}

/**
 * A list of rows.
 * @template {Reminder} T
 * @param {string} name by which its parts are known
 * @param {import("../render.js").Props<HTMLElement>} props @param {T[]} reminders
 * @param {(reminder: T, options: { place?: number, all?: number }) => Children} draw
 * @param {(reminder: T) => number} [weigh] how many rows it has
 */
export function list(name, props, reminders, draw, weigh = () => 1) {
  let isParted = false;
  const nodes = windowed(name, reminders, (each, index, isLong) => {
    isParted = isLong;
    return draw(each, isLong ? { place: index + 1, all: reminders.length } : {});
  }, weigh, ({ id }) => [id]);
  // Where there are boxes between a list and its rows, it has to be said that it is one.
  return h("ul", isParted ? { ...props, role: "list" } : props, nodes);
}

/**
 * A list of rows with their subtasks below them, a step to the side.
 * @param {string} name @param {import("../render.js").Props<HTMLElement>} props
 * @param {Reminder[]} reminders @param {Options} options @returns {import("../render.js").Node_}
 */
export function tree(name, props, reminders, options) {
  /** @param {Reminder} each */
  const below = ({ id }) => state.folded.has(store.keyOf(id)) ? [] : store.children(id);
  return list(name, props, reminders, (each, place) => {
    const key = store.keyOf(each.id), children = below(each);
    return [row(each, { ...options, ...place, isTree: true }),
      children.length > 0 && h("li", { key: `kids ${key}`, class: "kids", role: "listitem" },
        tree(`kids ${key}`, { "aria-label": words.row.partsOf(each.title) }, children, options))];
  }, (each) => 1 + below(each).length);
}

/**
 * With what was ticked a moment ago, where it was.
 * @template {Reminder} T
 * @param {T[]} reminders @param {(reminder: T) => unknown} belongs @returns {T[]}
 */
export function withLeaving(reminders, belongs) {
  const all = [...reminders];
  for (const { reminder, index } of /** @type {Iterable<any>} */ (state.leaving.values())) {
    if (!belongs(reminder)) continue;
    const place = all.findIndex(({ id }) => id === reminder.id);
    if (place >= 0) all[place] = reminder;
    else all.splice(Math.min(index, all.length), 0, reminder);
  }
  return all;
}
