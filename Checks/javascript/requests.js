// Requests, with a server and a time that the tests make up.

import { Martlet, MartletProblem } from "../../App/martlet.js";
import { fakeFetch, json, problem } from "./fake.js";
import { check, equal, rejects, test } from "./harness.js";
import { FakeTime, happen } from "./time.js";

/** A client whose requests `answer(request, number)` answers. */
function client(answer, options) {
  const time = new FakeTime(), { fetch, requests } = fakeFetch(answer);
  return {
    time,
    requests,
    m: new Martlet({ url: "http://h", fetch, ...time.options(), ...options }),
  };
}

const broken = () => {
  throw new TypeError("fetch failed");
};

test("requests: methods, bodies and fields", async () => {
  const { m, requests } = client(
    async (request) =>
      request.method === "DELETE"
        ? new Response(null, { status: 204 })
        : json({ ok: [1] }, { ETag: '"e"', Location: "/v1/lists/1" }),
    { key: "mk_1" },
  );
  check(Object.isFrozen((await m.get("/v1/a")).ok), "answers are frozen");
  await m.post("/v1/a", { b: 1 }, { idempotencyKey: "k" });
  await m.put("/v1/a", { b: 2 }, { ifMatch: '"e"' });
  await m.patch("/v1/a", { b: 3 });
  equal(await m.delete("/v1/a", { ifMatch: "*" }), undefined);
  equal(await m.request("POST", "/v1/a"), {
    status: 200,
    body: { ok: [1] },
    etag: '"e"',
    location: "/v1/lists/1",
  });
  equal(requests.map(({ method, body }) => [method, body]), [
    ["GET", undefined],
    ["POST", { b: 1 }],
    ["PUT", { b: 2 }],
    ["PATCH", { b: 3 }],
    ["DELETE", undefined],
    ["POST", undefined],
  ]);
  check(
    requests.every(({ headers }) => headers.authorization === "Bearer mk_1"),
    "the key is sent",
  );
  check(requests.every(({ url }) => url === "http://h/v1/a"), "the key is in no URL");
  equal(requests[1].headers["idempotency-key"], "k");
  equal(requests[1].headers["content-type"], "application/json");
  equal(requests[2].headers["if-match"], '"e"');
  equal(requests[4].headers["if-match"], "*");
  equal(requests[3].headers["idempotency-key"], undefined);
  check(
    /^[!-~]{16,255}$/.test(requests[5].headers["idempotency-key"]),
    "a POST has a key by itself",
  );
});

test("requests: a path cannot lead to another host", async () => {
  const { m, requests } = client(async () => json({}), { url: "", key: "mk_1" });
  for (
    const path of ["//evil.example/v1", "@evil.example/", ".evil.example/", "http://evil.example/"]
  ) {
    await rejects(m.get(path), { name: "TypeError" });
  }
  equal(requests.length, 0);
});

test("requests: a POST is repeated with the same key until there is an answer", async () => {
  const answers = [
    broken,
    () => problem(503, {}, { "Retry-After": "7" }),
    () => new Response("Bad Gateway", { status: 502 }),
    () => problem(500, { type: "/problems/outcome-unknown" }),
    () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
    () => problem(429, {}, { "Retry-After": "100" }),
    () => json({ id: 1 }, { status: 201 }),
  ];
  const { m, time, requests } = client(async (_, number) => answers[number - 1]());
  equal(await time.flow(m.post("/v1/a", { b: 1 }), 1000), { id: 1 });
  equal(requests.length, answers.length);
  equal(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size, 1, "one key");
});

test("requests: only what may be repeated is repeated", async () => {
  const once = async (method, answer, isRepeated) => {
    const { m, time, requests } = client(async (_, number) => number === 1 ? answer() : json({}));
    const sent = time.flow(m.request(method, "/v1/a", { body: method === "GET" ? undefined : {} }));
    if (isRepeated) await sent;
    else await rejects(sent, { name: "MartletProblem" });
    equal(requests.length, isRepeated ? 2 : 1, `${method} ${answer}`);
  };
  for (const method of ["GET", "POST"]) await once(method, broken, true);
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    await once(method, broken, false);
    await once(method, () => problem(503, {}, { "Retry-After": "1" }), true);
    await once(method, () => problem(503), false);
  }
  for (const status of [400, 403, 404, 409, 410, 412, 422, 500]) {
    await once("POST", () => problem(status), false);
  }
});

test("requests: exponential backoff with jitter, from 1 s to 1 min", async () => {
  for (
    const [random, waits] of [
      [0, [1, 1, 1, 1, 1, 1, 1, 1]],
      [1, [2, 4, 8, 16, 32, 60, 60, 60]],
      [0.5, [1.5, 2.5, 4.5, 8.5, 16.5, 30.5, 30.5, 30.5]],
    ]
  ) {
    const { m, time } = client(broken, { random: () => random });
    const times = [],
      options = { onStatus: (status, error, ms) => times.push([status, error.type, ms]) };
    const stop = new AbortController();
    const sent = m.post("/v1/a", {}, { ...options, signal: stop.signal });
    await time.advance(245_000);
    equal(times.slice(0, 8), waits.map((wait) => ["waiting", "martlet:network", wait * 1000]));
    stop.abort();
    await rejects(sent, { name: "AbortError" });
    equal(time.pending, 0, "no timer is left");
  }
});

test("requests: Retry-After has seconds or a date, and is obeyed", async () => {
  const wait = async (value) => {
    const { m, time, requests } = client(async (_, number) =>
      number > 1 ? json({}) : problem(429, {}, { "Retry-After": value() })
    );
    const sent = m.get("/v1/a"), start = time.now;
    await time.advance(1);
    happen("online");
    await time.flow(sent, 1000);
    equal(requests.length, 2);
    return Math.floor((time.now - start) / 1000);
  };
  equal(await wait(() => "30"), 30);
  const seconds = await wait(() => new Date(Date.now() + 20_000).toUTCString());
  check(seconds >= 18 && seconds <= 20, `a date 20 s from now, not ${seconds} s`);
});

