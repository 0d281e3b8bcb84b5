// <kibitz-board>: the board of a Scrabble-like crossword game as a custom element. docs/embedding.md lists its
// attributes, properties and events.

import { FAULTS, decode, fill, layMove, readCgp, readGame, readLayout, readValues, squareIndex, squareName, tilesOf } from "./notation.js";

const MAX_BYTES = 256 * 1024;
const MAX_FAULTS = 20;
const ENGLISH = readValues("A1 B3 C3 D2 E1 F4 G2 H4 I1 J8 K5 L1 M3 N1 O1 P3 Q10 R1 S1 T1 U1 V4 W4 X8 Y4 Z10");
/** @type {Record<string, string>} */
const PREMIUMS = { d: "l2", t: "l3", q: "l4", D: "w2", T: "w3", Q: "w4" };
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** The English texts; the property `texts` replaces any. @type {Texts} */
export const TEXTS = {
  ...FAULTS,
  board: "Board",
  l2: "double letter", l3: "triple letter", l4: "quadruple letter",
  w2: "double word", w3: "triple word", w4: "quadruple word",
  l2_sign: "2L", l3_sign: "3L", l4_sign: "4L", w2_sign: "2W", w3_sign: "3W", w4_sign: "4W",
  star: "star", empty: "empty", blank: "blank {letter}", points: "{points} points", point: "1 point",
  chosen: "chosen play", played: "just played", fault: "fault", heat: "{percent} % of replies",
  first: "First turn", previous: "Previous turn", next: "Next turn", last: "Last turn",
  controls: "Turns of the game", turns: "Turns", scores: "Scores", rack: "Rack: {tiles}", faults: "Faults of the record",
  start: "Start of the game", turn: "Turn {number} of {count}: {what}. {scores}",
  play: "{who} plays {move} for {score}", exchange: "{who} exchanges {move}", pass: "{who} passes",
  taken_back: "{who} takes back a phony, {score}", bonus: "{who} gets {score} for a challenge",
  rack_points: "{who} gets {score} for {move}", time: "{who} loses {score} on time",
  line: "Line {line}: {text}", not_loaded: "The record could not be loaded: {reason}",
  more_faults: "and {count} more", too_long: "it is longer than 256 KiB",
};

