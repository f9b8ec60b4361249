// SPDX-License-Identifier: Apache-2.0
// One reminder with everything that it has. Each part is changed where it stands.

import * as actions from "../actions.js";
import { ask } from "../ask.js";
import { isMarked, marked } from "../edit/markdown.js";
import { sentence } from "../edit/repeat.js";
import { typedDate } from "../edit/typed.js";
import { icon } from "../icons.js";
import { closeDetail } from "../focus.js";
import { h } from "../render.js";
import { state, store } from "../state.js";
import { write } from "../sync.js";
import { act } from "../undo.js";
import { addDays, clock, dayName, dueDay, dueText, instantOf, isDate, shortDay, timeOf, today,
  zoneName } from "../time.js";
import { words } from "../words-more.js";
import { openRowMenu } from "./menus.js";
import { chip, choice, moment } from "./fields.js";
import { row } from "./row.js";
import { alarms, openAbout } from "./schedule.js";

/**
 * @typedef {import("../ask.js").Answer} Answer
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../store.js").ID} ID
 * @typedef {import("../store.js").Reminder} Reminder
 * @typedef {import("../martlet.js").Completion} Completion
 * @typedef {(changes: actions.Changes) => unknown} Change
 */

const text = words.detail, PAUSE = 3000;
/** @type {number | undefined} */
let timer;

/** @type {Reminder | undefined} */
let last;

/** @param {number} now */
export function view(now) {
  const { id } = state.route, known = store.reminder(id);
  const asked = !known && typeof store.idOf(id) === "number" && state.isReady ?
    ask(`/v1/reminders/${store.idOf(id)}`) : undefined;
  // What is typed stays while another device completes it.
  if (asked?.problem?.status === 404 || last?.id !== store.idOf(id)) last = undefined;
  const reminder = last = known ?? asked?.body ??
    (document.activeElement?.closest(".grow") ? last : undefined);
  const key = store.keyOf(store.idOf(id));
  return h("aside", { key: `pane ${key}`, class: "pane", "aria-label": text.label,
    ref: focusTitle, onkeydown: escape }, reminder ? parts(reminder, now) : missing(asked));
}

/** @param {HTMLElement} dom */
const focusTitle = (dom) => queueMicrotask(() => {
  // On a phone the pane is the page.
  if (matchMedia("(width < 68rem)").matches) dom.querySelector("header .close")?.focus();
});

/** @param {KeyboardEvent & { target: HTMLElement }} event */
function escape(event) {
  if (event.key !== "Escape" || state.dialog || state.menu) return;
  event.stopPropagation();
  event.target.blur();
  closeDetail();
}

const closeButton = () => h("button", { class: "icon close", "aria-label": words.close,
  onclick: closeDetail }, icon("x"));

/** @type {(asked?: Answer) => Children} */
const missing = (asked) => [h("header", {}, h("p", {}), closeButton()),
  asked?.problem && h("div", { class: "empty" }, h("h2", {}, text.gone[0]), h("p", {},
    text.gone[1]), h("p", { class: "line" }, h("a", { class: "btn", href: "#/completed" },
    words.completed), h("a", { class: "btn", href: "#/trash" }, words.trash)))];

