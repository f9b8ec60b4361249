// SPDX-License-Identifier: Apache-2.0
// Keeps the app, so that it opens at once and without a network, and shows what the server pushes
// while no page is open. Of the API it only sends answers to alarms.

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

// What is pushed

self.addEventListener("push", (event) => event.waitUntil(arrive(event.data)));
self.addEventListener("notificationclick", (event) => event.waitUntil(click(event)));
// The next start of the app tells the server of the new one.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(caches.open(LEFT)
  .then((cache) => cache.put("/changed", new Response()))));

/** What pages and the worker leave for each other. */
const LEFT = "martlet push";
const SECOND = 1000, MINUTE = 60 * SECOND;

/** Until a page has left the words of its language. */
const ENGLISH = { language: "en", app: "Martlet", done: "Done", stop: "Stop", snooze: "10 minutes",
  over: "It does not ring any more.", unsent: "Not sent yet. Try again with a network.",
  unread: "Something rings. Open the app to see what.", test: "This device rings.",
  broken: "Nothing reaches it any more. See the settings.", several: "# reminders ring." };
/** @typedef {typeof ENGLISH & { zone?: string }} Words */
/**
 * What the server sends; later versions of it may have more members.
 * @typedef {{ v: number, kind: string, firing: number, alarm: number, reminder: number,
 *   title: string, list: string, due: string | null, rang: string, do: string[], quiet: boolean,
 *   token: string, name: string, count: number, titles: string[] }} Message
 * @typedef {NotificationOptions & { title: string, isOver?: boolean }} Shown
 */

/** @returns {Promise<Words>} */
async function ownWords() {
  // Those in English are better than none.
  const left = await caches.match("/words", { cacheName: LEFT }).catch(() => undefined);
  return { ...ENGLISH, ...await left?.json() };
}

/**
 * Shows one notification whatever has come: browsers end the subscription of one who shows none.
 * They give it a few seconds; all of this takes less than five.
 * @param {PushMessageData | null} data
 */
async function arrive(data) {
  const words = await ownWords();
  const { title, isOver, ...shown } = await read(data, words).catch(() =>
    ({ title: words.app, body: words.unread, tag: "unread", data: {}, isOver: false }));
  await show(title, shown);
  if (isOver && await hasOther(shown.tag)) {
    for (const each of await self.registration.getNotifications(shown)) each.close();
  }
  // A settings page says when it was shown. Without that it is shown all the same.
  if (shown.data.token) await send(shown.data.token, "seen", 1.5 * SECOND).catch(() => {});
}

/** @param {string} title @param {NotificationOptions} options */
const show = (title, options) =>
  self.registration.showNotification(title, { icon: "/app/icon.png", ...options });

/** @param {string} [tag] @returns whether something is seen beside the notification with the tag */
async function hasOther(tag) {
  const windows = await self.clients.matchAll({ type: "window" });
  const all = await self.registration.getNotifications();
  return windows.some((each) => each.visibilityState === "visible") ||
    all.some((each) => each.tag !== tag);
}

/** @param {PushMessageData | null} data @param {Words} words @returns {Promise<Shown>} */
async function read(data, words) {
  /** @type {Message} */
  const message = data?.json(), { v, kind, firing } = message, tag = `alarm ${message.alarm}`;
  if (v !== 1 || !["ring", "ended", "summary", "test", "broken"].includes(kind)) {
    throw new TypeError("Unknown.");
  }
  if (kind === "test") {
    return { title: message.name, body: words.test, tag: kind, renotify: true, data: message };
  }
  if (kind === "broken") {
    const { name } = message;
    return { title: name, body: words.broken, tag: `broken ${name}`, data: message };
  }
  if (kind === "summary") {
    const { count, titles, quiet } = message, more = count > titles.length ? ["…"] : [];
    return { title: words.several.replace("#", String(count)),
      body: [...titles, ...more].join(", "), tag: kind, renotify: true, requireInteraction: true,
      data: message, ...quiet && { silent: true } };
  }
  const [shown] = await self.registration.getNotifications({ tag });
  const before = await heard(message), last = before?.firing ?? 0;
  // What comes twice, or too late, changes nothing and is not heard, also if it was closed.
  const isNew = kind === "ring" ? firing > last : firing >= last;
  const newest = isNew ? message : shown?.data ?? { ...message, kind: before?.kind };
  if (newest.kind === "ring" && !(newest !== shown?.data && await isAnswered(message))) {
    const isAgain = !isNew && !shown;
    return { ...ringing({ ...newest, quiet: newest.quiet || isAgain }, words),
      renotify: isNew && last > 0 };
  }
  return { title: newest.title ?? shown?.title ?? words.app, body: words.over, tag, silent: true,
    data: newest, isOver: true };
}

