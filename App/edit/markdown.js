// SPDX-License-Identifier: Apache-2.0
// Light Markdown in notes: links, lists and boxes to tick. All else is the text that it is, and no
// text becomes markup: each node is made by hand.

import { h } from "../render.js";
import { words } from "../words-more.js";

/** @typedef {import("../render.js").Children} Children */

/** A link with a name, or an address. Only these two schemes are opened. */
const LINK = /\[([^\]\n]+)\]\((https?:\/\/[^\s<>"()]+)\)|\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g;
/** The sign of an entry, its box, and its text. */
const ENTRY = /^(\s*)([-*+•]|\d{1,3}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
/** Entries that are indented further are no deeper. */
const DEEPEST = 4;

/** @param {string} notes Whether there is something to show. */
export const isMarked = (notes) => notes.search(LINK) >= 0 || notes.split("\n")
  .some((line) => /\S/.test(ENTRY.exec(line)?.[4] ?? ""));

/** @param {string} text @returns {Children[]} */
function linked(text) {
  const parts = [];
  let end = 0;
  for (const { 0: all, 1: name, 2: target, index = 0 } of text.matchAll(LINK)) {
    const href = target ?? all;
    parts.push(text.slice(end, index), h("a", { key: `link ${index}`, href, target: "_blank",
      rel: "noopener noreferrer" }, name ?? href.replace(/^https?:\/\//, "")));
    end = index + all.length;
  }
  return [...parts, text.slice(end)];
}

/**
 * @param {string} notes @param {boolean} isReadOnly
 * @param {(notes: string) => unknown} change called when a box is ticked
 * @returns {Children}
 */
export function marked(notes, isReadOnly, change) {
  const lines = notes.split("\n");
  /** @type {{ tag: "ul" | "ol" | "p", start?: string, rows: any[] }[]} */
  const blocks = [];
  lines.forEach((line, index) => {
    const [, space = "", sign, box, text] = ENTRY.exec(line) ?? [];
    const tag = !text ? "p" : /\d/.test(sign) ? "ol" : "ul";
    let block = blocks.at(-1);
    // A line without a text ends a list or a paragraph.
    if (!block || block.tag !== tag || tag === "p" && line.trim() === "") {
      blocks.push(block = { tag, start: sign, rows: [] });
    }
    if (!text) {
      const isFirst = block.rows.length === 0;
      if (line.trim() !== "") block.rows.push(!isFirst && h("br", { key: `br ${index}` }),
        linked(line));
      return;
    }
    const depth = Math.min(DEEPEST, Math.floor(space.replaceAll("\t", "  ").length / 2));
    const isDone = box?.toLowerCase() === "x";
    const tick = () => change(lines.map((each, at) => at !== index ? each :
      line.replace(/\[[ xX]\]/, isDone ? "[ ]" : "[x]")).join("\n"));
    block.rows.push(h("li", { key: index, size: depth, class: box && "box" }, box ?
      h("label", {}, h("input", { type: "checkbox", checked: isDone, disabled: isReadOnly,
        "aria-label": text, onchange: tick }), h("span", {}, linked(text))) : linked(text)));
  });
  return blocks.filter(({ rows }) => rows.length > 0).map(({ tag, start, rows }, index) =>
    tag === "p" ? h("p", { key: index }, rows) : h(tag, { key: index, "aria-label":
      words.detail.listIn, start: tag === "ol" ? Number.parseInt(start ?? "1", 10) : undefined },
    rows));
}
