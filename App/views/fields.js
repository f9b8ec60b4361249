// SPDX-License-Identifier: Apache-2.0
// Parts of forms.

import { h } from "../render.js";
import { words } from "../words-more.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {string | number | null | undefined} Value
 * @typedef {import("../render.js").Props<HTMLInputElement>} More attributes
 */

/** @param {string} name @param {() => unknown} act @param {string} [isOn] */
export const chip = (name, act, isOn) => h("button", { key: name, class: "chip", type: "button",
  "aria-pressed": isOn, onclick: act }, name);

/**
 * A list to choose from; each option is its value and its text.
 * @param {string} name @param {string} value @param {string[][]} options
 * @param {(value: any) => unknown} [act] @param {string} [more] its name in a form
 */
export const choice = (name, value, options, act, more) => h("select", { key: name,
  class: "field", "aria-label": name, name: more, value: act && value,
  onchange: act && (({ target }) => act(target.value)) },
options.map(([each, label]) => h("option", { key: each, value: each, selected: each === value },
  label)));

/**
 * A field. What is typed stays when the page is drawn again.
 * @param {string} label @param {string} name @param {Value} value @param {More} more
 */
export const field = (label, name, value, more) => h("input", { key: name, class: "field",
  "aria-label": label, name, autocomplete: "off",
  ref: (dom) => { dom.value = /** @type {string} */ (value ?? ""); }, ...more });

/** @type {typeof field} With its name above it. */
export const labeled = (label, name, value, more) => h("label", { key: name, class: "label" },
  label, field(label, name, value, more));

/**
 * Several to choose from; each option is its value, its text and maybe its color.
 * @param {string} title @param {string} name @param {unknown} chosen @param {string[][]} options
 */
export const checks = (title, name, chosen, options) => options.length > 0 && h("fieldset",
  { key: name }, h("legend", {}, title), h("div", { class: "checks" },
    options.map(([value, text, color]) => h("label", { key: value, class: "chip" },
      h("input", { type: "checkbox", name, value,
        ref: (dom) => { dom.checked = [chosen].flat().includes(value); } }),
      color && h("i", { class: "dot", list: color }), text))));

/**
 * A day and a time, which may be empty.
 * @param {string} day @param {string} time @param {(day: string, time: string) => unknown} [set]
 */
export const moment = (day, time, set, label = words.detail.date) => h("span", { class: "line" },
  field(label, "day", day, { type: "date", autofocus: !set, min: "1970-01-01", max: "9999-12-31",
    ...set && typed(day, (day) => set(day, time)) }),
  (day || !set) && field(set ? `${label}: ${words.detail.time}` :
    words.detail.time, "time", time, { type: "time",
    ...set && typed(time, (time) => set(day, time)) }));

let isTyping = false;
/**
 * What is picked is saved at once, what is typed when it is whole: by Enter, or when it is left.
 * @param {string} value @param {(value: string) => unknown} set
 */
function typed(value, set) {
  /** @param {{ target: HTMLInputElement }} event */
  const save = ({ target }) => {
    isTyping = false;
    if (!target.validity.valid) target.value = value;
    else if (target.value !== value) set(target.value);
  };
  return { value: isTyping ? undefined : value,
    onkeydown: (/** @type {any} */ event) => {
      isTyping = true;
      if (event.key === "Enter") save(event);
    },
    onchange: (/** @type {any} */ event) => isTyping || save(event), onblur: save };
}
