// The game that is played: its seats, what the person on turn can do, and its moves.

import { clockText } from "./clock.js";
import { signed } from "./columns.js";
import { button, byId, make, write } from "./dom.js";
import { hintBox } from "./hints.js";
import { challengeable, hasClock, isOwn, standOf, takenBack } from "./match.js";
import { moveParts } from "./move_text.js";
import { rackText, rackTiles } from "./position.js";
import { rackButton } from "./rack.js";
import { state, subscribe, table, update } from "./state.js";
import { shownNumber, t, tn } from "./texts.js";

/**
 * Return the view of the game, which is redrawn when the state changes.
 * @param {Acts} acts
 */
export function gameView(acts) {
  const seats = make("ol", { className: "seats", "aria-label": t("Players") });
  const turn = make("p", { className: "big", role: "status", id: "turn" });
  const laid = make("p", { className: "laid", role: "status", id: "laid" });
  const show = button("", acts.show, { id: "showtiles", className: "primary" });
  const play = button(t("Play"), () => acts.move(), { id: "playmove", className: "primary" });
  const back = button(t("Take the tiles back"), () => update({ trial: [] }), { id: "clearlaid" });
  const exchange = button(t("Exchange or pass"), () => acts.exchange(true), { id: "exchange" });
  const challenge = button(t("Challenge"), acts.challenge, { id: "challengeplay" });
  const takeBack = button(t("Take back a move"), acts.takeBack, { id: "takeback" });
  const buttons = make("p", { className: "buttons" }, show, play, back, exchange, challenge, takeBack);
  const swap = exchangeBox(acts);
  const hints = hintBox(() => canAct() && !table().isExchanging && !hasClock(table().match));
  const result = make("div", { className: "result" });
  const log = make("ol", { className: "log", tabIndex: 0, "aria-label": t("Moves so far, the last one first") });
  const foot = make("p", { className: "buttons links foot" },
    button(t("Save to a file"), acts.saveJson, { id: "savegame" }), button(t("Save as GCG"), acts.saveGcg, { id: "saverecord" }), button(t("Leave the game"), acts.leave, { id: "leavegame" }));
  const view = make("div", { className: "playing" }, seats, turn, result, laid, buttons, swap, hints, make("div", { className: "scroller" }, log), foot);

  subscribe((now, before) => {
    view.hidden = !now.game;
    if (!now.game) return;
    const { match, busy, shown, isExchanging, preview, seconds } = now.game;
    const stand = standOf(match);
    const mine = canAct();
    if (match !== before.game?.match || seconds !== before.game?.seconds) drawSeats(seats, match, seconds);
    if (now.game === before.game && now.trial === before.trial && now.scene === before.scene) return;
    if (match !== before.game?.match) {
      drawLog(log, match, now.position);
      drawResult(result, match, acts);
    }
    write(turn, turnText(match, busy));
    write(laid, mine && !isExchanging ? laidText(preview, now.trial.length) : "");
    write(show, t("{player}: show my tiles", { player: match.seats[stand.onTurn].name }));
    const isPerson = match.seats[stand.onTurn].level === null;
    show.hidden = !isPerson || Boolean(stand.over) || shown === stand.onTurn;
    play.hidden = Boolean(stand.over) || isExchanging || !show.hidden; // it stays while a computer thinks, with the focus
    back.hidden = !mine || isExchanging || !now.trial.length;
    exchange.hidden = !mine || isExchanging;
    challenge.hidden = !isPerson || busy || !challengeable(match);
    takeBack.hidden = busy || !takenBack(match);
    swap.hidden = !mine || !isExchanging;
    play.setAttribute("aria-disabled", String(!mine || !now.trial.length));
    if (match !== before.game?.match || isExchanging !== before.game?.isExchanging) swap.fill();
    const target = [show, play].find((one) => !one.hidden) ?? (stand.over && match !== before.game?.match ? byId("reviewgame") : null);
    const focused = document.activeElement;
    if (target && (focused?.contains(target) || focused?.closest("[hidden]"))) target.focus({ preventScroll: true });
  });
  return view;
}

/** Return whether the person whose tiles are shown may move now. */
function canAct() {
  if (!state.game || state.scene !== "play") return false;
  const { match, shown, busy } = state.game;
  const { onTurn, over } = standOf(match);
  return !busy && !over && shown === onTurn && match.seats[onTurn].level === null;
}

/**
 * @param {Game} match
 * @param {boolean} busy
 */
function turnText(match, busy) {
  const { onTurn, over, bag } = standOf(match);
  const { name, level } = match.seats[onTurn];
  if (over) return REASONS[over.reason]?.() ?? t("The game is over.");
  if (busy && level !== null) return t("{player} is thinking …", { player: name });
  const left = tn("{count} tile in the bag", "{count} tiles in the bag", rackTiles(bag ?? "").length);
  return [t("{player} to move.", { player: name }), left].join(" ");
}

/** @type {Record<string, () => string>} */
const REASONS = {
  went_out: () => t("The game is over: all tiles are played."),
  zero_turns: () => t("The game is over: too many turns without points."),
  all_passed: () => t("The game is over: everyone has passed."),
  time: () => t("The game is over: it was lost on time."),
  challenge: () => t("The game is over: it was lost by a challenge."),
};

