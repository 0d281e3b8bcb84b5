// The panel Play: a game on this device between people and computer players. The server makes every turn.

import { Superseded } from "./api.js";
import { TurnClock, isTimeUp } from "./clock.js";
import { complain } from "./faults.js";
import { annotate } from "./games.js";
import { writeGcg } from "./gcg.js";
import { hasClock, isContested, peopleOf, standOf, takenBack } from "./match.js";
import { moveOf, noMove } from "./move_text.js";
import { byId } from "./dom.js";
import { readCgp } from "./position.js";
import { gameForm } from "./play_setup.js";
import { challenge, computerTurn, makeMove, previewMove } from "./play_turns.js";
import { gameView } from "./play_view.js";
import { saveFile } from "./files.js";
import { BEGUN, fileText, onStoredElsewhere, readFile, storeGame, storedGames } from "./saved_games.js";
import { endScene, showScene } from "./scene.js";
import { state, subscribe, table, tileSetOf, update } from "./state.js";
import { storeText, storedText } from "./storage.js";
import { t } from "./texts.js";
import { squaresOf } from "./turns.js";

const TICK_MS = 250;
const STORE_MS = 5000;
const PREVIEW_MS = 150;

const clock = new TurnClock();
let failed = ""; // the turn whose time ran out while the server could not be reached

/** @param {HTMLElement} panel */
export function startPlay(panel) {
  const form = gameForm(sitDown, loadFile);
  const view = gameView({
    show: reveal, move, challenge: challengeLast, takeBack, leave, review, saveJson, saveGcg,
    exchange: (isExchanging) => { setTable({ isExchanging }); },
  });
  panel.append(form, view);
  subscribe((now, before) => {
    if (now.panel === "play" && now.game && !now.scene) showTable();
    if (now.trial !== before.trial && now.scene === "play") preview();
  });
  setInterval(tick, TICK_MS);
  setInterval(() => { if (clock.isRunning) store(); }, STORE_MS);
  addEventListener("pagehide", store);
  onStoredElsewhere((match) => {
    const own = state.game?.match;
    if (own?.id === match.id && match.revision > own.revision) sitDown(match);
  });
}

/** @param {Partial<Table>} change */
const setTable = (change) => update({ game: { ...table(), ...change } });

/**
 * Begin a game, or continue one.
 * @param {Game} match
 */
function sitDown(match) {
  failed = "";
  take(match, null);
  showRack();
}

/** Continue the game that the page /editor has begun, if any. */
export function restoreGame() {
  const begun = storedText(BEGUN, "sessionStorage");
  const match = storedGames().find(({ id }) => id === begun);
  storeText(BEGUN, "", "sessionStorage");
  if (!match) return;
  update({ panel: "play" });
  sitDown(match);
}

/** Scroll to the rack if it is not in view. */
const showRack = () => byId("rackbox").scrollIntoView({ block: "nearest" });

/** Show the game on the board, as the seat in view sees it. */
function showTable() {
  if (state.panel !== "play" || !state.game) return;
  const { match, shown } = table();
  const { cgp, racks, scores, over } = standOf(match);
  const { position } = readCgp(cgp);
  const seat = shown ?? 0;
  position.racks = [shown === null || over ? "" : racks[shown], ""];
  position.scores = [scores[seat], Math.max(...scores.filter((_, at) => at !== seat))];
  const last = match.steps.at(-1);
  const played = last?.kind === "play" ? squaresOf(readCgp((match.steps.at(-2)?.after ?? match.start).cgp).position, last) : [];
  showScene("play", { position, settings: match.settings, played, heard: last ? "" : t("The game begins.") });
}

/**
 * Show the state after a turn; the tiles stay visible if the same person is still on turn.
 * @param {Game} match
 * @param {number | null} [seen] the seat whose tiles are in view
 */
function take(match, seen = table().shown) {
  const people = peopleOf(match);
  const shown = people.length === 1 ? people[0] : seen === standOf(match).onTurn ? seen : null;
  clock.reset(match.taken);
  update({ fault: null, game: { match, shown, busy: false, isExchanging: false, preview: null, seconds: match.taken } });
  storeGame(match);
  showTable();
  proceed();
}

