// SPDX-License-Identifier: Apache-2.0
// The kinds of ways, as forms: what each asks for, the channel that it makes of that, and back.
// A recipe is a form over a template, for the API of one service.

/**
 * @typedef {{ id: number, kind: string, name: string, url: string, events: string[],
 *   lists: number[] | null, settings: any, isEnabled: boolean, failingSince: string | null,
 *   lastError: string | null, after: string | null,
 *   quiet: { from: string, to: string, mode: string } | null }} Channel
 * @typedef {Record<string, string>} Values by the names of fields; a box that is ticked is "on"
 * @typedef {{ url: string, settings: any }} Made
 * @typedef {object} Form
 * @property {string} kind of the channel
 * @property {string[]} fields
 * @property {Values} [start] of a new one
 * @property {(values: Values) => Made} make
 * @property {(channel: Channel) => Values | undefined} read nothing if it is another form
 */

/** Stands for a secret that is stored. */
export const MASK = "***";
const SECRET = "{{secret}}";
/** In the texts of chats. What has no address yet has an empty `url`. */
const TEXT = "{{title}}\n{{list}} {{url}}";

/** @param {string} [text] @returns a value, or null, which removes one */
const given = (text) => text || null;
/** @param {string} url @returns without slashes at its end */
const base = (url) => url.replace(/\/+$/, "");

/** Without letters that look alike: 32 signs, so that each byte gives one. */
const SIGNS = "abcdefghijkmnpqrstuvwxyz23456789";
/** A topic is a password: who knows it reads along. */
export const newTopic = () => [...crypto.getRandomValues(new Uint8Array(24))]
  .map((byte) => SIGNS[byte % SIGNS.length]).join("");

