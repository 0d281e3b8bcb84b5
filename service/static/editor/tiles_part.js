// The part of the page for the tiles: a table of letters, counts, points and vowels, with the faults below each row.

import { button, byId, make, toolButton, write } from "../page/dom.js";
import { shownNumber, t } from "../page/texts.js";
import { rowsOf } from "./contents.js";

const FIRST_LINE = 2; // of a file, below the heading
const BLANK = "?";

/** The blank of a new tile set. @returns {TileRow} */
const newBlank = () => ({ letter: BLANK, count: "2", value: "0", vowel: false });

/** @returns {TileRow} */
const newTile = () => ({ letter: "", count: "1", value: "1", vowel: false });

/**
 * Let a person edit the tiles from now on; return what shows them.
 * @param {() => TileRow[]} current
 * @param {(tiles: TileRow[], isShown?: boolean) => void} change with true for tiles that the table shows already
 * @param {Map<string, Letter[]>} known the tile sets of the server
 */
export function tilesPart(current, change, known) {
  const [body, sets] = ["rows", "tilesets"].map(byId);
  sets.append(new Option(t("choose …"), ""), new Option(t("no letters"), "empty"), ...[...known.keys()].map((id) => new Option(id, id)));
  sets.addEventListener("change", () => {
    change(rowsOf(known.get(sets.value) ?? []).concat(known.has(sets.value) ? [] : [newBlank()]));
    sets.value = "";
  });
  byId("adding").append(button(t("Add a letter"), () => {
    change([...current(), newTile()]);
    body.querySelector("tr:nth-last-child(2) input").focus();
  }, { id: "add" }));

  const set = (/** @type {number} */ at, /** @type {Partial<TileRow>} */ values) => change(current().with(at, { ...current()[at], ...values }), true);
  const row = (/** @type {TileRow} */ { letter, vowel }, /** @type {number} */ at) => {
    const isBlank = letter === BLANK && at === 0;
    const cell = (/** @type {"letter" | "count" | "value"} */ field, /** @type {Record<string, any>} */ values) => {
      const input = make("input", {
        value: current()[at][field], autocomplete: "off", spellcheck: false, "aria-describedby": `why${at}`, ...values,
        onchange: () => {
          input.value = input.value.trim().toUpperCase();
          set(at, { [field]: input.value });
          label();
        },
      });
      return input;
    };
    const number = (/** @type {"count" | "value"} */ field, /** @type {number} */ max) => cell(field, { type: "number", min: 0, max, inputMode: "numeric" });
    const [name, count, value] = [cell("letter", { autocapitalize: "characters" }), number("count", 63), number("value", 99)];
    const check = make("input", { type: "checkbox", checked: vowel, onchange: () => set(at, { vowel: check.checked }) });
    const remove = toolButton("", "close", () => change(current().toSpliced(at, 1)));
    const raise = button("\u2191", () => {
      change(current().toSpliced(at, 1).toSpliced(at - 1, 0, current()[at]));
      byId(`raise${Math.max(at - 1, 2)}`)?.focus();
    }, { id: `raise${at}`, className: "tool" });
    const label = () => {
      const letter = isBlank ? t("blank") : current()[at].letter || t("new letter");
      const labels = new Map([
        [name, t("Letter {number}", { number: at })], [count, t("{letter}: tiles", { letter })], [value, t("{letter}: points", { letter })],
        [check, t("{letter}: vowel", { letter })], [raise, t("{letter}: one row up", { letter })], [remove, t("Remove {letter}", { letter })],
      ]);
      for (const [element, text] of labels) element.setAttribute("aria-label", text);
      for (const one of [raise, remove]) one.title = labels.get(one);
    };
    label();
    return make("tr", {}, ...(isBlank
      ? [make("th", { scope: "row" }, t("blank")), make("td", {}, count), make("td", {}, "0"), make("td"), make("td")]
      : [make("td", {}, name), make("td", {}, count), make("td", {}, value), make("td", {}, make("label", { className: "check" }, check)),
        make("td", { className: "acts" }, at > 1 ? raise : null, remove)]));
  };

  return {
    /** @param {TileRow[]} tiles */
    show(tiles) {
      body.replaceChildren(...tiles.flatMap((one, at) => [row(one, at), make("tr", { hidden: true }, make("td", { colSpan: 5, className: "why", id: `why${at}` }))]));
    },
    /**
     * @param {EquipmentFault[]} faults
     * @param {Answers["TileSet"] | null} read the tile set without faults
     */
    showFaults(faults, read) {
      current().forEach((_, at) => {
        const own = faults.filter(({ line }) => line === at + FIRST_LINE);
        const why = byId(`why${at}`);
        why.parentElement.hidden = !own.length;
        why.replaceChildren(...own.map(({ detail }) => make("p", {}, `! ${detail}`)));
        for (const input of why.parentElement.previousElementSibling.querySelectorAll("input")) input.setAttribute("aria-invalid", String(own.length > 0));
      });
      const others = faults.filter(({ line }) => !line || line - FIRST_LINE >= current().length || line < FIRST_LINE);
      byId("tilefaults").replaceChildren(...others.map(({ detail }) => make("li", {}, detail)));
      const points = read?.letters.reduce((sum, { count, value }) => sum + count * value, 0) ?? 0;
      write(byId("tilefacts"), read ? t("No faults. Tiles: {tiles}, points: {points}.", { tiles: shownNumber(read.total), points: shownNumber(points) }) : "");
    },
  };
}
