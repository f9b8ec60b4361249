// SPDX-License-Identifier: Apache-2.0
// The page before a key is there.

import { icon } from "../icons.js";
import { Client } from "../martlet.js";
import { problemText } from "../problems.js";
import { deviceName } from "../push.js";
import { h } from "../render.js";
import { onDrawn, state, update } from "../state.js";
import { patience, signIn } from "../sync.js";
import { words } from "../words-more.js";

/** @type {{ problem?: string, isPairing: boolean, isBusy: boolean }} */
const door = { isPairing: false, isBusy: false };

/** A link signs in as soon as the door is shown. */
onDrawn(() => {
  const { link } = state;
  if (!state.isLocked || !link || link[0] === "answer") return;
  state.link = undefined;
  door.isPairing = link[0] === "pair";
  enter(link[1], true);
});

export function view() {
  const text = words.door, { problem, isPairing } = door;
  const error = problem && h("p", { class: "err", id: "key-error", role: "alert" }, icon("warn",
    true),
    problem);
  return h("main", { key: "door", class: "door", id: "main", tabindex: -1 },
    h("form", { onsubmit: submit, "data-form": "door" },
      h("svg", { class: "logo", "aria-hidden": "true" }, h("use", { href: "#i-mark" })),
      h("h1", {}, text.title), h("p", { class: "quiet" }, isPairing ? text.pairText : text.text),
      // Password managers keep the key under the name of the server.
      h("input", { type: "text", hidden: true, autocomplete: "username", value: location.host }),
      h("label", { for: "key" }, isPairing ? text.code : text.key),
      h("input", { key: isPairing, id: "key", class: "field", name: "key",
        autocomplete: isPairing ? "one-time-code" : "current-password", spellcheck: "false",
        autocapitalize: isPairing ? "characters" : "none", type: isPairing ? "text" : "password",
        placeholder: isPairing ? "XXXXX-XXXXX" : "mk_…",
          "aria-invalid": problem ? "true" : undefined,
        "aria-describedby": problem ? "key-error" : undefined,
        ref: (dom) => queueMicrotask(() => dom.focus()) }),
      error,
      h("label", { class: "radio" }, h("input", { type: "checkbox", name: "stay",
        ref: (dom) => { dom.checked = true; } }), text.stay, h("small", {}, text.stayText)),
      h("button", { class: "btn main", disabled: door.isBusy }, text.title),
      h("button", { class: "btn bare", type: "button", onclick: () => {
        Object.assign(door, { isPairing: !isPairing, problem: undefined });
        update();
      } }, isPairing ? text.useKey : text.pair),
      state.kept && h("div", { class: "kept" }, h("label", { for: "kept" }, text.kept),
        h("textarea", { id: "kept", class: "field", rows: 5, readonly: true,
          value: state.kept }))));
}

/** @param {Event & { target: HTMLFormElement }} event */
function submit(event) {
  event.preventDefault();
  const data = new FormData(event.target), text = data.get("key").trim();
  if (text === "") return fail(words.door.empty);
  enter(text, data.get("stay") === "on");
}

/**
 * By what was typed, or by the link of a QR code.
 * @param {string} text @param {boolean} isKept
 */
async function enter(text, isKept) {
  door.isBusy = true;
  update();
  try {
    const key = door.isPairing ? await trade(text) : text;
    await signIn(key, isKept);
    Object.assign(door, { isPairing: false, problem: undefined });
    update({ kept: undefined });
  } catch (problem) {
    const isRefused = problem.status >= 400 && problem.status < 500;
    const wrong = door.isPairing ? words.door.wrongCode : words.door.wrong;
    const detail = problem.status === 429 ? problemText(problem) : wrong;
    fail(isRefused ? detail : words.door.unreachable);
    // It may have come by a link, which is gone.
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#key"));
    if (field && !isRefused) field.value = text;
  } finally {
    door.isBusy = false;
    update();
  }
}

/** @param {string} code @returns {Promise<string>} a key */
async function trade(code) {
  const body = { code, name: deviceName() };
  return (await new Client().post("/v1/pairings", body, patience())).key;
}

/** @param {string} problem */
function fail(problem) {
  door.problem = problem;
  update();
  document.querySelector("#key")?.focus();
}
