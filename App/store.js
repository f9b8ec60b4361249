// SPDX-License-Identifier: Apache-2.0
// What is known: lists, smart lists and open reminders. What is shown is what the server has
// said, with the writes that wait on top of it.

/**
 * @typedef {import("./martlet.js").Reminder} Reminder
 * @typedef {{ name: string, method: string, path: string, body?: any }} Operation
 * @typedef {{ name: string, operations: Operation[], shown?: any, at: number }} Pending
 */

const KINDS = ["list", "smart-list", "reminder"];
const maps = () => Object.fromEntries(KINDS.map((kind) => [kind, new Map()]));

/** A reminder that the server has not made yet. */
const newReminder = (name, body) => ({
  parentID: null, notes: "", startDate: null, dueDate: null, timeZone: null, recurrence: null,
  priority: null, isFlagged: false, tags: [], alarms: [], position: Infinity, completedAt: null,
  subtasks: { open: 0, all: 0 }, ...body, status: "incomplete", id: name, isNew: true,
});

export class Store {
  /** What the server has said. */
  base = maps();
  /** @type {Pending[]} */
  pending = [];
  /** The IDs that new items were given, by the names that they had before. */
  ids = new Map();
  #names = new Map();
  #shown;
  #trees;
  token;
  /** Whether all that the server has is here, so that "nothing" means that there is nothing. */
  isComplete = false;

  /** @param {{ items: any[], next?: string, more?: boolean }} page */
  apply({ items, next, more }) {
    for (const { kind, id, item } of items) {
      const known = this.base[kind]?.get(id);
      if (!item) this.base[kind]?.delete(id);
      // An answer may have come before the feed.
      else if (!(known?.updatedAt > item.updatedAt)) this.base[kind]?.set(id, item);
    }
    if (next) this.token = next;
    if (more === false) this.isComplete = true;
    this.changed();
  }

  clear() {
    this.base = maps();
    this.token = undefined;
    this.isComplete = false;
    this.changed();
  }

  changed() {
    this.#shown = this.#trees = undefined;
  }

  /** The answer to a write: from now on it is what the server has said. */
  settle(name, operations, results = []) {
    this.pending = this.pending.filter((each) => each.name !== name);
    operations.forEach(({ name, method, path }, index) => {
      const { body, location } = results[index] ?? {};
      const [, kind, id] = pathOf(path, this.ids) ?? [];
      if (method === "DELETE" && kind) this.base[kind].delete(id);
      const item = body?.reminder ?? body;
      const made = /^\/v1\/([a-z-]+)s\/(\d+)$/.exec(location ?? "");
      if (made && !this.ids.has(name)) {
        this.ids.set(name, Number(made[2]));
        this.#names.set(Number(made[2]), name);
      }
      const target = made?.[1] ?? kind;
      if (!item?.id || !this.base[target] || method === "DELETE") return;
      const known = this.base[target].get(item.id);
      if (known?.updatedAt > item.updatedAt) return;
      const isDone = target === "reminder" && item.status === "completed";
      if (isDone) this.base[target].delete(item.id);
      else this.base[target].set(item.id, { ...known, ...item });
    });
    this.changed();
  }

  /** Stays the same when a new item gets its ID, so that its row stays. */
  keyOf = (id) => this.#names.get(id) ?? id;
  idOf = (id) => this.ids.get(id) ?? id;

