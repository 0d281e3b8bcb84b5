// Two moves side by side: their figures, and the sentences of the explanation.

import { inOrder } from "./api.js";
import { COLUMNS, number } from "./columns.js";
import { button, make } from "./dom.js";
import { complain } from "./faults.js";
import { moveParts } from "./move_text.js";
import { positionFields, state, update } from "./state.js";
import { language, t } from "./texts.js";

const askInOrder = inOrder();
let asked = ""; // the pair that is explained in `texts`
const texts = make("div", { role: "status" });

/**
 * Return a button that begins and ends the comparison of a move with others.
 * @param {Chosen} move
 */
export const compareButton = (move) => button(t("Compare"), () => update({ beside: state.beside ? null : move }),
  { id: "compare", className: "step", "aria-pressed": String(Boolean(state.beside)) });

/**
 * Return the chosen move beside the one that it is compared with, at first the best; nothing without a comparison.
 * @param {Chosen} move
 * @returns {HTMLElement[]}
 */
export function comparison(move) {
  const { beside } = state;
  const one = beside && current(beside);
  const other = beside?.move === move.move ? listed().find((each) => each.move !== move.move) : current(move);
  if (!one || !other) return [];
  explain([one, other]);
  const row = (/** @type {string} */ name, /** @type {(move: any) => any[]} */ of) =>
    make("tr", {}, make("th", { scope: "row" }, name), ...[one, other].map((each) => make("td", {}, ...of(each))));
  return [
    make("p", { className: "dim" }, t("Choose another move of the list to see it beside this one.")),
    make("table", { className: "pair" },
      make("thead", {}, make("tr", {}, make("td", {}), ...[one, other].map((each) => make("th", { scope: "col" }, ...moveParts(each, state.position))))),
      make("tbody", {}, ...COLUMNS.filter(({ id, when }) => id !== "move" && (!when || when(one) || when(other))).map(({ id, title, of, error }) =>
        row(title(), (each) => [of(each), id === "leave" ? ` ${number(each.leave_value)}` : "", make("small", {}, error?.(each) ?? "")])))),
    texts,
  ];
}

const listed = () => [...(state.search?.moves ?? []), ...(state.answer?.moves ?? [])];

/** @param {Chosen} move */
const current = (move) => /** @type {Move | undefined} */ (listed().find((one) => one.move === move.move));

/**
 * Show the sentences about two moves: those of the search if it has them, else ask for them.
 * @param {Move[]} pair
 */
async function explain(pair) {
  const names = pair.map(({ move }) => move);
  const mine = JSON.stringify([positionFields(state), names, state.search?.answer?.explanation?.text]);
  if (mine === asked) return;
  asked = mine;
  const show = (/** @type {Answers["Explanation"]} */ { best, contrasts, lang }) => {
    const about = contrasts.filter(({ other }) => names.includes(other.move));
    texts.replaceChildren(...about.map(({ sentences }) => make("p", { lang }, sentences.map(({ text }) => text).join(" "))));
    return about.length + Number(names.includes(best.move)) > 1;
  };
  if (state.search?.answer?.explanation && show(state.search.answer.explanation)) return;
  texts.replaceChildren();
  try {
    const { found } = await askInOrder("/analyze", {
      ...positionFields(state), sort: "equity", top_n: 1, include_exchanges: true, compare: names, explain: true, lang: language(),
    });
    if (mine === asked && found.explanation) show(found.explanation);
  } catch (error) {
    asked = "";
    complain(error, () => { explain(pair); });
  }
}
