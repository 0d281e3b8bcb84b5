// An annotated game: its turns with their mistakes, the curve of win%, what was played, and what was best.

import { chart } from "./chart.js";
import { number, winText } from "./columns.js";
import { button, byId, drawStored, make } from "./dom.js";
import { onSwipe } from "./drag.js";
import { moveParts } from "./move_text.js";
import { readCgp } from "./position.js";
import { startPuzzle } from "./puzzle.js";
import { showScene } from "./scene.js";
import { reviewed, state, subscribe, update } from "./state.js";
import { shownNumber, t, tn } from "./texts.js";
import { MISTAKES, SIGNS, judgement, mistakesOf, playedMove, scoresText, turnScene } from "./turns.js";
import { openTurn, openVariation, setVariations } from "./variations.js";

/**
 * Build the view of a review, which is redrawn when the state changes.
 * @param {HTMLElement} element
 * @param {ReviewActs} acts
 */
export function startReview(element, acts) {
  const head = make("div", { className: "reviewhead" });
  const curve = make("div", { className: "curve" });
  const detail = make("section", { className: "turn", "aria-label": t("Turn in view") });
  const list = make("ol", { className: "turns", role: "listbox", tabIndex: 0, id: "turns", "aria-label": t("Turns: left and right arrows walk through the game") });
  const scroller = make("div", { className: "scroller" }, list);
  const puzzle = make("section", { className: "puzzle", "aria-label": t("Find it yourself"), hidden: true });
  element.append(head, curve, detail, puzzle, scroller);
  /** @type {ReturnType<typeof chart>} */
  let drawn = null;

  const walk = (/** @type {number} */ to) => {
    const { review } = state;
    if (!review?.answer || state.puzzle) return;
    const at = Math.max(0, Math.min(review.answer.turns.length - 1, to));
    if (at !== review.at || review.look !== "played") update({ review: { ...review, at, look: "played" } });
  };
  const toMistake = (/** @type {1 | -1} */ step) => {
    const { answer: { turns }, at } = reviewed();
    let to = at + step;
    while (turns[to] && !SIGNS[turns[to].mistake ?? ""]) to += step;
    if (turns[to]) walk(to);
    else update({ notice: t("There is no further mistake.") });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const { review } = state;
    const at = review?.at ?? 0;
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: Infinity }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (to !== undefined) walk(to);
    else if (/^m$/i.test(event.key)) toMistake(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", (/** @type {any} */ event) => {
    const isNear = detail.contains(event.target) && /^(Arrow(Left|Right)|m)$/i.test(event.key);
    const isFree = event.target === document.body && state.panel === "games" && /^Arrow(Left|Right)$/.test(event.key);
    if (event.target === list || curve.contains(event.target) || isNear || isFree) press(event);
  });
  for (const one of [detail, byId("board")]) onSwipe(one, (step) => { if (state.scene === "games" && !state.trial.length) walk(reviewed().at + step); });
  list.addEventListener("click", (/** @type {any} */ event) => {
    const at = [...list.children].indexOf(event.target.closest("[role=option]"));
    const { top } = scroller.getBoundingClientRect();
    if (at >= 0) walk(at);
    scrollBy(0, scroller.getBoundingClientRect().top - top); // the turn above is taller or lower now
  });

  subscribe((now, before) => {
    const review = reviewed();
    if (!review?.answer) return;
    const last = before.review;
    const isNew = review.answer !== last?.answer;
    if (isNew) {
      drawHead(head, review.answer, acts);
      drawn = review.answer.game.players.length === 2 ? chart(review.answer, walk) : null;
      curve.replaceChildren(...(drawn ? [drawn.element] : []));
      list.replaceChildren(...turnRows(review.answer));
    }
    const isBack = now.panel === "games" && now.scene !== "games" && before.panel !== "games";
    if (now.panel === "games" && (isNew || isBack || review.at !== last?.at || review.look !== last.look || review.variations !== last.variations || now.puzzle !== before.puzzle)) {
      for (const one of [head, curve, detail, scroller]) one.hidden = now.puzzle !== null;
      puzzle.hidden = now.puzzle === null;
      if (now.puzzle) return;
      drawn?.mark(review.at);
      mark(list, review.at);
      drawDetail(detail, review, walk, toMistake);
      if (!isNew || now.scene !== "games" || !now.trial.length) showScene("games", turnScene(review)); // a search leaves the tiles laid
      if (isNew && ["", "stopannotation", "reviewgame"].includes(document.activeElement?.id ?? "")) list.focus({ preventScroll: true });
    }
  });
  startPuzzle(puzzle, t("Back to the game"), ({ at }) => {
    update({ review: { ...reviewed(), at, look: "played" } });
    list.focus({ preventScroll: true });
  }); // focuses a button of the puzzle, which must be shown before
}

