// The values in the list of moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { winText } from "../../service/static/page/columns.js";

test("a running pre-endgame shows what it has found, not the win% of the table", () => {
  const before = { win_pct: 48.25, win_pct_low: 48.25, win_pct_high: 48.25, sim: null };
  assert.equal(winText({ ...before, preendgame: null }), "48.3");
  assert.equal(winText({ ...before, preendgame: { win_pct: null, lower: 12.5, upper: 75 } }), "13–75");
  assert.equal(winText({ ...before, preendgame: { win_pct: 25, lower: 0, upper: 100 } }), "25.0");
});
