// A position: tiles, racks and scores; read as CGP, rows and links, written as CGP. Positions are never changed.

import { readRows } from "../notation.js";
import { t } from "./texts.js";

export { squareIndex, squareName } from "../notation.js";

export const RACK_SIZE = 7;

/**
 * @param {number} side
 * @returns {Position}
 */
export function emptyPosition(side) {
  return { side, tiles: Array(side * side).fill(null), racks: ["", ""], scores: [0, 0], zeroTurns: 0 };
}

/**
 * Return the position with a tile, or null for none, on a square.
 * @param {Position} position
 * @param {number} index
 * @param {Tile | null} tile
 * @returns {Position}
 */
export function withTile(position, index, tile) {
  return { ...position, tiles: position.tiles.with(index, tile) };
}

/**
 * Return the tile as text: lower case for a blank, in brackets if it has several characters.
 * @param {Tile} tile
 */
export const tileText = ({ letter, blank }) => rackText([blank ? letter.toLowerCase() : letter]);

/**
 * @param {Position} position
 * @returns {string[]}
 */
function writeRows({ side, tiles }) {
  return Array.from({ length: side }, (_, row) => {
    let text = "";
    let free = 0;
    for (const tile of tiles.slice(row * side, (row + 1) * side)) {
      if (tile === null) { free += 1; continue; }
      text += (free || "") + tileText(tile);
      free = 0;
    }
    return text + (free || "");
  });
}

/**
 * Return the position as CGP.
 * @param {Position} position
 */
export function writeCgp(position) {
  return `${writeRows(position).join("/")} ${position.racks.join("/")} ${position.scores.join("/")} ${position.zeroTurns}`;
}

/**
 * Return the tiles of a rack, in order: "[CH]A?" is CH, A, ?; without brackets C and H are two tiles.
 * @param {string} text
 */
export const rackTiles = (text) => typedTiles(text, []);

/**
 * Return the tiles of text that was typed without brackets: with CH among the letters, "CHA?" is CH, A, ?.
 * @param {string} text
 * @param {string[]} letters
 */
export function typedTiles(text, letters) {
  const several = letters.filter((letter) => [...letter].length > 1);
  const tiles = [];
  let rest = text.toUpperCase();
  while (rest) {
    const bracket = /^\[([^\]]*)\]/.exec(rest);
    const tile = bracket?.[1] ?? several.find((letter) => rest.startsWith(letter)) ?? [...rest][0];
    rest = rest.slice(bracket ? bracket[0].length : tile.length);
    if (tile.trim()) tiles.push(tile);
  }
  return tiles;
}

/**
 * Return the tiles that remain after others are removed.
 * @param {string[]} tiles
 * @param {string[]} taken
 */
export function without(tiles, taken) {
  const left = [...tiles];
  for (const tile of taken) {
    const at = left.indexOf(tile);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/**
 * Return a rack as text; tiles of several characters are in brackets.
 * @param {string[]} tiles
 */
export const rackText = (tiles) => tiles.map((tile) => ([...tile].length > 1 ? `[${tile}]` : tile)).join("");

/**
 * Return the position of a CGP, and the lexicon and board that it names. Throws an Error in words.
 * @param {string} text
 * @returns {Read}
 */
export function readCgp(text) {
  const [board = "", ...rest] = text.trim().replace(/^cgp\s+/i, "").split(/\s+/);
  const whole = (/** @type {string} */ word) => Number.parseInt(word, 10) || 0;
  const [racks = "", scores = "", zeros = ""] = rest;
  const [own, other = ""] = racks.toUpperCase().split("/");
  const [score, otherScore = 0] = scores.split("/").map(whole);
  /** @type {Position} */
  const position = { ...boardOf(board.split("/")), racks: [own, other], scores: [score, otherScore], zeroTurns: whole(zeros) };
  const codes = text.split(/\s+/).slice(1).join(" ");
  const code = (/** @type {string} */ name) => new RegExp(`\\b${name} ([^\\s;]+)`).exec(codes)?.[1];
  return { position, settings: { lexicon: code("lex")?.toLowerCase(), board: code("bdn") } };
}

/**
 * Return whether a text is a game record.
 * @param {string} text
 */
export const isGcg = (text) => /^\s*(#character-encoding|#player1|#gcg|>\S+?:)|^\s*\{.*"events"/ims.test(text);

/**
 * Return the position and settings of the part of an address after #; addresses of earlier versions are a CGP
 * alone. Throws an Error in words.
 * @param {string} text
 * @returns {Read}
 */
export function readHash(text) {
  const { cgp = decode(text), ...named } = text.startsWith("cgp=") ? Object.fromEntries(new URLSearchParams(text)) : {};
  const { position, settings } = readCgp(cgp);
  return { position, settings: { rules: "", ...settings, ...named } };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that a person typed
  }
}

/**
 * Return the position of pasted text. Throws an Error in words for text that is none.
 * @param {string} text
 * @returns {Read}
 */
export function readPasted(text) {
  const link = text.trim().match(/^https?:\/\/\S+?#(.+)$/);
  if (link) return readHash(link[1]);
  const lines = text.trimEnd().split(/\r?\n/).filter((line) => line.trim());
  return lines.length < 2 ? readCgp(text) : { position: boardOf(lines), settings: {} };
}

/**
 * @param {string[]} rows
 * @returns {Position}
 */
function boardOf(rows) {
  const side = rows.length;
  if (side < 10 || side > 26) {
    throw new Error(t("This is not a position. A CGP starts with the rows of the board and a slash between them: 15/15/…"));
  }
  const wrong = t("Row {row} has {squares} squares, but the board has {rows} rows.", { squares: "{count}", rows: "{side}" });
  return { ...emptyPosition(side), ...readRows(rows, { not_a_cgp: wrong }) };
}
