// SPDX-License-Identifier: Apache-2.0
// The quick-add line. The server reads the text; what it recognized is coloured while one types.
// Typing and adding never wait for it.

import { pathOf, referenceTo, whenText } from "../actions.js";
import { icon } from "../icons.js";
import { lazy, open } from "../lazy.js";
import { hashOf } from "../places.js";
import { problemText } from "../problems.js";
import { h } from "../render.js";
import { ruleText } from "../rules.js";
import { draft, go, setting, state, store, update } from "../state.js";
import { client, write } from "../sync.js";
import { clock, dayOffset, dueDay, durationText, instantOf, isDate, shortDay, today, zoneName }
  from "../time.js";
import { act } from "../undo.js";
import { words } from "../words.js";
import languages from "../words/languages.js";

/**
 * @typedef {import("../store.js").Reminder} Reminder
 * @typedef {import("../martlet.js").AlarmInput} AlarmInput
 */

const PAUSE = 150;
/**
 * What was typed and read, what was added last, and the ones that what is added is a part of,
 * from the outermost.
 * @type {{ text: string, problem?: string, last?: string, parents: string[],
 *   read?: Reading & { text: string } }}
 * @typedef {{ reminder: Partial<Reminder>, language: "en" | "de" | "fr",
 *   spans: Readonly<import("../martlet.js").QuickAddSpans> }} Reading
 */
const quick = { text: draft(), parents: [] };
/** @type {number | undefined} */
let timer;
/** @type {AbortController | undefined} */
let asking;

/** @param {string} [text] */
export function openQuick(text) {
  if (text) setText(text);
  // Not each view has a line, and on a phone the detail covers it.
  const isHere = document.querySelector("#main .add");
  if (!isHere) state.place = { place: "today" };
  if (!isHere || state.route.place === "reminders") go(hashOf(state.place));
  update({ isAdding: true });
  queueMicrotask(() => document.querySelector(".typed textarea")?.focus());
}

export function closeQuick() {
  Object.assign(quick, { last: undefined, parents: [] });
  update({ isAdding: false, completion: undefined });
  queueMicrotask(() => document.querySelector("button.add")?.focus());
}

/** @param {{ list?: import("../store.js").List }} where The line, closed or open. */
export function quickAdd({ list } = {}) {
  const parent = store.reminder(quick.parents.at(-1)), into = parent ?? list;
  const label = into ? words.quick.placeholderIn(into.title) : words.quick.placeholder;
  if (!state.isAdding) {
    return h("button", { key: "add", class: "add", type: "button", onclick: () => openQuick() },
      icon("plus"), h("span", {}, quick.text || label,
        !list && !quick.text && h("span", { class: "hint" }, words.quick.hint)), h("kbd", {}, "q"));
  }
  const understood = quick.read ? readingOf(quick.read) : [];
  return h("form", { key: "add open", class: "add open", onsubmit: submit },
    icon(parent ? "tree" : "plus"),
    h("div", { class: "typed" }, h("div", { "aria-hidden": "true" }, painted()),
      h("textarea", { rows: 1, "aria-label": words.quick.placeholder, placeholder: label,
        maxlength: 4000,
        "aria-describedby": "read", "aria-invalid": quick.problem ? "true" : undefined,
        enterkeyhint: "send", value: quick.text, "aria-autocomplete": "list",
        "aria-controls": state.completion && "names",
        "aria-activedescendant": state.completion && `name-${state.completion.index}`,
        oninput: (event) => {
          setText(event.target.value);
          open("complete", event.target);
        }, onkeydown: keys, onpaste: paste })),
    h("button", { class: "btn main", disabled: quick.text.trim() === "",
      // The line keeps the focus, and a phone its keyboard.
      onmousedown: (event) => event.preventDefault() }, words.add),
    state.completion && lazy("completions"),
    (understood.length > 0 || quick.problem) && h("ul", { class: "read", id: "read",
      "aria-label": words.quick.read }, understood,
    quick.problem && h("li", { class: "err" }, icon("warn"), quick.problem)));
}

