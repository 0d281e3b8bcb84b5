// Boards as they are drawn at /editor, and the files of boards and tile sets.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { boardOf, boardText, isTiles, read, rowsOf, tilesOf, tilesText, written } from "../../service/static/editor/contents.js";
import { emptyBoard, images, painted, resized, START } from "../../service/static/editor/drawing.js";

test("images of a square are those under the symmetry, each once", () => {
  const counts = { none: [1, 1], sides: [2, 1], axes: [4, 1], all: [8, 1] };
  for (const [symmetry, [several, center]] of Object.entries(counts)) {
    assert.equal(images(1, 15, symmetry).length, several, symmetry);
    assert.equal(images(112, 15, symmetry).length, center, symmetry);
    for (let index = 0; index < 100; index += 1) {
      const own = images(index, 10, symmetry);
      assert.equal(own[0], index);
      for (const one of own) assert.deepEqual(images(one, 10, symmetry).sort(), [...own].sort(), "all have the same images");
    }
  }
});

test("painting changes the squares named, and mends a row of a wrong length", () => {
  const board = painted({ rows: ["...", "..", "x..."], starts: [] }, [1, 3, 8], "T");
  assert.deepEqual(board.rows, [".T.", "T..", "x.T"]);
  const started = painted(board, [1, 4], START);
  assert.deepEqual([started.rows, started.starts], [board.rows, ["1B", "2B"]], "a start square keeps its premium");
  assert.deepEqual(painted(started, [1], START, false).starts, ["2B"]);
});

test("another size keeps what lies around the center", () => {
  const large = resized(painted(emptyBoard(11), [0, 60], "Q"), 13);
  assert.equal(large.rows.length, 13);
  assert.equal(large.rows[1][1], "Q");
  assert.equal(large.rows[6][6], "Q");
  assert.deepEqual(large.starts, ["7G"]);
  assert.deepEqual(resized(large, 11), painted(emptyBoard(11), [0, 60], "Q"));
  assert.deepEqual(resized(emptyBoard(15), 10).starts, ["6F"], "the start square moves with the center");
});

test("a file with faults shows what it can", () => {
  const board = boardOf("T.*\r\n.\u{1F600}.\r\n..Q\r\nstarts 3C 9Z\r\n");
  assert.deepEqual(board, { rows: ["T..", ".\uFFFD.", "..Q"], starts: ["3C", "1C"] });
  assert.equal(boardText(board), "T..\n.\uFFFD.\n..Q\nstarts 3C 1C\n");
  assert.equal(boardText({ rows: ["T.", ".."], starts: [] }), "T.\n..\nstarts\n", "the center is none of its own accord");
  assert.deepEqual(boardOf("T.\n  \n").rows, ["T.", "  "], "a space is a plain square");
  assert.deepEqual(boardOf(""), { rows: [""], starts: [] });
  assert.deepEqual(tilesOf("letter,count,value,is_vowel\nA,x\n\nCH, 1,5,0,0\n"), [
    { letter: "A", count: "x", value: "", vowel: false }, { letter: "", count: "", value: "", vowel: false }, { letter: "CH", count: "1", value: "5", vowel: false },
  ]);
  assert.deepEqual([isTiles("letter,count"), isTiles("T..\n")], [true, false]);
  assert.match(tilesText([{ letter: 'A,"', count: "1", value: "1", vowel: true }]), /\n"A,""",1,1,1\n$/);
});

test("the equipment of a saved game is read as it was written", () => {
  const letters = [{ letter: "?", count: 1, value: 0, is_vowel: false }, { letter: "CH", count: 2, value: 5, is_vowel: true }];
  const own = { board: { rows: emptyBoard(10).rows, starts: ["5E", "10J"] }, tile_set: letters };
  const { layout, tile_set } = written(own);
  assert.deepEqual([layout.starts, tile_set.tiles], [[[4, 4], [9, 9]], "?,1,0,0\nCH,2,5,1\n"]);
  assert.deepEqual(read(layout, tile_set), own);
  assert.deepEqual(rowsOf(letters)[1], { letter: "CH", count: "2", value: "5", vowel: true });
  const named = { board: "super21", tile_set: "english_super" };
  assert.deepEqual(read(written(named).layout, written(named).tile_set), named);
  for (const [board, tiles] of [[null, null], [{ rows: 7 }, { tiles: 7 }], [[], []]]) assert.doesNotThrow(() => read(board, tiles));
  assert.ok(read("a", { tiles: "A,999999999,1,0" }).tile_set[0].count < 100, "the bag of a wrong file is small");
});
