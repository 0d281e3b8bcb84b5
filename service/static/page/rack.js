// The tiles that a person types with: the rack, to tap or drag or type, and a keyboard of tiles for touch.

import { apply, typeOnBoard } from "./board.js";
import { byId, isTouched, make, toolButton, write } from "./dom.js";
import { addToRack, eraseBack, letterOf, remaining, turn, withRack } from "./editing.js";
import { commit } from "./history.js";
import { shuffled } from "./match.js";
import { rackTiles, typedTiles } from "./position.js";
import { lettersOf, state, subscribe, tileSetOf, tilesLeft, update, valuesOf } from "./state.js";
import { t } from "./texts.js";

/**
 * Return what the rack shows, a function of the state: its tiles, and which of them lie on the board.
 * @param {State} now
 */
export function rackView(now) {
  const left = remaining(now);
  return rackTiles(now.position.racks[0]).map((letter) => {
    const at = left.indexOf(letter);
    if (at >= 0) left.splice(at, 1);
    return { letter, used: at < 0 };
  });
}

/**
 * Show the rack from now on.
 * @param {HTMLElement} element
 */
export function startRack(element) {
  const strip = make("div", { className: "strip" });
  const field = make("input", {
    id: "rack", type: "text", autocomplete: "off", autocapitalize: "characters", spellcheck: false, className: "rackfield",
    "aria-label": t("Rack: type its tiles, ? for a blank"),
  });
  element.append(strip, field);
  strip.setAttribute("role", "group");
  strip.setAttribute("aria-label", t("Tiles on your rack"));
  let shown = "";
  const show = () => {
    const tiles = rackView(state);
    const view = JSON.stringify([tiles, state.mode, state.settings, state.isReady]);
    if (view === shown) return;
    shown = view;
    const focused = [...strip.children].indexOf(document.activeElement);
    strip.replaceChildren(...tiles.map(rackButton));
    if (focused >= 0) (strip.children[Math.min(focused, tiles.length - 1)] ?? field).focus();
    field.placeholder = tiles.length ? "" : t("Type your rack, ? is a blank");
    element.classList.toggle("full", tiles.length >= 7);
  };
  const chooseKeyboard = () => { field.inputMode = isTouched() && !state.isDeviceKeyboard ? "none" : "text"; };
  chooseKeyboard();
  subscribe(show);
  subscribe(chooseKeyboard);
  strip.addEventListener("click", (/** @type {any} */ event) => {
    const at = [...strip.children].indexOf(event.target.closest(".tile"));
    if (at >= 0) tapTile(at);
  });
  strip.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const at = [...strip.children].indexOf(/** @type {Element} */ (document.activeElement));
    if (event.key === "ArrowRight") (strip.children[at + 1] ?? field).focus();
    else if (event.key === "ArrowLeft") /** @type {any} */ (strip.children[Math.max(at - 1, 0)]).focus();
    else if (event.key === "Delete" || event.key === "Backspace") removeTile(at);
    else return;
    event.preventDefault();
  });
  listen(field, strip);
}

/**
 * @param {{letter: string, used: boolean}} tile
 * @param {number} [at]
 */
export function rackButton({ letter, used }, at = 0) {
  const points = valuesOf(state).get(letter) ?? 0;
  const name = letter === "?" ? t("blank") : letter;
  return make(
    "button",
    {
      type: "button", className: `tile${letter === "?" ? " blank" : ""}${used ? " used" : ""}`, tabIndex: at === 0 ? 0 : -1,
      "aria-label": used ? t("{letter}, on the board", { letter: name }) : name, "data-letter": letter,
    },
    make("span", { className: "letter" }, letter === "?" ? "" : letter),
    points ? make("span", { className: "points", "data-sign": points }) : null,
  );
}

/**
 * Lay a tile of the rack at the cursor of the board, as a move to try.
 * @param {number} at
 */
function tapTile(at) {
  const { letter, used } = rackView(state)[at];
  if (used) return;
  if (!state.cursor) {
    update({ notice: t("Choose a square of the board first, or drag the tile there.") });
    return;
  }
  if (state.mode !== "try") update({ mode: "try" });
  if (letter === "?" && isTouched()) update({ keyboard: true, keyTarget: "board" });
  typeOnBoard(letter);
}

/** @param {number} at */
function removeTile(at) {
  const tiles = rackTiles(state.position.racks[0]);
  tiles.splice(at, 1);
  commit(withRack(state, tiles), "rack");
}

export const shuffleRack = () => commit(withRack(state, shuffled(rackTiles(state.position.racks[0]))), "rack");

/**
 * Turn typed or pasted text into tiles.
 * @param {HTMLInputElement} field
 * @param {HTMLElement} strip
 */
