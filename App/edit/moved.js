// SPDX-License-Identifier: Apache-2.0
// Recurrence rules of what is moved to another day.

import { addDays, DAYS, daysBetween, weekday } from "../time.js";

/**
 * A rule that names the day of the due date names the day that it is moved to.
 * @param {string} rule @param {string} from @param {string} to
 */
export function movedRule(rule, from, to) {
  /** @type {Record<string, (day: string) => string>} */
  const parts = { BYMONTHDAY: (day) => String(Number(day.slice(8))),
    BYMONTH: (day) => String(Number(day.slice(5, 7))), BYDAY: (day) => DAYS[weekday(day)] };
  return rule.split(";").map((part) => {
    const [name, value] = part.split("=");
    if (name === "UNTIL") {
      const day = value.replace(/^(....)(..)(..).*/, "$1-$2-$3");
      const end = addDays(day, daysBetween(from, to)).replaceAll("-", "");
      return `${name}=${end}${value.slice(8)}`;
    }
    return parts[name]?.(from) === value ? `${name}=${parts[name](to)}` : part;
  }).join(";");
}
