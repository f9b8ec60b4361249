// SPDX-License-Identifier: Apache-2.0
// What is not kept at hand (completed ones, the trash, search) is asked for while it is shown.

import { client, onPage } from "./sync.js";
import { onDrawn, update } from "./state.js";

/**
 * @typedef {{ body?: any, problem?: import("./martlet.js").MartletProblem, isAsked?: boolean,
 *   isOld?: boolean, isUsed?: boolean }} Answer
 */
/** @type {Map<string, Answer>} */
const answers = new Map();
/** @type {number | undefined} */
let timer;

/**
 * The answer of the server, or `{}` until it is there. Views call it in each drawing; after it the
 * request is sent.
 * @param {string | false | null | undefined} path @returns {Answer}
 */
export function ask(path) {
  if (!path) return {};
  let answer = answers.get(path);
  if (!answer) answers.set(path, answer = {});
  answer.isUsed = true;
  return answer;
}

/** @param {string} path @param {Answer} answer */
async function fetchAnswer(path, answer) {
  answer.isAsked = true;
  answer.isOld = false;
  try {
    const body = await client.get(path, { retry: false });
    Object.assign(answer, { body, problem: undefined });
  } catch (problem) {
    answer.problem = problem;
  }
  update();
}

onDrawn(() => {
  for (const [path, answer] of answers) {
    // What was not asked for is not kept.
    if (!answer.isUsed) answers.delete(path);
    else if (!answer.isAsked || answer.isOld) fetchAnswer(path, answer);
    answer.isUsed = false;
  }
});

/** Asks again for what is shown. */
export function refresh() {
  for (const answer of answers.values()) answer.isOld = true;
  update();
}

onPage(() => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 150);
});
