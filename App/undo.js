// SPDX-License-Identifier: Apache-2.0
// What was done can be undone, and done again: by the toast for ten seconds, by keys also later.

import { open } from "./lazy.js";
import { memberNames, problemText } from "./problems.js";
import { say, state, update } from "./state.js";
import { follow, touched } from "./steps.js";
import { writeAll } from "./sync.js";
import { words } from "./words.js";

/**
 * @typedef {import("./steps.js").Step} Step
 * @typedef {import("./outbox.js").Write} Write
 */

const SHOWN = 10_000, MOST = 50;
/** @type {number | undefined} */
let timer;

/**
 * Sends writes as one step, says what happened and offers to undo it.
 * @param {string} text @param {Write[]} writes
 * @param {import("./outbox.js").Shown} [shown] how it looks until there is an answer
 * @param {any[]} [was] what the writes are about and the copy does not have
 * @param {Write[]} [undone] the ones that undo is about, if the others go with these
 */
export function act(text, writes, shown, was = [], undone = writes) {
  const items = touched(undone, was), writing = writeAll(writes, shown);
  if (state.isReadOnly) return writing;
  const step = { text, items, writing };
  // What was refused cannot be undone; the note about it tells why.
  follow(step, writes).catch(() => {
    state.done = state.done.filter((each) => each !== step);
    state.undone = state.undone.filter((each) => each !== step);
  });
  record(step);
  return writing;
}

/** @param {Step} step */
export function record(step) {
  state.done = [...state.done, step].slice(-MOST);
  state.undone = [];
  show({ text: step.text, canUndo: true });
}

/** @param {any} problem Says what went wrong. */
export const fail = (problem) => show({ problem: problemText(problem) });

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

/** One after the other, in the order of the keys. @type {Promise<void>} */
let turning = Promise.resolve();
export const undo = () => turning = turning.then(() => turn(true));
export const redo = () => turning = turning.then(() => turn(false));

/** @param {boolean} isBack */
async function turn(isBack) {
  const step = (isBack ? state.done : state.undone).at(-1);
  if (!step) return;
  /** @param {boolean} isNext Whether the other key is for it now. */
  const take = (isNext) => {
    state.done = state.done.filter((each) => each !== step);
    state.undone = state.undone.filter((each) => each !== step);
    if (isNext) state[isBack ? "undone" : "done"].push(step);
  };
  try {
    const outcome = await open("restore", step, isBack);
    if (!outcome) throw Object.assign(new Error(words.needsNetwork), { status: 0 });
    const { left, isDone } = outcome;
    take(isDone);
    const text = words.did[isBack ? "undone" : "redone"];
    show({ text: left.size === 0 ? text : words.did.left(isDone && text,
      [...left].map((name) => memberNames[name]).join(", ")), canRedo: isBack && isDone,
    canUndo: !isBack && isDone }, left.size > 0 ? SHOWN : SHOWN / 2);
  } catch (problem) {
    // Without a network it can be tried again.
    if (problem.status !== 0) take(false);
    fail(problem);
  }
}
