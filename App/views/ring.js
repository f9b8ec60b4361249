// SPDX-License-Identifier: Apache-2.0
// A bar for what rings. It takes a row of its own, so nothing is covered.

import { complete } from "../actions.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { say, state, store, update } from "../state.js";
import { write } from "../sync.js";
import { addDays, clock, instantOf, shortDay, today, dueDay } from "../time.js";
import { offer } from "../undo.js";
import { words } from "../words.js";
import { openMenu } from "./menus.js";

const SECOND = 1000, MINUTE = 60 * SECOND;
const text = words.ring;
/** What was answered here, until the server says so, too. */
const answered = new Set();
let known = new Set();

/** A page that is not seen says it by the system, if that was allowed. */
function announce(ringing) {
  for (const each of ringing) {
    if (known.has(each.id) || !document.hidden) continue;
    if (globalThis.Notification?.permission === "granted") {
      new Notification(each.title, { tag: `alarm ${each.id}` });
    }
  }
  known = new Set(ringing.map(({ id }) => id));
  for (const id of answered) if (!known.has(id)) answered.delete(id);
}

export function view() {
  const { ringing } = state;
  announce(ringing);
  const all = ringing.filter(({ id }) => !answered.has(id));
  const badge = all.length || undefined;
  if (badge) navigator.setAppBadge?.(badge).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
  const [first] = all;
  if (!first) return undefined;
  const list = store.list(first.listID), now = Date.now();
  const ten = now + 10 * MINUTE, hour = now + 60 * MINUTE;
  const tonight = Date.parse(instantOf(today(), "20:00"));
  const tomorrow = Date.parse(instantOf(addDays(today(), 1), "09:00"));
  const later = (event) => openMenu(event.currentTarget, text.title(first.title), [
    [text.ten, ten], [text.hour, hour], tonight > now && [text.tonight, tonight],
    [text.tomorrow, tomorrow]].filter(Boolean).map(([label, time]) => ({ icon: "clock", label,
    at: when(time), do: () => snooze(first, time) })));
  return h("section", { key: `ring ${first.id}`, class: "ring", role: "alert",
    "aria-label": text.label }, icon("bell"),
  h("div", {}, h("p", {}, h("a", { href: `#/reminders/${first.reminderID}` }, first.title)),
    h("p", {}, [first.firedAt && clock(first.firedAt), list?.title,
      all.length > 1 && text.others(all.length - 1)].filter(Boolean).join(" · "))),
  h("ul", {}, h("li", { key: "done" }, h("button", { class: "btn main",
    onclick: () => done(first) },
    text.done)),
  h("li", { key: "ten" }, h("button", { class: "btn", onclick: () => snooze(first, ten) },
    text.ten)),
  h("li", { key: "hour", class: "opt" }, h("button", { class: "btn",
    onclick: () => snooze(first, hour) }, text.hour)),
  h("li", { key: "ok", class: "opt" }, h("button", { class: "btn", onclick: () => stop(first) },
    text.ok)),
  h("li", { key: "later" }, h("button", { class: "btn", "aria-haspopup": "menu", onclick: later },
    text.later, icon("go", true)))));
}

const when = (time) => dueDay(new Date(time).toISOString()) === today() ? clock(time) :
  `${shortDay(dueDay(new Date(time).toISOString()))}, ${clock(time)}`;

function done(alarm) {
  answered.add(alarm.id);
  if (store.reminder(alarm.reminderID)) complete(alarm.reminderID);
  else stop(alarm);
}

function stop(alarm) {
  answered.add(alarm.id);
  write("PATCH", `/v1/alarms/${alarm.id}`, { state: "acknowledged" });
  update();
}

function snooze(alarm, time) {
  answered.add(alarm.id);
  write("PATCH", `/v1/alarms/${alarm.id}`, { snoozedUntil: new Date(time).toISOString() });
  offer(words.did.snoozed(when(time)), () => {
    answered.delete(alarm.id);
    return write("PATCH", `/v1/alarms/${alarm.id}`, { snoozedUntil: new Date().toISOString() });
  });
  say(words.did.snoozed(when(time)));
}