/**
 * @param {HTMLElement} list
 * @param {number} at
 */
function mark(list, at) {
  [...list.children].forEach((row, index) => { row.setAttribute("aria-selected", String(index === at)); });
  list.setAttribute("aria-activedescendant", list.children[at].id);
  const scroller = /** @type {HTMLElement} */ (list.parentElement);
  const row = /** @type {HTMLElement} */ (list.children[at]);
  if (scroller.scrollHeight > scroller.clientHeight) {
    scroller.scrollTop = row.offsetTop - scroller.clientHeight / 2; // without scrolling the page
  }
}

/**
 * @param {HTMLElement} head
 * @param {Annotation} answer
 * @param {ReviewActs} acts
 */
function drawHead(head, answer, acts) {
  const { game, summary, warnings } = answer;
  const mistakes = mistakesOf(answer);
  const faults = [...warnings, ...game.faults].map(({ detail }) => make("li", {}, detail));
  head.replaceChildren(
    playerTable(summary.players),
    make("p", { className: "buttons links" },
      ...(mistakes.length ? [button(tn("Find it yourself: {count} puzzle", "Find it yourself: {count} puzzles", mistakes.length),
        () => update({ puzzle: { list: mistakes, number: 0 } }), { id: "puzzles", className: "primary" })] : []),
      acts.search,
      button(t("Copy a link"), acts.link, { id: "copygame" }),
      button(t("Copy the picture"), acts.picture, { id: "pictureofturn" }),
      button(t("Save GCG with notes"), acts.gcg, { id: "savegcg" }),
      button(t("Save the report"), acts.html, { id: "savehtml" }),
      button(t("Another game"), acts.close, { id: "closegame" })),
    ...(faults.length ? [make("details", { className: "faults" },
      make("summary", {}, tn("{count} remark on the record", "{count} remarks on the record", faults.length)), make("ul", {}, ...faults))] : []));
}

/** @param {string} kind of a mistake */
const signOf = (kind) => make("span", { role: "img", "aria-label": MISTAKES[kind](), title: MISTAKES[kind]() }, SIGNS[kind]);

/**
 * Return the table of the players, without the columns of which nothing is known.
 * @param {PlayerSummary[]} players
 */
function playerTable(players) {
  const rows = players.map((one) => [
    [t("Score"), shownNumber(one.score), "score"],
    ...Object.keys(SIGNS).map((kind) => [signOf(kind), Object(one.mistakes)[kind]]),
    [t("Mistake Index"), number(one.mistake_index)], [t("Estimated rating"), number(one.estimated_rating, 0)], [t("Luck"), number(one.luck, 0)],
  ]);
  const isKnown = (/** @type {unknown} */ _, /** @type {number} */ at) => rows.some((row) => row[at][1] !== "–");
  return make("table", { className: "players" },
    make("thead", {}, make("tr", {}, make("td"), ...rows[0].filter(isKnown).map(([name]) => make("th", { scope: "col", className: "dim" }, name)))),
    make("tbody", {}, ...players.map((one, at) => make("tr", {},
      make("th", { scope: "row" }, make("strong", {}, one.nick), " ", make("span", { className: "dim" }, [
        one.accuracy === null ? "" : t("{percent} % without a mistake", { percent: number(one.accuracy, 0) }),
        one.judged < one.turns ? t("{judged} of {turns} turns judged", one) : "",
      ].filter(Boolean).join(", "))),
      ...rows[at].filter(isKnown).map(([, value, className]) => make("td", { className }, value))))));
}

