// SPDX-License-Identifier: Apache-2.0
// Time and chance of a history: nothing depends on the clock of the machine.

export const MINUTE = 60_000;

let seed = 1;
/** A pseudo-random number below a limit. */
export const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
export const oneIn = (number) => random(number) === 0;
export const pick = (all) => all[random(all.length)];

const settled = () => new Promise(setImmediate);
let time, timers;
export const now = () => time;
export const clock = {
  setTimeout(run, ms = 0) {
    const timer = { run, at: time + ms };
    timers.add(timer);
    return timer;
  },
  clearTimeout: (timer) => timers.delete(timer),
};
export const soon = (ms) => new Promise((resolve) => clock.setTimeout(resolve, ms));

/** Begins a history: also what the app chooses at random is a part of it. */
export function begin(number) {
  seed = number;
  time = Date.UTC(2026, 10, 27);
  timers = new Set();
  Object.assign(globalThis, clock);
  Math.random = () => random(2 ** 30) / 2 ** 30;
}

/** Lets time pass, from timer to timer. */
export async function pass(ms) {
  const end = time + ms;
  for (;;) {
    for (let turn = 0; turn < 3; turn++) await settled();
    let next;
    for (const each of timers) if (!(next?.at <= each.at)) next = each;
    if (!next || next.at > end) break;
    time = Math.max(time, next.at);
    timers.delete(next);
    next.run();
  }
  time = end;
}
