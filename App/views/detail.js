// SPDX-License-Identifier: Apache-2.0
// One reminder with everything that it has. Each part is changed where it stands.

import * as actions from "../actions.js";
import { ask } from "../ask.js";
import { alarmText } from "../edit/quick.js";
import { icon } from "../icons.js";
import { closeDetail } from "../keys.js";
import { h } from "../render.js";
import { state, store } from "../state.js";
import { write } from "../sync.js";
import { clock, dayName, dueDay, dueText, instantOf, isDate, shortDay, timeOf, today }
  from "../time.js";
import { words } from "../words.js";
import { openRowMenu } from "./menus.js";
import { alarms, repeat } from "./schedule.js";
import { row } from "./row.js";

const text = words.detail;

export function view(now) {
  const { id } = state.route, known = store.reminder(id);
  const asked = !known && typeof store.idOf(id) === "number" && state.isReady ?
    ask(`/v1/reminders/${store.idOf(id)}`) : undefined;
  const reminder = known ?? asked?.body;
  const key = store.keyOf(store.idOf(id));
  return h("aside", { key: `pane ${key}`, class: "pane", "aria-label": text.label,
    ref: focusTitle, onkeydown: escape }, reminder ? parts(reminder, now) : missing(asked));
}

const focusTitle = (dom) => queueMicrotask(() => {
  // On a phone the pane is the page.
  if (matchMedia("(width < 68rem)").matches) dom.querySelector("header .close")?.focus();
});

function escape(event) {
  if (event.key !== "Escape" || state.dialog || state.menu) return;
  event.stopPropagation();
  event.target.blur();
  closeDetail();
}

const closeButton = () => h("button", { class: "icon close", "aria-label": words.close,
  onclick: closeDetail }, icon("x"));

const missing = (asked) => [h("header", {}, h("p", {}), closeButton()),
  asked?.problem && h("div", { class: "empty" }, h("h2", {}, text.gone[0]), h("p", {},
    text.gone[1]))];

function parts(reminder, now) {
  const { id } = reminder, list = store.list(reminder.listID), key = store.keyOf(id);
  const isDone = reminder.status === "completed" || state.leaving.has(id);
  const change = (changes) => actions.edit(id, changes);
  return [
    h("header", {}, h("p", {}, list && h("i", { class: "dot", list: list.color }), list?.title),
      h("button", { class: "icon", "aria-pressed": String(reminder.isFlagged),
        "aria-label": words.row.flag, onclick: () => actions.toggleFlag(id) }, icon("flag")),
      h("button", { class: "icon", "aria-label": words.row.more(reminder.title),
        "aria-haspopup": "menu", onclick: (event) => openRowMenu(id, event.currentTarget) },
      icon("more")), closeButton()),
    h("div", { class: isDone ? "big done" : "big" },
      h("label", { class: "tick" }, h("input", { type: "checkbox", checked: isDone,
        "aria-label": reminder.title, onchange: () => isDone ? actions.uncomplete(reminder) :
          actions.complete(id) })),
      h("h2", {}, area({ key: "title", name: text.title, value: reminder.title, max: 1000,
        save: (title) => title.trim() && change({ title: title.trim() }) })),
      area({ key: "notes", name: text.notes, value: reminder.notes, hint: text.notesHint,
        max: 10_000, isLong: true, save: (notes) => change({ notes }) }),
      links(reminder.notes)),
    h("div", { class: "props" },
      property("date", text.due, due(reminder, now, change)),
      property("again", text.repeat, repeat(reminder, change)),
      property("bell", text.alarms, alarms(reminder, change)),
      property("list", text.list, choice(text.list, String(reminder.listID),
        store.lists.map((each) =>
        [String(each.id), each.title]), (value) => actions.move(id, numberOr(value)))),
      property("bars", text.priority, choice(text.priority, reminder.priority ?? "",
        [["", words.priority.none], ...["high", "medium", "low"].map((each) =>
          [each, words.priority[each]])], (value) => change({ priority: value || null }))),
      property("tag", text.tags, tags(reminder, change))),
    h("h3", {}, text.parts),
    h("ul", { class: "rows" }, store.children(id).map((each) => row(each, { now }))),
    h("form", { class: "part", onsubmit: (event) => addPart(event, id) }, icon("plus", true),
      h("input", { key: `part ${key}`, name: "title", class: "bare-field", maxlength: 1000,
        "aria-label": text.addPart, placeholder: text.addPart, autocomplete: "off" })),
    next(reminder), history(reminder),
  ];
}

const numberOr = (text) => /^\d+$/.test(text) ? Number(text) : text;

/** A name and its value, with a drawing. */
const property = (sign, name, value) => h("div", { key: name }, icon(sign),
  h("span", { class: "quiet" }, name), h("div", {}, value));

