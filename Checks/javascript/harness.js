// What the tests share. It runs in node, deno and browsers, so it imports nothing of them.

const tests = [];

/** Registers a test. It fails after `seconds`, so that nothing waits for ever. */
export function test(name, body, { seconds = 60 } = {}) {
  tests.push({ name, body, seconds });
}

/** Runs the tests whose name contains `filter`, and returns how many failed. */
export async function run(context, filter = "", print = console.log) {
  let failed = 0;
  for (const { name, body, seconds } of tests.filter((each) => each.name.includes(filter))) {
    const start = Date.now();
    try {
      await within(seconds, body(context), "the test");
      print(`  ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      failed++;
      print(`  FAILED ${name}\n${error?.stack ?? error}`);
    }
  }
  return failed;
}

/** Rejects if `promise` takes longer. */
export async function within(seconds, promise, what = "a promise") {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took over ${seconds} s`)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Polls until `condition` returns something true. */
export async function until(what, condition, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await pause(5);
  }
}

export const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

export function equal(actual, expected, what = "") {
  const [left, right] = [canonical(actual), canonical(expected)];
  if (left === right) return;
  let start = 0;
  while (left[start] === right[start]) start++;
  const shown = (text) => text.slice(Math.max(0, start - 100), start + 500);
  throw new Error(`${what}\n  expected ${shown(right)}\n  got      ${shown(left)}`);
}

export function check(condition, what) {
  if (!condition) throw new Error(`not true: ${what}`);
}

export async function rejects(promise, members) {
  let error;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  check(error, `rejected with ${JSON.stringify(members)}`);
  for (const [name, value] of Object.entries(members)) {
    equal(error[name], value, `${name}: ${error}`);
  }
  return error;
}

/** JSON with sorted members, so that two values can be compared. */
function canonical(value) {
  if (value instanceof Error) return String(value.stack);
  return JSON.stringify(
    value,
    (_, each) =>
      each && typeof each === "object" && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
  ) ??
    String(value);
}

/** Random numbers that a seed repeats (mulberry32). */
export function randomness(seed) {
  return () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The first states of a live query, each as soon as it is there. */
export async function take(count, live) {
  const states = [];
  for await (const state of live) {
    states.push(state);
    if (states.length === count) break;
  }
  return states;
}
