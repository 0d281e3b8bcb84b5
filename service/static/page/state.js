// The state of the page, in one place. Only `update` changes it; what is drawn is a function of it.

import { emptyPosition, rackTiles, writeCgp } from "./position.js";

/** @type {State} */
export let state = {
  position: emptyPosition(15),
  settings: { lexicon: "", board: "standard15" },
  cursor: null,
  mode: "setup",
  trial: [],
  trialResult: null,
  chosen: null,
  look: null,
  isHot: false,
  beside: null,
  panel: "moves",
  boards: [],
  lexicons: [],
  tileSets: new Map(),
  ruleSets: [],
  answer: null,
  asking: false,
  sort: "equity",
  filter: { text: "", length: "", leave: "", kind: "" },
  search: null,
  notice: "",
  waiting: "",
  heard: "",
  missing: "",
  played: [],
  fault: null,
  keyboard: false,
  isDeviceKeyboard: false,
  keyTarget: "board",
  scene: "",
  review: null,
  puzzle: null,
  branch: null,
  game: null,
  isReady: false,
  keyNeeded: false,
};

/** What a change of the position takes away. @type {Partial<State>} */
export const NOTHING_LAID = { trial: [], chosen: null, beside: null, look: null, played: [] };

/** @type {Letter[]} */
const NO_LETTERS = [];

/** @type {Set<(now: State, before: State) => void>} */
const listeners = new Set();
/** @type {State[]} */
const waiting = [];
let isTelling = false;

/**
 * Change the state and call the listeners; they see a change by a listener after the current one.
 * @param {Partial<State>} change
 */
export function update(change) {
  waiting.push(state);
  state = { ...state, ...change };
  if (isTelling) return;
  isTelling = true;
  try {
    for (let before = waiting.shift(); before; before = waiting.shift()) {
      waiting.length = 0; // later changes are in the state already
      for (const listener of listeners) listener(state, before);
    }
  } finally {
    isTelling = false;
  }
}

/**
 * Call a listener after every change with the state after and before it; return a function that removes the listener.
 * @param {(now: State, before: State) => void} listener
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Return a function that names the fields that differ from those of its last call; all of them at first.
 * @returns {(fields: Record<string, unknown>) => string[]}
 */
export function changedFields() {
  /** @type {Record<string, unknown>} */
  let last = {};
  return (fields) => {
    const names = Object.keys(fields).filter((name) => !(name in last) || fields[name] !== last[name]);
    last = fields;
    return names;
  };
}

/**
 * Return the position and its settings as the fields of a request.
 * @param {Pick<State, "position" | "settings">} now
 */
export const positionFields = ({ position, settings }) => ({ cgp: writeCgp(position), ...settings });

/**
 * Return the chosen move with its current results.
 * @param {Pick<State, "chosen" | "search" | "answer">} now
 */
export function chosenMove({ chosen, search, answer }) {
  if (!chosen) return null;
  const same = (/** @type {Move} */ one) => one.move === chosen.move;
  return search?.moves.find(same) ?? answer?.moves.find(same) ?? chosen;
}

/** The annotated game in view. @returns {Reviewed} */
export const reviewed = () => /** @type {Reviewed} */ (state.review);

/** The game that is played. @returns {Table} */
export const table = () => /** @type {Table} */ (state.game);

/**
 * Return the layout of the board, if it is known.
 * @param {State} now
 * @returns {BoardRows | undefined}
 */
export const layoutOf = ({ boards, settings: { board } }) => (typeof board === "string" ? boards.find(({ id }) => id === board) : board);

/**
 * Return the tiles of the tile set in use.
 * @param {Pick<State, "lexicons" | "tileSets" | "settings">} now
 * @returns {Letter[]}
 */
export function tileSetOf(now) {
  const { lexicon, tile_set = now.lexicons.find(({ id }) => id === lexicon)?.tile_set } = now.settings;
  return (typeof tile_set === "object" ? tile_set : now.tileSets.get(tile_set ?? "")) ?? NO_LETTERS;
}

/**
 * Return the letters of the lexicon's tile set, without the blank.
 * @param {State} now
 */
export const lettersOf = (now) => tileSetOf(now).map(({ letter }) => letter).filter((letter) => letter !== "?");

/**
 * Return the points of each letter.
 * @param {State} now
 */
export const valuesOf = (now) => new Map(tileSetOf(now).map(({ letter, value }) => [letter, value]));

/**
 * Return how many tiles of each kind are neither on the board nor on a rack.
 * @param {State} now
 * @returns {Map<string, number>}
 */
export function tilesLeft(now) {
  const left = new Map(tileSetOf(now).map(({ letter, count }) => [letter, count]));
  const laid = now.position.tiles.flatMap((tile) => (tile ? [tile.blank ? "?" : tile.letter] : []));
  for (const letter of [...laid, ...now.position.racks.flatMap(rackTiles)]) left.set(letter, (left.get(letter) ?? 0) - 1);
  return left;
}
