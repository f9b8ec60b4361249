// SPDX-License-Identifier: Apache-2.0
// The first day of a series, of the rules that the recurrence picker makes (RFC 5545).

import { partsOf } from "../rules.js";
import { addDays, DAYS, weekday } from "../time.js";

const KNOWN = ["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "COUNT", "UNTIL",
  "WKST"];
/** The day of a leap year is at most eight years away, and a rule may have two conditions. */
const FURTHEST = 366 * 8;

/** @param {string} day */
const daysInMonth = (day) => {
  const [year, month] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
};

/**
 * Whether a day is one of the days of the rule, apart from its interval and its end.
 * @param {Record<string, string>} parts @param {string} day
 */
function belongs({ BYDAY, BYMONTHDAY, BYMONTH }, day) {
  const date = Number(day.slice(8)), length = daysInMonth(day), name = DAYS[weekday(day)];
  return (!BYMONTH || BYMONTH.split(",").map(Number).includes(Number(day.slice(5, 7)))) &&
    (!BYMONTHDAY || BYMONTHDAY.split(",").map(Number).some((each) =>
      each === date || each === date - length - 1)) &&
    (!BYDAY || BYDAY.split(",").some((each) => {
      const place = Number.parseInt(each, 10);
      return each.endsWith(name) && (!place || place === Math.ceil(date / 7) ||
        place === -Math.ceil((length - date + 1) / 7));
    }));
}

/** @param {Record<string, string>} parts @param {string} day */
function isPlaced(parts, day) {
  const month = day.slice(0, 8), all = Array.from({ length: daysInMonth(day) }, (_, index) =>
    `${month}${String(index + 1).padStart(2, "0")}`).filter((each) => belongs(parts, each));
  return parts.BYSETPOS.split(",").some((place) => all.at(Number(place) - Number(place > "0")) ===
    day);
}

/**
 * The first day of a series that does not begin before a day.
 * @param {string} rule @param {string} from
 * @returns {string | undefined} nothing for a rule that only the server understands
 */
export function firstDay(rule, from) {
  const parts = partsOf(rule), { FREQ, BYDAY = "", BYMONTH, BYSETPOS } = parts;
  const isOfYear = FREQ === "YEARLY" && !BYMONTH && (/\d/.test(BYDAY) || BYSETPOS);
  const isOfDays = BYSETPOS && !/MONTHLY|YEARLY/.test(FREQ);
  if (!/^(DAI|WEEK|MONTH|YEAR)LY$/.test(FREQ) || isOfYear || isOfDays ||
    Object.keys(parts).some((name) => !KNOWN.includes(name))) return undefined;
  for (let count = 0; count < FURTHEST; count++) {
    const day = addDays(from, count);
    if (belongs(parts, day) && (!BYSETPOS || isPlaced(parts, day))) return day;
  }
  return undefined;
}
