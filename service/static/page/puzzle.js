// Find it yourself: mistakes of annotated games, one after the other, as puzzles with hints.

import { inOrder } from "./api.js";
import { number } from "./columns.js";
import { button, make } from "./dom.js";
import { complain } from "./faults.js";
import { hintBox } from "./hints.js";
import { moveOf, moveParts, noMove } from "./move_text.js";
import { readCgp } from "./position.js";
import { showScene } from "./scene.js";
import { positionFields, state, subscribe, update } from "./state.js";
import { t } from "./texts.js";
import { judgement, laidMove, scoresText, settingsOf } from "./turns.js";

const AS_GOOD = 0.05; // points of equity

const askInOrder = inOrder();

/**
 * Show the puzzles of the state in an element from now on.
 * @param {HTMLElement} element
 * @param {string} ending the name of the button that ends them
 * @param {(last: Mistake) => void} end
 * @param {Answered} [answered]
 */
export function startPuzzle(element, ending, end, answered = () => []) {
  /** @type {Say} */
  const say = (verdict, isRight) => update({
    puzzle: { ...puzzleOf(), verdict: isRight === undefined ? verdict : [...verdict, ...answered(current(), isRight)] },
  });
  const title = make("p", { className: "big" });
  const task = make("p", {});
  const check = button(t("Check my move"), () => judge(say), { id: "check", className: "primary" });
  const reveal = button(t("Show the move"), () => showAnswer(say), { id: "reveal" });
  const verdict = make("div", { className: "verdict", role: "status", id: "puzzleverdict" });
  const hints = hintBox(() => state.puzzle !== null && state.scene === "games");
  const next = button(t("Next puzzle"), () => update({ puzzle: { list: puzzleOf().list, number: puzzleOf().number + 1 } }), { id: "nextpuzzle" });
  const leave = () => {
    const last = current();
    update({ puzzle: null });
    end(last);
  };
  element.append(title, task, hints, make("p", { className: "buttons" }, check, reveal, next, button(ending, leave, { id: "endpuzzle" })), verdict);
  subscribe((now, before) => {
    const { puzzle } = now;
    if (puzzle === null || now.panel !== "games") return;
    const isNew = puzzle.number !== before.puzzle?.number;
    if (isNew || now.scene !== "games") {
      const { turn, game } = current();
      const { position } = readCgp(turn.cgp);
      position.racks = [turn.rack, ""];
      showScene("games", { position, settings: settingsOf(game) });
      title.textContent = t("Puzzle {number} of {count}", { number: puzzle.number + 1, count: puzzle.list.length });
      task.textContent = t("{player} to move, {scores}, {bag} tiles in the bag. Lay the best move on the board.", {
        player: game.players[turn.player].nick, scores: scoresText(turn), bag: turn.bag_count,
      });
      next.hidden = puzzle.number + 1 >= puzzle.list.length;
      if (isNew) check.focus({ preventScroll: true });
    }
    check.setAttribute("aria-disabled", String(now.trial.length === 0));
    if (puzzle.verdict !== before.puzzle?.verdict || isNew) verdict.replaceChildren(...(puzzle.verdict ?? []));
  });
}

const puzzleOf = () => /** @type {Puzzle} */ (state.puzzle);

const current = () => puzzleOf().list[puzzleOf().number];

/**
 * Compare the tiles laid with the best move.
 * @param {Say} say
 */
async function judge(say) {
  const puzzle = current();
  const { turn, best } = puzzle;
  if (!state.trial.length) return;
  const move = moveOf(state.position, state.trial);
  if (move === null) return say([noMove()]);
  if (move === best.move) return say([t("Yes, that is the best move.")], true);
  if (move === turn.played?.move) return say([`${t("played")}: ${judgement(turn)}`], false);
  try {
    const { found } = await askInOrder("/analyze", { ...positionFields(state), sort: "equity", top_n: 1, include_exchanges: true, compare: [move, best.move] });
    if (!state.puzzle || current() !== puzzle) return;
    const [own, other] = found.compare;
    if (!own.legal) return say([t("Not legal: {reason}", { reason: own.fault?.detail ?? "" })]);
    const loss = (other.move?.equity ?? best.equity) - (own.move?.equity ?? 0);
    if (!turn.bag_count || (loss < AS_GOOD && (best.win_pct_by ?? "table") !== "table")) { // equity does not decide
      say([t("The search prefers another move. Try again, or take a hint.")], false);
    } else if (loss < AS_GOOD) say([t("Yes, that is as good as the best move.")], true);
    else say([t("Not the best: it loses {points} points of equity. Try again, or take a hint.", { points: number(loss) })], false);
  } catch (error) {
    complain(error, () => { judge(say); });
  }
}

/** @param {Say} say */
function showAnswer(say) {
  const { best } = current();
  update({ trial: [], chosen: laidMove(state.position, best) });
  say([t("The best move:"), " ", ...moveParts(best, state.position), ` +${best.score}`], null);
}
