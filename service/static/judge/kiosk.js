// A page that fills the screen and stays in view: no key, gesture or drop leads away from it.

const LEAVING = /^(F\d+|Browser\w+|Go\w+|Launch\w+|Escape|Help|ContextMenu)$/;
const ZOOM = ["+", "-", "=", "0"];

/**
 * Return whether a key is a shortcut of the browser. AltGr, and Option on a Mac, type letters; zooming leads nowhere.
 * @param {KeyboardEvent} event
 */
function isShortcut(event) {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (LEAVING.test(key)) return true;
  if (event.getModifierState("AltGraph")) return false;
  return ((ctrlKey || metaKey) && !ZOOM.includes(key)) || (altKey && /^([\x20-\x7e]|\w{2,})$/.test(key));
}

/** Keep the page in view from now on. */
export function startKiosk() {
  addEventListener("keydown", (event) => { if (isShortcut(event)) event.preventDefault(); }, true);
  for (const name of ["contextmenu", "dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
  const stay = () => history.pushState(null, "", location.href);
  stay();
  addEventListener("popstate", stay); // the button Back, or its gesture
  addEventListener("click", fillScreen); // again after the browser has left the full screen
  fillScreen();
}

/** Fill the screen where the browser can; Chromium then passes its own shortcuts to the page. */
async function fillScreen() {
  if (document.fullscreenElement) return;
  try {
    await document.documentElement.requestFullscreen({ navigationUI: "hide" });
    await /** @type {any} */ (navigator).keyboard?.lock();
  } catch {
    // The browser cannot, or nobody has touched the page yet: it works in its window.
  }
}
