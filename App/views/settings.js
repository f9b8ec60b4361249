// SPDX-License-Identifier: Apache-2.0
// How the app looks on this device, and who may use the server.

import { ask } from "../ask.js";
import { h } from "../render.js";
import { setSetting, setting, store, update } from "../state.js";
import { client, hasKey, signOut } from "../sync.js";
import { clock, here, setZone } from "../time.js";
import { show } from "../undo.js";
import { language, words } from "../words.js";
import { head, note } from "./parts.js";
import { setTheme } from "./sidebar.js";

const text = words.set;
let code;

export function view() {
  const { body: caller } = ask("/v1/whoami");
  return [head({ title: words.settings }), note(),
    group(text.look, [
      entry(text.theme, undefined, segments()),
      entry(text.language, undefined, select(text.language, language,
        Object.entries(text.languages),
        (value) => {
          localStorage.setItem("martlet.language", value);
          location.reload();
        })),
      entry(text.zone, text.zoneText, select(text.zone, setting("zone") ?? "",
        [["", text.zoneOwn(here)], ...Intl.supportedValuesOf("timeZone").map((each) => [each,
          each])],
        (value) => {
          setSetting("zone", value);
          setZone(value);
          store.changed();
          update();
        })),
      entry(text.keys, text.keysText, h("input", { type: "checkbox", class: "switch",
        role: "switch",
        "aria-label": text.keys, checked: setting("keys") !== "off", onchange: ({ target }) => {
          setSetting("keys", target.checked ? "" : "off");
          update();
        } })),
    ]),
    group(text.access, [
      entry(location.host, caller && (caller.keyID === null ? text.noKey :
        text.as(caller.name, text.scopes[caller.scope]))),
      caller?.keyID && entry(text.device, code ? text.deviceCode(clock(code.expiresAt)) :
        text.deviceText, code ? h("output", { class: "code" }, code.code) :
        h("button", { class: "btn", onclick: pair }, text.deviceButton)),
      hasKey() && entry(text.signOut, store.pending.length > 0 ?
        text.signOutWaiting(store.pending.length) : text.signOutText,
      h("button", { class: "btn warn", onclick: signOut }, text.signOut)),
    ])];
}

const group = (title, entries) => h("section", { key: title, "aria-labelledby": `s-${title}` },
  h("h2", { id: `s-${title}`, class: "set-head" }, title),
  h("div", { class: "card set" }, entries));

const entry = (name, hint, control) => h("div", { key: name },
  h("div", {}, name, hint && h("small", {}, hint)), control);

const select = (name, value, options, act) => h("select", { class: "field", "aria-label": name,
  value,
  onchange: ({ target }) => act(target.value) }, options.map(([each, label]) =>
  h("option", { key: each, value: each, selected: each === value }, label)));

function segments() {
  const chosen = setting("theme") ?? "system";
  return h("fieldset", { class: "seg", "aria-label": text.theme },
    Object.entries(text.themes).map(([name, label]) => h("label", { key: name },
      h("input", { type: "radio", name: "theme", value: name, checked: name === chosen,
        onchange: () => setTheme(name === "system" ? "" : name) }), label)));
}

async function pair() {
  try {
    code = await client.post("/v1/pairing-codes", {}, { retry: false });
    setTimeout(() => {
      code = undefined;
      update();
    }, Date.parse(code.expiresAt) - Date.now());
    update();
  } catch (problem) {
    show({ problem: problem.detail ?? problem.message });
  }
}
