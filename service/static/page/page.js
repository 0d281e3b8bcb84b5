// The page at /: loads what the server offers, and starts its parts.

import "../kibitz-board.js";
import { startAnalysis, startTrial } from "./analysis.js";
import { ask, onWait, useKey } from "./api.js";
import { startBoard } from "./board.js";
import { startChosen } from "./chosen.js";
import { button, byId, keepFocus, make } from "./dom.js";
import { startDrag } from "./drag.js";
import { complain, startFaults } from "./faults.js";
import { openLink, restoreReview, startGames } from "./games.js";
import { startHistory, updateAddress } from "./history.js";
import { startLexicon } from "./lexicon.js";
import { startMoves } from "./moves.js";
import { startNotes } from "./notes.js";
import { restoreGame, startPlay } from "./play.js";
import { startKeyboard, startRack } from "./rack.js";
import { startScenes } from "./scene.js";
import { startSearch, startSearchView } from "./search.js";
import { startSetup, welcome } from "./setup.js";
import { state, subscribe, update } from "./state.js";
import { loadTexts, offerLanguages, t } from "./texts.js";
import { branchBar } from "./variations.js";
import { firstList, usableLists } from "./word_lists.js";
import { startWords } from "./words.js";

/** @type {Map<string, {tab: any, panel: any}>} */
const panels = new Map();

/**
 * Add a panel and return its element.
 * @param {string} id
 * @param {string} title
 * @returns {HTMLElement}
 */
function addPanel(id, title) {
  const list = byId("tabs");
  const tab = button(title, () => update({ panel: id }), { id: `tab-${id}`, role: "tab", "aria-controls": `panel-${id}`, className: "" });
  const panel = make("section", { id: `panel-${id}`, className: "panel", role: "tabpanel", "aria-labelledby": `tab-${id}` });
  list.append(tab);
  byId("panels").append(panel);
  panels.set(id, { tab, panel });
  showPanel();
  return panel;
}

/** Let the tabs choose the panel in view from now on. */
function startPanels() {
  const list = byId("tabs");
  list.setAttribute("role", "tablist");
  list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const ids = [...panels.keys()];
    const at = ids.indexOf(state.panel);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const id = /** @type {string} */ (ids.at(to % ids.length));
    update({ panel: id });
    panels.get(id)?.tab.focus();
  });
  subscribe((now, before) => { if (now.panel !== before.panel) showPanel(); });
}

/** Let `?` show the keys, except where it is typed: in a field, or on the board as a blank. */
function startHelp() {
  addEventListener("keydown", (/** @type {any} */ event) => {
    if (event.key === "?" && !event.defaultPrevented && !event.target.matches("input, textarea, select")) byId("keyhelp").togglePopover();
  });
}

/** Show the panel that the state names, and mark its tab. */
function showPanel() {
  for (const [id, { tab, panel }] of panels) {
    const isShown = id === state.panel;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    if (isShown) tab.parentElement.scrollLeft = tab.offsetLeft - tab.offsetWidth;
    panel.hidden = !isShown;
  }
}

/** Build the page. Texts must be loaded. */
function start() {
  const panel = addPanel("moves", t("Moves"));
  const add = (/** @type {string} */ className) => panel.appendChild(make("div", { className }));
  startPanels();
  startHelp();
  keepFocus();
  startFaults(byId("alert"), byId("status"), byId("heard"), t("The board, its history, links and notes work without it."));
  startRack(byId("rackbox"));
  startLexicon();
  startNotes(byId("notes"), updateAddress);
  startSetup(byId("actions"), byId("setup"));
  panel.append(welcome(), branchBar());
  startTrial(add("trial"));
  const bar = add("search");
  startSearchView(bar);
  startMoves(panel, bar);
  startChosen(add("chosen"));
  startKeyboard(byId("keyboard"));
  startBoard(byId("board"), byId("typing"));
  startDrag(byId("board"), byId("rackbox"));
  startSearch();
  startScenes();
  startGames(addPanel("games", t("Games")));
  startPlay(addPanel("play", t("Play")));
  startWords(addPanel("words", t("Words")));
  askForKey(byId("keybox"));
  onWait((waiting) => update({ waiting, notice: "" }));
}

/** Ask for the lists of what the server offers. */
const askForLists = () => Promise.all([ask("/boards"), ask("/lexicons"), ask("/tile-sets"), ask("/rule-sets")]);

/** Show what the server offers, then restore the position of the address. */
async function load(asked = askForLists()) {
  update({ fault: null });
  try {
    const [boards, lexicons, tileSets, ruleSets] = await asked;
    const usable = usableLists(lexicons.found.lexicons);
    update({
      boards: boards.found.boards,
      lexicons: usable,
      tileSets: new Map(tileSets.found.tile_sets.map((set) => [set.id, set.letters])),
      ruleSets: ruleSets.found.rule_sets,
      settings: { ...state.settings, lexicon: firstList(usable) },
      keyNeeded: false,
    });
    startAnalysis();
    startHistory(complain, openLink);
    update({ isReady: true });
    restoreReview();
    restoreGame();
  } catch (error) {
    complain(error, () => load());
  }
}

/**
 * Ask for an API key after a 401.
 * @param {HTMLElement} box
 */
function askForKey(box) {
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    useKey(byId("key").value);
    update({ keyNeeded: false });
    if (state.fault?.retry) state.fault.retry();
    else load();
  });
  subscribe((now) => { box.hidden = !now.keyNeeded; });
}

navigator.serviceWorker?.register("/service-worker.js").catch(() => {}); // without it the page needs the server to load
const lists = askForLists(); // while the texts come and the parts are built
lists.catch(() => {}); // load says what failed
await loadTexts();
offerLanguages(byId("language"));
start();
load(lists);
