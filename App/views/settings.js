// SPDX-License-Identifier: Apache-2.0
// How the app looks on this device, and who may use the server.

import { ask, refresh } from "../ask.js";
import { alarmText, setText } from "../edit/quick.js";
import { add, unalarmed } from "../edit/unalarmed.js";
import { standing, turnOff } from "../push.js";
import { h } from "../render.js";
import { setSetting, setting, state, store, update } from "../state.js";
import { client, file, hasKey, signOut } from "../sync.js";
import { here, setZone } from "../time.js";
import { fail } from "../undo.js";
import { words } from "../words-more.js";
import { words as more } from "../words-ways.js";
import { language } from "../words.js";
import languages from "../words/languages.js";
import { devices } from "./devices.js";
import { choice } from "./fields.js";
import { head, note } from "./parts.js";
import { otherDevices, thisDevice } from "./push.js";
import { askLeave, mayAsk, sound } from "./ring.js";
import { dayOffsets, offsets } from "./schedule.js";
import { setTheme } from "./sidebar.js";
import { ways } from "./ways.js";

const text = words.set;

export function view() {
  const { body: caller } = ask("/v1/whoami"), { body: app } = ask("/app/version.json");
  const { body: shared } = ask("/v1/settings"), others = otherDevices(entry);
  return [head({ title: words.settings }), note(),
    group(text.look, [
      entry(text.theme, undefined, segments()),
      entry(text.language, undefined, choice(text.language, language,
        Object.entries(languages),
        (value) => {
          localStorage.setItem("martlet.language", value);
          location.reload();
        })),
      entry(text.zone, undefined, choice(text.zone, setting("zone") ?? "",
        [["", text.zoneOwn(here)], ...Intl.supportedValuesOf("timeZone").map((each) => [each,
          each])],
        (value) => {
          setSetting("zone", value);
          setZone(value);
          store.changed();
          update();
        })),
      entry(text.list, undefined, choice(text.list, setting("list") ?? "", [["", text.first],
        ...store.lists.map(({ id, title }) => [String(id), title])], (id) => keep("list", id))),
      entry(text.keys, text.keysText, toggle("keys", text.keys)),
    ]),
    group(words.push.here, [
      thisDevice(entry),
      // Else the line above says it all.
      globalThis.Notification && ["off", "none"].includes(standing()) && entry(text.notify,
        text.notifyText[Notification.permission],
        mayAsk() && h("button", { class: "btn", onclick: askLeave }, words.ring.tell)),
      entry(text.sound, undefined, toggle("sound", text.sound, () => sound(true))),
      state.install && entry(text.install, undefined, h("button", { class: "btn",
        onclick: () => state.install?.prompt().then(() => update({ install: undefined })) },
      text.install)),
    ]),
    others.length > 0 && group(words.push.others, others),
    caller?.scope === "admin" && group(more.ways.title, ways(entry)),
    caller && shared && group(text.defaults, [
      entry(text.ofTimes, fixed(shared, "defaultAlarm"), defaults(shared, caller, "defaultAlarm",
        text.ofTimes, offsets, SOME_TIME)),
      entry(text.ofDays, fixed(shared, "defaultDayAlarm"), defaults(shared, caller,
        "defaultDayAlarm", text.ofDays, dayOffsets, SOME_TIME.slice(0, 10))),
      caller.scope === "admin" && entry(text.ofCalendars, text.ofCalendarsText, choice(
        text.ofCalendars, String(shared.defaultForCalendars), [["true", text.on],
          ["false", text.off]], (value) => share("defaultForCalendars", value === "true"))),
      caller.scope === "admin" && ["defaultAlarm", "defaultDayAlarm"].map((each) =>
        missing(shared, /** @type {Default} */ (each))),
    ]),
    caller?.keyID && group(words.devices.title, devices(caller, entry)),
    group(text.access, [
      entry(location.host, caller && (caller.keyID === null ? text.noKey :
        `${caller.name}, ${text.scopes[caller.scope]}`)),
      entry(text.export, undefined, h("p", { class: "line" }, ["ndjson", "csv", "ics"]
        .map((format) => h("button", { key: format, class: "btn", onclick: () => save(format) },
          format.toUpperCase())))),
      hasKey() && entry(text.signOut, store.pending.length > 0 ?
        text.signOutWaiting(store.pending.length) : text.signOutText,
      h("button", { class: "btn warn", onclick: leave }, text.signOut)),
      app && entry(text.version, undefined, h("code", {}, app.version)),
    ])];
}

