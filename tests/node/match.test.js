// A game that is played on the page, and its record.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { readGame } from "../../service/static/notation.js";
import { writeGcg } from "../../service/static/page/gcg.js";
import {
  begun, challengeable, charged, isContested, newGame, overtimePoints, settled, standOf, takenBack, tilesOf, withBonus, withTurn,
} from "../../service/static/page/match.js";

const TILES = [{ letter: "?", count: 2, value: 0 }, ...[..."ABCDEFGHIJ"].map((letter) => ({ letter, count: 3, value: 1 }))];
const PLAN = {
  seats: [{ name: "Ann Arden", level: null }, { name: "Level 3", level: 3 }],
  settings: { lexicon: "words", board: "standard15", tile_set: "mine" },
  rules: {}, allow_phonies: true, time: { per_game: null, per_move: null, overtime: "points" }, seed: 1,
};
const begin = (changes = {}) => begun({ ...PLAN, ...changes }, ["ABCDEFG", "ABCDEF?"], [..."HIJ"], 15);

/** Return what the server says of a move of the player on turn: the other one is first now. */
const answer = (move, score, { over = null, scores = [0, score] } = {}) => ({
  move: { kind: "play", move, score }, drawn: "HI", over,
  next: {
    cgp: "15/15/15/15/15/15/15/7CAB5/15/15/15/15/15/15/15 ABCDEF?/DEFGHI 0/7 0", bag: "J", passes: 0, time_left: null,
    players: [{ score: scores[0], rack: "ABCDEF?" }, { score: scores[1], rack: "DEFGHI" }],
  },
});
const end = (players) => ({
  reason: "went_out",
  players: players.map(([final, adjustment, left]) => ({ final, adjustment, penalty: 0, left, rank: 1 })),
});

test("the tiles of a new game are dealt, and each is there once", () => {
  const game = newGame(PLAN, tilesOf(TILES), 15);
  const { racks, bag } = standOf(game);
  assert.deepEqual(racks.map((rack) => rack.length), [7, 7]);
  assert.deepEqual([...racks.join("") + bag].sort(), [...tilesOf(TILES)].sort());
});

test("a turn of the server is a step, in the order of the seats", () => {
  const game = withTurn(begin(), answer("8H CAB", 7), 3);
  const { onTurn, scores, racks } = standOf(game);
  assert.deepEqual([onTurn, scores, racks], [1, [7, 0], ["DEFGHI", "ABCDEF?"]]);
  assert.equal(challengeable(game)?.move, "8H CAB");
  assert.equal(challengeable({ ...game, allow_phonies: false }), null);
});

test("the last move of a person is taken back, but not with a clock", () => {
  const game = withTurn(begin(), answer("8H CAB", 7), 3);
  assert.equal(takenBack(game)?.steps.length, 0);
  assert.equal(takenBack(begin()), null);
  assert.equal(takenBack({ ...game, time: { ...PLAN.time, per_game: 60 } }), null);
});

test("a clock runs for the player on turn, and overtime costs points for each minute begun", () => {
  const game = begin({ time: { per_game: 60, per_move: 20, overtime: "points" } });
  assert.deepEqual(charged(game, standOf(game), 12.5), [47.5, 60]);
  assert.deepEqual(charged(game, standOf(game), 99), [40, 60]);
  assert.deepEqual([1, 0, -1, -60, -61].map((left) => overtimePoints(game, left)), [0, 0, 10, 10, 20]);
});

test("a challenge in vain gives points, and one may lose the game", () => {
  const stand = standOf(withTurn(begin(), answer("8H CAB", 7), 3));
  const paid = withBonus(stand, 0, 5);
  assert.deepEqual(paid.scores, [12, 0]);
  assert.equal(paid.cgp.split(" ")[2], "0/12");
  assert.deepEqual(settled(begin(), stand, 0).over?.ranks, [2, 1]);
});

test("a record of the game is read as it was played", () => {
  const over = end([[0, -4, "ABCD"], [11, 4, ""]]);
  const game = withTurn(begin(), answer("8H CAB", 7, { over }), 3);
  const text = writeGcg(game, TILES);
  assert.match(text, /^#player1 Ann_Arden Ann Arden$/m);
  const read = readGame(text);
  assert.deepEqual(read.faults, []);
  assert.deepEqual(read.players.map(({ name }) => name), ["Ann Arden", "Level 3"]);
  assert.equal(read.turns[0].move, "8H CAB");
});

test("a computer player answers the last play of a person only where it may be challenged", () => {
  const game = withTurn(begin(), answer("8H CAB", 7), 3);
  assert.ok(isContested(game));
  assert.ok(!isContested({ ...game, allow_phonies: false }), "under the void rule there is nothing to challenge");
  assert.ok(!isContested({ ...game, seats: [...PLAN.seats].reverse() }), "a computer player lays no phony");
  assert.ok(!isContested(begin()));
});
