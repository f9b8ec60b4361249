// SPDX-License-Identifier: Apache-2.0
// The form of a way to be reached: a new channel, or one that is changed.

import { refresh } from "../ask.js";
import { copyOf, fieldOf, formOf, forms, newTopic, ntfyLink, portOf } from "../edit/ways.js";
import { icon } from "../icons.js";
import { problemText } from "../problems.js";
import { h } from "../render.js";
import { say, store, update } from "../state.js";
import { client } from "../sync.js";
import { here } from "../time.js";
import { show } from "../undo.js";
import { words as more } from "../words-more.js";
import { words } from "../words-ways.js";
import { picture } from "./devices.js";
import { checks, choice, field, labeled } from "./fields.js";

/**
 * @typedef {import("../render.js").Children} Children
 * @typedef {import("../edit/ways.js").Channel} Channel
 * @typedef {import("../edit/ways.js").Values} Values
 * @typedef {import("./dialogs.js").Shell} Shell
 * @typedef {{ kind: string, draw?: any, way: string, channel?: Channel, values: Values,
 *   errors: Record<string, string>, problem?: string, isBusy?: boolean, isMore?: boolean }} Draft
 */

const text = words.ways;
const CHANNELS = "/v1/channels";
/** What is sent to people by default. Other choices are those of programs. */
const ALARMS = "alarm.ringing", ALL = "*", OTHER = "";
/** A browser must not keep them. */
const SECRETS = ["token", "password", "secret"];
const COMMON = ["name", "lists", "events", "after",
  "quietFrom", "quietTo", "quietMode"];

/** @param {Channel} [channel] A new one without it. */
export function askWay(channel) {
  const [way, values] = channel ? formOf(channel) : ["ntfy", started("ntfy")];
  /** @type {Draft} */
  const draft = { kind: "device", way, channel, values, errors: {} };
  draft.draw = (/** @type {Shell} */ shell) => form(draft, shell);
  update({ dialog: draft });
}

/** @param {string} way @returns {Values} */
const started = (way) => ({ ...forms[way].start, ...way === "ntfy" && { topic: newTopic() } });

/** @param {Draft} draft @param {Shell} shell */
function form(draft, shell) {
  const { way, channel, problem } = draft;
  return shell(channel ? text.editTitle(channel.name) : text.add, [
    !channel && focused(text.kind, way, Object.keys(forms).map((each) => [each, text.kinds[each]]),
      (way) => {
        Object.assign(draft, { way, values: started(way), errors: {}, problem: undefined });
        update();
      }),
    text.abouts[way] && h("p", { key: `about ${way}`, class: "quiet" }, text.abouts[way]),
    forms[way].fields.map((name) => entry(draft, name)),
    entry(draft, "name"),
    h("details", { key: "more", open: Boolean(draft.isMore), ontoggle: (event) => {
      draft.isMore = event.target.open;
    } }, h("summary", {}, icon("go"), text.more), h("div", { class: "kept" }, common(draft))),
    problem && h("p", { key: "problem", class: "err", role: "alert" }, icon("warn", true), problem),
  ], (data, event) => save(draft, data, /** @type {any} */ (event)),
  channel ? more.save : more.create);
}

/**
 * A list to choose from, with its name above it.
 * @type {typeof choice}
 */
const pick = (name, ...more) => h("label", { key: name, class: "label" }, name, h("br"),
  choice(name, ...more));

/**
 * The first one of the form.
 * @type {typeof choice}
 */
function focused(...all) {
  const label = pick(...all);
  /** @type {any} */ (label.children.at(-1)).props.autofocus = true;
  return label;
}

/**
 * A field of a kind, with its hint and what is wrong with it.
 * @param {Draft} draft @param {string} name @returns {any}
 */
