// How a move is written: its square, and its word with the letters of the board set apart.

import { make } from "./dom.js";
import { squareIndex, squareName, tileText } from "./position.js";
import { t } from "./texts.js";

/**
 * Return the parts of a move: "N2 TrIAGES", with letters that lie on the board already in a lighter ink.
 * @param {{kind: string, move: string}} move
 * @param {Position} position
 * @returns {(Node | string)[]}
 */
export function moveParts(move, position) {
  if (move.kind === "pass") return [make("span", { className: "other" }, t("Pass"))];
  if (move.kind === "exchange") {
    return [make("span", { className: "other" }, t("Exchange")), " ", make("span", { className: "word" }, move.move.slice(1))];
  }
  const [at, pattern = ""] = move.move.split(" ");
  let index = startOf(at, position.side);
  const step = /^\d/.test(at) ? 1 : position.side;
  const word = make("span", { className: "word" });
  for (const part of pattern.match(/\[[^\]]*\]|./gu) ?? []) {
    word.append(part === "." ? make("i", {}, letterAt(position, index)) : part.replace(/^\[|\]$/g, ""));
    index += step;
  }
  return [make("span", { className: "at" }, at), " ", word];
}

/**
 * @param {Position} position
 * @param {number} index
 */
function letterAt(position, index) {
  const tile = position.tiles[index];
  return tile ? (tile.blank ? tile.letter.toLowerCase() : tile.letter) : ".";
}

/**
 * Return the index of the first square of a move: 8D is across, D8 the same square down.
 * @param {string} at
 * @param {number} side
 */
function startOf(at, side) {
  return squareIndex(at.replace(/^([A-Z])(\d+)$/, "$2$1"), side);
}

/**
 * Return the tiles laid on the board as a move that the server can read; null if they are not in one line
 * without gaps.
 * @param {Position} position
 * @param {Placed[]} placed
 */
export function moveOf(position, placed) {
  const { side, tiles } = position;
  const laid = new Map(placed.map((one) => [squareIndex(one.at, side), one]));
  const squares = [...laid.keys()].sort((one, other) => one - other);
  const rows = new Set(squares.map((one) => Math.floor(one / side)));
  const columns = new Set(squares.map((one) => one % side));
  if (squares.length === 0 || (rows.size > 1 && columns.size > 1)) return null;
  const has = (/** @type {number} */ index) => laid.get(index) ?? tiles[index];
  const isDown = rows.size > 1 || (columns.size === 1 && !nextTo(squares[0], side, has));
  const step = isDown ? side : 1;
  const before = (/** @type {number} */ index) => (isDown ? index >= side : index % side > 0);
  const after = (/** @type {number} */ index) => (isDown ? index + side < side * side : index % side < side - 1);
  let first = squares[0];
  while (before(first) && has(first - step)) first -= step;
  let text = "";
  let index = first;
  let found = 0;
  for (;;) {
    const tile = laid.get(index);
    if (!tile && !tiles[index]) break;
    text += tile ? tileText(tile) : ".";
    found += tile ? 1 : 0;
    if (!after(index)) break;
    index += step;
  }
  if (found < squares.length) return null;
  const name = squareName(first, side);
  return `${isDown ? name.replace(/^(\d+)(.)$/, "$2$1") : name} ${text}`;
}

/** Say why `moveOf` returns null. */
export const noMove = () => t("The tiles must lie in one line without a gap.");

/**
 * Return whether a tile lies left or right of a square.
 * @param {number} index
 * @param {number} side
 * @param {(index: number) => unknown} has
 */
function nextTo(index, side, has) {
  return (index % side > 0 && has(index - 1)) || (index % side < side - 1 && has(index + 1));
}
