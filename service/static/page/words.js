// The panel Words: judge words as a tournament does, look one up, count the unseen tiles, see what a rack may hold and
// what to keep of the own one, take a hint.

import { inOrder } from "./api.js";
import { number, signed } from "./columns.js";
import { button, byId, make } from "./dom.js";
import { complain, clearFault } from "./faults.js";
import { hintBox } from "./hints.js";
import { moveOf } from "./move_text.js";
import { squareIndex } from "./position.js";
import { changedFields, positionFields, state, subscribe, tileSetOf, tilesLeft } from "./state.js";
import { shownNumber, t, tn } from "./texts.js";

const MAX_WORDS = 8;
const MORE = 0.02; // than by chance: what is less is not listed
const MOST = 6;

/** @param {HTMLElement} panel */
export function startWords(panel) {
  panel.classList.add("words");
  const hints = hintBox(() => state.position.racks[0] !== "" && !state.scene);
  panel.append(
    judge(), lookUp(), unseen(), bestLeaves(), theirTiles(),
    make("section", { "aria-label": t("Hints"), className: "card" }, make("h2", {}, t("Hints for this position")),
      make("p", { className: "dim" }, t("About the best move of the position on the board, a little more with each.")), hints));
}

/** The judge: one verdict for all words, never which of them failed. */
function judge() {
  const [input, result] = ["judged", "ruling"].map(byId);
  const askInOrder = inOrder();
  const wordsOf = () => input.value.toUpperCase().split(/[\s,;]+/).filter(Boolean);
  const go = async () => {
    const words = wordsOf();
    if (!words.length) return;
    if (words.length > MAX_WORDS) {
      result.replaceChildren(make("p", {}, t("At most {count} words are judged at once.", { count: MAX_WORDS })));
      return;
    }
    const { lexicon } = state.settings;
    try {
      const { found } = await askInOrder("/words/judge", { words, lexicon });
      if (lexicon !== state.settings.lexicon || wordsOf().join() !== words.join()) return;
      result.replaceChildren(
        make("p", { className: "echo" }, ...words.map(chip)),
        make("p", { className: found.acceptable ? "ruled yes" : "ruled no" }, found.acceptable ? t("✓ The play is acceptable") : t("✕ The play is not acceptable")),
        make("p", { className: "dim" }, tn("{count} word judged with {lexicon}", "{count} words judged with {lexicon}", found.word_count, { lexicon: found.lexicon.id })));
    } catch (error) {
      complain(error, go);
    }
  };
  return form("judging", input, go, result);
}

/**
 * Let a form ask, and return its section; a result or fault is removed when something else is asked; another word list
 * answers anew.
 * @param {string} id
 * @param {HTMLElement} input
 * @param {() => void} go
 * @param {any} result
 */
function form(id, input, go, result) {
  const clear = () => { result.replaceChildren(); clearFault(go); };
  input.addEventListener("input", clear);
  subscribe((now, before) => {
    if (now.settings.lexicon === before.settings.lexicon) return;
    const wasAsked = result.hasChildNodes();
    clear();
    if (wasAsked) go();
  });
  const section = byId(id);
  section.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); clearFault(go); go(); });
  return section;
}

/** One word: whether it is valid, its points, hooks and anagrams. */
function lookUp() {
  const [input, result] = ["word", "wordreport"].map(byId);
  const askInOrder = inOrder();
  const go = async () => {
    const word = input.value.trim();
    const { lexicon } = state.settings;
    if (!word) return;
    try {
      const { found } = await askInOrder(`/lexicons/${encodeURIComponent(lexicon)}/words/${encodeURIComponent(word)}`);
      if (lexicon === state.settings.lexicon && input.value.trim() === word) draw(found);
    } catch (error) {
      complain(error, go);
    }
  };
  const draw = (/** @type {Answers["WordReport"]} */ found) => {
    const inner = [found.inner_hooks.front ? t("without its first letter") : "", found.inner_hooks.back ? t("without its last letter") : ""].filter(Boolean);
    const facts = /** @type {[string, (Node | string)[]][]} */ ([
      [t("Front hooks"), letters(found.front_hooks)], [t("Back hooks"), letters(found.back_hooks)],
      [t("Also a word"), inner.length ? [inner.join(", ")] : ["–"]],
      [t("Anagrams"), found.anagrams.length ? found.anagrams.map((one) => button(one, () => { input.value = one; go(); }, { className: "chip" })) : ["–"]],
    ]);
    result.replaceChildren(
      make("p", { className: found.valid ? "ruled yes" : "ruled no" }, found.valid ? t("✓ {word} is a word", found) : t("✕ {word} is not a word", found), " ",
        make("span", { className: "dim" }, tn("{count} point", "{count} points", found.score))),
      pairs(facts));
  };
  return form("lookingup", input, go, result);
}

/** @param {string[]} all */
const letters = (all) => (all.length ? all.map(chip) : ["–"]);

/** @param {string} text */
const chip = (text) => make("span", { className: "chip" }, text);

