// The page at /topping: one person plays duplicate against the top. It uses the board, rack and store of the page at /.

import { layMove } from "../notation.js";
import { button, byId, make, write } from "../page/dom.js";
import { saveFile } from "../page/files.js";
import { placeOf } from "../page/history.js";
import { moveOf, noMove } from "../page/move_text.js";
import { readCgp } from "../page/position.js";
import { showScene } from "../page/scene.js";
import { state, subscribe, update } from "../page/state.js";
import { languageName, loadTexts, offerLanguages, t } from "../page/texts.js";
import { playsOf, resultText, roundTable, soFar, verdictOf, written } from "./result.js";
import { askForLists, startTable } from "./table.js";
import { begun, handedIn, opened, storedTraining, storeTraining } from "./training.js";
import { offerTrainingLists } from "./training_lists.js";

const TICK_MS = 250;
const LAST_SECONDS = 30;

const [form, view] = ["start", "view"].map(byId);
const hand = button("", handIn, { id: "hand", className: "primary" });
const clock = make("span", { id: "clock", role: "timer" });

/** @type {Training | null} */
let training = null;
let isBusy = false;
let isWarned = false; // that the time is nearly over

/**
 * Store a training and show it; null shows the form of a new one.
 * @param {Training | null} next
 */
function take(next) {
  const isByKeys = document.activeElement?.matches(":focus-visible");
  training = next;
  isWarned = false;
  storeTraining(next);
  const phase = next?.phase ?? "none";
  [form.hidden, view.hidden] = [phase !== "none", phase === "none"];
  byId("table").hidden = !["open", "judged"].includes(phase);
  byId("actions").hidden = byId("rackbox").hidden = phase !== "open";
  update({ fault: null, keyboard: false });
  if (next) VIEWS[next.phase](next);
  if (isByKeys && phase === "open") byId("board").focus({ preventScroll: true }); // a click or a tap chooses its square itself
}

/**
 * Show a position on the board, with the rack only if it is to be played.
 * @param {string} cgp
 * @param {Placed[] | null} trial the tiles laid; null: the round is over
 */
function showPosition(cgp, trial) {
  const { position, settings } = placeOf(readCgp(cgp), state);
  if (!trial) position.racks = ["", ""];
  update({ panel: "play" });
  showScene("play", { position, settings: { ...settings, lexicon: training?.sheet.game.lexicon.id ?? "" }, trial: trial ?? [] });
}

/** @param {Training} now */
function showOpen(now) {
  const { cgp, current, rounds } = now.sheet;
  showPosition(cgp, now.laid);
  view.replaceChildren(
    make("h2", {}, t("Round {number}", current ?? {})), listLine(now),
    make("p", {}, t("Lay your best play: choose a square and type, or drag the tiles.")),
    ...(rounds.length ? [make("p", {}, soFar(now))] : []),
    make("p", { className: "buttons" }, endButton()));
  showClock();
}

/** @param {Training} now */
function showJudged(now) {
  const last = now.sheet.rounds[now.sheet.rounds.length - 1];
  showPosition(last.cgp, null);
  const { position } = state;
  const plays = playsOf(last).map((play) => {
    const name = play.isOwn ? t("Your play") : t("Top");
    const one = button("", () => look(one, play.move), { className: "choice" });
    one.append(make("span", { className: "dim" }, name), make("span", {}, ...written(play.move, play.points, last)));
    return { one, ...play };
  });
  const look = (/** @type {HTMLElement} */ chosen, /** @type {string} */ move) => {
    const [at, word] = move.split(" ");
    update({ look: layMove(position.tiles, position.side, at, word) });
    for (const { one } of plays) one.setAttribute("aria-pressed", String(one === chosen));
  };
  const next = button(now.sheet.current ? t("Next round") : t("Show the result"), () => take(opened(now)), { id: "next", className: "primary" });
  view.replaceChildren(
    make("h2", {}, t("Round {number}", last)), listLine(now),
    make("p", {}, `${t("Rack")}: `, make("span", { className: "word" }, last.rack)),
    make("div", { className: "big", role: "status" }, ...verdictOf(last).map((line) => make("p", {}, line))),
    make("p", {}, soFar(now)),
    make("p", { className: "buttons" }, next, now.sheet.current ? endButton() : null),
    make("div", { className: "choices", role: "group", "aria-label": t("Plays to show on the board") }, ...plays.map(({ one }) => one)));
  if (plays.length) look(plays[0].one, plays[0].move);
  next.focus({ preventScroll: true });
}

