// The page at /editor: a board and a tile set are drawn, checked by the service, saved as the files of `kibitz play --board`
// and `--tiles`, and played with.

import "../kibitz-board.js";
import { ask, inOrder, onWait, parsed } from "../page/api.js";
import { button, byId, keepFocus, levelOptions } from "../page/dom.js";
import { clearFault, complain, startFaults } from "../page/faults.js";
import { fileButton, saveFile, takeDrops } from "../page/files.js";
import { newGame, tilesOf as allTiles } from "../page/match.js";
import { previewMove } from "../page/play_turns.js";
import { BEGUN, storeGame } from "../page/saved_games.js";
import { update } from "../page/state.js";
import { storeText, storedText } from "../page/storage.js";
import { loadTexts, offerLanguages, t } from "../page/texts.js";
import { firstList, offerLists, usableLists } from "../page/word_lists.js";
import { boardPart } from "./board_part.js";
import { boardOf, boardText, isTiles, LEAST, MOST, rowsOf, tilesOf, tilesText } from "./contents.js";
import { tilesPart } from "./tiles_part.js";

const STORED = "kibitz-editor-1"; // another number if what is stored changes
const MAX_UNDO = 200;
const MAX_BYTES = 8192; // of a file
const MAX_LETTERS = 130; // that are shown of a file with faults
const CHECK_MS = 250;

/** @type {Draft} */
let draft = { board: { rows: [], starts: [] }, tiles: [] };
/** @type {Draft[]} */
const past = [];
let timer = 0;
/** @type {Answers["Equipment"] | null} what the service says of the draft, null before its answer */
let checked = null;
const askInOrder = inOrder();

/** @type {Layout[]} */
let boards = [];
/** @type {Answers["TileSet"][]} */
let tileSets = [];
/** @type {Answers["RuleSetList"]["rule_sets"]} */
let ruleSets = [];
/** @type {Lexicons} */
let lexicons = [];
/** @type {ReturnType<typeof boardPart>} */
let boardView;
/** @type {ReturnType<typeof tilesPart>} */
let tilesView;
const undoButton = button("", undo, { id: "undo" });

/**
 * Change the draft so that it can be undone.
 * @param {Partial<Draft>} change
 * @param {{isStroke?: boolean, isShown?: boolean}} [how] undone together with the change before; in view already
 */
function commit(change, { isStroke = false, isShown = false } = {}) {
  if (!isStroke) past.push(draft);
  if (past.length > MAX_UNDO) past.shift();
  take({ ...draft, ...change }, isShown);
}

function undo() {
  const before = past.pop();
  if (before) take(before);
}

/**
 * @param {Draft} next
 * @param {boolean} [isShown] it is in view already
 */
function take(next, isShown = false) {
  const last = draft;
  draft = next;
  checked = null;
  storeText(STORED, JSON.stringify(draft));
  if (next.board !== last.board) boardView.show(next.board);
  if (next.tiles !== last.tiles && !isShown) tilesView.show(next.tiles);
  undoButton.setAttribute("aria-disabled", String(!past.length));
  clearTimeout(timer);
  timer = setTimeout(check, CHECK_MS);
}

/** Let the service check the draft, and show its faults. */
async function check() {
  const asked = draft;
  clearTimeout(timer);
  try {
    const { found } = await askInOrder("/equipment/check", { board: boardText(asked.board), tile_set: tilesText(asked.tiles) });
    if (asked !== draft) return;
    checked = found;
    boardView.showFaults(found.faults.filter(({ field }) => field === "board"), found.board);
    tilesView.showFaults(found.faults.filter(({ field }) => field === "tile_set"), found.tile_set);
    clearFault(check);
  } catch (error) {
    complain(error, check);
  }
}

/**
 * Return what the service reads of the draft, null if a part of it has faults.
 * @param {("board" | "tile_set")[]} parts
 */
async function withoutFaults(parts) {
  if (!checked) await check();
  const found = checked;
  if (found && parts.some((part) => !found[part])) update({ notice: t("There are faults to be mended first.") });
  return parts.every((part) => found?.[part]) ? found : null;
}

async function saveBoard() {
  if (await withoutFaults(["board"])) saveFile("board.txt", boardText(draft.board), "text/plain");
}

async function saveTiles() {
  if (await withoutFaults(["tile_set"])) saveFile("tiles.csv", tilesText(draft.tiles), "text/csv");
}

/**
 * Open a file; what is wrong with it is said, and shown as far as it is a board or a tile set.
 * @param {File} file
 */
