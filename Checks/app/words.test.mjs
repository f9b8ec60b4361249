// SPDX-License-Identifier: Apache-2.0
// The words of all languages: node --test Checks/app/words.test.mjs. APP says where the app is.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.APP ?? "App";
const load = (name) => import(pathToFileURL(`${folder}/${name}`).href);
const time = await load("time.js");
const languages = Object.keys((await load("words/languages.js")).default);
const PARTS = ["", "-more", "-ways"];

test("the languages have the same words", async () => {
  const shape = (value) => typeof value === "object" ? Object.fromEntries(Object.entries(value)
    .map(([name, each]) => [name, shape(each)])) : typeof value === "function" ?
    `function of ${value.length}` : typeof value;
  const read = async (name) => (await load(`words/${name}.js`)).default;
  // How often something happens differs: there is no "every other day" in English.
  const shapeOf = async (name) => {
    const { rule, ...rest } = await read(name);
    return shape({ ...rest, ...rule && { rule: { ...rule, often: undefined } } });
  };
  for (const part of PARTS) {
    const english = await shapeOf(`en${part}`);
    for (const language of languages) {
      assert.deepEqual(await shapeOf(language + part), english, language + part);
    }
  }
  // No other file is beside them, and each has all parts.
  assert.deepEqual(readdirSync(`${folder}/words`).sort(), ["languages.js",
    ...languages.flatMap((each) => PARTS.map((part) => `${each}${part}.js`))].sort());
});

test("French has its spaces, quotation marks, and an apostrophe that is curved", async () => {
  // Stands for a number, a text and a list.
  const any = Object.assign(new String("2"), { join: () => "2" });
  const look = (value) => {
    if (typeof value === "object") return Object.values(value).forEach(look);
    const text = typeof value === "function" ? String(value(any, any, any)) : value;
    // In a time, an address or a search, a colon has no space.
    // What is in front of a letter is a sign, as in !abc.
    assert.doesNotMatch(text, /«(?!\u202f)|[^\u202f][;!?%»](?!\w)|[^\u00a0]: |'/, text);
  };
  for (const part of PARTS) look((await load(`words/fr${part}.js`)).default);
});

test("rules and durations in words", async () => {
  Object.assign(globalThis, { localStorage: { getItem: () => "en" },
    document: { documentElement: {} } });
  Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-GB"] },
    configurable: true });
  const { words } = await load("words.js"), { ruleText } = await load("rules.js");
  const en = words.rule, rules = await Promise.all(languages.map(async (language) =>
    (await load(`words/${language}.js`)).default.rule));
  for (const [rule, ...sentences] of [
    ["FREQ=DAILY;INTERVAL=2", "every 2 days", "jeden zweiten Tag",
      "un jour sur deux"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday", "montags bis freitags",
      "du lundi au vendredi"],
    ["FREQ=MONTHLY;BYDAY=-2FR", "every month on the second-to-last Friday",
      "jeden Monat am vorletzten Freitag",
      "tous les mois l’avant-dernier vendredi"],
    ["FREQ=DAILY;BYHOUR=9", "FREQ=DAILY;BYHOUR=9", "FREQ=DAILY;BYHOUR=9",
      "FREQ=DAILY;BYHOUR=9"],
    ["FREQ=WEEKLY;UNTIL=20269999", "FREQ=WEEKLY;UNTIL=20269999", "FREQ=WEEKLY;UNTIL=20269999",
      "FREQ=WEEKLY;UNTIL=20269999"],
    ["FREQ=WEEKLY;BYDAY=MO,TH", "every Monday and Thursday", "jeden Montag und Donnerstag",
      "tous les lundis et jeudis"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=SU", "every other week on Sunday",
      "jede zweite Woche am Sonntag",
      "une semaine sur deux le dimanche"],
    ["FREQ=MONTHLY;BYMONTHDAY=1,-1", "every month on the 1st and last day",
      "jeden Monat am 1. und letzten Tag",
      "tous les mois le 1er et le dernier jour"],
    ["FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR", "every 3 months on the last Friday",
      "alle 3 Monate am letzten Freitag",
      "tous les 3 mois le dernier vendredi"],
    ["FREQ=MONTHLY;BYSETPOS=2;BYDAY=SA,SU", "every month on the second Saturday and Sunday",
      "jeden Monat am zweiten Samstag und Sonntag",
      "tous les mois le deuxième samedi et dimanche"],
    ["FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=27", "every year on 27 November",
      "jedes Jahr am 27. November",
      "tous les ans le 27 novembre"],
    ["FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "every year on the second Sunday in May",
      "jedes Jahr am zweiten Sonntag im Mai",
      "tous les ans le deuxième dimanche en mai"],
    ["FREQ=WEEKLY;BYDAY=SU;UNTIL=20270627", "every Sunday, until 27 June 2027",
      "jeden Sonntag, bis 27. Juni 2027",
      "tous les dimanches, jusqu’au 27 juin 2027"],
    ["FREQ=DAILY;COUNT=3", "every day, 3 times", "jeden Tag, 3-mal",
      "tous les jours, 3 fois"],
    ["BYMONTHDAY=3", "on the 3rd", "am 3.",
      "le 3"],
    ["FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,TH", "every 3 weeks on Tuesday and Thursday",
      "alle 3 Wochen am Dienstag und Donnerstag", "toutes les 3 semaines le mardi et le jeudi"],
    ["FREQ=MONTHLY;BYDAY=1MO,5MO", "every month on the first Monday and fifth Monday",
      "jeden Monat am ersten Montag und fünften Montag",
      "tous les mois le premier lundi et le cinquième lundi"],
    ["FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1", "every year on 1 January", "jedes Jahr am 1. Januar",
      "tous les ans le 1er janvier"],
    ["FREQ=DAILY;COUNT=1", "every day, 1 time", "jeden Tag, einmal", "tous les jours, une fois"]]) {
    assert.equal(sentences.length, languages.length);
    for (const [index, sentence] of sentences.entries()) {
      time.setLanguage(["en-GB"][index] ?? languages[index]);
      words.rule = rules[index];
      assert.equal(ruleText(rule).replaceAll("\u00a0", " "), sentence);
    }
  }
  words.rule = en;
  time.setLanguage("en-GB");
  assert.equal(time.durationText("-P1DT2H"), "1 day, 2 hours");
  assert.equal(time.durationText("PT0S"), "");
});
