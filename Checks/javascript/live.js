// Live queries, with a server and a time that the tests make up.

import { Martlet } from "../../App/martlet.js";
import { fakeFetch, FakeStream, json, problem } from "./fake.js";
import { check, equal, rejects, take, test, until } from "./harness.js";
import { FakeTime, happen } from "./time.js";

/** A client; `streams` are its connections, `gets` answers its GETs, `open` its streams. */
function client({ get = () => json({ n: 0 }, { ETag: '"0"' }), open, ...options } = {}) {
  const time = new FakeTime(), streams = [], statuses = [];
  const { fetch, requests } = fakeFetch(async (request, number) => {
    if (request.headers.accept !== "text/event-stream") return get(request, number);
    const stream = new FakeStream(request.signal);
    stream.request = request;
    streams.push(stream);
    return open?.(stream, streams.length) ?? stream.response;
  });
  const m = new Martlet({ url: "", fetch, ...time.options(), ...options });
  const onStatus = (status, error, ms) =>
    statuses.push([status, error?.type, ms].filter((x) => x !== undefined));
  return { m, time, streams, requests, statuses, onStatus };
}

/** What a live query shows from now on. */
function shown(live) {
  const states = [];
  live.subscribe((state) => {
    states.push(state);
  }, (error) => {
    states.push(error);
  });
  return states;
}

test("live: a GET, then the stream from its ETag", async () => {
  const { m, streams, requests, time } = client({ key: "mk_1" });
  const states = shown(m.live("/v1/a?b=1", { deltas: true }));
  await time.advance(0);
  equal(states, [{ n: 0 }]);
  equal(requests.map(({ url }) => url), Array(2).fill("/v1/a?b=1&deltas=true"));
  equal(streams[0].request.headers["last-event-id"], '"0"');
  equal(streams[0].request.headers.authorization, "Bearer mk_1");
  streams[0].event("current", {}, '"0"');
  streams[0].event("delta", { set: { n: 1 } }, '"1"');
  await time.advance(0);
  streams[0].event("result", { n: 2 }, '"2"');
  await time.advance(0);
  equal(states, [{ n: 0 }, { n: 1 }, { n: 2 }]);
});

test("live: it reconnects with the last ID", async () => {
  const { m, streams, time, statuses, onStatus } = client();
  const live = m.live("/v1/a", { onStatus }), states = shown(live);
  await time.advance(0);
  streams[0].event("result", { n: 1 }, '"1"');
  await time.advance(0);
  equal(live.etag, '"1"');
  streams[0].write('id: "2"\nevent: result\ndata: {"n":');
  streams[0].cut();
  await time.advance(1500);
  equal(streams.length, 2);
  equal(streams[1].request.headers["last-event-id"], '"1"', "half an event does not count");
  streams[1].event("result", { n: 3 }, '"3"');
  await time.advance(0);
  streams[1].end();
  await time.advance(1499);
  equal(streams.length, 2);
  await time.advance(1);
  equal(streams.length, 3);
  equal(statuses, [["live"], ["waiting", "martlet:network", 1500], ["live"], ["waiting", 1500]]);
  equal(states, [{ n: 0 }, { n: 1 }, { n: 3 }]);
  live.close();
  await time.advance(0);
  equal(time.pending, 0, "no timer is left");
});

test("live: after bye it waits as long as the server says", async () => {
  const { m, streams, time, statuses, onStatus } = client();
  shown(m.live("/v1/a", { onStatus }));
  await time.advance(0);
  for (const [retry, wait] of [[3456, 3456], [0, 1000], [99_999_999, 60_000]]) {
    const stream = streams.at(-1);
    stream.write("retry: 2000\n\n");
    stream.write(`retry: ${retry}\nevent: bye\ndata: {"reason":"shutdown","retry":${retry}}\n\n`);
    await time.advance(0);
    equal(statuses.at(-1), ["waiting", wait]);
    await time.advance(wait - 1);
    check(stream === streams.at(-1), "not before that");
    check(stream.isCancelled, "the connection was given up");
    await time.advance(1);
    check(stream !== streams.at(-1), "then it connects");
  }
});

