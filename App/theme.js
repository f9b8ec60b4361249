// SPDX-License-Identifier: Apache-2.0
// Sets the theme before the first paint, so that a dark page does not flash.
(() => {
  let chosen;
  try {
    chosen = localStorage.getItem("martlet.theme");
  } catch {}
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen ?? (isDark ? "dark" : "light");
})();
