// A hosted game as the player of a seat sees it, in the form of a game that is played on the page.

/** @param {number} count */
const unknownTiles = (count) => "?".repeat(count);

/**
 * Return a view as a game whose last state is all that is known; of the other racks and the bag only the number of tiles.
 * @param {SeatView} view
 * @returns {Game}
 */
export function gameOf(view) {
  const { seat, names, levels, on_turn: onTurn, time, lexicon, layout, tile_set, end } = view;
  const taken = secondsTaken(view);
  /** @type {Stand} */
  const stand = {
    cgp: cgpOf(view), bag: unknownTiles(view.bag), passes: 0, onTurn, scores: view.scores,
    racks: names.map((_, at) => (at === seat ? view.rack : unknownTiles(view.held[at]))),
    timeLeft: time.per_game === null ? null : view.time_left.map((left, at) => (left ?? 0) + (at === onTurn ? taken : 0)),
    over: end && { ...end, final: end.scores },
  };
  const shown = view.turns.filter(({ kind }) => kind !== "resigned");
  const steps = shown.map((turn, at) => stepOf(turn, shown[at - 1], at === shown.length - 1 ? stand : null));
  return /** @type {Game} */ ({
    id: "", revision: 0, seed: 0, rules: "", start: stand, steps, taken, time,
    seats: names.map((name, at) => ({ name, level: levels[at] })),
    settings: { lexicon, board: layout, tile_set },
    allow_phonies: view.challengeable && onTurn === seat,
  });
}

/**
 * Return the position of a view, with the player's own rack, as CGP.
 * @param {SeatView} view
 */
export const cgpOf = ({ board, rack, scores }) => `${board} ${rack}/ ${scores.slice(0, 2).join("/")} 0`;

/**
 * Return the seconds that the player on turn has taken for the move.
 * @param {SeatView} view
 */
const secondsTaken = ({ time, move_time_left: left }) => (time.per_move === null || left === null ? 0 : time.per_move - left);

/**
 * @param {SeenTurn} turn
 * @param {SeenTurn | undefined} before the turn before it
 * @param {Stand | null} stand after the turn, if it is the last one; of the others only the points are known
 */
function stepOf({ player, kind, move, tiles, score, total }, before, stand) {
  const text = kind === "exchange" ? `-${unknownTiles(tiles)}` : kind === "phony" ? before?.move : move;
  return { kind: kind === "late" ? "pass" : kind, player, rack: "", move: text, score, drawn: "", seconds: 0, after: stand ?? { scores: { [player]: total } } };
}

/**
 * Return the squares of a layout by their names.
 * @param {SeatView} view
 * @returns {Layout}
 */
export const layoutOfView = ({ layout, rows, starts }) =>
  ({ id: layout, side: rows.length, rows, starts: starts.map(([row, column]) => `${row + 1}${String.fromCharCode(65 + column)}`) });
