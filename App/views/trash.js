// SPDX-License-Identifier: Apache-2.0
// What was deleted, and the way back.

import { ask, refresh } from "../ask.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { store, update } from "../state.js";
import { client } from "../sync.js";
import { dayName, dueDay, shortDay, today } from "../time.js";
import { show } from "../undo.js";
import { words } from "../words.js";
import { empty, head, note } from "./parts.js";

export function view() {
  const { body, problem } = ask("/v1/trash?limit=200");
  const days = new Map();
  for (const each of body?.items ?? []) {
    const day = dueDay(each.deletedAt);
    days.set(day, [...days.get(day) ?? [], each]);
  }
  const tools = body?.items.length > 0 && h("button", { class: "btn bare warn", onclick: () =>
    update({ dialog: { kind: "emptyTrash" } }) }, `${words.emptyTrash}…`);
  return [head({ title: words.trash, tools }), note(),
    problem && !body && h("p", { class: "line quiet" }, words.needsNetwork),
    [...days].map(([day, all]) => h("section", { key: day, class: "group bin",
      "aria-labelledby": `d-${day}` },
    h("h2", { id: `d-${day}` }, dayName(day, today(), words),
      h("span", { class: "n" }, String(all.length))),
    h("ul", {}, all.map(entry)))),
    body?.items.length === 0 && empty("trash")];
}

function entry(each) {
  const list = each.kind === "reminder" && store.list(each.listID);
  return h("li", { key: each.id, class: "row done-not", "data-row": `trash ${each.id}` },
    h("span", { class: "title" }, each.title),
    h("span", { class: "meta" },
      list && h("span", { class: "sub" }, h("i", { class: "dot", list: list.color }), list.title),
      each.kind === "list" && h("span", { class: "sub" }, icon("list"), words.listKind),
      each.contains > 0 && h("span", {}, words.contains(each.contains)),
      h("span", {}, words.keepUntil(shortDay(dueDay(each.expiresAt))))),
    h("span", { class: "due" }, h("button", { class: "btn",
      "aria-label": words.restoreOf(each.title),
      onclick: () => restore(each) }, words.restore)));
}

/** Into its list, or into the first one if that is gone. */
async function restore({ id }) {
  const path = `/v1/trash/${id}/restore`;
  try {
    await client.post(path).catch((problem) => {
      if (problem.type !== "/problems/list-is-gone") throw problem;
      return client.post(`${path}?listID=${store.lists[0]?.id}`);
    });
    show({ text: words.did.restored }, 4000);
  } catch (problem) {
    show({ problem: problem.detail ?? problem.message });
  }
  refresh();
}
