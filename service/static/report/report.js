// The report of an annotated game: one board shows the turn that is open, with the move played or the best one.
// Without this script the page still shows the turns and their figures; only the board is missing.

const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const viewer = find("viewer");
const board = find("board");
const caption = find("turn");
const choice = find("choice");
const turns = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details[data-cgp]")]);
const chart = /** @type {SVGSVGElement | null} */ (document.querySelector(".course"));
const narrow = matchMedia("(width < 60rem)");
let now = 0;

/** Show a move of the turn that is open. @param {"played" | "best"} which */
function showMove(which) {
  const turn = turns[now];
  board.setAttribute("cgp", turn.dataset.cgp ?? "");
  board.setAttribute("play", turn.dataset[which] ?? "");
  caption.textContent = turn.dataset[`${which}Label`] ?? turn.dataset.label ?? "";
  for (const button of choice.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === which));
}

/** Show a turn, and open it in the list. @param {number} to */
function showTurn(to) {
  now = Math.max(0, Math.min(turns.length - 1, to));
  const turn = turns[now];
  turn.open = true;
  choice.hidden = !turn.dataset.best || !turn.dataset.played;
  showMove(turn.dataset.played || !turn.dataset.best ? "played" : "best");
  if (narrow.matches) turn.querySelector("summary")?.after(viewer);
  const line = chart?.querySelector(".now");
  if (chart && line) line.setAttribute("transform", `translate(${turn.dataset.x} 0)`);
}

/** Return the next turn in a direction that lost something, or the same. @param {number} step */
function mistake(step) {
  for (let at = now + step; at >= 0 && at < turns.length; at += step) if (turns[at].dataset.mistake) return at;
  return now;
}

/** Go to a turn by a button, and bring it into view. @param {number} to */
function go(to) {
  showTurn(to);
  turns[now].scrollIntoView({ block: "nearest" });
}

function place() {
  if (narrow.matches) turns[now].querySelector("summary")?.after(viewer);
  else document.querySelector(".review")?.prepend(viewer);
}

if (turns.length) {
  viewer.hidden = false;
  document.querySelector(".review")?.classList.add("with-board");
  turns.forEach((turn, at) => {
    turn.addEventListener("toggle", () => { if (turn.open && at !== now) showTurn(at); });
  });
  find("previous").addEventListener("click", () => go(now - 1));
  find("next").addEventListener("click", () => go(now + 1));
  find("mistake").addEventListener("click", () => go(mistake(1)));
  choice.addEventListener("click", (event) => {
    const { value } = /** @type {HTMLButtonElement} */ (event.target);
    if (value === "played" || value === "best") showMove(value);
  });
  viewer.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || /** @type {Element} */ (event.target).closest("kibitz-board")) return;
    event.preventDefault();
    go(now + step);
  });
  chart?.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
    const distances = turns.map((turn) => Math.abs(Number(turn.dataset.x) - at));
    go(distances.indexOf(Math.min(...distances)));
  });
  narrow.addEventListener("change", place);
  showTurn(0);
}
