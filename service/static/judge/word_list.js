// A word list in the browser: its words as a graph, words read as its tiles, and verdicts on plays. Nothing here needs
// a browser.

export const MAX_WORDS = 8;

const TILE_BITS = 24; // the layout of a node is that of KWG, which /lexicons/{lexicon}/graph documents
const ENDS = 1 << 23;
const LAST = 1 << 22;
const CHILD = LAST - 1;

const SPELLED_OUT = /** @type {Record<string, string>} */ ({ ẞ: "SS", Œ: "OE", Æ: "AE", Ĳ: "IJ" });
const GEMINATED_L = /L[.\-\u2022\u2027\u2219\u22c5\u30fb]L|\u013F\u00B7?L/g; // how the Catalan tile is typed

/**
 * Return a word list of an answer of the server. Throws an Error for a graph that is cut off.
 * @param {Pick<Answers["WordGraph"], "tiles" | "graph">} answer
 * @returns {WordList}
 */
export function readWordList({ tiles, graph }) {
  const nodes = new Uint32Array(Uint8Array.from(atob(graph), (one) => one.charCodeAt(0)).buffer);
  const isWhole = nodes.length > 1 && nodes[nodes.length - 1] & LAST && nodes.every((node) => (node & CHILD) < nodes.length);
  if (!isWhole) throw new Error("the word graph is incomplete");
  const long = tiles.filter((tile) => tile.length > 1).sort((one, other) => other.length - one.length);
  return {
    nodes,
    codes: new Map(tiles.map((tile, index) => [tile, index + 1])),
    characters: new Set(tiles.join("")),
    splitter: new RegExp([...long, "."].join("|"), "gsu"),
  };
}

/**
 * Judge the words of a text as one play: every word must be in the list. Returns null for a text without words, and
 * a fault for words that the service would not judge either.
 * @param {WordList} list
 * @param {string} text
 * @returns {Judged | null}
 */
export function judged(list, text) {
  const words = text.toUpperCase().split(/[\s,;]+/).filter(Boolean);
  if (!words.length) return null;
  if (words.length > MAX_WORDS) return { fault: "too_many" };
  const read = words.map((word) => readWord(list, word));
  const stranger = read.find((word) => typeof word === "string");
  if (stranger !== undefined) return { fault: "no_tile", letter: stranger };
  const all = /** @type {number[][]} */ (read);
  if (all.some((tiles) => tiles.length < 2)) return { fault: "too_short" };
  return { words, acceptable: all.map((tiles) => isListed(list, tiles)).every(Boolean) };
}

/**
 * Return whether tiles spell a word of the list.
 * @param {WordList} list
 * @param {number[]} tiles
 */
function isListed({ nodes }, tiles) {
  let node = nodes[0];
  for (const tile of tiles) {
    let at = node & CHILD;
    while (at && nodes[at] >>> TILE_BITS !== tile) at = nodes[at] & LAST ? 0 : at + 1;
    if (!at) return false;
    node = nodes[at];
  }
  return (node & ENDS) !== 0;
}

/**
 * Return the tiles of a word in upper case, the longest first, or the first character that no tile has. As the service
 * does, it drops the accents that no tile has.
 * @param {WordList} list
 * @param {string} word
 * @returns {number[] | string}
 */
function readWord({ codes, characters, splitter }, word) {
  const upper = word.normalize("NFC");
  const text = codes.has("L·L") ? upper.replace(GEMINATED_L, "L·L") : upper;
  const tiles = text.match(splitter) ?? [];
  const spelled = tiles.every((tile) => codes.has(tile))
    ? tiles
    : ([...text].map((character) => plain(character, characters)).join("").match(splitter) ?? []);
  const stranger = spelled.find((tile) => !codes.has(tile));
  return stranger ?? spelled.map((tile) => codes.get(tile) ?? 0);
}

/**
 * Return a character without the accents that no tile has: Å with an acute accent is Å in Danish and A in French.
 * @param {string} character
 * @param {Set<string>} known those of the tiles
 */
function plain(character, known) {
  if (known.has(character)) return character;
  if (character in SPELLED_OUT) return SPELLED_OUT[character];
  const parts = [...character.normalize("NFD")];
  const base = parts.filter((part) => !/\p{M}/u.test(part)).join("");
  const accents = parts.filter((part) => /\p{M}/u.test(part));
  for (let some = [accents]; some.length; some = some.flatMap((one) => one.map((_, left) => one.filter((__, at) => at !== left)))) {
    const found = some.map((one) => (base + one.join("")).normalize("NFC")).find((letter) => known.has(letter));
    if (found) return found;
  }
  return base;
}
