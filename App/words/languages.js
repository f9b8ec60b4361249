// SPDX-License-Identifier: Apache-2.0
// The languages, each by its own name. A language has the files NAME.js, -more.js and -ways.js.

/** @type {Record<string, string>} */
export default { en: "English", de: "Deutsch", fr: "Français" };
