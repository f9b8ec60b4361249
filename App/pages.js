// SPDX-License-Identifier: Apache-2.0
// Pages that few visits open. They are loaded when the first of them is (lazy.js names them).

import "./main.js";

export { askCopy } from "./edit/copy.js";
export { view as answer } from "./views/answer.js";
export { view as calendar } from "./views/calendar.js";
export { view as completed } from "./views/completed.js";
export { view as settings } from "./views/settings.js";
export { view as stats } from "./views/stats.js";
export { view as trash } from "./views/trash.js";
