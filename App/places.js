// SPDX-License-Identifier: Apache-2.0
// The places that a page can be at, and the reminders there.

import { setSetting, setting, store } from "./state.js";
import { addDays, dueDay, isDate, isLate, today, zoneName } from "./time.js";

/**
 * @typedef {import("./store.js").Reminder} Reminder
 * @typedef {Reminder & { readonly dueDate: string }} Scheduled
 * @typedef {import("./store.js").Filter} Filter
 * @typedef {import("./state.js").Place} Place
 */

/**
 * `#/lists/3?q=x` as `{ place: "lists", id: 3, query }`.
 * @param {string} hash @returns {Place & { query: URLSearchParams }}
 */
export function routeOf(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [place = "", text] = path.split("/").map(decode);
  const id = /^\d+$/.test(text ?? "") && place !== "tags" ? Number(text) : text || undefined;
  return { place: place || "today", id, query: new URLSearchParams(query) };
}
/** @param {string} text */
export function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
/** @param {Place} place */
export const hashOf = ({ place, id, query }) => {
  const end = query?.size ? `?${query}` : "";
  return `#/${place}${id === undefined ? "" : `/${encodeURIComponent(id)}`}${end}`;
};

/**
 * By day, then what has no time, then by time. All instants are written alike.
 * @param {Scheduled} reminder
 */
const dueKey = ({ dueDate }) => dueDay(dueDate) + (isDate(dueDate) ? "" : dueDate);

/** @param {number} now */
export const dueToday = (now) => {
  const day = today(now);
  return scheduled().filter(({ dueDate }) => dueDay(dueDate) <= day);
};
/** Sorted once for each state of the store. */
export function scheduled() {
  const { shown } = store, zone = zoneName();
  if (sorted.shown !== shown || sorted.zone !== zone) {
    const all = /** @type {Scheduled[]} */ (store.where(({ dueDate }) => dueDate !== null))
      .map((each) => /** @type {const} */ ([dueKey(each), each]))
      .sort(([one, first], [other, second]) =>
        one < other ? -1 : Number(one > other) || first.position - second.position);
    sorted = { shown, zone, all: all.map(([, each]) => each) };
  }
  return sorted.all;
}
/** @type {{ shown?: object, zone?: string, all: Scheduled[] }} */
let sorted = { all: [] };
export const flagged = () => store.where(({ isFlagged }) => isFlagged);
/** @param {string} tag */
export const tagged = (tag) => store.where(({ tags }) => tags.includes(tag));

/**
 * Open reminders by day, the late days together.
 * @param {Scheduled[]} reminders @param {number} now
 */
export function byDay(reminders, now) {
  const day = today(now);
  /** @type {Scheduled[]} */
  const late = [];
  /** @type {Map<string, Scheduled[]>} */
  const groups = new Map();
  for (const each of reminders) {
    const due = dueDay(each.dueDate), group = groups.get(due);
    if (due < day) late.push(each);
    else if (group) group.push(each);
    else groups.set(due, [each]);
  }
  return { late, days: [...groups] };
}

const local = ["listID", "tag", "priority", "flagged", "due", "dueWithin"];
/**
 * Whether it can be answered here: by what the app's editor sets. All else is the server's.
 * @param {Filter} filter
 */
export const isLocal = (filter) => Object.keys(filter).every((name) => local.includes(name));

/**
 * The filter of a smart list over what is at hand.
 * @param {Filter} filter @param {string | null} sort @param {number} now
 */
export function matching({ listID, tag, priority, flagged, due: when, dueWithin }, sort, now) {
  /** @type {(value: any) => any[] | undefined} */
  const several = (value) => value === undefined ? undefined : [value].flat();
  const day = today(now), [lists, tags, priorities] = [listID, tag, priority].map(several);
  const [, count, unit] = /(\d+)(.)$/.exec(dueWithin ?? "") ?? [];
  const end = dueWithin && addDays(day, Number(count) * (unit === "W" ? 7 : 1));
  return store.where((each) => {
    const due = dueDay(each.dueDate);
    return (!lists || lists.includes(each.listID)) &&
      (!tags || tags.every((tag) => each.tags.some((own) => equal(own, tag)))) &&
      (!priorities || priorities.includes(each.priority)) &&
      (flagged === undefined || each.isFlagged === flagged) &&
      (!when || { today: due === day, overdue: isLate(each, now), scheduled: due,
        none: due === null }[when]) && (!end || due && due <= end);
  }).sort(comparison(sort));
}

/** @param {string} a @param {string} b */
const equal = (a, b) => a.toLowerCase() === b.toLowerCase();

/** @type {Record<string, number>} */
const ranks = { low: 1, medium: 2, high: 3 };
/**
 * As the server does: what has no value is last, and equal ones are by ID.
 * @param {string | null} sort @returns {(a: Reminder, b: Reminder) => number}
 */
export function comparison(sort) {
  const isDown = sort?.startsWith("-"), name = sort?.replace("-", "") ?? "position";
  /** @param {any} each */
  const value = (each) => name === "priority" ? ranks[each.priority] ?? null :
    name === "title" ? each.title.toLowerCase() : each[name];
  /** @param {Reminder} each */
  const listOf = (each) => store.list(each.listID)?.position ?? 0;
  return (a, b) => {
    if (name === "position") return listOf(a) - listOf(b) || a.position - b.position;
    const [first, second] = [value(a), value(b)];
    const order = first < second ? -1 : Number(first > second);
    return Number(first === null) - Number(second === null) ||
      (order || Number(a.id) - Number(b.id)) * (isDown ? -1 : 1);
  };
}

/**
 * How a list is shown on this device: in its own order, or sorted, and in groups.
 * @typedef {{ sort?: string, group?: string }} Order
 */
/** @type {Record<string, Order>} */
let orders = {};
try {
  orders = JSON.parse(setting("orders") ?? "{}");
} catch {
  // It was written by something else.
}
/** @param {unknown} listID @returns {Order} */
export const orderOf = (listID) => orders[String(listID)] ?? {};
/** @param {unknown} listID @param {Order} order */
export function setOrder(listID, order) {
  orders = { ...orders, [String(listID)]: order };
  setSetting("orders", JSON.stringify(orders));
}

/**
 * Reminders by day or by priority, in the order of these; what has none is last.
 * @param {Reminder[]} reminders @param {string} name @returns {[key: string, Reminder[]][]}
 */
export function groupsOf(reminders, name) {
  /** @type {Map<string, Reminder[]>} */
  const all = new Map(name === "priority" ? ["high", "medium", "low"].map((each) => [each, []]) :
    []), day = today();
  for (const each of reminders) {
    const due = dueDay(each.dueDate) ?? "";
    const key = name === "priority" ? each.priority ?? "" : due && due < day ? "late" : due;
    const group = all.get(key);
    if (group) group.push(each);
    else all.set(key, [each]);
  }
  /** @param {string} key */
  const rank = (key) => key === "" ? "z" : key === "late" ? "0" : key;
  const groups = [...all].filter(([, some]) => some.length > 0);
  return name === "priority" ? groups : groups.sort(([a], [b]) => rank(a) < rank(b) ? -1 : 1);
}
