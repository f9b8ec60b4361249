// SPDX-License-Identifier: Apache-2.0
// What the page is doing, and the one place that draws it again.

import { Store } from "./store.js";

export const store = new Store();

/**
 * @typedef {import("./store.js").ID} ID
 * @typedef {import("./store.js").Kind} Kind
 * @typedef {import("./store.js").Reminder} Reminder
 * @typedef {import("./steps.js").Step} Step
 * @typedef {import("./martlet.js").Problem} Problem
 * @typedef {import("./martlet.js").QueueEntry} QueueEntry
 */

/** @typedef {{ place: string, id?: ID, query?: URLSearchParams }} Place the address behind `#` */

/**
 * What asks something, by its `kind` (views/dialogs.js); the others are what it is about.
 * @typedef {{ kind: string, id?: ID, ids?: ID[], of?: Kind, title?: string,
 *   tags?: readonly string[], filter?: import("./store.js").Filter, way?: string, rule?: string,
 *   basis?: import("./martlet.js").RecurrenceBasis, isMoved?: boolean, isRepeated?: boolean,
 *   text?: string, reminder?: Reminder,
 *   day?: string, time?: string, act?: (day: string, time: string) => unknown,
 *   actTyped?: (text: string) => unknown,
 *   draw?: (shell: import("./views/dialogs.js").Shell) => any }} Dialog `draw` is of pages.js
 */

/**
 * A menu, and the place of the button that it opens from.
 * @typedef {{ id: number, anchor: HTMLElement, label: string, items: Item[], left: number,
 *   right: number, top: number, bottom: number }} Menu
 * @typedef {{ icon?: string, dot?: string, label: string, at?: string, do: () => unknown,
 *   isWarning?: boolean }} Item
 */

/**
 * Everything that is not a reminder: where the page is, and what is open on it.
 * @typedef {object} State
 * @property {Place} route
 * @property {Place} place the list behind a reminder that is open
 * @property {"connecting" | "live" | "reconnecting" | "offline"} connection
 * @property {boolean} [isOffLong] there has been no connection for a while
 * @property {boolean} [isSlow] a write waits for longer than it should
 * @property {string[]} [link] the kind and the text of a link that signs in, or answers an
 *   alarm
 * @property {boolean} isLocked
 * @property {boolean} isReady
 * @property {boolean} [isFresh] no place was shown yet
 * @property {boolean} [isLeader] this tab follows the feed
 * @property {number} [only] the list that is followed if there are too many reminders
 * @property {ID} [current] the row that is focused, or was last
 * @property {ID} [anchor] the row that a range of selected ones begins with
 * @property {ID} [editing] the row whose title is edited
 * @property {{ sign: string, items: string[], index: number, start: number, end: number }}
 *   [completion] names that the quick-add line offers
 * @property {boolean} isAdding the quick-add line is open
 * @property {boolean} [isWhole] all rows of a long list exist, so that the browser finds them
 * @property {boolean} [isPrinted]
 * @property {Record<string, number>} [limits] how many completed ones are asked for
 * @property {Map<ID, { reminder: Reminder, index: number, place: Place }>} leaving what was ticked
 *   a moment ago; it is shown struck for a while
 * @property {Set<ID>} selected
 * @property {Set<ID>} folded
 * @property {Menu} [menu]
 * @property {Dialog} [dialog]
 * @property {{ id?: number, text?: string, problem?: string, canUndo?: boolean,
 *   canRedo?: boolean, href?: string }} [toast] with a link to what it is about
 * @property {Step[]} done what can be undone, the newest last
 * @property {Step[]} undone what was undone, and can be done again
 * @property {boolean} [isReadOnly] the key may not write
 * @property {string} said to screen readers
 * @property {(QueueEntry & { problem: Problem, later: QueueEntry[] })[]} failed what was refused
 * @property {readonly import("./store.js").Frozen<import("./martlet.js").Alarm>[]} ringing
 * @property {boolean} [showsRinging] all that rings is shown, not only the first one
 * @property {string} [kept] what was not sent before a key ended
 * @property {BeforeInstallPromptEvent} [install]
 * @property {boolean} [hasUpdate]
 */

/** @type {State} */
export const state = {
  route: { place: "today" },
  place: { place: "today" },
  connection: "connecting",
  isLocked: false,
  isReady: false,
  isAdding: false,
  leaving: new Map(),
  selected: new Set(),
  folded: new Set(),
  said: "",
  done: [],
  undone: [],
  failed: [],
  ringing: [],
};

let draw = () => {}, isScheduled = false;

/** @param {() => void} fn */
export function onUpdate(fn) { draw = fn; }
/** For what has to be there before the next line. */
export const drawNow = () => draw();

/** @type {(() => void)[]} */
const followers = [];
/**
 * What follows from the state beside the page: requests, the badge, timers. Views have no such
 * effects: the same state looks the same, however often it is drawn.
 * @param {() => void} fn called after each drawing
 */
export function onDrawn(fn) { followers.push(fn); }

/** @param {Partial<State>} [changes] Several are one drawing. */
export function update(changes) {
  Object.assign(state, changes);
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    draw();
    for (const follow of followers) follow();
  });
}

/** @param {string} hash */
export function go(hash) { location.hash = hash; }

/** @param {string} text The same twice is said twice. */
export function say(text) {
  update({ said: state.said === text ? `${text}\u00a0` : text });
}

/** @param {string} [text] What is in the quick-add line; it outlives a reload. */
export function draft(text) {
  try {
    if (text !== undefined) sessionStorage.setItem("martlet.draft", text);
    return sessionStorage.getItem("martlet.draft") ?? "";
  } catch {
    return "";
  }
}

/**
 * @typedef {"theme" | "zone" | "keys" | "list" | "sound" | "kept" | "orders" | "offered" |
 *   "broken" | "noAlarms" | "noDayAlarms"} Setting
 */

/** @param {Setting} name @returns {string | undefined} on this device */
export const setting = (name) => {
  try {
    return localStorage.getItem(`martlet.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
};
/** @param {Setting} name @param {string} value */
export function setSetting(name, value) {
  try {
    if (value) localStorage.setItem(`martlet.${name}`, value);
    else localStorage.removeItem(`martlet.${name}`);
  } catch {}
}