  get shown() {
    if (this.#shown) return this.#shown;
    this.#shown = {};
    for (const kind of KINDS) this.#shown[kind] = new Map(this.base[kind]);
    for (const each of this.pending) {
      for (const operation of each.operations) overlay(this, this.#shown, operation, each);
    }
    return this.#shown;
  }

  /** @returns {Reminder | undefined} */
  reminder(id) { return this.shown.reminder.get(this.idOf(id)); }
  list(id) { return this.shown.list.get(this.idOf(id)); }
  smartList(id) { return this.shown["smart-list"].get(this.idOf(id)); }
  get lists() { return byPosition(this.shown.list.values()); }
  get smartLists() { return byPosition(this.shown["smart-list"].values()); }

  /** The reminders below each one, and below each list. */
  get trees() {
    if (this.#trees) return this.#trees;
    const { reminder } = this.shown;
    const trees = this.#trees = new Map();
    for (const each of reminder.values()) {
      const parent = each.parentID === null ? undefined : reminder.get(this.idOf(each.parentID));
      const key = parent ? parent.id : `list ${this.idOf(each.listID)}`;
      if (!trees.has(key)) trees.set(key, []);
      trees.get(key).push(each);
    }
    for (const children of trees.values()) children.sort(comparePositions);
    return trees;
  }

  children(id) { return this.trees.get(id) ?? []; }
  inList(id) { return this.trees.get(`list ${this.idOf(id)}`) ?? []; }

  /** With subtasks, in the order of the list. */
  flat(reminders, depth = 0) {
    return reminders.flatMap((each) =>
      [{ reminder: each, depth }, ...this.flat(this.children(each.id), depth + 1)]);
  }

  count(listID) {
    let count = 0;
    const id = this.idOf(listID);
    for (const each of this.shown.reminder.values()) count += Number(each.listID === id);
    return count;
  }

  where(condition) { return [...this.shown.reminder.values()].filter(condition); }

  get tags() {
    const counts = new Map();
    for (const { tags } of this.shown.reminder.values()) {
      for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    return [...counts.keys()].sort((a, b) => a.localeCompare(b));
  }
}

const comparePositions = (a, b) => {
  if (a.position !== b.position) return a.position - b.position;
  return a.isNew || b.isNew ? Number(Boolean(a.isNew)) - Number(Boolean(b.isNew)) : a.id - b.id;
};
const byPosition = (items) => [...items].sort(comparePositions);

/** The kind and the ID in a path; names of what is new become IDs. */
function pathOf(path, ids) {
  const found = /^\/v1\/(list|reminder|smart-list)s\/(\d+|\{[\w-]+\})(\/.*)?$/.exec(path);
  if (!found) return undefined;
  const name = found[2].startsWith("{") && found[2].slice(1, -1);
  return [path, found[1], name ? ids.get(name) ?? name : Number(found[2]), found[3]];
}

/** What a write will change, as far as that is known here. */
function overlay(store, shown, { name, method, path, body }, { shown: hint }) {
  const ids = store.ids, real = (value) => ids.get(value?.$id ?? value) ?? value?.$id ?? value;
  if (method === "POST") {
    const list = /^\/v1\/lists\/([^/]+)\/reminders$/.exec(path)?.[1];
    if (path === "/v1/quick-add") {
      const first = byPosition(shown.list.values())[0]?.id;
      const made = { title: body.text, listID: real(body.listID ?? first), ...hint };
      shown.reminder.set(name, newReminder(name, made));
    } else if (path === "/v1/reminders" || list) {
      const listID = real(list ? pathOf(`/v1/lists/${list}`, ids)?.[2] : body.listID);
      const parentID = real(body.parentID ?? null);
      const parent = shown.reminder.get(parentID);
      const made = { ...body, parentID, listID: listID ?? parent?.listID };
      shown.reminder.set(name, newReminder(name, made));
    } else if (path === "/v1/lists" || path === "/v1/smart-lists") {
      shown[path.slice(4, -1)].set(name, { position: Infinity, ...body, id: name, isNew: true });
    } else if (hint?.id) shown.reminder.set(hint.id, hint);
    return;
  }
  const [, kind, id, rest] = pathOf(path, ids) ?? [];
  const known = shown[kind]?.get(id) ?? (hint?.id === id ? hint : undefined);
  if (!known) return;
  if (method === "DELETE") remove(shown, kind, id);
  else if (rest === "/position") place(shown, kind, known, body, real);
  else if (method === "PATCH") change(shown, kind, known, body, real);
}

function change(shown, kind, known, body, real) {
  const next = { ...known, ...body };
  if (kind === "reminder") {
    if (body.listID !== undefined) next.listID = real(body.listID);
    if (body.parentID !== undefined) next.parentID = real(body.parentID);
    // Only the server knows the next occurrence.
    if (body.status === "completed" && known.recurrence) next.status = "completing";
    else if (body.status === "completed") return remove(shown, kind, known.id);
    if (next.listID !== known.listID) {
      for (const each of below(shown, known.id)) {
        shown.reminder.set(each.id, { ...each, listID: next.listID });
      }
    }
  }
  next.isWaiting = true;
  shown[kind].set(known.id, next);
}

const below = (shown, id) => [...shown.reminder.values()].filter(({ parentID }) => parentID === id)
  .flatMap((each) => [each, ...below(shown, each.id)]);

function remove(shown, kind, id) {
  if (kind === "reminder") for (const each of below(shown, id)) shown.reminder.delete(each.id);
  if (kind === "list") {
    for (const each of shown.reminder.values()) {
      if (each.listID === id) shown.reminder.delete(each.id);
    }
  }
  shown[kind].delete(id);
}

/** Between two neighbours is their middle; here it need not be a whole number. */
function place(shown, kind, known, body, real) {
  const others = byPosition(shown[kind].values()).filter((each) => each.id !== known.id &&
    (kind !== "reminder" || each.listID === known.listID && each.parentID === known.parentID));
  const isAfter = "after" in body, mark = real(isAfter ? body.after : body.before);
  let index = others.findIndex(({ id }) => id === mark);
  if (index < 0) index = isAfter ? 0 : others.length;
  else if (isAfter) index++;
  const before = others[index - 1]?.position ?? (others[0]?.position ?? 0) - 2;
  const after = others[index]?.position ?? before + 2;
  const position = after === Infinity ? before + 1 : (before + after) / 2;
  shown[kind].set(known.id, { ...known, position, isWaiting: true });
}
