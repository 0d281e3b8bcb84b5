// The word list of a page of its own: that of the address, else the one chosen last, else one in the reader's language.

import { storeText, storedText } from "../page/storage.js";
import { language } from "../page/texts.js";

const STORED = "kibitz-training-lexicon";

/**
 * Fill a menu with word lists and choose the one to begin with.
 * @param {HTMLSelectElement} menu
 * @param {Lexicons} lexicons
 */
export function offerLexicons(menu, lexicons) {
  const usable = lexicons.filter(({ status }) => status !== "damaged");
  const usual = usable.find((one) => one.default) ?? usable[0];
  const own = usable.find((one) => one.bundled && one.language === language());
  const wanted = [new URLSearchParams(location.hash.slice(1)).get("lexicon"), storedText(STORED)];
  const chosen = wanted.find((id) => usable.some((one) => one.id === id)) ?? (own && own.tile_set !== usual.tile_set ? own : usual)?.id;
  menu.replaceChildren(...usable.map(({ id, name }) => new Option(name, id, false, id === chosen)));
  menu.addEventListener("change", () => storeText(STORED, menu.value));
}