const STYLE = `
:host { color-scheme: light dark; display: block; max-width: 1000px; min-width: 0; container-type: inline-size;
  font-family: var(--kibitz-font, "Avenir Next", "Segoe UI", Inter, Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif);
  --ink: var(--kibitz-ink, light-dark(#2a2620, #ece8df)); --dim: var(--kibitz-dim, light-dark(#625a4c, #b0aa9c));
  --accent: var(--kibitz-accent, light-dark(#0b6b53, #6fd3b4)); --paper: var(--kibitz-paper, light-dark(#fffdf8, #23272c)); --page: var(--kibitz-page, light-dark(#f8f5ed, #191c1f));
  --frame: var(--kibitz-frame, light-dark(#d9cfb9, #101214)); --plain: var(--kibitz-plain, light-dark(#f3eee1, #2a2e33));
  --w2: var(--kibitz-w2, light-dark(#f0c3ba, #6b3836)); --w2-ink: light-dark(#5f1a12, #ffdcd5);
  --w3: var(--kibitz-w3, light-dark(#b5483d, #b9473c)); --w3-ink: #fff;
  --w4: var(--kibitz-w4, light-dark(#6f4394, #75489b)); --w4-ink: #fff;
  --l2: var(--kibitz-l2, light-dark(#c3dbe6, #2d4a5c)); --l2-ink: light-dark(#123f58, #d5ecf8);
  --l3: var(--kibitz-l3, light-dark(#35729b, #2f6f9b)); --l3-ink: #fff;
  --l4: var(--kibitz-l4, light-dark(#256b52, #256b52)); --l4-ink: #fff;
  --tile: var(--kibitz-tile, light-dark(#fbe3b0, #e8cf97)); --tile-edge: var(--kibitz-tile-edge, light-dark(#c39f57, #8f7439));
  --tile-ink: var(--kibitz-tile-ink, #2b2113); --blank-ink: var(--kibitz-blank-ink, #a3122b);
  --ghost: var(--kibitz-ghost, light-dark(#ffc83d, #ffc640)); --ghost-edge: light-dark(#2b2113, #fff); }
:host([hidden]) { display: none; }
:host([theme=light]) { color-scheme: light; } :host([theme=dark]) { color-scheme: dark; }
* { box-sizing: border-box; } [hidden], slot { display: none !important; }
.all { display: grid; gap: 12px; color: var(--ink); }
.with-game { background: var(--page); border-radius: 10px; padding: 10px; }
.box { container: board / inline-size; min-width: 0; }
.grid { --kibitz-u: round(down, calc(100cqi / (var(--side) + 1.3)), 1px); background: var(--frame); border-radius: calc(var(--kibitz-u) * .25);
  padding-bottom: calc(var(--kibitz-u) * .35); user-select: none; -webkit-user-select: none; print-color-adjust: exact; }
.row { display: grid; grid-template-columns: 1fr repeat(var(--side), var(--kibitz-u)) .35fr; height: var(--kibitz-u); }
.row:first-child { height: calc(var(--kibitz-u) * .95); }
.edge { color: light-dark(#544b39, #bdb6a6); display: grid; place-items: center; font-size: max(9px, var(--kibitz-u) * .3);
  font-variant-numeric: tabular-nums; }
.sq { contain: size layout style; background: var(--plain); margin: max(.5px, var(--kibitz-u) * .025); border-radius: calc(var(--kibitz-u) * .08); display: flex;
  align-items: center; justify-content: center; position: relative; cursor: default; font-weight: 600; min-width: 0; touch-action: manipulation; -webkit-tap-highlight-color: transparent; }
.edit .sq { cursor: pointer; }
[data-sign]::before { content: attr(data-sign); }
.mark { font-size: max(9px, var(--kibitz-u) * .31); letter-spacing: -.01em; line-height: 1; }
.star { font-size: calc(var(--kibitz-u) * .6); line-height: 1; }
.heat { display: grid; place-items: center; width: 88%; aspect-ratio: 1; border-radius: 50%; background: color-mix(in srgb, #ff7a1f calc(var(--heat) * 100%), light-dark(#ffedcf, #5a4630)); color: light-dark(#000, color-mix(in srgb, #000 calc(var(--heat) * 200%), #fff)); }
.w2 { background: var(--w2); color: var(--w2-ink); } .w3 { background: var(--w3); color: var(--w3-ink); }
.w4 { background: var(--w4); color: var(--w4-ink); } .l2 { background: var(--l2); color: var(--l2-ink); }
.l3 { background: var(--l3); color: var(--l3-ink); } .l4 { background: var(--l4); color: var(--l4-ink); }
.tile { background: linear-gradient(160deg, color-mix(in srgb, var(--tile) 70%, #fff), var(--tile) 65%); color: var(--tile-ink); border-radius: calc(var(--kibitz-u) * .12);
  border: 1px solid var(--tile-edge); box-shadow: inset 0 calc(var(--kibitz-u) * -.06) 0 color-mix(in srgb, var(--tile-edge) 60%, transparent), 0 calc(var(--kibitz-u) * .03) calc(var(--kibitz-u) * .07) #0004; }
.letter { font-size: calc(var(--kibitz-u) * .6); line-height: 1; padding-right: calc(var(--kibitz-u) * .14); }
.two .letter { font-size: calc(var(--kibitz-u) * .44); letter-spacing: -.04em; } .three .letter { font-size: calc(var(--kibitz-u) * .34); letter-spacing: -.06em; }
.points { position: absolute; right: 6%; bottom: 6%; font-size: max(9px, var(--kibitz-u) * .25); line-height: 1; font-weight: 500; font-variant-numeric: tabular-nums; }
.blank { border-style: dashed; border-color: var(--blank-ink); color: var(--blank-ink); } .blank .letter { padding-right: 0; }
.ghost { background: var(--ghost); border: max(1.5px, var(--kibitz-u) * .055) solid var(--ghost-edge); box-shadow: none; }
.ghost.blank { border-style: dashed; }
@media (prefers-reduced-motion: no-preference) { .ghost { animation: lay .12s ease-out; } @keyframes lay { from { scale: 1.15; } } }
.played { border-color: #0b6b53; box-shadow: inset 0 0 0 max(1px, var(--kibitz-u) * .05) #0b6b53; }
.cur, .sq:focus { outline: max(2px, var(--kibitz-u) * .07) solid #000; outline-offset: -1px; box-shadow: inset 0 0 0 max(2px, var(--kibitz-u) * .07) #fff; z-index: 1; }
.cur::after, .bad::before { pointer-events: none; }
.cur::after { content: "\\25B6"; position: absolute; right: calc(var(--kibitz-u) * -.16); top: calc(var(--kibitz-u) * -.16); background: #000; color: #fff; font-size: max(8px, var(--kibitz-u) * .24);
  line-height: 1; padding: .15em .2em; border-radius: .3em; } .cur.down::after { content: "\\25BC"; }
.bad { outline: max(2px, var(--kibitz-u) * .08) solid #fff; outline-offset: calc(max(2px, var(--kibitz-u) * .08) * -1); box-shadow: 0 0 0 max(2px, var(--kibitz-u) * .05) #c2001f; z-index: 1; }
.bad::before { content: "!"; position: absolute; left: calc(var(--kibitz-u) * -.2); top: calc(var(--kibitz-u) * -.25); background: #c2001f; color: #fff; font-size: max(8px, var(--kibitz-u) * .22);
  line-height: 1; padding: .15em .45em; border-radius: 1em; }
.game { display: grid; gap: 10px; align-content: start; min-width: 0; }
.scores { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin: 0; }
.scores > div { background: var(--paper); border: 1px solid light-dark(#ddd4c0, #3a3f45); border-radius: 8px; padding: 6px 10px; }
.scores .on { border-color: var(--accent); box-shadow: inset 3px 0 0 var(--accent); }
dt { color: var(--dim); font-size: 14px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .on dt::before { content: "\\25B8 "; color: var(--accent); }
dd { margin: 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.rack { display: flex; flex-wrap: wrap; gap: 4px; min-height: 38px; margin-top: 10px; justify-content: center; } .rack > span { --kibitz-u: 34px; height: 34px; width: 34px; display: grid; place-items: center; position: relative; font-weight: 600; }
.steps { display: flex; gap: 6px; } .steps button { flex: 1; min-height: 44px; font: inherit; font-size: 22px; line-height: 1; border: 1px solid light-dark(#c9bea6, #4a5057);
  border-radius: 8px; background: var(--paper); color: var(--ink); cursor: pointer; } .steps button[aria-disabled=true] { opacity: .45; cursor: default; }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.status { margin: 0; font-size: 15px; line-height: 1.4; min-height: 2.8em; }
.note { margin: 0; font-size: 14px; line-height: 1.4; color: var(--dim); white-space: pre-wrap; overflow-wrap: anywhere; }
.list { list-style: none; margin: 0; padding: 0; max-height: 20em; overflow: auto; position: relative; border: 1px solid light-dark(#ddd4c0, #3a3f45); border-radius: 8px; background: var(--paper); }
.list button { all: unset; box-sizing: border-box; display: grid; grid-template-columns: 2.2em minmax(0, 1fr) auto auto; gap: 8px; width: 100%; padding: 6px 10px;
  font-size: 14px; line-height: 1.35; cursor: pointer; font-variant-numeric: tabular-nums; }
.list button:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
.list [aria-current] { background: light-dark(#e3f0ea, #1f3a33); font-weight: 600; box-shadow: inset 3px 0 0 var(--accent); }
.list .n { color: var(--dim); } .list .t { color: var(--dim); min-width: 2.2em; text-align: right; } .list .what { overflow-wrap: anywhere; }
.faults { margin: 0; padding: 8px 10px 8px 26px; border-left: 4px solid #c2001f; background: var(--paper); font-size: 14px; color: var(--ink); }
@container (min-width: 640px) { .all.with-game { grid-template-columns: minmax(0, 1.55fr) minmax(0, 1fr); } .list { max-height: 24em; } }
@media (pointer: coarse) { .list button { min-height: 44px; align-items: center; } }
@media (forced-colors: active) { .sq { border: 1px solid CanvasText; } .tile { border-width: 2px; } }
`;