async function open(file) {
  update({ fault: null });
  try {
    if (file.size > MAX_BYTES) throw new Error(t("{file} is too long for a board or a tile set.", { file: file.name }));
    const text = await file.text();
    const { board, tile_set: tiles, faults } = (await ask("/equipment/check", isTiles(text) ? { tile_set: text } : { board: text })).found;
    const shown = board ?? boardOf(text);
    if (isTiles(text)) commit({ tiles: tiles ? rowsOf(tiles.letters) : tilesOf(text).slice(0, MAX_LETTERS) });
    else if (shown.rows.length >= LEAST && shown.rows.length <= MOST) commit({ board: { rows: shown.rows, starts: shown.starts } });
    if (faults.length) {
      const lines = faults.map(({ line, detail }) => (line ? t("Line {line}: {text}", { line, text: detail }) : detail));
      update({ fault: { kind: "refused", text: t("{file} has faults:", { file: file.name }), lines: lines.slice(0, 8), squares: [], retry: null } });
    }
  } catch (error) {
    complain(error, () => open(file));
  }
}

/** Begin a game with the board and the tiles, and continue it on the page at /. */
async function play() {
  const found = await withoutFaults(["board", "tile_set"]);
  const list = lexicons.find(({ id }) => id === byId("lexicon").value);
  if (!found?.board || !found.tile_set || !list) return;
  const { board, tile_set: tiles } = found;
  const known = (/** @type {{id: string, sha256: string}[]} */ all, /** @type {string} */ sha256) => all.find((one) => one.sha256 === sha256)?.id;
  const level = Number(byId("level").value);
  const game = newGame({
    seats: [{ name: t("You"), level: null }, { name: t("Level {level}", { level }), level }],
    settings: {
      lexicon: list.id, board: known(/** @type {any} */ (boards), board.sha256) ?? { rows: board.rows, starts: board.starts },
      tile_set: known(tileSets, tiles.sha256) ?? tiles.letters,
    },
    rules: { id: ruleSets.find((one) => one.default_for.includes(list.tile_set))?.id, challenge_rule: "void" }, allow_phonies: false, time: { per_game: null, per_move: null, overtime: "points" },
    seed: crypto.getRandomValues(new Uint32Array(1))[0],
  }, allTiles(tiles.letters), board.side);
  try {
    await previewMove(game, "-"); // the service says if the tiles do not suit the word list
    if (!storeGame(game)) throw new Error(t("This browser stores no games, so the other page could not open this one."));
    storeText(BEGUN, game.id, "sessionStorage");
    location.assign("/");
  } catch (error) {
    complain(error, play);
  }
}

/** Return the stored draft, else the board and the tiles to begin with. @returns {Draft} */
function firstDraft() {
  const stored = parsed(storedText(STORED));
  if (Array.isArray(stored?.board?.rows) && Array.isArray(stored.board.starts) && Array.isArray(stored.tiles)) return stored;
  const { rows, starts } = boards[0];
  const tiles = lexicons.find(({ id }) => id === firstList(lexicons))?.tile_set;
  return { board: { rows, starts }, tiles: rowsOf(tileSets.find(({ id }) => id === tiles)?.letters ?? []) };
}

/** Build the parts of the page that need no answer. Texts must be loaded. */
function start() {
  keepFocus();
  startFaults(byId("alert"), byId("status"), byId("heard"));
  onWait((waiting) => update({ waiting, notice: "" }));
  undoButton.append(t("Undo"));
  byId("level").append(...levelOptions());
  byId("level").value = "5";
  addEventListener("keydown", (event) => {
    const isTyping = /** @type {Element} */ (event.target).matches("input:not([type=radio], [type=checkbox]), select");
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || isTyping) return;
    event.preventDefault();
    undo();
  });
  byId("playing").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    play();
  });
}

/** Load what the server offers, then show the draft. */
async function load() {
  try {
    const [first, second, third, fourth] = await Promise.all([ask("/boards"), ask("/tile-sets"), ask("/lexicons"), ask("/rule-sets")]);
    boards = first.found.boards;
    tileSets = second.found.tile_sets;
    lexicons = usableLists(third.found.lexicons);
    ruleSets = fourth.found.rule_sets;
    offerLists(byId("lexicon"), lexicons);
    byId("lexicon").value = firstList(lexicons);
    boardView = boardPart(() => draft.board, (board, isStroke) => commit({ board }, { isStroke }), boards);
    tilesView = tilesPart(() => draft.tiles, (tiles, isShown) => commit({ tiles }, { isShown }), new Map(tileSets.map(({ id, letters }) => [id, letters])));
    take(firstDraft());
    byId("opening").append(
      fileButton("file", t("Open a file"), ".txt,.csv,text/plain,text/csv", open), undoButton,
      button(t("Save the board"), saveBoard, { id: "saveboard" }), button(t("Save the tiles"), saveTiles, { id: "savetiles" }));
    takeDrops(open);
    for (const id of ["tools", "boardpart", "tilespart", "playing"]) byId(id).hidden = false;
    clearFault(load);
  } catch (error) {
    complain(error, load);
  }
}

await loadTexts();
offerLanguages(byId("language"));
start();
load();
