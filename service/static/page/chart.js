// The curve of the first player's chance to win, turn by turn; a pointer and the arrow keys walk along it.

import { winText } from "./columns.js";
import { draw, make } from "./dom.js";
import { moveParts } from "./move_text.js";
import { readCgp } from "./position.js";
import { t } from "./texts.js";
import { SIGNS, mistakeText, playedMove } from "./turns.js";

// In pixels: what is drawn is as wide as its place, and a percent is a pixel high.
const WIDTH = 600; // until the place is known
const HEIGHT = 126;
const LEFT = 42; // of turn 1; the numbers of the axis stand beside it
const RIGHT = 10;
const LABEL = 30; // room for the number of a turn

/**
 * Return the first player's win% before a turn, a range if it is not proven; null if it is not known.
 * @param {AnnotatedTurn} turn
 */
function winBefore({ win_pct_before_low: low, win_pct_before_high: high, player }) {
  if (low === null || high === null) return null;
  const [win_pct_low, win_pct_high] = player === 0 ? [low, high] : [100 - high, 100 - low];
  return { win_pct: high - low > 1 ? null : win_pct_low, win_pct_low, win_pct_high };
}

/** @param {number} pct */
const y = (pct) => 108 - pct;

/**
 * Return the curve of a game, null if no win% is known; a click, a sliding finger or a key chooses a turn.
 * @param {Annotation} answer
 * @param {(at: number) => void} choose
 */
export function chart(answer, choose) {
  const { turns, game: { players: [{ nick }, other] } } = answer;
  const ranges = turns.map(winBefore);
  if (ranges.filter(Boolean).length < 2) return null;
  let width = WIDTH;
  let marked = 0;
  const gap = () => (width - LEFT - RIGHT) / (turns.length - 1);
  const x = (/** @type {number} */ at) => Math.round(10 * (LEFT + gap() * at)) / 10;
  const svg = draw("svg", { class: "chart", "aria-hidden": "true" });
  const cursor = draw("path", { class: "here", d: "" });
  const tip = make("p", { className: "tip" });
  const element = make("div", {
    className: "plot", id: "plot", role: "slider", tabIndex: 0, "aria-valuemin": turns[0].number, "aria-valuemax": turns[turns.length - 1].number,
    "aria-label": t("Chance of {player} to win, turn by turn", { player: nick }),
  }, svg, tip);

  const describe = (/** @type {number} */ at) => {
    const turn = turns[at];
    const range = ranges[at];
    const facts = [mistakeText(turn.mistake), range ? `${nick} ${winText(range)} %` : ""].filter(Boolean);
    tip.replaceChildren(t("Turn {number}: {player}", { number: turn.number, player: answer.game.players[turn.player].nick }), " ",
      ...moveParts(playedMove(turn), readCgp(turn.cgp).position), [` +${turn.score}`, ...facts].join(" · "));
    tip.style.left = `${x(at)}px`;
    tip.style.translate = `${-100 * (x(at) / width)}%`; // within the curve
  };
  const mark = (/** @type {number} */ at) => {
    marked = at;
    cursor.setAttribute("d", `M${x(at)} 0V${y(0)}`);
    describe(at);
    element.setAttribute("aria-valuenow", turns[at].number);
    element.setAttribute("aria-valuetext", tip.textContent);
  };
  const show = () => {
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const step = [1, 2, 5, 10, 20, 50].find((one) => one * gap() >= LABEL) ?? 100;
    svg.replaceChildren(
      ...curve(turns, ranges, x, gap() / 2),
      draw("path", { class: "grid", d: [0, 50, 100].map((pct) => `M${LEFT} ${y(pct)}H${width - RIGHT}`).join("") }),
      ...[0, 50, 100].map((pct) => label(`${pct} %`, 3, y(pct))),
      ...turns.flatMap(({ number }, at) => (number % step && at ? [] : [label(number, x(at), HEIGHT - 8, "middle")])),
      label(`↑ ${nick}`, LEFT, y(92)), label(`↓ ${other.nick}`, LEFT, y(8)),
      cursor);
  };
  const pick = (/** @type {MouseEvent} */ { clientX, buttons, type }) => {
    const at = Math.round((clientX - svg.getBoundingClientRect().left - LEFT) / gap());
    const to = Math.max(0, Math.min(turns.length - 1, at));
    describe(to);
    if (type === "click" || buttons) choose(to);
  };
  svg.onclick = pick;
  svg.onpointermove = pick; // a finger may slide along it
  svg.onpointerleave = () => describe(marked);
  new ResizeObserver(() => {
    if (!element.clientWidth) return; // hidden
    width = element.clientWidth;
    show();
    mark(marked);
  }).observe(element);
  show();
  return { element, mark };
}

/**
 * Return the parts of a drawing that show what is known.
 * @param {AnnotatedTurn[]} turns
 * @param {ReturnType<typeof winBefore>[]} ranges
 * @param {(at: number) => number} x
 * @param {number} half the distance of two turns
 */
function curve(turns, ranges, x, half) {
  let [line, area, bands, last] = ["", "", "", ""]; // the point before, if the curve reaches it
  const marks = ranges.flatMap((range, at) => {
    if (!range) return [];
    const { win_pct: exact, win_pct_low: low, win_pct_high: high } = range;
    const [left, top, { mistake }] = [x(at), y((low + high) / 2), turns[at]];
    if (exact === null) { // a band, and a gap in the curve
      bands += `M${left - half} ${y(low)}V${y(high)}h${2 * half}V${y(low)}z`;
      last = "";
    } else {
      line += `${last ? "L" : "M"}${left} ${top}h.1`;
      if (last) area += `M${last}L${left} ${top}V${y(0)}H${last.split(" ")[0]}z`;
      last = `${left} ${top}`;
    }
    return mistake && mistake in SIGNS ? [label(SIGNS[mistake], left, top, `middle mark ${mistake}`)] : [];
  });
  return [draw("path", { class: "area", d: area }), draw("path", { class: "range", d: bands }), draw("path", { class: "line", d: line }), ...marks];
}

/**
 * @param {string | number} words
 * @param {number} x
 * @param {number} y
 * @param {string} [kind] a class
 */
function label(words, x, y, kind = "") {
  const text = draw("text", { x, y, class: kind });
  text.append(String(words));
  return text;
}