test("live: failures wait longer and longer, an event begins anew", async () => {
  const { m, streams, time, statuses, onStatus } = client({
    open: (_, n) => n === 4 ? undefined : problem(502),
  });
  shown(m.live("/v1/a", { onStatus }));
  await time.advance(1500 + 2500 + 4500);
  equal(streams.length, 4);
  streams[3].write("retry: 2000\n\n");
  streams[3].event("current", {}, '"0"');
  await time.advance(0);
  streams[3].cut();
  await time.advance(0);
  equal(statuses.map((each) => each.at(-1)), [1500, 2500, 4500, "live", 3000]);
});

test("live: 45 seconds without a byte are a broken connection", async () => {
  const { m, streams, time } = client();
  shown(m.live("/v1/a"));
  await time.advance(44_000);
  streams[0].write(":\n\n");
  await time.advance(44_999);
  equal(streams.length, 1);
  await time.advance(1 + 1500);
  equal(streams.length, 2);
  check(streams[0].isCancelled, "the old one is given up");
});

test("live: a machine that has slept notices it within seconds", async () => {
  const { m, streams, time } = client({ open: (_, n) => n === 2 ? problem(502) : undefined });
  shown(m.live("/v1/a"));
  await time.advance(0);
  time.sleep(3_600_000);
  await time.advance(5000 + 1500);
  equal(streams.length, 2, "the connection was broken");
  time.sleep(3_600_000);
  await time.advance(5000);
  equal(streams.length, 3, "and the waiting is over");
});

test("live: a network that is back, or a page that is shown, shortens the waiting", async () => {
  const { m, streams, time } = client({ open: () => problem(502) });
  shown(m.live("/v1/a"));
  await time.advance(120_000);
  for (const name of ["online", "focus", "pageshow"]) {
    const before = streams.length;
    happen(name);
    await time.advance(0);
    equal(streams.length, before + 1, name);
  }
});

