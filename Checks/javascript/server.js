// The client against a real server, which is killed and restarted behind a network that fails.

import { Martlet } from "../../App/martlet.js";
import { withServer } from "./control.js";
import { check, equal, rejects, take, test, until, within } from "./harness.js";

const titles = (state) => state.items.map(({ title }) => title);

test("server: writes, errors and conditional requests", ({ control }) =>
  withServer(control, async (server) => {
    const m = server.client();
    const made = await m.post("/v1/lists/1/reminders", { title: "Milk", tags: ["shopping"] });
    equal([made.title, made.tags], ["Milk", ["shopping"]]);
    const { etag } = await m.request("GET", `/v1/reminders/${made.id}`);
    await m.patch(`/v1/reminders/${made.id}`, { title: "Oat milk" }, { ifMatch: etag });
    await rejects(m.patch(`/v1/reminders/${made.id}`, { title: "x" }, { ifMatch: etag }), {
      status: 412,
      type: "/problems/precondition-failed",
    });
    await m.put(`/v1/reminders/${made.id}/tags/car`);
    equal((await m.get(`/v1/reminders/${made.id}`)).tags, ["car", "shopping"]);
    equal(await m.delete(`/v1/reminders/${made.id}`), undefined);
    await rejects(m.get(`/v1/reminders/${made.id}`), { status: 404, type: "/problems/not-found" });
    const error = await rejects(m.post("/v1/reminders", { title: "x", priority: "urgent" }), {
      status: 422,
    });
    equal(error.errors.map(({ pointer }) => pointer).sort(), ["/listID", "/priority"]);
    const again = { idempotencyKey: "one" };
    const first = await m.post("/v1/lists", { title: "Home" }, again);
    equal(await m.post("/v1/lists", { title: "Home" }, again), first, "done once");
    const { named } = await m.batch((b) => {
      const list = b.post("/v1/lists", { title: "Garden" }, { name: "garden" });
      b.post(`/v1/lists/${list}/reminders`, { title: "Rake" });
      b.post("/v1/reminders", { listID: list, title: "Sow" }, { name: "sow" });
    });
    equal(named.sow.body.listID, named.garden.body.id);
  }));

test("server: live queries follow every commit, also of other programs", ({ control }) =>
  withServer(control, async (server) => {
    const m = server.client();
    for (const deltas of [false, true]) {
      const live = m.live("/v1/reminders?sort=-createdAt", { deltas });
      const states = [];
      live.subscribe((state) => {
        states.push(state);
      });
      await until("the first state", () => states.length > 0);
      const { id } = await m.post("/v1/reminders", { listID: 1, title: "a" });
      await until("the new reminder", () => titles(states.at(-1))[0] === "a");
      const before = states.at(-1);
      await server.sql(`UPDATE reminders SET title = 'b' WHERE id = ${id}`);
      await until("the other program's change", () => titles(states.at(-1))[0] === "b");
      check(
        before.items.slice(1).every((row, i) => row === states.at(-1).items[i + 1]),
        "rows are shared",
      );
      live.close();
    }
  }));

test("server: nothing is missed between the GET and the stream", ({ control }) =>
  withServer(control, async (server) => {
    let between = async () => {};
    const m = server.client({
      fetch: async (url, init) => {
        if (init.headers.get("Accept") === "text/event-stream") await between();
        return fetch(url, init);
      },
    });
    between = () => server.client().post("/v1/reminders", { listID: 1, title: "in between" });
    equal((await take(2, m.live("/v1/reminders", { deltas: true }))).map(titles), [[], [
      "in between",
    ]]);
  }));

test("server: several queries move in one step", ({ control }) =>
  withServer(control, async (server) => {
    const m = server.client();
    for (const deltas of [false, true]) {
      const live = m.live({ open: "/v1/reminders?completed=false&limit=500", stats: "/v1/stats" }, {
        deltas,
      });
      let states = 0, last;
      live.subscribe((state) => {
        states++;
        last = state;
        equal(state.open.items.length, state.stats.open, "both are of one moment");
      }, (error) => {
        last = error;
      });
      await until("the first state", () => states > 0);
      for (let n = 0; n < 30; n++) await m.post("/v1/reminders", { listID: 1, title: `${n}` });
      const { open } = await m.get("/v1/stats");
      await until("the last state", () => last.stats?.open === open || last instanceof Error);
      check(!(last instanceof Error), String(last));
      live.close();
    }
  }));

test("server: a killed server is found again, without a gap", ({ control }) =>
  withServer(control, async (server) => {
    const m = server.client(), statuses = [];
    const live = m.live("/v1/reminders", {
      deltas: true,
      onStatus: (status) => statuses.push(status),
    });
    let last;
    live.subscribe((state) => {
      last = state;
    });
    await until("live", () => last);
    for (let n = 1; n <= 2; n++) {
      await server.kill();
      await until("it notices", () => statuses.at(-1) === "waiting");
      const sent = m.post("/v1/reminders", { listID: 1, title: `while it was down ${n}` });
      await server.restart();
      await sent;
      await until("the state", () => titles(last).includes(`while it was down ${n}`));
    }
    equal(titles(last), ["while it was down 1", "while it was down 2"], "done once each");
    await server.restart();
    await m.post("/v1/reminders", { listID: 1, title: "after bye" });
    await until("the state after a stop", () => titles(last).includes("after bye"));
    live.close();
  }));

