// SPDX-License-Identifier: Apache-2.0
// The channels, by which alarms reach people in other ways than by a device with this app: how each
// works, a test of it, and what was given up.

import { whenText } from "../actions.js";
import { ask, refresh } from "../ask.js";
import { formOf, whereOf } from "../edit/ways.js";
import { h } from "../render.js";
import { onDrawn, say, state, store, update } from "../state.js";
import { client } from "../sync.js";
import { fail, show } from "../undo.js";
import { words as more } from "../words-more.js";
import { words } from "../words-ways.js";
import { seconds, waits } from "./push.js";
import { askWay } from "./way.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../edit/ways.js").Channel} Channel
 * @typedef {import("../martlet.js").Delivery} Delivery
 * @typedef {(name: string, hint: Children, control?: Children, key?: string | number) => any} Entry
 */

const text = words.ways;
const CHANNELS = "/v1/channels", SECOND = 1000;
/** How often a delivery is asked for, and how long, in ms. */
const PAUSE = 400, LIMIT = 60 * SECOND;

/** @type {Map<number, string>} What became of the tests, by the IDs of channels. */
const tests = new Map();
/** @type {Map<number, { name: string, waiting?: Delivery }>} What was drawn. */
const drawn = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** An alarm that begins to ring has messages, of which the feed does not tell. */
let rang = state.ringing;

onDrawn(() => {
  const isShown = state.place.place === "settings" && !state.isLocked;
  const soon = new Date(Date.now() + 10 * SECOND).toISOString();
  const isSoon = isShown && [...drawn.values()].some(({ waiting }) => waiting?.nextAt &&
    waiting.nextAt < soon);
  const hasRung = isShown && drawn.size > 0 && rang !== state.ringing;
  rang = state.ringing;
  drawn.clear();
  if (hasRung) refresh();
  if (!isSoon || timer) return;
  // What is sent right now is followed.
  timer = setTimeout(() => {
    timer = undefined;
    if (state.place.place === "settings") refresh();
  }, 5 * PAUSE);
});

/** @param {Entry} entry @returns {any[]} */
export function ways(entry) {
  const { body } = ask(`${CHANNELS}?limit=50`);
  /** @type {Channel[]} */
  const all = body?.items ?? [];
  return [...all.map((each) => card(each, entry)),
    entry(text.add, text.addText, h("button", { id: "add-way", class: "btn", onclick: () =>
      askWay() }, text.add), "add")];
}

/** @param {Channel} channel @param {Entry} entry */
function card(channel, entry) {
  const { id, name, isEnabled } = channel, { body } = ask(
    `/v1/deliveries?channelID=${id}&limit=10`);
  /** @type {Delivery[]} The newest first. */
  const sent = body?.items ?? [], dead = sent.find((each) => each.state === "dead");
  drawn.set(id, { name, waiting: sent.find((each) => each.state === "waiting") });
  const tested = tests.get(id), lines = [about(channel), stateOf(channel, sent),
    dead && text.dead(when(dead.endedAt ?? dead.createdAt)), tested].filter(Boolean);
  /** @param {string} label @param {() => unknown} act */
  const button = (label, act, style = "btn") => h("button", { key: label, class: style,
    "aria-label": `${label}: ${name}`, onclick: act }, label);
  return entry(name, lines.map((each, index) => [index > 0 && h("br", {}), each]),
    h("p", { class: "line" }, isEnabled && button(more.push.test, () => test(channel)),
      isEnabled && dead && button(text.again, () => again(dead)),
      button(more.edit, () => askWay(channel)),
      button(more.push.remove, () => askEnd(channel), "btn bare warn")), `way ${id}`);
}

/** @param {Channel} channel "ntfy · ntfy.sh/abc · Home · After 10 minutes" */
const about = (channel) => [text.kinds[formOf(channel)[0]] ?? channel.kind, whereOf(channel),
  channel.lists?.map((each) => store.list(each)?.title ?? `#${each}`).join(", "),
  (channel.after || channel.quiet) && waits(/** @type {any} */ (channel))]
  .filter(Boolean).join(" · ");

/** @param {string} instant */
const when = (instant) => whenText(Date.parse(instant));

/** @param {Channel} channel @param {Delivery[]} sent */
function stateOf(channel, sent) {
  const { isEnabled, failingSince } = channel;
  if (!isEnabled) return [text.disabled, failingSince && why(channel)].filter(Boolean).join(" ");
  if (failingSince) return text.failing(when(failingSince), why(channel));
  const last = sent.find(({ state }) => state === "delivered");
  return last ? text.works(when(last.endedAt ?? last.createdAt)) : text.unused;
}

/**
 * The server's own words are for who runs it.
 * @param {Channel} channel @param {string | null} [error]
 */
function why(channel, error = channel.lastError) {
  const { why } = more.push, host = channel.kind === "mail" ?
    /^\w+:\/\/([^/?#]+)/.exec(channel.url)?.[1] ?? "" : whereOf(channel).split("/")[0];
  const status = /answered (\d+)/.exec(error ?? "")?.[1];
  if (/password/.test(error ?? "")) return text.refused(host);
  if (/the recipient/.test(error ?? "")) return text.unknown(host);
  if (status) return why.answered(host, status);
  if (/not allowed/.test(error ?? "")) return why.forbidden;
  return /courier|libcurl/.test(error ?? "") ? why.server : why.away(host);
}

/** @param {Channel} channel */
async function test(channel) {
  const { id } = channel, end = Date.now() + LIMIT;
  try {
    let delivery = await client.post(`${CHANNELS}/${id}/test`, {}, { retry: false });
    told(channel, text.sending);
    while (delivery.state === "waiting" && !delivery.lastError && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      delivery = await client.get(`/v1/deliveries/${delivery.id}`, { retry: false });
    }
    told(channel, outcome(channel, delivery));
  } catch (problem) {
    tests.delete(id);
    fail(problem);
  }
  refresh();
}

/** @param {Channel} channel @param {Delivery} delivery */
function outcome(channel, { state, lastError, createdAt, endedAt }) {
  if (state === "delivered" && endedAt) {
    return more.push.sent(seconds(Date.parse(endedAt) - Date.parse(createdAt)));
  }
  return lastError ? [text.failed(why(channel, lastError)), state === "waiting" && text.later]
    .filter(Boolean).join(" ") : more.push.notSent;
}

/** @param {Channel} channel @param {string} what */
function told({ id, name }, what) {
  tests.set(id, what);
  say(`${name}: ${what}`);
  update();
}

/** @param {Delivery} delivery */
async function again({ id }) {
  try {
    await client.post(`/v1/deliveries/${id}/retry`, {}, { retry: false });
    show({ text: text.sentAgain });
  } catch (problem) {
    fail(problem);
  }
  refresh();
}

/** @param {Channel} channel */
const askEnd = (channel) => update({ dialog: { kind: "device", draw: (shell) =>
  shell(text.removeTitle(channel.name), h("p", {}, text.removeText), () => end(channel),
    more.push.remove, { isWarning: true }) } });

/** @param {Channel} channel */
async function end({ id, name }) {
  try {
    await client.delete(`${CHANNELS}/${id}`, { retry: false });
    tests.delete(id);
    show({ text: more.push.removed(name) });
    // The button that has asked is gone with its card.
    document.querySelector("#add-way")?.focus();
  } catch (problem) {
    fail(problem);
  }
  refresh();
}
