// The offline queue in browsers: IndexedDB, and several tabs.

import { indexedDBStorage, Martlet } from "../../App/martlet.js";
import { fakeFetch, json } from "./fake.js";
import { equal, pause, test, until } from "./harness.js";
import { broken, created, queueOf } from "./queue.js";

test("queue: two tabs have one sender, and both hear of the outcome", async ({ isPage }) => {
  if (!isPage) return;
  const name = `test ${Math.random()}`;
  let open = 0, most = 0, count = 0;
  const answer = async () => {
    most = Math.max(most, ++open);
    await pause(10);
    open--;
    return created(++count);
  };
  const { fetch, requests } = fakeFetch((request) =>
    request.url === "/v1/whoami" ? json({}) : answer()
  );
  const heard = [[], []];
  const tabs = heard.map((events) =>
    new Martlet({ fetch }).queue({
      storage: indexedDBStorage(name),
      onSettled: ({ entry }) => events.push(entry.operations[0].body.title),
    })
  );
  const done = [];
  for (let n = 0; n < 20; n++) {
    const entry = await tabs[n % 2].post("/v1/reminders", { title: String(n) });
    done.push(entry.done);
  }
  await Promise.all(done);
  await until("both tabs know", () => heard.every((events) => events.length === 20));
  equal(most, 1);
  const titles = Array.from({ length: 20 }, (_, n) => String(n));
  equal(requests.filter(({ method }) => method === "POST").map(({ body }) => body.title), titles);
  for (const tab of tabs) tab.close();
});

test("queue: IndexedDB keeps what waits", async ({ isPage }) => {
  if (!isPage) return;
  const name = `test ${Math.random()}`, storage = indexedDBStorage(name);
  const first = queueOf(broken, { storage });
  const list = await first.queue.post("/v1/lists", { title: "Größe" });
  await first.queue.post("/v1/reminders", { listID: list });
  await until("the first attempt", async () => {
    await first.time.advance(0);
    return first.requests.length > 0;
  });
  first.queue.close();
  const second = queueOf(async (_, n) => created(n), { storage: indexedDBStorage(name) });
  await second.time.flow(second.queue.idle());
  equal(second.requests.map(({ body }) => body.listID), [undefined, 1]);
  equal(second.requests[0].body.title, "Größe");
  equal(second.requests[0].headers["idempotency-key"], list.name);
  second.queue.close();
});
