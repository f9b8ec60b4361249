// SPDX-License-Identifier: Apache-2.0
// Says that another device has changed what was changed here: of the same member the last one wins.

import { onPage } from "../sync.js";
import { state, store } from "../state.js";
import { isSame } from "../steps.js";
import { memberNames } from "../problems.js";
import { show } from "../undo.js";
import { words } from "../words-more.js";

/** What follows from other changes, and what only the server knows. */
const LEFT_OUT = ["position", "subtasks", "updatedAt", "completedAt", "isWaiting", "status",
  "createdAt", "uid", "id", "reminders"];
/** @type {WeakMap<object, string>} When what a step has changed was last said to be replaced. */
const told = new WeakMap();

/**
 * The members that were set here last, and are something else now.
 * @param {import("../store.js").Kind} kind @param {any} item of the feed
 */
function replaced(kind, item) {
  const names = [], seen = new Set();
  for (const step of [...state.done].reverse()) {
    const touched = step.items.find((each) => each.kind === kind &&
      store.idOf(each.id) === item.id);
    if (!touched?.was || !touched.is) continue;
    const { was, is } = touched;
    for (const name of Object.keys(item)) {
      if (LEFT_OUT.includes(name) || seen.has(name) || isSame(name, was[name], is[name])) continue;
      seen.add(name);
      // Until there is an answer, it is not known which one is the later one.
      const isLater = step.isAnswered && is.updatedAt < item.updatedAt && !touched.call &&
        (told.get(touched) ?? "") < item.updatedAt;
      if (!isLater || isSame(name, is[name], item[name])) continue;
      told.set(touched, item.updatedAt);
      names.push(name);
    }
  }
  return names;
}

onPage(({ items }) => {
  for (const { kind, id, item } of items) {
    if (!item) continue;
    const known = /** @type {import("../store.js").Kind} */ (kind);
    // What is on its way wins.
    if (store.item(id, known)?.isWaiting) continue;
    const names = replaced(known, item).map((name) => memberNames[name]).filter(Boolean);
    if (names.length === 0) continue;
    const text = words.replaced(item.title, [...new Set(names)].join(", "));
    show({ text, ...kind === "reminder" && { href: `#/reminders/${store.keyOf(id)}` } });
  }
});
