// SPDX-License-Identifier: Apache-2.0
// A server that drops, repeats and delays what is asked of it.

import { clock, oneIn, random, soon } from "./chance.mjs";
import { Rows } from "./rows.mjs";

export const problem = (status, type, headers) => new Response(JSON.stringify({ title: type, status,
  type: `/problems/${type}` }), { status, headers });

export class Server extends Rows {
  answers = new Map();
  streams = new Set();
  /** The keys of devices that were closed. */
  gone = new Set();
  isDown = false;
  calm = false;
  epoch = "one";

  async answer(path, { method, headers, body, signal }) {
    const lost = () => { throw new TypeError("Failed to fetch"); };
    const [, device] = headers.get("Authorization").split(" ");
    await soon(1 + random(this.calm ? 10 : 3000));
    if (this.gone.has(headers.get("Authorization").slice(7))) return new Promise(() => {});
    if (signal?.aborted || this.isDown || !this.calm && oneIn(6)) return lost();
    if (headers.get("Accept") && path.startsWith("/v1/changes")) return this.stream(headers);
    if (path === "/v1/changes?limit=1") {
      return Response.json({ items: [], next: `${this.epoch}-0` });
    }
    if (path.startsWith("/v1/trash")) {
      return Response.json({ items: this.discarded(), nextCursor: null });
    }
    if (method === "GET") return problem(404, "none");
    if (!this.calm && oneIn(8)) {
      return problem(oneIn(2) ? 503 : 429, "busy", { "Retry-After": String(1 + random(90)) });
    }
    const key = `${device} ${headers.get("Idempotency-Key") ?? ++this.last}`;
    if (!this.answers.has(key)) {
      this.answers.set(key, this.request(method, path, body && JSON.parse(body)));
    }
    await soon(random(this.calm ? 10 : 3000));
    // Done, but nobody knows.
    if (this.isDown || !this.calm && oneIn(5)) return lost();
    const { status, location, body: result } = this.answers.get(key);
    if (status >= 400) return problem(status, "refused");
    return new Response(JSON.stringify(result), { status, headers: location && { location } });
  }

  /** The feed: some pages come twice, some streams break. */
  stream(headers) {
    const encoder = new TextEncoder();
    const [epoch, since] = headers.get("Last-Event-ID")?.split("-") ?? [this.epoch, 0];
    if (epoch !== this.epoch) return problem(410, "feed-expired");
    let at = Number(since), isClosed = false;
    const stream = { tell: () => clock.setTimeout(send, random(this.calm ? 50 : 5000)) };
    const end = () => {
      isClosed = true;
      this.streams.delete(stream);
    };
    let output;
    const put = (text) => output.enqueue(encoder.encode(text));
    const send = () => {
      if (isClosed) return;
      if (this.isDown || !this.calm && oneIn(12)) {
        end();
        return output.error(new TypeError("cut"));
      }
      if (!this.calm && oneIn(6)) at = Math.max(0, at - 1 - random(3));
      const next = Math.min(this.log.length, at + 1 + random(5)), more = next < this.log.length;
      // As the server does, each item is told as it is now.
      const items = this.log.slice(at, next).filter(({ kind, id }, index, all) =>
        all.findLastIndex((each) => each.kind === kind && each.id === id) === index);
      put(`event: changes\ndata: ${JSON.stringify({ items, next: `${epoch}-${next}`, more })}\n\n`);
      at = next;
      if (more) stream.tell();
    };
    const beat = () => {
      if (isClosed) return;
      if (this.isDown) {
        end();
        return output.error(new TypeError("cut"));
      }
      put(":\n\n");
      clock.setTimeout(beat, 15_000);
    };
    this.streams.add(stream);
    return new Response(new ReadableStream({ start(controller) {
      output = controller;
      stream.tell();
      beat();
    }, cancel: end }));
  }
}
