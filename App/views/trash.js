// SPDX-License-Identifier: Apache-2.0
// What was deleted, and the way back.

import { refresh } from "../ask.js";
import { icon } from "../icons.js";
import { h } from "../render.js";
import { store, update } from "../state.js";
import { client } from "../sync.js";
import { dueDay, shortDay } from "../time.js";
import { fail, record } from "../undo.js";
import { words } from "../words-more.js";
import { days } from "./completed.js";
import { under } from "./row.js";

export const view = () => days("trash", "/v1/trash?limit=200", "deletedAt", entry, {
  tools: h("button", { class: "btn bare warn", onclick: () =>
    update({ dialog: { kind: "emptyTrash" } }) }, `${words.emptyTrash}…`) });

/** @typedef {import("../martlet.js").TrashEntry} TrashEntry */

/** @param {TrashEntry} each */
function entry(each) {
  const list = each.kind === "reminder" && store.list(each.listID);
  return h("li", { key: each.id, class: "row done-not", "data-row": `trash ${each.id}` },
    h("span", { class: "title" }, each.title),
    under([
      list && h("span", { class: "sub" }, h("i", { class: "dot", list: list.color }), list.title),
      each.kind === "list" && h("span", { class: "sub" }, icon("list"), words.detail.list),
      each.contains > 0 && h("span", {}, words.contains(each.contains)),
      h("span", {}, words.keepUntil(shortDay(dueDay(each.expiresAt))))], []),
    h("span", { class: "due" }, h("button", { class: "btn",
      "aria-label": words.restoreOf(each.title),
      onclick: () => restore(each) }, words.restore)));
}

/** @param {TrashEntry} entry It goes into its list, or into the first one if that is gone. */
async function restore({ id, itemID, kind }) {
  const path = `/v1/trash/${id}/restore`, options = { retry: false };
  try {
    const is = await client.post(path, undefined, options).catch((problem) => {
      if (problem.type !== "/problems/list-is-gone") throw problem;
      return client.post(`${path}?listID=${store.lists[0]?.id}`, undefined, options);
    });
    // It may not be in the copy yet when it is undone.
    const items = [{ kind, id: itemID, is, isRestored: true }];
    record({ text: words.did.restored, items, writing: Promise.resolve({ parts: [] }) });
  } catch (problem) {
    fail(problem);
  }
  refresh();
}
