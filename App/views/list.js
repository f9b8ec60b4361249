// SPDX-License-Identifier: Apache-2.0
// A place with reminders: by day, by list, or in the order of a list.

import { uncomplete } from "../actions.js";
import { ask } from "../ask.js";
import { quickAdd } from "../edit/quick.js";
import { icon } from "../icons.js";
import { open } from "../lazy.js";
import * as places from "../places.js";
import { h } from "../render.js";
import { state, store, update } from "../state.js";
import { addDays, capital, clock, dayName, dayText, daysBetween, dueDay, isDate, longDay, today }
  from "../time.js";
import { words } from "../words.js";
import { empty, head, note } from "./parts.js";
import { list as rowsOf, metaOf, row, tree, under, withLeaving } from "./row.js";
import { windowed } from "./window.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../places.js").Scheduled} Scheduled
 * @typedef {import("../state.js").Place} Place
 * @typedef {import("../store.js").List} List
 * @typedef {import("../store.js").SmartList} SmartList
 * @typedef {import("../store.js").Reminder} Reminder
 */

/** @param {Place} place @param {number} now */
export const listView = (place, now) => (views[place.place] ?? views.today)(place, now);

/** @type {Record<string, (place: Place, now: number) => Children>} */
const views = {
  today(_, now) {
    const day = today(now);
    /** @param {Reminder} reminder */
    const belongs = ({ dueDate }) => dueDate !== null && dueDay(dueDate) <= day;
    const all = withLeaving(places.dueToday(now), belongs);
    const late = all.filter(({ dueDate }) => dueDay(dueDate) < day);
    const rest = all.filter(({ dueDate }) => dueDay(dueDate) >= day);
    const text = all.length === 0 ? longDay(day) :
      `${longDay(day)} · ${words.left(all.length, late.length)}`;
    return [head({ title: words.today, text }), note(), quickAdd(),
      overdue(late, now),
      rest.length > 0 && group("today", words.today,
        rowsOf("today", {}, rest, nowLine(rest, now)), rest.length),
      all.length === 0 && emptyToday(day),
      completed("completedToday", `completed=true&sort=-completedAt`, day)];
  },

  scheduled(_, now) {
    const all = withLeaving(places.scheduled(), ({ dueDate }) => dueDate !== null);
    const { late, days } = places.byDay(all, now), day = today(now);
    return [head({ title: words.scheduled, text: words.open(all.length), tools: h("a",
      { class: "icon", href: "#/calendar", "aria-label": words.calendar }, icon("date")) }),
    note(), quickAdd(),
      overdue(late, now),
      days.length > 0 && h("ol", { key: "days", class: "days", role: "list" }, windowed("days",
        days, ([each, reminders], index) => h("li", { key: each, role: "listitem", "data-day": each,
          "aria-posinset": index + 1, "aria-setsize": days.length,
          class: daysBetween(day, each) < 2 ? "soon" : "" },
          h("h2", {}, h("small", {}, capital(dayText(each, { weekday: "long" }))),
            h("b", {}, dayText(each, { day: "numeric" })), " ",
            h("small", {}, dayText(each, { month: "short",
              ...each.slice(0, 4) !== day.slice(0, 4) && { year: "numeric" } }))),
        rowsOf(each, {}, reminders, plain({ now, showsList: true, isToday: each === day }))),
        ([, { length }]) => length + 1, ([, all]) => all.map(({ id }) => id))),
      all.length === 0 && empty("scheduled")];
  },

  flagged(_, now) {
    const all = withLeaving(places.flagged(), ({ isFlagged }) => isFlagged);
    return flat("flagged", { title: words.flagged }, all, now);
  },

  all(_, now) {
    const lists = store.lists.map((list) => /** @type {const} */ ([list,
      withLeaving(store.inList(list.id),
        ({ listID, parentID }) => store.idOf(listID) === list.id && parentID === null)]));
    const number = store.shown.reminder.size;
    return [head({ title: words.all, text: words.open(number) }), note(), quickAdd(),
      windowed("lists", lists.filter(([, all]) => all.length > 0), ([list, all]) =>
        group(`list ${list.id}`, [h("i", { class: "dot", list: list.color }), list.title],
          tree(`list ${list.id}`, {}, all, { now }), store.count(list.id)),
      ([list]) => store.count(list.id), ([, all]) => all.map(({ id }) => id)),
      number === 0 && empty("all")];
  },

  lists({ id }, now) {
    const list = store.list(id);
    if (!list) return missing();
    /** @param {Reminder} each */
    const belongs = (each) => store.idOf(each.listID) === list.id;
    const all = withLeaving(store.inList(list.id), (each) => belongs(each) &&
      each.parentID === null);
    const title = [h("i", { class: "dot", list: list.color }), h("span", {}, list.title)];
    return [head({ title, text: words.open(store.count(list.id)), tools: tools(list) }), note(),
      quickAdd({ list }),
      all.length > 0 && ordered(list, all, now),
      all.length === 0 && empty("list"),
      typeof list.id === "number" &&
        completed("completed", `listID=${list.id}&completed=true&sort=-completedAt`)];
  },

  smart({ id }, now) {
    const smart = store.smartList(id);
    if (!smart) return missing();
    const title = { title: [smart.icon ? h("span", { class: "emoji" }, smart.icon) :
      h("i", { class: "dot", list: smart.color }), h("span", {}, smart.title)],
    tools: tools(smart) };
    if (places.isLocal(smart.filter)) {
      const all = places.matching(smart.filter, smart.sort, now);
      return flat("smart", title, withLeaving(all, ({ id }) =>
        all.some((each) => each.id === id) || state.leaving.get(id)?.place === state.place), now);
    }
    const { body, problem } = ask(!smart.isNew &&
      `/v1/smart-lists/${smart.id}/reminders?limit=500`);
    if (!body) return [head(title), note(), problem && h("p", { class: "quiet" },
      words.needsNetwork)];
    const all = openFirst(body.items.map((/** @type {Reminder} */ each) =>
      store.reminder(each.id) ?? each));
    const open = all.filter(({ status }) => status !== "completed");
    return [head({ ...title, text: words.open(open.length) }), note(), quickAdd(),
      all.length === 0 ? empty("smart") : h("ul", { key: "rows" },
        all.map((/** @type {Reminder} */ each) => each.status === "completed" ?
          doneRow(each) : row(each, { now, showsList: true })))];
  },

  tags({ id }, now) {
    const tag = /** @type {string} */ (id);
    const all = withLeaving(places.tagged(tag), ({ tags }) => tags.includes(tag));
    return flat("tag", { title: `@${id}` }, all, now);
  },
};

