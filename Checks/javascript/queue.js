// The offline queue, with a server and a time that the tests make up.

import { Martlet, memoryStorage } from "../../App/martlet.js";
import { fakeFetch, json, problem } from "./fake.js";
import { check, equal, pause, rejects, test } from "./harness.js";
import { FakeTime, happen } from "./time.js";

const HOUR = 3_600_000;
export const broken = () => {
  throw new TypeError("fetch failed");
};
export const created = (id, body = {}) =>
  json({ id, ...body }, { status: 201, Location: `/v1/reminders/${id}` });

/** A queue whose requests `answer(request, number)` answers; `/v1/whoami` does not count. */
export function queueOf(
  answer,
  { storage = memoryStorage(), time = new FakeTime(), ...options } = {},
) {
  const requests = [], settled = [], statuses = [];
  const { fetch } = fakeFetch(async (request) => {
    if (request.url === "/v1/whoami") return options.whoami?.(request) ?? json({ keyID: null });
    requests.push(request);
    return answer(request, requests.length);
  });
  const m = new Martlet({ fetch, ...time.options(), key: options.key });
  const onSettled = ({ entry, problem }) => settled.push([entry.operations[0].path, problem?.type]);
  const onStatus = (status, error, ms) => statuses.push([error?.type, ms]);
  const queue = m.queue({ storage, onSettled, onStatus, ...options });
  return { m, queue, requests, settled, statuses, time, storage };
}

test("queue: entries are sent in order, one at a time", async () => {
  let open = 0, most = 0;
  const { queue, requests, time } = queueOf(async () => {
    most = Math.max(most, ++open);
    await pause(1);
    open--;
    return created(requests.length);
  });
  const entries = [];
  for (let n = 1; n <= 5; n++) entries.push(await queue.post("/v1/reminders", { title: `${n}` }));
  await time.flow(queue.idle());
  equal(requests.map(({ body }) => body.title), ["1", "2", "3", "4", "5"]);
  equal(most, 1);
  for (const [index, entry] of entries.entries()) {
    equal(await entry.done, { id: index + 1 });
    equal(requests[index].headers["idempotency-key"], entry.name);
    equal(requests[index].body.uid, entry.name, "a new reminder has a uid of the client");
  }
  equal(await queue.entries(), []);
});

test("queue: what waits survives a restart, with its key", async () => {
  const storage = memoryStorage(), time = new FakeTime();
  const first = queueOf(broken, { storage, time });
  const entry = await first.queue.post("/v1/lists", { title: "Home" });
  await first.queue.patch("/v1/lists/1", { title: "x" });
  await time.advance(0);
  first.queue.close();
  const second = queueOf(
    async ({ url }) =>
      url === "/v1/batch" ? json({ results: [{ status: 200, body: { id: 1 } }] }) : created(1),
    { storage, time },
  );
  await time.flow(second.queue.idle());
  equal(second.requests.map(({ url }) => url), ["/v1/lists", "/v1/batch"]);
  equal(second.requests[0].headers["idempotency-key"], entry.name);
  equal(second.requests[0].body, first.requests[0].body, "the same body");
  equal(first.requests.length, 1);
});

test("queue: an entry waits from 2 s to 5 min, and keeps the others waiting", async () => {
  const { queue, requests, statuses, time } = queueOf(async (_, n) =>
    n < 11 ? problem(500) : created(1)
  );
  await queue.post("/v1/reminders", { title: "1" });
  await queue.post("/v1/reminders", { title: "2" });
  await time.flow(queue.idle(), 5000);
  equal(requests.map(({ body }) => body.title), [...Array(11).fill("1"), "2"]);
  equal(statuses.map(([, ms]) => ms / 1000), [3, 5, 9, 17, 33, 65, 129, 151, 151, 151]);
});

