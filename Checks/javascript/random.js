// Random commits: the state of live queries and of a copy by the feed is what GET gives.

import { withServer } from "./control.js";
import { equal, randomness, test, until } from "./harness.js";

const QUERIES = {
  all: "/v1/reminders?limit=500",
  title: "/v1/reminders?sort=-title&limit=20&total=true",
  flagged: "/v1/reminders?flagged=true&limit=500",
  lists: "/v1/lists?limit=500",
  tags: "/v1/tags?limit=500",
  stats: "/v1/stats",
};

/** One random change. Writers change what they have created, and no other's. */
async function change(m, random, known) {
  const below = (n) => Math.floor(random() * n), one = (values) => values[below(values.length)];
  const { id, list } = known.length > 0 ? one(known) : {};
  const kind = known.length < 20 ? 0 : known.length > 40 ? 4 : below(8);
  if (kind <= 2) {
    const list = 1 + below(3);
    const made = await m.post(`/v1/lists/${list}/reminders`, {
      title: `${below(50)} ${one(["ä", "🐣"])}`,
      isFlagged: below(2) === 0,
      tags: [one(["a", "b", "c"])],
    });
    known.push({ id: made.id, list });
  } else if (kind === 3) {
    await m.patch(`/v1/reminders/${id}`, { title: `${below(50)}`, isFlagged: below(2) === 0 });
  } else if (kind === 4) {
    known.splice(known.findIndex((each) => each.id === id), 1);
    await m.delete(`/v1/reminders/${id}?permanently=true`);
  } else if (kind === 5) await m.put(`/v1/reminders/${id}/tags/${one(["a", "b", "c"])}`);
  else if (kind === 6) await m.patch(`/v1/reminders/${id}`, { listID: list % 3 + 1 });
  else await m.patch(`/v1/reminders/${id}`, { status: one(["completed", "incomplete"]) });
}

test(
  "random: after many commits, every state is what GET gives",
  ({ control, commits, seed, isPage }) =>
    withServer(control, async (server) => {
      const direct = isPage ? server.client() : server.client({ url: server.direct });
      for (const title of ["Second", "Third"]) await direct.post("/v1/lists", { title });
      // Short waits: the point is what happens at each reconnect.
      const timers = { setTimeout: (done, ms) => setTimeout(done, ms / 20), clearTimeout };
      const m = server.client({ timers, now: () => Date.now() * 20 });
      const lives = [m.live(QUERIES, { deltas: true }), m.live(QUERIES)];
      // A browser has six connections to a host, and the writes need some.
      const single = isPage ? ["all"] : Object.keys(QUERIES);
      for (const name of single) lives.push(m.live(QUERIES[name], { deltas: true }));
      const last = [], stop = new AbortController(), copy = new Map();
      for (const [i, live] of lives.entries()) {
        live.subscribe((state) => {
          last[i] = state;
        }, (error) => {
          last[i] = error;
        });
      }
      const follow = async () => {
        for await (
          const { items } of m.changes({ limit: 7, kind: "reminder", signal: stop.signal })
        ) {
          for (const { id, item } of items) item ? copy.set(id, item) : copy.delete(id);
        }
      };
      follow().catch(() => {});
      let left = commits;
      const write = async (number) => {
        const random = randomness(seed + number), known = [];
        while (left-- > 0) {
          // In a page, the writes use the network that is cut. Then they are just other ones.
          await change(direct, random, known).catch((error) => {
            if (error.status !== 0) throw error;
          });
          if (random() < 1 / 200) await server.cut();
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, number) => write(number)));
      const wanted = {};
      for (const [name, path] of Object.entries(QUERIES)) wanted[name] = await direct.get(path);
      const all = [wanted, wanted, ...single.map((name) => wanted[name])];
      for (const [i, state] of all.entries()) {
        await until(
          `seed ${seed}: state ${i}`,
          () => last[i] && JSON.stringify(last[i]) === JSON.stringify(state),
        )
          .catch(() => equal(last[i], state, `seed ${seed}: state ${i}`));
      }
      const reminders = new Map(wanted.all.items.map((item) => [item.id, item]));
      await until(`seed ${seed}: the copy`, () => copy.size === reminders.size)
        .catch(() => equal([...copy.keys()].sort(), [...reminders.keys()].sort()));
      for (const [id, item] of reminders) {
        equal(copy.get(id), item, `seed ${seed}: reminder ${id} of the copy`);
      }
      for (const live of lives) {
        live.close();
      }
      stop.abort();
    }),
  { seconds: 900 },
);
