// The page at /join: a player at a seat of a hosted game. The host checks every move and sends what the seat may see.

import { ask } from "../page/api.js";
import { button, byId, write } from "../page/dom.js";
import { complain } from "../page/faults.js";
import { hasClock } from "../page/match.js";
import { moveOf, noMove } from "../page/move_text.js";
import { gameView } from "../page/play_view.js";
import { rackTiles, readCgp, squareIndex } from "../page/position.js";
import { showScene } from "../page/scene.js";
import { state, subscribe, table, update } from "../page/state.js";
import { loadTexts, offerLanguages, t } from "../page/texts.js";
import { startTable } from "../topping/table.js";
import { cgpOf, gameOf, layoutOfView } from "./view.js";

const TICK_MS = 250;
const RETRY_MS = 2000;

const seat = location.hash.slice(1);
const events = `/game/events?${new URLSearchParams({ seat })}`;

/** @type {HostedView | null} */
let seen = null;
let received = 0;
let isLost = false;

/**
 * Show what the host has sent, unless something newer is shown already.
 * @param {HostedView} hosted
 */
function take(hosted) {
  if (seen && hosted.number < seen.number) return;
  const isNew = hosted.game.turns.length !== seen?.game.turns.length;
  seen = hosted;
  received = performance.now();
  isLost = false;
  const { game } = hosted;
  const match = gameOf(game);
  const { position } = readCgp(cgpOf(game));
  const own = state.position.racks[0];
  if (sorted(own) === sorted(game.rack)) position.racks[0] = own; // in the player's order
  const isFree = state.trial.every(({ at }) => !position.tiles[squareIndex(at, position.side)]);
  const trial = isFree && sorted(own) === sorted(game.rack) && !game.end ? state.trial : [];
  if (game.end) position.racks[0] = "";
  update({
    isReady: true, fault: null, panel: "play", boards: [layoutOfView(game)], tileSets: new Map([[game.tile_set, game.letters]]),
    game: { match, shown: game.seat, busy: false, isExchanging: !isNew && Boolean(state.game?.isExchanging), preview: null, seconds: match.taken },
  });
  showScene("play", { position, settings: match.settings, played: game.played, trial, cursor: isNew && !trial.length ? null : state.cursor });
  byId("table").hidden = byId("view").hidden = false;
  const hasMoved = game.turns.some((turn) => turn.player === game.seat);
  byId("sit").hidden = game.names[game.seat] !== `Guest ${game.seat + 1}` || hasMoved || Boolean(game.end);
  byId("resign").hidden = Boolean(game.end) || hosted.missing.length > 0;
  showNews();
}

/** @param {string} rack */
const sorted = (rack) => rackTiles(rack).sort().join();

/** Say who is awaited, and whether the connection is lost. */
function showNews() {
  const { missing = [], away = [], game } = seen ?? {};
  const names = (/** @type {number[]} */ seats) => seats.map((at) => game?.names[at]).join(", ");
  const gone = away.filter((at) => !missing.includes(at));
  const resigned = game?.turns.find(({ kind }) => kind === "resigned");
  write(byId("news"), [
    isLost ? t("The connection is lost. It comes back by itself; the clocks run on.") : "",
    resigned ? t("{player} has resigned.", { player: game?.names[resigned.player] }) : "",
    !game?.end && missing.length ? t("Waiting for {names}.", { names: names(missing) }) : "",
    !game?.end && gone.length ? t("Not connected: {names}.", { names: names(gone) }) : "",
  ].filter(Boolean).join(" "));
}

/** Follow the game; the browser connects again by itself, unless the host has answered with an error. */
function connect() {
  const source = new EventSource(events);
  source.addEventListener("message", ({ data }) => take(JSON.parse(data)));
  source.addEventListener("error", () => {
    if (seen?.game.end) source.close();
    else {
      isLost = true;
      showNews();
      if (source.readyState === EventSource.CLOSED) explain();
    }
  });
}

/** Say why the host refuses the seat, or try again later. */
async function explain() {
  try {
    const stop = new AbortController();
    const answer = await fetch(events, { signal: stop.signal });
    if (answer.status === 404) {
      write(byId("news"), t("No seat of this game has this link. Ask the host for a new one."));
      return;
    }
    stop.abort();
  } catch {
    // The host cannot be reached.
  }
  setTimeout(connect, RETRY_MS);
}

/**
 * Send something to the host and show its answer.
 * @param {string} path
 * @param {object} members
 */
async function send(path, members) {
  if (state.game?.busy) return;
  update({ fault: null, ...(state.game ? { game: { ...table(), busy: true } } : {}) });
  try {
    take(/** @type {HostedView} */ ((await ask(path, { seat, ...members })).found));
  } catch (error) {
    complain(error, () => send(path, members));
    if (state.game) update({ game: { ...table(), busy: false } });
  }
}

/**
 * Make a move: that of the tiles laid, or an exchange or a pass.
 * @param {string} [text]
 */
function move(text) {
  const laid = text ?? moveOf(state.position, state.trial);
  if (text === undefined && !state.trial.length) return;
  if (laid === null) complain(new Error(noMove()));
  else if (seen?.game.on_turn === seen?.game.seat) send("/game/moves", { move: laid });
}

/** Let the clock of the player on turn run on the page; the one that counts is the host's. */
function tick() {
  if (!seen || seen.game.end || seen.missing.length || !hasClock(table().match)) return;
  const seconds = table().match.taken + (performance.now() - received) / 1000;
  if (Math.floor(seconds) !== Math.floor(table().seconds)) update({ game: { ...table(), seconds } });
}

const nothing = () => {}; // what a game on one device can do beside
const acts = {
  move, challenge: () => send("/game/moves", { move: "challenge" }),
  exchange: (/** @type {boolean} */ isExchanging) => update({ game: { ...table(), isExchanging } }),
  show: nothing, takeBack: nothing, leave: nothing, review: nothing, saveJson: nothing, saveGcg: nothing,
};

function start() {
  startTable();
  byId("view").append(gameView(acts), button(t("Resign"), () => { if (confirm(t("Give up the game?"))) send("/game/moves", { move: "resign" }); }, { id: "resign" }));
  subscribe((now, before) => {
    if (now.trial !== before.trial && now.fault && !now.fault.retry) update({ fault: null });
  });
  byId("sit").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    send("/game/name", { name: byId("name").value });
  });
  setInterval(tick, TICK_MS);
}

await loadTexts();
offerLanguages(byId("language"));
start();
connect();
