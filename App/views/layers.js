// SPDX-License-Identifier: Apache-2.0
// The toast with undo.

import { icon } from "../icons.js";
import { h } from "../render.js";
import { state } from "../state.js";
import { hide, hold, redo, undo } from "../undo.js";
import { words } from "../words.js";

export function toast() {
  const { toast } = state;
  if (!toast) return undefined;
  return h("section", { key: `toast ${toast.id}`, class: toast.canUndo ? "toast runs" : "toast",
    "aria-label": words.undo, onpointerenter: () => hold(true), onpointerleave: () => hold(false),
    onfocusin: () => hold(true), onfocusout: () => hold(false) },
  toast.problem && icon("warn"), h("p", {}, toast.text ?? toast.problem),
  toast.href && h("a", { key: "open", class: "btn bare", href: toast.href }, words.row.open),
  toast.canUndo && h("button", { key: "undo", class: "btn bare", onclick: undo }, words.undo,
    h("kbd", { "aria-hidden": "true" }, `${words.keys.names.Control} Z`)),
  toast.canRedo && h("button", { key: "redo", class: "btn bare", onclick: redo }, words.redo,
    h("kbd", { "aria-hidden": "true" }, `${words.keys.names.Control} ${words.keys.names.Shift} Z`)),
  h("button", { class: "icon", "aria-label": words.close, onclick: hide }, icon("x", true)));
}
