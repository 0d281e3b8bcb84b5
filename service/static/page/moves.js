// The list of moves: one tab stop, arrow keys choose, the chosen move is on the board. More rows on scrolling.

import { moreMoves, moveCount } from "./analysis.js";
import { COLUMNS, filterBar, isOn, passes, sorted } from "./columns.js";
import { byId, make, write } from "./dom.js";
import { changedFields, state, subscribe, update } from "./state.js";
import { shownNumber, t } from "./texts.js";
import { moveParts } from "./move_text.js";

const ROWS_AT_ONCE = 30;
const UNKNOWN_WIN = { win_pct: null, win_pct_low: null, win_pct_high: null }; // the win% table cannot be compared with a search

let count = ROWS_AT_ONCE;
/** @type {Map<string, any>} */
let rows = new Map(); // move -> its row
/** @type {Move[]} */
let shownMoves = [];

/**
 * Return the moves to list, a function of the state: those of the search, if there is one, before the others.
 * @param {State} now
 * @returns {Move[]}
 */
function movesOf(now) {
  const searched = now.search?.moves ?? [];
  const names = new Set(searched.map((one) => one.move));
  const others = (now.answer?.moves ?? []).filter((one) => !names.has(one.move));
  return [...searched, ...(searched.length ? others.map((one) => ({ ...one, ...UNKNOWN_WIN })) : others)];
}

/**
 * Build the list and show the moves from now on.
 * @param {HTMLElement} panel
 * @param {HTMLElement} bar above the list, where its filter goes
 */
export function startMoves(panel, bar) {
  const head = make("tr", {});
  const body = make("tbody", {});
  const table = make("table", { id: "moves", className: "moves", role: "grid", "aria-label": t("Moves") }, make("thead", {}, head), body);
  const empty = make("p", { className: "empty" });
  const end = make("p", { className: "end" });
  const scroller = make("div", { className: "scroller", id: "scroller" }, table, empty, end);
  bar.append(filterBar());
  panel.append(scroller);

  const changed = changedFields();
  const show = (isForced = false) => {
    const { answer, sort, asking, chosen, isReady, filter } = state;
    const names = changed({ answer, searched: state.search?.moves, sort, asking, rack: state.position.racks[0], chosen, isReady, filter });
    if (!isForced && !names.length) return;
    if (names.includes("filter") || names.includes("sort")) count = ROWS_AT_ONCE;
    if (isForced || names.some((name) => name !== "chosen")) {
      shownMoves = sorted(movesOf(state).filter((move) => passes(move, state.filter)), state.sort);
      drawHead(head, shownMoves);
      drawRows(body, shownMoves.slice(0, count));
      table.hidden = shownMoves.length === 0;
      table.setAttribute("aria-rowcount", String(1 + (isOn(state.filter) || !state.answer ? shownMoves.length : moveCount(state.answer))));
      scroller.setAttribute("aria-busy", String(state.asking));
      write(empty, emptyText());
      write(end, endText());
    }
    mark();
  };
  subscribe(() => show());
  show(true);

  new IntersectionObserver((entries) => {
    if (!entries.some((one) => one.isIntersecting)) return;
    const isShort = count >= shownMoves.length;
    count = Math.min(count, shownMoves.length) + ROWS_AT_ONCE;
    if (isShort) moreMoves();
    else show(true);
  }, { rootMargin: "200px" }).observe(end);
  listen(body);
  head.addEventListener("click", (/** @type {any} */ event) => {
    const id = event.target.closest("button")?.dataset.sort;
    if (id) update({ sort: state.sort === id ? "rank" : id });
  });
}

/**
 * @param {HTMLElement} head
 * @param {Move[]} moves
 */
function drawHead(head, moves) {
  const columns = columnsOf(moves);
  const key = `${columns.map(({ id }) => id)} ${state.sort}`;
  if (head.dataset.key === key) return;
  head.dataset.key = key;
  const focused = /** @type {any} */ (document.activeElement)?.dataset?.sort;
  head.replaceChildren(...columns.map(({ id, title }) => {
    const isSorted = id === state.sort;
    const button = make("button", { type: "button", "data-sort": id, className: "sort" }, title(), make("span", { "aria-hidden": "true" }, isSorted ? " ▾" : ""));
    return make("th", { scope: "col", className: `c-${id}`, "aria-sort": isSorted ? (id === "move" ? "ascending" : "descending") : "none" }, button);
  }));
  if (focused) /** @type {any} */ (head.querySelector(`[data-sort="${focused}"]`))?.focus();
}

/** @param {Move[]} moves */
const columnsOf = (moves) => COLUMNS.filter(({ when }) => !when || moves.some(when));

