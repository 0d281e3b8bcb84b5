// The cards of a quiz: those that are due, then new ones, with their answers.

import { ask } from "../page/api.js";
import { dueQuestions, newQuestions } from "./progress.js";

const MOST = 50; // words or questions of a request

/**
 * What the choices ask for: `kind` of the cards, and the search that finds the words of new ones; `lengths`: if a person
 * may say more about the words, the lengths to begin with.
 * @type {Record<string, {kind: string, search?: Record<string, unknown>, lengths?: [number, number]}>}
 */
export const CHOICES = {
  twos: { kind: "beginnings", search: { max_length: 2 } },
  threes: { kind: "beginnings", search: { min_length: 3, max_length: 3 } },
  hooks: { kind: "hooks", search: {}, lengths: [2, 3] },
  anagrams: { kind: "anagrams", search: {}, lengths: [7, 7] },
  review: { kind: "" },
};

/**
 * Return the cards to ask: those that are due, the longest due first, and then new ones.
 * @param {Progress} progress
 * @param {keyof typeof CHOICES} choice
 * @param {Record<string, unknown>} words the conditions of a search
 * @param {number} most new cards
 * @returns {Promise<{due: FlashCard[], fresh: FlashCard[]}>}
 */
export async function deckOf(progress, choice, words, most) {
  const { kind, search, lengths } = CHOICES[choice];
  const due = await answered(progress, dueQuestions(progress, kind));
  if (!search) return { due, fresh: await answered(progress, newQuestions(progress).slice(0, most)) };
  return { due, fresh: await newCards(progress, { kind, ...search, ...(lengths ? words : {}) }, most) };
}

/**
 * Return the cards of questions; without those that no word answers any more.
 * @param {Progress} progress
 * @param {string[]} questions
 */
async function answered({ lexicon }, questions) {
  /** @type {FlashCard[]} */
  const cards = [];
  for (let at = 0; at < questions.length; at += MOST) {
    const { found } = await ask(pathOf(lexicon), { questions: questions.slice(at, at + MOST) });
    cards.push(...found.cards.filter(({ answers }) => answers.length));
  }
  return cards;
}

/**
 * Return the first cards of a search that were never asked.
 * @param {Progress} progress
 * @param {Record<string, unknown>} search
 * @param {number} most
 */
async function newCards({ lexicon, cards }, search, most) {
  /** @type {Map<string, FlashCard>} */
  const fresh = new Map();
  /** @type {string | null} */
  let cursor = null;
  do {
    /** @type {Found<`/lexicons/${string}/cards`>} */
    const found = (await ask(pathOf(lexicon), { ...search, limit: MOST, ...(cursor && { cursor }) })).found;
    for (const card of found.cards) if (!cards[card.question]?.last_review) fresh.set(card.question, card);
    cursor = found.cursor;
  } while (cursor && fresh.size < most);
  return [...fresh.values()].slice(0, most);
}

/** @param {string} lexicon @returns {`/lexicons/${string}/cards`} */
const pathOf = (lexicon) => `/lexicons/${encodeURIComponent(lexicon)}/cards`;
