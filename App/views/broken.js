// SPDX-License-Identifier: Apache-2.0
// A line for each way by which alarms reach nobody any more: a device or a channel.

import { whenText } from "../actions.js";
import { icon } from "../icons.js";
import { SUBSCRIPTIONS } from "../push.js";
import { h } from "../render.js";
import { onDrawn, setSetting, setting, state, update } from "../state.js";
import { client } from "../sync.js";
import { words } from "../words-more.js";

/**
 * @typedef {Pick<import("../push.js").Subscription,
 *   "name" | "brokenAt" | "failingSince" | "lostAt"> & { sendsNothing?: boolean }} Way
 */

const START = new Date().toISOString(), HOUR = 3_600_000, WEEK = 7 * 24 * HOUR;

/** @type {Record<"devices" | "channels" | "server", readonly Way[]>} */
const all = { devices: [], channels: [], server: [] };
/** @type {AbortController | undefined} */
let following;

onDrawn(() => {
  // Of several tabs one asks.
  const isWanted = Boolean(state.isLeader && state.isReady && !state.isLocked);
  if (isWanted !== Boolean(following)) begin(isWanted);
});

/** @param {boolean} isWanted */
function begin(isWanted) {
  following?.abort();
  following = isWanted ? new AbortController() : undefined;
  Object.assign(all, { devices: [], channels: [], server: [] });
  if (!following) return;
  const { signal } = following;
  // Without an answer the next start asks again; the settings say what is wrong.
  followDevices(signal).catch(() => {});
  askServer(signal).catch(() => {});
}

/** @param {AbortSignal} signal */
async function followDevices(signal) {
  const streams = /** @type {typeof client & import("../sync.js").Streams} */ (client);
  const path = `${SUBSCRIPTIONS}?limit=500`;
  for await (const { type, data } of streams.events(path, {}, { signal })) {
    if (type === "result") take("devices", data.items);
  }
}

/** @param {AbortSignal} signal The server, and its channels, for which only admins may ask. */
async function askServer(signal) {
  const { scope } = await client.get("/v1/whoami", { signal });
  while (!signal.aborted) {
    const { sendsNothing, cannotSendSince } = await client.get("/v1/settings", { signal });
    take("server", [{ name: "", failingSince: null, lostAt: null, sendsNothing,
      brokenAt: sendsNothing ? START : cannotSendSince }]);
    if (scope === "admin") {
      take("channels", (await client.get("/v1/channels?limit=500", { signal })).items);
    }
    await new Promise((resolve) => setTimeout(resolve, HOUR));
  }
}

/** @param {keyof typeof all} kind @param {readonly Way[]} ways */
function take(kind, ways) {
  const had = all[kind].length > 0;
  all[kind] = ways.filter(({ brokenAt }) => brokenAt);
  if (had || all[kind].length > 0) update();
}

export function view() {
  const putOff = Number(setting("broken") ?? 0), isOff = Date.now() < putOff + WEEK;
  const shown = [...all.server, ...all.devices, ...all.channels].filter(({ brokenAt }) =>
    !isOff || Date.parse(/** @type {string} */ (brokenAt)) > putOff);
  if (shown.length === 0) return undefined;
  return h("div", { key: "broken", class: "note", role: "status" }, icon("bell"),
    h("p", {}, shown.map(said).join(" ")),
    h("a", { class: "btn", href: "#/settings" }, words.settings),
    h("button", { class: "btn bare", onclick: () => {
      setSetting("broken", String(Date.now()));
      update();
    } }, words.push.inAWeek));
}

/** @param {Way} way */
function said({ name, brokenAt, failingSince, lostAt, sendsNothing }) {
  if (sendsNothing) return words.push.sendsNothing;
  const since = Date.parse(/** @type {string} */ (failingSince ?? lostAt ?? brokenAt));
  return name ? words.push.silent(name, whenText(since)) : words.push.cannotSend(whenText(since));
}
