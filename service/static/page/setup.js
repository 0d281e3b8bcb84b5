// The fields of the position: board, rules, scores, opponent's tiles, text to paste.

import { ask } from "./api.js";
import { button, field, make } from "./dom.js";
import { complain } from "./faults.js";
import { commit, placeOf } from "./history.js";
import { emptyPosition, isGcg, rackText, readPasted, typedTiles, writeCgp } from "./position.js";
import { lettersOf, positionFields, state, subscribe, update } from "./state.js";
import { copyLink, copyPicture } from "./sharing.js";
import { storeText, storedText } from "./storage.js";
import { languageName, t } from "./texts.js";

const LOOK = "kibitz-look";

/**
 * Build the fields, which are redrawn when the state changes.
 * @param {HTMLElement} element
 */
export function startSetup(element) {
  const board = make("select", { id: "layout", onchange: () => changeBoard(board.value) });
  const rules = make("select", { id: "rules", onchange: () => commit({ settings: { ...state.settings, rules: rules.value || undefined } }) });
  const own = scoreField("own", 0);
  const other = scoreField("other", 1);
  const theirs = make("input", {
    id: "theirs", autocomplete: "off", spellcheck: false, autocapitalize: "characters",
    onchange: () => setPosition({ racks: [state.position.racks[0], rackText(typedTiles(theirs.value, lettersOf(state)))] }),
  });
  const text = make("textarea", { id: "cgp", rows: 2, spellcheck: false, autocomplete: "off", onchange: () => paste(text.value) });
  element.append(
    field(t("Board"), board), field(t("Rules"), rules),
    field(t("Your score"), own), field(t("Opponent's score"), other), field(t("Opponent's tiles, if known"), theirs), field(t("Look"), looks()),
    field(t("Position as text: paste a CGP, rows, or a link"), text, "wide"),
    make("p", { className: "buttons wide" },
      button(t("Copy a link"), () => copyLink(location.href), { id: "copy" }),
      button(t("Copy the picture"), copyPicture, { id: "copypicture" }),
      button(t("Clear the board"), clear, { id: "clear" })),
  );
  subscribe((now, before) => {
    if (now.lexicons !== before.lexicons) offerChoices(now, [board, rules]);
    if (now.settings !== before.settings) showChoices(now, [board, rules]);
    if (now.position === before.position) return;
    own.value = now.position.scores[0];
    other.value = now.position.scores[1];
    theirs.value = now.position.racks[1];
    text.value = writeCgp(now.position);
  });
}

/** Return a menu of how board and tiles look; the browser stores the choice. */
function looks() {
  const menu = make("select", { id: "looks", onchange: () => { storeText(LOOK, menu.value); show(); } },
    new Option(t("Wood"), ""), new Option(t("Slate"), "slate"));
  const show = () => { document.body.dataset.tiles = menu.value; };
  menu.value = storedText(LOOK) === "slate" ? "slate" : "";
  show();
  return menu;
}

/**
 * @param {string} id
 * @param {number} player
 */
function scoreField(id, player) {
  const input = make("input", {
    id, type: "number", value: 0, inputMode: "numeric",
    onchange: () => setPosition({ scores: /** @type {[number, number]} */ (state.position.scores.with(player, Math.trunc(Number(input.value)) || 0)) }),
  });
  return input;
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
  board.value = settings.board;
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
