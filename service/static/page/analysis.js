// Request the moves of the position from the server after every change, page by page.

import { inOrder } from "./api.js";
import { complain, clearFault } from "./faults.js";
import { isOn } from "./columns.js";
import { positionFields, state, subscribe, update } from "./state.js";
import { t, tn } from "./texts.js";

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
    const isNewPosition = JSON.parse(asked || "null")?.cgp !== question?.cgp;
    asked = text;
    clearTimeout(timer);
    if (question) timer = setTimeout(askMoves, QUIET_MS);
    update({ asking: question !== null, fault: unreached(state.fault), ...(question && !isNewPosition ? {} : { answer: question && state.answer }) });
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
