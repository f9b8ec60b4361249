// SPDX-License-Identifier: Apache-2.0
// This device: its name, and the subscription by which it rings while no page is open.

import * as db from "./db.js";
import { onDrawn, setting, state, update } from "./state.js";
import { client, patience } from "./sync.js";
import { here } from "./time.js";
import { words } from "./words-more.js";
import { language } from "./words.js";

export const SUBSCRIPTIONS = "/v1/push/subscriptions";
/** @param {number} id */
export const pathOf = (id) => `${SUBSCRIPTIONS}/${id}`;

/**
 * What the server knows of a subscription, and what of it is kept here while it is on.
 * @typedef {import("./store.js").Frozen<import("./martlet.js").PushSubscription>} Subscription
 * @typedef {Pick<Subscription, "id" | "lists" | "name" | "after" | "quiet">} Own
 */

const OWN = "push";
/** What pages and the worker leave for each other (sw.js). */
const LEFT = "martlet push";

/**
 * What is known here. `own` is undefined until it was read. With `key` and `registration`, a click
 * can subscribe at once, as some browsers want. `isFailing`: messages do not arrive at the moment.
 * @type {{ own?: Own | null, key?: Uint8Array, registration?: ServiceWorkerRegistration,
 *   problem?: any, isBusy?: boolean, isFailing?: boolean }}
 */
export const device = {};

/** By which the settings of another device show it: "Firefox, Android". */
export function deviceName() {
  const { userAgent } = navigator;
  /** @param {string[]} names */
  const first = (names) => names.find((name) => userAgent.includes(name));
  const browser = first(["Firefox", "Edg", "OPR", "Chrome", "Safari"]);
  const system = first(["Android", "iPhone", "iPad", "Windows", "Mac OS", "CrOS", "Linux"]);
  return [browser?.replace("Edg", "Edge").replace("OPR", "Opera"), system].filter(Boolean)
    .join(", ") || words.door.device;
}

/**
 * Why it cannot ring here, or whether it does.
 * @returns {"insecure" | "home" | "none" | "denied" | "on" | "off"}
 */
export function standing() {
  if (!globalThis.isSecureContext) return "insecure";
  if (!("PushManager" in globalThis && "Notification" in globalThis && navigator.serviceWorker)) {
    // iPhones and iPads push to what is on the home screen only.
    return navigator.standalone === false ? "home" : "none";
  }
  const { permission } = Notification;
  if (permission === "denied") return permission;
  return device.own && permission === "granted" ? "on" : "off";
}

/**
 * Without a key there is none, and asking would make a database.
 * @returns {Promise<Own | undefined>}
 */
const kept = async () => state.isLocked && !(await indexedDB.databases()).some(({ name }) =>
  name === db.NAME) ? undefined : db.value(OWN);

/** Whether messages ring on this device, so that a page need not. */
export const isPushed = async () => !device.isFailing && Boolean(await kept()) &&
  Notification.permission === "granted";

/** @param {string} text in Base64 for URLs */
const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")),
  (each) => each.charCodeAt(0));

/** The key of the server, which it makes when the first device asks for it. */
async function serverKey() {
  const { applicationServerKey } = await client.get("/v1/settings");
  return bytesOf(applicationServerKey ??
    (await client.post("/v1/push/key", {})).applicationServerKey);
}

/** Fetches what a click needs. After a problem a person tries again. */
export async function prepare() {
  if (device.key || device.isBusy || device.problem) return;
  device.isBusy = true;
  try {
    const key = await serverKey();
    device.registration = await navigator.serviceWorker.ready;
    Object.assign(device, { key, problem: undefined });
  } catch (problem) {
    device.problem = problem;
  }
  device.isBusy = false;
  update();
}

/** Called in a click. Throws what the browser or the server says. */
export async function turnOn() {
  const subscribing = subscribe(device.registration, device.key);
  device.isBusy = true;
  update();
  try {
    const own = { lists: null, name: deviceName(), after: null, quiet: null };
    await register(await subscribing, own);
  } finally {
    device.isBusy = false;
    update();
  }
}

