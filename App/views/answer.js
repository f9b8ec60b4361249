// SPDX-License-Identifier: Apache-2.0
// The page that a link in a message opens: it answers one alarm, and needs no key. It acts only on
// a click, so that a program that opens links to look at them changes nothing.

import { whenText } from "../actions.js";
import { isEarly } from "../edit/alarms.js";
import { icon } from "../icons.js";
import { Client } from "../martlet.js";
import { problemText } from "../problems.js";
import { h } from "../render.js";
import { drawNow, onDrawn, say, state, update } from "../state.js";
import { isDate, shortDay } from "../time.js";
import { words as more } from "../words-more.js";
import { words } from "../words-ways.js";

/**
 * @typedef {"look" | "done" | "stop" | "snooze"} Verb
 * @typedef {{ did: string, because: string | null, until: string | null,
 *   reminder?: { id: number, title: string, dueDate: string | null } | null }} Answer
 */

const text = words.answer;
const MINUTES = 10;

/** The token is kept in memory only, and the key of this device is not used. */
const client = new Client();

/** @type {{ token?: string, answer?: Answer, reminder?: Answer["reminder"], problem?: any,
 *   isBusy?: boolean }} */
let page = {};

onDrawn(() => {
  const [kind, token] = state.link ?? [];
  if (kind !== "answer") return;
  document.title = `${page.reminder?.title ?? text.title} · ${more.app}`;
  if (token === page.token) return;
  page = { token };
  send("look");
});

// Another address is another page.
addEventListener("hashchange", ({ newURL }) => {
  if (state.link?.[0] === "answer" && !newURL.includes("#answer=")) leave();
});

function leave() {
  page = {};
  update({ link: undefined });
}

/** @param {Verb} verb */
async function send(verb) {
  const asked = page;
  Object.assign(asked, { isBusy: true, problem: undefined });
  update();
  try {
    const answer = await client.post("/v1/answers", { token: asked.token, do: verb,
      ...verb === "snooze" && { minutes: MINUTES } }, { retry: false });
    Object.assign(asked, { answer, reminder: answer.reminder ?? asked.reminder });
  } catch (problem) {
    asked.problem = problem;
  }
  asked.isBusy = false;
  if (asked !== page) return;
  update();
  if (verb === "look") return;
  say(asked.problem ? problemOf(asked.problem) : result() || "");
  // The button that was pressed is gone then.
  drawNow();
  if (document.activeElement === document.body) document.querySelector("#main h1")?.focus();
}

/** @param {any} problem */
const problemOf = (problem) => isEnded(problem) ? text.ended : problemText(problem);
/** @param {any} problem A token ends with its message, after a day at the latest. */
const isEnded = ({ status }) => status === 401 || status === 404;

/** What happened, or nothing while it rings. */
function result() {
  const { did, because, until } = /** @type {Answer} */ (page.answer);
  if (did === "snoozed") return text.snoozed(whenText(Date.parse(String(until))));
  if (did === "done" || did === "stopped") return text[did];
  return because && (text.because[because] ?? text.because.answered);
}

export function view() {
  const { answer, reminder, problem, isBusy } = page, said = answer && result();
  const due = reminder?.dueDate;
  return h("main", { key: "answer", class: "door", id: "main", tabindex: -1 },
    h("form", { onsubmit: (event) => event.preventDefault() },
      h("svg", { class: "logo", "aria-hidden": "true" }, h("use", { href: "#i-mark" })),
      h("h1", { tabindex: -1 }, reminder?.title ?? text.title),
      due && h("p", { class: "quiet" }, text.due(isDate(due) ? shortDay(due) :
        whenText(Date.parse(due)))),
      said && h("p", { key: "said" }, said),
      problem && h("p", { class: "err", role: "alert" }, icon("warn", true), problemOf(problem)),
      answer && !said && buttons(answer, Boolean(isBusy)),
      problem && !answer && !isEnded(problem) && h("button", { key: "again", class: "btn main",
        type: "button", onclick: () => send("look") }, more.retry),
      h("a", { key: "open", class: "btn bare", onclick: leave,
        href: reminder ? `#/reminders/${reminder.id}` : "#/today" }, text.open)));
}

/** @param {Answer} answer @param {boolean} isBusy */
function buttons({ reminder }, isBusy) {
  /** @param {Verb} verb @param {string} label */
  const button = (verb, label, name = "btn") => h("button", { key: verb, class: name,
    type: "button", disabled: isBusy, onclick: () => send(verb) }, label);
  // What is still to come is not done yet.
  const early = reminder && isEarly(/** @type {any} */ (reminder)), main = "btn main";
  const done = button("done", more.done, early ? "btn" : main);
  const stop = button("stop", more.ring.ok, early ? main : "btn");
  return [...early ? [stop, done] : [done, stop], button("snooze", text.ten)];
}
