// SPDX-License-Identifier: Apache-2.0
// The service worker, which keeps the app for when there is no network, and its updates.

import { wake } from "./link.js";
import { update } from "./state.js";

const ADDRESS = "/sw.js";

// The settings offer it.
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  update({ install: event });
});

/** Only HTTPS and this machine have service workers. Without one, all else works. */
export async function install() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const rules = { createScriptURL: (/** @type {string} */ address) => {
    if (address !== ADDRESS) throw new TypeError("Another address.");
    return address;
  } };
  const policy = globalThis.trustedTypes?.createPolicy("worker", rules) ?? rules;
  serviceWorker.addEventListener("message", ({ data }) => {
    // An offer: what is typed is not lost by a reload.
    if (data === "update") update({ hasUpdate: true });
    if (data === "taken") location.reload();
    // From a notification: what rings has changed.
    if (data === "answered") wake();
  });
  const had = serviceWorker.controller;
  await serviceWorker.register(policy.createScriptURL(ADDRESS));
  if (!had) return;
  const look = () => serviceWorker.controller?.postMessage("look");
  look();
  setInterval(look, 6 * 3_600_000);
}

export const takeUpdate = () => navigator.serviceWorker.controller?.postMessage("take");

let badge = NaN;
/** @param {number} number on the icon of the app; 0 is none */
export function showBadge(number) {
  if (number === badge) return;
  badge = number;
  navigator.setAppBadge?.(number).catch(() => {});
}
