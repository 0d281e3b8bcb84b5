// How a position is set up: by the buttons below the rack (undo, redo, what typing does, the tile keyboard), by the fields
// for board, rules, scores, opponent's tiles and text to paste; and what an empty board offers to begin with.

import { ask } from "./api.js";
import { button, byId, isTouched, make, toolButton } from "./dom.js";
import { complain } from "./faults.js";
import { canRedo, canUndo, commit, placeOf, redo, undo } from "./history.js";
import { newGame, standAfter, tilesOf } from "./match.js";
import { emptyPosition, isGcg, rackText, readCgp, readPasted, typedTiles, writeCgp } from "./position.js";
import { shuffleRack } from "./rack.js";
import { copyLink, copyPicture } from "./sharing.js";
import { layoutOf, lettersOf, positionFields, state, subscribe, tileSetOf, update } from "./state.js";
import { storeText, storedText } from "./storage.js";
import { languageName, t } from "./texts.js";

const LOOK = "kibitz-look";

/**
 * Build the buttons, one of which shows and hides the fields.
 * @param {HTMLElement} element
 * @param {HTMLElement} setup the fields
 */
export function startSetup(element, setup) {
  const undoButton = toolButton(t("Undo"), "undo", undo, { id: "undo" });
  const redoButton = toolButton(t("Redo"), "redo", redo, { id: "redo" });
  const keys = toolButton(t("Tile keyboard"), "keys", () => update({ keyboard: !state.keyboard, isDeviceKeyboard: false }), { id: "keys" });
  const shuffle = toolButton(t("Shuffle the rack"), "shuffle", shuffleRack, { id: "shuffle" });
  const more = toolButton(t("Position: board, scores, text"), "set", () => showSetup(setup.hidden), { id: "more", "aria-controls": setup.id });
  const showSetup = (/** @type {boolean} */ isShown) => {
    setup.hidden = !isShown;
    more.setAttribute("aria-expanded", String(isShown));
    if (isShown) setup.scrollIntoView({ block: "nearest" });
  };
  const modes = [["setup", t("Set up")], ["try", t("Try a move")]].map(([mode, name]) =>
    button(name, () => chooseMode(/** @type {any} */ (mode)), { id: `mode-${mode}`, className: "" }));
  element.append(undoButton, redoButton, make("div", { className: "modes", role: "group", "aria-label": t("Typing on the board") }, ...modes), shuffle, keys, more, setup);
  subscribe((now) => {
    disable(undoButton, !canUndo());
    disable(redoButton, !canRedo());
    keys.setAttribute("aria-pressed", String(now.keyboard));
    modes.forEach((one, at) => { one.setAttribute("aria-pressed", String(now.mode === ["setup", "try"][at])); });
  });
  addEventListener("keydown", (event) => {
    const isField = /** @type {Element} */ (event.target).matches("input, textarea, select");
    if (isField || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });
  const isElsewhere = (/** @type {Event} */ { target }) => !/** @type {Element} */ (target).closest("#actions, #notes, #keyboard");
  addEventListener("pointerdown", (event) => { if (isElsewhere(event)) showSetup(false); });
  element.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || setup.hidden) return;
    showSetup(false);
    more.focus();
  });
  showSetup(false);
  startFields();
}

/**
 * Disable a button by aria-disabled, because a button that is `disabled` loses the focus; Tab passes over it.
 * @param {HTMLElement} button
 * @param {boolean} isOff
 */
function disable(button, isOff) {
  button.setAttribute("aria-disabled", String(isOff));
  button.tabIndex = isOff ? -1 : 0;
}

/** @param {"setup" | "try"} mode */
function chooseMode(mode) {
  update({ mode, keyboard: false, trial: mode === "setup" ? [] : state.trial, notice: mode === "try" ? t("Typing lays tiles of your rack, as a move to try.") : t("Typing sets up the board.") });
  byId("board")?.focus();
}

/** Let the fields of the position change it from now on, and show it. */
function startFields() {
  const act = (/** @type {string} */ id, /** @type {(value: string) => void} */ take, type = "change") => {
    const field = byId(id);
    field.addEventListener(type, () => take(field.value));
    return field;
  };
  const menus = [
    act("layout", changeBoard),
    act("rules", (rules) => commit({ settings: { ...state.settings, rules: rules || undefined } })),
  ];
  const scores = ["own", "other"].map((id, player) => act(id, (value) =>
    setPosition({ scores: /** @type {[number, number]} */ (state.position.scores.with(player, Math.trunc(Number(value)) || 0)) })));
  const theirs = act("theirs", (value) => setPosition({ racks: [state.position.racks[0], rackText(typedTiles(value, lettersOf(state)))] }));
  const text = act("cgp", paste);
  const show = (/** @type {string} */ look) => { document.body.dataset.tiles = look; };
  const look = act("looks", (value) => { storeText(LOOK, value); show(value); });
  look.value = storedText(LOOK) === "slate" ? "slate" : "";
  show(look.value);
  act("copy", () => copyLink(location.href), "click");
  act("copypicture", copyPicture, "click");
  act("clear", clear, "click");
  subscribe((now, before) => {
    if (now.lexicons !== before.lexicons) offerChoices(now, menus);
    if (now.settings !== before.settings) showChoices(now, menus);
    if (now.position === before.position) return;
    scores.forEach((field, player) => { field.value = now.position.scores[player]; });
    theirs.value = now.position.racks[1];
    text.value = writeCgp(now.position);
  });
}

/** @param {Partial<Position>} change */
const setPosition = (change) => commit({ position: { ...state.position, ...change } });