/** @param {Reminder} reminder @param {number} now @returns {Children} */
function parts(reminder, now) {
  const { id } = reminder, list = store.list(reminder.listID), key = store.keyOf(id);
  const isDone = reminder.status === "completed" || state.leaving.has(id);
  /** @type {Change} */
  const change = (changes) => actions.edit(id, changes, undefined, reminder);
  return [
    h("header", {}, h("p", {}, list && h("i", { class: "dot", list: list.color }), list?.title),
      h("button", { class: "icon", "aria-pressed": String(reminder.isFlagged),
        "aria-label": words.row.flag, onclick: () => change({ isFlagged: !reminder.isFlagged }) },
      icon("flag")),
      h("button", { class: "icon", "aria-label": words.row.more(reminder.title),
        "aria-haspopup": "menu", onclick: (event) => openRowMenu(id, event.currentTarget) },
      icon("more")), closeButton()),
    h("div", { class: isDone ? "big done" : "big" },
      h("label", { class: "tick" }, h("input", { type: "checkbox", checked: isDone,
        disabled: state.isReadOnly, "aria-label": reminder.title, onchange: () =>
          isDone ? actions.uncomplete(reminder) : actions.complete(id) })),
      h("h2", {}, area({ key: "title", name: text.title, value: reminder.title, max: 1000,
        save: (title) => title.trim() && change({ title: title.trim() }) })),
      noted(reminder, change)),
    h("div", { class: "props" },
      property("date", text.due, due(reminder, now, change)),
      property("go", text.start, date(reminder.startDate, text.start, (startDate) =>
        change({ startDate }))),
      property("again", text.repeat, h("button", { class: "field", type: "button",
        "aria-haspopup": "dialog", onclick: () => openAbout("repeat", reminder) },
      reminder.recurrence ? sentence(reminder.recurrence.rule ?? "",
        reminder.recurrence.basis) : text.never)),
      property("bell", text.alarms, alarms(reminder, change)),
      property("list", text.list, choice(text.list, String(reminder.listID),
        store.lists.map((each) => [String(each.id), each.title]), (value) =>
        change({ listID: actions.referenceTo(value) }))),
      property("tree", text.parent, h("button", { class: "field", type: "button",
        "aria-haspopup": "dialog", onclick: () => openAbout("parent", reminder) },
      store.reminder(reminder.parentID)?.title ?? words.priority.none)),
      property("bars", text.priority, choice(text.priority, reminder.priority ?? "",
        [["", words.priority.none], .../** @type {const} */ (["high", "medium", "low"])
          .map((each) => [each, words.priority[each]])],
      (value) => change({ priority: value || null }))),
      property("tag", text.tags, tags(reminder, change))),
    h("h3", {}, text.parts),
    h("ul", { class: "rows" }, store.children(id).map((each) => row(each, { now }))),
    h("form", { class: "new-part", onsubmit: (event) => addPart(event, reminder) },
      icon("plus", true), h("input", { key: `part ${key}`, name: "title", class: "bare-field",
        maxlength: 1000, "aria-label": text.addPart, placeholder: text.addPart,
        autocomplete: "off" })),
    next(reminder), history(reminder),
  ];
}

/** @param {string} sign @param {string} name @param {Children} value */
const property = (sign, name, value) => h("div", { key: name }, icon(sign),
  h("span", { class: "quiet" }, name), h("div", {}, value));

/**
 * Grows with its text. It is saved when it is left, and by Enter where that ends no line.
 * @param {{ key: string, name: string, value: string, hint?: string, max: number,
 *   isLong?: boolean, save: (text: string) => unknown }} field
 */
function area({ key, name, value, hint, max, isLong, save }) {
  /** @param {{ target: HTMLTextAreaElement }} event */
  const leave = ({ target }) => {
    clearTimeout(timer);
    if (target.value !== value) save(target.value);
  };
  return h("div", { key, class: `grow ${key}`, "data-text": "" },
    h("div", { "aria-hidden": "true", key: "mirror" }, `${value}\u200b`),
    h("textarea", { key: "field", rows: 1, "aria-label": name, placeholder: hint ?? "",
      maxlength: max, value: isEdited(key) ? undefined : value, onchange: leave,
      oninput: (event) => {
        /** @type {Node} */ (event.target.previousSibling).textContent =
          `${event.target.value}\u200b`;
        clearTimeout(timer);
        if (isLong) timer = setTimeout(leave, PAUSE, { target: event.target });
      },
      onkeydown: (event) => {
        if (event.key === "Enter" && !isLong && !event.isComposing) {
          event.preventDefault();
          event.target.blur();
        }
      } }));
}
/** @param {string} key What is being typed is not replaced. */
const isEdited = (key) => document.activeElement?.closest(`.grow.${key}`);

/**
 * Notes with links, lists or boxes are shown so until one edits them.
 * @param {Reminder} reminder @param {Change} change
 */
function noted({ notes }, change) {
  const isShown = isMarked(notes);
  return h("div", { key: "noted", class: isShown ? "noted" : "" },
    area({ key: "notes", name: text.notes, value: notes, hint: text.notesHint, max: 10_000,
      isLong: true, save: (notes) => change({ notes }) }),
    isShown && h("div", { key: "marked", class: "marked", onclick: (event) => {
      if (event.target.closest("a, label")) return;
      event.currentTarget.parentElement?.querySelector("textarea")?.focus();
    } }, marked(notes, Boolean(state.isReadOnly), (notes) => change({ notes }))));
}

