// The panel Games: a record is dropped, pasted or opened, annotated by the server, and then walked through.

import { follow, Problem } from "./api.js";
import { complain } from "./faults.js";
import { fileButton, saveFile, takeDrops } from "./files.js";
import { button, byId, drawStored, field, make, write } from "./dom.js";
import { bytesOf, readGame, writeGame } from "./links.js";
import { withNotes } from "./notes.js";
import { isGcg } from "./position.js";
import { forgetRecord, storedRecord, storedRecords, storeRecord } from "./records.js";
import { endScene } from "./scene.js";
import { copyLink, copyPicture } from "./sharing.js";
import { startReview } from "./review.js";
import { reviewed, state, subscribe, update } from "./state.js";
import { storeText, storedText } from "./storage.js";
import { language, shownNumber, t } from "./texts.js";
import { offerLists } from "./word_lists.js";

const SEARCHED = "&seconds=60";
const NO_TURNS = 2; // the parts of an answer that are no turns: its heading and its summary
const HTML = "text/html";
const GCG = "text/plain";

const STORED = "kibitz-review-3"; // another number if what is stored changes
const MAX_LINK = 8000; // longer ones are cut off by some programs

/** @type {{file: Blob, name: string} | null} the record that is not annotated yet */
let waiting = null;
let dropping = new AbortController();
let stopping = new AbortController();
let searching = ""; // the key of the search of the game in view, by which a page that is loaded again finds it

/** @param {HTMLElement} panel */
export function startGames(panel) {
  const open = opener();
  const bar = progressBar();
  const search = button(t("Search all turns"), () => { searchTurns(); byId("stopannotation").focus(); }, { id: "searchturns" });
  const review = make("div", { className: "review" });
  panel.append(open, bar, review);
  subscribe((now, before) => {
    if (now.review === before.review) return;
    const hadFocus = open.contains(document.activeElement);
    open.hidden = now.review !== null;
    review.hidden = !now.review?.answer;
    search.hidden = !!(now.review?.job || now.review?.answer?.game.simulation);
    if (hadFocus && open.hidden) byId("stopannotation")?.focus();
  });
  startReview(review, {
    search,
    link: copyGameLink, picture: copyPicture, gcg: () => exportAs("gcg"), html: () => exportAs("html"), close,
  });
  takeDrops(openFile);
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (/** @type {Element} */ (event.target).matches("input, textarea") || !isGcg(text)) return;
    event.preventDefault();
    annotate(new Blob([text]), t("Pasted game"));
  });
  review.hidden = true;
  document.addEventListener("visibilitychange", store); // also when the page is left
}

/** The first view: ways to open a game. */
function opener() {
  const lexicon = make("select", { id: "recordlexicon", onchange: () => { if (waiting) annotate(waiting.file, waiting.name); } });
  const text = make("textarea", { id: "gcg", rows: 3, spellcheck: false, autocomplete: "off" });
  const go = () => { if (text.value.trim()) annotate(new Blob([text.value]), t("Pasted game")); };
  text.addEventListener("paste", () => setTimeout(() => { if (isGcg(text.value)) go(); }));
  const refused = make("p", { id: "refused", role: "status" });
  subscribe((now, before) => {
    write(refused, waiting && !now.review ? t("{name} is not annotated yet. Choose a word list to try it again.", waiting) : "");
    if (now.lexicons === before.lexicons) return;
    offerLists(lexicon, now.lexicons, [new Option(t("That of the record"), "")]);
  });
  const recent = make("div", { className: "stored", hidden: true });
  subscribe((now, before) => {
    const isShown = now.panel === "games" && !now.review;
    if (isShown && (before.panel !== "games" || before.review)) drawRecent(recent);
  });
  return make("div", { className: "opener" },
    make("div", { className: "dropzone" },
      make("p", { className: "big" }, t("Go through a recorded game")),
      make("p", { className: "dim" }, t("Drop a GCG file anywhere on this page, or")),
      fileButton("gcgfile", t("Open a file"), ".gcg,.txt,.json,text/plain", openFile), refused),
    recent,
    field(t("Or paste the text of a record"), text),
    field(t("Word list"), lexicon),
    make("p", { className: "buttons" }, button(t("Annotate"), go, { id: "annotate", className: "primary" })));
}

