// A game that was played on the page, as a GCG record.

import { rackText, rackTiles } from "./position.js";
import { standOf } from "./match.js";

/**
 * Return the record of a game.
 * @param {Game} game
 * @param {Letter[]} letters of its tile set, the blank first
 */
export function writeGcg(game, letters) {
  const nicks = nicknames(game.seats.map(({ name }) => name));
  const lines = ["#character-encoding UTF-8", ...game.seats.map(({ name }, at) => `#player${at + 1} ${nicks[at]} ${oneLine(name)}`), `#lexicon ${game.settings.lexicon}`];
  const { board, tile_set } = game.settings;
  if (typeof board === "string" && board !== "standard15") lines.push(`#board-layout ${board}`);
  if (typeof tile_set === "string") lines.push(`#tile-distribution ${tile_set}`);
  const say = (/** @type {number} */ seat, /** @type {(string | number)[]} */ ...parts) => lines.push(`>${nicks[seat]}: ${parts.filter((one) => one !== "").join(" ")}`);
  for (const step of game.steps) {
    const { kind, player, rack, move, score, seconds, after } = step;
    const total = after.scores[player];
    if (kind === "play" || kind === "exchange") say(player, rack, move, signed(score), total);
    else if (kind === "pass" || kind === "lost") say(player, rack, "-", "+0", total);
    else if (kind === "phony") say(player, rack, "--", signed(score), total);
    else if (kind === "challenge" && score) say(player, "(challenge)", signed(score), total);
    if (seconds && ["play", "exchange", "pass"].includes(kind)) lines.push(`#seconds ${Number(seconds.toFixed(3))}`);
  }
  endLines(game, letters, say);
  const { over, racks } = standOf(game);
  if (!over || game.seats.length > 2 || isForfeit(over.reason)) {
    racks.forEach((rack, at) => { if (rack) lines.push(`#rack${at + 1} ${rack}`); });
  }
  return `${lines.join("\n")}\n`;
}

/** @param {string} reason */
const isForfeit = (reason) => reason === "time" || reason === "challenge";

/**
 * @param {Game} game
 * @param {Letter[]} letters
 * @param {(seat: number, ...parts: (string | number)[]) => void} say
 */
function endLines(game, letters, say) {
  const { over, onTurn, scores } = standOf(game);
  if (!over) return;
  const [blank, ...names] = letters.map(({ letter }) => letter);
  const order = [...names, blank];
  const out = over.reason === "went_out" ? (onTurn || over.left.length) - 1 : -1;
  over.adjustments.forEach((points, seat) => {
    const left = rackTiles(over.left.join("")); // who is out has none
    const others = rackText(left.sort((one, other) => order.indexOf(one) - order.indexOf(other)));
    if (seat === out) say(seat, `(${others})`, signed(points), scores[seat] + points);
  });
  over.adjustments.forEach((points, seat) => {
    const rack = over.left[seat];
    if (points < 0 && rack) say(seat, rack, `(${rack})`, signed(points), scores[seat] + points);
  });
  over.penalties.forEach((points, seat) => { if (points) say(seat, "(time)", signed(-points), over.final[seat]); });
}

/** @param {number} score */
const signed = (score) => `${score < 0 ? "" : "+"}${score}`;

/** @param {string} text */
const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/**
 * Return a nickname without spaces for each name, all different.
 * @param {string[]} names
 */
function nicknames(names) {
  /** @type {string[]} */
  const nicks = [];
  for (const name of names) {
    const plain = oneLine(name).replace(/[\s:>#]+/g, "_") || "player";
    let nick = plain;
    for (let number = 2; nicks.includes(nick); number += 1) nick = `${plain}${number}`;
    nicks.push(nick);
  }
  return nicks;
}
