// A game that is played on the page: its seats, and its state after each step. Pure functions.

import { RACK_SIZE, emptyPosition, rackText, writeCgp } from "./position.js";

const MINUTE = 60;

/** @param {Game} game @returns {Stand} */
export const standOf = (game) => game.steps.at(-1)?.after ?? game.start;

/** Return whether a board or tiles are a person's own. @param {Settings} settings */
export const isOwn = ({ board, tile_set }) => [board, tile_set].some((one) => typeof one === "object");

/** @param {Game} game */
export const hasClock = ({ time }) => time.per_game !== null || time.per_move !== null;

/** @param {Game} game */
export const peopleOf = ({ seats }) => seats.flatMap(({ level }, at) => (level === null ? [at] : []));

/** @param {Letter[]} letters of a tile set */
export const tilesOf = (letters) => letters.flatMap(({ letter, count }) => Array(count).fill(letter));

/**
 * Return tiles, or what else is mixed, in a random order; every order is as likely. At most 16,384.
 * @template T
 * @param {T[]} tiles
 */
export function shuffled(tiles) {
  const keys = crypto.getRandomValues(new Uint32Array(tiles.length));
  return tiles.map((tile, at) => ({ tile, key: keys[at] })).sort((one, other) => one.key - other.key).map(({ tile }) => tile);
}

/**
 * Begin a game: shuffle the tiles and deal the racks.
 * @param {Plan} plan
 * @param {string[]} all the tiles
 * @param {number} side of the board
 */
export function newGame(plan, all, side) {
  const tiles = shuffled(all);
  const racks = plan.seats.map(() => rackText(tiles.splice(0, RACK_SIZE)));
  return begun(plan, racks, tiles, side);
}

/**
 * Return a game before its first turn.
 * @param {Plan} plan
 * @param {string[]} racks
 * @param {string[]} bag
 * @param {number} side of the board
 * @returns {Game}
 */
export function begun(plan, racks, bag, side) {
  const scores = racks.map(() => 0);
  const { per_game: limit } = plan.time;
  return {
    ...plan, id: crypto.randomUUID(), revision: 0, steps: [], taken: 0,
    start: {
      cgp: `${writeCgp(emptyPosition(side)).split(" ")[0]} ${racks.join("/")} ${scores.join("/")} 0`, bag: rackText(bag),
      passes: 0, onTurn: 0, scores, racks, timeLeft: limit === null ? null : racks.map(() => limit), over: null,
    },
  };
}

/**
 * Return a list that begins with the player on turn, rearranged in the order of the seats.
 * @template T
 * @param {T[]} list
 * @param {number} first the seat of its first entry
 * @returns {T[]}
 */
const bySeat = (list, first) => list.map((_, seat) => list[(seat - first + list.length) % list.length]);

/**
 * Return the game with a turn that the server made.
 * @param {Game} game
 * @param {Turned} answer of /play
 * @param {number} seconds that the turn has taken
 * @returns {Game}
 */
export function withTurn(game, answer, seconds) {
  const before = standOf(game);
  const player = before.onTurn;
  const after = standAfter(before, answer);
  const { kind, move, score } = answer.move ?? { kind: "time", move: "", score: 0 };
  if (kind === "time") after.timeLeft = charged(game, before, seconds);
  return withStep(game, { kind: /** @type {Step["kind"]} */ (kind), player, rack: before.racks[player], move, score, drawn: answer.drawn, seconds, after });
}

/**
 * Return the times left for the game after the player on turn has taken some seconds.
 * @param {Game} game
 * @param {Stand} stand
 * @param {number} seconds
 */
export const charged = ({ time }, { timeLeft, onTurn }, seconds) =>
  (timeLeft === null ? null : timeLeft.with(onTurn, Math.round(1000 * (timeLeft[onTurn] - Math.min(seconds, time.per_move ?? Infinity))) / 1000));

/**
 * Return the points that a player loses by overtime, which count for each minute of it that has begun.
 * @param {Game} game
 * @param {number} left
 */
export const overtimePoints = ({ time }, left) => (left < 0 && time.overtime === "points" ? 10 * Math.ceil(-left / MINUTE) : 0);

/**
 * Return the game with a further step.
 * @param {Game} game
 * @param {Step} step
 * @returns {Game}
 */
export function withStep(game, step) {
  const stays = step.after.onTurn === standOf(game).onTurn && !step.after.over;
  return { ...game, steps: [...game.steps, step], taken: stays ? game.taken : 0, revision: game.revision + 1 };
}

