// SPDX-License-Identifier: Apache-2.0
// Keeps the app, so that it opens at once and without a network. It never touches the API.

/** Each part of the app. A test compares it with the folder. */
const PARTS = [
  "/", "/app/martlet.js", "/app/manifest.webmanifest", "/app/icon.svg", "/app/icon-maskable.svg",
  ...["app", "rows", "parts", "sizes"].map((name) => `/app/${name}.css`),
  ...["actions", "ask", "db", "icons", "install", "keys", "main", "places", "render", "state",
    "store",
    "sync", "theme", "time", "undo", "words", "edit/pointer", "edit/quick", "words/de", "words/en",
    "views/completed", "views/detail", "views/door", "views/layers", "views/list", "views/menus",
    "views/parts", "views/ring", "views/row", "views/schedule", "views/search", "views/select",
    "views/settings", "views/sidebar", "views/trash"].map((name) => `/app/${name}.js`),
];

/** All parts are of one version: a new one is fetched as a whole, beside the one that is used. */
const CURRENT = "martlet app", NEXT = "martlet app next";

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function install() {
  await fill(CURRENT);
  await self.skipWaiting();
}

async function fill(name) {
  await caches.delete(name);
  const cache = await caches.open(name);
  await cache.addAll(PARTS.map((part) => new Request(part, { cache: "no-cache" })));
}

self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const isPage = request.mode === "navigate" && pathname === "/";
  if (!isPage && !PARTS.includes(pathname)) return;
  event.respondWith(answer(request, pathname));
});

async function answer(request, pathname) {
  const cache = await caches.open(CURRENT);
  return await cache.match(pathname) ?? fetch(request);
}

self.addEventListener("message", (event) => {
  if (event.data === "look") event.waitUntil(look(event.source));
  if (event.data === "take") event.waitUntil(take(event.source));
});

/** Tells the page when the server has other parts than those that are used. */
async function look(page) {
  const cache = await caches.open(CURRENT);
  // Signing out has emptied it.
  if ((await cache.keys()).length === 0) return fill(CURRENT);
  for (const part of PARTS) {
    const fresh = await fetch(part, { cache: "no-cache" });
    if (!fresh.ok) return;
    const known = await cache.match(part);
    if (known && await known.text() === await fresh.text()) continue;
    await fill(NEXT);
    page.postMessage("update");
    return;
  }
}

async function take(page) {
  const next = await caches.open(NEXT), current = await caches.open(CURRENT);
  for (const request of await next.keys()) await current.put(request, await next.match(request));
  await caches.delete(NEXT);
  page.postMessage("taken");
}