function entry(draft, name) {
  const { way, errors, values, channel } = draft, error = errors[name];
  const label = text.own[way]?.[name] ?? text.fields[name], key = `${way} ${name}`;
  const hint = text.hints[way]?.[name] ?? text.hints.all[name];
  const value = name === "name" ? channel?.name ?? text.kinds[way] : values[name];
  const about = [error && `wrong-${name}`, hint && `hint-${name}`].filter(Boolean).join(" ");
  const aria = { "aria-invalid": error ? "true" : undefined,
    "aria-describedby": about || undefined };
  /** @param {{ target: HTMLInputElement }} event */
  const oninput = ({ target }) => {
    values[name] = target.value;
    update();
  };
  const secret = SECRETS.includes(name) && {
    ...name === "password" && { type: "password", autocomplete: "new-password" },
    // What is typed takes the place of the mask.
    onfocus: (/** @type {any} */ { target }) => target.select() };
  return h("div", { key }, controls[name]?.({ draft, label, hint, aria }) ??
    labeled(label, name, value, { ...aria, ...secret, spellcheck: "false", autocapitalize: "none",
      ...way === "ntfy" && name !== "token" && name !== "name" && { oninput },
      autofocus: Boolean(channel) && name === forms[way].fields[0],
      required: !optional[way]?.includes(name), ...types[name] }),
  name === "topic" && topicTools(draft),
  hint && name !== "answers" && h("small", { id: `hint-${name}`, class: "quiet" }, hint),
  way === "ntfy" && name === "url" && !/^https:\/\/ntfy\.sh\/*$/.test(values.url ?? "") &&
    h("small", { class: "quiet" }, h("br"), text.upstream),
  error && h("p", { id: `wrong-${name}`, class: "err", role: "alert" }, icon("warn", true), error));
}

/** @type {Record<string, string[]>} Fields that may be empty. */
const optional = { ntfy: ["token"], mail: ["user", "password"], template: ["secret"] };
/** @type {Record<string, object>} Attributes. */
const types = { url: { type: "url", maxlength: 2000 }, hook: { type: "url", maxlength: 2000 },
  port: { inputmode: "numeric", pattern: "[0-9]+", maxlength: 5 }, topic: { maxlength: 64 },
  from: { type: "email", maxlength: 254 }, to: { type: "email", maxlength: 254 },
  user: { autocomplete: "username" }, name: { maxlength: 200 } };

/**
 * Fields that are no line of text.
 * @type {Record<string, (at: { draft: Draft, label: string, hint: string, aria: any }) => any>}
 */
const controls = {
  answers: ({ draft, label, hint }) => h("label", { class: "radio" }, h("input",
    { type: "checkbox", name: "answers",
      ref: (dom) => { dom.checked = draft.values.answers === "on"; } }), label,
  h("small", {}, hint)),
  security: ({ draft, label }) => pick(label, draft.values.security,
    Object.entries(text.securities), (security) => {
      const { values } = draft, form = document.querySelector("dialog[open] form");
      const port = /** @type {HTMLInputElement | null | undefined} */ (
        form?.querySelector("[name=port]"));
      // A port of one's own stays.
      if (port?.value === portOf(values.security)) port.value = portOf(security);
      values.security = security;
      update();
    }),
  method: ({ draft, label }) => pick(label, draft.values.method, [["POST", "POST"],
    ["PUT", "PUT"]], undefined, "method"),
  body: ({ draft, label, aria }) => h("label", { class: "label" }, label, h("textarea",
    { class: "field", name: "body", rows: 4, required: true, spellcheck: "false", ...aria,
      ref: (dom) => { dom.value = draft.values.body; } })),
};

/**
 * Another topic, and a picture for the phone.
 * @param {Draft} draft
 */
function topicTools({ values }) {
  const address = ntfyLink(values);
  const change = () => {
    values.topic = newTopic();
    const dom = /** @type {HTMLInputElement} */ (document.querySelector("dialog [name=topic]"));
    dom.value = values.topic;
    update();
  };
  return h("div", { class: "kept" }, h("p", { class: "line" }, h("button", { class: "btn",
    type: "button", onclick: change }, text.newTopic)),
  address && [picture(address), h("small", { class: "quiet" }, text.scan)]);
}

/**
 * What every channel has.
 * @param {Draft} draft
 */
function common({ channel, way, errors }) {
  const { events = [ALARMS], lists, after, quiet } = channel ?? {};
  const { kind } = forms[way], push = more.push;
  const set = [ALARMS, ALL].find((each) => String(events) === each) ?? OTHER;
  const known = { ...push.afters, ...after && !push.afters[after] && { [after]: after } };
  const modes = Object.entries(push.modes).filter(([mode]) => mode === "later" ||
    !["webhook", "template"].includes(kind));
  const wrong = COMMON.filter((name) => name !== "name" && errors[name]);
  return [
    checks(more.devices.lists, "lists", lists?.map(String) ?? [], store.lists
      .filter(({ id }) => typeof id === "number")
      .map(({ id, title, color }) => [String(id), title, color])),
    h("small", { class: "quiet" }, more.devices.listsText),
    pick(text.events, set, [[ALARMS, text.alarms], [ALL, text.all],
      ...set === OTHER ? [[OTHER, events.join(", ")]] : []], undefined, "events"),
    pick(push.after, after ?? "", Object.entries(known), undefined, "after"),
    h("small", { class: "quiet" }, text.afterText),
    h("fieldset", { key: `quiet ${kind}` }, h("legend", {}, push.quiet),
      h("div", { class: "line" }, time(push.from, "quietFrom", quiet?.from),
        time(push.to, "quietTo", quiet?.to),
        pick(push.how, quiet?.mode ?? modes[0][0], modes, undefined, "quietMode"))),
    h("small", { class: "quiet" }, text.quietText),
    h("label", { class: "radio" }, h("input", { type: "checkbox", name: "isEnabled",
      ref: (dom) => { dom.checked = channel?.isEnabled ?? true; } }), text.enabled),
    wrong.map((name) => h("p", { key: `wrong ${name}`, class: "err", role: "alert" },
      icon("warn", true), more.of(text.fields[name], errors[name]))),
  ];
}

/** @type {(label: string, name: string, value?: string) => Children} */
const time = (label, name, value) => h("label", { key: name, class: "label" }, label, h("br"),
  field(label, name, value, { type: "time" }));

/** @param {Draft} draft @param {FormData} data */
function bodyOf({ way, channel, values }, data) {
  const said = (/** @type {string} */ name) => String(data.get(name) ?? "").trim();
  const { kind, fields, make } = forms[way];
  const typed = Object.fromEntries(fields.map((name) => [name, data.has(name) ? said(name) :
    name === "answers" ? "" : values[name] ?? ""]));
  const lists = data.getAll("lists").map(Number), [from, to] = [said("quietFrom"), said("quietTo")];
  return { ...!channel && { kind }, name: said("name"), ...make(typed),
    lists: lists.length > 0 ? lists : null,
    ...said("events") !== OTHER && { events: [said("events")] },
    after: said("after") || null, isEnabled: data.has("isEnabled"),
    quiet: from && to ? { from, to, mode: said("quietMode"), timeZone: here } : null };
}

/** @param {Draft} draft @param {FormData} data @param {SubmitEvent & { target: any }} event */
async function save(draft, data, event) {
  // It stays open until the server has taken it.
  event.preventDefault();
  if (draft.isBusy) return;
  const { channel } = draft, form = event.target, body = bodyOf(draft, data);
  Object.assign(draft, { isBusy: true, errors: {}, problem: undefined });
  update();
  try {
    const options = { retry: false }, { name, secret } = channel ?
      await client.patch(`${CHANNELS}/${channel.id}`, body, options) :
      await client.post(CHANNELS, body, options);
    form.closest("dialog")?.close();
    if (secret) askSecret(name, secret);
    else show({ text: channel ? text.changed(name) : text.added(name) });
    refresh();
  } catch (problem) {
    draft.isBusy = false;
    note(draft, problem);
    update();
    queueMicrotask(() => (form.querySelector("[aria-invalid]") ??
      form.querySelector(".err"))?.focus());
  }
}

/**
 * Puts what is wrong beside its field.
 * @param {Draft} draft @param {any} problem
 */
function note(draft, problem) {
  const fields = [...forms[draft.way].fields, ...COMMON];
  const isTarget = /target-not-allowed$/.test(problem.type ?? "");
  for (const { pointer = "" } of problem.errors ?? []) {
    const name = fieldOf(fields, pointer);
    if (!name) continue;
    draft.errors[name] = isTarget ? problemText({ type: problem.type }) :
      text.wrong[name] ?? text.wrong.other;
    draft.isMore ||= COMMON.includes(name) && name !== "name";
  }
  if (Object.keys(draft.errors).length === 0) draft.problem = problemText(problem);
}

/** @param {string} name @param {string} secret which no other answer of the server shows */
function askSecret(name, secret) {
  let isCopied = false;
  /** @param {{ currentTarget: HTMLElement }} event */
  const copy = async ({ currentTarget }) => {
    const dom = /** @type {HTMLInputElement} */ (currentTarget.closest("form")
      ?.querySelector("input"));
    await copyOf(dom);
    isCopied = true;
    say(text.copied);
    update();
  };
  update({ dialog: { kind: "device", draw: (shell) => shell(text.secretTitle(name), [
    h("p", {}, text.secretText),
    field(text.fields.secret, "shown", secret, { readonly: true }),
    h("p", { class: "line" }, h("button", { class: "btn", type: "button", onclick: copy },
      isCopied ? text.copied : text.copy)),
  ]) } });
}
