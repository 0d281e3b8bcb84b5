// The words of the page in the reader's language. `t` and `tn` mark English texts, which `make messages` collects.

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
const written = new WeakMap(); // what `translate` found in a text or attribute, and what it shows there now

// The language whose texts are loaded.
export function language() {
  return current;
}

// The language that the reader has chosen here, else the first of the browser's that the page has, else English.
function preferredLanguage() {
  const wanted = [stored(), ...navigator.languages].map((tag) => (tag ?? "").split("-")[0].toLowerCase());
  return wanted.find((tag) => LANGUAGES.has(tag)) ?? "en";
}

// Fills a menu with the languages; a choice is stored in this browser, and the page is loaded again in it.
/** @param {HTMLSelectElement} menu */
export function offerLanguages(menu) {
  for (const [tag, name] of LANGUAGES) menu.append(new Option(name, tag, false, tag === current));
  menu.addEventListener("change", () => {
    remember(menu.value);
    location.reload();
  });
}

/** @param {string} chosen */
function remember(chosen) {
  try {
    localStorage.setItem(STORED, chosen);
  } catch {
    // A browser may forbid storage; then its own preference chooses the language.
  }
}

// Loads the texts of a language, marks the document with it, and translates the texts of its HTML. Without the
// server the texts stay English.
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

// Returns an English text in the language of the page; {name} stands for params.name.
/**
 * @param {string} text
 * @param {Record<string, any>} [params]
 */
export function t(text, params = {}) {
  return filled(messages[text] ?? text, params);
}

// Returns the form of a text that suits a number, which is also the value of {count}, in the language's notation.
/**
 * @param {string} one
 * @param {string} several
 * @param {number} count
 * @param {Record<string, any>} [params]
 */
export function tn(one, several, count, params = {}) {
  const forms = messages[one] ?? { one, other: several };
  return filled(forms[plurals.select(count)] ?? forms.other, { count: shownNumber(count), ...params });
}

// Returns a number as the language of the page writes it.
/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function shownNumber(value, options = {}) {
  return new Intl.NumberFormat(current, options).format(value);
}

// Translates the English texts and attributes that the HTML below an element contains, again when another language
// was loaded; what a script has written since is not touched.
/** @param {Element} root */
function translate(root) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) translateNode(texts.currentNode);
  for (const name of SHOWN) {
    for (const element of root.querySelectorAll(`[${name}]`)) translateNode(element.getAttributeNode(name));
  }
}

/** @param {any} node */
function translateNode(node) {
  const known = written.get(node) ?? { english: node.nodeValue, shown: node.nodeValue };
  if (node.nodeValue !== known.shown) return;
  const words = known.english.trim();
  known.shown = known.english.replace(words, () => t(words.replace(/\s+/g, " ")));
  node.nodeValue = known.shown;
  written.set(node, known);
}

function stored() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/**
 * @param {string} text
 * @param {Record<string, any>} params
 */
function filled(text, params) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole);
}
