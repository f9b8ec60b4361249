// SPDX-License-Identifier: Apache-2.0
// What is known: lists, smart lists and open reminders. What is shown is what the server has
// said, with the writes that wait on top of it.

/**
 * What the server has made has a number, what is new has a name. Both stay valid.
 * @typedef {number | string} ID
 * @typedef {{ id: ID, updatedAt?: string, isNew?: boolean, isWaiting?: boolean }} Local
 * @typedef {Frozen<Omit<import("./martlet.js").Reminder, "id" | "listID" | "parentID">> & Local &
 *   { readonly listID: ID, readonly parentID: ID | null }} Reminder
 * @typedef {Frozen<Omit<import("./martlet.js").SentList, "id">> & Local} List
 * @typedef {Frozen<Omit<import("./martlet.js").SmartList, "id" | "filter"> &
 *   { filter: import("./martlet.js").SmartFilter }> & Local} SmartList
 * @typedef {SmartList["filter"]} Filter
 * @typedef {{ list: List, "smart-list": SmartList, reminder: Reminder }} Kinds
 * @typedef {keyof Kinds} Kind
 * @typedef {{ [K in Kind]: Map<ID, Kinds[K]> }} Shown
 * @typedef {Record<string, Map<any, any>> & Shown & { groups?: Map<ID, Set<ID>> }} Maps
 */
/**
 * @template T
 * @typedef {import("./martlet.js").Frozen<T>} Frozen
 */
/**
 * A page of the feed, and a write of the queue. `shown` is how it looks until it is answered.
 * @typedef {{ kind: string, id: number, item?: any }} Change
 * @typedef {{ items: readonly Change[], next?: string, more?: boolean }} Page
 * @typedef {Pick<import("./martlet.js").QueueOperation, "name" | "method" | "path" | "body">}
 *   Operation
 * @typedef {Partial<Reminder> & { isForToday?: boolean }} Hint
 * @typedef {{ name: string, operations: readonly Operation[], shown?: Hint | Hint[], at: number,
 *   since?: number }} Pending where `since` is how many deletions the feed had told before
 */

const KINDS = ["list", "smart-list", "reminder"];
/** @returns {any} a map for each kind */
const maps = () => Object.fromEntries(KINDS.map((kind) => [kind, new Map()]));

/** What is new is last, in order. It is a finite position, between which others fit. */
let last = 2 ** 40;
/**
 * A reminder that the server has not made yet.
 * @param {string} name @param {object} body @returns {any}
 */
const newReminder = (name, body) => ({
  parentID: null, notes: "", startDate: null, dueDate: null, timeZone: null, recurrence: null,
  priority: null, isFlagged: false, tags: [], alarms: [], position: last++, completedAt: null,
  subtasks: { open: 0, all: 0 }, ...body, status: "incomplete", id: name, isNew: true,
});

export class Store {
  /** @type {Maps} What the server has said. */
  base = maps();
  /** @type {Pending[]} */
  pending = [];
  /** @type {Map<any, number>} The IDs of new items, by the names that they had before. */
  ids = new Map();
  /** @type {Map<any, string>} */
  #names = new Map();
  /** @type {Maps | undefined} */
  #shown;
  /** @type {Map<ID, Reminder[]> | undefined} */
  #trees;
  /** @type {Map<ID, number> | undefined} */
  #counts;
  /** @type {Map<ID, Reminder[]> | undefined} */
  #lists;
  /** @type {Map<string, number>} What the feed told to be gone, by how many were so before. */
  #gone = new Map();
  #cleared = -1;
  /** How many deletions the feed has told; a copy that begins anew is one, too. */
  deletions = 0;
  /** @type {string | undefined} */
  token;
  /** Whether all that the server has is here, so that "nothing" means that there is nothing. */
  isComplete = false;

  /** @param {Page} page */
  apply({ items, next, more }) {
    for (const { kind, id, item } of items) {
      // It wins over an answer: clocks may be set back.
      if (item) this.base[kind]?.set(id, item);
      else this.base[kind]?.delete(id);
      if (item) this.#gone.delete(`${kind} ${id}`);
      else this.#gone.set(`${kind} ${id}`, this.deletions++);
    }
    if (next) this.token = next;
    if (more === false) this.isComplete = true;
    this.changed();
  }

  clear() {
    this.base = maps();
    this.#gone.clear();
    this.#cleared = this.deletions++;
    this.token = undefined;
    this.isComplete = false;
    this.changed();
  }

  changed() {
    this.#shown = this.#trees = this.#counts = this.#lists = undefined;
  }

