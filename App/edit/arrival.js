// SPDX-License-Identifier: Apache-2.0
// Where a new reminder has gone: its row is tinted, or the toast says the place.

import { drawNow, state, store, update } from "../state.js";
import { clock, dueDay, isDate, shortDay } from "../time.js";
import { words } from "../words-more.js";

const SHOWN = 1600;

/** @param {HTMLElement} row Whether it is in sight, between the bars above and below it. */
function isInSight(row) {
  const { top, bottom } = row.getBoundingClientRect();
  const frame = row.closest("main")?.getBoundingClientRect();
  return row.checkVisibility() && frame && top >= frame.top && bottom <= frame.bottom;
}

/**
 * @param {import("../store.js").ID} id that was added a moment ago @param {string} text said
 * @param {import("../store.js").Reminder} [read] what the server answered; the feed may come later
 */
export function arrive(id, text, read) {
  drawNow();
  const row = document.querySelector(`#main [data-row="${id}"]`);
  if (row && isInSight(row)) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    row.animate([{ background: getComputedStyle(row).getPropertyValue("--accent-soft") }, {}],
      SHOWN);
    return;
  }
  const { toast } = state, reminder = store.reminder(id) ?? read;
  if (!reminder || toast?.text !== text) return;
  const { dueDate, listID, title } = reminder;
  const when = dueDate && [shortDay(dueDay(dueDate)), !isDate(dueDate) && clock(dueDate)];
  const place = [store.list(listID)?.title, when].flat().filter(Boolean).join(", ");
  update({ toast: { ...toast, text: words.did.addedTo(title, place),
    href: `#/reminders/${store.keyOf(id)}` } });
}
