// The board: shows the state on <kibitz-board>, and passes what a person does there to the editing.

import { isTouched } from "./dom.js";
import { eraseAt, eraseBack, lay, letterOf, turn } from "./editing.js";
import { commit } from "./history.js";
import { changedFields, chosenMove, layoutOf, lettersOf, state, subscribe, tileSetOf, update, valuesOf } from "./state.js";
import { t } from "./texts.js";

let isBlankNext = false; // `?` was typed: the next letter is a blank

/** Return the texts of the board in the language of the page. */
const boardTexts = () => ({
  board: t("Board"), star: t("star"), empty: t("empty"), blank: t("blank {letter}"), points: t("{points} points"), point: t("1 point"),
  l2: t("double letter"), l3: t("triple letter"), l4: t("quadruple letter"), w2: t("double word"), w3: t("triple word"), w4: t("quadruple word"),
  chosen: t("chosen play"), played: t("just played"), fault: t("fault"), heat: t("{percent} % of replies"),
});

/**
 * Return what the board shows, a function of the state.
 * @param {State} now
 */
function boardView(now) {
  const move = now.look ?? now.chosen;
  return {
    position: now.position,
    layout: layoutOf(now),
    letters: now.isReady ? tileSetOf(now) : undefined,
    ghosts: now.trial.length ? now.trial : (move?.placed ?? []),
    faults: now.fault?.squares ?? [],
    heat: now.isHot && !now.trial.length ? (now.look ?? chosenMove(now))?.sim?.reply_squares : null,
    played: now.played,
    cursor: now.cursor,
  };
}

/**
 * Show the state on the board from now on.
 * @param {any} board the <kibitz-board>
 * @param {HTMLInputElement} typing the hidden input for dead keys and the keyboards of phones
 */
export function startBoard(board, typing) {
  const changed = changedFields();
  const show = () => {
    const { letters, ...view } = boardView(state);
    if (view.layout?.rows.length !== view.position.side) return;
    for (const name of changed({ ...view, letters })) {
      if (name !== "letters") board[name] = view[/** @type {keyof typeof view} */ (name)];
      else if (letters) board.values = valuesOf(state);
    }
  };
  board.editable = true;
  board.texts = boardTexts();
  subscribe(show);
  board.addEventListener("square", (/** @type {CustomEvent} */ event) => {
    chooseSquare(event.detail);
    if (event.detail.by !== "pointer" || !isTouched() || state.scene) return;
    if (state.isDeviceKeyboard) typing.focus({ preventScroll: true });
    else if (state.mode === "setup") update({ keyboard: true });
  });
  let isPressed = false; // by a pointer, which chooses a square itself
  board.addEventListener("pointerdown", () => { isPressed = true; });
  board.addEventListener("click", () => { isPressed = false; });
  board.addEventListener("focusin", () => {
    if (!state.cursor && !isPressed) update({ cursor: { index: Math.floor(state.position.tiles.length / 2), down: false }, keyTarget: "board" });
  });
  board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => press(event, typing));
  listenToTyping(typing, board);
}

/** @param {Edit} edit */
export function apply({ said, loud, position, trial, ...rest }) {
  if (position) commit({ position, ...rest }, "typing");
  else update({ ...rest, ...(trial ? { trial } : {}) });
  if (said) update({ heard: said });
  if (loud) update({ notice: loud });
}

/**
 * Lay a letter that was typed on any keyboard; `?` makes the next one a blank.
 * @param {string} text
 * @param {boolean} [blank]
 */
export function typeOnBoard(text, blank = false) {
  if (text === "?") {
    isBlankNext = true;
    update({ notice: t("The next letter is a blank.") });
    return true;
  }
  const letter = letterOf(text, lettersOf(state));
  if (letter === null) return false;
  apply(lay(state, letter, blank || isBlankNext));
  if (isBlankNext && state.mode === "try") update({ keyboard: false }); // it would hide the score and the rank of the move
  isBlankNext = false;
  return true;
}

/**
 * Put the cursor on a square; a second tap, Enter or space changes its direction.
 * @param {{index: number, by: string}} square
 */
function chooseSquare({ index, by }) {
  if (state.cursor?.index === index && by !== "arrow") apply(turn(state));
  else update({ cursor: { index, down: state.cursor?.down ?? false }, keyTarget: "board" });
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} typing
 */
function press(event, typing) {
  const { key, altKey } = event; // AltGr types whatever it is with, and Alt letters such as Ł; with others it is a shortcut
  const isShortcut = event.metaKey || (event.ctrlKey && !altKey) || (altKey && key !== "Dead" && key < "\x80");
  if (event.defaultPrevented || (isShortcut && !event.getModifierState("AltGraph"))) return;
  if (key === "Backspace") apply(eraseBack(state));
  else if (key === "Delete" && state.cursor) apply(eraseAt(state, state.cursor.index));
  else if (key === "Escape") {
    isBlankNext = false;
    update({ trial: [], chosen: null });
  }
  else if (key === "Dead" || key === "Process" || key === "Unidentified" || event.keyCode === 229) {
    typing.focus({ preventScroll: true }); // the composition needs an editable element
    return;
  } else if ([...key].length !== 1 || !typeOnBoard(key, event.shiftKey)) return;
  event.preventDefault();
}

/**
 * Read text from a composition or the keyboard of a phone, because their keydown events name no key.
 * @param {HTMLInputElement} typing
 * @param {HTMLElement} board
 */
function listenToTyping(typing, board) {
  let taken = ""; // the part of the composed text that is on the board
  typing.addEventListener("beforeinput", (event) => {
    const text = event.data ?? "";
    if (event.inputType === "deleteContentBackward") apply(eraseBack(state));
    else if (event.inputType === "insertCompositionText") {
      for (let extra = taken.length; extra > 0 && !text.startsWith(taken); extra -= 1) {
        taken = taken.slice(0, -1);
        apply(eraseBack(state));
      }
      for (const one of text.slice(taken.length)) {
        if (!typeOnBoard(one)) break;
        taken += one;
      }
      return; // a composition cannot be prevented
    } else for (const one of text) if (!typeOnBoard(one) && one === " ") apply(turn(state));
    event.preventDefault();
  });
  typing.addEventListener("compositionend", () => {
    taken = "";
    typing.value = "";
    if (document.activeElement === typing && !isTouched()) board.focus();
  });
  typing.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if ([...event.key].length > 1) press(event, typing);
  });
}
