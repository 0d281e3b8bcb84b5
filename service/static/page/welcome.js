// What an empty board offers: an example, a game, a record, or a position to type.

import { ask } from "./api.js";
import { byId, isTouched } from "./dom.js";
import { complain } from "./faults.js";
import { commit } from "./history.js";
import { newGame, standAfter, tilesOf } from "./match.js";
import { readCgp } from "./position.js";
import { layoutOf, state, subscribe, tileSetOf, update } from "./state.js";
import { t } from "./texts.js";

const LEVEL = 10;
const TURNS = 6;

/**
 * Return the box that an empty board shows.
 * @returns {HTMLElement}
 */
export function welcome() {
  const open = (/** @type {string} */ panel, /** @type {string} */ first) => () => {
    update({ panel });
    document.querySelector(/** @type {"button"} */ (first))?.focus();
  };
  const acts = { example, opengame: open("games", "#gcgfile + button"), playgame: open("play", "#begin"), typeposition: type };
  for (const [id, act] of Object.entries(acts)) byId(id).addEventListener("click", act);
  const box = byId("welcome");
  subscribe(({ isReady, scene, position: { tiles, racks: [rack] } }) => {
    box.hidden = !isReady || scene !== "" || rack !== "" || tiles.some(Boolean);
  });
  return box;
}

/** Show a position of a game that two computer players have just begun, with any word list and board. */
async function example() {
  const { settings, position: before } = state;
  const layout = layoutOf(state);
  const seat = { name: "", level: LEVEL };
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  if (!layout) return;
  try {
    let { start: stand } = newGame({
      seats: [seat, seat], settings, rules: {}, allow_phonies: false, time: { per_game: null, per_move: null, overtime: "points" }, seed,
    }, tilesOf(tileSetOf(state)), layout.side);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const { cgp, bag, passes } = stand;
      stand = standAfter(stand, (await ask("/play", { ...settings, cgp, bag, passes, seed, level: LEVEL })).found);
    }
    const { position } = readCgp(stand.cgp);
    if (state.position === before) commit({ position: { ...position, racks: [position.racks[0], ""] } });
  } catch (error) {
    complain(error, example);
  }
}

/** Put the cursor on the center, to type there. */
function type() {
  const index = Math.floor(state.position.tiles.length / 2);
  update({ mode: "setup", cursor: { index, down: false }, keyTarget: "board", keyboard: isTouched(), notice: t("Typing sets up the board.") });
  byId("board").focus();
}
