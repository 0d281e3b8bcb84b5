// A keyboard of tiles for touch, with the number of each that is left.

import { apply, typeOnBoard } from "./board.js";
import { byId, make, toolButton, write } from "./dom.js";
import { addToRack, eraseBack, turn, withRack } from "./editing.js";
import { commit } from "./history.js";
import { rackTiles } from "./position.js";
import { state, subscribe, tileSetOf, tilesLeft, update } from "./state.js";
import { t } from "./texts.js";

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