/** @param {any} registration @param {any} applicationServerKey @returns {Promise<any>} */
const subscribe = ({ pushManager }, applicationServerKey) =>
  pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });

/**
 * Tells the server of the browser's subscription. The same endpoint replaces what it knew.
 * @param {PushSubscription} subscription @param {Omit<Own, "id">} own
 */
async function register(subscription, { lists, name, after, quiet }) {
  const { endpoint, keys } = subscription.toJSON(), own = { lists, name, after, quiet };
  try {
    const { id } = await client.put(SUBSCRIPTIONS, { endpoint, keys, ...own });
    await remember({ id, ...own });
  } catch (problem) {
    // What the server does not know would never ring.
    if (!device.own) await subscription.unsubscribe();
    throw problem;
  }
  await leaveWords();
}

/** @param {Own | null} own */
export async function remember(own) {
  await db.setValue(OWN, own ?? undefined);
  device.own = own;
  update();
}

/** The worker has no words of its own but a few in English. */
async function leaveWords() {
  const { notes } = words.push, region = navigator.languages.find((name) =>
    name.startsWith(language));
  const all = { ...notes, app: words.app, done: words.done, stop: words.ring.ok,
    language: region ?? language, zone: setting("zone") };
  await (await caches.open(LEFT)).put("/words", new Response(JSON.stringify(all)));
}

/** Ends it in the browser, where nothing of it stays. */
async function unsubscribe() {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  if (!registration || !subscription) return;
  await subscription.unsubscribe();
  for (const each of await registration.getNotifications()) each.close();
  await caches.delete(LEFT);
}

/** In the browser and at the server, which else would notice by its next message. */
export async function turnOff() {
  const own = await kept();
  if (!own) return;
  await unsubscribe();
  await remember(null);
  await client.delete(pathOf(own.id), patience());
}

/**
 * Compares what the browser has, what this device keeps and what the server knows. What does not
 * fit any more is made anew: after another key of the server, a restored database, or an end of the
 * subscription by the browser.
 */
export async function repair() {
  device.own = await kept() ?? null;
  update();
  if (!device.own) return unsubscribe();
  if (state.isLocked || standing() !== "on") return;
  const { id } = device.own, key = await serverKey();
  const registration = await navigator.serviceWorker.ready, row = await rowOf(id);
  let subscription = await registration.pushManager.getSubscription();
  const known = subscription?.options.applicationServerKey;
  if (subscription && (row?.lostAt || known && String(new Uint8Array(known)) !== String(key))) {
    await subscription.unsubscribe();
    subscription = null;
  }
  device.isFailing = Boolean(row?.failingSince);
  // Quiet hours are by the clocks of the device, wherever it is.
  if (row?.quiet && row.quiet.timeZone !== here) {
    await client.patch(pathOf(id), { quiet: { timeZone: here } }, { retry: false });
  }
  const isChanged = await caches.match("/changed", { cacheName: LEFT });
  if (subscription && row && !isChanged) return leaveWords();
  await register(subscription ?? await subscribe(registration, key), row ?? device.own);
  await (await caches.open(LEFT)).delete("/changed");
  if (row && device.own.id !== id) await client.delete(pathOf(id), { retry: false });
}

/** @param {number} id @returns {Promise<Subscription | undefined>} */
async function rowOf(id) {
  try {
    return /** @type {any} */ (await client.get(pathOf(id)));
  } catch (problem) {
    if (problem.status !== 404) throw problem;
  }
}

const begin = () => repair().catch((problem) => {
  device.problem = problem;
  update();
});
/** @type {boolean | undefined} */
let wasLocked;
onDrawn(() => {
  // Once at the start, and when a key comes or ends.
  if (!state.isReady || state.isLocked === wasLocked) return;
  wasLocked = state.isLocked;
  begin();
});
// What has just been permitted is not on yet. Not every browser says it.
navigator.permissions?.query({ name: "notifications" }).then((status) => {
  status.onchange = () => device.own ? begin() : update();
}, () => {});
