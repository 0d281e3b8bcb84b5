// The first view of the panel Play: a new game, and the stored ones.

import { byId, drawStored, levelOptions, make } from "./dom.js";
import { fileButton } from "./files.js";
import { newGame, standOf, tilesOf } from "./match.js";
import { forgetGame, storedGames } from "./saved_games.js";
import { offerChoices, showChoices } from "./setup.js";
import { state, subscribe } from "./state.js";
import { shownNumber, t } from "./texts.js";
import { offerLists } from "./word_lists.js";

const MAX_SEATS = 4;

/**
 * Return the form of a new game.
 * @param {(game: Game) => void} begin called with a new game, or a stored one to continue
 * @param {(file: File) => void} load
 */
export function gameForm(begin, load) {
  const seats = Array.from({ length: MAX_SEATS }, (_, at) => seatFields(at));
  const [lexicon, board, rules, rule, perGame, perMove, overtime] =
    ["gamelexicon", "gameboard", "gamerules", "challenge", "pergame", "permove", "overtime"].map(byId);
  const stored = make("div", { className: "stored" });
  const form = byId("newgame");
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const found = state.lexicons.find(({ id }) => id === lexicon.value);
    const layout = state.boards.find(({ id }) => id === board.value);
    const own = `${found?.tile_set}_${layout?.id.replace(/\d+$/, "")}`; // as english_super for super21
    const tile_set = state.tileSets.has(own) ? own : found?.tile_set;
    const letters = state.tileSets.get(tile_set ?? "");
    if (!found || !layout || !letters) return;
    begin(newGame({
      seats: named(seats.flatMap(({ read }) => read() ?? [])), settings: { lexicon: found.id, board: layout.id, tile_set },
      rules: { id: rules.value || undefined, challenge_rule: rule.value }, allow_phonies: rule.value !== "void",
      time: { per_game: secondsOf(perGame), per_move: secondsOf(perMove), overtime: overtime.value },
      seed: crypto.getRandomValues(new Uint32Array(1))[0],
    }, tilesOf(letters), layout.side));
  });
  byId("seats").append(...seats.map(({ element }) => element));
  form.lastElementChild.append(fileButton("gamefile", t("Load a saved game"), ".json,application/json", load));
  const opener = make("div", { className: "opener" }, stored, form);
  subscribe((now, before) => {
    opener.hidden = now.game !== null;
    if (now.lexicons !== before.lexicons) {
      offerChoices(now, [board, rules]);
      offerLists(lexicon, now.lexicons);
    }
    if (now.settings !== before.settings && !now.scene) {
      showChoices(now, [board, rules]);
      lexicon.value = now.settings.lexicon;
    }
    if (now.game !== before.game || now.panel !== before.panel) drawUnfinished(stored, begin);
  });
  return opener;
}

/** @param {HTMLInputElement} field */
const secondsOf = (field) => (Number(field.value) > 0 ? Math.round(60 * Number(field.value)) : null);

/** @param {number} at */
function seatFields(at) {
  const kind = make("select", { id: `seat-${at}`, "aria-label": t("Player {number}", { number: at + 1 }) },
    ...(at < 2 ? [] : [new Option(t("nobody"), "")]), new Option(t("Person"), "person"),
    ...levelOptions());
  const name = make("input", { id: `name-${at}`, autocomplete: "off", maxLength: 30, placeholder: t("Name"), "aria-label": t("Name of player {number}", { number: at + 1 }) });
  kind.value = ["person", "5", "", ""][at];
  const show = () => { name.hidden = kind.value !== "person"; };
  kind.addEventListener("change", show);
  show();
  const read = () => {
    if (!kind.value) return null;
    const level = kind.value === "person" ? null : Number(kind.value);
    return { name: level === null ? name.value.trim() : t("Level {level}", { level }), level };
  };
  return { element: make("div", { className: "seat" }, kind, name), read };
}

/**
 * Return the seats with names that are all different.
 * @param {Seat[]} seats
 */
function named(seats) {
  /** @type {string[]} */
  const taken = [];
  const people = seats.filter(({ level }) => level === null).length;
  return seats.map(({ name, level }, at) => {
    const plain = name || (people === 1 ? t("You") : t("Player {number}", { number: at + 1 }));
    let own = plain;
    for (let number = 2; taken.includes(own); number += 1) own = `${plain} ${number}`;
    taken.push(own);
    return { name: own, level };
  });
}

/**
 * @param {HTMLElement} element
 * @param {(game: any) => void} begin
 */
function drawUnfinished(element, begin) {
  drawStored(element, t("Unfinished games on this device"), storedGames().filter((game) => !standOf(game).over), {
    name: (players) => t("Continue: {players}", { players }),
    players: (game) => game.seats.map(({ name }, at) => `${name} ${shownNumber(standOf(game).scores[at])}`).join(", "),
    open: begin,
    remove: ({ id }) => { forgetGame(id); drawUnfinished(element, begin); },
  });
}
