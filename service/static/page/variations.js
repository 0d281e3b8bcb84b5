// Variations of an annotated game: other moves from a turn on, played in Moves, named, and stored with the game.

import { button, byId } from "./dom.js";
import { commit } from "./history.js";
import { readCgp, writeCgp } from "./position.js";
import { storeRecord } from "./records.js";
import { analyse } from "./scene.js";
import { reviewed, state, subscribe, update } from "./state.js";
import { t } from "./texts.js";
import { settingsOf, turnScene } from "./turns.js";

const MAX_PLAYS = 60;

/**
 * Return a CGP without its racks, which a person may type at any time.
 * @param {string} cgp
 */
function bare(cgp) {
  const [board, , ...rest] = cgp.split(" ");
  return [board, ...rest].join(" ");
}

/**
 * Return the plays that lead from the turn of a branch to a position, null if none do.
 * @param {Pick<Branch, "start" | "plays">} branch
 * @param {string} cgp
 */
export function pathTo({ start, plays }, cgp) {
  /** @type {BranchPlay[]} */
  const path = [];
  for (let at = cgp; bare(at) !== bare(start); at = path[0].before) {
    const play = plays.find(({ after }) => bare(after) === bare(at));
    if (!play || path.length > MAX_PLAYS) return null;
    path.unshift(play);
  }
  return path;
}

/**
 * Return the branch with a play from one of its positions; from any other, and for a play that it has, the same branch.
 * @param {Branch} branch
 * @param {BranchPlay} play
 * @returns {Branch}
 */
export function withPlay(branch, play) {
  const isKnown = branch.plays.some(({ before, after }) => bare(before) === bare(play.before) && bare(after) === bare(play.after));
  return isKnown || !pathTo(branch, play.before) ? branch : { ...branch, plays: [...branch.plays, play] };
}

/**
 * Add a play that was made in Moves to the branch, if there is one, and return the position after it. There the other
 * player has the rack of the next turn of the record: it was drawn before this play.
 * @param {Position} before
 * @param {Position} after
 * @param {Chosen} move
 * @returns {Position}
 */
export function branchOff(before, after, { move, score }) {
  const { branch, review } = state;
  if (!branch) return after;
  const start = writeCgp(before);
  const rack = bare(start) === bare(branch.start) ? review?.answer?.turns[branch.at + 1]?.rack : "";
  const position = rack && !after.racks[0] ? { ...after, racks: /** @type {Position["racks"]} */ ([rack, ""]) } : after;
  update({ branch: withPlay(branch, { before: start, after: writeCgp(position), move, score }) });
  return position;
}

/** Open the turn in view in Moves; the moves played there are a branch of the game. */
export function openTurn() {
  const { position, settings, played } = turnScene(reviewed());
  const { record, at } = reviewed();
  analyse({ position, settings, played });
  update({ branch: { record, at, start: writeCgp(position), plays: [] } });
}

/**
 * Open a variation at its end.
 * @param {Variation} variation
 */
export function openVariation({ branch, cgp, name }) {
  analyse({ position: readCgp(cgp).position, settings: settingsOf(reviewed().answer.game) });
  update({ branch });
  byId("variation").value = name;
}

/**
 * Store the variations of the game in view.
 * @param {Variation[]} variations
 */
export function setVariations(variations) {
  update({ review: { ...reviewed(), variations } });
  storeRecord(reviewed());
}

/** Return the bar above the moves of a branch: the way here, the ways on, and a name to store it by. */
export function branchBar() {
  const [box, name, storing] = ["branch", "variation", "storevariation"].map(byId);
  const way = box.firstElementChild;
  box.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); store(name.value.trim()); });
  byId("backtogame").addEventListener("click", backToGame);
  subscribe((now, before) => {
    if (now.branch === before.branch && now.position === before.position && now.review === before.review && now.scene === before.scene) return;
    const { branch, position, review, scene } = now;
    const path = branch && !scene && review?.record === branch.record ? pathTo(branch, writeCgp(position)) : null;
    box.hidden = !path;
    if (!branch || !path) return;
    if (now.branch?.plays.length === 0) name.value = "";
    const here = path.at(-1)?.after ?? branch.start;
    const step = (/** @type {string} */ text, /** @type {string} */ cgp) =>
      button(text, () => commit({ position: readCgp(cgp).position, cursor: null }), { className: "step", "aria-current": cgp === here ? "step" : null });
    const next = branch.plays.filter((play) => bare(play.before) === bare(here));
    way.replaceChildren(step(t("Turn {number}", { number: review?.answer?.turns[branch.at].number }), branch.start),
      ...path.map(({ move, after }) => step(move, after)), ...next.map(({ move, after }) => step(`› ${move}`, after)));
    storing.setAttribute("aria-disabled", String(path.length === 0));
  });
  box.hidden = true;
  return box;
}

/**
 * Store the way to the position on the board as a variation; one of the same name at this turn is replaced.
 * @param {string} name
 */
function store(name) {
  const branch = /** @type {Branch} */ (state.branch);
  const cgp = writeCgp(state.position);
  const path = pathTo(branch, cgp) ?? [];
  if (!path.length) return;
  const moves = path.map(({ move, score }) => `${move} ${score < 0 ? "" : "+"}${score}`).join(", ");
  const variation = { at: branch.at, name: name || path[0].move, moves, branch, cgp };
  const others = reviewed().variations.filter((one) => one.at !== branch.at || one.name !== variation.name);
  setVariations([...others, variation]);
  backToGame();
}

/** Show the turn from which the branch leads away. */
function backToGame() {
  const { branch } = state;
  update({ review: { ...reviewed(), at: branch?.at ?? 0, look: "played" }, puzzle: null, branch: null, panel: "games" });
  byId("turns").focus({ preventScroll: true });
}
