// SPDX-License-Identifier: Apache-2.0
// Recurrence rules (RFC 5545) as sentences.

import { DAYS, dayText, listText, unitText, weekdayName } from "./time.js";
import { words } from "./words.js";

export const UNITS = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" };

/** @param {string} rule @returns {Record<string, string>} */
export const partsOf = (rule) => Object.fromEntries(rule.toUpperCase().split(";").filter(Boolean)
  .map((each) => each.split("=")));

/** The parts that have words. */
const told = new RegExp("^((FREQ=(DAI|WEEK|MONTH|YEAR)LY|(INTERVAL|COUNT)=\\d+|WKST=..|" +
  "BYDAY=((-[12]|\\d)?(MO|TU|WE|TH|FR|SA|SU),?)+|BYMONTHDAY=((-1|\\d+),?)+|" +
  "BYMONTH=[\\d,]+|BYSETPOS=(-[12]|\\d)|UNTIL=\\d{8}.*)(;|$))+$", "i");

/**
 * What cannot be told is returned as it is.
 * @param {string} rule or parts of one
 * @param {import("./martlet.js").RecurrenceBasis} [basis]
 * @returns {string} "every other week on Monday"
 */
export function ruleText(rule, basis) {
  try {
    if (!told.test(rule)) return rule;
    if (basis !== "completion") return sentence(rule);
    const { FREQ, INTERVAL = "1", ...others } = partsOf(rule);
    return Object.keys(others).length > 0 ? `${sentence(rule)}, ${words.rule.fromDone}` :
      words.rule.afterDone(unitText(INTERVAL, UNITS[FREQ]));
  } catch {
    return rule;
  }
}

/** @param {string} rule */
function sentence(rule) {
  const { FREQ, INTERVAL = "1", BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, COUNT, UNTIL } =
    partsOf(rule), text = words.rule, isWeekly = FREQ === "WEEKLY", isEach = INTERVAL === "1";
  /** @param {string} [place] */
  const placed = (place) => place ? `${text.places[place] ?? text.nth(Number(place))} ` : "";
  const on = listText(BYDAY?.split(",").map((day) =>
    placed(day.slice(0, -2)) + weekdayName(DAYS.indexOf(day.slice(-2)), "long")) ?? []);
  const often = isWeekly && isEach && on ? text.every(on) : FREQ && (text.often[FREQ]?.[
    Number(INTERVAL) - 1] ?? text.all(unitText(INTERVAL, UNITS[FREQ])));
  if (BYSETPOS && !BYDAY) return rule;
  const months = BYMONTH?.split(",");
  const date = months?.length === 1 && Number(BYMONTHDAY) > 0 ? dayText(
    `2024-${BYMONTH.padStart(2, "0")}-${BYMONTHDAY.padStart(2, "0")}`,
    { day: "numeric", month: "long" }) : "";
  return [BYDAY === "MO,TU,WE,TH,FR" && isEach && !BYSETPOS ? text.weekdays : [often,
    on && !(isWeekly && isEach) && (isWeekly || date ? text.on : text.onThe)(placed(BYSETPOS) + on),
    date ? text.on(date) : BYMONTHDAY && text.onThe(listText(BYMONTHDAY.split(",")
      .map((day) => day === "-1" ? text.lastDay : text.nth(Number(day))))),
    !date && months && `${text.in} ${listText(months.map((month) =>
      dayText(`2024-${month.padStart(2, "0")}-15`, { month: "long" })))}`]
    .filter(Boolean).join(" "), COUNT && text.times(Number(COUNT)),
  UNTIL && `${text.until} ${dayText(UNTIL.replace(/^(....)(..)(..).*/, "$1-$2-$3"),
    { dateStyle: "long" })}`].filter(Boolean).join(", ");
}
