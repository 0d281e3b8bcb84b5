// The menu of word lists on the pages of training, /topping and /quiz.

import { storeText, storedText } from "../page/storage.js";
import { firstList, offerLists, usableLists } from "../page/word_lists.js";

const STORED = "kibitz-training-lexicon";

/**
 * Fill the menu of a page of training. It begins with the list of the address, else the one chosen last.
 * @param {HTMLSelectElement} menu
 * @param {Lexicons} lists
 */
export function offerTrainingLists(menu, lists) {
  const usable = usableLists(lists);
  const wanted = [new URLSearchParams(location.hash.slice(1)).get("lexicon"), storedText(STORED)];
  offerLists(menu, usable);
  menu.value = wanted.find((id) => usable.some((one) => one.id === id)) ?? firstList(usable);
  menu.addEventListener("change", () => storeText(STORED, menu.value));
}
