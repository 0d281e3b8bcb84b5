// Make elements of the page.

import { t } from "./texts.js";

/**
 * Return a new element. Names that start with "on" add listeners, names of properties set them, others are
 * attributes. A value of null or undefined is left out.
 * @param {string} tag
 * @param {Record<string, any>} [values]
 * @param {...(Node | string | null | undefined)} children
 * @returns {any}
 */
export function make(tag, values = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-") && name !== "role" && name !== "list") Reflect.set(element, name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((one) => one !== null && one !== undefined));
  return element;
}

/**
 * Return a control with its name above it.
 * @param {string} name
 * @param {HTMLElement} control
 * @param {string} [kind]
 */
export const field = (name, control, kind = "") => make("label", { className: `field ${kind}` }, make("span", {}, name), control);

/**
 * Return a button.
 * @param {string | Node} content
 * @param {(event: Event) => void} act
 * @param {Record<string, any>} [values]
 */
export const button = (content, act, values = {}) => make("button", { type: "button", className: "quiet", onclick: act, ...values }, content);

/**
 * Show stored games or variations in an element, each with buttons that open and remove it; it is hidden without any.
 * @template G
 * @param {HTMLElement} element
 * @param {string} title
 * @param {G[]} games
 * @param {{name: (who: string) => string, players: (game: G) => string, open: (game: G) => void, remove: (game: G) => void, question?: string}} acts
 */
export function drawStored(element, title, games, { name, players, open, remove, question = t("Delete this game?") }) {
  element.hidden = games.length === 0;
  element.replaceChildren(make("p", { className: "dim" }, title), make("ul", {}, ...games.map((game) => {
    const who = players(game);
    return make("li", {},
      button(name(who), () => open(game), { className: "quiet resume" }),
      button(t("Delete"), () => { if (confirm(question)) remove(game); }, { "aria-label": `${t("Delete")}: ${who}` }));
  })));
}

/**
 * Return a button that shows a sign and is named in words.
 * @param {string} name
 * @param {string} sign one of SHAPES
 * @param {() => void} act
 * @param {Record<string, any>} [values]
 */
export const toolButton = (name, sign, act, values = {}) =>
  button(icon(sign), act, { className: "tool", "aria-label": name, title: name, ...values });

/**
 * Return an element of a drawing.
 * @param {string} name
 * @param {Record<string, string | number>} values
 * @param {...Element} children
 */
export function draw(name, values, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Return the element with an id.
 * @param {string} id
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * Set the text of an element if it differs, so that live regions speak only of changes.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return whether the page is used by touch, without a keyboard. */
export const isTouched = () => matchMedia("(pointer: coarse)").matches;

const SHAPES = /** @type {Record<string, string>} */ ({
  undo: "M7 5 3 9l4 4M3 9h8a5 5 0 0 1 0 10H8",
  redo: "m15 5 4 4-4 4m4-4h-8a5 5 0 0 0 0 10h3",
  keys: "M2 5h18v12H2zM5 9h1m3 0h1m3 0h1m3 0h0M7 13h8",
  device: "M6 2h10v18H6zM10 17h2",
  turn: "M4 6h9a4 4 0 0 1 4 4v8m0 0-3-3m3 3 3-3",
  erase: "M8 5h12v12H8l-6-6zM11 8.5l5 5m0-5-5 5",
  close: "m5 5 12 12M17 5 5 17",
  shuffle: "M2 6h3c6 0 6 10 12 10h3m0 0-3-3m3 3-3 3M2 16h3c2 0 3-1 4-2.500M13 8.500C14 7 15 6 17 6h3m0 0-3-3m3 3-3 3",
  set: "M3 6h10m4 0h2M3 16h2m4 0h10M13 3v6M7 13v6",
});

/**
 * Return a drawn sign; its button needs a name for screen readers.
 * @param {string} name
 */
const icon = (name) => draw("svg", { viewBox: "0 0 22 22", class: "icon", "aria-hidden": "true" }, draw("path", { d: SHAPES[name] }));

/** From now on, move the focus of an element that vanishes to the part of the page that held it. */
export function keepFocus() {
  /** @type {any[]} */
  let path = []; // the element that has the focus, and those around it
  addEventListener("focusin", ({ target }) => {
    path = [target];
    while (path.at(-1).parentElement) path.push(path.at(-1).parentElement);
  });
  const isThere = (/** @type {Element} */ one) => one.isConnected && !one.closest("[hidden]");
  new MutationObserver(() => {
    if (!path.length || isThere(path[0])) return;
    const part = path.find((one) => isThere(one) && one.matches("[role], [aria-label], main"));
    if (part.tabIndex < 0) part.tabIndex = -1;
    part.focus({ preventScroll: true });
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["hidden"] });
}

const LEVELS = 10;

/** Return a choice for each level of the computer. */
export const levelOptions = () =>
  Array.from({ length: LEVELS }, (_, level) => new Option(t("Computer, level {level}", { level: level + 1 }), String(level + 1)));