test("queue: Retry-After is obeyed, a network that is back is used", async () => {
  const { queue, requests, time } = queueOf(async (_, n) =>
    n === 1 ? problem(429, {}, { "Retry-After": "600" }) : n === 2 ? problem(502) : created(1)
  );
  await queue.post("/v1/reminders", {});
  await time.advance(0);
  happen("online");
  await time.advance(599_999);
  equal(requests.length, 1);
  await time.advance(1);
  equal(requests.length, 2);
  happen("online");
  await time.flow(queue.idle());
  equal(requests.length, 3);
});

test("queue: without a server no write is sent, so its outcome stays known", async () => {
  let isThere = false;
  const whoami = () => isThere ? json({}) : broken();
  const { queue, requests, time, storage } = queueOf(
    async () => json({ results: [{ status: 200, body: {} }] }),
    { whoami },
  );
  await queue.patch("/v1/reminders/1", { status: "completed" });
  await time.advance(72 * HOUR);
  equal(requests, []);
  equal((await storage.all())[0].sent, undefined);
  isThere = true;
  await time.flow(queue.idle(), 10_000);
  equal(requests.length, 1);
});

test("queue: what the server refuses leaves the queue, with its text", async () => {
  const { queue, requests, settled, time, storage } = queueOf(async ({ body }) =>
    body.title === "bad"
      ? problem(422, {
        type: "/problems/invalid-body",
        errors: [{ pointer: "/title", detail: "x" }],
      })
      : created(1)
  );
  const bad = await queue.post("/v1/reminders", { title: "bad" });
  const good = await queue.post("/v1/reminders", { title: "good" });
  await time.flow(queue.idle());
  const error = await rejects(bad.done, {
    name: "MartletProblem",
    status: 422,
    type: "/problems/invalid-body",
  });
  equal(error.errors[0].pointer, "/title");
  equal(await good.done, { id: 1 });
  equal(settled, [["/v1/reminders", "/problems/invalid-body"], ["/v1/reminders", undefined]]);
  const [entry, ...others] = await queueOf(broken, { storage }).queue.entries();
  equal([entry.operations[0].body.title, entry.problem.status, others.length], ["bad", 422, 0]);
  await queue.forget(entry);
  equal([(await queue.entries()).length, requests.length], [0, 2]);
});

test("queue: a key that is not valid any more loses nothing", async () => {
  const key = "mk_1";
  const { queue, requests, time } = queueOf(async ({ headers }) => created(1), {
    key: () => key,
    whoami: ({ headers }) =>
      headers.authorization === "Bearer mk_1" && time.now < 1_800_000_100_000
        ? problem(401)
        : json({}),
  });
  await queue.post("/v1/reminders", {});
  await time.advance(50_000);
  equal(requests.length, 0);
  await time.flow(queue.idle(), 5000);
  equal(requests.length, 1);
});

test("queue: a write that is refused for its key waits as well", async () => {
  const { queue, requests, time } = queueOf(async (_, n) => n === 1 ? problem(401) : created(1));
  await queue.post("/v1/reminders", {});
  await time.flow(queue.idle());
  equal(requests.length, 2);
});

test("queue: after an answer that nothing was done, the outcome is known", async () => {
  const { queue, requests, storage, time } = queueOf(async (_, n) =>
    n === 1 ? problem(503, {}, { "Retry-After": "60" }) : broken()
  );
  await queue.post("/v1/reminders/1/skip");
  await time.advance(30_000);
  equal([requests.length, (await storage.all())[0].sent], [1, undefined]);
  await time.advance(31_000);
  const { sent } = (await storage.all())[0];
  check(sent > 0, "it may have been done");
  await time.advance(3_600_000);
  check(requests.length > 3, "it was sent again");
  equal((await storage.all())[0].sent, sent, "the first time counts");
});

test("queue: it is bounded", async () => {
  const { queue } = queueOf(broken, { limit: 3 });
  for (let n = 0; n < 3; n++) await queue.post("/v1/reminders", {});
  await rejects(queue.post("/v1/reminders", {}), { type: "martlet:queue-full", status: 400 });
});