  /**
   * The answer to a write: from now on it is what the server has said.
   * @param {string} name @param {readonly Operation[]} operations
   * @param {readonly { body?: any, location?: string }[]} [results]
   * @param {boolean} [isOld] it may have been done before the copy was read
   */
  settle(name, operations, results = [], isOld = false) {
    const { since = 0 } = this.pending.find((each) => each.name === name) ?? {};
    this.pending = this.pending.filter((each) => each.name !== name);
    operations.forEach(({ name, method, path, body: sent }, index) => {
      const { body, location } = results[index] ?? {};
      const [, kind, id] = readPath(path, this.ids);
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
      // It may be gone meanwhile. If it is not, the feed tells it soon.
      const gone = this.#gone.get(`${target} ${item.id}`) ?? -1;
      if (isOld || Math.max(gone, this.#cleared) >= since) return;
      if (!known && /PATCH|PUT/.test(method) && !sent?.status) return;
      if (known?.updatedAt > item.updatedAt) return;
      const isDone = target === "reminder" && item.status === "completed";
      if (isDone) this.base[target].delete(item.id);
      else this.base[target].set(item.id, { ...known, ...item });
    });
    this.changed();
  }

  /**
   * Stays the same when a new item gets its ID, so that its row stays.
   * @template {ID | undefined} T
   * @param {T} id @returns {T | string}
   */
  keyOf = (id) => this.#names.get(id) ?? id;
  /**
   * Of an ID, a name, or either of them in an attribute.
   * @template {ID | null | undefined} T
   * @param {T} id @returns {T | number}
   */
  idOf = (id) => this.ids.get(id) ??
    (typeof id === "string" && /^\d+$/.test(id) ? Number(id) : id);

  /** @returns {Shown} */
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

  /** @param {ID | null} [id] @param {Kind} [kind] @returns {any} */
  item(id, kind = "reminder") { return this.shown[kind].get(/** @type {ID} */ (this.idOf(id))); }
  /** @param {string} path of a write @returns {any} the item that it is about */
  at(path) {
    const [, kind, id] = readPath(path, this.ids);
    return kind && this.item(id, kind);
  }
  /** @template {Kind} K @param {K} kind @returns {Kinds[K][]} */
  all(kind) { return byPosition(this.shown[kind].values()); }
  /** @param {ID | null} [id] @returns {Reminder | undefined} */
  reminder(id) { return this.item(id); }
  /** @param {ID | null} [id] @returns {List | undefined} */
  list(id) { return this.item(id, "list"); }
  /** @param {ID | null} [id] @returns {SmartList | undefined} */
  smartList(id) { return this.item(id, "smart-list"); }
  get lists() { return this.all("list"); }
  get smartLists() { return this.all("smart-list"); }

  /** @returns {Map<ID, Reminder[]>} those below each one, and below each list */
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

  /** @param {ID} id */
  children(id) { return this.trees.get(id) ?? []; }
  /** @param {ID} id */
  inList(id) { return this.trees.get(`list ${this.idOf(id)}`) ?? []; }

  /** @param {ID} listID @returns {Reminder[]} also the subtasks, by their positions */
  byList(listID) {
    if (!this.#lists) {
      this.#lists = new Map();
      for (const each of this.all("reminder")) {
        const id = this.idOf(each.listID), others = this.#lists.get(id);
        if (others) others.push(each);
        else this.#lists.set(id, [each]);
      }
    }
    return this.#lists.get(this.idOf(listID)) ?? [];
  }

  /**
   * With subtasks, in the order of the list.
   * @param {Reminder[]} reminders @returns {{ reminder: Reminder, depth: number }[]}
   */
  flat(reminders, depth = 0) {
    return reminders.flatMap((each) =>
      [{ reminder: each, depth }, ...this.flat(this.children(each.id), depth + 1)]);
  }

  /** @param {ID} listID */
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

  /** @param {(reminder: Reminder) => unknown} condition */
  where(condition) { return [...this.shown.reminder.values()].filter(condition); }

  get tags() {
    /** @type {Set<string>} */
    const all = new Set();
    for (const { tags } of this.shown.reminder.values()) for (const tag of tags) all.add(tag);
    return [...all].sort((a, b) => a.localeCompare(b));
  }
}

/** @param {any} a an item of any kind @param {any} b */
const comparePositions = (a, b) => {
  if (a.position !== b.position) return a.position - b.position;
  return (a.id - b.id) || 0;
};
/** @template T @param {Iterable<T>} items */
const byPosition = (items) => [...items].sort(comparePositions);

/**
 * The kind and the ID in a path; names of what is new become IDs.
 * @param {string} path @param {Map<ID, number>} ids
 * @returns {[path?: string, kind?: any, id?: any, rest?: string]} empty if it has another form
 */
export function readPath(path, ids) {
  const found = /^\/v1\/(list|reminder|smart-list)s\/(\d+|\{[\w-]+\})(\/.*)?$/.exec(path);
  if (!found) return [];
  const name = found[2].startsWith("{") && found[2].slice(1, -1);
  return [path, found[1], name ? ids.get(name) ?? name : Number(found[2]), found[3]];
}

/**
 * What a write will change, as far as that is known here.
 * @param {Store} store @param {Maps} shown @param {Operation} operation @param {Pending} pending
 */
function overlay(store, shown, { name, method, path, body }, { shown: hints }) {
  const ids = store.ids, hint = Array.isArray(hints) ? undefined : hints;
  const [, kind, id, rest] = readPath(path, ids);
  const known = shown[kind]?.get(id) ??
    [hints].flat().find((each) => each && each.id !== undefined && store.idOf(each.id) === id);
  /** @type {Real} */
  const real = (value) => ids.get(value?.$id ?? value) ?? value?.$id ?? value;
  if (method === "POST") {
    const list = /^\/v1\/lists\/([^/]+)\/reminders$/.exec(path)?.[1];
    if (path === "/v1/quick-add") {
      const first = byPosition(shown.list.values())[0]?.id;
      const made = { title: body.text, listID: real(body.listID ?? first), ...hint };
      put(shown, "reminder", newReminder(name, made));
    } else if (path === "/v1/reminders" || list) {
      const listID = real(list ? readPath(`/v1/lists/${list}`, ids)[2] : body.listID);
      const parentID = real(body.parentID ?? null);
      const parent = shown.reminder.get(parentID);
      const made = { ...body, parentID, listID: listID ?? parent?.listID };
      put(shown, "reminder", newReminder(name, made));
    } else if (path === "/v1/lists" || path === "/v1/smart-lists") {
      shown[path.slice(4, -1)].set(name, { position: last++, ...body, id: name, isNew: true });
    } else if (rest === "/reopen" && known) {
      const before = [hints].flat().find((each) => each?.id === known.id);
      put(shown, "reminder", { ...known, ...before, status: "incomplete", isWaiting: true });
    }
    return;
  }
  if (!known) return;
  if (method === "DELETE") remove(shown, kind, id);
  else if (rest === "/position") place(shown, kind, known, body, real);
  else if (method === "PATCH") change(shown, kind, known, body, real);
}

/** @typedef {(value: any) => ID} Real the ID that a reference in a body is about */

/**
 * @param {Maps} shown @param {string} kind @param {any} known @param {any} body @param {Real} real
 */
function change(shown, kind, known, body, real) {
  const next = { ...known, ...body };
  if (body.filter) {
    const all = Object.entries({ ...known.filter, ...body.filter });
    next.filter = Object.fromEntries(all.filter(([, value]) => value !== null));
  }
  if (kind === "reminder") {
    if (body.parentID !== undefined) next.parentID = real(body.parentID);
    // It goes along with a parent, and leaves it for another list.
    const { listID = known.listID } = shown.reminder.get(next.parentID) ?? {};
    next.listID = body.parentID ? listID : real(body.listID ?? known.listID);
    if (next.listID !== known.listID && !body.parentID) next.parentID = null;
    if (next.listID !== known.listID) next.position = last++;
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

/** @param {Reminder} item */
const groupOf = ({ parentID, listID }) => parentID ?? `list ${listID}`;

/**
 * The reminders below each one, and below each list. Found once for all that waits.
 * @param {Maps} shown @param {ID} key @returns {Reminder[]}
 */
function members(shown, key) {
  if (!shown.groups) {
    shown.groups = new Map();
    for (const each of shown.reminder.values()) join(shown, each);
  }
  return [...shown.groups.get(key) ?? []]
    .map((id) => /** @type {Reminder} */ (shown.reminder.get(id)))
    .filter((each) => each && groupOf(each) === key);
}

/** @param {{ groups?: any }} shown with its groups @param {Reminder} item */
function join({ groups }, item) {
  const key = groupOf(item);
  if (!groups.get(key)?.add(item.id)) groups.set(key, new Set([item.id]));
}

/** @param {Maps} shown @param {string} kind @param {any} item */
function put(shown, kind, item) {
  shown[kind].set(item.id, item);
  if (kind === "reminder" && shown.groups) join(shown, item);
}

/** @type {(shown: Maps, id: ID) => Reminder[]} */
const below = (shown, id) => members(shown, id).flatMap((each) => [each,
  ...below(shown, each.id)]);

/** @param {Maps} shown @param {string} kind @param {ID} id */
function remove(shown, kind, id) {
  if (kind === "reminder") for (const each of below(shown, id)) shown.reminder.delete(each.id);
  if (kind === "list") {
    for (const each of shown.reminder.values()) {
      if (each.listID === id) shown.reminder.delete(each.id);
    }
  }
  shown[kind].delete(id);
}

/**
 * Between two neighbours is their middle; here it need not be a whole number.
 * @param {Maps} shown @param {string} kind @param {any} known @param {any} body @param {Real} real
 */
function place(shown, kind, known, body, real) {
  const others = [...shown[kind].values()].filter(({ id, listID }) => id !== known.id &&
    listID === known.listID);
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
  put(shown, kind, { ...known, position: (before + after) / 2, isWaiting: true });
}