/** Grows with its text. It is saved when it is left, and by Enter where that ends no line. */
function area({ key, name, value, hint, max, isLong, save }) {
  const leave = (event) => {
    if (event.target.value !== value) save(event.target.value);
  };
  return h("div", { key, class: `grow ${key}`, "data-text": "" },
    h("div", { "aria-hidden": "true", key: "mirror" }, `${value}\u200b`),
    h("textarea", { key: "field", rows: 1, "aria-label": name, placeholder: hint ?? "",
      maxlength: max, value: isEdited(key) ? undefined : value, onchange: leave,
      oninput: (event) => {
        event.target.previousSibling.textContent = `${event.target.value}\u200b`;
      },
      onkeydown: (event) => {
        if (event.key === "Enter" && !isLong && !event.isComposing) {
          event.preventDefault();
          event.target.blur();
        }
      } }));
}
/** What is being typed is not replaced. */
const isEdited = (key) => document.activeElement?.closest(`.grow.${key}`) !== null &&
  document.activeElement !== null && document.activeElement !== document.body &&
  Boolean(document.activeElement.closest(`.grow.${key}`));

/** Addresses in the notes can be opened; nothing else in them is more than text. */
function links(notes) {
  const found = [...new Set(notes.match(/\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g) ?? [])];
  return found.length > 0 && h("ul", { class: "links", "aria-label": text.links },
    found.slice(0, 10).map((href) => h("li", { key: href },
      h("a", { href, target: "_blank", rel: "noopener noreferrer" },
        href.replace(/^https?:\/\//, "")))));
}

function due(reminder, now, change) {
  const { dueDate } = reminder, day = dueDate === null ? "" : dueDay(dueDate);
  const time = dueDate === null || isDate(dueDate) ? "" : timeOf(Date.parse(dueDate));
  const set = (day, time) => change({ dueDate: time ? instantOf(day, time) : day });
  const { due, at, isLate } = dueText(reminder, now, words);
  return [
    h("span", { class: "line" },
      h("input", { type: "date", class: "field", "aria-label": text.date, value: day,
        max: "9999-12-31",
        onchange: ({ target }) => target.value ? set(target.value, time) :
          change({ dueDate: null, ...reminder.recurrence && { recurrence: null } }) }),
      day && h("input", { type: "time", class: "field", "aria-label": text.time, value: time,
        onchange: ({ target }) => set(day, target.value) })),
    day ? h("span", { class: isLate ? "hint late" : "hint" }, [due || words.today,
      isLate && dueDay(dueDate) < today(now) && at].filter(Boolean).join(", ")) :
      h("span", { class: "line" },
        chip(words.today, () => actions.dueToday(reminder.id)),
        chip(words.tomorrow, () => actions.dueTomorrow(reminder.id))),
  ];
}

export const chip = (name, act) => h("button", { key: name, class: "chip", type: "button",
  onclick: act }, name);

export function choice(name, value, options, act) {
  return h("select", { class: "field", "aria-label": name, value,
    onchange: ({ target }) => act(target.value) },
  options.map(([each, label]) => h("option", { key: each, value: each, selected: each === value },
    label)));
}

function tags({ id, tags }, change) {
  const add = (event) => {
    event.preventDefault();
    const field = event.target.elements.tag, tag = field.value.trim().replace(/^@/, "");
    field.value = "";
    if (tag && !tags.includes(tag)) change({ tags: [...tags, tag] });
  };
  return [
    h("ul", { class: "tags" }, tags.map((tag) => h("li", { key: tag, class: "chip" }, `@${tag}`,
      h("button", { class: "icon tiny", "aria-label": text.removeTag(tag),
        onclick: () => change({ tags: tags.filter((each) => each !== tag) }) }, icon("x", true))))),
    h("form", { onsubmit: add }, h("input", { key: `tag ${id}`, name: "tag", class: "bare-field",
      "aria-label": text.addTag, placeholder: text.addTag, maxlength: 100,
      autocomplete: "off", autocapitalize: "none" })),
  ];
}

function addPart(event, id) {
  event.preventDefault();
  const field = event.target.elements.title, title = field.value.trim();
  if (title === "") return;
  field.value = "";
  write("POST", "/v1/reminders", { parentID: actions.referenceTo(id), title });
}

/** The next days of a rule, and the way past the one that is due. */
function next({ id, recurrence }) {
  if (!recurrence || typeof id !== "number") return undefined;
  const { body } = ask(`/v1/reminders/${id}/occurrences?limit=4`);
  return h("section", { key: "next" }, h("h3", {}, text.next),
    h("ul", { class: "tags" }, body?.items.map(({ dueDate }) => h("li", { key: dueDate,
      class: "chip" }, shortDay(dueDay(dueDate)))),
    h("li", { key: "skip" }, chip(text.skip, () => write("POST", `/v1/reminders/${id}/skip`)))));
}

function history({ id, recurrence, createdAt }) {
  if (typeof id !== "number") return undefined;
  const { body } = recurrence ? ask(`/v1/completions?reminderID=${id}&limit=5`) : {};
  const when = (instant) => `${dayName(dueDay(instant), today(), words)}, ${clock(instant)}`;
  return h("section", { key: "history" }, h("h3", {}, text.history), h("ul", { class: "log" },
    body?.items.map(({ id, kind, completedAt }) => h("li", { key: id },
      kind === "skipped" ? text.skipped : words.done, h("span", { class: "at" },
        when(completedAt)))),
    createdAt && h("li", { key: "created", class: "quiet" }, text.created,
      h("span", { class: "at" }, when(createdAt)))));
}
