// SPDX-License-Identifier: Apache-2.0
// What asks before it does something.

import { addList, editAll, editList, referenceTo, removeList, tagsOf } from "../actions.js";
import { refresh } from "../ask.js";
import { parent } from "../edit/parent.js";
import { repeat } from "../edit/repeat.js";
import { icon } from "../icons.js";
import { table } from "../keys.js";
import { h } from "../render.js";
import { go, onDrawn, state, store, update } from "../state.js";
import { client } from "../sync.js";
import { durationText } from "../time.js";
import { fail } from "../undo.js";
import { words } from "../words-more.js";
import { checks, choice, labeled, moment } from "./fields.js";
import { alarm } from "./schedule.js";

const colors = ["#4a99ef", "#14a5a5", "#3fa45b", "#84a32f", "#d19a1e", "#e07b39", "#d9534a",
  "#d6568a", "#9a74dc", "#74818f"];

export function view() {
  const dialog = /** @type {Required<Dialog>} */ (state.dialog);
  return dialog.draw ? dialog.draw(shell) : dialogs[dialog.kind](dialog);
}

onDrawn(() => {
  // What it is about is gone.
  if (state.dialog && !document.querySelector("#app dialog")) update({ dialog: undefined });
});

/**
 * @typedef {import("../state.js").Dialog} Dialog
 * @typedef {import("../render.js").Children} Children
 * @typedef {(data: FormData, event: Event) => unknown} Save
 * @typedef {{ class?: string, isWarning?: boolean, extra?: Children }} More
 * @typedef {typeof shell} Shell
 */

/**
 * @param {Children} title @param {Children} body @param {Save} [save]
 * @param {string} [verb] of the button that saves @param {More} [more]
 */
const shell = (title, body, save, verb, more = {}) => h("dialog", { key: keyOf(state.dialog),
  "aria-labelledby": "dt", class: more.class,
  ref: (dom) => queueMicrotask(() => dom.isConnected && !dom.open && dom.showModal()),
  onclose: closed(state.dialog),
  onclick: (event) => {
    // A click beside it.
    if (event.target === event.currentTarget) event.currentTarget.close();
  } },
h("header", {}, h("h2", { id: "dt" }, title), h("button", { class: "icon", type: "button",
  "aria-label": words.close, onclick: close }, icon("x"))),
h("form", { method: "dialog", onsubmit: (event) => save?.(new FormData(event.target), event) },
  // Where nothing in it can be focused, keys scroll it.
  h("div", { class: "body", tabindex: save ? undefined : 0 }, body),
  verb && h("footer", {}, more.extra ?? h("span", {}), h("button", { class: "btn bare",
    type: "button", onclick: close }, words.cancel),
  h("button", { class: more.isWarning ? "btn warn" : "btn main", autofocus: more.isWarning },
    verb))));

/** @type {WeakMap<Dialog, number>} */
const keys = new WeakMap();
/** @param {Dialog} [dialog] Each has an element of its own, also behind one of the same kind. */
function keyOf(dialog) {
  if (!dialog) return undefined;
  if (!keys.has(dialog)) keys.set(dialog, Math.random());
  return keys.get(dialog);
}
/** @type {(dialog?: Dialog) => () => void} The event comes later; another one may be open then. */
const closed = (dialog) => () => {
  if (state.dialog === dialog) update({ dialog: undefined });
};

/** @param {{ target: HTMLElement }} event */
const close = (event) => event.target.closest("dialog")?.close();
/** @type {(title: string, text: string, verb: string, act: Save) => Children} */
const confirm = (title, text, verb, act) => shell(title, h("p", {}, text), act, verb,
  { isWarning: true });

