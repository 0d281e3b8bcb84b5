// The curve of the first player's chance to win, turn by turn.

import { draw } from "./dom.js";
import { t } from "./texts.js";

const WIDTH = 600;
const HEIGHT = 150;
const EDGE = 8;

/** @type {Record<string, (x: number, y: number) => string>} */
const MARKS = {
  small: (x, y) => `M${x} ${y - 6}l6 10h-12z`,
  medium: (x, y) => `M${x} ${y - 7}l7 7-7 7-7-7z`,
  large: (x, y) => `M${x - 6} ${y - 6}l12 12m0-12-12 12`,
};

/**
 * Return the range of the first player's win% before a turn, null if it is not known.
 * @param {AnnotatedTurn} turn
 * @returns {{low: number, high: number} | null}
 */
function winBefore({ win_pct_before_low: low, win_pct_before_high: high, player }) {
  if (low === null || high === null) return null;
  return player === 0 ? { low, high } : { low: 100 - high, high: 100 - low };
}

/**
 * Return a picture of the game, null if no win% is known; a click or a sliding finger chooses a turn.
 * @param {Annotation} answer
 * @param {(at: number) => void} choose
 */
export function chart(answer, choose) {
  const { turns, game } = answer;
  const half = (WIDTH - 2 * EDGE) / Math.max(turns.length - 1, 1) / 2;
  const x = (/** @type {number} */ at) => Math.round(10 * (EDGE + 2 * half * at)) / 10;
  const y = (/** @type {number} */ pct) => Math.round(10 * EDGE + ((HEIGHT - 2 * EDGE) * (100 - pct)) / 10) / 10;
  /** @type {Point[]} */
  const points = turns.flatMap((turn, at) => {
    const range = winBefore(turn);
    return range ? [{ at, x: x(at), y: y((range.low + range.high) / 2), range, mistake: turn.mistake }] : [];
  });
  if (points.length < 2) return null;
  let [line, area, bands] = ["", "", ""];
  /** @type {Point | null} */
  let last = null; // the point before, if the curve reaches it
  for (const one of points) {
    const { low, high } = one.range;
    if (high - low > 1) { // not proven: a band, and a gap in the curve
      bands += `M${one.x - half} ${y(low)}V${y(high)}h${2 * half}V${y(low)}z`;
      last = null;
      continue;
    }
    line += `${last ? "L" : "M"}${one.x} ${one.y}h.1`;
    if (last) area += `M${last.x} ${y(0)}V${last.y}L${one.x} ${one.y}V${y(0)}z`;
    last = one;
  }
  const cursor = draw("path", { class: "here", d: "" });
  const name = t("Chance of {player} to win, before each turn: from {first} to {last} %", {
    player: game.players[0].nick, first: winText(points[0]), last: winText(points[points.length - 1]),
  });
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": name },
    draw("path", { class: "area", d: area }),
    draw("path", { class: "middle", d: `M0 ${y(50)}H${WIDTH}` }),
    draw("path", { class: "range", d: bands }),
    draw("path", { class: "line", d: line }),
    cursor,
    ...points.flatMap(({ mistake, x: left, y: top }) => (mistake && mistake in MARKS ? [draw("path", { class: `mark ${mistake}`, d: MARKS[mistake](left, top) })] : [])));
  const pick = (/** @type {MouseEvent} */ { clientX, buttons, type }) => {
    if (type !== "click" && !buttons) return;
    const { left, width } = svg.getBoundingClientRect();
    const place = ((clientX - left) / width) * WIDTH;
    choose(Math.max(0, Math.min(turns.length - 1, Math.round(((place - EDGE) / (WIDTH - 2 * EDGE)) * (turns.length - 1)))));
  };
  for (const name of ["click", "pointermove"]) svg.addEventListener(name, /** @type {any} */ (pick)); // a finger may slide along it
  return { svg, mark: (/** @type {number} */ at) => cursor.setAttribute("d", `M${x(at)} 0V${HEIGHT}`) };
}

/** @param {Point} point */
const winText = ({ range }) => [...new Set([range.low, range.high].map((one) => one.toFixed(0)))].join("–");
