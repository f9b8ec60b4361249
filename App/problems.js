// SPDX-License-Identifier: Apache-2.0
// What went wrong, in the words of the person: the server's own text is for developers.

import { words } from "./words.js";

/** @type {Record<string, string>} */
export const memberNames = { gone: words.did.itself, title: words.detail.title,
  notes: words.detail.notes, startDate: words.detail.start, dueDate: words.detail.due,
  timeZone: words.set.zone, recurrence: words.detail.repeat, priority: words.detail.priority,
  isFlagged: words.flagged, tags: words.detail.tags, alarms: words.detail.alarms,
  listID: words.detail.list, parentID: words.detail.parent, status: words.completed,
  color: words.color, icon: words.smart.icon, filter: words.smart.filter, sort: words.smart.sort };

/**
 * A type without words is one that only a faulty program meets: then the server "does not accept
 * this", or "had a fault" from 500 on. The test of the words has a list of these types.
 * @param {{ type?: string, cause?: string, status?: number, title?: string,
 *   errors?: readonly { pointer?: string }[] }} problem of the server, or an error of the browser
 * @returns {string}
 */
export function problemText({ type, cause, status, title, errors = [] }) {
  if (status === 0) return words.needsNetwork;
  // The app says it itself.
  if (!type && title) return title;
  const name = (cause ?? type ?? "not-stored").split("/").at(-1) ?? "";
  const wrong = errors.flatMap(({ pointer = "" }) => pointer.split("/")
    .map((each) => memberNames[each]).filter(Boolean));
  const text = words.problems[name] ?? words.problems[Number(status) >= 500 ? "internal" : "other"];
  return wrong.length > 0 ? `${text} (${[...new Set(wrong)].join(", ")})` : text;
}
