// Positions, and what typing changes in them.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { addToRack, eraseBack, lay, letterOf, turn } from "../../service/static/page/editing.js";
import {
  emptyPosition, isGcg, rackText, rackTiles, readCgp, readHash, readPasted, squareIndex, typedTiles, without, writeCgp,
} from "../../service/static/page/position.js";
import { changedFields, state, subscribe, update } from "../../service/static/page/state.js";

const CGP = "15/15/15/15/15/15/15/7CA[L·L]b4/15/15/15/15/15/15/15 [L·L]A?/B 12/34 1";
const letters = [..."?ABCDEFGHIJKLMNOPQRSTUVWXYZ", "CH"].map((letter) => ({ letter, count: 1, value: 1 }));
update({ lexicons: [{ id: "words", tile_set: "mine" }], tileSets: new Map([["mine", letters]]), settings: { lexicon: "words", board: "standard15" } });

const cursorAt = (name, down = false) => ({ index: squareIndex(name, 15), down });
const typing = (changes = {}) => ({ ...state, position: emptyPosition(15), cursor: cursorAt("8H"), ...changes });

/** Type letters one after the other; return the state after the last. */
function typed(text, now = typing()) {
  for (const letter of text) now = { ...now, ...lay(now, letter, false) };
  return now;
}

const word = (now, at, step = 1) => {
  let text = "";
  for (let index = squareIndex(at, 15); now.position.tiles[index]; index += step) text += now.position.tiles[index].letter;
  return text;
};

test("a position that is read is written as it was", () => {
  assert.equal(writeCgp(readCgp(CGP).position), CGP);
  assert.deepEqual(readCgp(`${CGP} lex SCOWL80; bdn super21;`).settings, { lexicon: "scowl80", board: "super21" });
});

test("a link, a CGP and rows are read, and what is none is named", () => {
  assert.deepEqual(readHash(encodeURIComponent(CGP)).position, readCgp(CGP).position);
  assert.deepEqual(readPasted(`https://a.example/#${new URLSearchParams({ cgp: CGP, lexicon: "words" })}`).settings, {
    rules: "", lexicon: "words", board: undefined,
  });
  assert.equal(readPasted(`${"...............\n".repeat(14)}..............A`).position.tiles.at(-1).letter, "A");
  assert.throws(() => readPasted("hello"), /This is not a position/);
  assert.throws(() => readCgp(`${"15/".repeat(14)}14 A/ 0/0 0`), /Row 15 has 14 squares, but the board has 15 rows/);
  assert.ok(isGcg("#player1 a A\n>a: ABC 8H CAB +1 1"));
  assert.ok(isGcg(JSON.stringify({ players: [], events: [] })));
  assert.ok(!isGcg(CGP));
});

test("racks have tiles of several characters in brackets", () => {
  assert.deepEqual(rackTiles("[ch]A?"), ["CH", "A", "?"]);
  assert.deepEqual(typedTiles("CHA", ["CH", "A"]), ["CH", "A"]);
  assert.equal(rackText(["CH", "A"]), "[CH]A");
  assert.deepEqual(without(["A", "B", "A"], ["A", "C"]), ["B", "A"]);
});

test("letters are typed across and down, and Backspace takes the last one away", () => {
  const across = typed("CAB");
  assert.equal(word(across, "8H"), "CAB");
  const down = typed("CAB", typing({ cursor: cursorAt("8H", true) }));
  assert.equal(word(down, "8H", 15), "CAB");
  const erased = { ...across, ...eraseBack(across) };
  assert.equal(word(erased, "8H"), "CA");
  assert.deepEqual(erased.cursor, cursorAt("8J"));
  assert.equal(turn(typing()).cursor.down, true);
});

test("at the edge no letter is lost in silence", () => {
  const full = typed("AB", typing({ cursor: cursorAt("8N") }));
  assert.equal(full.cursor.past, true);
  assert.match(lay(full, "X", false).loud, /X was not laid/);
});

test("two letters become a tile that the set has", () => {
  assert.deepEqual(typed("CH").position.tiles[squareIndex("8H", 15)], { letter: "CH", blank: false });
  assert.equal(word(typed("CAH"), "8H"), "CAH");
});

test("a tried move takes tiles of the rack, then a blank, then none", () => {
  const position = { ...emptyPosition(15), racks: ["AB?", ""] };
  const now = typed("AC", typing({ mode: "try", position, trial: [] }));
  assert.deepEqual(now.trial.map(({ at, letter, blank }) => [at, letter, blank]), [["8H", "A", false], ["8I", "C", true]]);
  assert.equal(typed("Z", now).trial.length, 2);
});

test("accents are dropped where the tile set has none", () => {
  assert.equal(letterOf("é", ["E"]), "E");
  assert.equal(letterOf("ñ", ["N", "Ñ"]), "Ñ");
  assert.equal(letterOf("7", ["E"]), null);
});

test("a rack holds seven tiles", () => {
  const full = typing({ position: { ...emptyPosition(15), racks: ["ABCDEFG", ""] } });
  const { position, loud } = addToRack(full, ["H"]);
  assert.equal(position.racks[0], "ABCDEFG");
  assert.match(loud, /The rack is full/);
  const pair = addToRack(typing({ position: { ...emptyPosition(15), racks: ["C", ""] } }), ["H"], true);
  assert.equal(pair.position.racks[0], "[CH]");
});

test("a listener hears of each change once, and sees which fields differ", () => {
  const changed = changedFields();
  const heard = [];
  const stop = subscribe((now) => { heard.push(changed({ heard: now.heard, notice: now.notice })); });
  update({ heard: "a" });
  update({ heard: "a" });
  update({ notice: "b" });
  stop();
  update({ notice: "c" });
  assert.deepEqual(heard, [["heard", "notice"], [], ["notice"]]);
});
