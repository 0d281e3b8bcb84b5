// Links that hold a game.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { readGame, writeGame } from "../../service/static/page/links.js";

// As games.js reads a file: a character for each byte, those above 127 in the private area of Unicode.
const BYTES = Array.from({ length: 600 }, (_, at) => at % 256);
const RECORD = String.fromCharCode(...BYTES.map((byte) => (byte < 128 ? byte : 0xf700 + byte)));

test("a link holds the bytes of the record, the turn and the word list", async () => {
  const hash = await writeGame({ record: RECORD, turn: 12, lexicon: "a+b c" });
  assert.match(hash, /^#g=[\w-]+&turn=12&lexicon=/);
  const { file, turn, lexicon } = await readGame(hash.slice(1));
  assert.deepEqual([...new Uint8Array(await file.arrayBuffer())], BYTES);
  assert.deepEqual([turn, lexicon], [12, "a+b c"]);
});

test("a turn that is none is the first", async () => {
  const hash = (await writeGame({ record: RECORD, turn: 1, lexicon: "" })).slice(1);
  for (const [written, read] of [["-3", 1], ["", 1], ["x", 1], ["1e999", Infinity], ["2.9", 2], ["\ud800", 1]]) {
    assert.equal((await readGame(hash.replace("turn=1", `turn=${written}`))).turn, read);
  }
});

test("what is no game, cut off, or too long is refused", async () => {
  const hash = (await writeGame({ record: RECORD, turn: 1, lexicon: "" })).slice(1);
  const bomb = (await writeGame({ record: "\0".repeat(5_000_000), turn: 1, lexicon: "" })).slice(1);
  assert(bomb.length < 10_000);
  const empty = (await writeGame({ record: "", turn: 1, lexicon: "" })).slice(1);
  for (const text of ["g=", "g=%", "g=AAAA", "g=\ud800", "cgp=15", hash.slice(0, 40), bomb, empty]) await assert.rejects(readGame(text), text.slice(0, 60));
});
