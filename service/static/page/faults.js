// The messages that a person sees when the server refuses a position or cannot be reached.

import { Problem, Superseded } from "./api.js";
import { button, make } from "./dom.js";
import { state, subscribe, update } from "./state.js";
import { t } from "./texts.js";

const MAX_LINES = 8;

let comfort = ""; // what works while the server cannot be reached

/**
 * Show an error, with a button to try again unless it is a refusal; nothing for a superseded request.
 * @param {unknown} error
 * @param {(() => void) | null} [retry]
 */
export function complain(error, retry = null) {
  if (error instanceof Superseded) return;
  const problem = error instanceof Problem ? error : new Problem("refused", /** @type {Error} */ (error).message);
  const lines = problem.errors.map(({ detail }) => detail).filter((detail) => detail !== problem.message);
  if (problem.kind === "down" && state.isReady && comfort) lines.push(comfort);
  const text = [problem.message, ...lines].join("\n");
  update({
    keyNeeded: state.keyNeeded || problem.kind === "key",
    fault: {
      kind: problem.kind,
      text: problem.message,
      lines: lines.slice(0, MAX_LINES),
      squares: [...new Set(text.match(/\b\d{1,2}[A-Z]\b/g) ?? [])],
      retry,
    },
  });
}

/**
 * Remove the message that an action has failed.
 * @param {() => void} retry
 */
export function clearFault(retry) {
  if (state.fault?.retry === retry) update({ fault: null });
}

function tryAgain() {
  const { fault } = state;
  update({ fault: null });
  fault?.retry?.();
}

/**
 * Show faults and notices from now on.
 * @param {HTMLElement} alert
 * @param {HTMLElement} status
 * @param {HTMLElement} heard
 * @param {string} [works] what works while the server cannot be reached
 */
export function startFaults(alert, status, heard, works = "") {
  comfort = works;
  subscribe((now, before) => {
    if (now.notice !== before.notice || now.waiting !== before.waiting) {
      status.textContent = now.waiting || now.notice;
      status.classList.toggle("waiting", now.waiting !== "");
      status.getAnimations().forEach((one) => { one.cancel(); one.play(); });
    }
    if (now.heard !== before.heard) heard.textContent = now.heard;
    const { fault } = now;
    if (fault === before.fault || JSON.stringify(fault) === JSON.stringify(before.fault)) return; // not said again
    alert.hidden = !fault;
    alert.replaceChildren(...(fault ? [
      make("p", {}, fault.text),
      ...(fault.lines.length ? [make("ul", {}, ...fault.lines.map((line) => make("li", {}, line)))] : []),
      ...(fault.retry && fault.kind !== "refused" ? [button(t("Try again"), tryAgain, { className: "retry" })] : []),
    ] : []));
  });
}
