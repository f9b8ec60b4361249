// SPDX-License-Identifier: Apache-2.0
// What a server stores, as far as the app can tell: lists, reminders and smart lists, their order,
// subtasks, the trash, and series.

import { now } from "./chance.mjs";

const GAP = 1000, WEEK = 7 * 86_400_000;
const later = (date) => new Date(Date.parse(date) + WEEK).toISOString().replace(".000", "")
  .slice(0, date.length);
const byPosition = (a, b) => a.position - b.position || a.id - b.id;

export class Rows {
  /** Everything that was ever written, to see that nothing is lost. */
  texts = new Set();
  rows = { list: new Map(), "smart-list": new Map(), reminder: new Map() };
  /** Each has what was deleted together. */
  trash = new Map();
  log = [];
  streams = new Set();
  last = 0;

  constructor() {
    this.commit("list", 1, { id: 1, title: "L", color: "#4a99ef", position: 1 });
  }

  get reminders() { return this.rows.reminder; }

  commit(kind, id, item) {
    if (item) {
      const dueDate = item.dueDate?.replace(".000Z", "Z") ?? null;
      item = { ...item, ...kind === "reminder" && { dueDate }, updatedAt: new Date(now() + this.log.length).toISOString() };
      this.rows[kind].set(id, item);
      this.texts.add(item.title).add(item.notes);
    } else this.rows[kind].delete(id);
    const isOpen = item && item.status !== "completed";
    this.log.push({ kind, id, ...isOpen ? { item: shown(item) } : { deleted: true } });
    for (const stream of this.streams) stream.tell();
    return item;
  }

  set(kind, id, changes) { return this.commit(kind, id, { ...this.rows[kind].get(id), ...changes }); }
  below(id) {
    const all = [...this.reminders.values()].filter(({ parentID }) => parentID === id);
    return all.sort(byPosition).flatMap((each) => [each, ...this.below(each.id)]);
  }
  /** All that has a place among the others. */
  order(kind, { listID }) {
    return [...this.rows[kind].values()].filter((each) => each.listID === listID).sort(byPosition);
  }
  end(kind, item) { return (this.order(kind, item).at(-1)?.position ?? 0) + GAP; }

  make(body, kind = "reminder") {
    const id = ++this.last, parent = this.reminders.get(body.parentID);
    const item = { id, ...kind === "reminder" && { listID: parent?.listID ?? 1, parentID: null,
      notes: "", startDate: null, dueDate: null, timeZone: null, recurrence: null, priority: null,
      isFlagged: false, tags: [], alarms: [], status: "incomplete", done: [] }, ...body,
    ...parent && { listID: parent.listID } };
    if (kind === "reminder" && !this.rows.list.has(item.listID)) return { status: 404 };
    item.position = this.end(kind, item);
    if (item.recurrence) item.recurrence = series(undefined, item.recurrence, item.dueDate);
    return { status: 201, location: `/v1/${kind}s/${id}`, body: shown(this.commit(kind, id, item)) };
  }

  /** One write. */
  operate({ method, path, body }, names) {
    const text = JSON.stringify({ path, body }).replace(/\{"\$id":"([\w-]+)"\}/g, (all, name) =>
      names.get(name) ?? all).replace(/\{([\w-]+)\}/g, (all, name) => names.get(name) ?? all);
    ({ path, body } = JSON.parse(text));
    if (path === "/v1/quick-add") {
      const { listID } = body;
      const made = this.make({ title: body.text, ...listID && { listID } });
      return { ...made, body: { reminder: made.body, spans: [] } };
    }
    const trash = /^\/v1\/trash\/(\d+)\/restore/.exec(path)?.[1];
    if (trash) return this.restore(Number(trash));
    const list = /^\/v1\/lists\/(\d+)\/reminders$/.exec(path)?.[1];
    if (list) return this.make({ ...body, listID: Number(list) });
    const made = /^\/v1\/(list|smart-list|reminder)s$/.exec(path)?.[1];
    if (method === "POST" && made) return this.make(body, made);
    const [, kind, id, rest] = /^\/v1\/(list|smart-list|reminder)s\/(\d+)(\/.*)?$/.exec(path) ?? [];
    const known = this.rows[kind]?.get(Number(id));
    if (!known) return { status: 404 };
    const status = method === "DELETE" ? this.discard(kind, known) :
      rest === "/position" ? this.place(kind, known, body) :
      rest === "/skip" ? this.complete(known) : rest === "/reopen" ? this.reopen(known) :
      kind === "reminder" ? this.patch(known, body) : this.patchList(kind, known, body);
    return { status: status ?? 200, body: shown(this.rows[kind].get(known.id)) ?? {} };
  }

  patchList(kind, known, body) {
    const filter = Object.entries({ ...known.filter, ...body.filter });
    this.set(kind, known.id, { ...body, ...kind === "smart-list" && { filter:
      Object.fromEntries(filter.filter(([, value]) => value !== null)) } });
  }