test("queue: an entry refers to what an earlier one creates, also after a restart", async () => {
  const storage = memoryStorage(), time = new FakeTime();
  const first = queueOf(broken, { storage, time });
  const list = await first.queue.post("/v1/lists", { title: "Home" });
  await first.queue.post(`/v1/lists/${list}/reminders`, { title: "Paint" });
  await first.queue.post("/v1/reminders", { listID: list, title: "Sweep" });
  first.queue.close();
  const answer = async (_, n) => created(6 + n);
  const second = queueOf(answer, { storage, time });
  await time.flow(second.queue.idle());
  equal(second.requests.map(({ url }) => url), [
    "/v1/lists",
    "/v1/lists/7/reminders",
    "/v1/reminders",
  ]);
  equal(second.requests[2].body.listID, 7);
  second.queue.close();
  const third = queueOf(async () => json({ results: [{ status: 200, body: { id: 7 } }] }), {
    storage,
    time,
  });
  await third.queue.patch(`/v1/lists/${list}`, { title: "House" });
  await time.flow(third.queue.idle());
  equal(third.requests[0].body.operations[0].path, "/v1/lists/7");
});

test("queue: what refers to something refused is refused, with its text", async () => {
  const { queue, requests, time } = queueOf(async ({ url }) =>
    problem(url === "/v1/lists" ? 422 : 400)
  );
  const list = await queue.post("/v1/lists", { title: "" });
  const entry = await queue.post(`/v1/lists/${list}/reminders`, { title: "Paint" });
  await time.flow(queue.idle());
  await rejects(entry.done, { status: 400 });
  equal(requests[1].url, `/v1/lists/{${list.name}}/reminders`);
  equal((await queue.entries()).map(({ operations }) => operations[0].body.title), ["", "Paint"]);
});

test("queue: what belongs together is one batch", async () => {
  const { queue, requests, time } = queueOf(async ({ url, body }) =>
    url === "/v1/batch"
      ? json({
        results: body.operations.map(({ name }, i) => ({
          name,
          status: 201,
          location: `/v1/lists/${i + 3}`,
          body: { id: i + 3 },
        })),
      })
      : created(9)
  );
  let list;
  const entry = await queue.batch((b) => {
    list = b.post("/v1/lists", { title: "Home" });
    b.post(`/v1/lists/${list}/reminders`, { title: "Paint" });
  });
  await queue.post(`/v1/lists/${list}/reminders`, { title: "later" });
  await time.flow(queue.idle());
  equal(requests.map(({ url }) => url), ["/v1/batch", "/v1/lists/3/reminders"]);
  equal(requests[0].headers["idempotency-key"], entry.name);
  equal(requests[0].body.operations[1].path, `/v1/lists/{${list.name}}/reminders`);
  equal((await entry.done).named[list.name].body.id, 3);
});

test("queue: a lost answer is asked for with the same key", async () => {
  const { queue, requests, time } = queueOf(async (_, n) => n < 3 ? broken() : created(1));
  const entry = await queue.post("/v1/reminders/1/skip");
  await time.flow(queue.idle());
  equal(requests.map(({ headers }) => headers["idempotency-key"]), Array(3).fill(entry.name));
});

/** The feed of a server that has one reminder with `uid`. */
const feed = (uid) => ({ url }) =>
  url.includes("since=")
    ? json({
      items: [{ kind: "reminder", id: 5, version: 2, item: { id: 5, uid } }],
      next: "b",
      more: false,
    })
    : json({
      items: [{ kind: "list", id: 1, version: 1, item: { id: 1, uid: "l" } }],
      next: "a",
      more: true,
    });