/** @param {File} file */
function openFile(file) {
  annotate(file, file.name.replace(/\.\w+$/, ""));
}

/**
 * Let the server annotate a record, and show it.
 * @param {Blob} file
 * @param {string} name of the file that an export gets
 * @param {string} [lexicon]
 * @param {number} [at] the index of the turn to show
 */
export async function annotate(file, name, lexicon = byId("recordlexicon").value, at = 0) {
  const words = lexicon ? `&lexicon=${encodeURIComponent(lexicon)}` : "";
  const query = `explain=true&lang=${language()}${words}`;
  endScene();
  waiting = { file, name };
  update({ panel: "games", puzzle: null, fault: null, heard: t("Annotating …") });
  const text = await textOf(file);
  /** @type {Review} */
  const review = { record: text, name, query, answer: null, at, look: "played", variations: (await storedRecord(text))?.variations ?? [], job: { done: 0, total: 0 } };
  const found = await work(review, () => { annotate(file, name, lexicon, at); });
  if (!found || typeof found === "string") return;
  if (!found.turns.length) {
    update({ review: null });
    complain(new Problem("refused", t("This record has no turn that can be read."), { errors: found.game.faults }));
    return;
  }
  waiting = null;
  const done = { ...review, at: Math.min(at, found.turns.length - 1), job: null, answer: found };
  storeRecord(done);
  update({ review: done, heard: t("The game is annotated: {count} turns.", { count: shownNumber(found.turns.length) }) });
}

/**
 * Let the server search the turns of the game in view; the annotation by equity is shown until that is done.
 * @param {string} [key] that of a search which the page has begun before it was loaded again
 */
async function searchTurns(key = crypto.randomUUID()) {
  const query = reviewed().query + SEARCHED;
  const found = await work(reviewed(), () => { searchTurns(key); }, { query, key });
  if (searching === key && (found || stopping.signal.aborted)) searching = ""; // not if it failed: a reload ends requests too
  if (!found || typeof found === "string") return;
  update({ review: { ...reviewed(), query, answer: found }, notice: t("All turns are searched.") });
  storeRecord(reviewed());
}

/**
 * Annotate the game in view by another word list, and show the same turn.
 * @param {string} lexicon
 */
export function annotateAgain(lexicon) {
  const { record, name, at } = reviewed();
  annotate(new Blob([bytesOf(record)]), name, lexicon, at);
}

/** Store which game is in view, until the tab is closed. */
function store() {
  const { review, panel } = state;
  storeText(STORED, review?.answer ? JSON.stringify({ record: review.record, at: review.at, panel, key: searching }) : "", "sessionStorage");
}

/** Show the game again that was open before the page was loaded again. */
export async function restoreReview() {
  const text = storedText(STORED, "sessionStorage");
  if (!text || state.review) return;
  const { record, at, panel, key } = JSON.parse(text);
  const review = await storedRecord(record);
  if (!review || state.review) return;
  update({ panel, review: { ...review, at } });
  if (key) searchTurns(key);
}

/**
 * Show the games that were opened before.
 * @param {HTMLElement} element
 */
async function drawRecent(element) {
  drawStored(element, t("Games opened before on this device"), await storedRecords(), {
    name: (players) => t("Open: {players}", { players }),
    players: ({ answer }) => answer.summary.players.map(({ nick, score }) => `${nick} ${shownNumber(score)}`).join(", "),
    open: (review) => { storeRecord(review); update({ review }); },
    remove: async ({ record }) => { await forgetRecord(record); drawRecent(element); },
  });
}

/**
 * Open the game of a link.
 * @param {string} hash the part of the address after #
 */
