// Typing on the board: what a typed text, a step or a deleted tile changes. Pure functions of the state.

import { RACK_SIZE, rackText, rackTiles, squareIndex, squareName, withTile, without } from "./position.js";
import { lettersOf } from "./state.js";
import { t } from "./texts.js";

/**
 * Return the letter of the tile set that a typed text means: upper case, without the accent if the set has no
 * such letter; null if there is none.
 * @param {string} text
 * @param {string[]} letters
 */
export function letterOf(text, letters) {
  const upper = text.toUpperCase().normalize("NFC");
  if (letters.includes(upper)) return upper;
  const plain = upper.normalize("NFD").replace(/\p{M}/gu, "");
  return letters.includes(plain) ? plain : null;
}

/**
 * Return the cursor after a step in its direction, at the edge the same one, marked as past it.
 * @param {Cursor} cursor
 * @param {number} side
 * @returns {Cursor}
 */
function stepOn({ index, down }, side) {
  const next = neighbour(index, down ? 1 : 0, down ? 0 : 1, side);
  return next === null ? { index, down, past: true } : { index: next, down };
}

/**
 * Return the square a number of rows down and columns to the right, null outside the board.
 * @param {number} index
 * @param {number} rows
 * @param {number} columns
 * @param {number} side
 */
function neighbour(index, rows, columns, side) {
  const row = Math.floor(index / side) + rows;
  const column = (index % side) + columns;
  return row >= 0 && row < side && column >= 0 && column < side ? row * side + column : null;
}

/**
 * Lay a typed letter at the cursor: on the board, or from the rack if a move is being tried.
 * @param {State} now
 * @param {string} letter of the tile set
 * @param {boolean} blank
 * @returns {Edit}
 */
export function lay(now, letter, blank) {
  const { cursor } = now;
  if (!cursor) return {};
  if (cursor.rest === letter) return { cursor: { ...cursor, rest: undefined } };
  const joined = join(now, cursor, letter);
  if (joined) return joined;
  if (cursor.past) return { loud: t("The word reaches the edge of the board: {letter} was not laid.", { letter }) };
  return now.mode === "try" ? layTrial(now, cursor, letter, blank) : laySetup(now, cursor, letter, blank);
}

/** @type {Lay} */
function laySetup({ position }, cursor, letter, blank) {
  const tile = { letter, blank };
  const old = position.tiles[cursor.index];
  const isSame = old?.letter === letter && old.blank === blank;
  return {
    ...(isSame ? {} : { position: withTile(position, cursor.index, tile) }),
    cursor: { ...stepOn(cursor, position.side), laid: cursor.index },
    said: tileName(tile),
  };
}

/**
 * Turn the tile typed just now and a further letter into one tile, such as CH, if the tile set has it and, in a
 * move that is tried, the rack has it or a blank; null if not.
 * @param {State} now
 * @param {Cursor} cursor
 * @param {string} letter
 * @returns {Edit | null}
 */
function join(now, { laid, ...cursor }, letter) {
  const last = laid === undefined ? null : tileOf(now, laid);
  const pair = `${last?.letter}${letter}`;
  if (laid === undefined || !last || !lettersOf(now).includes(pair)) return null;
  if (now.mode === "setup") {
    const tile = { letter: pair, blank: last.blank };
    return { position: withTile(now.position, laid, tile), cursor, said: tileName(tile) };
  }
  const at = squareName(laid, now.position.side);
  const others = now.trial.filter((one) => one.at !== at);
  const left = remaining(now, others);
  const tile = { letter: pair, blank: !left.includes(pair) };
  if (tile.blank && !left.includes("?")) return null;
  return { trial: [...others, { at, ...tile }], cursor, said: tileName(tile) };
}