test("live: consumers share one connection, and a slow one sees the newest state", async () => {
  const { m, streams, time, requests } = client();
  const live = m.live("/v1/a"), fast = shown(live), iterator = live[Symbol.asyncIterator]();
  equal((await iterator.next()).value, { n: 0 });
  let release;
  const slow = [];
  live.subscribe((state) => {
    slow.push(state.n);
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  for (let n = 1; n <= 5; n++) {
    await time.advance(0);
    streams[0].event("result", { n }, `"${n}"`);
  }
  await time.advance(0);
  equal(fast.map(({ n }) => n), [0, 1, 2, 3, 4, 5]);
  release();
  await time.advance(0);
  equal(slow, [0, 5]);
  equal((await iterator.next()).value, { n: 5 });
  check(live.state === fast.at(-1), "one object for all");
  equal(requests.length, 2);
});

test("live: the connection ends with the last consumer", async () => {
  const { m, streams, time } = client();
  const live = m.live("/v1/a");
  const leave = live.subscribe(() => {});
  equal(await take(1, live), [{ n: 0 }]);
  await time.advance(0);
  check(!streams[0].isCancelled, "one is left");
  leave();
  await time.advance(0);
  check(streams[0].isCancelled, "none is left");
  equal(await take(2, live), [{ n: 0 }], "the last state stays");
  equal(time.pending, 0);
  const other = m.live("/v1/a"), stop = new AbortController();
  const third = m.live("/v1/a", { signal: stop.signal });
  await time.advance(0);
  other.close();
  stop.abort();
  await time.advance(0);
  check(streams[1].isCancelled && streams[2].isCancelled, "close and a signal end it as well");
  equal(time.pending, 0);
  equal(await take(2, third), [{ n: 0 }]);
});

test("live: a delta that does not fit makes it ask for the whole result", async () => {
  const bad = [
    (s) => s.event("delta", { ops: [["-", 7]] }, '"1"'),
    (s) => s.event("delta", { ops: "x" }, '"1"'),
    (s) => s.event("delta", { ops: [null] }, '"1"'),
  ];
  const { m, streams, time, statuses, onStatus } = client({
    get: () => json({ items: [] }, { ETag: '"0"' }),
  });
  const states = shown(m.live("/v1/a", { deltas: true, onStatus }));
  await time.advance(0);
  for (const lie of bad) {
    const stream = streams.at(-1);
    lie(stream);
    await time.advance(0);
    equal(statuses.at(-1)[1], "martlet:delta");
    await time.advance(60_000);
    equal(streams.at(-1).request.headers["last-event-id"], undefined);
    streams.at(-1).event("result", { items: [{ id: 1 }] }, '"2"');
    await time.advance(0);
  }
  equal(states, [{ items: [] }, { items: [{ id: 1 }] }], "an equal result is no new state");
});

test("live: garbage is a broken connection, and the last ID counts", async () => {
  const garbage = [
    "data: {\nevent: result\nid: 9\n\n",
    "data: null\nevent: result\nid: 9\n\n",
    "data: 1\nevent: delta\nid: 9\n\n",
    "event: bye\ndata: x\n\n",
    "event: problem\ndata: []x\n\n",
  ];
  const { m, streams, time } = client();
  const states = shown(m.live("/v1/a"));
  await time.advance(0);
  for (const text of garbage) {
    streams.at(-1).write(text);
    await time.advance(0);
    await time.advance(60_000);
    equal(streams.at(-1).request.headers["last-event-id"], '"0"', text);
  }
  streams.at(-1).write(
    'event: unknown\ndata: {}\n\nevent: result\ndata: {"n":1}\nid: \u{1F423}\n\n',
  );
  await time.advance(0);
  streams.at(-1).cut();
  await time.advance(60_000);
  equal(streams.at(-1).request.headers["last-event-id"], undefined, "an impossible ID");
  equal(states, [{ n: 0 }, { n: 1 }]);
});

test("live: a page in place of a stream is a broken connection", async () => {
  const page = () => new Response("<html>\n\n", { headers: { "Content-Type": "text/html" } });
  const { m, streams, time, statuses, onStatus } = client({
    open: (_, n) => n < 3 ? page() : undefined,
  });
  shown(m.live("/v1/a", { onStatus }));
  await time.advance(10_000);
  equal(streams.length, 3);
  equal(statuses, [["waiting", 1500], ["waiting", 2500]]);
});

test("live: refusals end it", async () => {
  for (const status of [400, 403, 404, 422]) {
    const first = client({ get: () => problem(status, { type: "/problems/x" }) });
    const states = shown(first.m.live("/v1/a"));
    await first.time.advance(0);
    equal(states.map((error) => [error.type, error.status]), [["/problems/x", status]]);
    await rejects(take(1, first.m.live("/v1/a")), { status });
  }
  const { m, time, streams } = client({ open: () => problem(401) });
  const states = shown(m.live("/v1/a"));
  await time.advance(0);
  equal([states.length, states[1].status, streams.length], [2, 401, 1]);
});

test("live: a deleted item is null, and the end", async () => {
  const { m, streams, time } = client();
  const states = take(9, m.live("/v1/a"));
  await time.advance(0);
  streams[0].event("gone", {});
  equal(await states, [{ n: 0 }, null]);
  const late = client({ open: (_, n) => n > 1 ? problem(404) : undefined });
  const others = take(9, late.m.live("/v1/a"));
  await late.time.advance(0);
  late.streams[0].cut();
  await late.time.advance(60_000);
  equal(await others, [{ n: 0 }, null], "deleted while there was no connection");
});

test("live: a query that fails says so, and goes on", async () => {
  const { m, streams, time, statuses, onStatus } = client();
  const states = shown(m.live("/v1/a", { onStatus }));
  await time.advance(0);
  streams[0].event("problem", {
    type: "/problems/query-timeout",
    title: "Query timeout",
    status: 503,
  });
  streams[0].event("result", { n: 1 }, '"1"');
  await time.advance(0);
  equal(statuses.filter(([status]) => status === "problem"), [[
    "problem",
    "/problems/query-timeout",
  ]]);
  equal(states, [{ n: 0 }, { n: 1 }]);
});

test("live: several queries move in one step", async () => {
  for (const deltas of [false, true]) {
    const { m, streams, time, requests } = client();
    const states = shown(m.live({ a: "/v1/a?x=1&y=2", b: "/v1/b" }, { deltas }));
    await time.advance(0);
    equal(requests.map(({ url }) => url), [
      `/v1/live?a=%2Fv1%2Fa%3Fx%3D1%26y%3D2&b=%2Fv1%2Fb&deltas=${deltas}`,
    ]);
    const whole = (value) => deltas ? { result: value } : value;
    streams[0].event("result", { a: whole({ n: 1 }), b: whole({ items: [{ id: 1 }] }) }, "1.1");
    await time.advance(0);
    streams[0].event("result", { a: deltas ? { set: { n: 2 } } : { n: 2 } }, "2.1");
    await time.advance(0);
    streams[0].event("result", { b: null }, "2.gone");
    await time.advance(0);
    equal(states, [{ a: { n: 1 }, b: { items: [{ id: 1 }] } }, {
      a: { n: 2 },
      b: { items: [{ id: 1 }] },
    }, { a: { n: 2 }, b: null }]);
    check(states[0].b === states[1].b, "what has not changed is the same object");
    streams[0].event("result", { c: whole({}) }, "3");
    await time.advance(60_000);
    equal(streams[1].request.headers["last-event-id"], undefined, "an unknown query");
  }
});

test("live: a number that is not exact ends it", async () => {
  const { m, streams, time } = client();
  const states = shown(m.live("/v1/a"));
  await time.advance(0);
  streams[0].write('event: result\nid: "1"\ndata: {"id":9007199254740993}\n\n');
  await until("the error", async () => {
    await time.advance(0);
    return states.length === 2;
  });
  equal(states[1].type, "martlet:unsafe-number");
});

test("changes: pages go on behind the last one, and an expired feed is an error", async () => {
  const { m, streams, time } = client({
    open: (_, n) => n === 3 ? problem(410, { type: "/problems/feed-expired" }) : undefined,
  });
  const pages = [];
  const read = (async () => {
    for await (const page of m.changes({ since: "t0", kind: "list" })) pages.push(page);
  })();
  const expired = rejects(read, { status: 410, type: "/problems/feed-expired" });
  await time.advance(0);
  equal(streams[0].request.url, "/v1/changes?kind=list");
  equal(streams[0].request.headers["last-event-id"], "t0");
  streams[0].event("changes", { items: [{ id: 1 }], next: "t1", more: true }, "t1");
  await time.advance(0);
  streams[0].event("problem", { type: "/problems/internal", title: "Internal error", status: 500 });
  await time.advance(10_000);
  equal(streams[1].request.headers["last-event-id"], "t1");
  streams[1].event("changes", { items: [], next: "t2", more: false }, "t2");
  await time.advance(0);
  streams[1].cut();
  await time.advance(10_000);
  await expired;
  equal(streams[2].request.headers["last-event-id"], "t2");
  equal(pages.map(({ next }) => next), ["t1", "t2"]);
  const during = client(), reading = take(1, during.m.changes());
  await during.time.advance(0);
  during.streams[0].event("problem", {
    type: "/problems/feed-expired",
    title: "Feed expired",
    status: 410,
  });
  await rejects(reading, { status: 410 });
});

test("changes: nothing is read while the consumer works, and that is not silence", async () => {
  const { m, streams, time } = client();
  const iterator = m.changes();
  const first = iterator.next();
  await time.advance(0);
  streams[0].event("changes", { items: [], next: "t1", more: false }, "t1");
  equal((await first).value.next, "t1");
  await time.advance(3_600_000);
  equal([streams.length, time.pending], [1, 0]);
  const second = iterator.next();
  streams[0].event("changes", { items: [], next: "t2", more: false }, "t2");
  equal((await second).value.next, "t2");
  await iterator.return();
  check(streams[0].isCancelled, "the connection is given up");
});