function listen(field, strip) {
  let taken = "";
  const take = (/** @type {string} */ text) => {
    const letters = lettersOf(state);
    const known = typedTiles(text, letters)
      .map((one) => (one === "?" ? one : letterOf(one, letters)))
      .filter((one) => one !== null);
    if (known.length) apply(addToRack(state, known, true));
  };
  field.addEventListener("input", (/** @type {any} */ event) => {
    if (event.isComposing) {
      const fresh = field.value.startsWith(taken) ? field.value.slice(taken.length) : "";
      if (letterOf(fresh, lettersOf(state)) === null) return;
      taken = field.value;
      take(fresh);
      return;
    }
    const { value } = field;
    field.value = "";
    taken = "";
    take(value);
  });
  field.addEventListener("compositionend", () => {
    const rest = field.value.startsWith(taken) ? field.value.slice(taken.length) : field.value;
    field.value = "";
    taken = "";
    take(rest);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const last = rackView(state).length - 1;
    if (event.key === "Backspace" && field.value === "" && last >= 0) removeTile(last);
    else if (event.key === "ArrowLeft" && last >= 0) /** @type {any} */ (strip.lastElementChild).focus();
    else return;
    event.preventDefault();
  });
  field.addEventListener("focus", () => update({ keyTarget: "rack" }));
  field.addEventListener("click", () => { if (isTouched() && !state.isDeviceKeyboard) update({ keyboard: true }); });
}

/**
 * Show the keyboard whenever the state asks for it.
 * @param {HTMLElement} element
 */
export function startKeyboard(element) {
  const keys = make("div", { className: "keys" });
  const target = make("span", { className: "target" });
  element.append(
    make(
      "div", { className: "controls" }, target,
      toolButton(t("Turn the direction"), "turn", () => apply(turn(state))),
      toolButton(t("Remove the last tile"), "erase", erase),
      toolButton(t("Keyboard of the device"), "device", openDeviceKeyboard, { id: "device" }),
      toolButton(t("Close the keyboard"), "close", () => { update({ keyboard: false }); byId("keys")?.focus(); }),
    ),
    keys,
  );
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", t("Tile keyboard"));
  element.addEventListener("pointerdown", (event) => event.preventDefault()); // the cursor stays where it is
  addEventListener("click", (/** @type {any} */ { target }) => { // capture: a button may open it
    if (state.keyboard && !target.closest("#board, #rackbox, #actions, #keyboard")) update({ keyboard: false });
  }, { capture: true });
  let drawn = "";
  subscribe((now) => {
    element.hidden = !now.keyboard;
    document.body.classList.toggle("typing", now.keyboard);
    if (!now.keyboard) return;
    write(target, targetName(now));
    const left = tilesLeft(now);
    const view = JSON.stringify([...left, now.settings.lexicon]);
    if (view === drawn) return;
    drawn = view;
    const focused = /** @type {any} */ (document.activeElement)?.dataset?.key;
    keys.replaceChildren(...tileSetOf(now).map((tile) => keyOf(tile, left.get(tile.letter) ?? 0)));
    if (focused) keys.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  });
}

/**
 * @param {Letter} tile
 * @param {number} left
 */
function keyOf({ letter, value }, left) {
  const name = letter === "?" ? t("blank") : letter;
  return make(
    "button",
    {
      type: "button", className: `tile key${left > 0 ? "" : " none"}${letter === "?" ? " blank" : ""}`, "data-key": letter,
      "aria-label": t("{letter}, {left} left", { letter: name, left: Math.max(left, 0) }), onclick: () => pressKey(letter),
    },
    letter === "?" ? make("span", { className: "letter", "data-sign": letter }) : make("span", { className: "letter" }, letter),
    value ? make("span", { className: "points", "data-sign": value }) : null,
    make("span", { className: "left", "data-sign": Math.max(left, 0) }),
  );
}

/** @param {string} letter */
function pressKey(letter) {
  if (state.keyTarget === "rack") apply(addToRack(state, [letter]));
  else if (state.cursor) typeOnBoard(letter);
  else update({ notice: t("Tap a square of the board, or the rack.") });
}

/** Let a person type with the keyboard of the device, on the board or into the rack. */
function openDeviceKeyboard() {
  const { cursor, keyTarget, position } = state;
  update({ keyboard: false, isDeviceKeyboard: true, cursor: cursor ?? { index: Math.floor(position.tiles.length / 2), down: false } });
  const field = byId(keyTarget === "rack" ? "rack" : "typing");
  field.blur(); // the device opens its keyboard for a field that gets the focus
  field.focus({ preventScroll: true });
}

function erase() {
  if (state.keyTarget === "board") {
    apply(eraseBack(state));
    return;
  }
  commit(withRack(state, rackTiles(state.position.racks[0]).slice(0, -1)), "rack");
}

/** @param {State} now */
function targetName({ keyTarget, cursor }) {
  if (keyTarget === "rack") return t("to the rack");
  if (!cursor) return t("tap a square");
  return cursor.down ? t("down") : t("across");
}
