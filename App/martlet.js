// SPDX-License-Identifier: Apache-2.0
// docs/javascript.md explains this client, martlet.d.ts has its types.

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE;
const SILENCE = 45 * SECOND; // Three heartbeats.
const ANSWER_LIFETIME = 23 * HOUR; // The server stores its answers for 24 hours.
const LONGEST_EVENT = 2 ** 26;

export class MartletProblem extends Error {
  name = "MartletProblem";
  constructor(document) {
    super(document.detail ?? document.title);
    Object.assign(this, { type: "about:blank" }, document);
  }
}

/** 400: another attempt is useless. */
const failure = (type, title, status = 0) =>
  new MartletProblem({ type: `martlet:${type}`, title, status });

// Pages without HTTPS have no `crypto.randomUUID`.
const uniqueName = () =>
  Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join("-");

// Event streams

/** The events of chunks of bytes (HTML standard, section 9.2.6). */
export async function* parseEvents(chunks) {
  const decoder = new TextDecoder(); // It removes a byte order mark.
  let line = "", endsInCR = false, size = 0, data = [], type = "", id = "", retry;
  function setField() {
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
    if (name === "data") data.push(value);
    else if (name === "event") type = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) retry = Number(value);
  }
  for await (const bytes of chunks) {
    let text = decoder.decode(bytes, { stream: true });
    if (text === "") continue;
    if (endsInCR && text[0] === "\n") text = text.slice(1);
    endsInCR = text.endsWith("\r");
    size += text.length;
    if (size > LONGEST_EVENT) throw failure("garbage", "An event is too long.");
    const [first, ...others] = text.split(/\r\n|\r|\n/);
    line += first;
    for (const next of others) {
      if (line !== "") setField();
      else {
        if (data.length > 0) yield { type: type || "message", data: data.join("\n"), id, retry };
        [size, data, type] = [0, [], ""];
      }
      line = next;
    }
  }
}

// Results

const isObject = (value) => typeof value === "object" && value !== null;
/** `id`, or `title` of tags. */
const keyOf = (row) => isObject(row) ? Object.values(row)[0] : row;

/** `next`, frozen, with the parts of `last` that are equal. */
function share(last, next) {
  if (Number.isInteger(next) && !Number.isSafeInteger(next)) {
    throw failure("unsafe-number", `JavaScript cannot represent ${next} exactly.`, 400);
  }
  if (Object.isFrozen(next)) return next;
  const rows = Array.isArray(next) && Array.isArray(last) &&
    new Map(last.map((row) => [keyOf(row), row]));
  const names = Object.keys(next);
  for (const name of names) {
    next[name] = share(rows ? rows.get(keyOf(next[name])) : last?.[name], next[name]);
  }
  const isEqual = isObject(last) && Array.isArray(last) === Array.isArray(next) &&
    Object.keys(last).length === names.length && names.every((name) => last[name] === next[name]);
  return isEqual ? last : Object.freeze(next);
}

const misfit = () => failure("delta", "A delta does not fit the result.");

/** The schema Delta of openapi.yaml. */
export function applyDelta(result, { ops = [], set }) {
  const next = { ...result, ...set };
  if (ops.length !== 0) {
    next.items = [...result.items];
    for (const operation of ops) applyOperation(next.items, operation);
  }
  return share(result, next);
}

function applyOperation(items, [operator, key, operand, after]) {
  const indexOf = (key) => items.findIndex((row) => keyOf(row) === key);
  const insert = (row, after) => {
    const place = indexOf(after);
    if (place < 0 && after !== null) throw misfit();
    items.splice(place + 1, 0, row);
  };
  const index = indexOf(key);
  if ((index < 0) !== (operator === "+")) throw misfit();
  if (operator === "+" && keyOf(operand) === key) insert(operand, after);
  else if (operator === "-") items.splice(index, 1);
  else if (operator === ">") insert(...items.splice(index, 1), operand);
  else if (operator === "~") items[index] = { ...items[index], ...operand };
  else throw misfit();
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {}
  throw failure("garbage", "The answer is not a JSON object.");
}

// Time