/** @type {Record<string, (dialog: Required<Dialog>) => Children>} What each needs is there. */
const dialogs = {
  alarm: (dialog) => alarm(dialog, shell),
  repeat: (dialog) => repeat(dialog, shell),
  parent: (dialog) => parent(dialog, shell),

  moment: ({ title, day, time, act, actTyped }) => shell(title, [moment(day, time),
    actTyped !== undefined && labeled(words.detail.typed, "typed", "", { maxlength: 200,
      placeholder: words.detail.typedHint, autocapitalize: "none" })], (data) => {
    const chosen = data.get("day"), typed = data.get("typed")?.trim();
    if (typed) actTyped(typed);
    else if (chosen) act(chosen, data.get("time"));
  }, words.save),

  /** A list, or a smart list with its filter. */
  list({ id, of: kind = "list", filter = {}, title = "" }) {
    const list = store.item(id, kind), isSmart = kind === "smart-list", text = words.smart;
    const color = list?.color ?? colors[store.all(kind).length % colors.length];
    const choices = colors.includes(color) ? colors : [color, ...colors];
    filter = list?.filter ?? filter;
    const spans = [...new Set(["P7D", "P30D", filter.dueWithin ?? "P7D"])];
    /** @type {Save} */
    const save = (data, event) => {
      /** @type {any} */
      const body = { title: data.get("title").trim(), color: data.get("color") };
      if (body.title === "") return event.preventDefault();
      if (isSmart) body.sort = data.get("sort") || null;
      if (isSmart) body.filter = filterOf(data);
      if (list) return editList(list.id, body, kind);
      body.filter &&= Object.fromEntries(Object.entries(body.filter).filter(([, value]) =>
        value !== null));
      addList(body, kind).then((name) => go(`#/${isSmart ? "smart" : "lists"}/${name}`), () => {});
    };
    return shell(list ? words.edit : isSmart ? text.make : words.newList, [
      labeled(words.listTitle, "title", list?.title ?? title, { id: "list-title", required: true,
        maxlength: 1000, autofocus: true }),
      isSmart && [
        labeled(text.text, "q", filter.q, { maxlength: 1000 }),
        h("p", { class: "line" },
          choice(words.detail.due, filter.due ?? filter.dueWithin ?? "",
            [...Object.entries(text.due), ...spans.map((each) => [each,
              text.within(durationText(each))])], undefined, "due"),
          choice(text.sort, list?.sort ?? "", Object.entries({ ...list?.sort &&
            { [list.sort]: list.sort }, ...text.sorts }), undefined, "sort")),
        checks(words.detail.priority, "priority", filter.priority,
          ["high", "medium", "low"].map((each) => [each, words.priority[each]])),
        checks(words.more, "flagged", String(filter.flagged), [["true", words.flagged]]),
        checks(words.tags, "tag", filter.tag, [...new Set([store.tags, filter.tag ?? []].flat())]
          .map((each) => [each, `@${each}`])),
        checks(words.lists, "listID", [filter.listID].flat().map(String), store.lists
          .map(({ id, title, color }) => [String(id), title, color])),
      ],
      h("fieldset", {}, h("legend", {}, words.color), h("div", { class: "colors" },
        choices.map((each) => h("label", { key: each }, h("input", { type: "radio", name: "color",
          value: each, "aria-label": words.colors[colors.indexOf(each)] ?? words.otherColor,
          ref: (dom) => { dom.checked = each === color; } }),
        h("i", { class: "dot", list: each }))))),
    ], save, list ? words.save : words.create);
  },

  deleteList({ id }) {
    const list = store.list(id);
    return list && confirm(words.deleteListTitle(list.title),
      words.deleteListText(store.count(id)), words.row.delete, () => {
        removeList(id, "list");
        go("#/today");
      });
  },

  /** What is not changed here stays what it is for each. */
  tags(dialog) {
    const { ids } = dialog, [first, ...others] = ids.map((id) => store.reminder(id)?.tags ?? []);
    const tags = dialog.tags ??= first.filter((tag) => others.every((all) => all.includes(tag)));
    return shell(ids.length > 1 ? words.tags : store.reminder(ids[0])?.title, [
      checks(words.tags, "tag", tags, store.tags.map((each) => [each, `@${each}`])),
      labeled(words.detail.addTag, "more", "", { autofocus: true, maxlength: 100,
        autocapitalize: "none" }),
    ], (data) => {
      const chosen = [...data.getAll("tag"),
        ...tagsOf(data.get("more"))];
      editAll(ids, (each) => ({ tags: [...new Set([...each.tags, ...chosen])].filter((tag) =>
        chosen.includes(tag) || !tags.includes(tag)) }));
    }, words.save);
  },

  emptyTrash: () => confirm(words.emptyTrashTitle, words.emptyTrashText, words.emptyTrash, () =>
    client.delete("/v1/trash", { retry: false }).catch(fail).then(refresh)),

  help() {
    const groups = Object.entries(words.keys.groups);
    return shell(words.keys.title, h("div", { class: "keys" }, groups.map(([name, title]) =>
      h("section", { key: name }, h("h3", {}, title), h("dl", {}, table
        .filter(({ group }) => group === name).map(({ keys, name }) => h("div", { key: name },
          h("dt", {}, nameOf(name)), h("dd", {}, signsOf(keys)))))))),
    undefined, undefined, { class: "wide" });
  },
};

/** @param {FormData} data @returns null for what is not chosen, so that a PATCH removes it */
function filterOf(data) {
  const due = data.get("due"), isSpan = due.startsWith("P");
  /** @param {string} name @param {(value: string) => unknown} of */
  const all = (name, of = String) => data.has(name) ? data.getAll(name).map(of) : null;
  return { q: data.get("q").trim() || null, due: !isSpan && due || null,
    dueWithin: isSpan ? due : null, priority: all("priority"), tag: all("tag"),
    flagged: data.has("flagged") || null, listID: all("listID", referenceTo) };
}

/** @type {(name: any) => string} Many keys do what a menu or a link does, too. */
const nameOf = (name) => words.keys[name] ?? words.row[name] ?? words.detail[name] ?? words[name];
/** @type {Record<string, string>} */
const signs = { ArrowUp: "↑", ArrowDown: "↓", ArrowRight: "→", ArrowLeft: "←", Backspace: "⌫" };

/** @param {string[]} keys "g t" is one key after the other, "Alt+ArrowUp" both at once. */
const signsOf = (keys) => keys.map((each, index) => [
  index > 0 && h("span", { class: "quiet" }, words.keys.or),
  each.split(/ (?=.)|\+(?=.)/).map((key) =>
    h("kbd", {}, words.keys.names[key] ?? signs[key] ?? key)),
]);
