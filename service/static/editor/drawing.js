// How a board changes while it is drawn. Pure functions on its rows of marks and its start squares.

import { squareIndex, squareName } from "../notation.js";

export const START = "*";
const PLAIN = ".";

/**
 * Return a plain board, which starts in its center if it has one.
 * @param {number} side
 * @returns {BoardRows}
 */
export const emptyBoard = (side) => ({ rows: Array(side).fill(PLAIN.repeat(side)), starts: side % 2 ? [squareName((side * side - 1) / 2, side)] : [] });

/**
 * Return the squares that are painted with one, itself first.
 * @param {number} index
 * @param {number} side
 * @param {Symmetry} symmetry
 * @returns {number[]}
 */
export function images(index, side, symmetry) {
  const [row, column] = [Math.floor(index / side), index % side];
  const [down, right] = [side - 1 - row, side - 1 - column];
  const places = [[row, column]];
  if (symmetry !== "none") places.push([row, right]);
  if (symmetry === "axes" || symmetry === "all") places.push([down, column], [down, right]);
  if (symmetry === "all") places.push(...places.map(([one, other]) => [other, one]));
  return [...new Set(places.map(([one, other]) => one * side + other))];
}

/**
 * Return the mark of a square, plain where a row of a faulty file is too short.
 * @param {BoardRows} board
 * @param {number} index
 */
export const markAt = ({ rows }, index) => rows[Math.floor(index / rows.length)][index % rows.length] ?? PLAIN;

/** @param {BoardRows} board @param {number} index */
export const isStart = ({ rows, starts }, index) => starts.some((name) => squareIndex(name, rows.length) === index);

/**
 * Return the board with a mark on some squares, or with these as start squares or not.
 * @param {BoardRows} board
 * @param {number[]} squares
 * @param {string} mark START for start squares, which keep their premium
 * @param {boolean} [isOn] false: they are no start squares any longer
 * @returns {BoardRows}
 */
export function painted(board, squares, mark, isOn = true) {
  const side = board.rows.length;
  if (mark === START) {
    const others = board.starts.filter((name) => !squares.includes(squareIndex(name, side)));
    return { ...board, starts: isOn ? [...others, ...squares.map((index) => squareName(index, side))] : others };
  }
  const rows = board.rows.map((row, at) => {
    const columns = squares.filter((index) => Math.floor(index / side) === at).map((index) => index % side);
    if (!columns.length) return row;
    const marks = [...row.padEnd(side, PLAIN)].slice(0, side);
    for (const column of columns) marks[column] = mark;
    return marks.join("");
  });
  return { ...board, rows };
}

/**
 * Return the board with another number of squares a side; what it has keeps its distance from the center.
 * @param {BoardRows} board
 * @param {number} side
 * @returns {BoardRows}
 */
export function resized(board, side) {
  const old = board.rows.length;
  const shift = Math.floor(side / 2) - Math.floor(old / 2);
  const place = (/** @type {number} */ at) => at - shift;
  const rows = Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, column) => board.rows[place(row)]?.[place(column)] ?? PLAIN).join(""));
  const starts = board.starts.flatMap((name) => {
    const index = squareIndex(name, old);
    const [row, column] = [Math.floor(index / old) + shift, (index % old) + shift];
    return index >= 0 && row >= 0 && column >= 0 && row < side && column < side ? [squareName(row * side + column, side)] : [];
  });
  return { rows, starts: starts.length ? starts : emptyBoard(side).starts };
}
