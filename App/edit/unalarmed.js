// SPDX-License-Identifier: Apache-2.0
// Reminders with a time, or on a day, that have no alarm: they are older than the default alarm, or
// imported. Alarms for them are offered once on each device, and by the settings as long as there
// are any.

import { pathOf } from "../outbox.js";
import { onDrawn, setSetting, setting, state, store, update } from "../state.js";
import { client } from "../sync.js";
import { addDays, dayOffset, instantOf, isDate } from "../time.js";
import { act } from "../undo.js";
import { words } from "../words-more.js";

/**
 * @typedef {import("../martlet.js").Settings} Shared
 * @typedef {import("../store.js").Reminder} Reminder
 * @typedef {"defaultAlarm" | "defaultDayAlarm"} Default
 */

/**
 * The settings of this device that say that it was offered.
 * @type {Record<Default, "noAlarms" | "noDayAlarms">}
 */
const offered = { defaultAlarm: "noAlarms", defaultDayAlarm: "noDayAlarms" };
const names = /** @type {Default[]} */ (Object.keys(offered));

/** @type {Partial<Record<Default, string>>} The alarms that are offered now. */
const offers = {};
let isAsked = false;

/** @type {{ shown?: object, minute?: number, known: Map<string, Reminder[]> }} */
let found = { known: new Map() };

/**
 * Reminders without an alarm that are not past. The store is searched once for each of its states,
 * and each minute.
 * @param {Default} name @param {string} offset of the default alarm
 */
export function unalarmed(name, offset) {
  const { shown } = store, now = Date.now(), minute = Math.floor(now / 60_000);
  if (found.shown !== shown || found.minute !== minute) {
    found = { shown, minute, known: new Map() };
  }
  let all = found.known.get(name + offset);
  if (!all) {
    const [days, time] = dayOffset(offset), isOfDays = name === "defaultDayAlarm";
    all = store.where(({ alarms, dueDate }) => alarms.length === 0 && dueDate !== null &&
      isDate(dueDate) === isOfDays && now < Date.parse(isOfDays ?
      // An alarm in the past would ring at once.
      instantOf(addDays(dueDate, days), time) : dueDate));
    found.known.set(name + offset, all);
  }
  return all;
}

onDrawn(() => {
  // Not before all is here, and of several tabs by one. Without an answer the next start asks.
  if (isAsked || !state.isLeader || !state.isReady || state.isLocked || !store.isComplete) return;
  isAsked = true;
  if (names.some((name) => !setting(offered[name]))) look().catch(() => {});
});

/** Only admins may set the default, so only they are asked. */
async function look() {
  const { scope } = await client.get("/v1/whoami", { retry: false });
  if (scope !== "admin") return;
  /** @type {import("../store.js").Frozen<Shared>} */
  const shared = await client.get("/v1/settings", { retry: false });
  for (const name of names) {
    const offset = shared[name];
    if (setting(offered[name]) || !offset) continue;
    // Later ones are without an alarm because a person has removed it.
    if (unalarmed(name, offset).length === 0) setSetting(offered[name], "no");
    else offers[name] = offset;
  }
  update();
}

/** The offers, each with its reminders. */
export const open = () => names.flatMap((name) => {
  const offset = offers[name], all = offset ? unalarmed(name, offset) : [];
  return offset && all.length > 0 ? [{ name, offset, number: all.length }] : [];
});

/** @param {Default} name It is not offered again. */
export function decline(name) {
  setSetting(offered[name], "no");
  delete offers[name];
  update();
}

/**
 * Adds them as one step.
 * @param {Default} name @param {string} offset
 */
export function add(name, offset) {
  const all = unalarmed(name, offset);
  decline(name);
  if (all.length === 0) return;
  act(words.noAlarms.added(all.length), all.map(({ id }) => ({ method: "PATCH",
    path: pathOf(id), body: { alarms: [{ offset, from: "due" }] } })));
}
