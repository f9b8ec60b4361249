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
  #counts;
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
    this.#shown = this.#trees = this.#counts = undefined;
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
  /** Of an ID, a name, or either of them in an attribute. */
  idOf = (id) => this.ids.get(id) ??
    (typeof id === "string" && /^\d+$/.test(id) ? Number(id) : id);

  get shown() {
    if (this.#shown) return this.#shown;
    // A new object each time, by which it is seen that something has changed.
    this.#shown = { ...this.base };
    if (this.pending.length === 0) return this.#shown;
    for (const kind of KINDS) this.#shown[kind] = new Map(this.base[kind]);
    for (const each of this.pending) {
      for (const operation of each.operations) overlay(this, this.#shown, operation, each);
    }
    return this.#shown;
  }

  /** @returns {any} */
  item(id, kind = "reminder") { return this.shown[kind].get(this.idOf(id)); }
  all(kind) { return byPosition(this.shown[kind].values()); }
  /** @returns {Reminder | undefined} */
  reminder(id) { return this.item(id); }
  list(id) { return this.item(id, "list"); }
  smartList(id) { return this.item(id, "smart-list"); }
  get lists() { return this.all("list"); }
  get smartLists() { return this.all("smart-list"); }

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
    if (!this.#counts) {
      this.#counts = new Map();
      for (const each of this.shown.reminder.values()) {
        const id = this.idOf(each.listID);
        this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
      }
    }
    return this.#counts.get(this.idOf(listID)) ?? 0;
  }

  where(condition) { return [...this.shown.reminder.values()].filter(condition); }

  get tags() {
    const all = new Set();
    for (const { tags } of this.shown.reminder.values()) for (const tag of tags) all.add(tag);
    return [...all].sort((a, b) => a.localeCompare(b));
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
      put(shown, "reminder", newReminder(name, made));
    } else if (path === "/v1/reminders" || list) {
      const listID = real(list ? pathOf(`/v1/lists/${list}`, ids)?.[2] : body.listID);
      const parentID = real(body.parentID ?? null);
      const parent = shown.reminder.get(parentID);
      const made = { ...body, parentID, listID: listID ?? parent?.listID };
      put(shown, "reminder", newReminder(name, made));
    } else if (path === "/v1/lists" || path === "/v1/smart-lists") {
      shown[path.slice(4, -1)].set(name, { position: Infinity, ...body, id: name, isNew: true });
    } else if (hint?.id) put(shown, "reminder", hint);
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
  if (body.filter) {
    const all = Object.entries({ ...known.filter, ...body.filter });
    next.filter = Object.fromEntries(all.filter(([, value]) => value !== null));
  }
  if (kind === "reminder") {
    if (body.listID !== undefined) next.listID = real(body.listID);
    if (body.parentID !== undefined) next.parentID = real(body.parentID);
    // Only the server knows the next occurrence.
    if (body.status === "completed" && known.recurrence) next.status = "completing";
    else if (body.status === "completed") return remove(shown, kind, known.id);
    if (next.listID !== known.listID) {
      for (const each of below(shown, known.id)) {
        put(shown, kind, { ...each, listID: next.listID });
      }
    }
  }
  next.isWaiting = true;
  put(shown, kind, next);
}

const groupOf = ({ parentID, listID }) => parentID ?? `list ${listID}`;

/** The reminders below each one, and below each list. Found once for all that waits. */
function members(shown, key) {
  if (!shown.groups) {
    shown.groups = new Map();
    for (const each of shown.reminder.values()) join(shown, each);
  }
  return [...shown.groups.get(key) ?? []].map((id) => shown.reminder.get(id))
    .filter((each) => each && groupOf(each) === key);
}

function join({ groups }, item) {
  const key = groupOf(item);
  if (!groups.get(key)?.add(item.id)) groups.set(key, new Set([item.id]));
}

function put(shown, kind, item) {
  shown[kind].set(item.id, item);
  if (kind === "reminder" && shown.groups) join(shown, item);
}

const below = (shown, id) => members(shown, id).flatMap((each) => [each,
  ...below(shown, each.id)]);

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
  const others = (kind === "reminder" ? members(shown, groupOf(known)) :
    [...shown[kind].values()]).filter(({ id }) => id !== known.id);
  const isAfter = "after" in body, sign = isAfter ? 1 : -1;
  const id = real(isAfter ? body.after : body.before);
  const mark = others.find((each) => each.id === id);
  let next;
  for (const each of others) {
    const isBeyond = !mark || comparePositions(each, mark) * sign > 0;
    if (isBeyond && !(next && comparePositions(next, each) * sign <= 0)) next = each;
  }
  const [low, high] = isAfter ? [mark, next] : [next, mark];
  const before = low?.position ?? (high?.position ?? 0) - 2;
  const after = high?.position ?? before + 2;
  const position = after === Infinity ? before + 1 : (before + after) / 2;
  put(shown, kind, { ...known, position, isWaiting: true });
}
