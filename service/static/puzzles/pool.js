// The mistakes of the games that were opened: each position once, with its theme, stored until the tab is closed.

import { storeText, storedText } from "../page/storage.js";
import { t, tn } from "../page/texts.js";
import { mistakesOf } from "../page/turns.js";

const STORED = "kibitz-puzzles-1"; // another number if what is stored changes
const LAST_TILES = 7; // with so many in the bag or fewer, what is drawn decides the endgame

/** @type {Record<string, () => string>} */
export const THEMES = {
  bingo: () => t("Missed bingo"), endgame: () => t("Endgame"), bag: () => t("One to seven tiles in the bag"), other: () => t("Other mistakes"),
};

/** @param {Mistake} mistake */
export function themeOf({ turn, best }) {
  if (best.is_bingo && turn.missed_bingo) return "bingo";
  if (turn.bag_count === 0) return "endgame";
  return turn.bag_count <= LAST_TILES ? "bag" : "other";
}

/**
 * Return the theme of a mistake, and by what it was judged, in words.
 * @param {Mistake} mistake
 */
export function aboutOf(mistake) {
  const { turn, best } = mistake;
  const theme = themeOf(mistake);
  const name = theme === "bag" ? tn("{count} tile in the bag", "{count} tiles in the bag", turn.bag_count) : THEMES[theme]();
  /** @type {Record<string, () => string>} */
  const methods = { simulate: () => t("Simulation"), preendgame: () => t("Pre-endgame"), endgame: () => t("Endgame") };
  const method = methods[turn.evaluator === "endgame" ? "endgame" : best.win_pct_by ?? ""]?.() ?? t("Equity");
  const proof = turn.certainty === "exact" ? `, ${t("proven")}` : "";
  return { name, method: t("Judged by: {method}", { method: method + proof }) };
}

/** @param {Mistake} mistake */
export const playerOf = ({ turn, game }) => game.players[turn.player].name || game.players[turn.player].nick;

/** @param {Mistake} mistake */
const keyOf = ({ turn, game }) => `${turn.cgp} ${turn.rack} ${game.lexicon}`;

/**
 * Return a pool with the mistakes of one more game.
 * @param {Pool} pool
 * @param {Annotation} answer
 * @returns {Pool}
 */
export function withGame({ games, mistakes }, answer) {
  const known = new Set(mistakes.map(keyOf));
  const { players, lexicon, board } = answer.game;
  const found = mistakesOf(answer).map((one) => ({ ...one, turn: { ...one.turn, explanation: null }, game: { players, lexicon, board } }));
  return { games: games + 1, mistakes: [...mistakes, ...found.filter((one) => !known.has(keyOf(one)))] };
}

/**
 * Store a pool and the puzzles in view until the tab is closed.
 * @param {Pool} pool
 * @param {Puzzle | null} puzzle
 * @param {Map<Mistake, number>} results
 */
export function storePool(pool, puzzle, results) {
  const list = puzzle?.list.map((one) => [pool.mistakes.indexOf(one), results.get(one) ?? null]);
  storeText(STORED, pool.games ? JSON.stringify({ pool, list, number: puzzle?.number }) : "", "sessionStorage");
}

/**
 * Return what was stored, null for nothing.
 * @returns {{pool: Pool, puzzle: Puzzle | null, results: Map<Mistake, number>} | null}
 */
export function storedPool() {
  const stored = JSON.parse(storedText(STORED, "sessionStorage") || "null");
  if (!stored) return null;
  /** @type {{pool: Pool, list: [number, number | null][] | null, number: number}} */
  const { pool, list, number } = stored;
  const known = (list ?? []).map(([at, result]) => /** @type {const} */ ([pool.mistakes[at], result]));
  return {
    pool, puzzle: list && { list: known.map(([one]) => one), number },
    results: new Map(known.flatMap(([one, result]) => (result === null ? [] : [[one, result]]))),
  };
}
