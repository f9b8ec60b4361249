// Deltas and what states share.

import { applyDelta } from "../../App/martlet.js";
import { check, equal, randomness, rejects, test } from "./harness.js";

const row = (id, members) => ({ id, title: `Row ${id}`, tags: ["a"], ...members });
const page = (...ids) =>
  applyDelta({ items: [], nextCursor: null }, {
    ops: ids.map((id, index) => ["+", id, row(id), index > 0 ? ids[index - 1] : null]),
  });
const ids = (result) => result.items.map(({ id }) => id);

test("deltas: each operation", () => {
  const before = page(1, 2, 3);
  equal(ids(before), [1, 2, 3]);
  equal(ids(applyDelta(before, { ops: [["-", 2]] })), [1, 3]);
  equal(ids(applyDelta(before, { ops: [["+", 4, row(4), null]] })), [4, 1, 2, 3]);
  equal(ids(applyDelta(before, { ops: [["+", 4, row(4), 3]] })), [1, 2, 3, 4]);
  equal(ids(applyDelta(before, { ops: [[">", 3, null]] })), [3, 1, 2]);
  equal(ids(applyDelta(before, { ops: [[">", 1, 2]] })), [2, 1, 3]);
  const changed = applyDelta(before, { ops: [["~", 2, { title: "x" }]], set: { nextCursor: "c" } });
  equal(changed, { items: [row(1), row(2, { title: "x" }), row(3)], nextCursor: "c" });
  equal(ids(before), [1, 2, 3], "the result before is not changed");
  equal(applyDelta({ open: 1, all: 2 }, { set: { open: 0 } }), { open: 0, all: 2 });
  const tags = applyDelta({ items: [] }, {
    ops: [["+", "car", { title: "car", reminders: 1 }, null]],
  });
  equal(applyDelta(tags, { ops: [["-", "car"]] }), { items: [] });
});

test("deltas: what does not fit is an error", async () => {
  const before = page(1, 2);
  const bad = [
    { ops: [["-", 3]] },
    { ops: [["~", 3, {}]] },
    { ops: [[">", 3, null]] },
    { ops: [[">", 1, 3]] },
    { ops: [["+", 1, row(1), null]] },
    { ops: [["+", 3, row(4), null]] },
    { ops: [["+", 3, row(3), 9]] },
    { ops: [["?", 1]] },
    { ops: [[]] },
    { ops: [[">", 1, 1]] },
    { ops: [["+", 3, null, null]] },
  ];
  for (const delta of bad) {
    await rejects((async () => applyDelta(before, delta))(), { type: "martlet:delta" });
  }
  for (
    const [result, delta] of [[{ open: 1 }, bad[0]], [undefined, bad[0]], [before, { ops: 1 }]]
  ) {
    await rejects((async () => applyDelta(result, delta))(), {});
  }
});

test("deltas: unchanged parts are shared, and everything is frozen", () => {
  const before = page(1, 2, 3);
  const after = applyDelta(before, {
    ops: [["~", 2, { title: "x", tags: ["a"] }], [">", 3, null]],
  });
  equal(ids(after), [3, 1, 2]);
  check(after !== before && after.items !== before.items, "what has changed is another object");
  check(
    after.items[0] === before.items[2] && after.items[1] === before.items[0],
    "rows are shared",
  );
  check(after.items[2] !== before.items[1], "the changed row is another object");
  check(after.items[2].tags === before.items[1].tags, "an equal part of a changed row is shared");
  check(applyDelta(before, { ops: [["~", 2, { title: "Row 2" }]] }) === before, "no change");
  check(applyDelta(before, {}) === before, "an empty delta");
  const isDeeplyFrozen = (value) =>
    Object.isFrozen(value) &&
    (typeof value !== "object" || value === null || Object.values(value).every(isDeeplyFrozen));
  check(isDeeplyFrozen(after), "deeply frozen");
});

test("deltas: parts of different kinds are not shared", () => {
  const shift = (from, to) =>
    applyDelta(applyDelta({}, { set: { a: from } }), { set: { a: to } }).a;
  const values = [
    null,
    [],
    {},
    [1],
    [1, 1],
    [[1]],
    { a: 1 },
    { a: 1, b: 2 },
    { b: 1 },
    [{}],
    [null],
    "",
    0,
    true,
  ];
  for (const from of values) {
    for (const to of values) {
      const value = shift(structuredClone(from), structuredClone(to));
      equal(value, to, `${JSON.stringify(from)} to ${JSON.stringify(to)}`);
      equal(Array.isArray(value), Array.isArray(to));
    }
  }
});

test("deltas: a number that is not exact is an error", async () => {
  const apply = (id) => (async () => applyDelta({}, JSON.parse(`{"set":{"a":[{"id":${id}}]}}`)))();
  for (const id of ["9007199254740991", "-9007199254740991", "1.5"]) await apply(id);
  for (const id of ["9007199254740992", "9007199254740993", "-9007199254740993", "1e300"]) {
    await rejects(apply(id), { type: "martlet:unsafe-number" });
  }
});

/** A delta from one list of rows to another, as the schema Delta of openapi.yaml describes it. */
function difference(before, after) {
  const ops = [], wanted = new Set(ids(after));
  for (const id of ids(before)) if (!wanted.has(id)) ops.push(["-", id]);
  const order = ids(before).filter((id) => wanted.has(id));
  const rows = new Map(before.items.map((each) => [each.id, each]));
  let last = null;
  for (const [index, each] of after.items.entries()) {
    const old = rows.get(each.id);
    if (!old) {
      ops.push(["+", each.id, each, last]);
      order.splice(index, 0, each.id);
    } else if (order[index] !== each.id) {
      ops.push([">", each.id, last]);
      order.splice(order.indexOf(each.id), 1);
      order.splice(index, 0, each.id);
    }
    if (old && old.title !== each.title) ops.push(["~", each.id, { title: each.title }]);
    last = each.id;
  }
  return { ops };
}

test("deltas: random ones give the next result", (context) => {
  const random = randomness(context.seed), below = (n) => Math.floor(random() * n);
  let state = page();
  for (let i = 0; i < 5000; i++) {
    const items = state.items.map((each) =>
      below(5) === 0 ? { ...each, title: `Row ${below(9)}` } : each
    ).filter(() => below(10) > 0);
    while (items.length < 12 && below(3) > 0) {
      items.splice(below(items.length + 1), 0, row(1000 + i * 20 + items.length));
    }
    if (items.length > 1) {
      items.splice(below(items.length), 0, ...items.splice(below(items.length), 1));
    }
    const delta = JSON.parse(JSON.stringify(difference(state, { items })));
    state = applyDelta(state, delta);
    equal(state.items, items, `seed ${context.seed}, step ${i}`);
  }
});