const BOARDS = /** @type {Record<string, () => string>} */ ({
  standard15: () => t("Standard, 15 x 15"), super21: () => t("Super, 21 x 21"),
  wordfeud15: () => t("Wordfeud, 15 x 15"), wwf15: () => t("Words With Friends, 15 x 15"),
});

/**
 * Fill menus with the boards and rule sets of the server.
 * @param {State} now
 * @param {HTMLSelectElement[]} menus of boards and rules
 */
export function offerChoices({ boards, ruleSets }, [board, rules]) {
  const named = ruleSets.map(({ id, language, federation }) => new Option(`${languageName(language)}${federation && ` (${federation})`}`, id));
  board.replaceChildren(...boards.map(({ id }) => new Option(BOARDS[id]?.() ?? id, id)));
  rules.replaceChildren(new Option(t("Usual for the word list"), ""), ...named.sort((one, other) => one.text.localeCompare(other.text)));
}

/**
 * Show the settings in menus.
 * @param {State} now
 * @param {HTMLSelectElement[]} menus of boards and rules
 */
export function showChoices({ settings }, [board, rules]) {
  board.value = /** @type {string} */ (settings.board);
  rules.value = settings.rules ?? "";
}

/**
 * Change the board; the tiles keep their distance from the center.
 * @param {string} id
 */
function changeBoard(id) {
  const layout = state.boards.find((one) => one.id === id);
  if (!layout) return;
  const settings = { ...state.settings, board: id };
  const { position } = state;
  if (layout.side === position.side) {
    commit({ settings });
    return;
  }
  const { moved, lost } = resized(position, layout.side);
  commit({ settings, position: moved, cursor: null });
  if (lost) update({ notice: t("{lost} tiles do not fit on this board. Undo brings them back.", { lost }) });
}

/**
 * Return the position on a board of another size, around its center, and how many tiles do not fit.
 * @param {Position} position
 * @param {number} side
 */
function resized(position, side) {
  const shift = Math.floor(side / 2) - Math.floor(position.side / 2);
  const moved = { ...position, side, tiles: emptyPosition(side).tiles };
  let lost = 0;
  position.tiles.forEach((tile, index) => {
    if (!tile) return;
    const row = Math.floor(index / position.side) + shift;
    const column = (index % position.side) + shift;
    if (row >= 0 && row < side && column >= 0 && column < side) moved.tiles[row * side + column] = tile;
    else lost += 1;
  });
  return { moved, lost };
}

/**
 * Show the position of a pasted text; a game record is shown at its end.
 * @param {string} text
 */
async function paste(text) {
  try {
    if (isGcg(text)) {
      await pasteGame(text);
      return;
    }
    commit({ ...placeOf(readPasted(text), state), cursor: null, fault: null });
  } catch (error) {
    complain(error);
  }
}

/** @param {string} gcg */
async function pasteGame(gcg) {
  const lines = gcg.split(/\r?\n/).filter((line) => line.startsWith(">"));
  const turn = 1 + lines.findLastIndex((line) => /^>[^:]*:\s*[^\s(]+\s+[^\s(]/.test(line)); // not "(time)" or "(QZ)", which end a game
  const { cgp: _, ...settings } = positionFields(state);
  const before = state.position;
  const { found } = await ask("/analyze", { ...settings, gcg, turn: Math.max(turn, 1), top_n: 1 });
  if (state.position === before) await paste(found.position.cgp);
}

function clear() {
  commit({ position: { ...emptyPosition(state.position.side), racks: state.position.racks, scores: state.position.scores }, cursor: null });
  update({ notice: t("The board is empty. Undo brings the tiles back.") });
}

const LEVEL = 10;
const TURNS = 6;

/**
 * Return the box that an empty board shows.
 * @returns {HTMLElement}
 */
export function welcome() {
  const open = (/** @type {string} */ panel, /** @type {string} */ first) => () => {
    update({ panel });
    document.querySelector(/** @type {"button"} */ (first))?.focus();
  };
  const acts = { example, opengame: open("games", "#gcgfile + button"), playgame: open("play", "#begin"), typeposition: type };
  for (const [id, act] of Object.entries(acts)) byId(id).addEventListener("click", act);
  const box = byId("welcome");
  subscribe(({ isReady, scene, position: { tiles, racks: [rack] } }) => {
    box.hidden = !isReady || scene !== "" || rack !== "" || tiles.some(Boolean);
  });
  return box;
}

/** Show a position of a game that two computer players have just begun, with any word list and board. */
async function example() {
  const { settings, position: before } = state;
  const layout = layoutOf(state);
  const seat = { name: "", level: LEVEL };
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  if (!layout) return;
  try {
    let { start: stand } = newGame({
      seats: [seat, seat], settings, rules: {}, allow_phonies: false, time: { per_game: null, per_move: null, overtime: "points" }, seed,
    }, tilesOf(tileSetOf(state)), layout.rows.length);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const { cgp, bag, passes } = stand;
      stand = standAfter(stand, (await ask("/play", { ...settings, cgp, bag, passes, seed, level: LEVEL })).found);
    }
    const { position } = readCgp(stand.cgp);
    if (state.position === before) commit({ position: { ...position, racks: [position.racks[0], ""] } });
  } catch (error) {
    complain(error, example);
  }
}

/** Put the cursor on the center, to type there. */
function type() {
  const index = Math.floor(state.position.tiles.length / 2);
  update({ mode: "setup", cursor: { index, down: false }, keyTarget: "board", keyboard: isTouched(), notice: t("Typing sets up the board.") });
  byId("board").focus();
}