function clockOf({ now = Date.now, random = Math.random, timers = globalThis }) {
  const { setTimeout, clearTimeout } = timers;

  /** Timers stop while the machine sleeps, so it looks at the time now and then. */
  function after(ms, done) {
    let timer;
    const wait = (left) => {
      const start = now(), step = Math.min(left, 5 * SECOND);
      timer = setTimeout(() => {
        // The clock may have been set back.
        const rest = left - Math.max(step, now() - start);
        if (rest > 0) wait(rest);
        else done();
      }, step);
    };
    wait(ms);
    return () => clearTimeout(timer);
  }

  const sleep = (ms, signal, mayWake) => new Promise((resolve, reject) => {
    const events = mayWake ? ["online", "focus", "pageshow"] : [];
    const end = () => {
      stop();
      signal?.removeEventListener("abort", end);
      for (const name of events) globalThis.removeEventListener?.(name, end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const stop = after(ms, end);
    signal?.addEventListener("abort", end);
    for (const name of events) globalThis.addEventListener?.(name, end);
    if (signal?.aborted) end();
  });

  function backOff(failures, { least = SECOND, most = MINUTE, problem, signal, onStatus }) {
    const cap = Math.min(most, least * 2 ** (failures + 1));
    const retryAfter = Math.min(problem?.retryAfter ?? 0, HOUR);
    const ms = Math.max(least + random() * (cap - least), retryAfter);
    onStatus?.("waiting", problem, ms);
    return sleep(ms, signal, retryAfter === 0);
  }

  async function within(ms, signal, run) {
    signal?.throwIfAborted();
    const controller = new AbortController();
    let abort;
    const aborted = new Promise((_, reject) => { abort = reject; });
    const stop = after(ms, abort);
    signal?.addEventListener("abort", abort);
    try {
      return await Promise.race([run(controller.signal), aborted]);
    } catch (error) {
      controller.abort();
      if (signal?.aborted) throw signal.reason;
      if (error instanceof MartletProblem) throw error;
      throw failure("network", "The server does not answer.");
    } finally {
      stop();
      signal?.removeEventListener("abort", abort);
    }
  }

  return { now, backOff, within };
}

// Requests

const isFinal = ({ status }) =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;
/** There was no answer, or a proxy had none. */
const isOutcomeUnknown = ({ type, status }) => status === 0 ||
  type === "/problems/outcome-unknown" || type === "about:blank" && status >= 500;

const writer = (write) => ({
  post: (path, body, options) => write("POST", path, body, options),
  put: (path, body, options) => write("PUT", path, body, options),
  patch: (path, body, options) => write("PATCH", path, body, options),
  delete: (path, options) => write("DELETE", path, undefined, options),
});

export class Client {
  #url;
  #key;
  #fetch;
  #clock;

  constructor({ url = "", key, fetch = (...all) => globalThis.fetch(...all), ...clock } = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#key = typeof key === "function" ? key : () => key;
    this.#fetch = fetch;
    this.#clock = clockOf(clock);
    Object.assign(this, writer(async (method, path, body, options) =>
      (await this.request(method, path, { ...options, body })).body));
  }

  async get(path, options) { return (await this.request("GET", path, options)).body; }

  async batch(build, options) {
    return withNames(await this.post("/v1/batch", { operations: operationsOf(build) }, options));
  }

  queue(options) { return queue(this, this.#clock, options); }

  async *changes({ since, signal, onStatus, ...filters } = {}) {
    const at = { id: since }, path = `/v1/changes?${new URLSearchParams(filters)}`;
    for await (const { type, data } of this.events(path, at, { signal, onStatus })) {
      if (type === "problem") at.failure = new MartletProblem(data);
      if (type !== "changes") continue;
      at.id = data.next;
      yield share(undefined, data);
    }
  }

  async request(method, path, options = {}) {
    const { body, ifMatch, signal, onStatus, retry = true } = options;
    const headers = { ...body && { "Content-Type": "application/json" } };
    if (ifMatch) headers["If-Match"] = ifMatch;
    if (method === "POST") headers["Idempotency-Key"] = options.idempotencyKey ?? uniqueName();
    const init = { method, headers, body: JSON.stringify(body) };
    const start = this.#clock.now();
    for (let failures = 0; ; failures++) {
      try {
        return await this.#fetched(path, init, 2 * MINUTE, signal, answerOf);
      } catch (problem) {
        const mayRepeat = retry && this.#clock.now() - start < ANSWER_LIFETIME &&
          (problem.retryAfter >= 0 || /GET|POST/.test(method) && isOutcomeUnknown(problem));
        if (!mayRepeat) throw problem;
        await this.#clock.backOff(failures, { problem, signal, onStatus });
      }
    }
  }

  async #fetched(path, init, ms, signal, read) {
    // Another host must not get the key.
    if (!/^\/(?!\/)/.test(path)) throw new TypeError(`A path begins with one slash: ${path}`);
    for (let refused; ;) {
      const key = await this.#key(refused), headers = new Headers(init.headers);
      if (key) headers.set("Authorization", `Bearer ${key}`);
      try {
        return await this.#clock.within(ms, signal, async (signal) => {
          const response = await this.#fetch(this.#url + path, { ...init, headers, signal });
          if (!response.ok) throw await problemOf(response);
          return read(response);
        });
      } catch (problem) {
        if (problem.status !== 401 || refused || !key) throw problem;
        refused = key;
      }
    }
  }

  async *events(path, at, { signal, onStatus } = {}) {
    for (let failures = 0; ; failures++) {
      let problem, isLive = false;
      try {
        for await (const event of this.#connection(path, at, signal)) {
          failures = event.type === "bye" ? -1 : 0;
          if (failures < 0) break;
          if (!isLive) onStatus?.("live");
          isLive = true;
          yield event;
          if (at.failure) throw at.failure;
        }
      } catch (error) {
        if (signal?.aborted || !(error instanceof MartletProblem) || isFinal(error)) throw error;
        problem = error;
      }
      at.failure = undefined;
      // After `bye`, exactly `at.retry`.
      await this.#clock.backOff(failures, { least: at.retry, problem, signal, onStatus });
    }
  }

  async *#connection(path, at, signal) {
    const headers = { Accept: "text/event-stream" };
    // Other characters are not allowed in a field.
    if (at.id && /^[!-~]+$/.test(at.id)) headers["Last-Event-ID"] = at.id;
    const open = ({ body }) => body.getReader();
    const reader = await this.#fetched(path, { headers }, SILENCE, signal, open);
    const read = () => this.#clock.within(SILENCE, signal, () => reader.read());
    const chunks = async function* () {
      for (let chunk; !(chunk = await read()).done;) yield chunk.value;
    };
    try {
      for await (const { data, retry = 0, ...event } of parseEvents(chunks())) {
        at.retry = Math.min(Math.max(retry, SECOND), MINUTE);
        yield { ...event, data: parse(data) };
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}

async function problemOf(response) {
  const { status, statusText, headers } = response, title = statusText || `Status ${status}`;
  const document = await response.json().catch(() => {});
  const field = headers.get("Retry-After"), ms = field * SECOND || Date.parse(field) - Date.now();
  return new MartletProblem({ title, ...document, status, retryAfter: ms > 0 ? ms : undefined });
}

async function answerOf(response) {
  const { status, headers } = response, text = await response.text();
  const body = status === 204 ? undefined : share(undefined, parse(text));
  return { status, body, etag: headers.get("ETag"), location: headers.get("Location") };
}

// Live queries

export class Martlet extends Client {
  live(query, options) { return live(this, query, options); }
}

function live(client, query, { deltas = false, signal: outer, onStatus } = {}) {
  const names = typeof query === "string" ? undefined : Object.keys(query);
  const target = names ? `/v1/live?${new URLSearchParams(query)}` : query;
  const path = `${target}${target.includes("?") ? "&" : "?"}deltas=${deltas}`;
  const stop = new AbortController(), { signal } = stop, at = {};
  let state, states = 0, consumers = 0, end, notify, changed;

  function wake() {
    notify?.();
    changed = new Promise((resolve) => { notify = resolve; });
  }

  function finish(outcome) {
    end ??= outcome;
    stop.abort();
    wake();
  }

  function show(next) {
    if (states > 0 && next === state) return;
    state = next;
    states++;
    wake();
  }

  async function run() {
    try {
      if (!names) {
        const { body, etag } = await client.request("GET", path, { signal, onStatus });
        at.id = etag; // The stream goes on from there.
        show(body);
      }
      for await (const event of client.events(path, at, { signal, onStatus })) {
        if (event.type === "gone") return show(null);
        apply(event);
      }
    } catch (error) {
      // It was deleted meanwhile.
      if (error.status !== 404 || states === 0) throw error;
      show(null);
    }
  }

  function apply({ type, data, id }) {
    if (type === "problem") onStatus?.("problem", new MartletProblem(data));
    if (type !== "result" && type !== "delta") return;
    try {
      const next = names ? bundle(data) : type === "delta" ? applyDelta(state, data) : data;
      at.id = id;
      show(share(state, next));
    } catch (error) {
      // Without an ID, the server sends the whole result.
      at.id = undefined;
      at.failure = error instanceof MartletProblem ? error : misfit();
    }
  }

  function bundle(data) {
    const next = { ...state };
    for (const [name, value] of Object.entries(data)) {
      if (!names.includes(name)) throw misfit();
      next[name] = !deltas || value === null ? value :
        value.result ?? applyDelta(next[name], value);
    }
    return next;
  }

  async function* follow(consumer = {}) {
    consumers++;
    try {
      for (let seen = 0; !consumer.hasLeft;) {
        if (seen !== states) {
          seen = states;
          yield state;
        } else if (!end) await changed;
        else if (end.error) throw end.error;
        else return;
      }
    } finally {
      consumers--;
      if (consumers === 0) finish({});
    }
  }

  function subscribe(next, failed) {
    const consumer = {};
    (async () => { for await (const each of follow(consumer)) await next(each); })().catch(failed);
    return () => {
      consumer.hasLeft = true;
      wake();
    };
  }

  wake();
  const close = () => finish({});
  outer?.addEventListener("abort", close, { signal });
  if (outer?.aborted) close();
  else run().then(close, (error) => finish({ error }));
  return {
    get state() { return state; },
    get etag() { return at.id; },
    [Symbol.asyncIterator]: () => follow(),
    subscribe,
    close,
  };
}

// Batches and references

class Reference {
  constructor(name) { this.name = name; }
  toString() { return `{${this.name}}`; }
  toJSON() { return { $id: this.name }; }
}

/** A copy, in which references are `{ $id }`. */
const operationOf = (method, path, body, { name = uniqueName(), ifMatch } = {}) =>
  JSON.parse(JSON.stringify({ name, method, path, body, ifMatch }));

function operationsOf(build) {
  const operations = [];
  build(writer((...all) => {
    const length = operations.push(operationOf(...all));
    return new Reference(operations[length - 1].name);
  }));
  return operations;
}

const withNames = ({ results }) =>
  ({ results, named: Object.fromEntries(results.map((result) => [result.name, result])) });

// The offline queue

const isCreation = ({ method, path }) =>
  method === "POST" && /^\/v1\/((smart-)?lists|reminders|lists\/[^/]+\/reminders)$/.test(path);
/** Each completion of a recurring reminder moves it on. */
const isIdempotent = ({ method, body, ifMatch }) =>
  method !== "POST" && (ifMatch || body?.status === undefined);

function queue(client, clock, { storage, limit = 1000, check, onStatus, onSettled }) {
  const stop = new AbortController(), { signal } = stop, promises = new Map();
  const channelName = storage.name && `martlet ${storage.name}`;
  const channel = channelName && globalThis.BroadcastChannel && new BroadcastChannel(channelName);
  if (channel) channel.onmessage = ({ data }) => settle(data);
  let running, reached = -Infinity;

  async function add(operations, isBatch) {
    for (const each of operations.filter(isCreation)) each.body = { uid: each.name, ...each.body };
    if ((await entries()).length >= limit) throw failure("queue-full", "The queue is full.", 400);
    const name = isBatch ? uniqueName() : operations[0].name;
    const done = new Promise((...settle) => promises.set(name, settle));
    done.catch(() => {}); // There is also `onSettled`.
    await storage.add({ name, operations, isBatch });
    start();
    return Object.assign(new Reference(name), { operations, done });
  }

  const entries = async () => (await storage.all()).filter(({ operations }) => operations);

  /** Of several tabs, one sends. */
  function start() {
    const locks = channelName && globalThis.navigator?.locks;
    const run = () => locks ? locks.request(channelName, { signal }, send) : send();
    running = Promise.resolve(running).then(run, run);
    running.catch(() => {});
    return running;
  }

  async function send() {
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      const records = await storage.all();
      const entry = records.find(({ operations, problem }) => operations && !problem);
      if (!entry) return forgetOld(records);
      try {
        await deliver(entry, records);
        failures = 0;
      } catch (problem) {
        signal.throwIfAborted();
        const times = { least: 2 * SECOND, most: 5 * MINUTE };
        await clock.backOff(failures++, { ...times, problem, signal, onStatus });
      }
    }
  }

  async function forgetOld(records) {
    const old = records.filter(({ made }) => made).slice(0, -1000);
    for (const { key } of old) await storage.delete(key);
  }

  async function deliver(entry, records) {
    // A write without an answer has an unknown outcome.
    if (clock.now() - reached > 10 * SECOND) await (check ?
      check(request) : request("GET", "/v1/whoami"));
    let outcome;
    try {
      outcome = { results: await resultsOf(entry, resolved(entry.operations, records)) };
    } catch (problem) {
      if (!isFinal(problem) || problem.status === 401) throw problem;
      outcome = { problem: { ...problem } };
    }
    await finish(entry, outcome);
  }

  async function request(method, path, options) {
    reached = -Infinity;
    const answer = await client.request(method, path, { ...options, signal, retry: false });
    reached = clock.now();
    return answer;
  }

  async function resultsOf(entry, operations) {
    const now = clock.now(), { sent } = entry;
    if (sent !== undefined && now - sent > ANSWER_LIFETIME) {
      const found = await find(operations);
      if (found) return found;
      if (!operations.some(isCreation) && !operations.every(isIdempotent)) {
        throw failure("outcome-unknown", "It may have been done more than a day ago.", 400);
      }
    }
    // It was taken back meanwhile.
    if (await storage.set({ ...entry, sent: sent ?? now }) === null) return undefined;
    try {
      return await attempt(entry, operations);
    } catch (problem) {
      if (!isOutcomeUnknown(problem)) await storage.set(entry);
      if (sent === undefined) throw problem;
      if (problem.status === 404 && operations[0].method === "DELETE") return [{}];
      const found = /uid-exists/.test(problem.type + problem.cause) && await find(operations);
      if (found) return found;
      throw problem;
    }
  }

  /** In a batch, any method has an Idempotency-Key. */
  async function attempt({ name: idempotencyKey, isBatch }, operations) {
    const [{ method, path, body, ifMatch }] = operations;
    if (!isBatch && method !== "PATCH" && !ifMatch) {
      return [await request(method, path, { body, idempotencyKey })];
    }
    const answer = await request("POST", "/v1/batch", { body: { operations }, idempotencyKey });
    return answer.body.results;
  }

  /** What the operations have created, if they were done, is in the feed. */
  async function find(operations) {
    const uids = operations.filter(isCreation).map(({ body }) => body.uid), found = new Map();
    for (let page = { more: uids.length > 0 }; page.more;) {
      const query = new URLSearchParams({ limit: 500, ...page.next && { since: page.next } });
      page = (await request("GET", `/v1/changes?${query}`)).body;
      for (const { kind, id, item: body } of page.items) {
        if (uids.includes(body?.uid)) found.set(body.uid, { body, location: `/v1/${kind}s/${id}` });
      }
    }
    if (found.size === 0) return undefined;
    return operations.map(({ name, body }) => ({ name, ...found.get(body?.uid) }));
  }

  async function finish(entry, outcome) {
    const { key, operations } = entry, { results, problem } = outcome;
    if (!results && !problem) return;
    const made = results?.map(({ body, location }, index) =>
      [operations[index].name, location && (body?.id ?? Number(location.split("/").pop()))]);
    if (problem) await storage.set({ ...entry, problem });
    else if (made.some(([, id]) => id)) await storage.set({ key, made });
    else await storage.delete(key);
    const event = { entry, ...outcome };
    channel?.postMessage(event);
    settle(event);
  }

  function settle(event) {
    const { entry: { name, isBatch }, results, problem } = event;
    const [resolve, reject] = promises.get(name) ?? [];
    promises.delete(name);
    if (problem) reject?.(new MartletProblem(problem));
    else resolve?.(isBatch ? withNames({ results }) : results[0].body);
    onSettled?.(event);
  }

  start();
  return {
    ...writer((...all) => add([operationOf(...all)], false)),
    batch: (build) => add(operationsOf(build), true),
    entries,
    forget: ({ key }, isUnsent) => storage.delete(key, isUnsent),
    idle: start,
    close() {
      stop.abort();
      channel?.close();
    },
  };
}

/** With the IDs of what earlier entries have created. */
function resolved(operations, records) {
  const ids = new Map(records.flatMap(({ made = [] }) => made));
  for (const { name } of operations) ids.delete(name);
  return JSON.parse(JSON.stringify(operations), (member, value) => member === "path" ?
    value.replace(/\{([\w-]+)\}/g, (text, name) => ids.get(name) ?? text) :
    ids.get(value?.$id) ?? value);
}

// Storage

export function memoryStorage() {
  const entries = new Map();
  let last = 0;
  const put = (entry) => { entries.set(entry.key, structuredClone(entry)); };
  return {
    add: async (entry) => put({ ...entry, key: ++last }),
    set: async (entry) => entries.has(entry.key) ? put(entry) : null,
    delete: async (key) => entries.delete(key),
    all: async () => structuredClone([...entries.values()]),
  };
}

export function indexedDBStorage(name) {
  const opened = new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore("entries", { keyPath: "key", autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const call = (method, isChange) => async (value, isUnsent) => {
    const options = { durability: "strict" };
    const transaction = (await opened).transaction("entries", "readwrite", options);
    const entries = transaction.objectStore("entries");
    const request = isChange ? entries.get(value.key ?? value) : entries[method](value);
    request.onsuccess = () => {
      const { result } = request;
      if (isChange && result && !(isUnsent && result.sent)) entries[method](value);
    };
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result ?? null);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  return { name, add: call("add"), set: call("put", true), delete: call("delete", true),
    all: call("getAll") };
}
