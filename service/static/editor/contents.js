// Boards and tile sets as files hold them: the text of a board and the CSV of a tile set (`kibitz play --board`, `--tiles`),
// and their contents in a saved game. The service reads and checks the texts. Nothing here needs a browser.

import { squareIndex, squareName } from "../notation.js";

export const [LEAST, MOST] = [10, 26]; // rows of a board
const HEADING = "letter,count,value,is_vowel";
const MAX_COUNT = 99; // more than any tile set has of a letter, and few enough for the bag of a wrong file

/** @param {BoardRows} board */
export const boardText = ({ rows, starts }) => [...rows, ["starts", ...starts].join(" "), ""].join("\n");

/** @param {string} cell */
const quoted = (cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** @param {TileRow[]} tiles */
export const tilesText = (tiles) =>
  [HEADING, ...tiles.map(({ letter, count, value, vowel }) => [letter, count, value, Number(vowel)].map(String).map(quoted).join(",")), ""].join("\n");

/**
 * Return whether a text is meant as a tile set.
 * @param {string} text
 */
export const isTiles = (text) => /^"?letter"?\s*[,;\t]/i.test(text);

/**
 * Return what a text of a board with faults shows of it: the marks, and the start squares that it has.
 * @param {string} text
 * @returns {BoardRows}
 */
export function boardOf(text) {
  const rows = text.replace(/[\r\n]+$/, "").split(/\r?\n/).map((row) => row.replace(/[\u{10000}-\u{10FFFF}]/gu, "\uFFFD")); // a mark is one unit
  const named = /^starts\b/i.test(rows.at(-1) ?? "") ? (rows.pop()?.trim().split(/\s+/).slice(1) ?? []) : [];
  const marked = rows.flatMap((row, at) => [...row.matchAll(/\*/g)].map(({ index }) => (index < MOST ? squareName(at * MOST + index, MOST) : "")));
  const starts = new Set([...named, ...marked].map((name) => squareIndex(name, rows.length)).filter((index) => index >= 0));
  return { rows: rows.map((row) => row.replaceAll("*", ".")), starts: [...starts].map((index) => squareName(index, rows.length)) };
}

/**
 * Return what a text of a tile set with faults shows of it.
 * @param {string} text
 * @returns {TileRow[]}
 */
export const tilesOf = (text) => text.trimEnd().split(/\r?\n/).slice(1).map((line) => {
  const [letter, count = "", value = "", vowel] = line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1").replaceAll('""', '"'));
  return letter === "?" ? { letter, count, value: "0", vowel: false } : { letter, count, value, vowel: vowel === "1" };
});

/** @param {Letter[]} letters */
export const rowsOf = (letters) => letters.map(({ letter, count, value, is_vowel }) => ({ letter, count: String(count), value: String(value), vowel: is_vowel }));

/**
 * Return the board and the tile set of a saved game as the settings of a game on the page: ids, or the contents.
 * @param {any} layout
 * @param {any} tiles
 * @returns {Pick<Settings, "board" | "tile_set">}
 */
export function read(layout, tiles) {
  const { rows, starts } = layout ?? {};
  const named = (/** @type {number[]} */ [row, column]) => squareName(row * rows.length + column, rows.length);
  return {
    board: Array.isArray(rows) && Array.isArray(starts) ? { rows, starts: starts.map(named) } : layout,
    tile_set: typeof tiles?.tiles === "string" ? tilesOf(`${HEADING}\n${tiles.tiles}`).map(letterOf) : tiles,
  };
}

/**
 * @param {TileRow} row
 * @returns {Letter}
 */
const letterOf = ({ letter, count, value, vowel }) => ({ letter, count: Math.min(Number(count), MAX_COUNT), value: Number(value), is_vowel: vowel });

/**
 * Return the settings of a game as a saved game holds them.
 * @param {Pick<Settings, "board" | "tile_set">} settings
 */
export function written({ board, tile_set: tiles }) {
  return {
    tile_set: typeof tiles === "object" ? { id: "custom", tiles: tilesText(rowsOf(tiles)).slice(HEADING.length + 1) } : tiles,
    layout: typeof board === "object" ? { id: "custom", rows: board.rows, starts: board.starts.map((name) => placeOf(name, board.rows.length)) } : board,
  };
}

/**
 * Return row and column of a square, from 0.
 * @param {string} name
 * @param {number} side
 */
function placeOf(name, side) {
  const index = squareIndex(name, side);
  return [Math.floor(index / side), index % side];
}