/**
 * In the order and the groups that were chosen for the list. Only its own order can be dragged.
 * @param {List} list @param {Reminder[]} all @param {number} now
 */
function ordered(list, all, now) {
  const { sort, group: by } = places.orderOf(list.id);
  if (sort) all.sort(places.comparison(sort));
  if (!by) {
    return tree("rows", { key: "rows", class: "rows", "aria-label": words.reminders,
      "data-order": sort ? undefined : store.keyOf(list.id) }, all, { now });
  }
  const day = today(now), isDay = by === "dueDate";
  return windowed("groups", places.groupsOf(all, by), ([key, some]) => h("div",
    { key: key || "none", "data-day": isDay && key && key !== "late" ? key : undefined },
    group(`by ${key}`, key === "late" ? words.overdue : key === "" ? words.none[by] : isDay ?
      dayName(key, day, words) : words.priority[key], tree(`by ${key}`, {}, some, { now }),
    some.length, key === "late" ? "late" : "")),
  ([, { length }]) => length + 1, ([, some]) => some.map(({ id }) => id));
}

/**
 * @param {"flagged" | "smart" | "tag"} name @param {{ title: Children, tools?: Children }} title
 * @param {Reminder[]} all @param {number} now
 */
function flat(name, title, all, now) {
  return [head({ ...title, text: words.open(all.length) }), note(), quickAdd(),
    all.length === 0 ? state.isReady && empty(name) : rowsOf("rows", { key: "rows", class: "rows",
      "aria-label": words.reminders }, all, plain({ now, showsList: true }))];
}

/** @param {List | SmartList} list */
const tools = (list) => h("button", { class: "icon", "aria-label": words.row.more(list.title),
  "aria-haspopup": "menu", onclick: (event) => open("openListMenu", list, event.currentTarget) },
icon("more"));

const missing = () => [head({ title: words.lists }), note(),
  store.isComplete && empty("missing")];