/**
 * @param {{move: string, score?: number, fault?: string} | null} preview
 * @param {number} count of tiles laid
 */
function laidText(preview, count) {
  if (!count) return t("Lay your tiles on the board: choose a square and type, or drag them.");
  if (!preview) return "";
  if (preview.fault) return preview.fault;
  return t("{move}: {score} points", { move: preview.move, score: shownNumber(preview.score ?? 0) });
}

/**
 * @param {HTMLElement} element
 * @param {Game} match
 * @param {number} seconds
 */
function drawSeats(element, match, seconds) {
  const { onTurn, scores, over } = standOf(match);
  element.replaceChildren(...match.seats.map(({ name, level }, at) => make("li", { className: "seatcard", "aria-current": at === onTurn && !over ? "true" : null },
    make("span", { className: "name" }, name), level === null ? null : make("span", { className: "dim" }, t("computer")),
    make("b", { className: "points" }, shownNumber(over ? over.final[at] : scores[at])),
    clockText(match, at, seconds) ? make("span", { className: "clock", role: "timer", "aria-label": t("Time left of {player}", { player: name }) }, clockText(match, at, seconds)) : null)));
}

/**
 * @param {HTMLElement} element
 * @param {Game} match
 * @param {Position} position
 */
function drawLog(element, match, position) {
  element.replaceChildren(...match.steps.map((step, at) => {
    const { kind, player, move, score, after } = step;
    const isBack = match.steps[at + 1]?.kind === "phony";
    const text = kind === "play" ? (isBack ? [move] : moveParts({ kind, move }, position)) : [STEPS[kind](move)];
    return make("li", { className: isBack || kind === "phony" ? "struck" : "" },
      make("span", { className: "who" }, match.seats[player].name), make("span", { className: "what" }, ...text),
      make("span", { className: "score" }, score ? signed(score, 0) : ""), make("span", { className: "total" }, shownNumber(after.scores[player])));
  }).reverse());
}

/** @type {Record<string, (move: string) => string>} */
const STEPS = {
  exchange: (move) => tn("exchanges {count} tile", "exchanges {count} tiles", rackTiles(move.slice(1)).length),
  pass: () => t("passes"),
  phony: (move) => t("takes {move} back after a challenge", { move }),
  challenge: () => t("was challenged: the play stands"),
  lost: () => t("loses the turn"),
  time: () => t("loses on time"),
};

/**
 * @param {HTMLElement} element
 * @param {Game} match
 * @param {Acts} acts
 */
function drawResult(element, match, acts) {
  const { over, scores } = standOf(match);
  element.hidden = !over;
  if (!over) return;
  const order = match.seats.map((_, at) => at).sort((one, other) => over.ranks[one] - over.ranks[other]);
  element.replaceChildren(
    make("ol", { className: "ranks" }, ...order.map((at) => make("li", { value: over.ranks[at] },
      make("strong", {}, match.seats[at].name), " ", make("b", { className: "score" }, shownNumber(over.final[at])), " ",
      make("span", { className: "dim" }, [
        shownNumber(scores[at]),
        over.adjustments[at] ? t("{points} for the tiles left", { points: signed(over.adjustments[at], 0) }) : "",
        over.penalties[at] ? t("\u2212{points} for time", { points: over.penalties[at] }) : "",
        over.left[at] ? t("{tiles} left", { tiles: over.left[at] }) : "",
      ].filter(Boolean).join(", "))))),
    isOwn(match.settings) ? null : make("p", { className: "buttons" }, button(t("Go through the game"), acts.review, { id: "reviewgame", className: "primary" })));
}

/**
 * Return the box in which tiles are chosen for an exchange; without any the player passes.
 * @param {Acts} acts
 */
function exchangeBox(acts) {
  /** @type {Set<number>} */
  const chosen = new Set();
  const strip = make("div", { className: "strip", role: "group", "aria-label": t("Tiles to exchange") });
  const go = button("", () => acts.move(`-${rackText([...chosen].sort((one, other) => one - other).map((at) => tiles()[at]))}`), { id: "doexchange", className: "primary" });
  const box = make("div", { className: "exchange" }, make("p", {}, t("Choose the tiles to exchange; without any you pass.")), strip,
    make("p", { className: "buttons" }, go, button(t("Cancel"), () => { acts.exchange(false); byId("exchange").focus(); })));
  const tiles = () => rackTiles(state.position.racks[0]);
  const name = () => { go.textContent = chosen.size ? tn("Exchange {count} tile", "Exchange {count} tiles", chosen.size) : t("Pass"); };
  box.fill = () => {
    chosen.clear();
    strip.replaceChildren(...tiles().map((letter, at) => {
      const one = rackButton({ letter, used: false });
      one.tabIndex = 0;
      one.setAttribute("aria-pressed", "false");
      one.addEventListener("click", () => {
        if (!chosen.delete(at)) chosen.add(at);
        one.setAttribute("aria-pressed", String(chosen.has(at)));
        name();
      });
      return one;
    }));
    name();
    if (!box.hidden) strip.querySelector("button")?.focus({ preventScroll: true });
  };
  return box;
}
