// Plays are judged in the browser, by a word list as the server sends it.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { judged, readWordList } from "../../service/static/judge/word_list.js";

const ENGLISH = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const SPANISH = [..."ABC", "CH", ..."DEFGHIJL", "LL", ..."MNÑOPQR", "RR", ..."STUVXYZ"];
const CATALAN = [..."ABCÇDEFGHIJL", "L·L", ..."MN", "NY", ..."OP", "QU", ..."RSTUVXZ"];

/**
 * Return the answer of the server for some words, each a list of tiles; equal endings stand more than once.
 * @param {string[]} tiles
 * @param {string[][]} words
 */
function answerOf(tiles, words) {
  const nodes = [0, 0];
  const below = (/** @type {number[][]} */ rest) => {
    const firsts = [...new Set(rest.filter((word) => word.length).map(([first]) => first))].sort((one, other) => one - other);
    const start = nodes.length;
    nodes.push(...firsts);
    firsts.forEach((first, place) => {
      const after = rest.filter((word) => word[0] === first).map((word) => word.slice(1));
      const ends = after.some((word) => !word.length) ? 1 << 23 : 0;
      const last = place === firsts.length - 1 ? 1 << 22 : 0;
      nodes[start + place] = (first << 24) | ends | last | below(after);
    });
    return firsts.length ? start : 0;
  };
  nodes[0] = below(words.map((word) => word.map((tile) => tiles.indexOf(tile) + 1))) | (1 << 22);
  nodes[1] = 1 << 22;
  return { tiles, graph: Buffer.from(new Uint32Array(nodes).buffer).toString("base64") };
}

/** @param {string[]} tiles @param {string[][]} words */
const listOf = (tiles, words) => readWordList(answerOf(tiles, words));
const english = listOf(ENGLISH, ["CAB", "CABS", "QI", "ZAX", "AB", "STRASSE"].map((word) => [...word]));

test("a play is acceptable if all its words are in the list", () => {
  assert.deepEqual(judged(english, " qi Cab\nzax "), { words: ["QI", "CAB", "ZAX"], acceptable: true });
  for (const text of ["qi cabz", "CA", "cabss", "zz zz", "qi zax ca cab", "ZA"]) {
    assert.equal(/** @type {any} */ (judged(english, text)).acceptable, false, text);
  }
});

test("a verdict says nothing of single words", () => {
  const [first, last] = ["xx qi", "qi xx"].map((text) => /** @type {any} */ (judged(english, text)));
  assert.deepEqual(Object.keys(first), ["words", "acceptable"]);
  assert.deepEqual([first.acceptable, last.acceptable], [false, false]);
});

test("what the service does not judge is a fault", () => {
  assert.equal(judged(english, " \n ,; "), null);
  assert.deepEqual(judged(english, "qi ".repeat(9)), { fault: "too_many" });
  assert.deepEqual(judged(english, "qi c4b"), { fault: "no_tile", letter: "4" });
  assert.deepEqual(judged(english, "qi a"), { fault: "too_short" });
  assert.equal(/** @type {any} */ (judged(english, "qi ".repeat(8))).acceptable, true);
  for (const text of ["\ud800\ud800", "[CH]", "\u0301", "\u{1f600}x", "constructor"]) judged(english, text);
});

test("words are read as tiles, the longest first", () => {
  const spanish = listOf(SPANISH, [["CH", "I", "C", "O"], ["C", "A", "LL", "E"], ["A", "Ñ", "O"], ["C", "A", "M", "I", "O", "N"]]);
  for (const text of ["chico", "CALLE", "año", "an\u0303o", "camión", "CAMIO\u0301N"]) {
    assert.equal(/** @type {any} */ (judged(spanish, text)).acceptable, true, text);
  }
  assert.equal(/** @type {any} */ (judged(spanish, "ano")).acceptable, false);
  assert.deepEqual(judged(spanish, "wok"), { fault: "no_tile", letter: "W" });
  const catalan = listOf(CATALAN, [["C", "E", "L·L", "A"], ["A", "NY"], ["QU", "E"]]);
  for (const text of ["cel·la", "cel.la", "cel-la", "ce\u0140la", "any", "què"]) {
    assert.equal(/** @type {any} */ (judged(catalan, text)).acceptable, true, text);
  }
  assert.deepEqual(judged(catalan, "iraq"), { fault: "no_tile", letter: "Q" });
});

test("accents that no tile has are dropped, and ligatures are spelled out", () => {
  assert.equal(/** @type {any} */ (judged(english, "càb straße")).acceptable, true);
  const danish = listOf([...ENGLISH, "Æ", "Ø", "Å"], [["Å", "L"], ["Æ", "G"]]);
  for (const text of ["ål", "\u01fbl", "æg", "ǽg"]) assert.equal(/** @type {any} */ (judged(danish, text)).acceptable, true, text);
});

test("a graph that is cut off is refused", () => {
  const { tiles, graph } = answerOf(ENGLISH, [["A", "B"], ["A", "C"]]);
  const bytes = Buffer.from(graph, "base64");
  for (const cut of [0, 4, 8, 12, 13, 16]) {
    assert.throws(() => readWordList({ tiles, graph: bytes.subarray(0, cut).toString("base64") }), undefined, String(cut));
  }
  assert.throws(() => readWordList({ tiles, graph: "%" }));
});
