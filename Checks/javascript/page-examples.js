// Runs the examples of docs/javascript.md, one after the other, against one server.

import * as client from "../../App/martlet.js";
import { withServer } from "./control.js";
import { check, equal, test, until } from "./harness.js";

const AsyncFunction = (async () => {}).constructor;

test("docs: each example of the page does what it says", ({ control, isPage }) =>
  withServer(control, async (server) => {
    const page = await (await fetch(`${control.base}/docs/javascript.md`)).text();
    const examples = [...page.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code]) => code);
    check(examples.length > 10, "the page has examples");
    const known = { ...client, ...isPage ? {} : { indexedDBStorage: client.memoryStorage } };
    let m;
    for (const code of examples) {
      const expected = [...code.matchAll(/\/\/ → (.*)/g)].flatMap(([, text]) => text.split(" → "));
      const printed = [], console = { log: (...all) => printed.push(all.join(" ")) };
      for (const [, names] of code.matchAll(/^import \{ (.*) \} from "\/app\/martlet.js";$/gm)) {
        for (const name of names.split(", ")) check(client[name], `martlet.js exports ${name}`);
      }
      const body = code.replace(/^import .*$/gm, "").replace("https://todo.example.org", server.url)
        .replace(/^const m = /m, "m = ").replace(', key: "mk_…"', "");
      const run = new AsyncFunction("m", "console", ...Object.keys(known), `${body}\nreturn m;`);
      m = await run(m, console, ...Object.values(known));
      await until("its output", () => printed.length >= expected.length, 10).catch(() => {});
      equal(printed, expected, code);
    }
  }));