test("queue: a uid that exists after a lost answer was created by the entry", async () => {
  let uid;
  const { queue, requests, time } = queueOf(async (request, n) => {
    if (request.method === "GET") return feed(uid)(request);
    uid = request.body.uid;
    return n === 1 ? broken() : problem(409, { type: "/problems/uid-exists" });
  });
  const entry = await queue.post("/v1/reminders", { title: "Milk" });
  await time.flow(queue.idle());
  equal(await entry.done, { id: 5, uid });
  equal(requests.map(({ method }) => method), ["POST", "POST", "GET", "GET"]);
  const other = queueOf(async () => problem(409, { type: "/problems/uid-exists" }));
  const second = await other.queue.post("/v1/reminders", { title: "Milk", uid: "mine" });
  await other.time.flow(other.queue.idle());
  await rejects(second.done, { type: "/problems/uid-exists" });
});

test("queue: after the life of stored answers, the feed is searched first", async () => {
  for (const isStored of [true, false]) {
    let uid, isDown = false;
    const { queue, requests, time } = queueOf(async (request) => {
      if (request.method === "GET") return feed(isStored ? uid : "other")(request);
      uid = request.body.uid;
      isDown = !isDown;
      return isDown ? broken() : created(9);
    }, { whoami: () => isDown && time.now < 1_800_000_000_000 + 48 * HOUR ? broken() : json({}) });
    const entry = await queue.post("/v1/lists/1/reminders", { title: "Milk" });
    await time.flow(queue.idle(), 600_000);
    equal((await entry.done).id, isStored ? 5 : 9);
    equal(requests.filter(({ method }) => method === "POST").length, isStored ? 1 : 2);
  }
});

/** The outcome of an entry whose answer was lost two days ago, and the requests that were sent. */
async function lateOutcome(
  add,
  answer = () => json({ results: [{ status: 200, body: { id: 1 } }] }),
) {
  const start = 1_800_000_000_000;
  let isLost = true;
  const { queue, requests, time } = queueOf(async (request) => {
    if (!isLost) return answer(request);
    isLost = false;
    return broken();
  }, { whoami: () => isLost || time.now > start + 48 * HOUR ? json({}) : broken() });
  const entry = await add(queue);
  await time.flow(queue.idle(), 600_000);
  return [await entry.done.then(() => "done", ({ type }) => type), requests.length];
}

test("queue: what makes repeating safe after the life of stored answers", async () => {
  equal(await lateOutcome((q) => q.patch("/v1/reminders/1", { title: "x" })), ["done", 2]);
  equal(await lateOutcome((q) => q.put("/v1/reminders/1/tags/a"), () => json({})), ["done", 2]);
  equal(await lateOutcome((q) => q.delete("/v1/reminders/1"), () => problem(404)), ["done", 2]);
  equal(
    await lateOutcome(
      (q) => q.patch("/v1/reminders/1", { status: "completed" }, { ifMatch: '"e"' }),
      () =>
        problem(422, { type: "/problems/batch-failed", cause: "/problems/precondition-failed" }),
    ),
    ["/problems/batch-failed", 2],
  );
  equal(await lateOutcome((q) => q.patch("/v1/reminders/1", { status: "completed" })), [
    "martlet:outcome-unknown",
    1,
  ]);
  equal(await lateOutcome((q) => q.post("/v1/reminders/1/skip")), ["martlet:outcome-unknown", 1]);
  equal(await lateOutcome((q) => q.batch((b) => b.post("/v1/reminders/1/skip"))), [
    "martlet:outcome-unknown",
    1,
  ]);
});

test("queue: a DELETE that finds nothing at first is refused", async () => {
  const { queue, time } = queueOf(async () => problem(404, { type: "/problems/not-found" }));
  const entry = await queue.delete("/v1/reminders/1");
  await time.flow(queue.idle());
  await rejects(entry.done, { status: 404 });
});

test("queue: a write with ifMatch is a batch of one, which has a key", async () => {
  const { queue, requests, time } = queueOf(async () => json({ results: [{ status: 204 }] }));
  const entry = await queue.put("/v1/lists/order", { ids: [2, 1] }, { ifMatch: '"e"' });
  await time.flow(queue.idle());
  equal([requests[0].url, requests[0].headers["idempotency-key"]], ["/v1/batch", entry.name]);
  equal(requests[0].body.operations[0].ifMatch, '"e"');
});
