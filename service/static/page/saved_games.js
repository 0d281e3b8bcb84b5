// Saved games: in this browser, or as files of `kibitz play` (docs/playing.md).

import { parsed } from "./api.js";
import { begun, isOwn, tilesOf } from "./match.js";
import { challenge, challenged, makeMove } from "./play_turns.js";
import { rackTiles } from "./position.js";
import { layoutOf, state, tileSetOf } from "./state.js";
import { storeText, storedNames, storedText } from "./storage.js";
import { t } from "./texts.js";

const FORMAT = "kibitz game 2";
const PREFIX = "kibitz-game-2-"; // another number if what is stored changes
const MAX_STORED = 12;
export const BEGUN = "kibitz-begun"; // the name of the stored game that the page continues when it opens

/**
 * Return a game as the text of a file; its current turn has taken some seconds.
 * @param {Game} game
 * @param {number} seconds
 */
export async function fileText({ seats, settings, rules, time, seed, allow_phonies, start, steps }, seconds) {
  const { lexicon: id, board: layout, tile_set } = settings;
  return JSON.stringify({
    format: FORMAT, lexicon: { id, sha256: wordsOf(id) }, ...(isOwn(settings) ? (await contents()).written(settings) : { tile_set, layout }), rules,
    players: seats.map(({ name }) => name), levels: seats.map(({ level }) => level), time, seed, allow_phonies,
    racks: start.racks, actions: steps.flatMap(actionOf), seconds,
  });
}

const contents = () => import("../editor/contents.js"); // of boards and tile sets in files, which few people open

/** @param {string} id */
const wordsOf = (id) => state.lexicons.find((one) => one.id === id)?.sha256;

/**
 * Return a step as a file stores it; there a challenge includes the turn that is lost by it.
 * @param {Step} step
 * @param {number} at
 * @param {Step[]} steps
 * @returns {any[]}
 */
function actionOf({ kind, move, drawn, seconds }, at, steps) {
  if (kind === "lost") return [];
  if (kind === "time") return [{ time_lost: seconds }];
  const next = steps[at + 1];
  if (kind === "phony" || kind === "challenge") return [{ challenge: "play", seconds: next?.kind === "lost" ? next.seconds : seconds }];
  return [{ move, drawn, seconds }];
}

/**
 * Return the game of a file, whose turns the server replays. Throws an Error for text that is no saved game.
 * @param {string} text
 * @returns {Promise<Game>}
 */
export async function readFile(text) {
  const saved = parsed(text) ?? {};
  const { lexicon, layout, tile_set, players, racks, actions, rules, seed, allow_phonies, levels, time, seconds } = saved;
  if (saved.format !== FORMAT || ![players, levels, racks, actions].every(Array.isArray) || !lexicon?.id || !rules || !time) {
    throw new Error(t("This file is not a saved game."));
  }
  if (!wordsOf(lexicon.id)) throw new Error(t("The word list of this game, {lexicon}, is not on this server.", { lexicon: lexicon.id }));
  if (wordsOf(lexicon.id) !== lexicon.sha256) throw new Error(t("This game was played with another edition of {lexicon}.", { lexicon: lexicon.id }));
  const settings = { lexicon: lexicon.id, ...(await contents()).read(layout, tile_set) };
  const place = { ...state, settings };
  const side = layoutOf(place)?.rows.length;
  const bag = tilesOf(tileSetOf(place));
  if (!side || !bag.length) throw new Error(t("This game has a board or tiles of its own, which the page does not know."));
  for (const tile of racks.flatMap(rackTiles)) bag.splice(bag.indexOf(tile), 1);
  const { federation: _, language: _language, id, ...values } = rules;
  let game = begun({
    seats: players.map((/** @type {string} */ name, /** @type {number} */ at) => ({ name, level: levels[at] })),
    settings, rules: id && id !== "custom" ? { id, ...values } : values,
    allow_phonies: allow_phonies && rules.challenge_rule !== "void", time, seed,
  }, racks, bag, side);
  for (const action of actions) game = await withAction(game, action);
  return { ...game, taken: seconds };
}

/**
 * @param {Game} game
 * @param {any} action
 */
function withAction(game, { move, drawn, seconds = 0, challenge: per, taken_back, bonus, time_lost }) {
  if (move) return makeMove(game, move, seconds, drawn);
  if (per) return challenge({ ...game, taken: seconds });
  if (taken_back || bonus !== undefined) return challenged(game, { play_stands: !taken_back, bonus });
  if (time_lost) return makeMove(game, "-", time_lost);
  throw new Error(t("This file is not a saved game."));
}

/**
 * Store a game under a key of its own: two tabs do not overwrite each other's. Return whether it is stored.
 * @param {Game} game
 */
export function storeGame(game) {
  const isStored = storeText(PREFIX + game.id, JSON.stringify({ ...game, storedAt: Date.now() }));
  for (const old of storedGames().slice(MAX_STORED)) forgetGame(old.id);
  return isStored;
}

/** @param {string} id */
export const forgetGame = (id) => storeText(PREFIX + id, "");

/**
 * Return the stored games, the newest first.
 * @returns {(Game & {storedAt?: number})[]}
 */
export function storedGames() {
  const found = storedNames(PREFIX).flatMap((name) => parsed(storedText(name)) ?? []);
  return found.sort((one, other) => (other.storedAt ?? 0) - (one.storedAt ?? 0));
}

/**
 * Call a listener with a game that another tab has stored.
 * @param {(game: Game) => void} listener
 */
export function onStoredElsewhere(listener) {
  addEventListener("storage", (event) => {
    if (event.key?.startsWith(PREFIX) && event.newValue) listener(JSON.parse(event.newValue));
  });
}
