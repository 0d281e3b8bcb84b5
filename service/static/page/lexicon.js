// The word list: a menu in view on every tab, what is known of the list, and how to get one that the server lacks.

import { button, byId, make } from "./dom.js";
import { annotateAgain } from "./games.js";
import { commit } from "./history.js";
import { state, subscribe, update } from "./state.js";
import { languageName, t } from "./texts.js";
import { offerLists } from "./word_lists.js";

const OTHER = "+"; // the entry of the menu for lists that the server lacks; no list has this name

/** Let the menu choose the list from now on; what is open is judged by it at once. */
export function startLexicon() {
  const menu = byId("lexicon");
  const facts = byId("listfacts");
  const missing = byId("missing");
  menu.addEventListener("change", () => {
    const { value } = menu;
    update({ missing: value === OTHER ? OTHER : "" });
    menu.value = state.settings.lexicon;
    if (value === OTHER) return;
    if (state.scene === "games") annotateAgain(value);
    else commit({ settings: { ...state.settings, lexicon: value } });
  });
  subscribe((now, before) => {
    const isNew = now.lexicons !== before.lexicons;
    if (isNew) offerLists(menu, now.lexicons, [], [new Option(t("Another list …"), OTHER)]);
    if (isNew || now.settings !== before.settings) {
      const list = now.lexicons.find(({ id }) => id === now.settings.lexicon);
      menu.value = now.settings.lexicon;
      menu.title = list?.about ?? "";
      facts.replaceChildren(...factsOf(list));
    }
    menu.disabled = now.scene === "play"; // the list of a game stays the same
    if (now.missing !== before.missing) drawMissing(missing, now.missing);
  });
}

/** @param {State["lexicons"][number] | undefined} list */
function factsOf(list) {
  // The lists that kibitz includes are free; those of tournaments are not.
  const remark = list?.bundled ? t("not a tournament list") : "";
  const tongue = list?.language ? languageName(list.language) : "";
  return [make("span", {}, tongue && remark ? `${tongue} · ` : tongue), remark];
}

/**
 * Say how to get a word list that the server lacks.
 * @param {HTMLElement} element
 * @param {string} id of the list, OTHER for any, empty for none
 */
function drawMissing(element, id) {
  const isAny = id === OTHER;
  element.hidden = !id;
  element.replaceChildren(
    make("p", {}, isAny
      ? t("Whoever runs this server can add a word list, one word per line, with this command:")
      : t("The word list {list} is not on this server. Whoever runs it can add the list with this command:", { list: id })),
    make("p", {}, make("code", {}, `kibitz lexicon build --words FILE --tiles SET --id ${isAny ? "ID" : id}`)),
    button(t("Close"), () => { update({ missing: "" }); byId("lexicon").focus(); }, { id: "closemissing" }));
}
