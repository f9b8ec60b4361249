// SPDX-License-Identifier: Apache-2.0
// What is needed soon: keys, gestures, menus, details. It is loaded behind the first view.

// One file less: what is loaded first and what this needs of it are bundled together.
import "./main.js";
import "./edit/conflicts.js";
import "./edit/offer.js";

export { click, down, hold } from "./edit/pointer.js";
export { arrive } from "./edit/arrival.js";
export { askLines } from "./edit/paste.js";
export { complete, completionKey, completions } from "./edit/completion.js";
export { extendSelection, selectAll } from "./edit/selection.js";
export { onKey } from "./keys.js";
export { restore } from "./restore.js";
export { view as detail } from "./views/detail.js";
export { view as dialog } from "./views/dialogs.js";
export { view as door } from "./views/door.js";
export { menu, openDueMenu, openListMenu, openMoveMenu, openPriorityMenu, openRowMenu,
  openSnoozeMenu, openTags } from "./views/menus.js";
export { view as ring } from "./views/ring.js";
export { view as search } from "./views/search.js";
export { view as select } from "./views/select.js";
