// A list of stored games or variations, each with a button that opens it and one that removes it.

import { button, make } from "./dom.js";
import { t } from "./texts.js";

/**
 * Show stored games in an element; it is hidden without any.
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
