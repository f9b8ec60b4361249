// SPDX-License-Identifier: Apache-2.0
// The places that a page can be at, and the reminders there.

import { store } from "./state.js";
import { addDays, dueDay, isDate, today, zoneName } from "./time.js";

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

/** By day, then what has no time, then by time. All instants are written alike. */
const dueKey = ({ dueDate }) => dueDay(dueDate) + (isDate(dueDate) ? "" : dueDate);

export const dueToday = (now) => {
  const day = today(now);
  return scheduled().filter(({ dueDate }) => dueDay(dueDate) <= day);
};
/** Sorted once for each state of the store. */
export function scheduled() {
  const { shown } = store, zone = zoneName();
  if (sorted.shown !== shown || sorted.zone !== zone) {
    const all = store.where(({ dueDate }) => dueDate !== null).map((each) => [dueKey(each), each])
      .sort(([one, first], [other, second]) =>
        one < other ? -1 : Number(one > other) || first.position - second.position);
    sorted = { shown, zone, all: all.map(([, each]) => each) };
  }
  return sorted.all;
}
let sorted = {};
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

const local = ["listID", "tag", "priority", "flagged", "due", "dueWithin"];
/** Whether it can be answered here: by what the app's editor sets. All else is the server's. */
export const isLocal = (filter) => Object.keys(filter).every((name) => local.includes(name));

/** The filter of a smart list over what is at hand. */
export function matching({ listID, tag, priority, flagged, due: when, dueWithin }, sort, now) {
  const day = today(now), [lists, tags, priorities] = [listID, tag, priority].map((value) =>
    value === undefined ? undefined : [value].flat());
  const [, count, unit] = /(\d+)(.)$/.exec(dueWithin) ?? [];
  const end = dueWithin && addDays(day, unit === "W" ? count * 7 : Number(count));
  return store.where((each) => {
    const due = dueDay(each.dueDate);
    return (!lists || lists.includes(each.listID)) &&
      (!tags || tags.every((tag) => each.tags.some((own) => equal(own, tag)))) &&
      (!priorities || priorities.includes(each.priority)) &&
      (flagged === undefined || each.isFlagged === flagged) &&
      (!when || { today: due === day, overdue: due && due < day, scheduled: due,
        none: due === null }[when]) && (!end || due && due <= end);
  }).sort(comparison(sort));
}

const equal = (a, b) => a.toLowerCase() === b.toLowerCase();

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
