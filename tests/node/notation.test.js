// Squares, boards, positions, moves and records: what the board and the page read and write.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { layMove, readCgp, readGame, readLayout, readRow, readValues, squareIndex, squareName } from "../../service/static/notation.js";

const EMPTY = Array(225).fill(null);

test("every square has one name, which is read in both directions", () => {
  for (const side of [15, 21, 26]) {
    for (let index = 0; index < side * side; index += 1) {
      const name = squareName(index, side);
      assert.equal(squareIndex(name, side), index);
      assert.equal(squareIndex(name.replace(/^(\d+)(.)$/, "$2$1"), side), index);
    }
  }
  for (const name of ["", "16A", "P1", "8", "H", "0A"]) assert.equal(squareIndex(name, 15), -1, name);
});

test("a row has numbers, dots, blanks and tiles of several letters", () => {
  assert.deepEqual(readRow("2a.[CH]"), [
    null, null, { letter: "A", blank: true }, null, { letter: "CH", blank: false },
  ]);
});

test("a CGP with a row of a wrong length names it", () => {
  assert.throws(() => readCgp("15/14"), /2 rows of 2 squares are expected, row 1 has 15/);
});

test("a known board is mirrored from its quarter, an unknown one is plain", () => {
  const { rows, starts } = readLayout("standard15", 15);
  assert.equal(rows.length, 15);
  assert.equal(rows[0], "T..d...T...d..T");
  assert.deepEqual(rows, [...rows].reverse());
  assert.deepEqual(starts, ["8H"]);
  assert.deepEqual(readLayout("my own", 11).rows, Array(11).fill("...........".slice(0, 11)));
  assert.deepEqual(readLayout("../.. 1A", 2), { rows: ["..", ".."], starts: ["1A"] });
});

test("points belong to letters, also of several characters", () => {
  assert.deepEqual([...readValues("A1 L·L10 ch5")], [["A", 1], ["L·L", 10], ["CH", 5]]);
});

test("a move lays tiles and names the first square that does not agree", () => {
  const { placed } = layMove(EMPTY, 15, "8G", "CAb");
  assert.deepEqual(placed.map(({ at, letter, blank }) => [at, letter, blank]), [
    ["8G", "C", false], ["8H", "A", false], ["8I", "B", true],
  ]);
  assert.match(layMove(EMPTY, 15, "8G", "C.").fault, /8H holds no tile/);
  assert.match(layMove(EMPTY, 15, "8O", "CAB").fault, /off the board/);
  assert.match(layMove(EMPTY, 15, "8?", "CAB").fault, /is no square/);
  const there = EMPTY.map((_, index) => (index === 112 ? { letter: "A", blank: false } : null));
  assert.match(layMove(there, 15, "H7", "BET").fault, /8H already holds A/);
});

test("a record is read to its end, and each faulty line is named", () => {
  const game = readGame(`#player1 ann Ann Arden
#player2 bob Bob
>ann: ABCDEFG 8H CAB +14 14
>bob: ABCDEFG I8 .E +3 3
>bob: ABCDEFG -- -3 0
>ann: XYZ -XYZ +0 14
a note
>cid: A 1A AB +2 2
>ann: DEFG I9 DE +5 20
`);
  assert.deepEqual(game.players, [{ nick: "ann", name: "Ann Arden" }, { nick: "bob", name: "Bob" }]);
  assert.deepEqual(game.turns.map(({ kind, total }) => [kind, total]), [
    ["play", 14], ["play", 3], ["taken_back", 0], ["exchange", 14], ["play", 20],
  ]);
  assert.equal(game.turns[3].note, "a note\n");
  assert.deepEqual(game.faults.map(({ line }) => line), [8, 9]);
  assert.equal(game.turns[2].tiles[squareIndex("9I", 15)], null, "the phony is taken back");
});
