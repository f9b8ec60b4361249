// SPDX-License-Identifier: Apache-2.0
// A date in words, "next friday 9am" or "jeden Montag": the server reads it as it reads a line.

import { h } from "../render.js";
import { client } from "../sync.js";
import { zoneName } from "../time.js";
import { fail } from "../undo.js";
import { words } from "../words-more.js";

/** @typedef {import("../actions.js").Changes} Changes */

/** A title that is a part of no date in any language. */
const TITLE = "xqx";

/**
 * @param {string} text @param {boolean} hasAlarms a reminder that has some keeps them
 * @returns {Promise<Changes>} the due date, and the recurrence and alarms that the text names
 * @throws a problem with a title if the text is not only a date
 */
export async function readDate(text, hasAlarms) {
  const body = { text: `${TITLE} ${text}`, timeZone: zoneName(), now: new Date().toISOString() };
  const { reminder, spans } = await client.post("/v1/quick-add?preview=true", body,
    { retry: false });
  const { title, dueDate, recurrence, alarms } = reminder;
  const kinds = new Set(spans.map((/** @type {{ kind: string }} */ { kind }) => kind));
  if (title !== TITLE || !dueDate) {
    throw Object.assign(new Error(), { title: words.detail.noDate(text) });
  }
  return { dueDate, ...kinds.has("recurrence") && { recurrence },
    // A time rings as it does in a new reminder.
    ...(kinds.has("alarm") || !hasAlarms && alarms?.length > 0) && { alarms } };
}

/**
 * A field that takes a date in words with Enter, and keeps what was not understood.
 * @param {string} key @param {boolean} hasAlarms @param {(changes: Changes) => unknown} act
 */
export function typedDate(key, hasAlarms, act) {
  /** @param {Event & { target: HTMLFormElement }} event */
  const submit = async (event) => {
    event.preventDefault();
    const field = /** @type {any} */ (event.target.elements).typed, text = field.value.trim();
    if (text === "") return;
    try {
      act(await readDate(text, hasAlarms));
      field.value = "";
    } catch (problem) {
      fail(problem);
    }
  };
  return h("form", { key: `typed ${key}`, onsubmit: submit }, h("input", { name: "typed",
    class: "bare-field", "aria-label": words.detail.typed, placeholder: words.detail.typedHint,
    maxlength: 200, autocomplete: "off", autocapitalize: "none", enterkeyhint: "done" }));
}