test(
  "server: a network that is slow, cuts or stalls changes nothing in the end",
  ({ control }) =>
    withServer(control, async (server) => {
      // The waiting is a fiftieth, so that a stalled connection is noticed after about a second.
      const timers = { setTimeout: (done, ms) => setTimeout(done, ms / 50), clearTimeout };
      const m = server.client({ timers, now: () => Date.now() * 50 }), direct = server.client();
      for (const fault of [{ cut: 800 }, { stall: 800 }, { slow: 0.001 }]) {
        await server.network(fault);
        const live = m.live("/v1/reminders?limit=500", { deltas: true });
        let last;
        live.subscribe((state) => {
          last = state;
        }, (error) => {
          last = error;
        });
        for (let n = 0; n < 5; n++) {
          await m.post("/v1/reminders", { listID: 1, title: `${Object.keys(fault)} ${n}` });
        }
        await server.network({});
        const wanted = await direct.get("/v1/reminders?limit=500");
        await until("the last state", () => JSON.stringify(last) === JSON.stringify(wanted), 40);
        live.close();
      }
      equal(new Set(titles(await direct.get("/v1/reminders?limit=500"))).size, 15);
      equal((await direct.get("/v1/reminders?limit=500")).items.length, 15, "nothing is doubled");
    }),
  { seconds: 120 },
);

test("server: a deleted item is null", ({ control }) =>
  withServer(control, async (server) => {
    const m = server.client(), { id } = await m.post("/v1/lists", { title: "x" });
    const single = take(9, m.live(`/v1/lists/${id}`)), bundle = m.live({ list: `/v1/lists/${id}` });
    let last;
    bundle.subscribe((state) => {
      last = state;
    });
    await until("live", () => last);
    await m.delete(`/v1/lists/${id}`);
    equal((await single).at(-1), null);
    await until("null", () => last.list === null);
    bundle.close();
    await rejects(take(1, m.live(`/v1/lists/${id}`)), { status: 404 });
  }));

test("server: keys", ({ control }) =>
  withServer(control, async (server) => {
    const first = await server.key("--scope", "write"),
      second = await server.key("--scope", "write");
    await until(
      "the server knows the keys",
      async () => (await fetch(`${server.url}/v1/stats`)).status === 401,
    );
    await rejects(server.client().get("/v1/stats"), {
      status: 401,
      type: "/problems/unauthorized",
    });
    const keys = [first, second];
    const m = server.client({ key: async (refused) => keys.find((key) => key !== refused) });
    const live = m.live("/v1/reminders"),
      other = server.client({ key: first }).live("/v1/reminders");
    let last, refusal;
    live.subscribe((state) => {
      last = state;
    });
    other.subscribe(() => {}, (error) => {
      refusal = error;
    });
    await m.post("/v1/reminders", { listID: 1, title: "a" });
    await until("live", () => last?.items.length === 1);
    await server.sql("UPDATE apiKeys SET revokedAt = createdAt WHERE id = 1").catch(async () => {
      await server.sql("DELETE FROM apiKeys WHERE id = 1");
    });
    await until("the revoked key is refused", () => refusal?.status === 401);
    await m.post("/v1/reminders", { listID: 1, title: "b" });
    await until("the other key is used", () => last.items.length === 2);
    live.close();
  }));

test("server: the change feed, across restarts, cuts and expiry", ({ control }) =>
  withServer(control, async (server) => {
    const m = server.client(), copy = new Map();
    let next, reading, error;
    const follow = (since) => {
      const stop = new AbortController();
      reading = (async () => {
        for await (
          const page of m.changes({ since, limit: 2, kind: "reminder", signal: stop.signal })
        ) {
          for (const { id, item } of page.items) item ? copy.set(id, item.title) : copy.delete(id);
          next = page.next;
        }
      })().catch((thrown) => {
        error = thrown;
      });
      return stop;
    };
    for (let n = 1; n <= 5; n++) await m.post("/v1/reminders", { listID: 1, title: `${n}` });
    let stop = follow();
    await until("everything", () => copy.size === 5);
    await m.delete("/v1/reminders/2");
    await until("a deletion", () => copy.size === 4);
    await server.cut();
    await m.patch("/v1/reminders/1", { title: "x" });
    await until("a change after a cut", () => copy.get(1) === "x");
    stop.abort();
    await reading;
    await m.post("/v1/reminders", { listID: 1, title: "6" });
    await server.kill();
    stop = follow(next);
    await server.restart();
    await until("what has happened meanwhile", () => copy.get(6) === "6");
    stop.abort();
    await reading;
    follow("k3f9c1-9d2b-1050");
    await within(10, reading);
    equal([error.status, error.type], [410, "/problems/feed-expired"]);
  }));

test("server: lies in HTTP itself are no answers", async ({ control }) => {
  const timers = { setTimeout: (done, ms) => setTimeout(done, ms / 200), clearTimeout };
  for (const kind of ["silent", "headers", "half"]) {
    const m = new Martlet({
      url: `${control.base}/lies/${kind}`,
      timers,
      now: () => Date.now() * 200,
    });
    await rejects(m.put("/v1/a", {}), { type: "martlet:network" });
    const statuses = [],
      live = m.live("/v1/a", { onStatus: (status, error) => statuses.push(error?.type) });
    live.subscribe(() => {}, () => {});
    await until(kind, () => statuses.length > 1);
    equal(statuses[0], "martlet:network");
    live.close();
  }
});