test("requests: Retry-After is an hour at most", async () => {
  const { m, time } = client(async (_, number) =>
    number > 1 ? json({}) : problem(429, {}, { "Retry-After": "999999999" })
  );
  const start = time.now;
  await time.flow(m.get("/v1/a"), 300_000);
  equal((time.now - start) / 60_000, 60);
});

test("requests: a POST is given up before its answer could have been forgotten", async () => {
  const { m, time } = client(broken);
  const sent = m.post("/v1/a", {});
  const result = rejects(sent, { type: "martlet:network", status: 0 });
  await time.advance(23 * 3_600_000 + 120_000);
  await result;
});

test("requests: a server that is silent for two minutes does not answer", async () => {
  const { m, time } = client(() => new Promise(() => {}));
  const start = time.now;
  await rejects(time.flow(m.put("/v1/a", {}), 1000), { type: "martlet:network" });
  equal((time.now - start) / 1000, 120);
});

test("requests: a 401 asks for the key again, once", async () => {
  const asked = [];
  const key = async (refused) => {
    asked.push(refused);
    return `mk_${asked.length}`;
  };
  const right = client(
    async ({ headers }) => headers.authorization === "Bearer mk_2" ? json({}) : problem(401),
    { key },
  );
  await right.m.get("/v1/a");
  equal(asked, [undefined, "mk_1"]);
  asked.length = 0;
  const wrong = client(async () => problem(401, { type: "/problems/unauthorized" }), { key });
  await rejects(wrong.m.post("/v1/a", {}), { status: 401, type: "/problems/unauthorized" });
  equal(asked, [undefined, "mk_1"]);
  const none = client(async () => problem(401), {});
  await rejects(none.m.get("/v1/a"), { status: 401 });
  equal(none.requests.length, 1);
  const failing = client(async () => json({}), {
    key: async () => {
      throw new RangeError("no key");
    },
  });
  await rejects(failing.m.post("/v1/a", {}), { name: "RangeError" });
});

test("requests: problems have the members of the document", async () => {
  const document = {
    type: "/problems/invalid-body",
    title: "Invalid body",
    status: 422,
    detail: "The body is invalid.",
    instance: "urn:request:1",
    errors: [{ pointer: "/title", detail: "is required" }],
  };
  const { m } = client(async (request) =>
    request.url.endsWith("a") ? problem(422, document) : new Response("<html>", {
      status: 404,
      statusText: "Not Found",
      headers: { "Content-Type": "text/html" },
    })
  );
  const error = await rejects(m.post("/v1/a", {}), document);
  check(error instanceof MartletProblem && error instanceof Error, "it is an error");
  equal(error.message, "The body is invalid.");
  await rejects(m.get("/v1/b"), {
    type: "about:blank",
    status: 404,
    title: "Not Found",
    message: "Not Found",
  });
});

test("requests: signals end waiting and requests", async () => {
  const stop = new AbortController();
  const { m, requests } = client(() => new Promise(() => {}));
  const sent = m.put("/v1/a", {}, { signal: stop.signal });
  const other = m.post("/v1/a", {}, { signal: AbortSignal.abort(new RangeError("early")) });
  await rejects(other, { name: "RangeError" });
  stop.abort(new RangeError("enough"));
  await rejects(sent, { name: "RangeError" });
  equal(requests.length, 1);
  check(requests[0].signal.aborted, "the request was aborted");
});

test("requests: no listener is left on a signal", async () => {
  const { signal } = new AbortController(), listeners = new Set();
  signal.addEventListener = (_, listener) => listeners.add(listener);
  signal.removeEventListener = (_, listener) => listeners.delete(listener);
  const { m, time } = client(async (_, number) => number < 3 ? broken() : json({}));
  await time.flow(m.post("/v1/a", {}, { signal }));
  equal([listeners.size, time.pending], [0, 0]);
});

test("requests: a number that is not exact is an error, even for a POST", async () => {
  const { m, requests } = client(async () =>
    new Response('{"id":9007199254740993}', { headers: { "Content-Type": "application/json" } })
  );
  await rejects(m.get("/v1/a"), { type: "martlet:unsafe-number" });
  await rejects(m.post("/v1/a", {}), { type: "martlet:unsafe-number" });
  equal(requests.length, 2);
});

test("requests: a batch refers to what it creates", async () => {
  const { m, requests } = client(async ({ body }) =>
    json({
      results: body.operations.map(({ name }, index) => ({
        name,
        status: 201,
        body: { id: index + 1 },
      })),
    })
  );
  const { results, named } = await m.batch((b) => {
    const home = b.post("/v1/lists", { title: "Home" }, { name: "home" });
    b.post(`/v1/lists/${home}/reminders`, { title: "Paint" });
    b.post("/v1/reminders", { listID: home, title: "Sweep" });
    b.patch("/v1/reminders/7", { listID: home }, { ifMatch: '"e"' });
    b.delete("/v1/reminders/8");
  });
  equal(results.length, 5);
  equal(named.home.body.id, 1);
  const [first, second, third, fourth, fifth] = requests[0].body.operations;
  equal(first, { name: "home", method: "POST", path: "/v1/lists", body: { title: "Home" } });
  equal(second.path, "/v1/lists/{home}/reminders");
  equal(third.body, { listID: { $id: "home" }, title: "Sweep" });
  equal([fourth.method, fourth.ifMatch, fifth.method, fifth.body], [
    "PATCH",
    '"e"',
    "DELETE",
    undefined,
  ]);
});