/**
 * Make an element of a class with a text and attributes.
 * @param {string} tag @param {string} [name] @param {string} [text] @param {Record<string, string>} [attributes] @returns {HTMLElement}
 */
function make(tag, name = "", text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** The board. Setting a property redraws it before the next frame; only squares that differ change. */
export class KibitzBoard extends HTMLElement {
  static observedAttributes = ["cgp", "src", "play", "layout", "values", "label", "turn"];

  /** @type {BoardTiles} */ #position = { side: 15, tiles: Array(225).fill(null) };
  /** @type {BoardRows | null} */ #layout = null;
  /** The layout that the attributes name. */ #known = { key: "", layout: readLayout("standard15", 15) };
  /** @type {Map<string, number> | null} */ #values = null;
  /** @type {Placed[]} */ #ghosts = [];
  /** @type {string[]} */ #faults = [];
  /** @type {string[]} */ #played = [];
  /** @type {{at: string, share: number}[]} */ #heat = [];
  /** @type {Cursor | null} */ #cursor = null;
  #editable = false;
  /** @type {((square: Square) => string) | null} */ #describe = null;
  #texts = TEXTS;
  /** @type {GameRecord | null} */ #game = null;
  #step = 0;
  #focus = -1;
  #pending = false;
  /** @type {AbortController | null} */ #loading = null;
  /** @type {HTMLElement[]} */ #squares = [];
  /** @type {string[]} */ #drawn = [];
  #side = 0;
  #root = this.attachShadow({ mode: "open" });
  #sheet = new CSSStyleSheet();
  #grid = make("div", "grid", "", { role: "grid", part: "board" });
  #all = make("div", "all");
  #panel = make("div", "game");
  #list = make("ol", "list");
  #rack = make("div", "rack");

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet, this.#sheet];
    const box = make("div", "box");
    const slot = make("slot");
    slot.addEventListener("slotchange", () => this.#readScript());
    this.#grid.addEventListener("click", (event) => this.#click(event));
    this.#grid.addEventListener("keydown", (event) => this.#press(event));
    this.#grid.addEventListener("focusin", (event) => this.#goTo(this.#squares.indexOf(/** @type {HTMLElement} */ (event.target)), false));
    this.#panel.addEventListener("keydown", (event) => this.#pressStep(event));
    this.#panel.hidden = true;
    box.append(this.#grid, this.#rack);
    this.#rack.hidden = true;
    this.#all.append(box, this.#panel);
    this.#root.append(this.#all, slot);
  }

  connectedCallback() { this.#draw(); }

  /** @param {string} name @param {string | null} _ @param {string | null} value */
  attributeChangedCallback(name, _, value) {
    if (name === "src" && value !== null) this.#load(value);
    if (name === "turn" && this.#game) this.step = Number(value);
    if (name === "values") this.#values = value === null ? null : readValues(value);
    if (name === "cgp" || name === "play") this.#readPosition();
    this.#schedule();
  }

  get position() { return this.#position; }
  set position(value) { this.#position = value; this.#schedule(); }
  get layout() { return this.#layout ?? this.#ownLayout(); }
  set layout(value) { this.#layout = value; this.#schedule(); }
  get values() { return this.#values ?? ENGLISH; }
  set values(value) { this.#values = value; this.#schedule(); }
  get ghosts() { return this.#ghosts; }
  set ghosts(value) { this.#ghosts = value ?? []; this.#schedule(); }
  get faults() { return this.#faults; }
  set faults(value) { this.#faults = value ?? []; this.#schedule(); }
  get played() { return this.#played; }
  set played(value) { this.#played = value ?? []; this.#schedule(); }
  get heat() { return this.#heat; }
  set heat(value) { this.#heat = value ?? []; this.#schedule(); }
  get cursor() { return this.#cursor; }
  set cursor(value) { this.#cursor = value; if (value) this.#focus = value.index; this.#schedule(); }
  get editable() { return this.#editable; }
  set editable(value) { this.#editable = Boolean(value); this.#schedule(); }
  get describe() { return this.#describe ?? ((/** @type {Square} */ square) => this.#name(square)); }
  set describe(value) { this.#describe = value; this.#drawn = []; this.#schedule(); }
  get texts() { return this.#texts; }
  set texts(value) {
    this.#texts = { ...TEXTS, ...value };
    this.#drawn = [];
    if (this.#game) this.#makePanel();
    if (this.#game) this.#showStep();
    this.#schedule();
  }
  /** The game record that is stepped through, null without one. */
  get game() { return this.#game; }
  /** The number of turns that are on the board; 0 is the empty board. */
  get step() { return this.#step; }
  set step(value) {
    if (!this.#game) return;
    this.#step = Math.max(0, Math.min(this.#game.turns.length, Math.trunc(value) || 0));
    this.#showStep();
    this.dispatchEvent(new CustomEvent("step", { detail: { step: this.#step }, bubbles: true, composed: true }));
  }

  /** Read a game record and show its last position, or the turn of the attribute. @param {string} gcg */
  showGame(gcg) {
    this.#game = readGame(gcg, this.#texts);
    this.#step = Math.min(this.#game.turns.length, Number(this.getAttribute("turn") ?? this.#game.turns.length) || 0);
    this.#makePanel();
    this.#showStep();
  }

  /** Focus the square of the cursor, or the one that had the focus last. @param {FocusOptions} [options] */
  focus(options) {
    this.#draw();
    this.#squares[this.#focus]?.focus(options);
  }

  #readScript() {
    const script = this.querySelector('script[type="text/x-gcg"]');
    if (script?.textContent?.trim()) this.showGame(script.textContent.trim());
  }

  /** @param {string} address */
  async #load(address) {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    try {
      const answer = await fetch(address, { signal: loading.signal, mode: "cors", credentials: "omit" });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const bytes = await answer.arrayBuffer();
      if (bytes.byteLength > MAX_BYTES) throw new Error(this.#texts.too_long);
      this.showGame(decode(bytes));
    } catch (error) {
      if (!loading.signal.aborted) this.#complain(fill(this.#texts.not_loaded, { reason: /** @type {Error} */ (error).message }));
    }
  }

  #readPosition() {
    const cgp = this.getAttribute("cgp");
    if (cgp === null) return;
    try {
      const read = readCgp(cgp, this.#texts);
      this.#position = read;
      const [square, ...word] = (this.getAttribute("play") ?? "").trim().split(/\s+/);
      const laid = word.length ? layMove(read.tiles, read.side, square, word.join(""), this.#texts) : { placed: [], fault: "" };
      this.#ghosts = laid.placed;
      this.#showRack(read.racks[0]);
      this.#complain(laid.fault);
    } catch (error) {
      this.#complain(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} text */
  #complain(text) {
    this.#root.querySelector("[role=alert]")?.remove();
    if (!text) return;
    this.#all.append(make("p", "faults", text, { role: "alert" }));
  }

  /** @returns {BoardRows} */
  #ownLayout() {
    const side = this.#position.side;
    const cgp = this.getAttribute("cgp") ?? "";
    const named = this.getAttribute("layout") ?? / bdn (\w+)/.exec(cgp)?.[1];
    const known = { 15: "standard15", 21: "super21" }[side] ?? "";
    const key = `${side} ${named}`;
    if (this.#known.key !== key) {
      const layout = readLayout(named ?? known, side);
      this.#known = { key, layout: layout.rows.length === side ? layout : readLayout(known, side) };
    }
    return this.#known.layout;
  }

  #schedule() {
    if (this.#pending) return;
    this.#pending = true;
    queueMicrotask(() => { if (this.#pending && this.isConnected) this.#draw(); this.#pending = false; });
  }

  #draw() {
    this.#pending = false;
    const { side, tiles } = this.#position;
    const layout = this.layout;
    const values = this.values;
    if (side !== this.#side) this.#build(side);
    const starts = new Set(layout.starts.map((name) => squareIndex(name, side)));
    const ghosts = new Map(this.#ghosts.map((ghost) => [squareIndex(ghost.at, side), ghost]));
    const faults = new Set(this.#faults.map((name) => squareIndex(name, side)));
    const last = new Set(this.#played.map((name) => squareIndex(name, side)));
    const heat = new Map(this.#heat.map(({ at, share }) => [squareIndex(at, side), share]));
    const most = Math.max(...heat.values());
    if (this.#focus < 0 || this.#focus >= side * side) this.#focus = [...starts][0] ?? 0;
    this.#squares.forEach((element, index) => {
      const ghost = ghosts.get(index);
      const tile = ghost ?? tiles[index];
      const premium = PREMIUMS[layout.rows[Math.floor(index / side)]?.[index % side]] ?? "";
      const points = tile && !tile.blank ? (values.get(tile.letter.toUpperCase()) ?? 0) : 0;
      const cursor = this.#cursor?.index === index ? (this.#cursor.down ? "cur down" : "cur") : "";
      const [start, fault, played] = [starts.has(index), faults.has(index), last.has(index) && Boolean(tile) && !ghost];
      const share = tile ? 0 : (heat.get(index) ?? 0);
      const key = `${share}${share && most}${tile?.letter}${tile?.blank}${points}${premium}${start}${Boolean(ghost)}${played}${fault}${cursor}`;
      const tab = index === this.#focus ? 0 : -1;
      if (element.tabIndex !== tab) element.tabIndex = tab;
      if (this.#drawn[index] === key) return;
      this.#drawn[index] = key;
      const shown = tile ? { letter: tile.letter, blank: tile.blank } : null;
      this.#patch(element, { index, at: squareName(index, side), premium, start, tile: shown, points, ghost: Boolean(ghost), played, fault, percent: Math.round(100 * share) }, cursor, share / most);
    });
    this.#grid.setAttribute("aria-label", this.getAttribute("label") ?? this.#texts.board);
    this.#grid.setAttribute("aria-readonly", String(!this.#editable));
    this.#grid.classList.toggle("edit", this.#editable);
    const active = this.#root.activeElement;
    if (active && active !== this.#squares[this.#focus] && this.#grid.contains(active)) this.#squares[this.#focus].focus();
  }

  /** @param {HTMLElement} element @param {Square} square @param {string} cursor @param {number} heat */
  #patch(element, square, cursor, heat) {
    const { tile, premium, percent } = square;
    const length = tile ? [...tile.letter].length : 0;
    const kinds = [premium, tile && "tile", tile?.blank && "blank", square.ghost && "ghost", square.played && "played", square.fault && "bad", ["", "one", "two", "three"][length], cursor];
    element.className = ["sq", ...kinds].filter(Boolean).join(" ");
    element.setAttribute("aria-label", this.describe(square));
    const parts = [];
    if (tile) parts.push(make("span", "letter", tile.letter.toUpperCase()));
    // The style draws a data-sign, which is not read aloud: the name of the square says it in words.
    if (tile && square.points) parts.push(make("span", "points", "", { "data-sign": String(square.points) }));
    element.style.setProperty("--heat", String(heat));
    if (percent) parts.push(make("span", "mark heat", "", { "data-sign": String(percent) }));
    else if (!tile && square.start) parts.push(make("span", "star", "\u2605"));
    else if (!tile && premium) parts.push(make("span", "mark", "", { "data-sign": this.#texts[`${premium}_sign`] }));
    element.replaceChildren(...parts);
  }

  /** Name a square, "H8, star, double word, empty". @param {Square} square */
  #name({ at, premium, start, tile, points, ghost, played, fault, percent }) {
    const texts = this.#texts;
    const named = at.replace(/^(\d+)(\w)$/, "$2$1");
    const letter = tile?.letter.toUpperCase();
    const parts = [named, start && texts.star, texts[premium], tile ? (tile.blank ? fill(texts.blank, { letter }) : letter) : texts.empty];
    if (points) parts.push(points === 1 ? texts.point : fill(texts.points, { points }));
    return [...parts, ghost && texts.chosen, played && texts.played, fault && texts.fault, percent && fill(texts.heat, { percent })].filter(Boolean).join(", ");
  }

  /** Make the rows of a board of another size. @param {number} side */
  #build(side) {
    const cells = (/** @type {string} */ name) => Array.from({ length: side }, () => make("div", name, "", { role: "gridcell" }));
    const row = (/** @type {HTMLElement[]} */ ...all) => {
      const line = make("div", "row", "", { role: "row" });
      line.append(...all);
      return line;
    };
    const head = row(cells("edge")[0], ...cells("").map((_, column) => make("div", "edge", String.fromCharCode(65 + column), { role: "columnheader" })));
    const lines = cells("").map(() => cells("sq"));
    this.#squares = lines.flat();
    this.#drawn = [];
    const rows = lines.map((squares, at) => row(make("div", "edge", String(at + 1), { role: "rowheader" }), ...squares));
    if (side !== this.#side) this.#focus = this.#cursor?.index ?? -1;
    this.#side = side;
    this.#grid.style.setProperty("--side", String(side));
    // Where a square is narrower than 20 pixels, points of 9 pixels would cover the letter.
    const width = (/** @type {number} */ square) => `${Math.round(square * (side + 1.3))}px`;
    this.#sheet.replaceSync(`
      @container board (width < ${width(30)}) { .points { right: 3%; bottom: 3%; } .one .letter { font-size: calc(var(--kibitz-u) * .54); }
        .one:not(.blank) .letter { padding: 0 calc(var(--kibitz-u) * .28) calc(var(--kibitz-u) * .12) 0; } }
      @container board (width < ${width(20)}) { .points { display: none; } .tile .letter { padding: 0 !important; }
        .one .letter { font-size: calc(var(--kibitz-u) * .74); } .two .letter { font-size: calc(var(--kibitz-u) * .5); } .three .letter { font-size: calc(var(--kibitz-u) * .4); } }
      @container board (width < ${width(17)}) { .mark { font-size: calc(var(--kibitz-u) * .5); letter-spacing: -.05em; } .cur::after, .bad::before { font-size: calc(var(--kibitz-u) * .4); } }
      @container board (width < ${width(13.5)}) { .edge { font-size: calc(var(--kibitz-u) * .62); } }`);
    this.#grid.replaceChildren(head, ...rows);
  }

  /** @param {number} index @param {boolean} focus */
  #goTo(index, focus) {
    if (index < 0) return;
    this.#squares[this.#focus]?.setAttribute("tabindex", "-1");
    this.#focus = index;
    this.#squares[index].tabIndex = 0;
    if (focus) this.#squares[index].focus();
  }

  /** @param {number} index @param {string} by */
  #tell(index, by) {
    const detail = { index, at: squareName(index, this.#side), by };
    this.dispatchEvent(new CustomEvent("square", { detail, bubbles: true, composed: true }));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const square = /** @type {HTMLElement} */ (event.target).closest(".sq");
    const index = this.#squares.indexOf(/** @type {HTMLElement} */ (square));
    if (index < 0) return;
    this.#goTo(index, true);
    this.#tell(index, "pointer");
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const side = this.#side;
    const [row, column] = [Math.floor(this.#focus / side), this.#focus % side];
    let to = -1;
    if (event.key in ARROWS && !event.ctrlKey) {
      const [down, right] = ARROWS[event.key];
      if (row + down >= 0 && row + down < side && column + right >= 0 && column + right < side) to = this.#focus + down * side + right;
      else to = this.#focus;
    } else if (event.key === "Home") to = event.ctrlKey ? 0 : row * side;
    else if (event.key === "End") to = event.ctrlKey ? side * side - 1 : row * side + side - 1;
    else if ((event.key === "Enter" || event.key === " ") && !event.ctrlKey) {
      event.preventDefault();
      this.#tell(this.#focus, "press");
    }
    if (to < 0) return;
    event.preventDefault();
    if (to === this.#focus) return;
    this.#goTo(to, true);
    this.#tell(to, "arrow");
  }

  #showStep() {
    const game = /** @type {GameRecord} */ (this.#game);
    const turn = game.turns[this.#step - 1];
    this.#position = { side: game.side, tiles: turn?.tiles ?? Array(game.side * game.side).fill(null) };
    this.#ghosts = turn?.placed ?? [];
    this.#showTurn(game, turn);
    this.#schedule();
  }

  #makePanel() {
    const game = /** @type {GameRecord} */ (this.#game);
    const texts = this.#texts;
    const steps = make("div", "steps", "", { role: "group", "aria-label": texts.controls });
    for (const [name, sign, to] of /** @type {[string, string, () => number][]} */ ([
      [texts.first, "\u00AB", () => 0], [texts.previous, "\u2039", () => this.#step - 1],
      [texts.next, "\u203A", () => this.#step + 1], [texts.last, "\u00BB", () => Infinity],
    ])) {
      const button = make("button", "", sign, { "aria-label": name });
      button.addEventListener("click", () => { this.step = Math.min(to(), game.turns.length); });
      steps.append(button);
    }
    const scores = make("dl", "scores");
    for (const player of game.players) {
      const one = make("div");
      one.append(make("dt", "", player?.name), make("dd", "", "0"));
      scores.append(one);
    }
    const status = make("p", "status", "", { role: "status" });
    this.#list.setAttribute("aria-label", texts.turns);
    this.#list.replaceChildren(...game.turns.map((turn, at) => {
      const item = make("li");
      const button = make("button");
      button.append(make("span", "n", String(at + 1)), make("span", "what", this.#what(turn)), make("span", "t", String(turn.total)));
      button.addEventListener("click", () => { this.step = at + 1; });
      item.append(button);
      return item;
    }));
    this.#panel.replaceChildren(scores, steps, status, make("p", "note"), this.#list);
    if (game.faults.length) {
      const faults = make("ul", "faults", "", { "aria-label": texts.faults });
      faults.append(...game.faults.slice(0, MAX_FAULTS).map((fault) => make("li", "", fill(texts.line, { ...fault }))));
      const count = game.faults.length - MAX_FAULTS;
      if (count > 0) faults.append(make("li", "", fill(texts.more_faults, { count })));
      this.#panel.append(faults);
    }
    this.#panel.hidden = false;
    this.#all.classList.add("with-game");
  }

  /** @param {Turn} turn */
  #what(turn) {
    const score = turn.kind === "time" ? String(-turn.score) : turn.score < 0 ? `\u2212${-turn.score}` : String(turn.score);
    const who = this.#game?.players[turn.player]?.nick;
    return fill(this.#texts[turn.kind], { who, move: turn.move, score });
  }

  /** @param {GameRecord} game @param {Turn | undefined} turn */
  #showTurn(game, turn) {
    const texts = this.#texts;
    const totals = game.players.map((_, player) => game.turns.slice(0, this.#step).findLast((one) => one.player === player)?.total ?? 0);
    const find = (/** @type {string} */ selector) => [.../** @type {NodeListOf<HTMLElement>} */ (this.#panel.querySelectorAll(selector))];
    find("dd").forEach((one, player) => { one.textContent = String(totals[player]); });
    find(".scores > div").forEach((one, player) => { one.classList.toggle("on", turn?.player === player); });
    const scores = game.players.map((player, number) => `${player.nick} ${totals[number]}`).join(", ");
    const [status] = find(".status");
    status.textContent = turn ? fill(texts.turn, { number: this.#step, count: game.turns.length, what: this.#what(turn), scores }) : texts.start;
    this.#showRack(turn?.rack ?? "");
    const [note] = find(".note");
    note.textContent = turn?.note.trim() ?? "";
    note.hidden = !note.textContent;
    find(".steps button").forEach((button, at) => {
      button.setAttribute("aria-disabled", String(at < 2 ? this.#step === 0 : this.#step === game.turns.length));
    });
    find(".list button").forEach((button, at) => {
      const current = at === this.#step - 1;
      button.tabIndex = current || (this.#step === 0 && at === 0) ? 0 : -1;
      button.toggleAttribute("aria-current", current);
      if (current) { button.setAttribute("aria-current", "step"); this.#list.scrollTop = Math.max(0, button.offsetTop - this.#list.clientHeight / 2); }
    });
  }

  /** @param {string} text */
  #showRack(text) {
    const tiles = text === "UNKNOWN" ? [] : tilesOf(text);
    this.#rack.hidden = !tiles.length && !this.#game;
    this.#rack.replaceChildren(...tiles.map((tile) => {
      const one = make("span", tile === "?" ? "tile blank" : "tile one");
      const points = this.values.get(tile.toUpperCase());
      one.append(make("span", "letter", tile), ...(points ? [make("span", "points", String(points))] : []));
      return one;
    }));
    for (const name of ["role", "aria-label"]) this.#rack.removeAttribute(name);
    if (!tiles.length) return;
    this.#rack.setAttribute("role", "img");
    this.#rack.setAttribute("aria-label", fill(this.#texts.rack, { tiles: tiles.join(" ") }));
  }

  /** @param {KeyboardEvent} event */
  #pressStep(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.#game) return;
    const to = { ArrowLeft: this.#step - 1, ArrowUp: this.#step - 1, ArrowRight: this.#step + 1, ArrowDown: this.#step + 1, Home: 0, End: this.#game.turns.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.step = to;
    if (this.#list.contains(this.#root.activeElement)) /** @type {HTMLElement | null} */ (this.#list.querySelector("[tabindex='0']"))?.focus();
  }
}

if (!customElements.get("kibitz-board")) {
  // A length that is computed once for the grid, not by each square.
  CSS.registerProperty({ name: "--kibitz-u", syntax: "<length>", inherits: true, initialValue: "0px" });
  customElements.define("kibitz-board", KibitzBoard);
}
