// What the server says of the position: its moves, asked for after every change, page by page, and the judgement of the
// move that is tried.

import { inOrder } from "./api.js";
import { isOn, signed, winText } from "./columns.js";
import { button, byId, make } from "./dom.js";
import { complain, clearFault } from "./faults.js";
import { moveOf, moveParts, noMove } from "./move_text.js";
import { positionFields, state, subscribe, update } from "./state.js";
import { shownNumber, t, tn } from "./texts.js";

const QUIET_MS = 150; // asks when the person pauses
const FIRST = 50;
const PAGE = 200; // the server lists no more at once
const SORTS = /** @type {Record<string, string>} */ ({ score: "score", win_pct: "win_pct", leave: "leave_value" });

const askInOrder = inOrder();
let asked = "";
let isLoading = false; // the next page is on its way
/** @type {ReturnType<typeof setTimeout>} */
let timer;

/**
 * Return whether the list needs all moves, because the server neither filters nor sorts by words.
 * @param {State} now
 */
const needsAll = ({ sort, filter }) => sort === "move" || isOn(filter);

/**
 * Return the request for the first moves of the position, null while the position allows none.
 * @param {State} now
 */
function movesQuestion(now) {
  if (!now.isReady || now.scene || !now.position.racks[0]) return null;
  const sort = (needsAll(now) ? "" : SORTS[now.sort]) || "equity";
  return { ...positionFields(now), sort, top_n: FIRST, include_exchanges: true };
}

/**
 * Return how many moves there are: plays, exchanges and the pass.
 * @param {Analysis} answer
 */
export const moveCount = (answer) => answer.play_count + answer.exchange_count + 1;

/** Ask for the moves after every change from now on. */
export function startAnalysis() {
  subscribe((now) => {
    const question = movesQuestion(state);
    const text = JSON.stringify(question);
    if (text === asked) {
      if (needsAll(now) && !now.fault) moreMoves();
      return;
    }
    const boardOf = (/** @type {ReturnType<typeof movesQuestion>} */ one) => one?.cgp.split(" ")[0];
    const isSameBoard = boardOf(JSON.parse(asked || "null")) === boardOf(question);
    asked = text;
    clearTimeout(timer);
    if (question) timer = setTimeout(askMoves, QUIET_MS);
    // While a rack is typed its last moves stay; those of another board cannot be played.
    update({ asking: question !== null, fault: unreached(state.fault), answer: question && isSameBoard ? state.answer : null });
  });
}

/**
 * Return a fault while the server cannot be reached, else null: it does not depend on the position.
 * @param {Fault | null} fault
 */
const unreached = (fault) => (fault?.kind === "down" ? fault : null);

/** Ask for the first moves of the position now. */
async function askMoves() {
  const question = movesQuestion(state);
  if (!question) return;
  update({ asking: true });
  try {
    const { found } = await askInOrder("/analyze", question);
    if (asked !== JSON.stringify(question)) return; // the next question waits for a pause
    update({ asking: false, answer: found, heard: summary(found) });
    for (const one of [askMoves, moreMoves]) clearFault(one);
  } catch (error) {
    if (asked === JSON.stringify(question)) update({ asking: false, answer: null });
    complain(error, askMoves);
  }
}

/** Ask for the next moves of the list, if there are more. */
export async function moreMoves() {
  const { answer, asking } = state;
  if (isLoading || asking || !answer || answer.moves.length >= moveCount(answer)) return;
  isLoading = true;
  try {
    const { found } = await askInOrder("/analyze", { ...movesQuestion(state), top_n: PAGE, offset: answer.moves.length });
    isLoading = false;
    if (answer === state.answer) update({ answer: { ...answer, moves: [...answer.moves, ...found.moves] } });
  } catch (error) {
    isLoading = false;
    complain(error, moreMoves);
  }
}

/** @param {Analysis} found */
function summary(found) {
  const [best] = found.moves;
  const count = tn("{count} legal play", "{count} legal plays", found.play_count);
  return best ? t("{count}. Best: {move}, {score} points.", { count, move: best.move, score: best.score }) : count;
}

const askOfTrial = inOrder();
let tried = ""; // what is judged
/** @type {ReturnType<typeof setTimeout>} */
let trialTimer;

/**
 * Judge the tiles laid after every change, and show the judgement in an element.
 * @param {HTMLElement} element
 */
export function startTrial(element) {
  draw(element);
  subscribe((now, before) => {
    const text = now.trial.length && !now.scene ? JSON.stringify([now.trial, positionFields(now)]) : "";
    if (text !== tried) {
      tried = text;
      clearTimeout(trialTimer);
      if (text) trialTimer = setTimeout(judge, QUIET_MS);
      update({ trialResult: null });
    }
    if (now.trialResult !== before.trialResult || now.trial !== before.trial || now.mode !== before.mode) draw(element);
  });
}

async function judge() {
  const move = moveOf(state.position, state.trial);
  if (move === null) {
    update({ trialResult: { text: noMove() } });
    return;
  }
  const mine = tried;
  try {
    const { found } = await askOfTrial("/analyze", { ...positionFields(state), sort: "equity", top_n: 1, include_exchanges: true, compare: [move] });
    if (mine !== tried) return;
    const result = { ...found.compare[0], best: found.moves[0], count: found.play_count };
    update({ trialResult: result, heard: judgement(result) });
  } catch (error) {
    complain(error, judge);
  }
}

/**
 * Return the judgement of a move that was tried, in words.
 * @param {Trial} result
 */
function judgement({ text, legal, move, fault, best, count = 0 }) {
  if (text) return text;
  if (!legal || !move || !best) return t("Not legal: {reason}", { reason: fault?.detail ?? "" });
  const loss = (best.equity ?? 0) - (move.equity ?? 0);
  const rank = t("Rank {rank} of {count}", { rank: move.rank, count: shownNumber(count) });
  if (move.rank === 1 || loss < 0.05) return t("{rank}: the best move by equity.", { rank });
  return t("{rank}: loses {loss} points of equity against {best}.", { rank, loss: loss.toFixed(1), best: best.move });
}

/** @param {HTMLElement} element */
function draw(element) {
  const { trial, trialResult: result, mode } = state;
  element.hidden = mode !== "try" && trial.length === 0;
  if (element.hidden) return;
  if (!trial.length) {
    element.replaceChildren(make("p", {}, t("Lay a move with the tiles of your rack: tap a square and type, or drag tiles.")));
    return;
  }
  if (!result) return; // the earlier judgement stays until the next is there
  const { move, legal } = result;
  element.replaceChildren(
    make("p", { className: "line" },
      ...(move ? [make("strong", {}, ...moveParts(move, state.position)), " ", make("b", { className: "score" }, t("{score} points", { score: move.score }))] : []),
      ...(move && legal ? [make("span", { className: "dim" }, t("equity {equity}, win {win}%", { equity: signed(move.equity ?? 0), win: winText(move) }))] : []),
    ),
    make("p", { className: legal ? "verdict" : "verdict wrong" }, judgement(result)),
    make("p", { className: "buttons" },
      ...(move && legal ? [button(t("Choose this move"), () => { update({ chosen: move, trial: [] }); byId("play").focus(); })] : []),
      button(t("Take the tiles back"), () => { update({ trial: [] }); byId("board").focus(); })),
  );
}
