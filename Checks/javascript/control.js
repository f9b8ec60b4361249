// The tests' side of control.py: servers that can be killed, and a network that can be broken.

import { Martlet } from "../../App/martlet.js";

export class Control {
  constructor(base) {
    this.base = base;
  }

  async call(action, members = {}) {
    const response = await fetch(`${this.base}/control/${action}`, {
      method: "POST",
      body: JSON.stringify(members),
    });
    const answer = await response.json();
    if (answer.error) throw new Error(`${action}: ${answer.error}`);
    return answer;
  }

  /** A new server with a database of its own. */
  async server(...flags) {
    return new Server(this, await this.call("start", { flags }));
  }
}

export class Server {
  constructor(control, { name, direct }) {
    this.control = control;
    this.name = name;
    /** Without the broken network; pages cannot use it, because it is another origin. */
    this.direct = direct;
    this.url = `${control.base}/s/${name}`;
  }

  client(options) {
    return new Martlet({ url: this.url, ...options });
  }
  call(action, members) {
    return this.control.call(action, { name: this.name, ...members });
  }

  kill() {
    return this.call("kill");
  }
  restart() {
    return this.call("restart");
  }
  /** What the network does to later responses: `{ cut, stall, slow }` (control.py). */
  network(fault) {
    return this.call("network", { fault });
  }
  /** Cuts all connections now. */
  cut() {
    return this.call("cut");
  }
  /** Another program writes to the database file. Returns the rows. */
  async sql(text) {
    return (await this.call("sql", { text })).rows;
  }
  async key(...flags) {
    return (await this.call("key", { flags })).key;
  }
  stop() {
    return this.call("stop");
  }
}

/** Runs `body` with a server, and stops it in the end. */
export async function withServer(control, body, ...flags) {
  const server = await control.server(...flags);
  try {
    return await body(server);
  } finally {
    await server.stop();
  }
}
