// SPDX-License-Identifier: Apache-2.0
// Tests of the store, the places, the texts and the reconciler, without a browser:
// node --test Checks/app/unit.test.mjs. APP says where the app is.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.APP ?? "App";
const load = (name) => import(pathToFileURL(`${folder}/${name}`).href);
const { Store } = await load("store.js");
const time = await load("time.js");
const languages = Object.keys((await load("words/languages.js")).default);
const PARTS = ["", "-more", "-ways"];

const reminder = (id, more = {}) => ({ id, uid: `u${id}`, listID: 1, parentID: null, title: `R${id}`,
  notes: "", dueDate: null, recurrence: null, priority: null, isFlagged: false, tags: [], alarms: [],
  status: "incomplete", position: id * 65536, subtasks: { open: 0, all: 0 },
  updatedAt: "2026-11-27T00:00:00.000Z", ...more });
const told = (...reminders) => ({ more: false, next: "t", items: [
  { kind: "list", id: 1, item: { id: 1, title: "L", color: "#4a99ef", position: 0 } },
  { kind: "list", id: 2, item: { id: 2, title: "M", color: "#4a99ef", position: 1 } },
  ...reminders.map((item) => ({ kind: "reminder", id: item.id, item }))] });
const filled = (...reminders) => {
  const store = new Store();
  store.apply(told(...reminders));
  return store;
};
let entries = 0;
const wait = (store, method, path, body, shown) => {
  const name = `n${++entries}`;
  store.pending.push({ name, operations: [{ name, method, path, body }], shown, at: 0 });
  store.changed();
  return name;
};
const titles = (store) => store.flat(store.inList(1)).map(({ reminder }) => reminder.title);

test("the feed is applied, and what is gone leaves", () => {
  const store = filled(reminder(1), reminder(2));
  store.apply({ items: [{ kind: "reminder", id: 1, deleted: true }], next: "u", more: false });
  assert.deepEqual(titles(store), ["R2"]);
  assert.equal(store.token, "u");
});

test("the feed wins over an answer, also when the clock of the server was set back", () => {
  const store = filled(reminder(1));
  const name = wait(store, "PATCH", "/v1/reminders/1", { title: "New" });
  const body = reminder(1, { title: "New", updatedAt: "2026-11-27T00:00:02.000Z" });
  store.settle(name, [{ name, method: "PATCH", path: "/v1/reminders/1" }], [{ body }]);
  store.apply({ items: [{ kind: "reminder", id: 1,
    item: reminder(1, { title: "Middle", updatedAt: "2026-11-27T00:00:01.000Z" }) }], next: "v" });
  assert.equal(store.reminder(1).title, "Middle");
});

test("what is new has a place, before and behind which others are put", () => {
  const store = filled(reminder(1));
  for (const title of ["A", "B", "C"]) wait(store, "POST", "/v1/lists/1/reminders", { title });
  const [, a, , c] = store.inList(1).map(({ id }) => id);
  wait(store, "PUT", `/v1/reminders/{${c}}/position`, { after: { $id: a } });
  wait(store, "PUT", "/v1/reminders/1/position", { after: { $id: c } });
  assert.deepEqual(store.inList(1).map(({ title }) => title), ["A", "C", "R1", "B"]);
});

test("what waits is on top of what the server has", () => {
  const store = filled(reminder(1), reminder(2, { recurrence: { rule: "FREQ=DAILY" } }), reminder(3));
  wait(store, "PATCH", "/v1/reminders/1", { title: "Changed", isFlagged: true });
  wait(store, "PATCH", "/v1/reminders/2", { status: "completed" });
  wait(store, "PATCH", "/v1/reminders/3", { status: "completed" });
  assert.deepEqual(titles(store), ["Changed", "R2"]);
  assert.equal(store.reminder(2).status, "completing");
  store.apply({ items: [{ kind: "reminder", id: 1, item: reminder(1, { notes: "other device" }) }] });
  assert.equal(store.reminder(1).title, "Changed");
  assert.equal(store.reminder(1).notes, "other device");
});