/** The number of alarms whose newest message is known. */
const MOST_HEARD = 100;

/**
 * Keeps what has come.
 * @param {Message} message
 * @returns {Promise<Message | undefined>} the newest message about its alarm before
 */
async function heard({ alarm, firing, kind }) {
  const cache = await caches.open(LEFT), kept = await cache.match("/heard");
  /** @type {Message[]} The last one is the newest. */
  const all = await kept?.json().catch(() => []) ?? [];
  const before = all.find((each) => each.alarm === alarm);
  if (!before || firing > before.firing || firing === before.firing && kind === "ended") {
    const next = [...all.filter((each) => each !== before), { alarm, firing, kind }];
    await cache.put("/heard", new Response(JSON.stringify(next.slice(-MOST_HEARD))));
  }
  return before;
}

/** @param {Message} message Asked of what comes late. Without an answer it rings. */
const isAnswered = async ({ rang, token }) => Date.now() - Date.parse(rang) > MINUTE &&
  Boolean((await send(token, "look", 3 * SECOND).catch(() => undefined))?.because);

/** @param {Message} message @param {Words} words @returns {Shown} */
const ringing = (message, words) => ({
  title: message.title, body: [message.list, dueText(message, words)].filter(Boolean).join(" · "),
  tag: `alarm ${message.alarm}`, data: message, requireInteraction: true,
  timestamp: Date.parse(message.rang), actions: message.do.filter((each) => each in words)
    .map((action) => ({ action, title: words[action] })).slice(0, self.Notification.maxActions),
  ...message.quiet && { silent: true },
});

/** @param {Message} message @param {Words} words @returns the day if it is not that of the alarm */
function dueText({ due, rang }, { language, zone }) {
  if (!due) return "";
  const isDay = due.length === 10, timeZone = isDay ? "UTC" : zone;
  /** @param {string} instant @param {Intl.DateTimeFormatOptions} options */
  const format = (instant, options) =>
    new Intl.DateTimeFormat(language, { timeZone, ...options }).format(new Date(instant));
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { weekday: "short", day: "numeric", month: "short" };
  const isSame = !isDay && format(due, day) === format(rang, day);
  return format(due, { ...!isSame && day, ...!isDay && { hour: "numeric", minute: "2-digit" } });
}

/**
 * @param {string} token @param {string} act @param {number} ms how long it may take
 * @returns {Promise<{ because: string | null }>}
 */
async function send(token, act, ms) {
  const body = JSON.stringify({ token, do: act, ...act === "snooze" && { minutes: 10 } });
  const signal = self.AbortSignal.timeout(ms);
  const response = await fetch("/v1/answers", { method: "POST", body, signal });
  if (!response.ok) throw response;
  return response.json();
}

/** @param {NotificationEvent} event */
async function click({ action, notification }) {
  const { data } = notification;
  if (action && !await isSettled(data, action)) return;
  notification.close();
  if (!action) return open(data);
  for (const page of await self.clients.matchAll()) page.postMessage("answered");
}

/** @param {Message} data @param {string} action @returns whether its notification is over */
async function isSettled(data, action) {
  try {
    await send(data.token, action, 10 * SECOND);
  } catch ({ status = 0 }) {
    // With a token that is too old only the app can do it. It may not open long after the click.
    const isOld = status >= 400 && status < 500 && status !== 429;
    if (isOld && await open(data).then(() => true, () => false)) return true;
    // It takes the place of what was pressed. Closed before, that could take it along.
    const words = await ownWords(), { title, ...shown } = ringing(data, words);
    await show(title, { ...shown, body: words.unsent, silent: true });
    return false;
  }
  return true;
}

/** @param {Message} message Opens what it is about. */
async function open({ kind, reminder }) {
  const ofDevice = kind === "test" || kind === "broken";
  const address = ofDevice ? "/#/settings" : reminder ? `/#/reminders/${reminder}` : "/";
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page) await (await page.focus()).navigate(address);
  else await self.clients.openWindow(address);
}
