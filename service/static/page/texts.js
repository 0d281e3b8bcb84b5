// The words of the page in the reader's language. `t` and `tn` mark English texts, which `make messages` collects.

import { storeText, storedText } from "./storage.js";

const STORED = "kibitz-language";
const SHOWN = ["aria-label", "alt", "placeholder", "title"]; // the attributes that readers see or hear

const LANGUAGES = new Map([
  ["en", "English"],
  ["es", "Español"],
  ["fr", "Français"],
  ["de", "Deutsch"],
  ["pl", "Polski"],
  ["cs", "Čeština"],
]);

let current = "en";
/** @type {Record<string, any>} */
let messages = {};
let plurals = new Intl.PluralRules("en");

/** Return the language whose texts are loaded. */
export function language() {
  return current;
}

/** Return the chosen language, else the first of the browser that the page has, else English. */
function preferredLanguage() {
  const wanted = [storedText(STORED), ...navigator.languages].map((tag) => tag.split("-")[0].toLowerCase());
  return wanted.find((tag) => LANGUAGES.has(tag)) ?? "en";
}

/**
 * Fill a menu with the languages; a choice is stored in this browser, and the page is loaded again in it.
 * @param {HTMLSelectElement} menu
 */
export function offerLanguages(menu) {
  for (const [tag, name] of LANGUAGES) menu.append(new Option(name, tag, false, tag === current));
  menu.addEventListener("change", () => {
    storeText(STORED, menu.value);
    location.reload();
  });
}

/**
 * Load the texts of a language and translate the document. Without the server the texts stay English.
 */
export async function loadTexts(wanted = preferredLanguage()) {
  let loaded = { language: "en", messages: {} };
  if (wanted !== "en") {
    try {
      const answer = await fetch(new URL(`../../../messages/${wanted}`, import.meta.url));
      if (answer.ok) loaded = await answer.json();
    } catch {
      // The page works in English without this answer.
    }
  }
  ({ language: current, messages } = loaded);
  plurals = new Intl.PluralRules(current);
  document.documentElement.lang = current;
  translate(document.body);
}

/**
 * Return an English text in the language of the page; {name} stands for params.name.
 * @param {string} text
 * @param {Record<string, any>} [params]
 */
export function t(text, params = {}) {
  return filled(messages[text] ?? text, params);
}

/**
 * Return the form of a text that suits a number, which is also the value of {count}, in the language's notation.
 * @param {string} one
 * @param {string} several
 * @param {number} count
 * @param {Record<string, any>} [params]
 */
export function tn(one, several, count, params = {}) {
  const forms = messages[one] ?? { one, other: several };
  return filled(forms[plurals.select(count)] ?? forms.other, { count: shownNumber(count), ...params });
}

/**
 * Return a number as the language of the page writes it.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function shownNumber(value, options = {}) {
  return new Intl.NumberFormat(current, options).format(value);
}

/**
 * Return the name of a language in that of the page.
 * @param {string} tag
 */
export const languageName = (tag) => new Intl.DisplayNames(current, { type: "language" }).of(tag);

/**
 * Translate the English texts and attributes that the HTML below an element contains.
 * @param {Element} root
 */
function translate(root) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) translateNode(texts.currentNode);
  for (const name of SHOWN) {
    for (const element of root.querySelectorAll(`[${name}]`)) translateNode(element.getAttributeNode(name));
  }
}

/** @param {any} node */
function translateNode(node) {
  const words = node.nodeValue.trim();
  if (words) node.nodeValue = node.nodeValue.replace(words, () => t(words.replace(/\s+/g, " ")));
}

/**
 * @param {string} text
 * @param {Record<string, any>} params
 */
function filled(text, params) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole);
}
