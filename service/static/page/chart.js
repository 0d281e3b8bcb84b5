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
 * @param {any} turn
 * @returns {{low: number, high: number} | null}
 */
function winBefore({ win_pct_before_low: low, win_pct_before_high: high, player }) {
  if (low === null || high === null) return null;
  return player === 0 ? { low, high } : { low: 100 - high, high: 100 - low };
}

/**
 * Return a picture of the game, null if no win% is known; a click or a finger that slides on it chooses the nearest turn.
 * @param {any} answer the annotation
 * @param {(at: number) => void} choose
 */
export function chart(answer, choose) {
  const { turns, game } = answer;
  const x = (/** @type {number} */ at) => EDGE + ((WIDTH - 2 * EDGE) * at) / Math.max(turns.length - 1, 1);
  const y = (/** @type {number} */ pct) => EDGE + ((HEIGHT - 2 * EDGE) * (100 - pct)) / 100;
  /** @type {{at: number, x: number, y: number, range: {low: number, high: number}, mistake: string}[]} */
  const points = turns.flatMap((/** @type {any} */ turn, /** @type {number} */ at) => {
    const range = winBefore(turn);
    return range ? [{ at, x: x(at), y: y((range.low + range.high) / 2), range, mistake: turn.mistake }] : [];
  });
  if (points.length < 2) return null;
  const line = points.map((one) => `${one.x.toFixed(1)} ${one.y.toFixed(1)}`).join("L");
  const cursor = draw("path", { class: "here", d: "" });
  const name = t("Chance of {player} to win, before each turn: from {first} to {last} %", {
    player: game.players[0].nick, first: winText(points[0].range), last: winText(points[points.length - 1].range),
  });
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": name },
    draw("path", { class: "area", d: `M${points[0].x} ${y(0)}L${line}L${points[points.length - 1].x} ${y(0)}z` }),
    draw("path", { class: "middle", d: `M0 ${y(50)}H${WIDTH}` }),
    ...points.filter(({ range }) => range.high - range.low > 1).map((one) => draw("path", { class: "range", d: `M${one.x} ${y(one.range.low)}V${y(one.range.high)}` })),
    draw("path", { class: "line", d: `M${line}` }),
    cursor,
    ...points.filter(({ mistake }) => mistake in MARKS).map((one) => draw("path", { class: `mark ${one.mistake}`, d: MARKS[one.mistake](one.x, one.y) })));
  const pick = (/** @type {MouseEvent} */ { clientX, buttons, type }) => {
    if (type !== "click" && !buttons) return;
    const { left, width } = svg.getBoundingClientRect();
    const place = ((clientX - left) / width) * WIDTH;
    choose(Math.max(0, Math.min(turns.length - 1, Math.round(((place - EDGE) / (WIDTH - 2 * EDGE)) * (turns.length - 1)))));
  };
  for (const name of ["click", "pointermove"]) svg.addEventListener(name, /** @type {any} */ (pick)); // a finger may slide along it
  return { svg, mark: (/** @type {number} */ at) => cursor.setAttribute("d", `M${x(at)} 0V${HEIGHT}`) };
}

/** @param {{low: number, high: number}} range */
const winText = ({ low, high }) => ((low + high) / 2).toFixed(0);
