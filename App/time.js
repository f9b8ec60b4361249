// SPDX-License-Identifier: Apache-2.0
// Days and times of the chosen zone. A day is "2026-11-27", as in the API.

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

export const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
let zone = here, language = "en";
let days = dayFormat(), formats = new Map();
const known = new Map();

function dayFormat() {
  const parts = { year: "numeric", month: "2-digit", day: "2-digit" };
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, ...parts });
}

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
export function setLanguage(name) {
  language = name;
  formats = new Map();
}
export const zoneName = () => zone;

export const dayOf = (instant) => days.format(instant);
export const today = (now = Date.now()) => dayOf(now);
export const isDate = (due) => due !== null && due.length === 10;

/** The day of a due date. */
export function dueDay(due) {
  if (due === null || due.length === 10) return due;
  if (!known.has(due)) known.set(due, dayOf(Date.parse(due)));
  return known.get(due);
}

/** Noon in UTC: a day of the calendar, independent of clock changes. */
const noon = (day) => Date.parse(`${day}T12:00:00Z`);
export const addDays = (day, count) =>
  new Date(noon(day) + count * DAY).toISOString().slice(0, 10);
export const daysBetween = (from, to) => Math.round((noon(to) - noon(from)) / DAY);
/** 0 is Monday. */
export const weekday = (day) => (new Date(noon(day)).getUTCDay() + 6) % 7;

export const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
export const weekdayName = (index, weekday) => dayText(addDays("2024-01-01", index), { weekday });
export const listText = (all) => new Intl.ListFormat(language).format(all);

const units = (unit) =>
  new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
/** "2 days", and "days". */
export const unitText = (count, unit) => units(unit).format(count);
export const unitName = (unit) => units(unit).formatToParts(2).at(-1).value;

/** "1 day, 2 hours" of an ISO 8601 duration. */
export function durationText(text) {
  const found = /P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ?? [];
  return ["week", "day", "hour", "minute", "second"].map((unit, index) =>
    found[index + 1] > 0 && unitText(found[index + 1], unit)).filter(Boolean).join(", ");
}

function format(instant, timeZone, options) {
  const key = timeZone + JSON.stringify(options);
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat(language, { timeZone, ...options }));
  }
  return formats.get(key).format(instant);
}

export const clock = (instant) =>
  format(new Date(instant), zone, { hour: "numeric", minute: "2-digit" });
export const dayText = (day, options) => format(new Date(noon(day)), "UTC", options);

/** "Thu 3 Dec", and the year if it is another one. */
export function shortDay(day, now = today()) {
  const year = day.slice(0, 4) === now.slice(0, 4) ? {} : { year: "numeric" };
  return dayText(day, { weekday: "short", day: "numeric", month: "short", ...year });
}
export const longDay = (day) =>
  dayText(day, { weekday: "long", day: "numeric", month: "long" });

/** The instant of a day and a time in the zone. Where clocks skip a time, the one after it. */
export function instantOf(day, time) {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  let instant = wanted;
  for (let round = 0; round < 2; round++) instant += wanted - wallOf(instant);
  return new Date(instant).toISOString();
}

/** The time of the clocks in the zone, as if it was UTC. */
function wallOf(instant) {
  return Date.parse(`${dayOf(instant)}T${timeOf(instant)}:00Z`);
}
export function timeOf(instant) {
  const options = { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  if (!formats.has("time")) formats.set("time", new Intl.DateTimeFormat("en-GB", options));
  return formats.get("time").format(new Date(instant));
}

/** When an open reminder is late: at its instant, or when its day is over. */
export const isLate = ({ dueDate }, now) => dueDate !== null &&
  (isDate(dueDate) ? dueDate < today(now) : Date.parse(dueDate) < now);

/**
 * What the end of a row says: words above, a time or what is late below.
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

export function dayName(day, current, words) {
  const away = daysBetween(current, day);
  if (away === -1) return words.yesterday;
  if (away === 0) return words.today;
  if (away === 1) return words.tomorrow;
  if (Math.abs(away) < 7) return dayText(day, { weekday: "long" });
  return shortDay(day, current);
}
