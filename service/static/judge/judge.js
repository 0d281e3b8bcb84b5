// The page at /judge: a word list is chosen once, then plays are judged in this browser, one verdict for all words.

import { ask, onWait } from "../page/api.js";
import { button, byId, draw, make, toolButton, write } from "../page/dom.js";
import { language, loadTexts, offerLanguages, t, tn } from "../page/texts.js";
import { startKiosk } from "./kiosk.js";
import { judged, MAX_WORDS, readWordList } from "./word_list.js";

const SHOWN_MS = 10_000; // as long as [Zyzzyva] shows one
const LEAST_MS = 1_000; // so that a second tap of the one who judged does not clear it

const [setup, desk, words, fault, verdict] = ["setup", "desk", "words", "fault", "verdict"].map(byId);

let lexicon = "";
/** @type {WordList | null} */
let list = null;
/** @type {Lexicons} */
let lexicons = [];
let shownAt = 0;
let timer = 0;

/** Fetch the word list and show its name and version; a service worker, where there is one, stores the answer. */
async function load() {
  const path = /** @type {const} */ (`/lexicons/${encodeURIComponent(lexicon)}/graph`);
  const { found } = await ask(path);
  list = readWordList(found);
  const name = lexicons.find(({ id }) => id === found.lexicon.id)?.name ?? found.lexicon.id;
  const values = { list: name, version: found.lexicon.sha256.slice(0, 8) };
  const isStored = "caches" in window && (await caches.match(path, { ignoreVary: true })) !== undefined;
  byId("list").replaceChildren(
    tn("{list}: {count} word, version {version}", "{list}: {count} words, version {version}", found.word_count, values),
    ...(isStored ? [" · ", t("works without the server")] : []));
  showKeys(found.tiles);
}

/** Open the desk for the chosen word list, for good: what is chosen stays in the address. */
async function open() {
  write(byId("status"), "");
  try {
    await load();
  } catch (error) {
    lexicon = "";
    write(byId("status"), /** @type {Error} */ (error).message);
    return;
  }
  history.replaceState(null, "", `#${new URLSearchParams({ lexicon })}`);
  [setup.hidden, desk.hidden] = [true, false];
  startKiosk();
  clear();
}

/** Judge the words typed: show a verdict, or say what cannot be judged. */
function judge() {
  const ruling = list && judged(list, words.value);
  if (!ruling) return;
  if ("fault" in ruling) write(fault, faultText(ruling));
  else show(ruling);
}

/** @param {Extract<Judged, {fault: string}>} ruling */
function faultText({ fault: kind, letter }) {
  if (kind === "too_many") return t("At most {count} words are judged at once.", { count: MAX_WORDS });
  return kind === "no_tile" ? t("There is no tile for {letter}.", { letter }) : t("A word has two tiles or more.");
}

/** @param {Extract<Judged, {words: string[]}>} ruling */
function show({ words: all, acceptable }) {
  const said = acceptable ? t("ACCEPTABLE") : t("NOT ACCEPTABLE");
  const sign = acceptable ? "m14 34 12 12 24-28" : "m18 18 28 28m0-28-28 28";
  verdict.className = acceptable ? "yes" : "no";
  verdict.replaceChildren(
    draw("svg", { viewBox: "0 0 64 64", "aria-hidden": "true" },
      acceptable ? draw("circle", { cx: 32, cy: 32, r: 30 }) : draw("path", { d: "M20 2h24l18 18v24L44 62H20L2 44V20z" }), draw("path", { d: sign })),
    make("p", { className: "ruling" }, said),
    make("p", { className: "echo" }, all.join(" ")));
  verdict.style.setProperty("--longest", Math.max(...said.split(" ").map((word) => word.length)));
  [verdict.hidden, desk.inert] = [false, true];
  shownAt = performance.now();
  timer = setTimeout(clear, SHOWN_MS);
}

/** Remove the verdict and the words. */
function clear() {
  clearTimeout(timer);
  desk.reset();
  write(fault, "");
  [verdict.hidden, desk.inert] = [true, false];
  verdict.replaceChildren();
  words.focus();
}

/**
 * Clear a verdict by a key or a tap, which then does nothing else.
 * @param {Event} event
 */
function dismiss(event) {
  if (verdict.hidden) return;
  event.preventDefault();
  event.stopPropagation();
  const isHeld = event instanceof KeyboardEvent && event.repeat;
  if (!isHeld && performance.now() - shownAt >= LEAST_MS) clear();
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (desk.hidden) return;
  if (event.key === "Escape") clear();
  else if (event.key === "Enter" && event.target === words) {
    event.preventDefault();
    if (!event.repeat) judge();
  } else if (/^\p{L}$/u.test(event.key)) words.focus(); // whatever has the focus, letters are typed into the field
}

/**
 * Show a key for each tile, for touch.
 * @param {string[]} tiles
 */
function showKeys(tiles) {
  byId("keys").replaceChildren(
    ...tiles.map((tile) => button(tile, () => type(tile), { className: "key" })),
    button(t("Next word"), () => type(" "), { className: "key wide" }),
    toolButton(t("Remove the last letter"), "erase", () => type(""), { className: "key" }));
}

/**
 * Put a text at the cursor; without one remove the character before it.
 * @param {string} text
 */
function type(text) {
  const { selectionStart: start, selectionEnd: end } = words;
  if (words.value.length + text.length > words.maxLength) return;
  words.setRangeText(text, text || start < end ? start : Math.max(start - 1, 0), end, "end");
  write(fault, "");
}

/** Offer the word lists of the server. */
async function offer() {
  const { found } = await ask("/lexicons");
  lexicons = found.lexicons.filter(({ status }) => status !== "damaged");
  byId("lexicon").append(...lexicons.map((one) => new Option(one.name, one.id, false, one.default)));
}

const worker = navigator.serviceWorker;
worker?.register("/service-worker.js").catch(() => {}); // without it the page needs the server to load
const offered = offer();
offered.catch(() => {}); // told below
const translated = loadTexts();
worker?.addEventListener("controllerchange", async () => { // a new worker has stored neither the texts nor the list
  await translated;
  await fetch(`/messages/${language()}`).catch(() => {});
  if (lexicon) load().catch(() => {});
});
await translated;
offerLanguages(byId("language"));
onWait((waiting) => write(byId("status"), waiting));
addEventListener("click", dismiss, true);
addEventListener("keydown", dismiss, true);
addEventListener("keydown", press);
words.inputMode = matchMedia("(any-pointer: coarse)").matches ? "none" : "text"; // the page has keys for touch
words.addEventListener("input", () => write(fault, ""));
byId("keys").addEventListener("pointerdown", (/** @type {Event} */ event) => event.preventDefault()); // the cursor stays
desk.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); judge(); });
desk.addEventListener("reset", () => write(fault, ""));
setup.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  lexicon = byId("lexicon").value;
  open();
});
setup.hidden = false;
try {
  await offered;
  lexicon = new URLSearchParams(location.hash.slice(1)).get("lexicon") ?? "";
  if (lexicon) await open();
} catch (error) {
  write(byId("status"), /** @type {Error} */ (error).message);
}