/** @param {Training} now */
function showEnd(now) {
  const copy = async () => {
    const text = resultText(now, listName(now));
    try {
      await navigator.clipboard.writeText(text);
      update({ notice: t("The result is copied.") });
    } catch {
      saveFile("topping.txt", text, "text/plain");
    }
  };
  const again = button(t("New game"), () => { take(null); byId("begin").focus(); }, { id: "again", className: "primary" });
  view.replaceChildren(
    make("h2", {}, t("The result")), listLine(now), make("p", { className: "big", role: "status" }, soFar(now)),
    make("p", { className: "buttons" }, again, button(t("Copy the result"), copy, { id: "copy" })),
    roundTable(now));
  again.focus({ preventScroll: true });
}

/** @param {Training} now */
const listName = ({ sheet: { game: { lexicon: { id } } } }) => state.lexicons.find((one) => one.id === id)?.name ?? id;

/** @param {Training} now */
const listLine = (now) => make("p", { className: "dim" }, `${t("Word list")}: ${listName(now)}`);

const VIEWS = { open: showOpen, judged: showJudged, over: showEnd };

const endButton = () => button(t("End the game"), () => { if (training) take({ ...training, phase: "over", ends: null }); }, { id: "finish" });

/**
 * Say what failed, with a button to do it again.
 * @param {unknown} error
 * @param {() => void} [retry]
 */
function complain(error, retry) {
  update({ fault: { kind: retry ? "down" : "refused", text: /** @type {Error} */ (error).message, lines: [], squares: [], retry: retry ?? null } });
}

/**
 * Ask the server for the next state of the training and show it.
 * @param {() => Promise<Training>} asked
 */
async function proceed(asked) {
  if (isBusy) return;
  isBusy = true;
  update({ fault: null });
  try {
    take(await asked());
  } catch (error) {
    complain(error, () => proceed(asked));
  } finally {
    isBusy = false;
  }
}

/** Hand in the tiles on the board; without any the round is given up. */
function handIn() {
  const now = training;
  if (now?.phase !== "open") return;
  const move = state.trial.length ? moveOf(state.position, state.trial) : "";
  if (move === null) complain(new Error(noMove()));
  else proceed(() => handedIn(now, move));
}

/** Show the time that is left; when it is over, hand in what lies on the board, if it is a play. */
function showClock() {
  const now = training;
  if (now?.phase !== "open") return;
  clock.hidden = !now.ends;
  if (!now.ends) return;
  const seconds = Math.max(Math.ceil((now.ends - Date.now()) / 1000), 0);
  write(clock, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  clock.classList.toggle("wrong", seconds <= LAST_SECONDS);
  if (seconds <= LAST_SECONDS && seconds && !isWarned) {
    isWarned = true;
    update({ notice: t("{seconds} seconds left", { seconds }) });
  }
  if (seconds || isBusy || state.fault?.retry) return; // a request that failed is repeated by its button
  update({ notice: t("The time is over.") });
  proceed(() => handedIn(now, moveOf(state.position, state.trial) ?? ""));
}

/** Build the parts of the page. Texts must be loaded. */
function start() {
  clock.setAttribute("aria-label", t("Time left"));
  byId("actions").append(clock);
  startTable();
  byId("actions").append(hand);
  subscribe((now, before) => {
    write(hand, now.trial.length ? t("Hand in") : t("Give up the round"));
    if (now.trial === before.trial || training?.phase !== "open") return;
    if (now.fault && !now.fault.retry) update({ fault: null });
    training = { ...training, laid: now.trial };
    storeTraining(training);
  });
  for (const one of byId("rules").querySelectorAll("[lang]")) one.text = `${languageName(one.lang)} (${one.text})`;
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const [lexicon, rules, seconds] = ["lexicon", "rules", "seconds"].map((id) => byId(id).value);
    proceed(() => begun({ lexicon, rules: rules || undefined, seconds: Number(seconds) || null }));
  });
  setInterval(showClock, TICK_MS);
}

/** Load what the server offers, then show the stored training, or the form. */
async function load(asked = askForLists()) {
  update({ fault: null });
  try {
    update(await asked);
    offerTrainingLists(byId("lexicon"), state.lexicons);
    take(storedTraining());
  } catch (error) {
    complain(error, () => load());
  }
}

const lists = askForLists();
lists.catch(() => {}); // load says what failed
await loadTexts();
offerLanguages(byId("language"));
start();
load(lists);
