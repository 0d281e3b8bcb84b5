// Look ahead: a button starts the search that fits the position, and stops it; its results stay.

import { button, make, write } from "./dom.js";
import { complain } from "./faults.js";
import { follow } from "./api.js";
import { positionFields, state, subscribe, update } from "./state.js";
import { language, shownNumber, t, tn } from "./texts.js";

/** Seconds that a person may choose; the first is the default. */
const SECONDS = [5, 20, 60];
const NODES_PER_SECOND = 2_000_000;
const ITERATIONS = 200_000; // the most that the server allows; the time ends the search before

let dropping = new AbortController();
let stopping = new AbortController();

const keyOf = (/** @type {State} */ now) => JSON.stringify(positionFields(now));

/** Drop a search when the position changes. */
export function startSearch() {
  subscribe((now) => {
    if (now.search && now.search.key !== keyOf(now)) {
      dropping.abort();
      update({ search: null });
    }
  });
}

/** End the search; the page still shows its results. */
function stopSearch() {
  stopping.abort();
}

/**
 * Search the position for a number of seconds.
 * @param {number} seconds
 */
async function lookAhead(seconds) {
  dropping.abort();
  dropping = new AbortController();
  stopping = new AbortController();
  const { signal } = dropping;
  /** @type {Search} */
  let search = { key: keyOf(state), seconds, state: "running", job: null, moves: [], answer: null };
  const show = (/** @type {Partial<Search>} */ change) => {
    if (signal.aborted) return;
    search = { ...search, ...change };
    update({ search });
  };
  update({ search, sort: "rank", fault: null, heard: t("Looking ahead …") });
  try {
    const { found, wasStopped } = await follow("/analyze", question(seconds), {
      signal, stopped: stopping.signal, progress: (job) => show({ job, moves: soFar(job) ?? search.moves }),
    });
    show({
      state: wasStopped ? "stopped" : "done", answer: found ?? search.answer,
      moves: found ? found.moves.filter(isSearched) : search.moves,
    });
    if (!signal.aborted) update({ heard: ending(search) });
  } catch (error) {
    if (!signal.aborted) update({ search: search.moves.length ? { ...search, state: "stopped" } : null });
    complain(error, () => { lookAhead(seconds); });
  }
}

/** @param {number} seconds */
function question(seconds) {
  const nodes = NODES_PER_SECOND * seconds;
  const compare = [state.chosen?.move, state.trialResult?.legal && state.trialResult.move?.move].filter(Boolean);
  return {
    ...positionFields(state), phase: "auto", max_ms: 1000 * seconds, sort: "equity", top_n: 30, include_exchanges: true, compare,
    simulate: { iterations: ITERATIONS, reply_squares: true }, preendgame: { nodes }, endgame: { nodes }, explain: true, lang: language(),
  };
}

/** @param {Move} move */
const isSearched = (move) => move.sim !== null || move.endgame !== null || move.preendgame !== null;

/**
 * Return the moves that a running job has found so far, null if it reports none.
 * @param {Job} job
 */
function soFar(job) {
  const found = job.so_far?.moves;
  if (!found?.length) return null;
  const known = new Map((state.answer?.moves ?? []).map((move) => [move.move, move]));
  return found.flatMap((one) => {
    const move = known.get(one.move);
    return move ? [{ ...move, ...one }] : [];
  });
}

/**
 * Return how a search ended, in words.
 * @param {Search} search
 */
function ending({ state: ended, answer, seconds }) {
  if (!answer) return t("Stopped before anything was found.");
  const name = NAMES[answer.phase ?? ""]?.() ?? "";
  const { stopped_by: by, spent } = answer.provenance;
  const effort = spent?.iterations ? t("{n} iterations", { n: shownNumber(spent.iterations) }) : "";
  const how = ended === "stopped" ? t("stopped by you")
    : by === "complete" ? (answer.phase === "simulate" ? t("decided") : t("proven"))
    : t("after {seconds} s", { seconds });
  return [name, how, effort].filter(Boolean).join(", ");
}

/** @type {Record<string, () => string>} */
const NAMES = {
  simulate: () => t("Simulation"), preendgame: () => t("Pre-endgame"), endgame: () => t("Endgame"),
};

/** @param {HTMLElement} element */
export function startSearchView(element) {
  const seconds = make("select", { id: "seconds", "aria-label": t("Look ahead for up to") }, ...SECONDS.map((n) => new Option(t("{n} s", { n }), String(n))));
  const go = button("", () => press(Number(seconds.value)), { id: "ahead", className: "primary" });
  const text = make("p", { className: "facts", id: "facts" });
  const bar = make("progress", { max: 1, value: 0, hidden: true, "aria-label": t("Time of the search") });
  element.append(go, seconds, text);
  element.after(bar);
  const show = () => {
    const { search } = state;
    const isRunning = search?.state === "running";
    write(go, isRunning ? t("Stop") : t("Look ahead"));
    go.setAttribute("aria-disabled", String(!isRunning && !state.answer));
    write(text, search ? (isRunning ? doing(search) : ending(search)) : facts());
    bar.hidden = !isRunning;
    if (search?.job) bar.value = search.job.total ? search.job.done / search.job.total : 0;
  };
  subscribe((now, before) => { if (now.search !== before.search || now.answer !== before.answer || now.asking !== before.asking) show(); });
  show();
}

/** @param {number} seconds */
function press(seconds) {
  if (state.search?.state === "running") stopSearch();
  else if (state.answer) lookAhead(seconds);
}

/** @param {Search} search */
function doing({ job, seconds }) {
  if (job?.state === "queued") return t("Waiting for its turn …");
  const { so_far: found } = job ?? {};
  if (found?.spent.iterations) return t("{name}: {n} iterations", { name: NAMES.simulate(), n: shownNumber(found.spent.iterations) });
  if (job && found) return t("{name}: {done} of {total} s", { name: NAMES[found.phase](), done: job.done, total: seconds });
  return job ? t("{done} of {total} s", { done: job.done, total: seconds }) : t("Looking ahead …");
}

/** Return how many moves there are. */
function facts() {
  const { answer, asking } = state;
  if (!answer) return asking ? t("Looking for moves …") : "";
  const { bag_count: bag } = answer.position;
  const plays = tn("{count} legal play", "{count} legal plays", answer.play_count);
  return t("{plays}, {bag} in the bag", { plays, bag });
}
