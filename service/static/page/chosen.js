// The card of the chosen move: what a search found of it, and the move beside another one.

import { layMove } from "../notation.js";
import { ask, inOrder } from "./api.js";
import { COLUMNS, number, signed, winText } from "./columns.js";
import { button, byId, make } from "./dom.js";
import { complain } from "./faults.js";
import { commit } from "./history.js";
import { moveParts } from "./move_text.js";
import { readCgp, squareIndex } from "./position.js";
import { chosenMove, positionFields, state, subscribe, update } from "./state.js";
import { language, shownNumber, t } from "./texts.js";
import { branchOff } from "./variations.js";

/**
 * Show the chosen move from now on.
 * @param {HTMLElement} element
 */
export function startChosen(element) {
  const title = make("p", { className: "line", id: "chosentext" });
  const play = button(t("Play it"), playChosen, { id: "play", className: "primary" });
  const body = make("div", { className: "body" });
  const more = make("details", {}, make("summary", {}, t("Details")), body);
  element.append(make("div", { className: "top" }, title, play), more);
  element.hidden = true;
  new ResizeObserver(() => { // on a phone the card lies over the list
    document.body.style.setProperty("--covered", `${element.offsetHeight + 8}px`);
    document.querySelector("#moves [aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }).observe(element);
  subscribe((now, before) => {
    const move = chosenMove(now);
    if (move === chosenMove(before) && now.chosen === before.chosen && now.trial === before.trial && now.beside === before.beside) return;
    element.hidden = !move || now.trial.length > 0;
    if (!move) return;
    title.replaceChildren(make("strong", {}, ...moveParts(move, now.position)), " ", make("b", { className: "score" }, t("{score} points", { score: move.score })));
    const focused = body.contains(document.activeElement) ? document.activeElement?.id : "";
    body.replaceChildren(wordList(move), ...searchDetails(move),
      make("div", { className: "steps" }, ...(move.sim?.reply_squares ? [heatButton()] : []), compareButton(move)), ...comparison(move));
    if (focused) byId(focused)?.focus();
  });
}

/** @param {Chosen} move */
function wordList(move) {
  const parts = (move.words ?? []).map(({ word, score }) => `${word} ${score}`);
  if (move.bonus) parts.push(t("bonus {bonus}", { bonus: move.bonus }));
  const facts = [
    parts.length > 1 || move.bonus ? parts.join(" + ") : "",
    move.equity !== null && move.equity !== undefined ? t("equity {equity}, leave {leave}: {value}", { equity: signed(move.equity), leave: move.leave || "–", value: number(move.leave_value) }) : "",
    t("win {win}%", { win: winText(move) }),
  ];
  return make("p", {}, facts.filter(Boolean).join("; "));
}

/** Play the chosen move and turn the position over to the other player. */
async function playChosen() {
  const { chosen, position: before } = state;
  if (!chosen) return;
  try {
    const { found } = await ask("/play", { ...positionFields(state), move: chosen.move });
    if (state.position !== before) return; // it has changed meanwhile
    if (found.fault) throw new Error(found.fault.detail);
    const next = /** @type {Answers["NextTurn"]} */ (found.next);
    const { position } = readCgp(next.cgp);
    if (next.bag_count > 0) position.racks = [position.racks[0], ""]; // the opponent must not see the leave
    commit({ position: branchOff(before, position, chosen), cursor: null, played: chosen.placed.map(({ at }) => at) });
    const result = found.over?.players.map((one) => one.final).join("–");
    update({ notice: result ? t("The game is over: {result}", { result }) : t("{move} is played. The other player is on turn.", { move: chosen.move }) });
    document.getElementById("rack")?.focus();
  } catch (error) {
    complain(error, playChosen);
  }
}

/**
 * Return the elements that show what a search found of a move.
 * @param {Chosen} move
 * @returns {HTMLElement[]}
 */
function searchDetails(move) {
  const { explanation } = state.search?.answer ?? {};
  return [
    ...(explanation?.best.move === move.move ? [make("p", { lang: explanation.lang }, explanation.text)] : []),
    ...(move.sim ? [simulated(move.sim)] : []),
    ...(move.preendgame ? [draws(move.preendgame)] : []),
    ...(move.endgame?.line?.length ? [line(move.endgame)] : []),
  ];
}

/** @param {Answers["SimulationReport"]} sim */
function simulated(sim) {
  const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
  return facts([
    [t("Iterations"), shownNumber(sim.iterations)],
    [t("Spread"), `${signed(sim.spread)} ±${number(sim.spread_error)}`],
    [t("Opponent's next move"), t("{points} points, {bingos} bingos", { points: number(sim.opponent_score), bingos: percent(sim.opponent_bingos) })],
    [t("Your next move"), t("{points} points, {bingos} bingos", { points: number(sim.own_score), bingos: percent(sim.own_bingos) })],
  ]);
}

/** A button that shows on the board where the opponent's best replies fall. */
const heatButton = () => button(t("Show where the replies fall, in %"), ({ currentTarget: one }) => {
  update({ isHot: !state.isHot });
  /** @type {HTMLElement} */ (one).setAttribute("aria-pressed", String(state.isHot));
}, { id: "heat", className: "step", "aria-pressed": String(state.isHot) });

/** @param {[string, string][]} pairs */
const facts = (pairs) => make("dl", { className: "pairs" }, ...pairs.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));

/** @param {Answers["PreendgameReport"]} report */
function draws({ by_bag: bags, draws: all, settled, spread, certainty }) {
  const outcome = (/** @type {Answers["BagDraw"]} */ { lower, upper }) =>
    lower === upper ? (lower === 1 ? t("won") : lower === 0 ? t("lost") : t("tied")) : t("open");
  return make(
    "div", {},
    facts([
      [t("Draws"), t("{settled} of {all} settled", { settled, all })],
      [t("Spread"), spread === null ? "–" : signed(spread)],
      [t("Certainty"), CERTAINTY[certainty]?.() ?? certainty],
    ]),
    make("ul", { className: "bags" }, ...bags.map((one) => {
      const result = outcome(one);
      return make("li", {}, make("b", {}, one.bag), ` ${result}`, one.weight > 1 ? make("span", { className: "dim" }, ` ×${one.weight}`) : null);
    })),
  );
}

/** @type {Record<string, () => string>} */
const CERTAINTY = { exact: () => t("proven"), bound: () => t("a proven bound"), estimate: () => t("an estimate") };

/** @param {Answers["EndgameReport"]} endgame */
function line({ line: moves, spread, certainty }) {
  let shown = 0;
  const buttons = moves.map((move, at) =>
    button(`${at + 1}. ${move}`, () => show(at + 1 === shown ? 0 : at + 1), { className: "step", "aria-pressed": "false" }));
  const show = (/** @type {number} */ count) => {
    shown = count;
    buttons.forEach((one, at) => { one.setAttribute("aria-pressed", String(at < count)); });
    update({ look: count ? { placed: lineTiles(moves.slice(0, count)) } : null, heard: count ? moves[count - 1] : "" });
  };
  return make(
    "div", {},
    facts([[t("Final spread"), `${signed(spread, 0)}, ${CERTAINTY[certainty]?.() ?? certainty}`]]),
    make("div", { className: "steps", role: "group", "aria-label": t("Best line, move by move") }, ...buttons),
  );
}

/**
 * Return the tiles that the moves of a line lay, all together.
 * @param {string[]} moves
 */
function lineTiles(moves) {
  const { side } = state.position;
  const tiles = [...state.position.tiles];
  const all = [];
  for (const move of moves) {
    const [square, word] = move.split(" ");
    if (!word) continue; // a pass
    for (const placed of layMove(tiles, side, square, word).placed) {
      tiles[squareIndex(placed.at, side)] = placed;
      all.push(placed);
    }
  }
  return all;
}

const askInOrder = inOrder();
let asked = ""; // the pair that is explained in `texts`
const texts = make("div", { role: "status" });

/**
 * Return a button that begins and ends the comparison of a move with others.
 * @param {Chosen} move
 */
const compareButton = (move) => button(t("Compare"), () => update({ beside: state.beside ? null : move }),
  { id: "compare", className: "step", "aria-pressed": String(Boolean(state.beside)) });

/**
 * Return the chosen move beside the one that it is compared with, at first the best; nothing without a comparison.
 * @param {Chosen} move
 * @returns {HTMLElement[]}
 */
function comparison(move) {
  const { beside } = state;
  const one = beside && current(beside);
  const other = beside?.move === move.move ? listed().find((each) => each.move !== move.move) : current(move);
  if (!one || !other) return [];
  explain([one, other]);
  const row = (/** @type {string} */ name, /** @type {(move: any) => any[]} */ of) =>
    make("tr", {}, make("th", { scope: "row" }, name), ...[one, other].map((each) => make("td", {}, ...of(each))));
  return [
    ...(beside?.move === move.move ? [make("p", { className: "dim" }, t("Choose another move of the list to see it beside this one."))] : []),
    make("table", { className: "pair" },
      make("thead", {}, make("tr", {}, make("td", {}), ...[one, other].map((each) => make("th", { scope: "col" }, ...moveParts(each, state.position))))),
      make("tbody", {}, ...COLUMNS.filter(({ id, when }) => id !== "move" && (!when || when(one) || when(other))).map(({ id, title, of, error }) =>
        row(title(), (each) => [of(each), id === "leave" ? ` ${number(each.leave_value)}` : "", make("small", {}, error?.(each) ?? "")])))),
    texts,
  ];
}

const listed = () => [...(state.search?.moves ?? []), ...(state.answer?.moves ?? [])];

/** @param {Chosen} move */
const current = (move) => /** @type {Move | undefined} */ (listed().find((one) => one.move === move.move));

/**
 * Show the sentences about two moves: those of the search if it has them, else ask for them.
 * @param {Move[]} pair
 */
async function explain(pair) {
  const names = pair.map(({ move }) => move);
  const mine = JSON.stringify([positionFields(state), names, state.search?.answer?.explanation?.text]);
  if (mine === asked) return;
  asked = mine;
  const show = (/** @type {Answers["Explanation"]} */ { best, contrasts, lang }) => {
    const about = contrasts.filter(({ other }) => names.includes(other.move));
    texts.replaceChildren(...about.map(({ sentences }) => make("p", { lang }, sentences.map(({ text }) => text).join(" "))));
    return about.length + Number(names.includes(best.move)) > 1;
  };
  if (state.search?.answer?.explanation && show(state.search.answer.explanation)) return;
  texts.replaceChildren();
  try {
    const { found } = await askInOrder("/analyze", {
      ...positionFields(state), sort: "equity", top_n: 1, include_exchanges: true, compare: names, explain: true, lang: language(),
    });
    if (mine === asked && found.explanation) show(found.explanation);
  } catch (error) {
    if (mine === asked) asked = "";
    complain(error, () => { explain(pair); });
  }
}