test("what is new has a name until it has an ID, and its row keeps it", () => {
  const store = filled(reminder(1));
  const name = wait(store, "POST", "/v1/quick-add", { text: "Tea" }, { listID: 1, title: "Tea" });
  wait(store, "PATCH", `/v1/reminders/{${name}}`, { title: "Green tea" });
  assert.deepEqual(titles(store), ["R1", "Green tea"]);
  assert.equal(store.keyOf(name), name);
  store.settle(name, [{ name, method: "POST", path: "/v1/quick-add" }],
    [{ location: "/v1/reminders/9", body: { reminder: reminder(9, { title: "Tea" }), spans: [] } }]);
  assert.deepEqual(titles(store), ["R1", "Green tea"]);
  assert.equal(store.keyOf(9), name);
  assert.equal(store.idOf(name), 9);
});

test("deleting and moving take the subtasks along", () => {
  const store = filled(reminder(1), reminder(2, { parentID: 1 }), reminder(3, { parentID: 2 }));
  wait(store, "PATCH", "/v1/reminders/1", { listID: 2 });
  assert.equal(store.reminder(3).listID, 2);
  wait(store, "DELETE", "/v1/reminders/1");
  assert.equal(store.shown.reminder.size, 0);
});

test("positions are between neighbours", () => {
  const store = filled(reminder(1), reminder(2), reminder(3));
  wait(store, "PUT", "/v1/reminders/3/position", { before: 1 });
  assert.deepEqual(titles(store), ["R3", "R1", "R2"]);
  wait(store, "PUT", "/v1/reminders/3/position", { after: 1 });
  assert.deepEqual(titles(store), ["R1", "R3", "R2"]);
  wait(store, "PUT", "/v1/reminders/1/position", { before: null });
  assert.deepEqual(titles(store), ["R3", "R2", "R1"]);
});

test("a batch that was undone shows what was", () => {
  const store = filled(reminder(1));
  const done = reminder(1);
  store.apply({ items: [{ kind: "reminder", id: 1, deleted: true }] });
  wait(store, "PATCH", "/v1/reminders/1", { status: "incomplete" }, done);
  assert.deepEqual(titles(store), ["R1"]);
});

test("any history ends with what the server has", () => {
  // A pseudo-random server that answers late, repeats itself and is told about by the feed.
  let seed = 7;
  const random = (below) => (seed = (seed * 16807) % 2147483647) % below;
  for (let round = 0; round < 200; round++) {
    const server = new Map(), store = filled(), log = [];
    let stamp = 0;
    const now = () => new Date(1795000000000 + ++stamp * 1000).toISOString();
    const commit = (id, item) => {
      if (item) server.set(id, item);
      else server.delete(id);
      log.push({ kind: "reminder", id, ...item ? { item } : { deleted: true } });
    };
    for (let step = 0; step < 30; step++) {
      const id = 1 + random(5);
      if (random(3) === 0) commit(id, reminder(id, { title: `S${step}`, updatedAt: now() }));
      else if (server.has(id)) {
        const isGone = random(4) === 0, path = `/v1/reminders/${id}`;
        const method = isGone ? "DELETE" : "PATCH", body = { title: `C${step}` };
        const name = wait(store, method, path, body);
        assert.equal(store.reminder(id)?.title, isGone || !store.base.reminder.has(id) ? undefined :
          `C${step}`);
        commit(id, isGone ? undefined : { ...server.get(id), ...body, updatedAt: now() });
        store.settle(name, [{ name, method, path }], [{ body: server.get(id) }]);
      }
      if (random(2) === 0) store.apply({ items: log.splice(0, 1 + random(log.length)), next: "x" });
    }
    store.apply({ items: log, next: "y" });
    assert.deepEqual(new Map([...store.shown.reminder].sort()), new Map([...server].sort()));
  }
});

