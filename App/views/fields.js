// SPDX-License-Identifier: Apache-2.0
// Parts of forms.

import { h } from "../render.js";
import { words } from "../words.js";

export const chip = (name, act, isOn) => h("button", { key: name, class: "chip", type: "button",
  "aria-pressed": isOn, onclick: act }, name);

/** A list to choose from; each option is its value and its text. */
export const choice = (name, value, options, act, more) => h("select", { key: name,
  class: "field", "aria-label": name, name: more, value: act && value,
  onchange: act && (({ target }) => act(target.value)) },
options.map(([each, label]) => h("option", { key: each, value: each, selected: each === value },
  label)));

/** A field. What is typed stays when the page is drawn again. */
export const field = (label, name, value, more) => h("input", { key: name, class: "field",
  "aria-label": label, name, autocomplete: "off", ref: (dom) => { dom.value = value ?? ""; },
  ...more });

/** A field with its name above it. */
export const labeled = (label, name, value, more) => h("label", { key: name, class: "label" },
  label, field(label, name, value, more));

/** Several to choose from; each option is its value, its text and maybe its color. */
export const checks = (title, name, chosen, options) => options.length > 0 && h("fieldset",
  { key: name }, h("legend", {}, title), h("div", { class: "checks" },
    options.map(([value, text, color]) => h("label", { key: value, class: "chip" },
      h("input", { type: "checkbox", name, value,
        ref: (dom) => { dom.checked = [chosen].flat().includes(value); } }),
      color && h("i", { class: "dot", list: color }), text))));

/** A day and a time, which may be empty. */
export const moment = (day, time, set, label = words.detail.date) => h("span", { class: "line" },
  field(label, "day", day, { type: "date", autofocus: !set, max: "9999-12-31", value: set && day,
    onchange: set && (({ target }) => set(target.value, time)) }),
  (day || !set) && field(words.detail.time, "time", time, { type: "time", value: set && time,
    onchange: set && (({ target }) => set(day, target.value)) }));
