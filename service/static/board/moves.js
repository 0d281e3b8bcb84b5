// The table of moves: a column for each value that at least one move has.

const points = (value) => (value === null ? "" : value.toFixed(1));
const plusMinus = (value, error) => (error === null ? value.toFixed(1) : `${value.toFixed(1)} ±${error.toFixed(1)}`);
// The win%, or the range that is proven of it.
const winPct = ({ win_pct: found, win_pct_low: low, win_pct_high: high }) =>
  found === null && low !== null ? `${low.toFixed(0)}–${high.toFixed(0)}` : points(found);

const COLUMNS = [
  { title: "", of: (move) => move.rank },
  { title: "move", of: (move) => move.move },
  { title: "score", of: (move) => move.score },
  { title: "leave", of: (move) => move.leave, kind: "tiles" },
  { title: "equity", of: (move) => points(move.equity), when: (move) => move.equity !== null },
  { title: "win%", of: winPct, share: (move) => move.win_pct, when: (move) => move.win_pct_low !== null, unless: (move) => move.sim?.win_pct != null || move.preendgame != null },
  {
    title: "sim. win%",
    of: (move) => (move.sim?.win_pct != null ? plusMinus(move.sim.win_pct, move.sim.win_pct_error) : ""),
    share: (move) => move.sim?.win_pct ?? null,
    when: (move) => move.sim?.win_pct != null,
  },
  {
    title: "sim. spread",
    of: (move) => (move.sim ? plusMinus(move.sim.spread, move.sim.spread_error) : ""),
    when: (move) => move.sim !== null,
  },
  {
    title: "pre-end win%",
    of: (move) => (move.preendgame != null ? winPct(move) : ""),
    share: (move) => (move.preendgame != null ? move.win_pct : null),
    when: (move) => move.preendgame != null,
  },
  {
    title: "final spread",
    of: (move) => (move.endgame ? `${move.endgame.spread} (${move.endgame.certainty})` : ""),
    when: (move) => move.endgame !== null,
  },
];

// Fills the table. `look` gets the move under the pointer or null, `choose` the move that is clicked.
export function showMoves(table, moves, look, choose) {
  const columns = COLUMNS.filter(({ when, unless }) => (!when || moves.some(when)) && !(unless && moves.some(unless)));
  const head = document.createElement("thead");
  const titles = head.insertRow();
  for (const { title } of columns) {
    const cell = document.createElement("th");
    if (title.startsWith("sim.")) cell.title = "± one standard error";
    cell.scope = "col";
    cell.textContent = title;
    titles.append(cell);
  }
  const body = document.createElement("tbody");
  for (const move of moves) {
    const row = body.insertRow();
    row.tabIndex = 0;
    row.classList.toggle("bingo", move.is_bingo);
    for (const { of, kind, share } of columns) {
      const cell = row.insertCell();
      cell.textContent = of(move);
      if (kind) cell.classList.add(kind);
      if (share && share(move) !== null) {
        cell.classList.add("bar");
        cell.style.setProperty("--share", `${share(move)}%`);
      }
    }
    const chosen = () => {
      for (const other of body.rows) other.ariaSelected = String(other === row);
      choose(move);
    };
    row.addEventListener("pointerenter", () => look(move));
    row.addEventListener("focus", () => look(move));
    row.addEventListener("click", chosen);
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") chosen(); });
  }
  body.addEventListener("pointerleave", () => look(null));
  table.replaceChildren(head, body);
  table.hidden = false;
}
