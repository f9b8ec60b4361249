// SPDX-License-Identifier: Apache-2.0
// Chooses the language: every text is in words/.

import { setLanguage } from "./time.js";

const known = { en: () => import("./words/en.js"), de: () => import("./words/de.js") };

const chosen = () => {
  try {
    return localStorage.getItem("martlet.language");
  } catch {
    return undefined;
  }
};

const wanted = [chosen(), ...navigator.languages]
  .map((name) => /** @type {string} */ (name?.slice(0, 2)));
export const language = wanted.find((name) => name in known) ?? "en";
/** @type {typeof import("./words/en.js").default} */
export const words = (await known[language]()).default;

// The region of the browser says how dates are written.
setLanguage(navigator.languages.find((name) => name.startsWith(language)) ?? language);
document.documentElement.lang = language;
