// SPDX-License-Identifier: Apache-2.0
// Makes the page what a tree of nodes says. Elements with the same key are moved, not made anew,
// so that focus, selection and scroll position stay.

/**
 * @typedef {{ tag: string, props: Record<string, any>, children: Child[], key?: string | number,
 *   dom?: Node }} Node_
 * @typedef {Node_ | string} Child
 */

const SVG = "http://www.w3.org/2000/svg";
const NONE = { children: [], doms: [] };
/** @type {WeakMap<Node, { children: Child[], doms: Node[] }>} What was drawn into an element. */
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
  const focus = document.activeElement;
  patchChildren(element, flat(children), false);
  // A browser takes the focus from what moves.
  if (focus !== document.activeElement && focus?.isConnected) focus.focus({ preventScroll: true });
}

/** What `memo` was not asked for since the last call is forgotten. */
export function forgetUnused() {
  [last, now] = [now, new Map()];
}

const keyOf = (child, index) => typeof child === "string" ? `text ${index}` :
  child.key ?? `${child.tag} ${index}`;

/** @param {Child} one @param {Child} other */
const isSame = (one, other) => one?.tag === other?.tag && one?.key === other?.key;

/** @param {Element} parent @param {Child[]} next @param {boolean} isSVG */
function patchChildren(parent, next, isSVG) {
  const { children: before, doms } = drawn.get(parent) ?? NONE, all = [];
  // Most of the time nothing moves.
  let index = 0;
  while (index < before.length && index < next.length && isSame(before[index], next[index])) {
    all.push(patch(doms[index], before[index], next[index++]));
  }
  let place = index > 0 ? doms[index - 1].nextSibling : parent.firstChild;
  const old = new Map();
  for (let rest = index; rest < before.length; rest++) {
    old.set(keyOf(before[rest], rest), { child: before[rest], dom: doms[rest] });
  }
  for (let rest = index; rest < next.length; rest++) {
    const child = next[rest], key = keyOf(child, rest), known = old.get(key);
    if (!known || !isSame(known.child, child)) all.push(create(child, isSVG));
    else {
      old.delete(key);
      all.push(patch(known.dom, known.child, child));
    }
  }
  for (const { dom } of old.values()) {
    if (dom === place) place = place.nextSibling;
    dom.remove();
  }
  for (; index < all.length; index++) {
    // What was moved down is passed over.
    if (place && all[index] === place.nextSibling) place = place.nextSibling;
    if (all[index] === place) place = place.nextSibling;
    else parent.insertBefore(all[index], place);
  }
  drawn.set(parent, { children: next, doms: all });
}

/** @param {Child} child */
function create(child, isSVG) {
  if (typeof child === "string") return document.createTextNode(child);
  const isDrawing = isSVG || child.tag === "svg";
  const dom = isDrawing ? document.createElementNS(SVG, child.tag) :
    document.createElement(child.tag);
  patchChildren(dom, child.children, isDrawing);
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
  if (!next.props.isOwn) patchChildren(dom, next.children, dom.namespaceURI === SVG);
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
  if (name === "list" || name === "size") {
    return before !== value && dom.style.setProperty(`--${name}`, value ?? "");
  }
  if (name.startsWith("on")) {
    dom[name] = value ?? null;
  } else if (LIVE.has(name) && name in dom) {
    if (value !== undefined && dom[name] !== value) dom[name] = value;
  } else if (before !== value) {
    if (value === undefined || value === null || value === false) dom.removeAttribute(name);
    else dom.setAttribute(name, value === true ? "" : value);
  }
}
