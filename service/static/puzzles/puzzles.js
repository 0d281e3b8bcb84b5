// The page at /puzzles: the mistakes of several games as puzzles, in a mixed order. It uses the board, rack and store
// of the page at /, and its puzzles.

import { button, byId, make, write } from "../page/dom.js";
import { complain } from "../page/faults.js";
import { fileButton, takeDrops } from "../page/files.js";
import { shuffled } from "../page/match.js";
import { moveParts } from "../page/move_text.js";
import { readCgp } from "../page/position.js";
import { startPuzzle } from "../page/puzzle.js";
import { storedRecords } from "../page/records.js";
import { endScene } from "../page/scene.js";
import { state, subscribe, update } from "../page/state.js";
import { loadTexts, offerLanguages, shownNumber, t, tn } from "../page/texts.js";
import { judgement, playedMove } from "../page/turns.js";
import { offerLists } from "../page/word_lists.js";
import { askForLists, startTable } from "../topping/table.js";
import { THEMES, aboutOf, playerOf, storePool, storedPool, themeOf, withGame } from "./pool.js";
import { recordReader } from "./records.js";

const RECORD = /\.(gcg|json|txt)$/i; // what is read of a folder
const MOST_PUZZLES = 10_000; // at once
const [SOLVED, TRIED, SHOWN] = [1, 0, -1];

const [form, view, puzzles, theme, player] = ["start", "view", "puzzle", "theme", "player"].map(byId);

/** @type {Pool} */
let pool = { games: 0, mistakes: [] };
/** @type {Map<Mistake, number>} how the puzzles in view ended: SOLVED, TRIED or SHOWN */
let results = new Map();

/** @param {Mistake} mistake */
const isWanted = (mistake) => (!theme.value || theme.value === themeOf(mistake)) && (!player.value || player.value === playerOf(mistake));

/**
 * Fill a menu with what mistakes have, with their numbers; the choice stays.
 * @param {HTMLSelectElement} menu
 * @param {string} all
 * @param {(mistake: Mistake) => string} of
 * @param {(value: string) => string} name
 */
function offer(menu, all, of, name) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const one of pool.mistakes) counts.set(of(one), (counts.get(of(one)) ?? 0) + 1);
  const { value } = menu;
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  menu.replaceChildren(new Option(all, ""), ...sorted.map(([key, count]) => new Option(`${name(key)} (${shownNumber(count)})`, key)));
  menu.value = counts.has(value) ? value : "";
}

/** Show what is known of the games that were opened. */
function showPool() {
  const { games, mistakes } = pool;
  offer(theme, t("All, mixed"), themeOf, (key) => THEMES[key]());
  offer(player, t("Everyone"), playerOf, (name) => name);
  byId("filters").hidden = mistakes.length === 0;
  const known = [tn("{count} game", "{count} games", games), tn("{count} mistake to find", "{count} mistakes to find", mistakes.length)];
  write(byId("known"), games ? known.join(", ") : "");
}

/** @param {Annotation} answer */
function add(answer) {
  pool = withGame(pool, answer);
  showPool();
}

/** @param {Mistake[]} list */
function begin(list) {
  if (!list.length) return update({ notice: t("There is no such mistake.") });
  results = new Map();
  update({ fault: null, notice: "", puzzle: { list: shuffled(list.slice(0, MOST_PUZZLES)), number: 0 } });
}

/** @type {Answered} */
function answered(mistake, isRight) {
  const before = results.get(mistake) ?? TRIED;
  results.set(mistake, before || (isRight ? SOLVED : isRight === null ? SHOWN : TRIED));
  const { turn, game } = mistake;
  const { name, method } = aboutOf(mistake);
  const played = [game.players[turn.player].nick, ": ", ...moveParts(playedMove(turn), readCgp(turn.cgp).position), ` +${turn.score}; ${judgement(turn)}`];
  return [
    make("p", { className: "theme" }, make("strong", {}, name), " · ", method),
    ...(isRight === false ? [] : [make("p", { className: "dim" }, ...played)]),
  ];
}

