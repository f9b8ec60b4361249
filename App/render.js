// SPDX-License-Identifier: Apache-2.0
// Makes the page what a tree of nodes says. Elements with the same key are moved, not made anew,
// so that focus, selection and scroll position stay.

/**
 * @typedef {{ tag: string, props: Record<string, any>, children: Child[], key?: string | number,
 *   dom?: Node }} Node_
 * @typedef {Node_ | string} Child
 */

const SVG = "http://www.w3.org/2000/svg";
const NONE = [];
/** @type {WeakMap<Node, Child[]>} What was drawn into an element. */
const drawn = new WeakMap();

/**
 * An element to be. `false`, `null` and `undefined` among the children are left out.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...any} children
 * @returns {Node_}
 */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flat(children), key: props?.key };
}

/** @returns {Child[]} */
function flat(children) {
  const all = [];
  for (const child of children.flat(9)) {
    if (child === false || child === null || child === undefined || child === "") continue;
    all.push(typeof child === "object" ? child : String(child));
  }
  return all;
}

/** @type {Map<string | number, { inputs: any[], node: Node_ }>} */
let last = new Map(), now = new Map();

/**
 * The node of the last time if the inputs are the same. The reconciler skips such nodes, so a
 * list of thousands costs what has changed in it.
 * @param {string} key @param {any[]} inputs @param {() => Node_} make
 */
export function memo(key, inputs, make) {
  let known = last.get(key);
  if (!known || known.inputs.length !== inputs.length ||
    known.inputs.some((input, index) => input !== inputs[index])) {
    known = { inputs, node: make() };
  }
  now.set(key, known);
  return known.node;
}

/** Draws children into an element. */
export function render(element, ...children) {
  const next = flat(children), focus = document.activeElement;
  patchChildren(element, drawn.get(element) ?? NONE, next, false);
  drawn.set(element, next);
  // A browser takes the focus from what moves.
  if (focus !== document.activeElement && focus?.isConnected) focus.focus({ preventScroll: true });
}

/** What `memo` was not asked for since the last call is forgotten. */
export function forgetUnused() {
  [last, now] = [now, new Map()];
}

const keyOf = (child, index) => typeof child === "string" ? `text ${index}` :
  child.key ?? `${child.tag} ${index}`;

/** @param {Element} parent @param {Child[]} before @param {Child[]} next */
function patchChildren(parent, before, next, isSVG) {
  const old = new Map();
  before.forEach((child, index) => {
    old.set(keyOf(child, index), { child, dom: domOf(parent, child, index, before) });
  });
  const wanted = next.map((child, index) => {
    const key = keyOf(child, index), known = old.get(key);
    const isSame = known && (typeof child === "string" ? typeof known.child === "string" :
      known.child.tag === child.tag);
    if (!isSame) return { child, dom: create(child, isSVG) };
    old.delete(key);
    return { child, dom: patch(known.dom, known.child, child) };
  });
  for (const { dom } of old.values()) dom.remove();
  let place = parent.firstChild;
  for (const { dom } of wanted) {
    if (dom === place) place = place.nextSibling;
    else parent.insertBefore(dom, place);
  }
  texts.set(parent, wanted.map(({ dom }) => dom));
}

/** The DOM nodes of an element's children, because texts cannot hold one themselves. */
const texts = new WeakMap();
const domOf = (parent, _, index) => texts.get(parent)[index];

/** @param {Child} child */
function create(child, isSVG) {
  if (typeof child === "string") return document.createTextNode(child);
  const isDrawing = isSVG || child.tag === "svg";
  const dom = isDrawing ? document.createElementNS(SVG, child.tag) :
    document.createElement(child.tag);
  patchChildren(dom, NONE, child.children, isDrawing);
  for (const name in child.props) set(dom, name, undefined, child.props[name]);
  child.props.ref?.(dom);
  return dom;
}

function patch(dom, before, next) {
  if (before === next) return dom;
  if (typeof next === "string") {
    dom.data = next;
    return dom;
  }
  if (!next.props.isOwn) {
    const isSVG = dom.namespaceURI === SVG;
    patchChildren(dom, before.children, next.children, isSVG);
  }
  for (const name in before.props) {
    if (!(name in next.props)) set(dom, name, before.props[name], undefined);
  }
  for (const name in next.props) set(dom, name, before.props[name], next.props[name]);
  return dom;
}

/** Members that a user changes: what the page shows counts, not what was drawn last. */
const LIVE = new Set(["value", "checked", "open", "indeterminate"]);

function set(dom, name, before, value) {
  if (name === "key" || name === "ref" || name === "isOwn") return;
  if (name === "list") return dom.style.setProperty("--list", value ?? "");
  if (name.startsWith("on")) {
    dom[name] = value ?? null;
  } else if (LIVE.has(name) && name in dom) {
    if (value !== undefined && dom[name] !== value) dom[name] = value;
  } else if (before !== value) {
    if (value === undefined || value === null || value === false) dom.removeAttribute(name);
    else dom.setAttribute(name, value === true ? "" : value);
  }
}
