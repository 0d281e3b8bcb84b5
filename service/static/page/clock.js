// The clock of the person on turn: it runs while their tiles are shown.

import { hasClock, standOf } from "./match.js";

/** The time of one turn, which can be stopped. */
export class TurnClock {
  /** @type {number | null} */
  #since = null;
  #before = 0;

  /**
   * Begin a turn after some of its seconds have passed.
   * @param {number} seconds
   */
  reset(seconds) {
    this.#before = seconds;
    this.#since = null;
  }

  start() {
    this.#since ??= performance.now();
  }

  stop() {
    this.#before = this.seconds;
    this.#since = null;
  }

  get isRunning() {
    return this.#since !== null;
  }

  /** The seconds that the turn has taken. */
  get seconds() {
    return this.#before + (this.#since === null ? 0 : Math.round(performance.now() - this.#since) / 1000);
  }
}

/**
 * Return whether the time of a turn has run out, so that the server must end it.
 * @param {Game} game
 * @param {number} seconds taken for the turn
 */
export function isTimeUp(game, seconds) {
  const { timeLeft, onTurn } = standOf(game);
  const { per_move: perMove, overtime } = game.time;
  if (perMove !== null && seconds > perMove) return true;
  return timeLeft !== null && overtime === "loss" && timeLeft[onTurn] - seconds < 0;
}

/**
 * Return the clock of a seat as text, empty without one.
 * @param {Game} game
 * @param {number} seat
 * @param {number} seconds taken for the turn
 */
export function clockText(game, seat, seconds) {
  const { timeLeft, onTurn, over } = standOf(game);
  if (!hasClock(game) || game.seats[seat].level !== null) return "";
  const spent = seat === onTurn && !over ? seconds : 0;
  const texts = [];
  if (timeLeft) texts.push(written(timeLeft[seat] - spent));
  if (game.time.per_move !== null && seat === onTurn && !over) texts.push(`(${written(game.time.per_move - spent)})`);
  return texts.join(" ");
}

/** @param {number} seconds */
function written(seconds) {
  const whole = Math.ceil(Math.abs(seconds));
  const sign = seconds < 0 && whole > 0 ? "\u2212" : "";
  return `${sign}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