/** Show how many puzzles were solved, by their themes. */
function showResult() {
  endScene();
  const asked = [...results.keys()];
  const solved = (/** @type {Mistake[]} */ list) => list.filter((one) => results.get(one) === SOLVED).length;
  const row = (/** @type {string} */ name, /** @type {Mistake[]} */ list) => make("tr", {},
    make("th", { scope: "row" }, name), make("td", {}, shownNumber(solved(list))), make("td", {}, shownNumber(list.length)));
  const byTheme = Object.entries(THEMES).map(([key, name]) => /** @type {const} */ ([name(), asked.filter((one) => themeOf(one) === key)]));
  const again = button(t("More puzzles"), () => { view.replaceChildren(); showView(); byId("begin").focus(); }, { id: "again", className: "primary" });
  const rest = asked.filter((one) => results.get(one) !== SOLVED);
  view.replaceChildren(
    make("h2", {}, t("The result")),
    make("p", { className: "big", role: "status" }, t("{solved} of {count} solved", { solved: shownNumber(solved(asked)), count: shownNumber(asked.length) })),
    make("table", { className: "rounds" },
      make("thead", {}, make("tr", {}, ...[t("Theme"), t("Solved"), t("Asked")].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...byTheme.filter(([, list]) => list.length).map(([name, list]) => row(name, list)))),
    make("p", { className: "buttons" }, again, rest.length ? button(t("Repeat what was not solved"), () => begin(rest), { id: "repeat" }) : null));
  showView();
  again.focus({ preventScroll: true });
}

/** Show the puzzle, the result or the form. */
function showView() {
  const isPuzzle = state.puzzle !== null;
  for (const id of ["table", "puzzle"]) byId(id).hidden = !isPuzzle;
  view.hidden = isPuzzle || !view.hasChildNodes();
  form.hidden = isPuzzle || !view.hidden;
}

/** Build the parts of the page. Texts must be loaded. */
function start() {
  startTable();
  const reader = recordReader(() => byId("lexicon").value, add, (isBusy) => {
    byId("begin").hidden = isBusy;
    byId(isBusy ? "stop" : "begin").focus();
  });
  const take = (/** @type {File[]} */ ...files) => {
    if (!form.hidden) reader.read(...files);
  };
  const fromFolder = (/** @type {File[]} */ ...files) => {
    const found = files.filter(({ name }) => RECORD.test(name));
    if (found.length) take(...found);
    else update({ notice: t("There is no game record in this folder.") });
  };
  byId("sources").append(
    fileButton("files", t("Open files"), ".gcg,.txt,.json,text/plain", take, { multiple: true }),
    fileButton("folder", t("Open a folder"), "", fromFolder, { webkitdirectory: true }));
  byId("known").before(reader.element);
  takeDrops(take);
  offerStored();
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    begin(pool.mistakes.filter(isWanted));
  });
  startPuzzle(puzzles, t("End"), showResult, answered);
  subscribe((now, before) => {
    const last = before.puzzle?.list[before.puzzle.number];
    if (last && now.puzzle && now.puzzle.number !== before.puzzle?.number && !results.has(last)) results.set(last, TRIED); // passed over
    if (now.puzzle && !before.puzzle) view.replaceChildren();
    if (now.puzzle !== before.puzzle) showView();
  });
  document.addEventListener("visibilitychange", () => storePool(pool, state.puzzle, results)); // also when the page is left
}

/** Offer the games that the page at / has stored, if there are any. */
async function offerStored() {
  const stored = await storedRecords();
  if (!stored.length) return;
  const one = button(`${t("Games opened before on this device")} (${shownNumber(stored.length)})`, () => {
    for (const { answer } of stored) add(answer);
    one.remove();
    byId("begin").focus();
  }, { id: "stored" });
  byId("sources").append(one);
}

/** Load what the server offers, then show the puzzles of before, or the form. */
async function load(asked = askForLists()) {
  update({ fault: null });
  try {
    update({ ...await asked, panel: "games" });
    offerLists(byId("lexicon"), state.lexicons, [new Option(t("That of the record"), "")]);
    const stored = storedPool();
    if (stored) ({ pool, results } = stored);
    showPool();
    update({ puzzle: stored?.puzzle ?? null });
    showView();
  } catch (error) {
    complain(error, () => { load(); });
  }
}

const lists = askForLists();
lists.catch(() => {}); // load says what failed
await loadTexts();
offerLanguages(byId("language"));
start();
load(lists);
