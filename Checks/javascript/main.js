// Runs the tests in node and deno: main.js BASE ONLY COMMITS SEED

import { run } from "./harness.js";
import { Control } from "./control.js";
import "./suite.js";

const [base, only, commits, seed] = process.argv.slice(2);
const context = { control: new Control(base), commits: Number(commits), seed: Number(seed) };
const failed = await run({ ...context, isPage: false }, only);
process.exit(failed === 0 ? 0 : 1);
