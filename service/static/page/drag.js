// Drag tiles by mouse, pen or finger between rack and board, and within both.

import { typeOnBoard } from "./board.js";
import { make } from "./dom.js";
import { tileOf, withRack } from "./editing.js";
import { commit } from "./history.js";
import { RACK_SIZE, rackTiles, squareName, withTile } from "./position.js";
import { rackView } from "./rack.js";
import { state, update } from "./state.js";

const START_PX = 6;
const SWIPE_PX = 48;

/**
 * Let tiles be dragged from now on.
 * @param {any} board
 * @param {HTMLElement} rack
 */
export function startDrag(board, rack) {
  /** @type {(Dragged & {x: number, y: number, ghost: HTMLElement | null, pointer: number}) | null} */
  let held = null;

  const begin = (/** @type {PointerEvent} */ event, /** @type {Dragged | null} */ dragged) => {
    if (event.button !== 0 || !dragged) return;
    held = { ...dragged, x: event.clientX, y: event.clientY, ghost: null, pointer: event.pointerId };
  };
  rack.addEventListener("pointerdown", (event) => begin(event, rackTileAt(rack, event)));
  board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => begin(event, boardTileAt(board, event)));
  board.addEventListener(
    "touchmove",
    (/** @type {TouchEvent} */ event) => { if (held && isTried(held.at)) event.preventDefault(); }, // do not scroll
    { passive: false },
  );
  addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < START_PX) return;
      held.ghost = make("div", { className: "tile dragged", "aria-hidden": "true" }, held.letter === "?" ? "" : held.letter);
      document.body.append(/** @type {HTMLElement} */ (held.ghost));
    }
    /** @type {HTMLElement} */ (held.ghost).style.translate = `${event.clientX}px ${event.clientY}px`;
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const { ghost, ...dragged } = held;
    held = null;
    if (!ghost) return;
    ghost.remove();
    const swallow = (/** @type {Event} */ click) => click.stopPropagation(); // a drag is no tap
    addEventListener("click", swallow, { capture: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    if (event.type === "pointerup") drop(board, rack, dragged, event);
  };
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/**
 * Call a function when a finger swipes across an element: with 1 to the left, with -1 to the right.
 * @param {HTMLElement} element which may be scrolled up and down only
 * @param {(step: number) => void} act
 */
export function onSwipe(element, act) {
  let [left, top] = [NaN, NaN]; // where it began
  element.addEventListener("pointerdown", ({ pointerType, isPrimary, clientX, clientY }) => {
    [left, top] = pointerType === "touch" && isPrimary ? [clientX, clientY] : [NaN, NaN];
  });
  element.addEventListener("pointerup", ({ clientX, clientY }) => {
    const along = left - clientX;
    if (Math.abs(along) > Math.max(SWIPE_PX, 2 * Math.abs(top - clientY))) act(Math.sign(along));
    left = NaN;
  });
  element.addEventListener("pointercancel", () => { left = NaN; });
}

/** @param {number} index */
const isTried = (index) => state.trial.some(({ at }) => at === squareName(index, state.position.side));

/**
 * @param {HTMLElement} rack
 * @param {PointerEvent} event
 * @returns {Dragged | null}
 */
function rackTileAt(rack, event) {
  const tile = /** @type {Element} */ (event.target).closest(".tile");
  const at = [...rack.querySelectorAll(".tile")].indexOf(/** @type {Element} */ (tile));
  const view = rackView(state)[at];
  return view && !view.used ? { from: "rack", at, letter: view.letter } : null;
}

/**
 * @param {any} board
 * @param {{clientX: number, clientY: number}} point
 * @returns {Dragged | null}
 */
function boardTileAt(board, point) {
  const at = squareAt(board, point);
  const tile = at < 0 ? null : tileOf(state, at);
  return tile ? { from: "board", at, letter: tile.blank ? "?" : tile.letter } : null;
}

/**
 * Return the square under a point, -1 outside the board.
 * @param {any} board
 * @param {{clientX: number, clientY: number}} point
 */
function squareAt(board, { clientX, clientY }) {
  const { side } = state.position;
  const squares = [...board.shadowRoot.querySelectorAll(".sq")];
  const found = board.shadowRoot.elementsFromPoint(clientX, clientY).find((/** @type {Element} */ one) => one.matches(".sq"));
  const at = squares.indexOf(found);
  return at < side * side ? at : -1;
}

/**
 * @param {any} board
 * @param {HTMLElement} rack
 * @param {Dragged} dragged
 * @param {PointerEvent} event
 */
function drop(board, rack, dragged, event) {
  const to = squareAt(board, event);
  const { left, right, top, bottom } = rack.getBoundingClientRect();
  const isRack = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
  if (to >= 0 && !tileOf(state, to)) dropOnBoard(dragged, to);
  else if (isRack && dragged.from === "rack") reorder(rack, dragged.at, event.clientX);
  else if (isRack || (to < 0 && dragged.from === "board")) takeBack(dragged);
}

/**
 * @param {Dragged} dragged
 * @param {number} to
 */
function dropOnBoard(dragged, to) {
  const { position, trial } = state;
  const at = squareName(to, position.side);
  const cursor = { index: to, down: state.cursor?.down ?? false };
  if (dragged.from === "board") {
    const from = squareName(dragged.at, position.side);
    if (isTried(dragged.at)) {
      update({ trial: trial.map((one) => (one.at === from ? { ...one, at } : one)), cursor });
    } else {
      const tile = position.tiles[dragged.at];
      commit({ position: withTile(withTile(position, dragged.at, null), to, tile), cursor });
    }
  } else if (dragged.letter === "?") {
    update({ mode: "try", cursor, keyboard: true, keyTarget: "board" });
    typeOnBoard("?");
  } else {
    update({ mode: "try", trial: [...trial, { at, letter: dragged.letter, blank: false }], cursor });
  }
}

/** @param {Dragged} dragged */
function takeBack({ from, at }) {
  if (from !== "board") return;
  const name = squareName(at, state.position.side);
  if (isTried(at)) {
    update({ trial: state.trial.filter((one) => one.at !== name) });
    return;
  }
  const tile = state.position.tiles[at];
  const rack = rackTiles(state.position.racks[0]);
  if (!tile) return;
  const fuller = rack.length < RACK_SIZE ? [...rack, tile.blank ? "?" : tile.letter] : rack;
  const { position } = withRack({ ...state, position: withTile(state.position, at, null) }, fuller);
  commit({ position });
}

/**
 * @param {HTMLElement} rack
 * @param {number} from
 * @param {number} x
 */
function reorder(rack, from, x) {
  const boxes = [...rack.querySelectorAll(".tile")].map((one) => one.getBoundingClientRect());
  const to = boxes.filter((box, at) => at !== from && box.left + box.width / 2 < x).length;
  const tiles = rackTiles(state.position.racks[0]);
  const [moved] = tiles.splice(from, 1);
  tiles.splice(to, 0, moved);
  commit(withRack(state, tiles), "rack");
}