test("days and instants of a zone", () => {
  time.setZone("Europe/Vienna");
  assert.equal(time.dueDay("2026-11-26T23:30:00.000Z"), "2026-11-27");
  assert.equal(time.instantOf("2026-07-01", "09:00"), "2026-07-01T07:00:00.000Z");
  assert.equal(time.instantOf("2026-12-01", "09:00"), "2026-12-01T08:00:00.000Z");
  assert.equal(time.addDays("2027-02-28", 1), "2027-03-01");
  assert.equal(time.daysBetween("2026-03-28", "2026-03-30"), 2);
  assert.equal(time.weekday("2026-11-27"), 4);
  time.setZone("America/New_York");
  assert.equal(time.instantOf("2027-03-14", "02:30"), "2027-03-14T07:30:00.000Z");
  time.setZone("Nowhere/Else");
  assert.equal(time.zoneName(), time.here);
});

/** Problems of requests that the app does not send, and of connections that a browser keeps right. */
const OF_PROGRAMS = ["bad-request", "malformed-json", "unknown-parameter", "invalid-cursor",
  "invalid-idempotency-key", "cross-origin", "method-not-allowed", "not-acceptable",
  "request-timeout", "tag-exists", "no-keys", "not-signed", "feed-expired", "precondition-failed", "uri-too-long", "unsupported-media-type",
  "expectation-failed", "misdirected-request", "idempotency-key-reused",
  // The app tells the cause of the operation that failed.
  "batch-failed",
  "headers-too-large", "not-implemented", "http-version"];
/** What the client and the app say themselves. */
const OF_THE_APP = ["other", "queue-full", "not-stored"];

