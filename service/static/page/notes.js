// Notes on positions, saved by this browser; short ones are part of links, and records of games contain them.

import { field, make } from "./dom.js";
import { rackText, rackTiles, readCgp, writeCgp } from "./position.js";
import { state, subscribe, update } from "./state.js";
import { storeText, storedText } from "./storage.js";
import { t } from "./texts.js";

const PREFIX = "kibitz-note-";

/**
 * Return the name under which the note to a position is saved, whatever the order of the tiles on its racks.
 * @param {Position} position
 */
const keyOf = (position) => PREFIX + writeCgp({ ...position, racks: [sorted(position.racks[0]), sorted(position.racks[1])] });

/** @param {string} rack */
const sorted = (rack) => rackText(rackTiles(rack).sort());

/**
 * Return the note to a position, empty without one.
 * @param {Position} position
 */
export const noteOf = (position) => storedText(keyOf(position));

/**
 * Save the note to a position; an empty one is deleted.
 * @param {Position} position
 * @param {string} note
 */
export function saveNote(position, note) {
  if (!storeText(keyOf(position), note.trim() && note)) update({ notice: t("This browser does not store the note.") });
}

/**
 * Show the note to the position on the board from now on; `changed` is called when one has changed.
 * @param {HTMLElement} element
 * @param {() => void} changed
 */
export function startNotes(element, changed) {
  const text = make("textarea", { id: "note", rows: 2, oninput: () => saveNote(state.position, text.value), onchange: changed });
  const box = make("details", {}, make("summary", {}, t("Note")), field(t("Saved in this browser; in the link if it is short"), text));
  element.append(box);
  subscribe((now, before) => {
    if (now.position === before.position && now.isReady === before.isReady) return;
    text.value = noteOf(now.position);
    if (text.value) box.open = true;
  });
}

/**
 * Return the record of an annotated game with the notes to its turns, and its variations as notes.
 * @param {string} gcg
 * @param {Reviewed} review
 */
export function withNotes(gcg, { answer, variations }) {
  const notes = new Map(answer.turns.map(({ number, cgp, rack }, at) => {
    const tried = variations.filter((one) => one.at === at).map((one) => t("Variation {name}: {moves}", one));
    return [number, [noteOf({ ...readCgp(cgp).position, racks: [rack, ""] }), ...tried].join("\n")];
  }));
  let number = 0;
  return gcg.split("\n").flatMap((line) => {
    const note = line.startsWith(">") ? (notes.get(++number) ?? "") : "";
    return [line, ...note.split(/\s*\n\s*/).filter(Boolean).map((/** @type {string} */ one) => `#note ${one}`)];
  }).join("\n");
}
