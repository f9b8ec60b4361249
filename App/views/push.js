// SPDX-License-Identifier: Apache-2.0
// Whether this device rings while the app is closed, a test of that, and the other devices that do.

import { whenText } from "../actions.js";
import { ask, refresh } from "../ask.js";
import { h } from "../render.js";
import { onDrawn, say, state, store, update } from "../state.js";
import { client } from "../sync.js";
import { here } from "../time.js";
import { device, pathOf, prepare, remember, repair, standing, SUBSCRIPTIONS, turnOff, turnOn }
  from "../push.js";
import { problemText } from "../problems.js";
import { fail, show } from "../undo.js";
import { words } from "../words-more.js";
import { language } from "../words.js";
import { checks, choice, labeled } from "./fields.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../push.js").Subscription} Subscription
 * @typedef {(name: string, hint: Children, control?: Children, key?: number) => any} Entry
 */

const text = words.push;
const SECOND = 1000;
/** When a test rings, and how long it is waited for then, in ms. */
const PAUSE = 10 * SECOND, LIMIT = 60 * SECOND;

/** @type {Subscription | null | undefined} What the server tells of it; `null`: it is gone. */
let row;
/** @type {AbortController | undefined} */
let following;
/** @type {number | undefined} */
let followed;
/** @type {{ due: number, end: number } | undefined} By the clock of the server, and by this one. */
let test;

onDrawn(() => {
  const isShown = state.place.place === "settings" && !state.isLocked, now = standing();
  const id = isShown && now === "on" ? device.own?.id : undefined;
  if (id !== followed) follow(id);
  if (isShown && now === "off") prepare();
});

/** @param {number | undefined} id The row is followed while the settings show it. */
async function follow(id) {
  following?.abort();
  [followed, row, test] = [id, undefined, undefined];
  if (!id) return;
  const { signal } = following = new AbortController();
  const streams = /** @type {typeof client & import("../sync.js").Streams} */ (client);
  try {
    for await (const { type, data } of streams.events(pathOf(id), {}, { signal })) {
      if (type === "result") take(data);
      if (type === "gone") take(null);
    }
  } catch (problem) {
    if (problem.status === 404) take(null);
    else if (!signal.aborted) fail(problem);
  }
}

/** @param {Subscription | null} next */
function take(next) {
  const before = test && row && tested(row);
  row = next;
  device.isFailing = !row || Boolean(row.lostAt ?? row.failingSince);
  if (row && before && tested(row) !== before) say(tested(row));
  update();
}

/** @param {Entry} entry @returns {Children} */
export function thisDevice(entry) {
  const now = standing(), isLost = now === "on" && (row === null || Boolean(row?.lostAt));
  if (now !== "on" || isLost) {
    return entry(text.closed, [isLost ? text.lost : text.states[now], " ",
      now === "off" && device.problem && problemText(device.problem)], button(now, isLost));
  }
  return [
    entry(text.closed, about(row),
      h("button", { class: "btn", onclick: () => attempt(turnOff) }, text.turnOff)),
    row && entry(text.test, row && tested(row), h("button", { class: "btn", onclick: begin },
      text.test)),
    row && entry(text.lists, row.lists?.map((id) => store.list(id)?.title ?? `#${id}`).join(", ")
      ?? text.all, h("button", { class: "btn", onclick: askLists }, words.other)),
    row && entry(text.when, waits(row), h("button", { class: "btn", onclick: askWhen,
      "aria-label": `${text.when}: ${words.other}` }, words.other)),
  ];
}

/** @param {ReturnType<typeof standing>} now @param {boolean} isLost */
function button(now, isLost) {
  if (now === "off" && device.problem) return h("button", { class: "btn", onclick: again },
    words.retry);
  // It is ready when the key of the server is.
  return (now === "off" || isLost) && h("button", { class: "btn main",
    disabled: device.isBusy || now === "off" && !device.key,
    onclick: () => attempt(isLost ? renew : turnOn) }, text.turnOn);
}

function again() {
  device.problem = undefined;
  prepare();
}

async function renew() {
  followed = undefined;
  await repair();
}

/** @param {() => Promise<unknown>} act What the browser says has no words of its own. */
async function attempt(act) {
  try {
    await act();
  } catch (problem) {
    if (problem.status !== undefined) fail(problem);
    // One who says no does not need to hear of it.
    else if (problem.name !== "NotAllowedError") show({ problem: text.noService });
  }
  refresh();
}

/** @param {Subscription | null | undefined} row */
const about = (row) => row?.failingSince ? text.failing(when(row.failingSince), why(row)) :
  [text.states.on, row && shownText(row)].filter(Boolean).join(" ");
/** @param {Subscription} row */
const shownText = ({ seenAt }) => seenAt ? text.seen(when(seenAt)) : text.unseen;

/** @param {string} instant */
const when = (instant) => whenText(Date.parse(instant));

