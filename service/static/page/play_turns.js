// The turns of a game, as the server makes them: moves, computer players, challenges.

import { inOrder } from "./api.js";
import { challengeable, charged, hasClock, settled, standAfter, standOf, withBonus, withStep, withTurn } from "./match.js";

const askInOrder = inOrder();
const askPreview = inOrder();

/**
 * @param {Game} game
 * @param {Stand} stand
 */
const stateFields = ({ settings, rules, seed }, { cgp, bag, passes }) => ({ ...settings, rules, cgp, bag, passes, seed });

/**
 * Return the times of the turn for the server.
 * @param {Game} game
 * @param {number} taken seconds
 */
function timeFields(game, taken) {
  if (!hasClock(game)) return {};
  const { timeLeft, onTurn } = standOf(game);
  const left = timeLeft && { left: timeLeft.map((_, at) => timeLeft[(onTurn + at) % timeLeft.length]) };
  const limit = game.time.per_move === null ? {} : { per_move: game.time.per_move };
  return { time: { taken, ...left, ...limit, overtime: game.time.overtime } };
}

/**
 * Make a move of the player on turn. Throws an Error in words for a move that the rules do not allow.
 * @param {Game} game
 * @param {string} move
 * @param {number} taken seconds
 * @param {string} [drawn] the tiles drawn, if they are known already
 * @returns {Promise<Game>}
 */
export async function makeMove(game, move, taken, drawn) {
  const body = { ...stateFields(game, standOf(game)), move, drawn, allow_phonies: game.allow_phonies, ...timeFields(game, taken) };
  const answer = (await askInOrder("/play", body)).found;
  if (answer.fault) throw new Error(answer.fault.detail);
  return withTurn(game, answer, taken);
}

/**
 * Return what a move would score, whether its words are in the word list or not.
 * @param {Game} game
 * @param {string} move
 * @returns {Promise<{score: number} | {fault: string}>}
 */
export async function previewMove(game, move) {
  const { found } = await askPreview("/play", { ...stateFields(game, standOf(game)), move, allow_phonies: true });
  return found.fault ? { fault: found.fault.detail } : { score: found.move?.score ?? 0 };
}

/**
 * Let the computer player on turn challenge a phony, or else move.
 * @param {Game} game
 * @returns {Promise<Game>}
 */
export async function computerTurn(game) {
  const last = challengeable(game);
  if (last && game.seats[last.player].level === null) {
    const outcome = await judge(game);
    if (!outcome.play_stands) return challenged(game, outcome);
  }
  if (standOf(game).over) return game;
  const { level } = game.seats[standOf(game).onTurn];
  const { found } = await askInOrder("/play", { ...stateFields(game, standOf(game)), level, ...timeFields(game, 0) });
  return withTurn(game, found, 0);
}

/**
 * Challenge the last play for the player on turn.
 * @param {Game} game
 * @returns {Promise<Game>}
 */
export async function challenge(game) {
  return challenged(game, await judge(game));
}

/**
 * Return what follows from a challenge of the last play.
 * @param {Game} game
 */
async function judge(game) {
  const { settings, rules } = game;
  const { cgp } = beforeLast(game);
  const { found } = await askInOrder("/words/judge", { ...settings, rules, cgp, play: challengeable(game)?.move });
  return found.consequence;
}

/** @param {Game} game */
const beforeLast = (game) => game.steps.at(-2)?.after ?? game.start;

/**
 * Return the game after a challenge of its last play, for which the player on turn has taken `game.taken` seconds.
 * @param {Game} game
 * @param {Outcome} outcome the consequence of /words/judge
 * @returns {Promise<Game>}
 */
export async function challenged(game, outcome) {
  const now = standOf(game);
  const { taken } = game;
  const { player, rack, move, score } = /** @type {Step} */ (game.steps.at(-1));
  const loser = { player, challenger: now.onTurn }[/** @type {"player"} */ (outcome.game_lost_by)];
  const ended = (/** @type {Stand} */ stand) => settled(game, { ...stand, timeLeft: charged(game, now, taken) }, loser);
  if (!outcome.play_stands) {
    const before = { ...beforeLast(game), passes: 0 };
    const { found } = await askInOrder("/play", { ...stateFields(game, before), move: "-" });
    const after = { ...standAfter(before, found), passes: 0, timeLeft: now.timeLeft };
    const isEnd = after.over || loser !== undefined;
    return withStep(game, { kind: "phony", player, rack, move, score: -score, seconds: isEnd ? taken : 0, after: isEnd ? ended(after) : after });
  }
  const bonus = withBonus(now, player, outcome.bonus);
  const stood = withStep(game, { kind: "challenge", player, rack, move, score: outcome.bonus, seconds: loser === undefined ? 0 : taken, after: loser === undefined ? bonus : ended(bonus) });
  if (outcome.turn_lost_by !== "challenger" || standOf(stood).over) return stood;
  const passed = await makeMove(stood, "-", taken);
  return { ...passed, steps: [...stood.steps, { .../** @type {Step} */ (passed.steps.at(-1)), kind: "lost" }] };
}