/** The tiles that are neither on the board nor on a rack that is known. */
function unseen() {
  const body = make("div", {});
  const section = make("section", { className: "card", "aria-label": t("Unseen tiles") }, make("h2", {}, t("Unseen tiles")), body);
  const changed = changedFields();
  subscribe((now) => {
    const { position, settings: { lexicon }, tileSets, isReady } = now;
    if (now.panel !== "words" || !changed({ position, lexicon, tileSets, isReady }).length) return;
    const groups = unseenTiles(now);
    body.replaceChildren(
      make("p", { className: "dim" }, tn("{count} tile is unseen", "{count} tiles are unseen", groups.total)),
      ...groups.groups.map(({ name, count, tiles }) => make("div", { className: "group" },
        make("h3", {}, name, " ", make("span", { className: "dim" }, shownNumber(count))),
        make("ul", {}, ...tiles.map(({ letter, left }) => make("li", { className: left ? "" : "gone", "aria-label": `${letter === "?" ? t("blank") : letter}: ${shownNumber(left)}` },
          make("span", { className: "tile" }, letter === "?" ? "" : letter), make("span", { className: "left" }, String(left))))))),
      ...(groups.tooMany.length ? [make("p", { className: "wrong" }, t("More than the set has: {tiles}", { tiles: groups.tooMany.join(" ") }))] : []));
  });
  return section;
}

/**
 * Return the unseen tiles by group, and the letters that the position has more often than the set.
 * @param {State} now
 */
function unseenTiles(now) {
  const set = tileSetOf(now);
  const left = tilesLeft(now);
  const group = (/** @type {string} */ name, /** @type {(letter: Letter) => boolean} */ isIn) => {
    const tiles = set.filter((one) => one.count > 0 && isIn(one)).map(({ letter }) => ({ letter, left: Math.max(left.get(letter) ?? 0, 0) }));
    return { name, tiles, count: tiles.reduce((sum, one) => sum + one.left, 0) };
  };
  const groups = [
    group(t("Vowels"), ({ letter, is_vowel: isVowel }) => isVowel && letter !== "?"),
    group(t("Consonants"), ({ letter, is_vowel: isVowel }) => !isVowel && letter !== "?"),
    group(t("Blanks"), ({ letter }) => letter === "?"),
  ].filter(({ tiles }) => tiles.length);
  return {
    groups, total: groups.reduce((sum, { count }) => sum + count, 0),
    tooMany: [...left].filter(([, count]) => count < 0).map(([letter]) => letter),
  };
}

/**
 * Return a card that shows an answer about the position; the server is asked while the panel is in view.
 * @template {"/leaves" | "/opponent-rack"} Path
 * @param {string} title
 * @param {Path} path
 * @param {(now: State) => object | null} questionOf
 * @param {(found: Found<Path>) => HTMLElement[]} draw
 */
function answered(title, path, questionOf, draw) {
  const body = make("div", {});
  const section = make("section", { className: "card", "aria-label": title, hidden: true }, make("h2", {}, title), body);
  const askInOrder = inOrder();
  let asked = "null";
  const go = async () => {
    const mine = asked;
    try {
      const { found } = await askInOrder(path, JSON.parse(mine));
      if (mine !== asked) return;
      body.replaceChildren(...draw(found));
      section.hidden = !body.hasChildNodes();
    } catch (/** @type {any} */ error) {
      if (error.kind !== "refused") complain(error, go); // the list of moves says what is wrong with the position
    }
  };
  subscribe((now) => {
    if (now.panel !== "words" || !now.isReady) return;
    const question = JSON.stringify(questionOf(now));
    if (question === asked) return;
    asked = question;
    section.hidden = true;
    if (question !== "null") go();
  });
  return section;
}

/** The best leave of the rack for each number of tiles. */
const bestLeaves = () => answered(t("Best leaves"), "/leaves",
  (now) => (now.position.racks[0] ? { ...positionFields(now), racks: [now.position.racks[0]] } : null),
  ({ racks: [{ rack, leaves: all }] }) => {
    const best = [1, 2, 3, 4, 5, 6].flatMap((n) => all.filter((one) => one.tile_count === n && one.leave !== rack && one.value !== null)
      .sort((one, other) => (other.value ?? 0) - (one.value ?? 0)).slice(0, 1));
    return best.length ? [pairs(best.map(({ tile_count: n, leave, value }) => [tn("{count} tile", "{count} tiles", n), [chip(leave), ` ${signed(value ?? 0)}`]]))] : [];
  });

/** What the last move, whose tiles are marked, says of the opponent's rack. */
const theirTiles = () => answered(t("The opponent's rack"), "/opponent-rack", (now) => {
  const move = lastMove(now);
  const fields = positionFields(now);
  return move ? { ...fields, cgp: `${fields.cgp} lm ${move};` } : null;
}, ({ last_move: move, tiles, leaves }) => {
  const percent = (/** @type {number} */ share) => `${number(100 * share, 0)}\xa0%`;
  const often = tiles.filter(({ share, by_chance: chance }) => share - chance > MORE).slice(0, MOST);
  return [
    make("p", { className: "dim" }, often.length ? t("More probable after {move} than by chance:", { move }) : t("{move} says nothing of the rack.", { move })),
    pairs(often.map(({ tile, share, by_chance: chance }) => [tile, [t("{share}, by chance {chance}", { share: percent(share), chance: percent(chance) })]])),
    ...(leaves.length ? [make("p", {}, t("Leaves:"), " ", ...leaves.slice(0, MOST).flatMap(({ tiles: leave, share }) => [chip(leave), `${percent(share)} `]))] : []),
  ];
});

/** @param {[string, (Node | string)[]][]} all */
const pairs = (all) => make("dl", { className: "pairs" }, ...all.map(([name, what]) => make("div", {}, make("dt", {}, name), make("dd", {}, ...what))));

/**
 * Return the play whose tiles are marked as the last ones, null without one.
 * @param {State} now
 */
function lastMove({ position, played }) {
  const tiles = [...position.tiles];
  const placed = played.flatMap((at) => {
    const index = squareIndex(at, position.side);
    const tile = tiles[index];
    tiles[index] = null;
    return tile ? [{ at, ...tile }] : [];
  });
  return moveOf({ ...position, tiles }, placed);
}
