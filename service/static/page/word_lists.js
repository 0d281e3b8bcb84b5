// The word lists of the server: which one to begin with, and menus of them.

import { language } from "./texts.js";

/**
 * Return the lists whose tables are not damaged.
 * @param {Lexicons} lists
 */
export const usableLists = (lists) => lists.filter(({ status }) => status !== "damaged");

/**
 * Return the id of the list to begin with: one in the reader's language if it has tiles of its own, else the usual one.
 * @param {Lexicons} lists
 */
export function firstList(lists) {
  const usual = lists.find((one) => one.default) ?? lists[0];
  const own = lists.find((one) => one.bundled && one.language === language());
  return (own && own.tile_set !== usual.tile_set ? own : usual)?.id ?? "";
}

/**
 * Fill a menu with lists, and entries before and after them.
 * @param {HTMLSelectElement} menu
 * @param {Lexicons} lists
 * @param {HTMLOptionElement[]} first
 * @param {HTMLOptionElement[]} last
 */
export const offerLists = (menu, lists, first = [], last = []) =>
  menu.replaceChildren(...first, ...lists.map(({ id, name, about }) => Object.assign(new Option(name, id), { title: about })), ...last);
