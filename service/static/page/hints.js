// Hints about the best move, five levels one after the other, and then the move itself.

import { inOrder } from "./api.js";
import { button, make } from "./dom.js";
import { complain } from "./faults.js";
import { positionFields, state, subscribe } from "./state.js";
import { language, t } from "./texts.js";

const LEVELS = 5;

/**
 * Return an element that gives hints about the position on the page.
 * @param {() => boolean} isOffered whether hints are offered now
 * @returns {HTMLElement}
 */
export function hintBox(isOffered) {
  const askInOrder = inOrder();
  let key = "";
  let level = 0; // of the last hint that was answered; LEVELS + 1 for the move
  const list = make("ol", { className: "hintlist", tabIndex: -1 });
  const more = button("", askNext);
  const box = make("div", { className: "hints" }, make("div", { role: "status" }, list), more);

  const show = () => {
    const { racks: [rack], ...position } = state.position;
    const now = JSON.stringify([position, [...rack].sort(), state.settings]); // the order of the rack does not matter
    box.hidden = !isOffered();
    if (now !== key) {
      key = now;
      level = 0;
      list.replaceChildren();
    }
    more.textContent = level === 0 ? t("A hint") : level < LEVELS ? t("Another hint ({level} of {levels})", { level: level + 1, levels: LEVELS }) : t("Show the move");
    more.hidden = level > LEVELS || (level > 0 && list.dataset.kind === "none");
  };

  async function askNext() {
    const mine = key;
    const next = level + 1;
    const reveal = next > LEVELS;
    try {
      const { found } = await askInOrder("/hints", { ...positionFields(state), lang: language(), level: Math.min(next, LEVELS), reveal });
      if (mine !== key) return; // the position has changed meanwhile
      level = next;
      list.dataset.kind = found.kind;
      const known = [...list.children].map((one) => one.textContent);
      const fresh = found.sentences.filter((/** @type {string} */ one) => !known.includes(one));
      if (!fresh.length && !reveal) return askNext(); // this level says no more of such a move
      list.append(...fresh.map((/** @type {string} */ text) => make("li", {}, text)));
      show();
      if (more.hidden) list.focus();
    } catch (error) {
      complain(error, askNext); // the level is not used up
    }
  }

  subscribe(show);
  show();
  return box;
}
