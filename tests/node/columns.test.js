// The values in the list of moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./older_node.js";
import { winText } from "../../service/static/page/columns.js";

test("win% is an estimate, or the range where there is none", () => {
  assert.equal(winText({ win_pct: 48.25, win_pct_low: 48.25, win_pct_high: 48.25 }), "48.3");
  assert.equal(winText({ win_pct: 48.25, win_pct_low: 40, win_pct_high: 56 }), "48.3");
  assert.equal(winText({ win_pct: null, win_pct_low: 12.5, win_pct_high: 75 }), "13–75");
  assert.equal(winText({ win_pct: null, win_pct_low: null, win_pct_high: null }), "–");
});
