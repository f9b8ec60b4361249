// SPDX-License-Identifier: Apache-2.0
// Several lines that are pasted: first it is shown what they become, then they are added as one
// step.

import { h } from "../render.js";
import { update } from "../state.js";
import { client, patience } from "../sync.js";
import { act } from "../undo.js";
import { words } from "../words-more.js";
import { bodyOf, readingOf, setText } from "./quick.js";

/**
 * @typedef {import("./quick.js").Reading} Reading
 * @typedef {{ text: string, isLeftOut?: boolean, read?: Reading }} Line
 */

const MOST = 500, AT_ONCE = 4;
const text = words.paste;

/** @param {string} line without the sign of a list: "- [ ] milk", "2. oats", "• bread" */
const plain = (line) => line.trim().replace(/^(?:[-*+•–]|\d{1,3}[.)])\s+/, "")
  .replace(/^\[[ xX]?\]\s*/, "").trim();

/** @param {string} pasted Asks which of its lines become reminders. */
export function askLines(pasted) {
  /** @type {Line[]} */
  const lines = pasted.split(/[\r\n]+/).map(plain).filter(Boolean).slice(0, MOST)
    .map((text) => ({ text }));
  const add = () => {
    const chosen = lines.filter(({ isLeftOut }) => !isLeftOut);
    if (chosen.length === 0) return;
    act(words.did.many.added(chosen.length), chosen.map(({ text }) => ({ method: "POST",
      path: "/v1/quick-add", body: bodyOf(text) }))).catch(() =>
      setText(chosen.map(({ text }) => text).join(" ")));
    setText("");
  };
  update({ dialog: { kind: "lines", draw: (shell) => {
    const number = lines.filter(({ isLeftOut }) => !isLeftOut).length;
    return shell(text.title, h("ul", { class: "lines", "aria-label": text.title },
      lines.map((line, index) => h("li", { key: index }, h("label", { class: "radio" },
        h("input", { type: "checkbox", checked: !line.isLeftOut, onchange: ({ target }) => {
          line.isLeftOut = !target.checked;
          update();
        } }), line.read?.reminder.title ?? line.text),
      line.read && h("ul", { class: "read" }, readingOf(line.read))))),
    add, text.add(number), { class: "wide" });
  } } });
  // A few at once, so that the first ones are soon there. Without a network the texts are shown.
  const waiting = [...lines], next = async () => {
    for (let line = waiting.shift(); line; line = waiting.shift()) {
      try {
        line.read = await client.post("/v1/quick-add?preview=true", bodyOf(line.text),
          patience());
      } catch {
        // It is said when it is added.
        continue;
      }
      update();
    }
  };
  for (let count = 0; count < AT_ONCE; count++) next();
}
