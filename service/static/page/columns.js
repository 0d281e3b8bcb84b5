// The columns of the list of moves, the format of their values, the order of the moves, and the filter.

import { byId } from "./dom.js";
import { rackTiles, without } from "./position.js";
import { update } from "./state.js";
import { t } from "./texts.js";

/** @param {number | null | undefined} value @param {number} [digits] */
export const number = (value, digits = 1) => (value === null || value === undefined ? "–" : minus(value.toFixed(digits)));

/** @param {string} text */
const minus = (text) => text.replace("-", "\u2212");

/** @param {number} value @param {number} [digits] */
export const signed = (value, digits = 1) => `${value > 0 ? "+" : ""}${number(value, digits)}`;

/** @param {Partial<Move>} move */
export function winText(move) {
  const { win_pct: exact, win_pct_low: low, win_pct_high: high } = move;
  return typeof exact === "number" ? number(exact) : typeof low === "number" ? `${low.toFixed(0)}–${high?.toFixed(0)}` : "–";
}

/** @param {Partial<Move>} move */
const spreadOf = (move) => move.sim?.spread ?? move.preendgame?.spread ?? move.endgame?.spread;

/** @param {number | null | undefined} value */
const falling = (value) => -(value ?? -Infinity);

/** @type {Column[]} */
export const COLUMNS = [
  { id: "move", title: () => t("Move"), of: (move) => move.move, key: (move) => move.word ?? `~${move.move}` },
  { id: "score", title: () => t("Score"), of: (move) => String(move.score), key: (move) => -move.score },
  { id: "leave", title: () => t("Leave"), of: (move) => move.leave || "–", key: (move) => falling(move.leave_value) },
  { id: "equity", title: () => t("Equity"), of: (move) => number(move.equity), key: (move) => falling(move.equity), when: (move) => move.equity !== null },
  {
    id: "win_pct", title: () => t("Win%"), of: winText, when: (move) => move.win_pct_low !== null,
    key: (move) => falling(move.win_pct ?? (move.win_pct_low === null ? null : (move.win_pct_low + (move.win_pct_high ?? 0)) / 2)),
    error: (move) => {
      const error = move.sim?.win_pct_error ?? move.preendgame?.win_pct_error;
      return error === null || error === undefined ? "" : `±${error.toFixed(1)}`;
    },
  },
  {
    id: "spread", title: () => t("Spread"), when: (move) => spreadOf(move) !== undefined, key: (move) => falling(spreadOf(move)),
    of: (move) => {
      const spread = spreadOf(move);
      return spread === undefined ? "" : signed(spread, Number.isInteger(spread) ? 0 : 1);
    },
  },
];

/**
 * Return moves sorted by a column; without one in the order of the server. Equal moves stay in that order.
 * @param {Move[]} moves
 * @param {string} sort
 */
export function sorted(moves, sort) {
  const key = COLUMNS.find(({ id }) => id === sort)?.key;
  if (!key) return moves;
  const keyed = moves.map((move) => ({ move, key: key(move) }));
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ move }) => move);
}

/**
 * @param {string | number} one
 * @param {string | number} other
 */
const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Return whether a filter leaves anything out.
 * @param {Filter} filter
 */
export const isOn = (filter) => Object.values(filter).some(Boolean);

/**
 * Return whether a move passes a filter.
 * @param {Move} move
 * @param {Filter} filter
 */
export function passes(move, { text, length, leave, kind }) {
  const wanted = text.trim().toUpperCase();
  if (wanted && !`${move.move} ${move.word ?? ""} ${move.at ?? ""}`.toUpperCase().includes(wanted)) return false;
  if (length && (move.kind !== "play" || move.tiles_used !== Number(length))) return false;
  if (kind && (kind === "play") !== (move.kind === "play")) return false;
  const [left, wantedTiles] = [move.leave ?? "", leave].map(rackTiles);
  return without(left, wantedTiles).length === left.length - wantedTiles.length;
}

/** Return the fields of the filter, which sets the state from now on. */
export function filterBar() {
  const bar = byId("filter");
  const [text, length, leave, kind] = bar.querySelectorAll("input, select");
  bar.addEventListener("input", () => {
    const filter = { text: text.value, leave: leave.value.toUpperCase(), length: length.value, kind: kind.value };
    bar.querySelector(".on").hidden = !isOn(filter);
    update({ filter });
  });
  return bar;
}
