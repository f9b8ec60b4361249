// Uses of the client that must compile, and uses that must not. `deno check` reads this file.

// @ts-types="../../App/martlet.d.ts"
import {
  applyDelta,
  indexedDBStorage,
  Martlet,
  MartletProblem,
  memoryStorage,
  parseEvents,
} from "../../App/martlet.js";
import type {
  Alarm,
  NewReminder,
  Reminder,
  ReminderPage,
  RemindersList,
  Stats,
} from "../../App/martlet.d.ts";

export async function requests(m: Martlet) {
  const page = await m.get<ReminderPage>("/v1/reminders");
  const title: string = page.items[0].title;
  const due: string | null = page.items[0].dueDate;
  // @ts-expect-error: answers are frozen
  page.items[0].title = "x";
  // @ts-expect-error: so are their arrays
  page.items.push();
  const body: NewReminder = {
    title,
    tags: ["a"],
    priority: "high",
    alarms: [{ offset: "-PT10M" }],
  };
  // @ts-expect-error: there is no such priority
  const wrong: NewReminder = { title, priority: "urgent" };
  const { etag, status } = await m.request<Reminder>("GET", "/v1/reminders/1");
  if (etag) await m.patch<Reminder>("/v1/reminders/1", body, { ifMatch: etag });
  const answer = await m.batch((b) => {
    const list = b.post("/v1/lists", { title: "Home" }, { name: "home" });
    b.post(`/v1/lists/${list}/reminders`, { title });
  });
  return [due, wrong, status, answer.named.home.body, answer.results[0].location];
}

export async function live(m: Martlet) {
  for await (const state of m.live<ReminderPage>("/v1/reminders", { deltas: true })) {
    const first: string | undefined = state?.items[0]?.title;
    console.log(first);
  }
  const both = m.live<{ open: ReminderPage; stats: Stats }>({
    open: "/v1/reminders",
    stats: "/v1/stats",
  });
  const leave: () => void = both.subscribe(({ stats }) => console.log(stats?.open), console.error);
  leave();
  const alarms: number | undefined = m.live<Alarm>("/v1/alarms/1").state?.reminderID;
  // @ts-expect-error: a path for each name
  m.live<{ open: ReminderPage }>({ other: "/v1/reminders" });
  for await (const { items, next, more } of m.changes({ since: "x", open: true })) {
    const id: number | undefined = items[0]?.id;
    console.log(id, next, more, alarms);
  }
}

export async function queue(key: () => Promise<string>) {
  const m = new Martlet({ url: "https://todo.example.org", key });
  const queue = m.queue({
    storage: indexedDBStorage("todo"),
    onSettled: ({ problem }) => console.log(problem?.type),
  });
  const list = await queue.post<RemindersList>("/v1/lists", { title: "Home" });
  await queue.post(`/v1/lists/${list}/reminders`, { title: "Paint" });
  const { title } = await list.done;
  const [entry] = await queue.entries();
  await queue.forget(entry);
  try {
    await queue.idle();
  } catch (error) {
    if (error instanceof MartletProblem) console.log(error.type, error.errors?.[0].pointer, title);
  }
  m.queue({ storage: memoryStorage() }).close();
  // @ts-expect-error: a queue needs a storage
  m.queue({});
}

export async function parts(chunks: AsyncIterable<Uint8Array>) {
  for await (const { type, data, id } of parseEvents(chunks)) console.log(type, data, id);
  return applyDelta({ items: [{ id: 1 }] }, { ops: [["-", 1]] }).items.length;
}
