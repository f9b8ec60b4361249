// Runs the tests in a browser. What they print goes to check-javascript by way of control.py.

import { run } from "./harness.js";
import { Control } from "./control.js";

const query = new URLSearchParams(location.search);
const control = new Control(location.origin);
let printed = Promise.resolve();
const print = (line) => {
  printed = printed.then(() => control.call("print", { line }));
};
let failed = 1;
try {
  await import("./suite.js");
  const context = { commits: Number(query.get("commits")), seed: Number(query.get("seed")) };
  failed = await run({ ...context, control, isPage: true }, query.get("only"), print);
} catch (error) {
  print(String(error?.stack ?? error));
}
await printed;
await control.call("print", { failed });
