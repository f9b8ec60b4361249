// SPDX-License-Identifier: Apache-2.0
// Offers once that this device rings with the app closed: when an alarm is first made on it.

import { device, standing } from "../push.js";
import { onDrawn, setSetting, setting, state, store } from "../state.js";
import { show } from "../undo.js";
import { words } from "../words-more.js";

/** How long it is shown, in ms. */
const SHOWN = 60_000;

let isDue = false;
onDrawn(() => {
  if (setting("offered")) return;
  const { kind, id } = state.done.at(-1)?.items[0] ?? {};
  const hasAlarm = kind === "reminder" && (store.reminder(id)?.alarms.length ?? 0) > 0;
  isDue ||= hasAlarm && device.own === null && standing() === "off";
  // It takes no way back from who has just done something.
  if (!isDue || state.toast) return;
  setSetting("offered", "yes");
  show({ text: words.push.offer, href: "#/settings" }, SHOWN);
});