/**
 * Return the state after a turn that the server made in a state.
 * @param {Stand} before
 * @param {Turned} answer of /play
 * @returns {Stand}
 */
export function standAfter(before, { next, over }) {
  const first = (before.onTurn + 1) % before.scores.length;
  const end = over && endOf(over, first);
  if (!next) return { ...before, over: end };
  const players = bySeat(next.players, first);
  return {
    cgp: next.cgp, bag: next.bag, passes: next.passes, onTurn: first,
    scores: players.map(({ score }) => score), racks: players.map(({ rack }) => rack ?? ""),
    timeLeft: next.time_left && bySeat(next.time_left, first), over: end,
  };
}

/**
 * @param {Answers["GameEnd"]} over of an answer of /play
 * @param {number} first the seat of its first player
 * @returns {End}
 */
function endOf({ reason, players }, first) {
  const seats = bySeat(players, first);
  return {
    reason, final: seats.map((one) => one.final), adjustments: seats.map((one) => one.adjustment), penalties: seats.map((one) => one.penalty),
    left: seats.map((one) => one.left), ranks: seats.map((one) => one.rank),
  };
}

/**
 * Return the end of a game that a player loses by a challenge; the tiles left do not count.
 * @param {Stand} stand
 * @param {number} loser
 * @returns {End}
 */
function lostByChallenge({ scores, racks }, loser) {
  const none = scores.map(() => 0);
  return { reason: "challenge", final: scores, adjustments: none, penalties: none, left: racks, ranks: ranksOf(scores, loser) };
}

/**
 * Return the state after a challenge; if that ends the game, overtime costs points.
 * @param {Game} game
 * @param {Stand} stand
 * @param {number} [loser] the seat that loses the game by the challenge
 * @returns {Stand}
 */
export function settled(game, stand, loser) {
  const over = loser === undefined ? stand.over : lostByChallenge(stand, loser);
  if (!over) return stand;
  const penalties = over.final.map((_, seat) => (stand.timeLeft ? overtimePoints(game, stand.timeLeft[seat]) : 0));
  const final = over.final.map((points, seat) => points + over.penalties[seat] - penalties[seat]);
  return { ...stand, over: { ...over, penalties, final, ranks: ranksOf(final, loser) } };
}

/**
 * Return the rank of each seat, 1 for the most points; ties share a rank, and who lost by a challenge is last.
 * @param {number[]} scores
 * @param {number} [loser]
 */
const ranksOf = (scores, loser = -1) =>
  scores.map((score, seat) => (seat === loser ? scores.length : 1 + scores.filter((other, at) => at !== loser && other > score).length));

/**
 * Return the state with points for a seat, whose play was challenged in vain.
 * @param {Stand} stand
 * @param {number} seat
 * @param {number} points
 * @returns {Stand}
 */
export function withBonus(stand, seat, points) {
  const add = (/** @type {number[]} */ all) => all.with(seat, all[seat] + points);
  const scores = add(stand.scores);
  const parts = stand.cgp.split(" ");
  parts[2] = scores.map((_, at) => scores[(stand.onTurn + at) % scores.length]).join("/");
  const { over } = stand;
  const final = over && add(over.final);
  return { ...stand, scores, cgp: parts.join(" "), over: over && final && { ...over, final, ranks: ranksOf(final) } };
}

/**
 * Return the last step if the player on turn may challenge it, else null.
 * @param {Game} game
 */
export function challengeable(game) {
  const last = game.steps.at(-1);
  return game.allow_phonies && last?.kind === "play" ? last : null;
}

/**
 * Return whether the player on turn may challenge the last play of a person, which may have ended the game.
 * @param {Game} game
 */
export function isContested(game) {
  const last = challengeable(game);
  return last !== null && game.seats[last.player].level === null;
}

/**
 * Return the game without the last move of a person and what followed it; null if there is none.
 * @param {Game} game
 * @returns {Game | null}
 */
export function takenBack(game) {
  const isOwn = (/** @type {Step} */ { kind, player }) => ["play", "exchange", "pass"].includes(kind) && game.seats[player].level === null;
  const at = game.steps.findLastIndex(isOwn);
  return at < 0 || hasClock(game) ? null : { ...game, steps: game.steps.slice(0, at), taken: 0, revision: game.revision + 1 };
}
