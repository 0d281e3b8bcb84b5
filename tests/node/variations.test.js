// The tree of moves from a turn of a record on.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { pathTo, withPlay } from "../../service/static/page/variations.js";

const cgp = (board, rack = "", scores = "0/0") => `${board} ${rack}/ ${scores} 0`;
const play = (before, after, move) => ({ before, after, move, score: 10 });
const START = cgp("start", "ABC");
const first = play(START, cgp("one", "DEF", "0/10"), "8H AB");
const second = play(cgp("one", "XYZ", "0/10"), cgp("two", "", "10/10"), "9H DE"); // another rack was typed
const other = play(START, cgp("other", "", "0/10"), "8H BA");
const tree = [first, second, other].reduce(withPlay, { record: "", at: 3, start: START, plays: [] });

test("a way leads to each position of the tree, whatever its rack", () => {
  assert.deepEqual(pathTo(tree, cgp("start", "Q")), []);
  assert.deepEqual(pathTo(tree, cgp("two", "Q", "10/10")), [first, second]);
  assert.deepEqual(pathTo(tree, cgp("other", "", "0/10")), [other]);
  assert.equal(pathTo(tree, cgp("two", "Q", "11/10")), null);
});

test("a play is added once, and only to a position of the tree", () => {
  assert.equal(withPlay(tree, { ...first, before: cgp("start") }), tree);
  assert.equal(withPlay(tree, play(cgp("elsewhere"), cgp("one"), "1A X")), tree);
});

test("plays that go round in a circle have no end and are no way", () => {
  const round = { start: START, plays: [play(cgp("a"), cgp("b"), "-"), play(cgp("b"), cgp("a"), "-")] };
  assert.equal(pathTo(round, cgp("a")), null);
});
