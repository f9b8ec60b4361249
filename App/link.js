// SPDX-License-Identifier: Apache-2.0
// What the feed and the queue share: the client, its key, the other tabs, and the connection.

import { Client } from "./martlet.js";
import { state, update } from "./state.js";

/** @typedef {import("./state.js").State} State */

export const channel = new BroadcastChannel("martlet app");

/** @type {{ key?: string }} */
export const access = {};
export const client = new Client({
  // A key that was refused is not tried again.
  key: (refused) => refused ? undefined : access.key,
});

/** @type {State["connection"]} What the stream says; the browser may be wrong. */
let stream = "connecting";
/** @param {State["connection"]} [next] */
export function setConnection(next = stream) {
  stream = next;
  const connection = next === "live" || navigator.onLine ? next : "offline";
  if (state.connection === connection) return;
  update({ connection });
  if (state.isLeader) tellConnection();
}
export const tellConnection = () => channel.postMessage({ type: "status", connection: stream });

/** The queue waits up to five minutes; this ends the wait. */
export const wake = () => dispatchEvent(new Event("online"));
