// SPDX-License-Identifier: Apache-2.0
// Keeps the app, so that it opens at once and without a network. It never touches the API.

/** The parts of the app and their version: a hash of all of them. */
const VERSION = "/app/version.json";

/** All parts are of one version: a new one is fetched as a whole, beside the one that is used. */
const CURRENT = "martlet app", NEXT = "martlet app next";

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function install() {
  await fill();
  await move();
  await self.skipWaiting();
}

/** Fetches all parts. They are of one version only if that is the same before and after. */
async function fill() {
  await caches.delete(NEXT);
  const cache = await caches.open(NEXT), before = await published();
  await cache.addAll(JSON.parse(before).parts.map((/** @type {string} */ part) =>
    new Request(part, FRESH)));
  if (await published() !== before) throw new Error("The server was replaced meanwhile.");
  await cache.put(VERSION, new Response(before));
}

/** @type {RequestInit} The page is asked for as a browser does: programs get links there. */
const FRESH = { cache: "no-cache", headers: { Accept: "text/html, */*;q=0.1" } };

async function published() {
  const answer = await fetch(VERSION, FRESH);
  if (!answer.ok) throw new Error(`${VERSION} has the status ${answer.status}.`);
  return await answer.text();
}

self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const isPage = request.mode === "navigate" && pathname === "/";
  // What is not kept is answered by the server: the client for other programs, and all of the API.
  if (isPage || pathname.startsWith("/app/")) event.respondWith(answer(request, pathname));
});

/** @param {Request} request @param {string} pathname */
async function answer(request, pathname) {
  const cache = await caches.open(CURRENT);
  const kept = pathname !== VERSION && await cache.match(pathname, { ignoreVary: true });
  return kept || fetch(request);
}

self.addEventListener("message", (event) => {
  // Without a network the next look sees it.
  if (event.data === "look") event.waitUntil(look(event.source).catch(() => {}));
  if (event.data === "take") event.waitUntil(take());
});

/** On phones notifications are those of the worker. They open the reminder that rings. */
self.addEventListener("notificationclick", (event) => {
  const { data } = event.notification;
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: "window" }).then(async ([page]) => page ?
    (await page.focus()).navigate(data) : self.clients.openWindow(data)));
});

/** @param {any} page It is told when the server has another version than the one that is used. */
async function look(page) {
  const cache = await caches.open(CURRENT);
  const known = await (await cache.match(VERSION))?.text();
  // Signing out has emptied it.
  if (known !== undefined && await published() === known) return;
  await fill();
  if (known === undefined) return move();
  page.postMessage("update");
}

async function take() {
  if (!await move()) return;
  for (const page of await self.clients.matchAll()) page.postMessage("taken");
}

/** What is new takes the place of what is used. Another window may have done it. */
async function move() {
  const next = await caches.open(NEXT), current = await caches.open(CURRENT);
  if (!await next.match(VERSION)) return false;
  const requests = await next.keys();
  for (const request of requests) {
    await current.put(request, /** @type {Response} */ (await next.match(request)));
  }
  const names = requests.map(({ url }) => url);
  for (const old of await current.keys()) {
    if (!names.includes(old.url)) await current.delete(old);
  }
  return caches.delete(NEXT);
}
