// SPDX-License-Identifier: Apache-2.0
// A line that offers alarms for reminders without one.

import { add, decline, open } from "../edit/unalarmed.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { words } from "../words-more.js";

export const view = () => open().map(({ name, offset, number }) => h("div", { key: name,
  class: "note", role: "status" }, icon("bell"), h("p", {}, words.noAlarms[name](number)),
h("button", { class: "btn", onclick: leave(() => add(name, offset)) }, words.add),
h("button", { class: "btn bare", onclick: leave(() => decline(name)) }, words.noAlarms.no)));

/** @param {() => void} act The line is gone then, and the focus goes to the page. */
const leave = (act) => () => {
  act();
  document.querySelector("#main h1")?.focus();
};
