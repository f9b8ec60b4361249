// SPDX-License-Identifier: Apache-2.0
// What the feed and the queue share: the client, its key, the other tabs, and the connection.

import { Client } from "./martlet.js";
import { state, update } from "./state.js";
import { language } from "./words.js";

/** @typedef {import("./state.js").State} State */

export const channel = new BroadcastChannel("martlet app");

/** @type {{ key?: string }} */
export const access = {};
export const client = new Client({
  // A key that was refused is not tried again.
  key: (refused) => refused ? undefined : access.key,
  // A line of quick add that may be in either language is in that of the app.
  fetch: (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("Accept-Language", language);
    return fetch(url, { ...init, headers });
  },
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
