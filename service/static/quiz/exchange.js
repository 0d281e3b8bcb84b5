// Cards of other programs: the server reads and writes their files, which are sent in parts.

import { ask } from "../page/api.js";

const MOST = 200; // lines or cards of a request

/** The formats by the values of the menu, each with the number of lines before the cards of a written file. */
const PROGRAMS = /** @type {Record<string, {asked: {format: string, kind?: string}, head: number, file: string}>} */ ({
  zyzzyva: { asked: { format: "zyzzyva", kind: "anagrams" }, head: 1, file: "anagrams.csv" },
  "zyzzyva-hooks": { asked: { format: "zyzzyva", kind: "hooks" }, head: 1, file: "hooks.csv" },
  anki: { asked: { format: "anki" }, head: 3, file: "anki.txt" },
});

/**
 * Return progress with the cards of a file; cards that were asked keep theirs.
 * @param {Progress} progress
 * @param {string} program
 * @param {string} text
 * @returns {Promise<Progress>}
 */
export async function imported(progress, program, text) {
  const { asked } = PROGRAMS[program];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const isHead = (/** @type {string} */ line) => line.startsWith("#");
  const head = asked.format === "anki" ? lines.slice(0, lines.findIndex((line) => !isHead(line))) : lines.slice(0, 1);
  const cards = { ...progress.cards };
  for (let at = head.length; at < Math.max(lines.length, head.length + 1); at += MOST) {
    const empty = Array(at - head.length).fill(""); // so that the server names the line of the file in a fault
    const part = [...head, ...empty, ...lines.slice(at, at + MOST)].join("\n");
    const { found } = await ask(`/lexicons/${encodeURIComponent(progress.lexicon)}/cards/import`, { ...asked, text: part });
    for (const { question, card } of found.cards) if (!cards[question]?.last_review) cards[question] = card;
  }
  return { ...progress, cards };
}

/**
 * Return the cards as a file of another program, and its name.
 * @param {Progress} progress
 * @param {string} program
 */
export async function exported({ lexicon, cards }, program) {
  const { asked, head, file } = PROGRAMS[program];
  const all = Object.entries(cards).map(([question, card]) => ({ question, card }));
  let text = "";
  for (let at = 0; at < Math.max(all.length, 1); at += MOST) {
    const { found } = await ask(`/lexicons/${encodeURIComponent(lexicon)}/cards/export`, { ...asked, cards: all.slice(at, at + MOST) });
    text += at ? found.text.split("\n").slice(head).join("\n") : found.text;
  }
  return { file, text };
}
