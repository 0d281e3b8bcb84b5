// A scene: a panel shows a position of its own on the board, and the analysed position returns afterwards.

import { commit, divertCommits } from "./history.js";
import { NOTHING_LAID, state, subscribe, update } from "./state.js";

/** @type {Pick<State, "position" | "settings" | "mode"> | null} */
let analysed = null; // what the board showed before the scene
/** @type {Position | null} */
let shown = null; // the position of the scene

/**
 * Show a position of a panel on the board, where it can be tried but not changed.
 * @param {"games" | "play"} scene the panel; the scene ends when another one is shown
 * @param {Pick<State, "position" | "settings"> & Partial<State>} change
 */
export function showScene(scene, change) {
  if (!state.scene) analysed = { position: state.position, settings: state.settings, mode: state.mode };
  shown = change.position;
  update({ ...NOTHING_LAID, cursor: null, ...change, mode: "try", scene });
}

/** Show the analysed position again. */
export function endScene() {
  if (state.scene) update({ ...NOTHING_LAID, cursor: null, ...analysed, scene: "" });
}

/**
 * Analyse a position of a scene from now on.
 * @param {Pick<State, "position" | "settings"> & Partial<State>} place
 */
export function analyse(place) {
  commit({ ...place, mode: analysed?.mode ?? "setup", scene: "", panel: "moves", cursor: null, fault: null });
}

/** From now on, end a scene when its panel is left, or when Back or Forward change the position. */
export function startScenes() {
  divertCommits((change) => {
    if (!state.scene || change.scene === "") return false;
    if (change.position && isSameRack(change.position, state.position)) {
      shown = change.position;
      update({ position: shown });
    }
    return true;
  });
  subscribe((now, before) => {
    if (now.scene !== before.scene) {
      if (now.scene) document.body.dataset.scene = now.scene;
      else delete document.body.dataset.scene;
    }
    if (!now.scene) return;
    if (now.panel !== now.scene) endScene();
    else if (now.position !== shown) update({ scene: "", panel: "moves", mode: analysed?.mode ?? "setup" });
  });
}

/**
 * Return whether a position differs at most in the order of the tiles on the rack.
 * @param {Position} one
 * @param {Position} other
 */
function isSameRack(one, other) {
  const sorted = (/** @type {Position} */ { racks: [rack] }) => [...rack].sort().join("");
  return one.tiles === other.tiles && sorted(one) === sorted(other);
}
