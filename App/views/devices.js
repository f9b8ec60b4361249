// SPDX-License-Identifier: Apache-2.0
// The devices that may use the server: what each may do, a new one, and the end of one.

import { ask, refresh } from "../ask.js";
import { pathOf, qr } from "../edit/qr.js";
import { h } from "../render.js";
import { state, store, update } from "../state.js";
import { client } from "../sync.js";
import { clock, dueDay, shortDay } from "../time.js";
import { fail, show } from "../undo.js";
import { words } from "../words-more.js";
import { checks, labeled } from "./fields.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../martlet.js").Key} Key
 * @typedef {import("../martlet.js").Caller} Caller
 * @typedef {import("../martlet.js").KeyScope} Scope
 * @typedef {import("./dialogs.js").Shell} Shell
 */

const text = words.devices;
/** How often it is looked whether the new device has come, in ms. */
const PAUSE = 3000;
const KEYS = "/v1/keys?limit=500";
/** @type {Scope[]} Each may do what the ones before it may. */
const scopes = ["read", "write", "admin"];

/** @type {{ address: string, code?: string, until?: string } | undefined} What signs one in. */
let made;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/**
 * @param {Caller} caller
 * @param {(name: string, hint: Children, control?: Children, key?: number) => any} entry
 */
export function devices(caller, entry) {
  const { body } = ask(caller.scope === "admin" && KEYS), now = new Date().toISOString();
  /** @type {Key[]} */
  const all = (body?.items ?? []).filter((/** @type {Key} */ { revokedAt, expiresAt }) =>
    revokedAt === null && !(expiresAt && expiresAt < now));
  return [
    ...all.map((key) => entry(key.name, about(key, caller), key.id !== caller.keyID &&
      h("button", { class: "btn bare warn", "aria-label": `${text.revoke}: ${key.name}`,
        onclick: () => askEnd(key, all, caller) }, text.revoke), key.id)),
    entry(words.set.device, made ? made.until ? words.set.deviceCode(clock(made.until)) :
      text.keyText : words.set.deviceText, made ? [picture(made.address),
      made.code && h("output", { class: "code" }, made.code),
      h("button", { class: "btn", onclick: forget }, words.done)] :
      h("button", { class: "btn", onclick: () => askNew(caller) }, words.set.deviceButton)),
  ];
}

/** @param {Key} key @param {Caller} caller */
const about = ({ id, scope, lists, createdAt, expiresAt }, { keyID }) => [
  id === keyID && text.own, words.set.scopes[scope],
  lists && lists.map((each) => store.list(each)?.title ?? `#${each}`).join(", "),
  text.since(shortDay(dueDay(createdAt))), expiresAt && text.until(shortDay(dueDay(expiresAt))),
].filter(Boolean).join(" · ");

/** @param {string} address that a phone reads */
export function picture(address) {
  const rows = qr(address), size = rows.length + 8;
  return h("svg", { key: address, class: "qr", viewBox: `-4 -4 ${size} ${size}`, role: "img",
    "aria-label": words.set.picture }, h("path", { d: pathOf(rows) }));
}

function forget() {
  made = undefined;
  clearInterval(timer);
  refresh();
}

/**
 * Asks what the new device may do, which is never more than this one may.
 * @param {Caller} caller
 */
function askNew(caller) {
  const own = scopes.indexOf(caller.scope), dialog = /** @type {any} */ ({ kind: "device",
    scope: caller.scope === "admin" ? "write" : caller.scope });
  /** @param {Scope} scope */
  const choose = (scope) => {
    dialog.scope = scope;
    update();
  };
  // Only an admin may limit another one to some lists, and an admin is never limited.
  const mayLimit = () => caller.scope === "admin" && dialog.scope !== "admin";
  dialog.draw = (/** @type {Shell} */ shell) => shell(words.set.device, [
    h("fieldset", {}, h("legend", {}, text.rights), scopes.slice(0, own + 1).map((scope) =>
      h("label", { key: scope, class: "radio" }, h("input", { type: "radio", name: "scope",
        checked: dialog.scope === scope, value: scope, onchange: () => choose(scope) }),
      words.set.scopes[scope]))),
    mayLimit() && [checks(text.lists, "lists", [], store.lists.filter(({ id }) =>
      typeof id === "number").map(({ id, title, color }) => [String(id), title, color])),
    h("p", { class: "quiet" }, text.listsText),
    labeled(text.name, "name", words.door.device, { maxlength: 100 })],
  ], (data) => {
    const lists = mayLimit() ? data.getAll("lists").map(Number) : [];
    begin(dialog.scope, lists, String(data.get("name") ?? "").trim() || words.door.device);
  }, words.set.deviceButton);
  update({ dialog });
}

/** @param {Scope} scope @param {number[]} lists @param {string} name of one with lists */
async function begin(scope, lists, name) {
  try {
    if (lists.length > 0) {
      const { key } = await client.post("/v1/keys", { name, scope, lists }, { retry: false });
      made = { address: `${location.origin}/#key=${key}`, code: key };
    } else {
      const { code, expiresAt } = await client.post("/v1/pairing-codes", { scope },
        { retry: false });
      made = { address: `${location.origin}/#pair=${code}`, code, until: expiresAt };
    }
    clearInterval(timer);
    timer = setInterval(() => {
      if (made?.until && Date.parse(made.until) < Date.now()) forget();
      else if (state.place.place === "settings") refresh();
    }, PAUSE);
    refresh();
  } catch (problem) {
    fail(problem);
  }
}

/** @param {Key} key @param {Key[]} all @returns {Key[]} those that it has added, and they */
const addedBy = (key, all) => all.filter(({ pairedBy }) => pairedBy === key.id)
  .flatMap((each) => [each, ...addedBy(each, all)]);

/** @param {Key} key @param {Key[]} all @param {Caller} caller */
function askEnd(key, all, caller) {
  const added = addedBy(key, all), isOwn = added.some(({ id }) => id === caller.keyID);
  update({ dialog: { kind: "device", draw: (shell) => shell(text.revokeTitle(key.name), [
    h("p", {}, text.revokeText),
    added.length > 0 && h("label", { class: "radio" }, h("input", { type: "checkbox",
      name: "paired" }), text.added(added.map(({ name }) => name)),
    isOwn && h("small", {}, text.ownToo)),
  ], (data) => end(key, data.has("paired")), text.revoke, { isWarning: true }) } });
}

/** @param {Key} key @param {boolean} isWhole */
async function end({ id, name }, isWhole) {
  try {
    await client.delete(`/v1/keys/${id}${isWhole ? "?paired=true" : ""}`, { retry: false });
    show({ text: text.revoked(name) });
  } catch (problem) {
    fail(problem);
  }
  refresh();
}
