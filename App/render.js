// SPDX-License-Identifier: Apache-2.0
// Makes the page what a tree of nodes says. Elements with the same key are moved, not made anew,
// so that focus, selection and scroll position stay.

/**
 * @typedef {string | number | boolean} Key
 * @typedef {{ tag: string, props: Props<any>, children: Child[], key?: Key }} Node_
 * @typedef {Node_ | string} Child
 * @typedef {Child | number | boolean | null | undefined} Leaf
 * @typedef {Leaf | Nested<Leaf>} Children
 * @typedef {HTMLElementTagNameMap & Omit<SVGElementTagNameMap, keyof HTMLElementTagNameMap>} Tags
 * @typedef {GlobalEventHandlersEventMap & { toggle: ToggleEvent }} Events
 */
/**
 * Attributes, handlers, and what `set` says of some names. `ref` gets the new element; the
 * children of an element with `isOwn` are left alone.
 * @template E
 * @typedef {{ key?: Key, ref?: (dom: E) => unknown, isOwn?: boolean, list?: string, size?: number }
 *   & { [K in keyof Events as `on${K}`]?: Handler<E, Events[K]> } & { [name: string]: unknown }
 * } Props
 */
/**
 * What is pressed may be inside of the element, but not of a field.
 * @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field
 */
/**
 * @template E
 * @template {Event} Of
 * @typedef {(event: Of & { currentTarget: E,
 *   target: Of extends UIEvent ? E extends Field ? E : HTMLElement : E }) => unknown} Handler
 */

const SVG = "http://www.w3.org/2000/svg";
/** @typedef {{ children: Child[], doms: any[] }} Drawn what is in an element, and its nodes */
/** @type {Drawn} */
const NONE = { children: [], doms: [] };
/** @type {WeakMap<Element, Drawn>} */
const drawn = new WeakMap();

/**
 * An element to be. `false`, `null` and `undefined` among the children are left out.
 * @template {keyof Tags} Tag
 * @param {Tag} tag
 * @param {Props<Tags[Tag]> | null} [props]
 * @param {...Children} children
 * @returns {Node_}
 */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flat(children), key: props?.key };
}

/** @param {any[]} children @returns {Child[]} */
function flat(children) {
  const all = [];
  for (const child of children.flat(9)) {
    if (child === false || child === null || child === undefined || child === "") continue;
    all.push(typeof child === "object" ? child : String(child));
  }
  return all;
}

/** @type {Map<string, { inputs: any[], node: Node_ }>} */
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

/** @param {Element} element @param {...Children} children what is drawn into it */
export function render(element, ...children) {
  const focus = /** @type {HTMLElement | null} */ (document.activeElement);
  patchChildren(element, flat(children), false);
  // A browser takes the focus from what moves.
  if (focus !== document.activeElement && focus?.isConnected) focus.focus({ preventScroll: true });
}

/** What `memo` was not asked for since the last call is forgotten. */
export function forgetUnused() {
  [last, now] = [now, new Map()];
}

/** @param {Child} child @param {number} index */
const keyOf = (child, index) => typeof child === "string" ? `text ${index}` :
  child.key ?? `${child.tag} ${index}`;

/** @type {(one: any, other: any) => boolean} A text has neither. */
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

/** @param {Child} child @param {boolean} isSVG */
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

/** @param {any} dom @param {any} before @param {Child} next */
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

/** @param {any} dom @param {string} name @param {any} before @param {any} value */
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