/** @param {string} text */
export function setText(text) {
  quick.text = text.replace(/[\r\n]+/g, " ");
  draft(quick.text);
  quick.problem = state.completion = undefined;
  clearTimeout(timer);
  if (text.trim() === "") quick.read = undefined;
  else timer = setTimeout(preview, PAUSE);
  update();
}

async function preview() {
  const { text } = quick;
  asking?.abort();
  asking = new AbortController();
  const options = { signal: asking.signal, retry: false };
  try {
    const body = await client.post("/v1/quick-add?preview=true", bodyOf(text), options);
    if (quick.text === text) Object.assign(quick, { read: { text, ...body }, problem: undefined });
  } catch (problem) {
    if (quick.text !== text || problem.status !== 422) return;
    quick.problem = problem.type === "/problems/invalid-body" ? words.quick.noTitle :
      problemText(problem);
  }
  update();
}

/** The list that is shown or chosen. */
const listHere = () => store.list(state.place.place === "lists" ? state.place.id :
  several(filterHere().listID)[0] ?? setting("list"));

/**
 * The filter of the place that is shown.
 * @returns {import("../store.js").Filter}
 */
function filterHere() {
  const { place, id } = state.place;
  if (place === "smart") return store.smartList(id)?.filter ?? {};
  return place === "flagged" ? { flagged: true } : place === "tags" ? { tag: String(id) } :
    place === "today" || place === "scheduled" ? { due: place } : {};
}

/** @template T @param {T | readonly T[] | undefined} value @returns {T[]} */
const several = (value) => value === undefined ? [] : /** @type {any} */ ([value].flat());

/** @param {string} text */
export const bodyOf = (text) => {
  const list = listHere();
  return { text, ...list && { listID: referenceTo(list.id) }, timeZone: zoneName(),
    // "Tomorrow" is the day after it was typed, not after it was sent.
    now: new Date().toISOString() };
};

/** The text with its phrases. A phrase stays coloured while text behind it changes. */
function painted() {
  const parts = [];
  let end = 0;
  for (const span of quick.read?.spans ?? []) {
    if (quick.text.slice(span.start, span.end) !== span.text) break;
    parts.push(quick.text.slice(end, span.start),
      h("span", { key: span.start, class: `k k-${span.kind}` }, span.text));
    end = span.end;
  }
  // An empty line has a height, too.
  return [...parts, `${quick.text.slice(end)}\u200b`];
}

/** @param {Reading} read What was understood, in words: colour is never alone. */
export function readingOf({ reminder, spans, language }) {
  const kinds = new Set(spans.map(({ kind }) => kind));
  const { dueDate, recurrence, listID, tags, priority } = reminder;
  /** @param {string} kind @param {string} sign @param {string} [text] */
  const item = (kind, sign, text) => h("li", { key: kind, class: `k-${kind}` }, icon(sign), text);
  return [
    dueDate && (kinds.has("due") || kinds.has("recurrence")) &&
      item("due", "date", [shortDay(dueDay(dueDate)), !isDate(dueDate) && clock(dueDate)]
        .filter(Boolean).join(", ")),
    recurrence && item("recurrence", "again", ruleText(recurrence.rule, recurrence.basis)),
    kinds.has("alarm") && item("alarm", "bell", alarmsText(reminder)),
    kinds.has("list") && item("list", "list", store.list(listID)?.title),
    kinds.has("tag") && item("tag", "tag", tags?.join(", ")),
    priority && item("priority", "bars", words.priority[priority]),
    kinds.has("flag") && item("flag", "flag", words.quick.flag),
    kinds.has("notes") && item("notes", "text", words.quick.notes),
    spans.length > 0 && h("li", { key: "language", class: "quiet", lang: language },
      languages[language]),
  ].filter(Boolean);
}

/** @param {Partial<Reminder>} reminder */
const alarmsText = (reminder) => reminder.alarms?.map((each) =>
  alarmText(each, reminder)).join(", ") || words.quick.none;
