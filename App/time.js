// SPDX-License-Identifier: Apache-2.0
// Days and times of the chosen zone. A day is "2026-11-27", as in the API.

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

export const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
let zone = here, language = "en";
/** @type {Map<string, Intl.DateTimeFormat>} */
let formats = new Map();
let days = dayFormat();
/** @type {Map<string, string>} Days by instants. */
const known = new Map();

function dayFormat() {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit",
    day: "2-digit" });
}

/** @param {string} [name] */
export function setZone(name) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    name = undefined;
  }
  zone = name || here;
  days = dayFormat();
  formats = new Map();
  known.clear();
}
/** @param {string} name */
export function setLanguage(name) {
  language = name;
  formats = new Map();
}
export const zoneName = () => zone;

/** @param {number} instant */
export const dayOf = (instant) => days.format(instant);
export const today = (now = Date.now()) => dayOf(now);
/** @param {string | null} due */
export const isDate = (due) => due !== null && due.length === 10;

/** @template {string | null} Due @param {Due} due @returns {Due} its day */
export function dueDay(due) {
  if (due === null || due.length === 10) return due;
  let day = known.get(due);
  if (!day) known.set(due, day = dayOf(Date.parse(due)));
  return /** @type {Due} */ (day);
}

/** @param {string} day @returns noon in UTC: independent of clock changes */
const noon = (day) => Date.parse(`${day}T12:00:00Z`);
/** @param {string} day @param {number} count */
export const addDays = (day, count) =>
  new Date(noon(day) + count * DAY).toISOString().slice(0, 10);
/** @param {string} from @param {string} to */
export const daysBetween = (from, to) => Math.round((noon(to) - noon(from)) / DAY);
/** @param {string} day @returns 0 for Monday */
export const weekday = (day) => (new Date(noon(day)).getUTCDay() + 6) % 7;

/** @returns the day that a week begins with in the region of the browser, 0 for Monday */
export function firstWeekday() {
  /** @type {any} A part of ECMAScript that is not everywhere yet. */
  const locale = new Intl.Locale(language);
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) - 1;
}

export const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
/** @param {number} index @param {"long" | "narrow"} weekday */
export const weekdayName = (index, weekday) => dayText(addDays("2024-01-01", index), { weekday });
/** @param {string[]} all */
export const listText = (all) => new Intl.ListFormat(language).format(all);

/** @param {string} unit */
const units = (unit) =>
  new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
/** @param {number | string} count @param {string} unit @returns "2 days" */
export const unitText = (count, unit) => units(unit).format(Number(count));
/** @param {string} unit @returns "days" */
export const unitName = (unit) => units(unit).formatToParts(2).slice(-1)[0].value;

/** @param {any} text an ISO 8601 duration, or nothing @returns "1 day, 2 hours" */
export function durationText(text) {
  const found = /P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ?? [];
  return ["week", "day", "hour", "minute", "second"].map((unit, index) =>
    Number(found[index + 1]) > 0 && unitText(found[index + 1], unit)).filter(Boolean).join(", ");
}

/** @param {string} offset an ISO 8601 duration @returns {[days: number, time: string]} */
export function dayOffset(offset) {
  const [, weeks, days, hours, minutes] =
    (/P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?.*)?$/.exec(offset) ?? [])
      .map((each) => Number(each ?? 0));
  const all = ((weeks * 7 + days) * 24 + hours) * 60 + minutes;
  const sum = offset.startsWith("-") ? -all : all, rest = ((sum % 1440) + 1440) % 1440;
  return [Math.floor(sum / 1440), [rest / 60, rest % 60].map((each) =>
    String(Math.trunc(each)).padStart(2, "0")).join(":")];
}

/** @param {Date} instant @param {string} timeZone @param {Intl.DateTimeFormatOptions} options */
function format(instant, timeZone, options, locale = language) {
  const key = locale + timeZone + JSON.stringify(options);
  let known = formats.get(key);
  if (!known) formats.set(key, known = new Intl.DateTimeFormat(locale, { timeZone, ...options }));
  return known.format(instant);
}

/** @param {number | string} instant */
export const clock = (instant) =>
  format(new Date(instant), zone, { hour: "numeric", minute: "2-digit" });
/** @param {string} day @param {Intl.DateTimeFormatOptions} options */
export const dayText = (day, options) => format(new Date(noon(day)), "UTC", options);

/** @param {string} day @returns "Thu 3 Dec", and the year if it is another one */
export function shortDay(day, now = today()) {
  return dayText(day, { weekday: "short", day: "numeric", month: "short",
    ...day.slice(0, 4) !== now.slice(0, 4) && { year: "numeric" } });
}
/** @param {string} text that begins a line: not each language writes "Monday" */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** @param {string} day */
export const longDay = (day) =>
  capital(dayText(day, { weekday: "long", day: "numeric", month: "long" }));

/**
 * The instant of a day and a time in the zone. Where clocks skip a time, the one after it.
 * @param {string} day @param {string} time
 */
export function instantOf(day, time) {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  let instant = wanted;
  for (let round = 0; round < 2; round++) instant += wanted - wallOf(instant);
  return new Date(instant + Math.max(0, wanted - wallOf(instant))).toISOString();
}

/** @param {number} instant @returns the time of the clocks in the zone, as if it was UTC */
function wallOf(instant) {
  return Date.parse(`${dayOf(instant)}T${timeOf(instant)}:00Z`);
}
/** @param {number | string} instant */
export const timeOf = (instant) => format(new Date(instant), zone,
  { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }, "en-GB");

/** @typedef {Pick<import("./store.js").Reminder, "dueDate">} Due */
/** @typedef {typeof import("./words/en.js").default} Words */

/**
 * When an open reminder is late: at its instant, or when its day is over.
 * @param {Due} reminder @param {number} now
 */
export const isLate = ({ dueDate }, now) => dueDate !== null &&
  (isDate(dueDate) ? dueDate < today(now) : Date.parse(dueDate) < now);

/**
 * What the end of a row says: words above, a time or what is late below.
 * @param {Due} reminder @param {number} now @param {Words} words
 * @returns {{ due: string, at: string, isLate: boolean }}
 */
export function dueText(reminder, now, words, isToday = false) {
  const { dueDate } = reminder;
  if (dueDate === null) return { due: "", at: "", isLate: false };
  const day = dueDay(dueDate), current = today(now), away = daysBetween(current, day);
  const late = isLate(reminder, now), time = isDate(dueDate) ? "" : clock(dueDate);
  if (away < 0) return { due: dayName(day, current, words), at: words.daysLate(-away),
    isLate: late };
  if (away > 0) return { due: dayName(day, current, words), at: time, isLate: false };
  if (time === "") return { due: isToday ? "" : words.today, at: "", isLate: false };
  const minutes = Math.trunc((Date.parse(dueDate) - now) / MINUTE);
  const due = late ? words.late(-minutes) : words.soon(minutes);
  return { due, at: time, isLate: late };
}

/** @param {string} day @param {string} current @param {Words} words */
export function dayName(day, current, words) {
  const away = daysBetween(current, day);
  if (away === -1) return words.yesterday;
  if (away === 0) return words.today;
  if (away === 1) return words.tomorrow;
  return capital(Math.abs(away) < 7 ? dayText(day, { weekday: "long" }) : shortDay(day, current));
}