/** @param {Values} values @returns {string} what the ntfy app on a phone opens, or nothing */
export function ntfyLink({ url = "", topic }) {
  const [, scheme, host] = /^(https?):\/\/([^?#]+)$/i.exec(base(url)) ?? [];
  if (!host || !topic || host.length + topic.length > 200) return "";
  return `ntfy://${host}/${topic}${scheme === "http" ? "?secure=false" : ""}`;
}

/** @param {HTMLInputElement} dom whose text goes into the clipboard */
export async function copyOf(dom) {
  dom.select();
  // It also works without HTTPS, and asks for no permission.
  if (!document.execCommand("copy")) await navigator.clipboard?.writeText(dom.value);
}

/** @type {Record<string, { scheme: string, port: string }>} */
const mailPorts = { tls: { scheme: "smtps", port: "465" },
  starttls: { scheme: "smtp", port: "587" }, none: { scheme: "smtp", port: "25" } };
/** @param {string} security */
export const portOf = (security) => mailPorts[security].port;

/**
 * A template of people: what is answered is not sent.
 * @param {string} url @param {object} body @param {string} secret
 * @param {{ method?: string, headers?: Record<string, string> }} [more]
 * @returns {Made}
 */
const template = (url, body, secret, more = {}) => ({ url, settings: { method: "POST", ...more,
  body: JSON.stringify(body), secret: given(secret), people: true } });

/** @param {Channel} channel @returns {any} its body, if it is JSON */
function bodyOf({ settings }) {
  try {
    return JSON.parse(settings.body) ?? {};
  } catch {
    return {};
  }
}

/** @param {string | null | undefined} text an address of a service, whose last part is a secret */
function hidden(text) {
  const [, start, end] = /^(.*\/)([^/]+)\/*$/.exec(text ?? "") ?? [];
  return start ? { url: start + SECRET, secret: end } : { url: text ?? "", secret: "" };
}

/** @param {RegExp} pattern @param {Channel} channel @returns {string[] | undefined} its groups */
const found = (pattern, { kind, url }) => kind === "template" && pattern.exec(url)?.slice(1) ||
  undefined;
/** @param {Channel} channel */
const secretOf = ({ settings }) => settings.secret ?? "";

/**
 * In the order in which they are offered.
 * @type {Record<string, Form>}
 */
export const forms = {
  ntfy: {
    kind: "ntfy", fields: ["url", "topic", "token", "answers"],
    start: { url: "https://ntfy.sh" },
    make: ({ url, topic, token, answers }) => ({ url: base(url),
      settings: { topic, token: given(token), answers: answers === "on" } }),
    read: ({ kind, url, settings }) => kind === "ntfy" ? { url, topic: settings.topic ?? "",
      token: settings.token ?? "", answers: settings.answers ? "on" : "" } : undefined,
  },
  mail: {
    kind: "mail", fields: ["host", "security", "port", "from", "to", "user", "password", "answers"],
    start: { security: "tls", port: mailPorts.tls.port },
    make: ({ host, port, security, from, to, user, password, answers }) => ({
      url: `${mailPorts[security].scheme}://${host}:${port}`,
      settings: { security, from, to, user: given(user), password: given(password),
        answers: answers === "on" } }),
    read({ kind, url, settings }) {
      if (kind !== "mail") return undefined;
      const [, scheme, host = "", port] = /^(smtps?):\/\/(.*?)(?::(\d+))?\/*$/i.exec(url) ?? [];
      const security = settings.security ?? (scheme === "smtp" ? "starttls" : "tls");
      return { host, port: port ?? portOf(security), security, from: settings.from ?? "",
        to: settings.to ?? "", user: settings.user ?? "", password: settings.password ?? "",
        answers: settings.answers ? "on" : "" };
    },
  },
  webhook: {
    kind: "webhook", fields: ["url"],
    make: ({ url }) => ({ url, settings: {} }),
    read: ({ kind, url }) => kind === "webhook" ? { url } : undefined,
  },
  // https://gotify.net/api-docs: a message is required, 8 is a high priority.
  gotify: {
    kind: "template", fields: ["url", "secret"],
    make: ({ url, secret }) => template(`${base(url)}/message`, { title: "{{title}}",
      message: "{{list}} {{notes}}\n{{url}}", priority: 8 }, secret,
    { headers: { "X-Gotify-Key": SECRET } }),
    read(channel) {
      const [url] = found(/^(.*)\/message$/, channel) ?? [];
      return url && channel.settings.headers?.["X-Gotify-Key"] ? { url,
        secret: secretOf(channel) } : undefined;
    },
  },
  // https://core.telegram.org/bots/api#sendmessage
  telegram: {
    kind: "template", fields: ["secret", "chat", "url"],
    start: { url: "https://api.telegram.org" },
    make: ({ url, secret, chat }) => template(`${base(url)}/bot${SECRET}/sendMessage`,
      { chat_id: chat, text: TEXT }, secret),
    read(channel) {
      const [url] = found(/^(.*)\/bot\{\{secret\}\}\/sendMessage$/, channel) ?? [];
      return url ? { url, secret: secretOf(channel),
        chat: String(bodyOf(channel).chat_id ?? "") } : undefined;
    },
  },
  // https://spec.matrix.org/latest/client-server-api/: the event is the transaction, so that one
  // that is sent twice is shown once.
  matrix: {
    kind: "template", fields: ["url", "room", "secret"],
    make: ({ url, room, secret }) => template(
      `${base(url)}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/` +
        "{{event}}", { msgtype: "m.text", body: TEXT }, secret,
      { method: "PUT", headers: { Authorization: `Bearer ${SECRET}` } }),
    read(channel) {
      const [url, room] = found(/^(.*)\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\//, channel) ??
        [];
      return url ? { url, room: decodeURIComponent(room), secret: secretOf(channel) } : undefined;
    },
  },
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  slack: {
    kind: "template", fields: ["hook"],
    make: ({ hook }) => template(hidden(hook).url, { text: TEXT }, hidden(hook).secret),
    read: (channel) => found(/\/services\/.*\{\{secret\}\}$/, channel) &&
      { hook: channel.url.replace(SECRET, MASK) },
  },
  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  discord: {
    kind: "template", fields: ["hook"],
    make: ({ hook }) => template(hidden(hook).url, { content: TEXT,
      allowed_mentions: { parse: [] } }, hidden(hook).secret),
    read: (channel) => found(/\/api\/webhooks\/.*\{\{secret\}\}$/, channel) &&
      { hook: channel.url.replace(SECRET, MASK) },
  },
  // https://developers.home-assistant.io/docs/api/rest: a service of the domain notify.
  home: {
    kind: "template", fields: ["url", "service", "secret"],
    start: { url: "http://homeassistant.local:8123", service: "notify" },
    make: ({ url, service, secret }) => template(
      `${base(url)}/api/services/notify/${encodeURIComponent(service.replace(/^notify\./, ""))}`,
      { title: "{{title}}", message: "{{list}} {{notes}}" }, secret,
      { headers: { Authorization: `Bearer ${SECRET}` } }),
    read(channel) {
      const [url, service] = found(/^(.*)\/api\/services\/notify\/([^/]+)$/, channel) ?? [];
      return url ? { url, service: decodeURIComponent(service), secret: secretOf(channel) } :
        undefined;
    },
  },
  // Any other API. Its header fields stay as they are.
  template: {
    kind: "template", fields: ["url", "method", "body", "secret"],
    start: { method: "POST", body: '{"text": "{{title}} ({{list}})"}' },
    make: ({ url, method, body, secret }) => ({ url, settings: { method, body,
      secret: given(secret) } }),
    read: ({ kind, url, settings }) => kind === "template" ? { url,
      method: settings.method ?? "POST", body: settings.body ?? "",
      secret: settings.secret ?? "" } : undefined,
  },
};

/**
 * The first form that reads it.
 * @param {Channel} channel @returns {[way: string, values: Values]}
 */
export function formOf(channel) {
  for (const [way, form] of Object.entries(forms)) {
    const values = form.read(channel);
    if (values) return [way, values];
  }
  return ["", {}];
}

/** @param {Channel} channel @returns {string} to whom or where it sends, for people */
export function whereOf({ kind, url, settings }) {
  const host = /^\w+:\/\/([^/?#]+)/.exec(url)?.[1] ?? url;
  if (kind === "ntfy") return `${host}/${settings.topic ?? ""}`;
  return kind === "mail" ? settings.to : host;
}

/**
 * Where a field ends up that has another name there.
 * @type {Record<string, string>}
 */
const places = { url: "/url", hook: "/url", host: "/url", port: "/url", room: "/url",
  service: "/url", chat: "/settings/body", name: "/name", lists: "/lists", events: "/events",
  after: "/after", quietFrom: "/quiet/from", quietTo: "/quiet/to", quietMode: "/quiet/mode" };

/**
 * The field that a pointer of the server is about.
 * @param {string[]} fields @param {string} pointer such as "/settings/topic"
 */
export const fieldOf = (fields, pointer) => fields.find((name) =>
  `${pointer}/`.startsWith(`${places[name] ?? `/settings/${name}`}/`));