/** @param {Subscription} row The server's own words are for who runs it. */
function why({ host, lastError }) {
  const status = /answered (\d+)/.exec(lastError ?? "")?.[1];
  if (status) return text.why.answered(host, status);
  if (/not allowed/.test(lastError ?? "")) return text.why.forbidden;
  return /courier|encrypted|signed|keys/.test(lastError ?? "") ? text.why.server :
    text.why.away(host);
}

async function begin() {
  if (!row) return;
  try {
    const path = `${pathOf(row.id)}/test?after=PT${PAUSE / SECOND}S`;
    const { createdAt, nextAt } = await client.post(path, {}, { retry: false });
    test = { due: nextAt ? Date.parse(nextAt) : Date.parse(createdAt) + PAUSE,
      end: Date.now() + PAUSE + LIMIT };
    setTimeout(() => take(row ?? null), PAUSE + LIMIT + SECOND);
    say(text.soon);
    update();
  } catch (problem) {
    fail(problem);
  }
}

/** @param {Subscription} row How the test went, or what to know of it before. */
function tested(row) {
  if (!test) return text.testText;
  const { due, end } = test, isOver = Date.now() > end;
  const [sent, seen] = [row.sentAt, row.seenAt].map((each) => each ? Date.parse(each) - due : -1);
  if (seen >= 0) return text.shown(seconds(sent), seconds(seen));
  if (sent >= 0) return isOver ? text.notShown(row.host) : text.sent(seconds(sent));
  return isOver ? `${text.notSent} ${row.lastError ? why(row) : ""}` : text.soon;
}

/** @param {number} ms */
export const seconds = (ms) => (ms / SECOND).toLocaleString(language, { minimumFractionDigits: 1,
  maximumFractionDigits: 1 });

/** @param {Pick<Subscription, "after" | "quiet">} row */
export const waits = ({ after, quiet }) => [after ? text.afters[after] ?? after : text.afters[""],
  quiet && text.quietText(quiet.from, quiet.to, text.modes[quiet.mode])].filter(Boolean)
  .join(" · ");

/** How long it waits for another answer, and when it makes no sound. */
function askWhen() {
  const { after, quiet } = /** @type {Subscription} */ (row);
  const known = { ...text.afters, ...after && !text.afters[after] && { [after]: after } };
  update({ dialog: { kind: "device", draw: (shell) => shell(text.when, [
    h("label", { class: "label" }, text.after, choice(text.after, after ?? "",
      Object.entries(known), undefined, "after")),
    h("p", { class: "quiet" }, text.afterText),
    h("fieldset", {}, h("legend", {}, text.quiet),
      labeled(text.from, "from", quiet?.from, { type: "time" }),
      labeled(text.to, "to", quiet?.to, { type: "time" }),
      h("label", { class: "label" }, text.how, choice(text.how, quiet?.mode ?? "silently",
        Object.entries(text.modes), undefined, "mode"))),
    h("p", { class: "quiet" }, text.quietHint),
  ], (data) => {
    const said = (/** @type {string} */ name) => String(data.get(name) ?? "");
    const isSet = said("from") && said("to");
    return change({ after: said("after") || null, quiet: isSet ? { from: said("from"),
      to: said("to"), mode: /** @type {any} */ (said("mode")), timeZone: here } : null });
  }, words.save) } });
}

/** @param {Partial<import("../push.js").Own>} changes */
async function change(changes) {
  const { id, lists, name, after, quiet } = /** @type {Subscription} */ (row);
  try {
    await client.patch(pathOf(id), changes, { retry: false });
    await remember({ id, lists, name, after, quiet, ...changes });
  } catch (problem) {
    fail(problem);
  }
}

function askLists() {
  const { lists } = /** @type {Subscription} */ (row);
  const all = store.lists.filter(({ id }) => typeof id === "number");
  update({ dialog: { kind: "device", draw: (shell) => shell(text.lists, [
    checks(words.devices.lists, "lists", lists?.map(String) ?? [],
      all.map(({ id, title, color }) => [String(id), title, color])),
    h("p", { class: "quiet" }, words.devices.listsText),
  ], (data) => {
    const chosen = data.getAll("lists").map(Number);
    return change({ lists: chosen.length > 0 ? chosen : null });
  }, words.save) } });
}

/** @param {Entry} entry @returns {any[]} those of the same key; an admin sees all */
export function otherDevices(entry) {
  const { body } = ask(`${SUBSCRIPTIONS}?limit=500`);
  /** @type {Subscription[]} */
  const all = body?.items ?? [];
  return all.filter(({ id }) => id !== device.own?.id).map((each) => entry(each.name,
    [each.host, each.lostAt ? text.isLost : shownText(each)].join(" · "),
    h("button", { class: "btn bare warn", "aria-label": `${text.remove}: ${each.name}`,
      onclick: () => remove(each) }, text.remove), each.id));
}

/** @param {Subscription} subscription */
async function remove({ id, name }) {
  try {
    await client.delete(pathOf(id), { retry: false });
    show({ text: text.removed(name) });
  } catch (problem) {
    fail(problem);
  }
  refresh();
}