/**
 * Show moves in the rows that they had, so that focus and pointer stay.
 * @param {HTMLElement} body
 * @param {Move[]} moves
 */
function drawRows(body, moves) {
  const columns = columnsOf(shownMoves);
  const shape = columns.map(({ id }) => id).join();
  if (body.dataset.shape !== shape) rows = new Map();
  body.dataset.shape = shape;
  const hadFocus = body.contains(document.activeElement);
  const fresh = new Map();
  const wanted = moves.map((move, at) => {
    const row = rows.get(move.move) ?? make("tr", {}, ...columns.map(({ id }) => make("td", { className: `c-${id}` })));
    row.ariaRowIndex = String(at + 2);
    if (row.move !== move) fill(row, move, columns);
    fresh.set(move.move, row);
    return row;
  });
  rows = fresh;
  const same = wanted.findIndex((row, at) => body.children[at] !== row);
  if (same === body.children.length) body.append(...wanted.slice(same)); // thousands of rows stay as they are
  else if (same >= 0 || wanted.length !== body.children.length) body.replaceChildren(...wanted);
  if (hadFocus && !body.contains(document.activeElement)) (rows.get(state.chosen?.move ?? "") ?? wanted[0] ?? byId("tab-moves"))?.focus();
  else if (hadFocus) /** @type {any} */ (document.activeElement)?.focus();
}

/**
 * @param {any} row
 * @param {Move} move
 * @param {Column[]} columns
 */
function fill(row, move, columns) {
  row.move = move;
  row.classList.toggle("bingo", move.is_bingo);
  row.classList.toggle("pruned", Boolean(move.sim?.pruned || move.preendgame?.pruned));
  columns.forEach(({ id, of, error }, at) => {
    const cell = row.cells[at];
    const text = of(move) + (error ? error(move) : "");
    if (cell.value === text) return;
    cell.value = text;
    if (id === "move") cell.replaceChildren(...moveParts(move, state.position));
    else cell.replaceChildren(of(move), ...(error?.(move) ? [make("small", {}, error(move))] : []));
  });
}

/** Mark the chosen move, which is also the tab stop. */
function mark() {
  const chosen = rows.get(state.chosen?.move ?? "");
  const [first] = rows.values();
  for (const row of rows.values()) {
    const isChosen = row === chosen;
    if (row.ariaSelected !== String(isChosen)) row.ariaSelected = String(isChosen);
    row.tabIndex = row === (chosen ?? first) ? 0 : -1;
  }
}

/** @param {HTMLElement} body */
function listen(body) {
  const rowOf = (/** @type {Event} */ event) => /** @type {any} */ (event.target).closest("tr");
  const choose = (/** @type {any} */ row) => {
    if (!row) return;
    update({ chosen: row.move, look: null, trial: [] });
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };
  body.addEventListener("click", (event) => choose(rowOf(event)));
  body.addEventListener("pointerover", (event) => {
    const move = rowOf(event)?.move ?? null;
    if (event.pointerType === "mouse" && move !== state.look) update({ look: move });
  });
  body.addEventListener("pointerleave", () => { if (state.look) update({ look: null }); });
  body.addEventListener("focusin", (event) => {
    const row = rowOf(event);
    if (row?.matches(":focus-visible") && state.chosen?.move !== row.move.move) update({ chosen: row.move, trial: [] });
  });
  body.addEventListener("keydown", (event) => {
    const row = rowOf(event);
    const to = { ArrowDown: row.nextSibling, ArrowUp: row.previousSibling, Home: body.firstChild, End: body.lastChild }[event.key];
    if (event.key === "Enter" || event.key === " ") choose(row);
    else if (to) choose(to);
    else return;
    event.preventDefault();
  });
}

function emptyText() {
  if (!state.isReady || state.fault) return "";
  if (!state.position.racks[0]) return t("Type your rack, and the moves appear here.");
  if (state.answer && state.answer.moves.length >= moveCount(state.answer) && shownMoves.length === 0) return t("No move passes the filter.");
  return "";
}

function endText() {
  const { answer, filter } = state;
  if (!answer || (shownMoves.length === 0 && !isOn(filter))) return "";
  const all = moveCount(answer);
  const numbers = { shown: shownNumber(shownMoves.length), all: shownNumber(all), read: shownNumber(answer.moves.length) };
  if (isOn(filter) && answer.moves.length < all) return t("{shown} moves pass the filter; {read} of {all} are read", numbers);
  if (isOn(filter)) return t("{shown} of {all} moves pass the filter", numbers);
  return t("{shown} of {all} moves", { ...numbers, shown: shownNumber(Math.min(count, shownMoves.length)) });
}
