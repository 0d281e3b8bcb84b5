// The page at /quiz: flash cards that come again when they are about to be forgotten. The browser stores the progress.

import { ask, onWait, Problem } from "../page/api.js";
import { button, byId, keepFocus, make, write } from "../page/dom.js";
import { fileButton, saveFile } from "../page/files.js";
import { loadTexts, offerLanguages, shownNumber, t } from "../page/texts.js";
import { offerTrainingLists } from "../topping/training_lists.js";
import { CHOICES, deckOf } from "./deck.js";
import { exported, imported } from "./exchange.js";
import { countsOf, joined, readProgress, storedProgress, storeProgress } from "./progress.js";
import { startSession } from "./session.js";

const [form, view, fault, lexicon, choice] = ["start", "view", "fault", "lexicon", "choice"].map(byId);

let isBusy = false;

/** @type {Complain} */
function complain(error, retry = null) {
  const again = retry && button(t("Try again"), () => { fault.hidden = true; retry(); }, { className: "retry" });
  fault.replaceChildren(make("p", {}, /** @type {Error} */ (error).message), ...(again ? [again] : []));
  fault.hidden = false;
}

/** Show how far the person is with the word list that is chosen. */
function showProgress() {
  const { due, fresh, learned, known } = countsOf(storedProgress(lexicon.value));
  const row = (/** @type {string} */ name, /** @type {number} */ count) => make("div", {}, make("dt", {}, name), make("dd", {}, shownNumber(count)));
  byId("progress").replaceChildren(
    row(t("Due"), due), row(t("New"), fresh), row(t("Learned"), learned), row(t("Known for three weeks"), known));
}

/** Show the fields that the choice needs. */
function showFields() {
  const { lengths } = CHOICES[choice.value];
  byId("words").hidden = !lengths;
  if (lengths) [form.elements.min_length.value, form.elements.max_length.value] = lengths;
}

/** The conditions of the words to ask about. */
function conditions() {
  const values = new FormData(form);
  const words = /** @type {Record<string, unknown>} */ ({ sort: "probability" });
  for (const name of ["min_length", "max_length", "max_place"]) {
    const value = Number(values.get(name));
    if (value) words[name] = value;
  }
  const pattern = String(values.get("pattern")).trim();
  return pattern ? { ...words, pattern } : words;
}

/** Begin a quiz. */
async function begin() {
  const progress = storedProgress(lexicon.value);
  const deck = await deckOf(progress, choice.value, conditions(), Number(byId("most").value));
  const isEmpty = deck.due.length + deck.fresh.length === 0;
  write(byId("status"), isEmpty ? t("No card is due, and none is new.") : "");
  if (isEmpty) return;
  [form.hidden, view.hidden] = [true, false];
  startSession(view, progress, deck, { byHand: byId("byhand").checked, complain, end });
}

/** @param {Result} result */
function end({ asked, right }) {
  [form.hidden, view.hidden, fault.hidden] = [false, true, true];
  view.replaceChildren();
  showProgress();
  write(byId("status"), asked ? t("Asked: {asked}. Right at once: {right}.", { asked, right }) : "");
  byId("begin").focus();
}

/**
 * Do what a button asks for, and say what fails.
 * @param {() => Promise<unknown>} act
 */
async function attempt(act) {
  if (isBusy) return;
  isBusy = true;
  fault.hidden = true;
  try {
    await act();
  } catch (error) {
    complain(error, error instanceof Problem ? () => attempt(act) : null);
  } finally {
    isBusy = false;
  }
}

/**
 * Add the progress of a file.
 * @param {File} file
 */
async function open(file) {
  const read = readProgress(await file.text());
  if (![...lexicon.options].some(({ value }) => value === read.lexicon)) {
    throw new Error(t("The word list of this quiz, {lexicon}, is not on this server.", read));
  }
  const own = storedProgress(read.lexicon);
  lexicon.value = read.lexicon;
  add({ ...own, cards: joined(own.cards, read.cards) });
}

/** @param {Progress} progress */
function add(progress) {
  storeProgress(progress);
  showProgress();
  write(byId("status"), t("The cards are added."));
}

async function send() {
  const { file, text } = await exported(storedProgress(lexicon.value), byId("program").value);
  saveFile(file, text, "text/plain");
}

const save = () => saveFile(`quiz-${lexicon.value}.json`, `${JSON.stringify(storedProgress(lexicon.value), null, 2)}\n`, "application/json");

/** Build the parts of the page. Texts must be loaded. */
function start() {
  keepFocus();
  onWait((waiting) => write(byId("status"), waiting));
  byId("files").append(button(t("Save to a file"), save, { id: "save" }), fileButton("file", t("Open a file"), ".json,application/json", (file) => attempt(() => open(file))));
  const take = async (/** @type {File} */ file) => add(await imported(storedProgress(lexicon.value), byId("program").value, await file.text()));
  byId("others").append(fileButton("import", t("Import cards"), ".csv,.txt,text/plain,text/csv", (file) => attempt(() => take(file))),
    button(t("Export cards"), () => attempt(send), { id: "export" }));
  lexicon.addEventListener("change", showProgress);
  choice.addEventListener("change", showFields);
  form.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); attempt(begin); });
  showFields();
}

/** Load the word lists, and ask whether the server can schedule cards. */
async function load() {
  const [{ found }] = await Promise.all([ask("/lexicons"), ask("/quiz/reviews", { reviews: [] })]);
  offerTrainingLists(lexicon, found.lexicons);
  showProgress();
  form.hidden = false;
}

await loadTexts();
offerLanguages(byId("language"));
start();
attempt(load);
