// SPDX-License-Identifier: Apache-2.0
// What several views have: the heading, the note about the connection, and empty places.

import { icon } from "../icons.js";
import { takeUpdate } from "../install.js";
import { problemText } from "../problems.js";
import { h } from "../render.js";
import { state, store } from "../state.js";
import { again, forget, wake } from "../sync.js";
import { words } from "../words.js";
import { connection } from "./sidebar.js";

/** @typedef {import("../render.js").Children} Children */

/** @param {{ title: Children, text?: string, tools?: Children }} parts */
export function head({ title, text, tools }) {
  return h("header", { key: "head", class: "head" }, h("h1", { tabindex: -1 }, title),
    h("div", { class: "tools" }, (state.isOffLong || state.isSlow) &&
      h("span", { class: "narrow" }, connection()), tools), text && h("p", {}, text));
}

/** @typedef {import("../state.js").State} State */

/** What is not as it should be: no connection, or something that the server refused. */
export function note() {
  const isOff = state.connection === "offline" || state.connection === "reconnecting";
  return [
    state.hasUpdate && h("div", { key: "update", class: "note fresh" }, icon("again"),
      h("p", {}, words.set.update),
      h("button", { class: "btn", onclick: takeUpdate }, words.set.reload)),
    isOff && state.isOffLong && h("div", { key: "note", class: "note" }, icon("cut"),
      h("p", {}, h("b", {}, words.offlineTitle), " ", words.offlineText(store.pending.length)),
      h("button", { class: "btn", onclick: wake }, words.tryNow)),
    state.isReadOnly && h("div", { key: "reads", class: "note" }, icon("list"),
      h("p", {}, words.readOnly)),
    state.only && h("div", { key: "only", class: "note" }, icon("list"),
      h("p", {}, words.only(store.list(state.only)?.title))),
    state.failed.map((entry) => h("div", { key: `failed ${entry.key}`, class: "note failed",
      role: "alert" }, icon("warn"),
    h("p", {}, h("b", {}, words.failedTitle), " ", textOf(entry), h("br", {}),
      problemText(entry.problem)),
    h("button", { class: "btn", onclick: () => again(entry) }, words.retry),
    h("button", { class: "btn bare", onclick: () => forget(entry) }, words.discard))),
  ];
}

/**
 * What was typed, so that it is not lost.
 * @param {State["failed"][number]} entry
 */
const textOf = ({ operations, later }) => [...operations, ...later.flatMap((each) =>
  each.operations.filter(({ method }) => method === "POST"))].map(({ method, body, path }) => [
  words.failedWrite[method], ...new Set([store.at(path)?.title, body?.text, body?.title,
    body?.notes, ...body?.tags ?? []]),
].filter(Boolean).join(" ")).join(", ");

const drawings = {
  today: "M20 92h140M58 92a32 32 0 0 1 64 0M90 46v-12M52 62l-9-8M128 62l9-8M36 88H24M144 88h12" +
    "M44 108h92M66 122h48",
  box: "M30 74l16-42h88l16 42v40a6 6 0 0 1-6 6H36a6 6 0 0 1-6-6z" +
    "M30 74h34c2 12 12 18 26 18s24-6 26-18h34",
  rows: "M34 44h18v18H34zM34 78h18v18H34zM34 112h18v18H34zM66 53h80M66 87h58M66 121h70",
  find: "M80 40a32 32 0 1 1 0 64 32 32 0 0 1 0-64zM103 95l33 33",
};
/** @type {Record<string, keyof typeof drawings>} */
const drawingOf = { today: "today", scheduled: "today", search: "find", searchHint: "find",
  list: "rows", smart: "rows", flagged: "rows", tag: "rows" };

/** @param {Exclude<keyof typeof words.empty, "todayNext">} name @param {string} [text] */
export function empty(name, text) {
  // With a part of the reminders nobody knows.
  const isPart = state.only && name !== "list";
  if (!state.isReady || isPart || !store.isComplete && state.connection === "connecting") return;
  const [title, hint] = words.empty[name];
  return h("div", { key: "empty", class: "empty" },
    h("svg", { viewBox: "0 0 180 150", "aria-hidden": "true" },
      h("path", { d: drawings[drawingOf[name] ?? "box"] })),
    h("h2", {}, title), h("p", {}, text ?? hint));
}
