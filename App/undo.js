// SPDX-License-Identifier: Apache-2.0
// What was done last can be undone: by the toast for ten seconds, by Ctrl Z also later.

import { say, state, update } from "./state.js";
import { words } from "./words.js";

const SHOWN = 10_000;
/** @type {number | undefined} */
let timer;
let isUndoing = false;

/**
 * Says what happened and offers to undo it. What undoes is not itself offered.
 * @param {string} text @param {() => unknown} undo
 */
export function offer(text, undo) {
  if (isUndoing || state.isReadOnly) return;
  state.done.push({ text, undo });
  if (state.done.length > 50) state.done.shift();
  show({ text, canUndo: true });
}

/**
 * Says what went wrong.
 * @param {{ status?: number, detail?: string, message?: string }} problem
 */
export const fail = ({ status, detail, message }) =>
  show({ problem: status === 0 ? words.needsNetwork : detail ?? message });

/** @param {NonNullable<import("./state.js").State["toast"]>} toast */
export function show(toast, ms = SHOWN) {
  clearTimeout(timer);
  timer = setTimeout(() => update({ toast: undefined }), ms);
  update({ toast: { ...toast, id: Math.random() } });
  say(/** @type {string} */ (toast.text ?? toast.problem));
}

/** @param {boolean} isHeld A pointer or the focus on the toast keeps it. */
export function hold(isHeld) {
  clearTimeout(timer);
  if (!isHeld && state.toast) timer = setTimeout(() => update({ toast: undefined }), SHOWN / 2);
}

export function hide() {
  clearTimeout(timer);
  update({ toast: undefined });
}

export async function undo() {
  const last = state.done.pop();
  if (!last) return;
  isUndoing = true;
  let outcome;
  try {
    outcome = last.undo();
  } finally {
    isUndoing = false;
  }
  try {
    await outcome;
    show({ text: words.did.undone }, SHOWN / 3);
  } catch (problem) {
    fail(problem);
  }
}