/** Let a computer player move, or the clock of a person run. */
function proceed() {
  const { match, shown } = table();
  const { onTurn, over } = standOf(match);
  const isComputer = match.seats[onTurn].level !== null;
  if (isComputer && (!over || isContested(match))) act(() => computerTurn(match), proceed);
  else if (!over && shown === onTurn) clock.start();
}

/**
 * Run an action that returns the next state of the game; drop its result if the game has changed since.
 * @param {() => Promise<Game>} turn
 * @param {() => void} retry
 */
async function act(turn, retry) {
  const { match } = table();
  const isCurrent = () => state.game?.match === match;
  clock.stop();
  setTable({ busy: true });
  try {
    const next = await turn();
    if (isCurrent() && next !== match) take(next);
    else if (isCurrent()) setTable({ busy: false });
  } catch (error) {
    if (error instanceof Superseded || !isCurrent()) return;
    setTable({ busy: false });
    if (match.seats[standOf(match).onTurn].level === null && table().shown === standOf(match).onTurn) clock.start();
    complain(error, () => { if (isCurrent()) retry(); });
  }
}

/** Show the tiles of the person on turn. */
function reveal() {
  setTable({ shown: standOf(table().match).onTurn });
  showTable();
  showRack();
  proceed();
}

/**
 * Make a move of the person on turn: that of the tiles laid, or an exchange or a pass.
 * @param {string} [text]
 */
function move(text) {
  const { match, busy, shown } = table();
  const { onTurn, over } = standOf(match);
  const laid = text ?? moveOf(state.position, state.trial);
  if (busy || over || shown !== onTurn || (text === undefined && !state.trial.length)) return;
  if (laid === null) {
    complain(new Error(noMove()));
    return;
  }
  const taken = clock.seconds;
  act(() => makeMove(match, laid, taken), () => move(text));
}

function challengeLast() {
  const { match, busy } = table();
  const taken = clock.seconds;
  if (!busy) act(() => challenge({ ...match, taken }), challengeLast);
}

function takeBack() {
  const earlier = takenBack(table().match);
  if (earlier) take(earlier);
}

/** Say what the tiles laid would score. */
function preview() {
  const { trial } = state;
  const { match } = table();
  const laid = trial.length ? moveOf(state.position, trial) : null;
  if (laid === null) {
    setTable({ preview: trial.length ? { move: "", fault: noMove() } : null });
    return;
  }
  setTimeout(async () => {
    if (state.trial !== trial || state.game?.match !== match) return;
    try {
      const found = await previewMove(match, laid);
      if (state.trial === trial && state.game?.match === match) setTable({ preview: { move: laid, ...found } });
    } catch {
      // The score is shown for convenience; the move itself reports what is wrong.
    }
  }, PREVIEW_MS);
}

function tick() {
  if (!state.game || !clock.isRunning) return;
  const { match, busy } = table();
  if (!hasClock(match)) return;
  const { seconds } = clock;
  if (Math.floor(seconds) !== Math.floor(state.game.seconds)) setTable({ seconds });
  const turn = `${match.id} ${match.revision}`;
  if (busy || failed === turn || !isTimeUp(match, seconds)) return;
  failed = turn;
  update({ notice: t("The time is over.") });
  act(() => makeMove(match, "-", seconds), () => { failed = ""; });
}

function store() {
  if (!state.game) return;
  const { match } = table();
  if (!standOf(match).over) storeGame({ ...match, taken: clock.seconds });
}

function leave() {
  store();
  clock.reset(0);
  update({ game: null });
  endScene();
  byId("begin")?.focus();
}

/** Annotate the game that was played. */
function review() {
  annotate(new Blob([record()]), table().match.seats.map(({ name }) => name).join(" - "), table().match.settings.lexicon);
}

function record() {
  const { match } = table();
  return writeGcg(match, tileSetOf({ ...state, settings: match.settings }));
}

const saveGcg = () => saveFile("game.gcg", record(), "text/plain");
const saveJson = async () => saveFile("game.json", await fileText(table().match, clock.seconds), "application/json");

/** @param {File} file */
async function loadFile(file) {
  try {
    sitDown(await readFile(await file.text()));
  } catch (error) {
    complain(error, () => { loadFile(file); });
  }
}