/** @param {Reminder} reminder @param {number} now @param {Change} change @returns {Children} */
function due(reminder, now, change) {
  const { dueDate } = reminder, { due, at, isLate } = dueText(reminder, now, words);
  return [
    date(dueDate, text.due, (dueDate) =>
      change({ dueDate, ...!dueDate && reminder.recurrence && { recurrence: null } })),
    dueDate ? h("span", { class: isLate ? "hint late" : "hint" }, [due || words.today,
      isLate && dueDay(dueDate) < today(now) && at].filter(Boolean).join(", ")) :
      h("span", { class: "line" },
        chip(words.today, () => change({ dueDate: today() })),
        chip(words.tomorrow, () => change({ dueDate: addDays(today(), 1) }))),
    typedDate(String(store.keyOf(reminder.id)), reminder.alarms.length > 0, change),
  ];
}

/** @type {(value: string | null, name: string, set: (due: string | null) => any) => Children} */
const date = (value, name, set) => moment(dueDay(value) ?? "", value === null || isDate(value) ?
  "" : timeOf(Date.parse(value)), (day, time) =>
  set(day ? time ? instantOf(day, time) : day : null), name);

/** @param {Reminder} reminder @param {Change} change @returns {Children} */
function tags({ id, tags }, change) {
  /** @param {Event & { target: HTMLFormElement }} event */
  const add = (event) => {
    event.preventDefault();
    const field = /** @type {any} */ (event.target.elements).tag;
    const added = actions.tagsOf(field.value).filter((each) => !tags.includes(each));
    field.value = "";
    if (added.length > 0) change({ tags: [...tags, ...added] });
  };
  return [
    h("ul", { class: "tags" }, tags.map((tag) => h("li", { key: tag, class: "chip" }, `@${tag}`,
      h("button", { class: "icon tiny", "aria-label": text.remove(tag),
        onclick: () => change({ tags: tags.filter((each) => each !== tag) }) }, icon("x", true))))),
    h("form", { onsubmit: add }, h("input", { key: `tag ${id}`, name: "tag", class: "bare-field",
      "aria-label": text.addTag, placeholder: text.addTag, maxlength: 100,
      autocomplete: "off", autocapitalize: "none" })),
  ];
}

/**
 * A line as any other, which becomes a part of this one.
 * @param {Event & { target: HTMLFormElement }} event @param {Reminder} reminder
 */
async function addPart(event, { id, listID }) {
  event.preventDefault();
  const field = /** @type {any} */ (event.target.elements).title, line = field.value.trim();
  if (line === "") return;
  field.value = "";
  const body = { text: line, listID: actions.referenceTo(listID), timeZone: zoneName(),
    now: new Date().toISOString() };
  const written = await act(words.did.added(line), [{ method: "POST", path: "/v1/quick-add",
    body }], { title: line, parentID: id, listID }).catch(() => { field.value = line; });
  if (written) {
    write("PATCH", actions.pathOf(written.name), { parentID: actions.referenceTo(id) });
  }
}

/**
 * The next days of a rule, and the way past the one that is due.
 * @param {Reminder} reminder
 */
function next(reminder) {
  const { id, recurrence } = reminder;
  if (!recurrence || typeof id !== "number") return undefined;
  const { body } = ask(`/v1/reminders/${id}/occurrences?limit=4`);
  return h("section", { key: "next" }, h("h3", {}, text.next),
    h("ul", { class: "tags" }, body?.items.map((/** @type {any} */ { dueDate }) =>
      h("li", { key: dueDate, class: "chip" }, shortDay(dueDay(dueDate)))),
    h("li", { key: "skip" }, chip(text.skip, () => actions.skip(reminder)))));
}

/** @param {Reminder} reminder */
function history({ id, recurrence, createdAt, updatedAt }) {
  if (typeof id !== "number") return undefined;
  const { body } = ask(recurrence && `/v1/completions?reminderID=${id}&limit=5`);
  /** @param {string} instant */
  const when = (instant) => `${dayName(dueDay(instant), today(), words)}, ${clock(instant)}`;
  return h("section", { key: "history" }, h("h3", {}, text.history), h("ul", { class: "log" },
    body?.items.map((/** @type {Completion} */ { id, kind, completedAt }) => h("li", { key: id },
      kind === "skipped" ? text.skipped : words.done, h("span", { class: "at" },
        when(completedAt)))),
    [["changed", updatedAt], ["created", createdAt]].map(([name, at]) => at && h("li",
      { key: name, class: "quiet" }, text[name], h("span", { class: "at" }, when(at))))));
}
