// The table of a page of its own: a board and a rack on which a move is laid, and the buttons below them.

import "../kibitz-board.js";
import { ask, onWait } from "../page/api.js";
import { startBoard } from "../page/board.js";
import { byId, keepFocus, toolButton } from "../page/dom.js";
import { startDrag } from "../page/drag.js";
import { startFaults } from "../page/faults.js";
import { shuffleRack, startKeyboard, startRack } from "../page/rack.js";
import { startScenes } from "../page/scene.js";
import { state, subscribe, update } from "../page/state.js";
import { t } from "../page/texts.js";
import { usableLists } from "../page/word_lists.js";

/** Build the table and what shows faults and notices. Texts must be loaded. */
export function startTable() {
  keepFocus();
  startFaults(byId("alert"), byId("status"), byId("heard"));
  startRack(byId("rackbox"));
  byId("actions").append(
    toolButton(t("Shuffle the rack"), "shuffle", shuffleRack, { id: "shuffle" }),
    toolButton(t("Tile keyboard"), "keys", () => update({ keyboard: !state.keyboard, isDeviceKeyboard: false, keyTarget: "board" }), { id: "keys" }),
    toolButton(t("Take the tiles back"), "undo", () => update({ trial: [] }), { id: "clearlaid" }));
  startKeyboard(byId("keyboard"));
  startBoard(byId("board"), byId("typing"));
  startDrag(byId("board"), byId("rackbox"));
  startScenes();
  onWait((waiting) => update({ waiting, notice: "" }));
  subscribe((now) => { byId("clearlaid").hidden = now.trial.length === 0; });
}

/**
 * Ask for what the server offers, as the part of the state that it is.
 * @returns {Promise<Partial<State>>}
 */
export async function askForLists() {
  const [boards, lexicons, tileSets] = await Promise.all([ask("/boards"), ask("/lexicons"), ask("/tile-sets")]);
  return {
    boards: boards.found.boards, lexicons: usableLists(lexicons.found.lexicons), isReady: true,
    tileSets: new Map(tileSets.found.tile_sets.map((set) => [set.id, set.letters])),
  };
}