export async function openLink(hash) {
  storeText(STORED, "", "sessionStorage"); // this game is shown, not the one before
  const game = await readGame(hash).catch(() => null);
  if (game) await annotate(game.file, t("Game of a link"), game.lexicon, game.turn - 1);
  else complain(new Error(t("This link holds no game that can be read.")));
}

/** Copy a link to the turn in view; a game that is too long for one is saved as a file. */
async function copyGameLink() {
  const { record, name, at, answer } = reviewed();
  const address = `${location.origin}${location.pathname}${await writeGame({ record, turn: at + 1, lexicon: answer.game.lexicon })}`;
  if (address.length <= MAX_LINK) return copyLink(address);
  saveFile(`${name}.gcg`, bytesOf(record), GCG);
  update({ notice: t("The game is too long for a link. It is saved as a file.") });
}

function close() {
  dropping.abort();
  searching = "";
  endScene();
  update({ review: null, fault: null });
  /** @type {HTMLElement | null} */ (document.querySelector("#gcgfile + button"))?.focus();
}

/**
 * Let the server annotate a record and show its progress; return the answer, null if there is none. A file that is written
 * while the turns are searched has no progress of its own, and ends with the search.
 * @param {Review} review
 * @param {() => void} retry
 * @param {{type?: string, query?: string, key?: string}} [options] `type`: the media type of a file
 */
async function work(review, retry, { type, query = review.query, key } = {}) {
  const isBeside = type && review.job;
  if (!isBeside) {
    dropping.abort();
    dropping = new AbortController();
    stopping = new AbortController();
    searching = key ?? "";
  }
  const { signal } = dropping;
  const show = (/** @type {Review["job"]} */ job) => { if (!signal.aborted && !isBeside) update({ review: { ...(state.review ?? review), job } }); };
  if (!isBeside) update({ review: { ...review, job: { done: 0, total: 0 } } });
  const end = () => (review.answer ? show(null) : update({ review: null }));
  try {
    const { found, wasStopped } = await follow(`/games/annotate?${query}`, new Blob([bytesOf(review.record)]), {
      signal, stopped: stopping.signal, progress: show, headers: { Accept: type ?? "application/json", "Content-Type": "text/plain" }, key,
    });
    if (signal.aborted) return null;
    if (found === null || review.answer) end();
    return key && wasStopped ? null : found;
  } catch (error) {
    if (!signal.aborted) end();
    complain(error, retry);
    return null;
  }
}

/**
 * Return a record as a text with a character for each byte.
 * @param {Blob} file
 */
const textOf = async (file) => new TextDecoder("x-user-defined").decode(await file.arrayBuffer());

/** The progress bar of the annotation, with a button that stops it. */
function progressBar() {
  const text = make("p", { className: "doing", role: "status" });
  const bar = make("progress", { "aria-label": t("Annotation") });
  const stop = button(t("Stop"), () => stopping.abort(), { id: "stopannotation" });
  const box = make("div", { className: "work", hidden: true }, text, stop, bar);
  subscribe((now, before) => {
    const job = now.review?.job ?? null;
    if (job === (before.review?.job ?? null)) return;
    box.hidden = job === null;
    if (!job) return;
    if (!job.total) {
      bar.removeAttribute("value");
      return write(text, t("Annotating …"));
    }
    const total = now.review?.answer?.turns.at(-1)?.number ?? job.total - NO_TURNS;
    bar.max = total;
    bar.value = Math.min(Math.max(job.done, 1), total); // the heading of the answer is done before the first turn
    write(text, t("Annotating: turn {done} of {total}", { done: bar.value, total }));
  });
  return box;
}

/**
 * Save the annotated game as a file.
 * @param {"gcg" | "html"} kind
 */
async function exportAs(kind) {
  const review = reviewed();
  const type = kind === "html" ? HTML : GCG;
  const text = await work(review, () => { exportAs(kind); }, { type });
  if (typeof text === "string") saveFile(`${review.name}.${kind}`, kind === "gcg" ? withNotes(text, review) : text, type);
}
