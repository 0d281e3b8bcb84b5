// A quiz: one card after the other; a card that is missed comes again at the end, until it is known.

import { ask } from "../page/api.js";
import { button, make, write } from "../page/dom.js";
import { rackTiles } from "../page/position.js";
import { t, tn } from "../page/texts.js";
import { kindOf, storeProgress } from "./progress.js";

const TASKS = /** @type {Record<string, () => string>} */ ({
  anagrams: () => t("All words of these tiles"),
  hooks: () => t("All words made by one more letter before or after"),
  beginnings: () => t("All words of one more letter that begin so"),
});

/** @type {[string, () => string][]} */
const RATINGS = [["again", () => t("Again")], ["hard", () => t("Hard")], ["good", () => t("Good")], ["easy", () => t("Easy")]];

/**
 * Ask cards in an element until all are known or the person stops.
 * @param {HTMLElement} element
 * @param {Progress} progress changed and stored after each card
 * @param {{due: FlashCard[], fresh: FlashCard[]}} deck
 * @param {{byHand: boolean, complain: Complain, end: (result: Result) => void}} options
 */
export function startSession(element, progress, deck, { byHand, complain, end }) {
  const queue = [...deck.due, ...deck.fresh];
  /** @type {Set<string>} */
  const seen = new Set();
  const result = { asked: 0, right: 0 };
  const stop = () => end(result);
  next();

  /** Ask the next card, or end. */
  function next() {
    const card = queue.shift();
    if (card) show(card);
    else stop();
  }

  /** @param {FlashCard} card */
  function show({ question, answers }) {
    const found = new Set();
    let hasWrong = false;
    let isRated = false;
    const words = make("ul", { className: "answers", "aria-label": t("Words") });
    const said = make("p", { role: "status", className: "said" });
    const field = make("input", {
      id: "answer", type: "text", autocomplete: "off", autocapitalize: "characters", spellcheck: false, className: "letters",
    });
    const reveal = button(t("Show the answers"), () => finish(), { id: "reveal" });
    const form = make("form", { className: "ask" }, make("label", { className: "field" }, make("span", {}, t("Your words")), field),
      make("button", { type: "submit", className: "primary" }, t("Enter")));
    const buttons = make("p", { className: "buttons" }, reveal, button(t("End the quiz"), stop, { id: "stop" }));
    form.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); take(); });
    field.addEventListener("input", () => { if (/[\s,;]$/.test(field.value)) take(); });
    element.replaceChildren(
      make("p", { className: "dim" }, t("Left: {due} due, {fresh} new", countsLeft())),
      make("h2", {}, TASKS[kindOf(question)]()), picture(question),
      make("p", { className: "dim" }, tn("{count} word", "{count} words", answers.length)), form, words, said, buttons);
    field.focus();

    /** Take the words typed: right ones appear, wrong ones are struck. */
    function take() {
      /** @type {string[]} */
      const typed = field.value.split(/[\s,;]+/).filter(Boolean);
      field.value = "";
      if (!typed.length) return;
      const wrong = typed.filter((word) => answerOf(word, answers) === null);
      hasWrong ||= wrong.length > 0;
      for (const word of typed) {
        const answer = answerOf(word, answers);
        if (!found.has(answer)) words.append(make("li", { className: answer ? "chip" : "chip struck" }, answer ?? make("s", {}, word.toUpperCase())));
        if (answer) found.add(answer);
      }
      write(said, wrong.length
        ? t("Not an answer: {words}", { words: wrong.join(" ").toUpperCase() })
        : t("{found} of {count} found", { found: found.size, count: answers.length }));
      if (found.size === answers.length) finish();
    }

    /** Show all answers, and rate the card. */
    function finish() {
      const missed = answers.filter((word) => !found.has(word));
      words.append(...missed.map((word) => make("li", { className: "chip missed" }, word)));
      form.hidden = reveal.hidden = true;
      write(said, missed.length ? tn("{count} word missed", "{count} words missed", missed.length) : t("Right."));
      const automatic = missed.length ? "again" : hasWrong ? "hard" : "good";
      if (!byHand) return rate(automatic);
      const all = RATINGS.map(([rating, name]) => button(name(), () => rate(rating), { "data-rating": rating, className: rating === automatic ? "primary" : "quiet" }));
      buttons.prepend(...all);
      all.find((one) => one.dataset.rating === automatic)?.focus();
    }

    /** @param {string} rating */
    async function rate(rating) {
      if (isRated) return;
      isRated = true;
      try {
        const card = progress.cards[question];
        const { found: reviewed } = await ask("/quiz/reviews", { reviews: [{ ...(card && { card }), rating }] });
        progress.cards[question] = reviewed.cards[0];
        storeProgress(progress);
      } catch (error) {
        isRated = false;
        complain(error, () => rate(rating));
        return;
      }
      if (!words.isConnected) return; // the quiz has ended
      if (!seen.has(question)) {
        seen.add(question);
        result.asked += 1;
        result.right += Number(rating !== "again");
      }
      if (rating === "again") queue.push({ question, kind: kindOf(question), answers });
      if (byHand) return next();
      const on = button(t("Next card"), next, { id: "nextcard", className: "primary" });
      buttons.prepend(make("span", { className: "dim" }, comesAgain(progress.cards[question])), on);
      on.focus();
    }
  }

  function countsLeft() {
    const fresh = queue.filter(({ question }) => !progress.cards[question]?.last_review).length;
    return { due: queue.length - fresh, fresh };
  }
}

/**
 * Say when a card comes again.
 * @param {Card} card
 */
function comesAgain({ due }) {
  const days = Math.max(Math.round((Date.parse(due) - Date.now()) / 86_400_000), 0);
  return tn("again in {count} day", "again in {count} days", days);
}

/**
 * Return the answer that a typed word means, null for none; accents that the tiles do not have may be typed.
 * @param {string} word
 * @param {string[]} answers
 */
function answerOf(word, answers) {
  const upper = word.toUpperCase().normalize("NFC");
  return [upper, upper.normalize("NFD").replace(/\p{M}/gu, "")].find((one) => answers.includes(one)) ?? null;
}

/**
 * Return a question as tiles, with empty places for the letters that are sought.
 * @param {string} question
 */
function picture(question) {
  const kind = kindOf(question);
  const tiles = rackTiles(kind === "anagrams" ? question : question.replace(/^_|[_?]$/g, ""));
  const place = () => make("span", { className: "place" });
  return make("p", { className: "question", role: "img", "aria-label": tiles.join(" ") },
    kind === "hooks" ? place() : null, ...tiles.map((letter) => make("span", { className: "tile" }, letter)), kind === "anagrams" ? null : place());
}
