// SPDX-License-Identifier: Apache-2.0
// The words of what is loaded after the first view, together with those of the first.

import { language, words as first } from "./words.js";

/** @type {typeof import("./words/en-more.js").default} */
const more = (await import(`./words/${language}-more.js`)).default;

/**
 * A group that both have is one.
 * @param {any} one @param {any} other @returns {any}
 */
const merged = (one, other) => ({ ...one, ...Object.fromEntries(Object.entries(other)
  .map(([name, value]) => [name, value.constructor === Object ? { ...one[name], ...value } :
    value])) });
/** @type {typeof first & typeof more} */
export const words = merged(first, more);
// What tells of problems is a part of the first view.
Object.assign(first.problems, more.problems);
