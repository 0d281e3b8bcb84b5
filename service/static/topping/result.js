// What a training shows after a round and at its end: plays to compare on the board, a table, and the result as text.

import { signed } from "../page/columns.js";
import { make } from "../page/dom.js";
import { moveParts } from "../page/move_text.js";
import { readCgp } from "../page/position.js";
import { shownNumber, t, tn } from "../page/texts.js";
import { analysisOf, totals } from "./training.js";

const MOST_TOPS = 6;

/**
 * Return the verdict on the play of a round, in lines.
 * @param {Round} round
 */
export function verdictOf({ points, slips: [slip] }) {
  if (slip.verdict === "top") return [t("That is the top: {points} points.", { points })];
  const top = t("The top scores {points} points.", { points });
  if (slip.fault) return [t("Not legal: {reason}", { reason: slip.fault.detail }), top];
  return [slip.points ? t("{own} of {points} points: {lost} lost.", { own: slip.points, points, lost: points - slip.points }) : top];
}

/**
 * Return the plays of a round that can be shown on the board: the tops, then the player's own if it is another.
 * @param {Round} round
 * @returns {{move: string, points: number, isOwn: boolean}[]}
 */
export function playsOf({ tops, points, slips: [slip] }) {
  const own = { move: slip.move, points: slip.points, isOwn: true };
  const all = tops.slice(0, MOST_TOPS).map((move) => ({ move, points, isOwn: move === slip.move }));
  return slip.points && !all.some(({ isOwn }) => isOwn) ? [...all, own] : all;
}

/**
 * Return the points so far as text.
 * @param {Training} training
 */
export function soFar(training) {
  const { points, most, share } = totals(training);
  return t("{points} of {most} points, {percent}", { points: shownNumber(points), most: shownNumber(most), percent: percent(share) });
}

/** @param {number} share */
const percent = (share) => shownNumber(share, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * Return a play with its points; one that is not legal is struck.
 * @param {string} move
 * @param {number} points
 * @param {Round} round
 */
export function written(move, points, { cgp }) {
  const isPass = move === "-";
  const isRead = /^\w+ \S+$/.test(move);
  const parts = isRead ? moveParts({ kind: isPass ? "pass" : "play", move }, readCgp(cgp).position) : [isPass ? "–" : move];
  return [make(points || isPass ? "span" : "s", {}, ...parts), " ", make("b", {}, shownNumber(points))];
}

/**
 * Return the table of the rounds played.
 * @param {Training} training
 */
export function roundTable(training) {
  const { rounds } = training.sheet;
  const { points, most, share } = totals(training);
  const rows = rounds.map((round) => {
    const [slip] = round.slips;
    return make("tr", {},
      make("th", { scope: "row" }, make("a", { href: analysisOf(training, round), "aria-label": t("Round {number}, {rack}: open its position", round) },
        String(round.number), " ", make("span", { className: "word" }, round.rack))),
      make("td", {}, ...written(round.top, round.points, round)),
      make("td", {}, ...written(slip.move, slip.points, round)),
      make("td", { className: "lost" }, slip.points < round.points ? signed(slip.points - round.points, 0) : ""));
  });
  return make("table", { className: "rounds" },
    make("caption", {}, tn("{count} round", "{count} rounds", rounds.length)),
    make("thead", {}, make("tr", {}, ...[t("Round"), t("Top"), t("Your play"), t("Lost")].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows),
    make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, percent(share)), make("td", {}, make("b", {}, shownNumber(most))),
      make("td", {}, make("b", {}, shownNumber(points))), make("td", { className: "lost" }, points < most ? signed(points - most, 0) : ""))));
}

/**
 * Return the result as text, a line for each round.
 * @param {Training} training
 * @param {string} list the name of the word list
 */
export function resultText(training, list) {
  const { rounds, game } = training.sheet;
  const lines = rounds.map(({ number, rack, top, points, slips: [slip] }) =>
    [number, rack, top, points, slip.move, slip.points, signed(slip.points - points, 0)].join("\t"));
  return [`kibitz, ${list}, ${game.rules}`, [t("Round"), t("Rack"), t("Top"), "", t("Your play"), "", t("Lost")].join("\t"), ...lines, soFar(training), ""].join("\n");
}
