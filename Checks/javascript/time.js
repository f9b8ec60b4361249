// Time that stands still until a test moves it.

import { pause } from "./harness.js";

export class FakeTime {
  #now = 1_800_000_000_000;
  #timers = new Map();
  #last = 0;
  /** The number of requests that are in the real network. Meanwhile `flow` lets no time pass. */
  busy = 0;

  options(random = () => 0.5) {
    return {
      now: () => this.#now,
      random,
      timers: {
        setTimeout: (done, ms) => {
          this.#timers.set(++this.#last, { at: this.#now + ms, done });
          return this.#last;
        },
        clearTimeout: (id) => this.#timers.delete(id),
      },
    };
  }

  get now() {
    return this.#now;
  }
  get pending() {
    return this.#timers.size;
  }

  /** Moves the time, and lets everything happen that is due meanwhile. */
  async advance(ms) {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end)
        .sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      const [id, { at, done }] = due;
      this.#timers.delete(id);
      this.#now = Math.max(this.#now, at);
      done();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  /** The machine sleeps: the time moves, and the timers do not. */
  sleep(ms) {
    this.#now += ms;
    for (const timer of this.#timers.values()) timer.at += ms;
  }

  /** Moves the time step by step until `promise` is settled. The network takes real time. */
  async flow(promise, step = 250) {
    let isSettled = false;
    const end = () => {
      isSettled = true;
    };
    promise.then(end, end);
    while (!isSettled) {
      if (this.busy === 0) await this.advance(step);
      await pause(1);
    }
    return promise;
  }
}

/** Lets promises and streams go on until they wait for a timer or for the network. */
async function settle() {
  for (let i = 0; i < 3; i++) await turn();
}

/** One turn of the event loop. `setTimeout` takes a millisecond in node, and four in browsers. */
const turn = globalThis.setImmediate
  ? () => new Promise((resolve) => setImmediate(resolve))
  : turnByMessage();

function turnByMessage() {
  const { port1, port2 } = new MessageChannel(), waiting = [];
  port1.onmessage = () => waiting.shift()();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}

/** An event of the page, such as `online`. Node has none, so the tests make them up. */
export function happen(name) {
  globalThis.dispatchEvent(new Event(name));
}

if (!globalThis.dispatchEvent) {
  const listeners = {};
  globalThis.addEventListener = (name, listener) => (listeners[name] ??= new Set()).add(listener);
  globalThis.removeEventListener = (name, listener) => listeners[name]?.delete(listener);
  globalThis.dispatchEvent = (event) => {
    for (const listener of [...listeners[event.type] ?? []]) listener(event);
  };
}
