// The progress of a quiz in this browser: what is known of each card, as the file of `kibitz quiz` has it.

import { parsed } from "../page/api.js";
import { storeText, storedText } from "../page/storage.js";
import { t } from "../page/texts.js";

const PREFIX = "kibitz-quiz-1-"; // as the version of the file
const VERSION = 1;
const KNOWN_DAYS = 21;

/**
 * Return the stored progress with a lexicon.
 * @param {string} lexicon
 * @returns {Progress}
 */
export const storedProgress = (lexicon) => parsed(storedText(PREFIX + lexicon)) ?? { version: VERSION, lexicon, cards: {} };

/**
 * Store progress; throws an Error in words if the browser cannot.
 * @param {Progress} progress
 */
export function storeProgress(progress) {
  if (!storeText(PREFIX + progress.lexicon, JSON.stringify(progress))) {
    throw new Error(t("This browser does not store your progress. Save it to a file."));
  }
}

/**
 * Return the progress of a file of `kibitz quiz`. Throws an Error in words for another text.
 * @param {string} text
 * @returns {Progress}
 */
export function readProgress(text) {
  const read = parsed(text);
  const isOne = read?.version === VERSION && typeof read.lexicon === "string" && typeof read.cards === "object" && read.cards;
  if (!isOne || !Object.values(read.cards).every(isCard)) throw new Error(t("This file is not the progress of a quiz."));
  return read;
}

/** @param {any} card */
function isCard(card) {
  const isTime = (/** @type {any} */ one) => typeof one === "string" && Number.isFinite(Date.parse(one));
  const isNumber = (/** @type {any} */ one) => typeof one === "number";
  const memory = [card?.stability, card?.difficulty];
  const isKnown = isTime(card?.last_review) ? memory.every(isNumber) : [card?.last_review, ...memory].every((one) => one === null);
  return isKnown && isTime(card.due) && [card.correct, card.incorrect, card.streak].every(Number.isInteger);
}

/**
 * Return the cards of both; of a card that both have, the one that was asked later.
 * @param {Record<string, Card>} own
 * @param {Record<string, Card>} other
 */
export function joined(own, other) {
  const cards = { ...own };
  for (const [question, card] of Object.entries(other)) {
    const known = cards[question];
    if (!known || askedAt(card) > askedAt(known)) cards[question] = card;
  }
  return cards;
}

/** @param {Card} card */
const askedAt = (card) => (card.last_review === null ? 0 : Date.parse(card.last_review));

/**
 * Return what a question asks for.
 * @param {string} question
 */
export function kindOf(question) {
  if (/^_.*_$/.test(question)) return "hooks";
  return question.endsWith("?") ? "beginnings" : "anagrams";
}

/**
 * Return the questions that were asked before and are due, the longest due first.
 * @param {Progress} progress
 * @param {string} kind "" for all
 */
export function dueQuestions({ cards }, kind) {
  const now = Date.now();
  return Object.entries(cards)
    .filter(([question, card]) => card.last_review !== null && Date.parse(card.due) <= now && (!kind || kindOf(question) === kind))
    .sort(([, one], [, other]) => Date.parse(one.due) - Date.parse(other.due))
    .map(([question]) => question);
}

/**
 * Return the questions that are there but were never asked.
 * @param {Progress} progress
 */
export const newQuestions = ({ cards }) => Object.keys(cards).filter((question) => cards[question].last_review === null);

/**
 * Count the cards: due ones, new ones, those answered right the last time, and those of them that are known for three weeks.
 * @param {Progress} progress
 */
export function countsOf(progress) {
  const learned = Object.values(progress.cards).filter(({ streak }) => streak > 0);
  return {
    due: dueQuestions(progress, "").length,
    fresh: newQuestions(progress).length,
    learned: learned.length,
    known: learned.filter(({ stability }) => (stability ?? 0) >= KNOWN_DAYS).length,
  };
}
