// Find it yourself: the mistakes of an annotated game, one after the other, as puzzles with hints.

import { inOrder } from "./api.js";
import { number } from "./columns.js";
import { button, byId, make } from "./dom.js";
import { complain } from "./faults.js";
import { hintBox } from "./hints.js";
import { moveOf, moveParts, noMove } from "./move_text.js";
import { readCgp } from "./position.js";
import { showScene } from "./scene.js";
import { positionFields, reviewed, state, subscribe, update } from "./state.js";
import { t } from "./texts.js";
import { mistakesOf, settingsOf, turnScene } from "./turns.js";

const AS_GOOD = 0.05; // points of equity

const askInOrder = inOrder();

/**
 * Show the puzzles in an element from now on.
 * @param {HTMLElement} element
 */
export function startPuzzle(element) {
  const title = make("p", { className: "big" });
  const task = make("p", {});
  const check = button(t("Check my move"), judge, { id: "check", className: "primary" });
  const reveal = button(t("Show the move"), showAnswer, { id: "reveal" });
  const verdict = make("p", { className: "verdict", role: "status", id: "puzzleverdict" });
  const hints = hintBox(() => state.review?.puzzle != null && state.scene === "games");
  const next = button(t("Next puzzle"), () => open(puzzleOf().number + 1), { id: "nextpuzzle" });
  element.append(title, task, hints, make("p", { className: "buttons" }, check, reveal, next,
    button(t("Back to the game"), stopPuzzle, { id: "endpuzzle" })), verdict);
  subscribe((now, before) => {
    const puzzle = now.review?.puzzle ?? null;
    if (puzzle === null || now.panel !== "games") return;
    const { answer } = reviewed();
    const all = mistakesOf(answer);
    const { turn } = all[puzzle.number];
    const isNew = puzzle.number !== before.review?.puzzle?.number;
    if (isNew || now.scene !== "games") {
      const { position } = readCgp(turn.cgp);
      position.racks = [turn.rack, ""];
      showScene("games", { position, settings: settingsOf(answer) });
      title.textContent = t("Puzzle {number} of {count}", { number: puzzle.number + 1, count: all.length });
      task.textContent = t("{player} to move, {scores}, {bag} tiles in the bag. Lay the best move on the board.", {
        player: answer.game.players[turn.player].nick, scores: turn.scores.join("–"), bag: turn.bag_count,
      });
      next.hidden = puzzle.number + 1 >= all.length;
      if (isNew) check.focus({ preventScroll: true });
    }
    check.setAttribute("aria-disabled", String(now.trial.length === 0));
    if (puzzle.verdict !== before.review?.puzzle?.verdict || isNew) verdict.replaceChildren(...(puzzle.verdict ?? []));
  });
}

const puzzleOf = () => /** @type {NonNullable<Review["puzzle"]>} */ (reviewed().puzzle);

/** @param {number} next */
const open = (next) => update({ review: { ...reviewed(), puzzle: { number: next } } });

/** End the puzzles and show the turn of the last one. */
function stopPuzzle() {
  const review = reviewed();
  if (!review?.puzzle) return;
  const { at } = mistakesOf(review.answer)[review.puzzle.number];
  update({ review: { ...review, puzzle: null, at, look: "played" } });
  byId("turns")?.focus({ preventScroll: true });
}

/** @param {(Node | string)[]} verdict */
const say = (verdict) => update({ review: { ...reviewed(), puzzle: { ...puzzleOf(), verdict } } });

/** Compare the tiles laid with the best move. */
async function judge() {
  const { best } = mistakesOf(reviewed().answer)[puzzleOf().number];
  if (!state.trial.length) return;
  const move = moveOf(state.position, state.trial);
  if (move === null) return say([noMove()]);
  if (move === best.move) return say([t("Yes, that is the best move.")]);
  const { number: mine } = puzzleOf();
  try {
    const { found } = await askInOrder("/analyze", { ...positionFields(state), sort: "equity", top_n: 1, include_exchanges: true, compare: [move, best.move] });
    if (state.review?.puzzle?.number !== mine) return;
    const [own, other] = found.compare;
    if (!own.legal) return say([t("Not legal: {reason}", { reason: own.fault?.detail ?? "" })]);
    const loss = (other.move?.equity ?? best.equity) - (own.move?.equity ?? 0);
    say([loss < AS_GOOD
      ? t("Yes, that is as good as the best move.")
      : t("Not the best: it loses {points} points of equity. Try again, or take a hint.", { points: number(loss) })]);
  } catch (error) {
    complain(error, judge);
  }
}

function showAnswer() {
  const { best, at } = mistakesOf(reviewed().answer)[puzzleOf().number];
  const scene = turnScene({ ...reviewed(), at, look: "best" });
  update({ trial: [], chosen: scene.chosen });
  say([t("The best move:"), " ", ...moveParts(best, scene.position), ` +${best.score}`]);
}