/** @param {Annotation} answer */
const turnRows = ({ turns, game }) => turns.map((turn, at) => {
  const { position } = readCgp(turn.cgp);
  const mistake = turn.mistake ?? "";
  return make("li", { role: "option", id: `turn-${at}`, className: mistake, "aria-selected": "false" },
    make("span", { className: "n" }, String(turn.number)),
    make("span", { className: "who" }, game.players[turn.player].nick),
    make("span", { className: "what" }, ...moveParts(playedMove(turn), position), turn.phonies.length ? "*" : ""),
    make("span", { className: "score" }, `+${turn.score}`),
    make("span", { className: "total" }, String(turn.total)),
    make("span", { className: "mistake" }, mistake in SIGNS ? signOf(mistake) : ""));
});

/**
 * Return the variations of the turn in view.
 * @param {Reviewed} review
 */
function variationList({ at, variations }) {
  const list = make("div", { className: "stored" });
  drawStored(list, t("Variations"), variations.filter((one) => one.at === at), {
    name: (text) => text,
    players: ({ name, moves }) => `${name}: ${moves}`,
    open: openVariation, question: t("Delete this variation?"),
    remove: (one) => { setVariations(reviewed().variations.filter((other) => other !== one)); },
  });
  return list;
}

/**
 * @param {HTMLElement} element
 * @param {Reviewed} review
 * @param {(to: number) => void} walk
 * @param {(step: 1 | -1) => void} toMistake
 */
function drawDetail(element, review, walk, toMistake) {
  const { answer, at, look } = review;
  const turn = answer.turns[at];
  const { position } = readCgp(turn.cgp);
  const step = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ to) =>
    button(sign, () => walk(to), { id, className: "tool", "aria-label": name, title: name, "aria-disabled": String(to < 0 || to >= answer.turns.length) });
  const shown = (/** @type {"played" | "best"} */ kind, /** @type {string} */ name, /** @type {any} */ move) =>
    make("button", {
      type: "button", className: "choice", id: `look-${kind}`, "aria-pressed": String(look === kind),
      onclick: () => update({ review: { ...reviewed(), look: kind } }),
    },
    make("span", { className: "dim" }, name), make("span", { className: "what" }, ...moveParts(move, position)),
    make("b", { className: "score" }, `+${move.score}`),
    make("span", { className: "dim" }, move.win_pct_low === undefined || winText(move) === "–" ? "" : t("win {win}%", { win: winText(move) })));
  const focused = element.contains(document.activeElement) ? document.activeElement?.id : "";
  const isBest = turn.best && turn.rank === 1;
  element.replaceChildren(
    make("div", { className: "turnhead" },
      step("previous", t("Turn before"), "‹", at - 1),
      make("p", { role: "status" }, make("strong", {}, t("Turn {number}: {player}", { number: turn.number, player: answer.game.players[turn.player].nick })),
        " ", make("span", { className: "dim" }, scoresText(turn), " · ", t("rack {tiles}", { tiles: turn.rack || "?" }))),
      step("next", t("Next turn"), "›", at + 1)),
    make("div", { className: "choices" },
      shown("played", t("played"), playedMove(turn)),
      ...(turn.best && !isBest ? [shown("best", t("best"), turn.best)] : [])),
    make("p", { className: `judgement ${turn.mistake ?? ""}` }, judgement(turn)),
    ...(turn.explanation ? [make("p", { className: "prose", lang: turn.explanation.lang }, turn.explanation.text)] : []),
    ...(turn.note ? [make("p", { className: "dim note" }, turn.note)] : []),
    make("p", { className: "buttons" }, button(t("Open in Moves"), openTurn, { id: "tomoves" }),
      button(t("Next mistake"), () => toMistake(1), { id: "nextmistake", title: "M", "aria-keyshortcuts": "M" })),
    variationList(review));
  if (focused) (byId(focused) ?? byId("turns")).focus();
}
