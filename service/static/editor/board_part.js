// The part of the page for the board: brushes, the board that is painted, its faults.

import { byId, make, write } from "../page/dom.js";
import { update } from "../page/state.js";
import { shownNumber, t } from "../page/texts.js";
import { squareName } from "../notation.js";
import { LEAST, MOST } from "./contents.js";
import { emptyBoard, images, isStart, markAt, painted, resized, START } from "./drawing.js";

const board = byId("board");

/** The brushes, each with its mark in a file, which is its key too. @type {[string, () => string][]} */
const BRUSHES = [
  [".", () => t("plain")], ["d", () => t("double letter")], ["t", () => t("triple letter")], ["q", () => t("quadruple letter")],
  ["D", () => t("double word")], ["T", () => t("triple word")], ["Q", () => t("quadruple word")], [START, () => t("start square")],
];

/** The texts of the board in the language of the page. */
const boardTexts = () => ({
  board: t("Board"), star: t("start square"), empty: "", fault: t("fault"),
  l2: t("double letter"), l3: t("triple letter"), l4: t("quadruple letter"), w2: t("double word"), w3: t("triple word"), w4: t("quadruple word"),
});

/**
 * Let a person draw the board from now on; return what shows it.
 * @param {() => BoardRows} current
 * @param {(board: BoardRows, isStroke?: boolean) => void} change with true for more of the same stroke
 * @param {Layout[]} known the boards of the server
 */
export function boardPart(current, change, known) {
  const [side, boards, symmetry] = ["side", "boards", "symmetry"].map(byId);
  const brushes = BRUSHES.map(([mark, name], at) => make("label", {},
    make("input", { type: "radio", name: "brush", value: mark, checked: at === 1 }), make("kbd", { "aria-hidden": "true" }, mark), name()));
  byId("brushes").append(...brushes);
  const brush = () => document.querySelector("[name=brush]:checked")?.getAttribute("value") ?? "";
  boards.append(new Option(t("choose …"), ""), new Option(t("an empty board"), "empty"), ...known.map(({ id }) => new Option(id, id)));
  boards.addEventListener("change", () => {
    const found = known.find(({ id }) => id === boards.value);
    change(found ? { rows: found.rows, starts: found.starts } : emptyBoard(current().rows.length));
    boards.value = "";
  });
  side.addEventListener("change", () => {
    const wanted = Math.min(Math.max(Math.trunc(Number(side.value)) || LEAST, LEAST), MOST);
    side.value = String(wanted);
    if (wanted !== current().rows.length) change(resized(current(), wanted));
  });

  let hasChanged = false; // something in this stroke
  let isOn = true; // whether a stroke with the brush for start squares adds them
  const paint = (/** @type {number} */ index, /** @type {string} */ mark, isStroke = false) => {
    const before = current();
    const squares = images(index, before.rows.length, symmetry.value);
    if (!isStroke) [isOn, hasChanged] = [!isStart(before, index), false];
    const next = painted(before, squares, mark, isOn);
    if (JSON.stringify(next) === JSON.stringify(before)) return;
    change(next, hasChanged);
    hasChanged = true;
    const [, name] = /** @type {[string, () => string]} */ (BRUSHES.find(([one]) => one === mark));
    const said = mark === START && !isOn ? t("no start square") : name();
    update({ heard: `${squares.map((one) => squareName(one, before.rows.length)).join(" ")}: ${said}` });
  };
  drawWith(paint, brush);
  board.editable = true;
  board.texts = boardTexts();

  return {
    /** @param {BoardRows} now */
    show(now) {
      const { length } = now.rows;
      side.value = String(length);
      board.style.setProperty("--side", String(length));
      board.position = { side: length, tiles: Array(length * length).fill(null) };
      board.layout = { rows: now.rows.map((_, row) => now.rows.map((_, column) => markAt(now, row * length + column)).join("")), starts: now.starts };
    },
    /**
     * @param {EquipmentFault[]} faults
     * @param {Answers["Board"] | null} read the board without faults
     */
    showFaults(faults, read) {
      const { length } = current().rows;
      const row = (/** @type {number} */ line) => Array.from({ length: line <= length ? length : 0 }, (_, column) => squareName((line - 1) * length + column, length));
      board.faults = faults.flatMap(({ square, line }) => square ?? (line ? row(line) : []));
      byId("boardfaults").replaceChildren(...faults.map(({ detail }) => make("li", {}, detail)));
      const premiums = read?.rows.join("").replace(/\./g, "").length ?? 0;
      write(byId("boardfacts"), read ? t("No faults. Premium squares: {premiums}, start: {starts}.", { premiums: shownNumber(premiums), starts: read.starts.join(" ") }) : "");
    },
  };
}

/**
 * Paint with the mouse, with Enter, and with the keys of the brushes.
 * @param {(index: number, mark: string, isStroke?: boolean) => void} paint
 * @param {() => string} brush
 */
function drawWith(paint, brush) {
  let last = -1; // the square under the pointer while its button is pressed
  let isStroke = false; // the pointer has left the first square
  const indexOf = (/** @type {Element} */ square) => [...board.shadowRoot.querySelectorAll(".sq")].indexOf(square);
  const squareAt = (/** @type {PointerEvent} */ { clientX, clientY }) =>
    indexOf(board.shadowRoot.elementsFromPoint(clientX, clientY).find((/** @type {Element} */ one) => one.matches(".sq")));
  board.addEventListener("square", (/** @type {CustomEvent} */ { detail }) => {
    if (detail.by === "press" || (detail.by === "pointer" && !isStroke)) paint(detail.index, brush());
  });
  board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const index = indexOf(board.shadowRoot.activeElement);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey || !BRUSHES.some(([mark]) => mark === event.key)) return;
    event.preventDefault();
    paint(index, event.key);
  });
  board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    if (event.pointerType === "touch" || event.button !== 0) return; // a finger scrolls the board, and its tap paints
    last = squareAt(event);
  });
  board.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (last < 0 || event.buttons !== 1) return;
    const at = squareAt(event);
    if (at < 0 || at === last) return;
    if (!isStroke) paint(last, brush());
    isStroke = true;
    last = at;
    paint(at, brush(), true);
  });
  addEventListener("pointerup", () => setTimeout(() => { [last, isStroke] = [-1, false]; })); // after the click that it may end in
}
