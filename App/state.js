// SPDX-License-Identifier: Apache-2.0
// What the page is doing, and the one place that draws it again.

import { Store } from "./store.js";

export const store = new Store();

/** Everything that is not a reminder: where the page is, and what is open on it. */
export const state = {
  route: { place: "today" },
  /** The list behind a reminder that is open. */
  place: { place: "today" },
  /** @type {"connecting" | "live" | "reconnecting" | "offline"} */
  connection: "connecting",
  isLocked: false,
  isReady: false,
  /** The row that is focused, or was last. */
  current: undefined,
  /** The row whose title is edited, and the quick-add line. */
  editing: undefined,
  isAdding: false,
  /** What was ticked a moment ago, by ID. It is shown struck for a while. */
  leaving: new Map(),
  selected: new Set(),
  folded: new Set(),
  menu: undefined,
  dialog: undefined,
  toast: undefined,
  /** Said to screen readers. */
  said: "",
  failed: [],
  /** The alarms that ring. */
  ringing: [],
  /** What was not sent before a key ended. */
  kept: undefined,
};

let draw = () => {}, isScheduled = false;

export function onUpdate(fn) { draw = fn; }

/** Several changes are one drawing. */
export function update(changes) {
  Object.assign(state, changes);
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    draw();
  });
}

export function go(hash) { location.hash = hash; }

/** The same text twice is said twice. */
export function say(text) {
  update({ said: state.said === text ? `${text}\u00a0` : text });
}

/** Of this device: theme, language, zone, keys, list, sound. */
export const setting = (name) => {
  try {
    return localStorage.getItem(`martlet.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
};
export function setSetting(name, value) {
  try {
    if (value) localStorage.setItem(`martlet.${name}`, value);
    else localStorage.removeItem(`martlet.${name}`);
  } catch {}
}
