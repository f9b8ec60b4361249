// Three days without a network, on two devices: nothing is doubled, and nothing is lost.

import { Martlet, memoryStorage } from "../../App/martlet.js";
import { withServer } from "./control.js";
import { check, equal, randomness, test, until } from "./harness.js";
import { FakeTime } from "./time.js";

const DAY = 24 * 3_600_000;

/** A device whose network the test turns off, or makes lose requests and answers. */
class Device {
  storage = memoryStorage();
  time = new FakeTime();
  network = "on";

  constructor(url, random) {
    this.url = url;
    this.random = random;
    this.start();
  }

  /** The app is started, or started again with what it has stored. */
  start() {
    this.queue?.close();
    const m = new Martlet({
      url: this.url,
      ...this.time.options(this.random),
      fetch: (url, init) => this.#fetch(url, init),
    });
    this.queue = m.queue({ storage: this.storage });
  }

  async #fetch(url, init) {
    const fate = this.random();
    if (this.network === "off" || this.network === "bad" && fate < 0.2) {
      throw new TypeError("no network");
    }
    this.time.busy++;
    const response = await fetch(url, init).finally(() => {
      this.time.busy--;
    });
    // The server has done it, and the answer is lost.
    if (this.network === "deaf" && init.method !== "GET" || this.network === "bad" && fate > 0.7) {
      throw new TypeError("no answer");
    }
    return response;
  }
}

/** 50 writes: lists with reminders that refer to them, and changes of what was created. */
async function write({ queue }, name) {
  const reminders = [];
  for (let i = 0; i < 5; i++) {
    const list = await queue.post("/v1/lists", { title: `${name} ${i}` });
    for (let j = 0; j < 5; j++) {
      const body = { title: `${name} ${i}.${j}`, notes: "typed" };
      reminders.push(
        await (j % 2 === 0
          ? queue.post(`/v1/lists/${list}/reminders`, body)
          : queue.post("/v1/reminders", { listID: list, ...body })),
      );
    }
    const [first, second, third] = reminders.slice(-5);
    await queue.patch(`/v1/reminders/${first}`, { isFlagged: true });
    await queue.put(`/v1/reminders/${second}/tags/${name}`);
    await queue.delete(`/v1/reminders/${third}`);
    await queue.batch((b) => {
      const parent = b.post(`/v1/lists/${list}/reminders`, { title: `${name} ${i}.parent` });
      b.post("/v1/reminders", { parentID: parent, title: `${name} ${i}.child` });
    });
  }
  equal((await queue.entries()).length, 50);
}

test(
  "offline: three days without a network, two devices",
  ({ control, seed, isPage }) =>
    withServer(control, async (server) => {
      const url = isPage ? server.url : server.direct, m = new Martlet({ url });
      const names = ["left", "right"];
      const devices = names.map((_, number) => new Device(url, randomness(seed + number)));
      for (const device of devices) device.network = "off";
      for (const [i, device] of devices.entries()) await write(device, names[i]);

      // Just before the network is gone for good, the answers to some writes are lost.
      for (const [i, device] of devices.entries()) {
        await device.time.advance(600_000);
        device.network = i === 0 ? "bad" : "on";
        const some = until(
          "some are sent",
          async () => (await device.queue.entries()).length < 40,
          60,
        );
        await device.time.flow(some, 5000);
        device.network = "deaf";
        const count = async () =>
          (await m.get("/v1/stats")).all + (await m.get("/v1/lists?total=true")).total;
        const before = await count();
        await device.time.flow(
          until("one without an answer", async () => await count() > before, 60),
          5000,
        );
        device.network = "off";
      }

      for (const device of devices) {
        await device.time.advance(3 * DAY);
        device.start();
      }
      equal(await server.sql("SELECT count(*) > 0 FROM idempotentAnswers"), [[1]]);
      await server.sql("DELETE FROM idempotentAnswers");
      for (const device of devices) device.network = "bad";
      await Promise.all(devices.map((device) => device.time.flow(device.queue.idle(), 5000)));

      for (const device of devices) equal(await device.queue.entries(), [], "nothing was refused");
      const { items: lists } = await m.get("/v1/lists?limit=500");
      equal(lists.length, 1 + 10, `seed ${seed}: lists`);
      const { items } = await m.get("/v1/reminders?limit=500");
      const titles = items.map(({ title }) => title);
      equal(new Set(titles).size, titles.length, `seed ${seed}: nothing is doubled`);
      for (const name of names) {
        for (let i = 0; i < 5; i++) {
          const list = lists.find(({ title }) => title === `${name} ${i}`);
          const found = items.filter(({ listID }) => listID === list.id);
          const expected = [0, 1, 3, 4, "parent", "child"].map((part) => `${name} ${i}.${part}`);
          equal(
            found.map(({ title }) => title).sort(),
            expected.sort(),
            `seed ${seed}: nothing is lost`,
          );
          const [first, second, parent, child] = [0, 1, "parent", "child"].map((part) =>
            found.find(({ title }) => title === `${name} ${i}.${part}`)
          );
          check(first.isFlagged && second.tags.includes(name), "the changes are there");
          equal(child.parentID, parent.id);
        }
      }
      const { items: trash } = await m.get("/v1/trash?limit=500");
      equal(trash.map(({ title }) => title.slice(-2)), Array(10).fill(".2"));
    }),
  { seconds: 180 },
);
