// SPDX-License-Identifier: Apache-2.0
// What comes over the page: the toast with undo, and dialogs.

import { addList, editList, removeList } from "../actions.js";
import { icon } from "../icons.js";
import { table } from "../keys.js";
import { h } from "../render.js";
import { go, state, store, update } from "../state.js";
import { client } from "../sync.js";
import { refresh } from "../ask.js";
import { hide, hold, undo } from "../undo.js";
import { words } from "../words.js";

export function toast() {
  const { toast } = state;
  if (!toast) return undefined;
  return h("section", { key: `toast ${toast.id}`, class: toast.canUndo ? "toast runs" : "toast",
    "aria-label": words.undo, onpointerenter: () => hold(true), onpointerleave: () => hold(false),
    onfocusin: () => hold(true), onfocusout: () => hold(false) },
  toast.problem && icon("warn"), h("p", {}, toast.text ?? toast.problem),
  toast.canUndo && h("button", { class: "btn bare", onclick: undo }, words.undo,
    h("kbd", { "aria-hidden": "true" }, `${words.keys.names.Control} Z`)),
  h("button", { class: "icon", "aria-label": words.close, onclick: hide }, icon("x", true)));
}

const colors = ["#4a99ef", "#14a5a5", "#3fa45b", "#84a32f", "#d19a1e", "#e07b39", "#d9534a",
  "#d6568a",
  "#9a74dc", "#74818f"];

export function dialog() {
  const { dialog } = state;
  return dialog && dialogs[dialog.kind](dialog);
}

const shell = (key, title, body, footer, extra = {}) => h("dialog", { key, "aria-labelledby": "dt",
  ref: (dom) => queueMicrotask(() => dom.isConnected && !dom.open && dom.showModal()),
  onclose: () => update({ dialog: undefined }),
  onclick: (event) => {
    // A click beside it.
    if (event.target === event.currentTarget) event.currentTarget.close();
  }, ...extra },
h("header", {}, h("h2", { id: "dt" }, title), h("button", { class: "icon", type: "button",
  "aria-label": words.close, onclick: close }, icon("x"))),
h("form", { method: "dialog", ...footer.form }, h("div", { class: "body" }, body),
  footer.buttons && h("footer", {}, footer.buttons)));

const close = (event) => event.target.closest("dialog").close();
const cancel = () => h("button", { class: "btn bare", type: "button", onclick: close },
  words.cancel);

const dialogs = {
  list({ id }) {
    const list = id === undefined ? undefined : store.list(id);
    const color = list?.color ?? colors[store.lists.length % colors.length];
    const choices = colors.includes(color) ? colors : [color, ...colors];
    const save = (event) => {
      const data = new FormData(event.target), title = String(data.get("title")).trim();
      const body = { title, color: String(data.get("color")) };
      if (title === "") return event.preventDefault();
      if (list) editList(list.id, body);
      else addList(body).then((name) => go(`#/lists/${name}`), () => {});
    };
    return shell(`list ${id ?? ""}`, list ? words.editList : words.newList, [
      h("label", { class: "label", for: "list-title" }, words.listTitle),
      h("input", { id: "list-title", class: "field", name: "title", required: true, maxlength: 1000,
        autofocus: true, autocomplete: "off",
        ref: (dom) => { dom.value = list?.title ?? ""; } }),
      h("fieldset", {}, h("legend", {}, words.color), h("div", { class: "colors" },
        choices.map((each) => h("label", { key: each }, h("input", { type: "radio", name: "color",
          value: each, "aria-label": words.colors[colors.indexOf(each)] ?? words.otherColor,
          ref: (dom) => { dom.checked = each === color; } }),
        h("i", { class: "dot", list: each }))))),
    ], { form: { onsubmit: save },
      buttons: [cancel(), h("button", { class: "btn main" }, list ? words.save : words.create)] });
  },

  deleteList({ id }) {
    const list = store.list(id);
    if (!list) return undefined;
    return confirm("deleteList", words.deleteListTitle(list.title),
      words.deleteListText(store.count(id)), words.deleteList, () => {
        removeList(id);
        go("#/today");
      });
  },

  emptyTrash: () => confirm("emptyTrash", words.emptyTrashTitle, words.emptyTrashText,
    words.emptyTrash, () => client.delete("/v1/trash").then(refresh, refresh)),

  help() {
    const groups = Object.entries(words.keys.groups);
    return shell("help", words.keys.title, h("div", { class: "keys" }, groups.map(([name, title]) =>
      h("section", { key: name }, h("h3", {}, title), h("dl", {}, table
        .filter(({ group }) => group === name).map(({ keys, name }) => h("div", { key: name },
          h("dt", {}, words.keys[name]), h("dd", {}, keysOf(keys)))))))), {}, { class: "wide" });
  },
};

const confirm = (key, title, text, verb, act) => shell(key, title, h("p", {}, text), {
  form: { onsubmit: act },
  buttons: [cancel(), h("button", { class: "btn warn", autofocus: true }, verb)],
});

/** "g t" is one key after the other, "Alt+ArrowUp" both at once. */
const keysOf = (keys) => keys.map((each, index) => [
  index > 0 && h("span", { class: "quiet" }, words.keys.or),
  each.split(/ (?=.)|\+(?=.)/).map((key) =>
    h("kbd", {}, words.keys.names[key] ?? key)),
]);
