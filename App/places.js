// SPDX-License-Identifier: Apache-2.0
// The places that a page can be at, and the reminders there.

import { store } from "./state.js";
import { addDays, dueDay, isDate, isLate, today } from "./time.js";

/** `#/lists/3?q=x` as `{ place: "lists", id: 3, query }`. */
export function routeOf(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [place = "", text] = path.split("/").map(decode);
  const id = /^\d+$/.test(text ?? "") && place !== "tags" ? Number(text) : text || undefined;
  return { place: place || "today", id, query: new URLSearchParams(query) };
}
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
export const hashOf = ({ place, id, query }) => {
  const end = query?.size ? `?${query}` : "";
  return `#/${place}${id === undefined ? "" : `/${encodeURIComponent(id)}`}${end}`;
};

const timeOf = ({ dueDate }) => isDate(dueDate) ? 0 : Date.parse(dueDate);
/** By day, then what has no time, then by time. */
export const byDue = (a, b) => {
  const first = dueDay(a.dueDate), second = dueDay(b.dueDate);
  if (first !== second) return first < second ? -1 : 1;
  return timeOf(a) - timeOf(b) || a.position - b.position;
};

export const dueToday = (now) => {
  const day = today(now);
  return store.where(({ dueDate }) => dueDate !== null && dueDay(dueDate) <= day).sort(byDue);
};
export const scheduled = () => store.where(({ dueDate }) => dueDate !== null).sort(byDue);
export const flagged = () => store.where(({ isFlagged }) => isFlagged);
export const tagged = (tag) => store.where(({ tags }) => tags.includes(tag));

/** Open reminders by day, the late days together. */
export function byDay(reminders, now) {
  const day = today(now), late = [], groups = new Map();
  for (const each of reminders) {
    const due = dueDay(each.dueDate);
    if (due < day) late.push(each);
    else if (groups.has(due)) groups.get(due).push(each);
    else groups.set(due, [each]);
  }
  return { late, days: [...groups] };
}

const several = (value) => value === undefined ? undefined : [value].flat().map(String);

/** Whether it can be answered here. Search and completed ones are the server's. */
export const isLocal = ({ q, completed, status }) =>
  q === undefined && completed !== true && (status ?? "incomplete") === "incomplete";

/** The filter of a smart list over what is at hand. */
export function matching(filter, sort, now) {
  const day = today(now), lists = several(filter.listID), tags = several(filter.tag);
  const priorities = several(filter.priority);
  const end = filter.dueWithin && within(filter.dueWithin, now);
  const found = store.where((each) => {
    const { dueDate } = each, due = dueDay(dueDate);
    if (lists && !lists.includes(String(each.listID))) return false;
    if (filter.parentID !== undefined &&
      String(each.parentID ?? "none") !== String(filter.parentID)) return false;
    if (tags && !tags.every((tag) => each.tags.some((own) => equal(own, tag)))) return false;
    if (priorities && !priorities.includes(each.priority)) return false;
    if (filter.flagged !== undefined && each.isFlagged !== filter.flagged) return false;
    if (filter.recurring !== undefined &&
      Boolean(each.recurrence) !== filter.recurring) return false;
    if (filter.available !== undefined &&
      isAvailable(each, day, now) !== filter.available) return false;
    if (filter.due === "today" && due !== day) return false;
    if (filter.due === "overdue" && !isLate(each, now)) return false;
    if (filter.due === "scheduled" && due === null) return false;
    if (filter.due === "none" && due !== null) return false;
    if (end && (due === null || due > end)) return false;
    if (filter.dueBefore && (due === null || !isBefore(dueDate, filter.dueBefore))) return false;
    if (filter.dueAfter && (due === null || isBefore(dueDate, filter.dueAfter))) return false;
    return true;
  });
  return found.sort(comparison(sort));
}

const equal = (a, b) => a.toLowerCase() === b.toLowerCase();
const isAvailable = ({ startDate }, day, now) => startDate === null ||
  (isDate(startDate) ? startDate <= day : Date.parse(startDate) <= now);
const isBefore = (due, limit) => isDate(due) || isDate(limit) ?
  dueDay(due) < dueDay(limit) : Date.parse(due) < Date.parse(limit);

function within(duration, now) {
  const [, weeks = 0, days = 0, hours = 0] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?.*)?$/.exec(duration) ?? [];
  return addDays(today(now + hours * 3_600_000), Number(weeks) * 7 + Number(days));
}

const ranks = { high: 0, medium: 1, low: 2 };
function comparison(sort) {
  const isDown = sort?.startsWith("-"), name = sort?.replace("-", "") ?? "position";
  const value = (each) => name === "priority" ? ranks[each.priority] ?? 3 : each[name];
  const listOf = (each) => store.list(each.listID)?.position ?? 0;
  return (a, b) => {
    if (name === "position") return listOf(a) - listOf(b) || a.position - b.position;
    const [first, second] = [value(a), value(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    const order = first < second ? -1 : first > second ? 1 : 0;
    return isDown ? -order : order;
  };
}