/** @typedef {import("../render.js").Children} Children */
/** @typedef {import("../martlet.js").Settings} Shared */
/** @typedef {"defaultAlarm" | "defaultDayAlarm"} Default */

/** Any due date of each kind: the words of an alarm depend on the kind. */
const SOME_TIME = "2024-01-01T12:00:00Z";

/** @param {Shared} shared @param {Default} name */
const fixed = (shared, name) => shared.fixed.includes(name) ? text.fixed : text.shared;

/**
 * The alarm of reminders for which nobody names one. Only admins may set it.
 * @param {Shared} shared @param {import("../martlet.js").Caller} caller @param {Default} name
 * @param {string} label @param {string[]} offsets @param {string} dueDate
 */
function defaults(shared, caller, name, label, offsets, dueDate) {
  const value = shared[name] ?? "", words = (/** @type {string} */ offset) => offset ?
    alarmText({ offset }, { dueDate }) : text.noAlarm;
  if (caller.scope !== "admin" || shared.fixed.includes(name)) return h("span", {}, words(value));
  const all = ["", ...offsets, ...["", ...offsets].includes(value) ? [] : [value]];
  return choice(label, value, all.map((each) => [each, words(each)]), (each) =>
    share(name, each || null));
}

/**
 * Stores a setting for all clients.
 * @param {keyof import("../martlet.js").SettingsPatch} name @param {string | boolean | null} value
 */
async function share(name, value) {
  try {
    await client.patch("/v1/settings", { [name]: value });
  } catch (problem) {
    fail(problem);
  }
  refresh();
}

/**
 * Alarms for reminders that have none.
 * @param {Shared} shared @param {Default} name
 */
function missing(shared, name) {
  const offset = shared[name], { length } = offset ? unalarmed(name, offset) : [];
  return offset && length > 0 && entry(words.noAlarms[name](length), undefined, h("button",
    { class: "btn", onclick: () => add(name, offset) }, words.add));
}

/** @typedef {import("../state.js").Setting} Setting */

/** @param {Setting} name @param {string} value */
function keep(name, value) {
  setSetting(name, value);
  update();
}

/** @param {Setting} name @param {string} label @param {() => unknown} [act] */
const toggle = (name, label, act) => h("input", { type: "checkbox", class: "switch",
  role: "switch", "aria-label": label, checked: setting(name) !== "off", onchange: ({ target }) => {
    keep(name, target.checked ? "" : "off");
    act?.();
  } });

/** @param {string} format of the file with all data */
async function save(format) {
  try {
    const href = URL.createObjectURL(await file(`/v1/export?format=${format}`));
    Object.assign(document.createElement("a"), { href, download: `martlet.${format}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  } catch (problem) {
    fail(problem);
  }
}

/** @param {string} title @param {Children} entries */
const group = (title, entries) => h("section", { key: title, "aria-labelledby": `s-${title}` },
  h("h2", { id: `s-${title}`, class: "set-head" }, title),
  h("div", { class: "card set" }, entries));

/**
 * @param {string} name @param {Children} hint @param {Children} [control]
 * @param {import("../render.js").Key} [key]
 */
const entry = (name, hint, control, key = name) => h("div", { key },
  h("div", {}, name, hint && h("small", {}, hint)), control);

function segments() {
  const chosen = setting("theme") ?? "system";
  return h("fieldset", { class: "seg", "aria-label": text.theme },
    Object.entries(text.themes).map(([name, label]) => h("label", { key: name },
      h("input", { type: "radio", name: "theme", value: name, checked: name === chosen,
        onchange: () => setTheme(name === "system" ? "" : name) }), label)));
}

/** Nothing of the last person stays in the page. */
async function leave() {
  setText("");
  // Without an answer the server finds out when it next sends.
  await turnOff().catch(() => {});
  await signOut();
  location.reload();
}