  patch(known, body) {
    const { id } = known, { status, listID = known.listID, parentID, ...members } = body;
    const parent = this.reminders.get(parentID);
    if (parentID && (!parent || [known, ...this.below(id)].some((each) => each.id === parentID)) ||
      !this.rows.list.has(listID)) return 404;
    const list = parent?.listID ?? listID, isOther = list !== known.listID;
    const dueDate = members.dueDate === undefined ? known.dueDate : members.dueDate;
    const input = members.recurrence;
    if ((input === undefined ? known.recurrence : input) && !dueDate ||
      input?.start && isDay(input.start) !== isDay(dueDate)) return 422;
    if (input !== null) members.recurrence = series(known.recurrence, input, dueDate);
    // Without an alarm, the first date and a time instead of a day come with one.
    const hasTime = dueDate && !isDay(dueDate) && !(known.dueDate && !isDay(known.dueDate));
    if (hasTime && !members.alarms && known.alarms.length === 0) {
      members.alarms = [{ offset: "PT0S", from: "due" }];
    }
    if (!dueDate) members.alarms = (members.alarms ?? known.alarms).filter(({ at }) => at);
    this.set("reminder", id, { ...members, listID: list,
      parentID: parentID !== undefined ? parentID : isOther ? null : known.parentID });
    if (isOther) {
      for (const each of [known, ...this.below(id)]) {
        this.set("reminder", each.id, { listID: list, position: this.end("reminder",
          { listID: list }) });
      }
    }
    if (status === "completed" && known.status !== status) return this.complete(known);
    if (status === "incomplete" && known.status !== status) return this.reopen(known);
  }

  complete({ id }) {
    const { dueDate, recurrence, done } = this.reminders.get(id);
    if (recurrence) {
      this.set("reminder", id, { dueDate: later(dueDate), done: [...done, dueDate] });
      return;
    }
    for (const each of [this.reminders.get(id), ...this.below(id)]) {
      if (each.status === "incomplete") {
        this.set("reminder", each.id, { status: "completed", doneWith: id });
      }
    }
  }

  reopen({ id, status, done }) {
    if (status === "incomplete") {
      if (done.length === 0) return 409;
      this.set("reminder", id, { dueDate: done.at(-1), done: done.slice(0, -1) });
      return;
    }
    const { doneWith } = this.reminders.get(id);
    for (const each of [...this.reminders.values()]) {
      if (each.id === id || each.doneWith === id && doneWith === id) {
        this.set("reminder", each.id, { status: "incomplete", doneWith: undefined });
      }
    }
  }

  place(kind, known, { after, before }) {
    const all = this.order(kind, known).filter(({ id }) => id !== known.id);
    const index = after !== undefined ? after === null ? 0 :
      all.findIndex(({ id }) => id === after) + 1 : before === null ? all.length :
      all.findIndex(({ id }) => id === before);
    if (after && index === 0 || index < 0) return 422;
    const [low, high] = [all[index - 1], all[index]];
    const from = low?.position ?? (high?.position ?? 0) - 2 * GAP;
    this.set(kind, known.id, { position: (from + (high?.position ?? from + 2 * GAP)) / 2 });
  }

  discard(kind, known) {
    const below = kind === "list" ? this.order("reminder", { listID: known.id }) :
      kind === "reminder" ? this.below(known.id) : [];
    if (kind !== "smart-list") this.trash.set(++this.last, { kind, item: known, below });
    for (const each of below) this.commit("reminder", each.id);
    this.commit(kind, known.id);
  }

  discarded() {
    return [...this.trash].reverse().map(([id, { kind, item }]) => ({ id, kind, itemID: item.id }));
  }

  restore(id) {
    const entry = this.trash.get(id);
    if (!entry) return { status: 404 };
    const { kind, item, below } = entry;
    if (kind === "reminder" && !this.rows.list.has(item.listID)) return { status: 409 };
    this.trash.delete(id);
    const isOrphan = item.parentID && !this.reminders.has(item.parentID);
    this.commit(kind, item.id, isOrphan ? { ...item, parentID: null } : item);
    for (const each of below) this.commit("reminder", each.id, each);
    return { status: 201, location: `/v1/${kind}s/${item.id}`, body: shown(item) };
  }

  request(method, path, body) {
    if (path !== "/v1/batch") return this.operate({ method, path, body }, new Map());
    const names = new Map(), { length } = this.log, trash = new Map(this.trash);
    const rows = Object.fromEntries(Object.entries(this.rows).map(([kind, all]) =>
      [kind, new Map(all)]));
    const results = [];
    for (const operation of body.operations) {
      const result = this.operate(operation, names);
      if (result.status >= 400) {
        // All or none.
        Object.assign(this, { rows, trash });
        this.log.length = length;
        return { status: result.status };
      }
      if (result.location) names.set(operation.name, Number(result.location.split("/").pop()));
      results.push({ name: operation.name, ...result });
    }
    return { status: 200, body: { results } };
  }
}

const isDay = (date) => date.length === 10;

/** A series begins with the due date, also when its rule changes or a day becomes an instant. */
function series(known, input, dueDate) {
  if (!known && !input) return null;
  const { rule, basis, start, excluded } = { basis: "due", excluded: [], ...known, ...input };
  const isNew = !start || input && !input.start && input.rule !== known?.rule ||
    isDay(start) !== isDay(dueDate);
  return { rule, basis, start: isNew ? dueDate : start, excluded };
}

/** What the server tells of it. */
function shown(item) {
  if (!item) return undefined;
  const { done, doneWith, ...told } = item;
  return told;
}
