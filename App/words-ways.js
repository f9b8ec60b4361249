// SPDX-License-Identifier: Apache-2.0
// The words about ways to be reached, and of the page that answers an alarm.

import { language, words as first } from "./words.js";

/** @type {typeof import("./words/en-ways.js").default} */
export const words = (await import(`./words/${language}-ways.js`)).default;
// What tells of problems is a part of the first view.
Object.assign(first.problems, words.problems);
