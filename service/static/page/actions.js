// The buttons below the rack: undo, redo, what typing does, the tile keyboard, and the fields of the position.

import { button, byId, make, toolButton } from "./dom.js";
import { canRedo, canUndo, commit, redo, undo } from "./history.js";
import { shuffled } from "./match.js";
import { rackTiles } from "./position.js";
import { withRack } from "./editing.js";
import { state, subscribe, update } from "./state.js";
import { t } from "./texts.js";

/**
 * @param {HTMLElement} element
 * @param {HTMLElement} setup the fields that a button shows and hides
 */
export function startActions(element, setup) {
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

export const shuffleRack = () => commit(withRack(state, shuffled(rackTiles(state.position.racks[0]))), "rack");
