// A turn of an annotated game: its position and move on the board, its mistake and loss.

import { layMove } from "../notation.js";
import { number } from "./columns.js";
import { readCgp } from "./position.js";
import { state } from "./state.js";
import { t } from "./texts.js";

/** The sign of each mistake, as in the curve. */
export const SIGNS = /** @type {Record<string, string>} */ ({ small: "▲", medium: "◆", large: "✕" });

/** @type {Record<string, () => string>} */
export const MISTAKES = { small: () => t("small mistake"), medium: () => t("medium mistake"), large: () => t("large mistake") };

/**
 * Return a class of mistake with its sign, empty for none.
 * @param {string | null} mistake
 */
export const mistakeText = (mistake) => (mistake && mistake in SIGNS ? `${SIGNS[mistake]} ${MISTAKES[mistake]()}` : "");

/**
 * Return what a turn of a review shows on the board.
 * @param {Reviewed} review
 */
export function turnScene({ answer, at, look }) {
  const turn = answer.turns[at];
  const { position } = readCgp(turn.cgp);
  position.racks = [turn.rack, ""];
  const move = look === "best" && turn.best ? turn.best : playedMove(turn);
  const last = answer.turns[at - 1];
  return {
    position, settings: settingsOf(answer.game), chosen: laidMove(position, move),
    played: last ? squaresOf(readCgp(last.cgp).position, playedMove(last)) : [],
  };
}

/**
 * Return the squares on which a move lays tiles.
 * @param {Position} position before the move
 * @param {{kind: string, move: string}} move
 */
export const squaresOf = (position, move) => placedTiles(position, move).map(({ at }) => at);

/**
 * Return a move with the tiles that it lays.
 * @template {{kind: string, move: string}} M
 * @param {Position} position before the move
 * @param {M} move
 */
export const laidMove = (position, move) => ({ ...move, placed: placedTiles(position, move) });

/** @param {Mistake["game"]} game */
export function settingsOf({ board, lexicon }) {
  return { lexicon, board: state.boards.some(({ id }) => id === board) ? board : state.settings.board };
}

/**
 * Return the move of a turn, as it was recorded if it was not judged.
 * @param {AnnotatedTurn} turn
 */
export function playedMove(turn) {
  if (turn.played && turn.challenge !== "taken_back") return turn.played;
  return { move: turn.recorded, kind: turn.kind, score: turn.score };
}

/**
 * @param {Position} position
 * @param {{kind: string, move: string}} move
 */
function placedTiles(position, { kind, move }) {
  if (kind !== "play") return [];
  const [square, word] = move.split(" ");
  try {
    return layMove(position.tiles, position.side, square, word).placed;
  } catch {
    return []; // a fault of the record, which is listed
  }
}

/**
 * Write the scores before a turn, that of its player first.
 * @param {AnnotatedTurn} turn
 */
export const scoresText = ({ scores, player }) => [scores[player], ...scores.filter((_, seat) => seat !== player)].join("–");

/**
 * Return the mistakes of an annotation that are not small.
 * @param {Annotation} answer
 * @returns {Mistake[]}
 */
export const mistakesOf = ({ turns, game }) => turns.flatMap((turn, at) =>
  (turn.best && (turn.mistake === "medium" || turn.mistake === "large") ? [{ turn, best: turn.best, at, game }] : []));

/**
 * Return what a turn lost, in words.
 * @param {AnnotatedTurn} turn
 */
export function judgement(turn) {
  const parts = [mistakeText(turn.mistake)].filter(Boolean);
  if (!parts.length && turn.rank === 1 && !turn.phonies.length) parts.push(t("the best move"));
  if (turn.endgame_loss) parts.push(t("loses {points} points in the endgame", { points: number(turn.endgame_loss, 0) }));
  else if (turn.equity_loss !== null && turn.equity_loss >= 0.05) parts.push(t("loses {points} points of equity", { points: number(turn.equity_loss) }));
  if (turn.win_pct_loss !== null && turn.win_pct_loss >= 0.05) parts.push(t("{percent} % of wins", { percent: number(turn.win_pct_loss) }));
  if (turn.phonies.length) parts.push(t("not in the word list: {words}", { words: turn.phonies.join(", ") }));
  if (turn.challenge === "taken_back") parts.push(t("taken back after a challenge"));
  if (turn.luck !== null) parts.push(t("luck of the draw {luck}", { luck: number(turn.luck) }));
  if (turn.not_judged) parts.push(t("not judged: the rack is not fully known, or the move is impossible"));
  return parts.join("; ");
}
