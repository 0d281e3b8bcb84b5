// Texts that this browser stores under names, for good or until the tab is closed; none where it forbids storage.

/**
 * Return a stored text, empty without one.
 * @param {string} name
 * @param {"localStorage" | "sessionStorage"} [area]
 */
export function storedText(name, area = "localStorage") {
  try {
    return window[area].getItem(name) ?? "";
  } catch {
    return "";
  }
}

/**
 * Store a text, or remove it if it is empty; return whether the browser allows it and has the space.
 * @param {string} name
 * @param {string} text
 * @param {"localStorage" | "sessionStorage"} [area]
 */
export function storeText(name, text, area = "localStorage") {
  try {
    if (text) window[area].setItem(name, text);
    else window[area].removeItem(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Return the names under which texts are stored for good and that begin with a prefix.
 * @param {string} prefix
 */
export function storedNames(prefix) {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}
