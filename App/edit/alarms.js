// SPDX-License-Identifier: Apache-2.0
// What a person does about an alarm that rings, and the way back.

import { edit, whenText } from "../actions.js";
import { client, takeBack, writeAll } from "../sync.js";
import { state, store, update } from "../state.js";
import { dueDay, isDate, today } from "../time.js";
import { record } from "../undo.js";
import { words } from "../words-more.js";

/**
 * @typedef {import("../store.js").ID} ID
 * @typedef {import("../steps.js").Step} Step
 * @typedef {import("../state.js").State["ringing"][number]} Alarm
 */

/** How long the server takes at most to get the request that lets it ring again, in ms. */
const SOON = 2000;

/** @type {Set<number>} Alarms that were answered here, until the server says so, too. */
export const answered = new Set();
export const ringing = () => state.ringing.filter(({ id }) => !answered.has(id));
/** @param {ID} reminderID */
export const ringingOf = (reminderID) =>
  ringing().find((each) => each.reminderID === store.idOf(reminderID));

/** @param {Alarm} alarm Whether it is about something that is not due yet. */
export const isEarly = ({ dueDate }) => dueDate !== null && (isDate(dueDate) ?
  dueDay(dueDate) > today() : Date.parse(dueDate) > Date.now());

/**
 * It rings again at another time; what does not ring gets an alarm then.
 * @param {ID} reminderID @param {number} time
 */
export function snooze(reminderID, time) {
  const alarm = ringingOf(reminderID), reminder = store.reminder(reminderID);
  const at = new Date(time).toISOString(), text = words.did.snoozed(whenText(time));
  if (alarm) answer([alarm], { snoozedUntil: at }, text);
  else if (reminder) edit(reminderID, { alarms: [...reminder.alarms, { at }] }, text);
}

/** @param {Alarm[]} alarms */
export const stop = (alarms) =>
  answer(alarms, { state: "acknowledged" }, words.ring.stopped(alarms[0].title, alarms.length));

/** @param {Alarm[]} alarms @param {any} body @param {string} text */
function answer(alarms, body, text) {
  const ids = alarms.map(({ id }) => id), writing = send(ids, body);
  if (!state.isReadOnly) record({ text, items: [], writing, alarms: { ids, body } });
}

/** @param {number[]} ids @param {any} body */
function send(ids, body) {
  for (const id of ids) answered.add(id);
  const writing = writeAll(ids.map((id) => ({ method: "PATCH", path: `/v1/alarms/${id}`, body })));
  // What was not stored rings on.
  writing.catch(() => unanswer(ids));
  update();
  return writing;
}

/** @param {number[]} ids */
function unanswer(ids) {
  for (const id of ids) answered.delete(id);
  update();
}

/**
 * What was answered rings again, or is answered again.
 * @param {Step} step @param {boolean} isBack
 */
export async function answerAgain(step, isBack) {
  const { ids, body } = /** @type {NonNullable<Step["alarms"]>} */ (step.alarms);
  if (!isBack) {
    if (Date.parse(body.snoozedUntil) < Date.now()) {
      throw Object.assign(new Error(), { title: words.did.undoFailed });
    }
    step.writing = send(ids, body);
    return;
  }
  const { name, done } = await step.writing;
  if (state.connection === "live" || !await takeBack(name)) {
    // An alarm may be answered on its way only.
    if (state.connection !== "live") throw needsNetwork();
    await done;
    const snoozedUntil = body.snoozedUntil ? null : await soon();
    await client.batch((batch) => ids.forEach((id) =>
      batch.patch(`/v1/alarms/${id}`, { snoozedUntil })), { retry: false });
  }
  unanswer(ids);
}

const needsNetwork = () => Object.assign(new Error(words.needsNetwork), { status: 0 });

/**
 * The server lets no alarm ring again that was stopped, but one can be snoozed. This is a moment
 * that is still to come by its own clock, from which the one of this device may differ.
 */
async function soon() {
  const answer = await fetch("/livez").catch(() => { throw needsNetwork(); });
  const now = Date.parse(answer.headers.get("Date") ?? "") || Date.now();
  return new Date(now + SOON).toISOString();
}