test("each type of problem that a person can meet has words", async () => {
  const page = readFileSync(new URL("../../docs/problems.md", import.meta.url), "utf8");
  const types = [...page.matchAll(/^## ([a-z-]+)$/gm)].map(([, type]) => type);
  assert.ok(types.length > 50);
  for (const language of languages) {
    const told = await Promise.all(PARTS.map(async (part) =>
      Object.keys((await load(`words/${language}${part}.js`)).default.problems)));
    assert.deepEqual([...told.flat(), ...OF_PROGRAMS].sort(), [...types, ...OF_THE_APP].sort());
  }
});

test("a rule that names the day of a date moves with it", async () => {
  const { movedRule } = await load("edit/moved.js");
  for (const [rule, moved] of [["FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=12",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=1"], ["FREQ=WEEKLY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=SU"],
  ["FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=WEEKLY;BYDAY=MO,TH"], ["FREQ=DAILY;COUNT=3",
    "FREQ=DAILY;COUNT=3"], ["FREQ=DAILY;UNTIL=20310519T070000Z",
    "FREQ=DAILY;UNTIL=20320208T070000Z"]]) {
    assert.equal(movedRule(rule, "2031-05-12", "2032-02-01"), moved);
  }
});

test("the form of a way reads what it has made", async () => {
  const { fieldOf, formOf, forms, MASK, newTopic, ntfyLink } = await load("edit/ways.js");
  const typed = { url: "https://a.example", topic: "t", token: MASK, secret: MASK, host: "m.example",
    port: "587", security: "starttls", from: "a@b.example", to: "c@d.example", user: "u",
    password: MASK, answers: "on", chat: "-1", room: "!r:a.example", service: "notify",
    method: "PUT", body: "{}" };
  const hooks = { slack: `https://a.example/services/T/B/${MASK}`,
    discord: `https://a.example/api/webhooks/1/${MASK}` };
  for (const [way, { kind, fields, make }] of Object.entries(forms)) {
    const values = Object.fromEntries(fields.map((name) => [name,
      name === "hook" ? hooks[way] : typed[name]]));
    const made = make(values);
    assert.deepEqual(formOf({ kind, ...made }), [way, values]);
    // Each field is found by where it ends up.
    const places = [["/url", made.url], ...Object.keys(made.settings).map((name) =>
      [`/settings/${name}`, made.settings[name]])];
    for (const name of fields) assert.ok(places.some(([each]) => fieldOf([name], each)), name);
  }
  assert.equal(fieldOf(["from", "quietFrom"], "/quiet/from"), "quietFrom");
  assert.equal(ntfyLink({ url: "https://ntfy.sh/", topic: "t" }), "ntfy://ntfy.sh/t");
  assert.equal(ntfyLink({ url: "http://a:80", topic: "t" }), "ntfy://a:80/t?secure=false");
  assert.equal(ntfyLink({ url: "ntfy.sh", topic: "t" }), "");
  assert.match(newTopic(), /^[a-z2-9]{24}$/);
});

test("QR codes are those of another encoder", async () => {
  const { qr } = await load("edit/qr.js");
  const code = (length) => qr("a".repeat(length)).map((row) => row.map(Number).join(""));
  // Made with segno 1.6, with full symbols.
  assert.deepEqual(code(17).map((row) => parseInt(row, 2).toString(16).padStart(6, "0")), [
    "1fc87f", "105341", "17435d", "175d5d", "17485d", "105341", "1fd57f", "000b00", "1f79aa",
    "119435", "187f8e", "0e238e", "1b5560", "001835", "1fd78e", "104b8e", "175160", "175436",
    "17578c", "105f8c", "1fdd62"]);
  const hash = (length) => createHash("sha256").update(code(length).join("\n")).digest("hex");
  assert.equal(hash(154), "352966e01ad8fe9a2c9d24665dc81182846f7c4ac4db5ea182736065cb67a75d");
  assert.equal(hash(271), "69c2f47c1a79c2b7e2f1e16c89f303b1b8752f069bced3200722e7afd24a9356");
  assert.deepEqual(qr("a".repeat(272)), []);
});

test("views have no effects beside the page", () => {
  for (const name of readdirSync(`${folder}/views`)) {
    // What rings is told while it is drawn, still.
    if (name === "ring.js") continue;
    const text = readFileSync(`${folder}/views/${name}`, "utf8");
    assert.doesNotMatch(text, /navigator\.|queueMicrotask\(\(\) => update/, name);
  }
});

// A document that is large enough for the reconciler.
class Fake {
  childNodes = []; parentNode = null; attributes = {}; isConnected = true;
  constructor(tag) { this.tag = tag; }
  get firstChild() { return this.childNodes[0] ?? null; }
  get nextSibling() {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  insertBefore(node, before) {
    node.remove();
    node.parentNode = this;
    node.moves = (node.moves ?? 0) + 1;
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, node);
  }
  remove() {
    if (this.parentNode) this.parentNode.childNodes = this.parentNode.childNodes
      .filter((each) => each !== this);
    this.parentNode = null;
  }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  removeAttribute(name) { delete this.attributes[name]; }
  get text() { return this.data ?? this.childNodes.map((each) => each.text).join(""); }
}

test("elements with the same key are moved, not made anew", async () => {
  globalThis.document = { activeElement: null, createElement: (tag) => new Fake(tag),
    createElementNS: (_, tag) => new Fake(tag),
    createTextNode: (data) => Object.assign(new Fake("#text"), { data }) };
  const { h, render } = await load("render.js");
  const root = new Fake("ul"), draw = (...keys) => render(root, keys.map((key) =>
    h("li", { key, class: key === "b" ? "x" : undefined }, key.toUpperCase())));
  draw("a", "b", "c", "d");
  const before = new Map(root.childNodes.map((each) => [each.text, each]));
  const moves = () => [...before.values()].reduce((sum, each) => sum + each.moves, 0);
  const first = moves();
  draw("a", "c", "d");
  assert.equal(moves(), first, "a removal moves nothing");
  draw("d", "a", "e", "c");
  assert.equal(root.text, "DAEC");
  for (const name of ["D", "A", "C"]) {
    assert.equal(root.childNodes.find((each) => each.text === name), before.get(name));
  }
  render(root, h("li", { key: "a", title: "t" }, "1", null, false, ["2", h("b", {}, "3")]));
  assert.equal(root.text, "123");
  assert.equal(root.childNodes[0].attributes.title, "t");
  render(root, h("li", { key: "a" }, h("b", {}, "4")));
  assert.equal(root.text, "4");
  assert.deepEqual(root.childNodes[0].attributes, {});
  for (let round = 0; round < 300; round++) {
    const keys = [..."abcdefgh"].filter(() => Math.random() < .6).sort(() => Math.random() - .5);
    draw(...keys);
    assert.equal(root.text, keys.join("").toUpperCase());
  }
});