/** @type {Lay} */
function layTrial(now, cursor, letter, blank) {
  const { position, trial } = now;
  const { side } = position;
  let here = cursor;
  while (position.tiles[here.index]) {
    const there = position.tiles[here.index]?.letter ?? "";
    const next = stepOn(here, side);
    if (there.startsWith(letter)) return { cursor: { ...next, rest: restOf(there, letter) }, said: t("{letter} is on the board.", { letter: there }) };
    if (next.past) return { cursor: next, loud: t("The word reaches the edge of the board: {letter} was not laid.", { letter }) };
    here = next;
  }
  const at = squareName(here.index, side);
  const others = trial.filter((one) => one.at !== at);
  const left = remaining(now, others);
  const longer = left.some((one) => one === letter || one === "?") || blank ? undefined : left.find((one) => one.startsWith(letter));
  const tile = { letter: longer ?? letter, blank: blank || !left.includes(longer ?? letter) };
  if (!left.includes(tile.blank ? "?" : tile.letter)) {
    return { loud: t("Your rack has no {letter} left.", { letter: blank ? t("blank") : letter }) };
  }
  return {
    trial: [...others, { at, ...tile }],
    cursor: { ...stepOn(here, side), laid: here.index, rest: restOf(tile.letter, letter) },
    said: tileName(tile),
  };
}

/**
 * Return the letters of a tile such as CH that are still to be typed after its first one.
 * @param {string} tile
 * @param {string} letter
 */
const restOf = (tile, letter) => tile.slice(letter.length) || undefined;

/**
 * Return the tiles of the rack that a tried move leaves.
 * @param {State} now
 * @param {Placed[]} [trial]
 */
export const remaining = (now, trial = now.trial) =>
  without(rackTiles(now.position.racks[0]), trial.map(({ letter, blank }) => (blank ? "?" : letter)));

/**
 * Take the tile under the cursor away, or if there is none the one before it.
 * @param {State} now
 * @returns {Edit}
 */
export function eraseBack(now) {
  if (!now.cursor) return {};
  const { index, down, past } = now.cursor;
  const before = neighbour(index, down ? -1 : 0, down ? 0 : -1, now.position.side);
  const at = past || tileOf(now, index) || before === null ? index : before;
  return { ...eraseAt(now, at), cursor: { index: at, down } };
}

/**
 * Take the tile of a square away.
 * @param {State} now
 * @param {number} index
 * @returns {Edit}
 */
export function eraseAt(now, index) {
  const tile = tileOf(now, index);
  if (!tile) return {};
  const said = t("{tile} removed", { tile: tileName(tile) });
  if (now.mode === "try") {
    const at = squareName(index, now.position.side);
    const trial = now.trial.filter((one) => one.at !== at);
    return trial.length < now.trial.length ? { trial, said } : {};
  }
  return { position: withTile(now.position, index, null), said };
}

/**
 * Return the tile that a person sees on a square.
 * @param {State} now
 * @param {number} index
 */
export function tileOf(now, index) {
  const { side, tiles } = now.position;
  return tiles[index] ?? now.trial.find(({ at }) => squareIndex(at, side) === index) ?? null;
}

/**
 * Turn the direction of typing.
 * @param {State} now
 * @returns {Edit}
 */
export function turn({ cursor }) {
  if (!cursor) return {};
  const down = !cursor.down;
  return { cursor: { index: cursor.index, down }, said: down ? t("typing down") : t("typing across") };
}

/** @param {Tile} tile */
const tileName = ({ letter, blank }) => (blank ? t("blank {letter}", { letter }) : letter);

/**
 * Return the position with tiles added to the rack, up to seven.
 * @param {State} now
 * @param {string[]} tiles
 * @param {boolean} [isTyped] a single letter may make a tile of two letters with the one before it
 * @returns {Edit}
 */
export function addToRack(now, tiles, isTyped = false) {
  const letters = lettersOf(now);
  const rack = rackTiles(now.position.racks[0]);
  for (const tile of tiles) {
    const pair = `${rack.at(-1)}${tile}`;
    if (isTyped && tiles.length === 1 && rack.length && letters.includes(pair)) rack.splice(-1, 1, pair);
    else if (rack.length < RACK_SIZE) rack.push(tile);
    else return { ...withRack(now, rack), loud: t("The rack is full: {letter} was not added.", { letter: tile }) };
  }
  return { ...withRack(now, rack), said: rackText(rack) };
}

/**
 * @param {State} now
 * @param {string[]} tiles
 * @returns {Edit}
 */
export function withRack({ position }, tiles) {
  return { position: { ...position, racks: [rackText(tiles), position.racks[1]] } };
}
