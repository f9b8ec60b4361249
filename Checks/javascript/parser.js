// The parser of event streams (HTML standard, section 9.2.6).

import { parseEvents } from "../../App/martlet.js";
import { check, equal, rejects, test } from "./harness.js";

async function parsed(...chunks) {
  const events = [];
  for await (const { type, data, id, retry } of parseEvents(streamOf(chunks))) {
    events.push([type, data, id, retry]);
  }
  return events;
}

async function* streamOf(chunks) {
  for (const chunk of chunks) {
    yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
  }
}

test("parser: the examples of the standard", async () => {
  equal(await parsed("data: YHOO\ndata: +2\ndata: 10\n\n"), [[
    "message",
    "YHOO\n+2\n10",
    "",
    undefined,
  ]]);
  equal(
    await parsed(
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
    ),
    [["message", "first event", "1", undefined], ["message", "second event", "", undefined]],
  );
  equal(await parsed("data\n\ndata\ndata\n\ndata:"), [["message", "", "", undefined], [
    "message",
    "\n",
    "",
    undefined,
  ]]);
  equal(await parsed("data:test\n\ndata: test\n\n"), [["message", "test", "", undefined], [
    "message",
    "test",
    "",
    undefined,
  ]]);
});

test("parser: every kind of line", async () => {
  const cases = {
    "event: a\ndata: 1\n\ndata: 2\n\n": [["a", "1", ""], ["message", "2", ""]],
    "event: a\n\ndata: 1\n\n": [["message", "1", ""]],
    "id: 7\n\ndata: 1\n\n": [["message", "1", "7"]],
    "id: 7\nid: 8\0\ndata: 1\n\n": [["message", "1", "7"]],
    "data: 1\nid: 7\n\ndata: 2\n\n": [["message", "1", "7"], ["message", "2", "7"]],
    "data: a: b\n\n": [["message", "a: b", ""]],
    "Data: 1\nunknown: 2\n data: 3\ndata: 4\n\n": [["message", "4", ""]],
    ":data: 1\n:\n\n": [],
    "data: 1": [],
    "data: 1\n": [],
    "data: \u2028\u0085\n\n": [["message", "\u2028\u0085", ""]],
  };
  for (const [text, events] of Object.entries(cases)) {
    equal((await parsed(text)).map((event) => event.slice(0, 3)), events, JSON.stringify(text));
  }
});

test("parser: retry has only digits", async () => {
  for (
    const [value, retry] of [["100", 100], ["1e3", undefined], ["-1", undefined], ["", undefined]]
  ) {
    equal(await parsed(`retry: ${value}\ndata\n\n`), [["message", "", "", retry]], value);
  }
});

const TEXT = "\u{FEFF}id: 1\r\nevent: größe\r\ndata: a\r\ndata: \u{1F423}\r\n\r\n" +
  "data: b\rid: 2\r\r: note\n\ndata: \u{FEFF}c\n\nretry: 5\n\r\ndata: d\r\n\n";
const EVENTS = [
  ["größe", "a\n\u{1F423}", "1", undefined],
  ["message", "b", "2", undefined],
  ["message", "\u{FEFF}c", "2", undefined],
  ["message", "d", "2", 5],
];

test("parser: split at every byte, and at every two", async () => {
  const bytes = new TextEncoder().encode(TEXT);
  equal(await parsed(bytes), EVENTS, "whole");
  equal(await parsed(...Array.from(bytes, (byte) => Uint8Array.of(byte))), EVENTS, "single bytes");
  for (let i = 0; i <= bytes.length; i++) {
    for (let j = i; j <= bytes.length; j++) {
      const parts = [bytes.subarray(0, i), bytes.subarray(i, j), bytes.subarray(j)];
      equal(await parsed(...parts), EVENTS, `split at ${i} and ${j}`);
    }
  }
});

test("parser: bytes that are not UTF-8 become U+FFFD", async () => {
  const bytes = Uint8Array.of(...new TextEncoder().encode("data: "), 0xC3, 0x0A, 0x0A);
  equal(await parsed(bytes), [["message", "\u{FFFD}", "", undefined]]);
});

test("parser: an endless event is an error, a long stream is not", async () => {
  const part = new Uint8Array(2 ** 20).fill(0x61);
  await rejects(parsed(...Array(65).fill(part)), { type: "martlet:garbage" });
  const line = new TextEncoder().encode(`:${"a".repeat(2 ** 20)}\n\n`);
  equal(await parsed(...Array(65).fill(line)), []);
  check(true, "it came to an end");
});
