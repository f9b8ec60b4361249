// SPDX-License-Identifier: Apache-2.0
// A bar for what rings. It takes a row of its own, so nothing is covered.

import { complete } from "../actions.js";
import { answered, isEarly, ringing, snooze, stop } from "../edit/alarms.js";
import { icon } from "../icons.js";
import { isPushed } from "../push.js";
import { h } from "../render.js";
import { go, setting, state, store, update } from "../state.js";
import { clock } from "../time.js";
import { words } from "../words-more.js";
import { view as broken } from "./broken.js";
import { openSnoozeMenu } from "./menus.js";
import { view as unalarmed } from "./unalarmed.js";

/** @typedef {import("../state.js").State["ringing"][number]} Alarm */

const MINUTE = 60_000;
const text = words.ring;
/**
 * What was said of an alarm, by its ID: it is closed when the alarm is answered anywhere.
 * @type {Map<number, Promise<Notification | undefined>>}
 */
const known = new Map();

/**
 * Says what began to ring by the system, if that was allowed, and by a sound.
 * @param {Alarm[]} all
 */
async function announce(all) {
  const ids = all.map(({ id }) => id), now = Date.now();
  for (const [id, said] of known) {
    if (ids.includes(id)) continue;
    known.delete(id);
    (await said)?.close();
  }
  for (const id of answered) if (!state.ringing.some((each) => each.id === id)) answered.delete(id);
  const fresh = all.filter(({ id }) => !known.has(id));
  for (const each of fresh) known.set(each.id, notify(each));
  // A page that is opened later is silent.
  if (fresh.some(({ firedAt }) =>
    now - Date.parse(/** @type {string} */ (firedAt)) < MINUTE)) sound();
}

/** @param {Alarm} alarm @returns {Promise<Notification | undefined>} */
async function notify({ id, title, reminderID }) {
  if (globalThis.Notification?.permission !== "granted" || document.hasFocus()) return undefined;
  // There it is said by the worker, also if no page is open.
  if (await isPushed()) return undefined;
  const options = { tag: `alarm ${id}`, body: words.app, icon: "/app/icon.png",
    data: { reminder: reminderID } };
  try {
    const said = new Notification(title, options);
    said.onclick = () => {
      focus();
      go(`#/reminders/${reminderID}`);
    };
    return said;
  } catch {
    // On a phone only the worker may.
    const worker = await navigator.serviceWorker?.ready;
    await worker?.showNotification(title, options);
    return (await worker?.getNotifications(options))?.[0];
  }
}

/** @type {AudioContext | undefined} Browsers allow only some. */
let audio;
/**
 * Two notes. Of several tabs only the one that follows plays them.
 * @param {boolean} [isTest]
 */
export function sound(isTest) {
  if (setting("sound") === "off" || !state.isLeader && !isTest) return;
  // Before a click or a key, no page may play anything.
  if (!navigator.userActivation?.hasBeenActive) return;
  const context = audio ??= new AudioContext(), gain = context.createGain();
  gain.connect(context.destination);
  [880, 1175].forEach((frequency, index) => {
    const note = context.createOscillator(), start = context.currentTime + index * .18;
    note.frequency.value = frequency;
    note.connect(gain);
    note.start(start);
    note.stop(start + .16);
  });
  gain.gain.setValueAtTime(.15, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(.001, context.currentTime + .5);
}

/** The browser asks only after a click. */
export const mayAsk = () => globalThis.Notification?.permission === "default";
export const askLeave = () => Notification.requestPermission().then(() => update());

/** What rings, and what does not ring any more. */
export function view() {
  const bars = [bar(), broken(), ...unalarmed()].filter(Boolean);
  return bars.length > 0 && h("div", { key: "bars", class: "bars" }, bars);
}

function bar() {
  const all = ringing(), [first, ...others] = all;
  announce(all);
  if (!first) return undefined;
  /** @param {number} minutes */
  const after = (minutes) => () => snooze(first.reminderID, Date.now() + minutes * MINUTE);
  const finish = button("done", words.done, () => done(first));
  const end = button("ok", text.ok, () => stop([first]));
  // What is still to come is not done yet.
  const [main, other] = isEarly(first) ? [end, finish] : [finish, end];
  main.props.class += " main";
  return h("section", { key: `ring ${first.id}`, class: "ring", role: "alert",
    "aria-label": text.label }, icon("bell"),
  h("div", {}, h("p", {}, link(first)), h("p", {}, about(first))),
  h("ul", {}, item(main), item(button("ten", text.ten, after(10))),
    item(button("hour", text.hour, after(60)), "opt"), item(other, "opt"),
    item(h("button", { key: "later", class: "btn", "aria-haspopup": "menu",
      onclick: ({ currentTarget }) => openSnoozeMenu(first.reminderID, currentTarget) },
    words.later, icon("go", true))),
    others.length > 0 && [
      item(h("button", { key: "others", class: "btn bare",
        "aria-expanded": String(Boolean(state.showsRinging)), onclick: () =>
          update({ showsRinging: !state.showsRinging }) }, text.others(others.length))),
      item(button("all", text.all, () => stop(all)))],
    mayAsk() && item(h("button", { key: "tell", class: "btn bare", onclick: askLeave },
      text.tell), "opt")),
  state.showsRinging && others.length > 0 && h("ul", { key: "others", class: "others" },
    others.map((each) => h("li", { key: each.id }, h("p", {}, link(each)), h("p", {}, about(each)),
      button("done", words.done, () => done(each), each.title),
      button("ok", text.ok, () => stop([each]), each.title)))));
}

/** @param {Alarm} alarm */
const link = ({ reminderID, title }) => h("a", { href: `#/reminders/${reminderID}` }, title);
/** @param {Alarm} alarm */
const about = ({ firedAt, listID }) => [firedAt && clock(firedAt), store.list(listID)?.title]
  .filter(Boolean).join(" · ");

/** @param {import("../render.js").Node_} child @param {string} [name] */
const item = (child, name) => h("li", { key: String(child.key), class: name }, child);
/** @param {string} key @param {string} name @param {() => unknown} act @param {string} [of] */
const button = (key, name, act, of) => h("button", { key, class: "btn", onclick: act,
  "aria-label": of && `${name}: ${of}` }, name);

/** @param {Alarm} alarm */
function done(alarm) {
  answered.add(alarm.id);
  if (store.reminder(alarm.reminderID)) complete(alarm.reminderID);
  else stop([alarm]);
}
