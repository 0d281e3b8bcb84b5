// Every change of the position is an entry of the browser's history: Back and Forward undo and redo it. The address
// holds the whole position after #, which is not sent to the server.

import { noteOf, saveNote } from "./notes.js";
import { readHash, writeCgp } from "./position.js";
import { NOTHING_LAID, state, subscribe, update } from "./state.js";
import { storeText, storedText } from "./storage.js";
import { t } from "./texts.js";

/**
 * Return the part of the address after # for a position and its settings.
 * @param {Place} place
 */
function writeAddress({ position, settings }) {
  const note = noteOf(position);
  const parts = Object.entries({ cgp: writeCgp(position), ...settings, note: note.length > MAX_LINKED ? "" : note }).filter(([, value]) => value);
  const plain = (/** @type {any} */ text) =>
    encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%2F", "/").replaceAll("%3F", "?");
  return `#${parts.map(([name, value]) => `${name}=${plain(value)}`).join("&")}`;
}

/**
 * Return the place of a position; settings that it does not name, or that do not exist here, stay the same.
 * Throws an Error with a message for the reader if there is no board of its size.
 * @param {Read} read
 * @param {State} now
 * @returns {Place}
 */
export function placeOf({ position, settings }, now) {
  const known = (/** @type {{id: string}[]} */ all, /** @type {any[]} */ ...ids) =>
    ids.find((id) => all.some((one) => one.id === id));
  const fits = now.boards.filter(({ side }) => side === position.side);
  const board = known(fits, settings.board, now.settings.board, fits[0]?.id);
  if (!board) throw new Error(t("There is no board with {side} rows here.", { side: position.side }));
  const wanted = settings.lexicon ?? now.settings.lexicon;
  const lexicon = known(now.lexicons, wanted) ?? now.settings.lexicon;
  if (settings.note && !noteOf(position)) saveNote(position, settings.note);
  const rules = settings.rules === undefined ? now.settings.rules : known(now.ruleSets, settings.rules);
  return { position, settings: { lexicon, board, rules }, missing: wanted !== lexicon && IS_LIST.test(wanted) ? wanted : "" };
}

const IS_LIST = /^[\w-]{1,40}$/;
const MAX_LINKED = 300; // characters of a note in the address
const TYPING_MS = 1200; // tiles typed without a longer pause are undone together

let last = 0; // index of the newest entry of this page
let index = 0;
let lastKind = "";
let lastAt = 0;

/** Return whether there is something to undo and to redo. */
export const canUndo = () => index > 0 && !state.scene;
export const canRedo = () => index < last && !state.scene;

export function undo() {
  if (canUndo()) history.back();
}

export function redo() {
  if (canRedo()) history.forward();
}

/** @type {(change: Partial<State>) => boolean} */
let divert = () => false;

/**
 * Call a function before every change is committed; it returns true to prevent the change.
 * @param {typeof divert} taker
 */
export function divertCommits(taker) {
  divert = taker;
}

/**
 * Change position or settings so that the change can be undone. Changes of the same `kind` that follow each
 * other quickly, such as typed tiles, are one entry.
 * @param {Partial<State>} change
 * @param {string} [kind]
 */
export function commit(change, kind = "") {
  if (divert(change)) return;
  const now = Date.now();
  const joins = kind !== "" && kind === lastKind && now - lastAt < TYPING_MS && index > 0;
  lastKind = kind;
  lastAt = now;
  const address = writeAddress({ ...state, ...change });
  if (address !== location.hash) {
    if (!joins) {
      index += 1;
      last = index;
    }
    history[joins ? "replaceState" : "pushState"]({ index }, "", address);
  }
  const isSameBoard = change.position?.tiles === state.position.tiles; // the last play stays marked
  update({ ...NOTHING_LAID, ...(isSameBoard && { played: state.played }), ...change });
}

/** Write a note that has changed into the address. */
export function updateAddress() {
  if (!state.scene) history.replaceState(history.state, "", writeAddress(state));
}

/**
 * Restore the position of the address, and follow Back, Forward and edits of the address from then on.
 * @param {(error: Error) => void} complain called for an address without a position
 * @param {(hash: string) => void} openGame called for an address with a game
 */
export function startHistory(complain, openGame) {
  const restore = () => {
    const hash = location.hash.slice(1);
    try {
      if (hash.startsWith("g=")) openGame(hash);
      else if (hash) update({ ...NOTHING_LAID, cursor: null, ...placeOf(readHash(hash), state) });
    } catch (error) {
      complain(/** @type {Error} */ (error));
    }
  };
  index = history.state?.index ?? 0;
  last = Math.max(index, Number(storedText("kibitz-last", "sessionStorage")));
  restore();
  history.replaceState({ index }, "", writeAddress(state));
  addEventListener("popstate", (event) => {
    lastKind = "";
    if (event.state === null) last = index += 1; // the person edited the address
    else index = event.state.index;
    restore();
    history.replaceState({ index }, "", writeAddress(state));
    update({});
  });
  subscribe(() => { storeText("kibitz-last", String(last), "sessionStorage"); });
}