/** @param {AlarmInput} alarm @param {Partial<Reminder>} reminder that it is of */
export function alarmText({ at, offset, from, repeat }, { dueDate = null }) {
  const span = durationText(offset);
  const text = at ? whenText(Date.parse(at)) : from !== "start" && isDate(dueDate) ?
    dayOffsetText(offset) : span && words.alarm.ways[
    `${offset?.startsWith("-") ? "-" : ""}${from ?? "due"}`](span);
  return [text || words.detail.when, repeat && words.alarm.repeats(durationText(repeat.every),
    repeat.times)].filter(Boolean).join(", ");
}

/** @param {string | null | undefined} offset from the midnight of a day */
function dayOffsetText(offset) {
  const [days, time] = dayOffset(offset ?? "PT0S");
  return words.alarm.onDay(days, clock(instantOf("2024-01-01", time)));
}

/**
 * Several lines are as many reminders.
 * @param {ClipboardEvent} event
 */
function paste(event) {
  const pasted = event.clipboardData?.getData("text") ?? "";
  if (!/\S[^\S\r\n]*[\r\n]+\s*\S/.test(pasted)) return;
  event.preventDefault();
  // What is in the line already begins the first one.
  open("askLines", `${quick.text} ${pasted.trim()}`.trim());
}

/** @param {KeyboardEvent & { target: HTMLTextAreaElement }} event */
function keys(event) {
  event.stopPropagation();
  if (state.completion && open("completionKey", event)) return;
  if (event.key === "Enter" && !event.isComposing) {
    event.preventDefault();
    event.target.form?.requestSubmit();
  }
  if (event.key === "Escape") closeQuick();
  if (event.key === "Tab") indent(event);
}

/**
 * Below what was added last, or one level out. Otherwise Tab moves on as ever.
 * @param {KeyboardEvent} event
 */
function indent(event) {
  const { last, parents } = quick, isOut = event.shiftKey;
  if (isOut ? !parents.length : last === undefined || parents.at(-1) === last) return;
  event.preventDefault();
  if (isOut) quick.last = parents.pop();
  else if (last) parents.push(last);
  update();
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const { text, read } = quick;
  if (text.trim() === "" || quick.problem) return;
  const known = read?.text === text ? read.reminder : undefined;
  const { flagged, tag, priority, due, dueWithin } = filterHere(), tags = several(tag);
  const [rank] = several(priority), isDue = dueWithin || due === "today" || due === "scheduled";
  // The text gets what the place asks for: flag, priority, tags. What it says itself counts.
  const body = bodyOf([flagged && !known?.isFlagged && "*", rank && !known?.priority && `!${rank}`,
    ...tags.filter((each) => !known?.tags?.includes(each)).map((each) =>
      `@${/^[\w-]+$/.test(each) ? each : `"${each}"`}`), text.trim()].filter(Boolean).join(" "));
  if (known) Object.assign(body, { language: read?.language });
  const day = isDue && !known?.dueDate && !quick.parents.length ? today() : undefined;
  const parent = store.reminder(quick.parents.at(-1));
  const shown = { title: text, listID: (listHere() ?? store.lists[0])?.id,
    ...known, ...parent && { parentID: parent.id, listID: parent.listID },
    ...day && { dueDate: day, isForToday: true },
    ...flagged && { isFlagged: true }, ...rank && !known?.priority && { priority: rank },
    ...tags[0] && { tags: [...new Set([...known?.tags ?? [], ...tags])] } };
  setText("");
  // What the server refuses is shown with its text; what could not be stored comes back.
  const said = words.did.added(shown.title);
  const written = await act(said, [{ method: "POST",
    path: "/v1/quick-add", body }], shown).catch(() => setText(`${text} ${quick.text}`.trim()));
  if (!written) return;
  quick.last = written.name;
  // What the server has read may belong elsewhere.
  for (const each of [undefined, written.done]) {
    Promise.resolve(each).then((answer) => open("arrive", written.name, said, answer?.reminder),
      () => {});
  }
  if (parent) write("PATCH", pathOf(written.name), { parentID: referenceTo(parent.id) });
}
