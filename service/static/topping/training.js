// A training: a game of duplicate of one player. The server draws and judges; this browser stores its answer.

import { ask, parsed } from "../page/api.js";
import { storeText, storedText } from "../page/storage.js";

const STORED = "kibitz-topping-1"; // another number if what is stored changes
const PLAYER = "1";

/** Return the stored training, null if there is none. @returns {Training | null} */
export const storedTraining = () => parsed(storedText(STORED));

/**
 * Store a training, or remove it.
 * @param {Training | null} training
 */
export const storeTraining = (training) => storeText(STORED, training ? JSON.stringify(training) : "");

/**
 * Begin a training; its first round has begun.
 * @param {{lexicon: string, rules?: string, seconds: number | null}} chosen
 * @returns {Promise<Training>}
 */
export async function begun({ lexicon, rules, seconds }) {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  const { found } = await ask("/duplicate", { lexicon, rules, seed });
  return opened({ sheet: found, seconds, ends: null, phase: "open", laid: [] });
}

/**
 * Return the training with its next round begun, or ended if there is none.
 * @param {Training} training
 * @returns {Training}
 */
export function opened(training) {
  const { seconds, sheet } = training;
  const phase = sheet.current ? "open" : "over";
  return { ...training, phase, laid: [], ends: sheet.current && seconds ? Date.now() + 1000 * seconds : null };
}

/**
 * Hand in a play, empty for none, and return the training with the verdict.
 * @param {Training} training
 * @param {string} move
 * @returns {Promise<Training>}
 */
export async function handedIn(training, move) {
  const [at = "", word = ""] = move.split(" ");
  const { found } = await ask("/duplicate", { game: training.sheet.game, slips: [{ player: PLAYER, at, word }] });
  return { ...training, sheet: found, phase: "judged", ends: null, laid: [] };
}

/**
 * Return the points of the plays and of the tops of all rounds, and what the former are of the latter.
 * @param {Training} training
 */
export function totals({ sheet }) {
  const points = sheet.standings[0]?.points ?? 0;
  return { points, most: sheet.top_total, share: sheet.top_total ? points / sheet.top_total : 1 };
}

/**
 * Return the address of the page at / that analyses a round.
 * @param {Training} training
 * @param {Round} round
 */
export const analysisOf = ({ sheet }, { cgp }) =>
  `/#${new URLSearchParams({ cgp, lexicon: sheet.game.lexicon.id })}`;