/** @typedef {import("./row.js").Options} Options */
/** @typedef {(reminder: Reminder, place: Partial<Options>) => any} Draw */
/** @type {(options: Options) => Draw} */
const plain = (options) => (each, place) => row(each, { ...options, ...place });

/** @type {(key: string, title: Children, rows: Children, number: number, name?: string) => any} */
const group = (key, title, rows, number, name = "") =>
  h("section", { key, class: `group ${name}`, "aria-labelledby": `h-${key}` },
    h("h2", { id: `h-${key}` }, title, h("span", { class: "n" }, String(number))), rows);

/** @param {Scheduled[]} late @param {number} now */
const overdue = (late, now) => late.length > 0 && group("late", words.overdue,
  rowsOf("late", {}, late, plain({ now, showsList: true })), late.length, "late");

/**
 * A line at this moment between what is late and what is to come.
 * @param {Scheduled[]} reminders @param {number} now @returns {Draw}
 */
function nowLine(reminders, now) {
  const draw = plain({ now, showsList: true, isToday: true }), time = clock(now);
  const next = reminders.find(({ dueDate }) => !isDate(dueDate) && Date.parse(dueDate) > now);
  const last = reminders.some(({ dueDate }) => !isDate(dueDate)) && !next && reminders.at(-1);
  const line = h("li", { key: "now", class: "now", role: "listitem",
    "aria-label": words.nowLine(time) }, h("time", {}, time));
  return (each, place) => [each === next && line, draw(each, place), each === last && line];
}

/** @param {string} day */
function emptyToday(day) {
  const next = places.scheduled().filter(({ dueDate }) => dueDay(dueDate) > day);
  if (next.length === 0) return empty("today");
  const first = dueDay(next[0].dueDate);
  const number = next.filter(({ dueDate }) => dueDay(dueDate) === first).length;
  const name = daysBetween(day, first) === 1 ? words.tomorrow.toLowerCase() :
    dayName(first, day, words);
  return empty("today", words.empty.todayNext(name, number));
}

/**
 * The completed ones at the end. They are loaded when it is opened.
 * @param {string} name @param {string} query @param {string} [day]
 */
function completed(name, query, day) {
  const key = `${name} ${state.place.id ?? ""}`, isOpen = state.folded.has(key);
  const limit = state.limits?.[key] ?? 50;
  const { body, problem } = ask(isOpen && `/v1/reminders?${query}&limit=${limit}`);
  const since = day && addDays(day, -1);
  /** @type {any[] | undefined} */
  const all = body?.items.filter((/** @type {any} */ { completedAt }) =>
    !since || dueDay(completedAt) > since);
  return h("details", { key, class: "group", open: isOpen, ontoggle: (event) => {
    if (event.target.open === state.folded.has(key)) return;
    if (!state.folded.delete(key)) state.folded.add(key);
    update();
  } },
  h("summary", {}, icon("go"), words.completed),
  isOpen && problem && !body && h("p", { class: "line quiet" }, words.needsNetwork),
  all?.length === 0 && h("p", { class: "line quiet" }, words.completedNone),
  all?.[0] && h("ul", {}, all.map((each) => doneRow(each, Boolean(day)))),
  body?.nextCursor && all?.length === limit && h("button", { class: "btn bare",
    onclick: () => update({ limits: { ...state.limits, [key]: Math.min(limit * 4, 500) } }) },
  words.showMore));
}

/** @param {any[]} all What is open comes first, each in its order. */
export const openFirst = (all) => [...all].sort((a, b) =>
  Number(a.status === "completed") - Number(b.status === "completed"));

/** @param {Reminder} reminder */
export function doneRow(reminder, showsList = true) {
  const list = showsList && store.list(reminder.listID), { completedAt } = reminder;
  const meta = metaOf({ list, tags: reminder.tags });
  const when = completedAt && (dueDay(completedAt) === today() ? clock(completedAt) :
    dayName(dueDay(completedAt), today(), words));
  return h("li", { key: `done ${reminder.id}`, class: "row done", "data-row": reminder.id },
    h("label", { class: "tick" }, h("input", { type: "checkbox", checked: true,
      disabled: state.isReadOnly, "aria-label": words.reopen(reminder.title),
      onchange: () => uncomplete(reminder) })),
    h("a", { class: "title", href: `#/reminders/${reminder.id}` }, reminder.title),
    under(meta, [when]));
}
