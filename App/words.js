// SPDX-License-Identifier: Apache-2.0
// Chooses the language: every text is in words/.

import { setLanguage } from "./time.js";
import languages from "./words/languages.js";

const chosen = () => {
  try {
    return localStorage.getItem("martlet.language");
  } catch {
    return undefined;
  }
};

const wanted = [chosen(), ...navigator.languages]
  .map((name) => /** @type {string} */ (name?.slice(0, 2)));
export const language = wanted.find((name) => name in languages) ?? "en";
/** @type {typeof import("./words/en.js").default} */
export const words = (await import(`./words/${language}.js`)).default;

// The region of the browser says how dates are written.
setLanguage(navigator.languages.find((name) => name.startsWith(language)) ?? language);
document.documentElement.lang = language;
