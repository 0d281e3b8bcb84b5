// The page at /: sends the position to the server, and shows the answer on the board and in the table.

import { Grid } from "./grid.js";
import { showMoves } from "./moves.js";
import { Position } from "./position.js";

const at = (id) => document.getElementById(id);
const SEARCHES = { simulate: "simulated", preendgame: "pre-endgame", endgame: "endgame" };
const EXAMPLE = "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0";

let boards = [];
let lexicons = [];
let tileSets = new Map();
let chosen = null;
let hintLevel = 0;
let wanted = 0; // number of the last request; answers to earlier ones are not shown
let job = null;
let position = Position.read(EXAMPLE);
const grid = new Grid(at("board"), () => { show(); forget(); });

function keyed() {
  return at("key").value ? { Authorization: `Bearer ${at("key").value}` } : {};
}

async function ask(path, body) {
  const headers = keyed();
  const options = { headers };
  if (body) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  const answer = await fetch(path, options);
  const found = await answer.json();
  if (answer.status === 401) at("keybox").hidden = false;
  if (!answer.ok) throw found;
  return { found, timing: answer.headers.get("Server-Timing"), job: answer.status === 202 };
}

// Follows the job of a long search to its end and returns the result, null if a newer request replaced it.
async function follow(first) {
  const mine = (job = first);
  at("stop").hidden = false;
  try {
    while (mine.state === "queued" || mine.state === "running") {
      const share = mine.state === "queued" ? "waiting for its turn" : `${mine.done} of at most ${mine.total} s`;
      at("busy").textContent = `Looking ahead … ${share}`;
      await new Promise((resolve) => { setTimeout(resolve, 300); });
      if (job !== mine) return null;
      Object.assign(mine, (await ask(`/jobs/${mine.id}`)).found);
    }
    if (mine.state === "cancelled") return null;
    return (await ask(`/jobs/${mine.id}/result`)).found;
  } finally {
    if (job === mine) {
      job = null;
      at("stop").hidden = true;
    }
  }
}

// Cancels the current job.
function stop() {
  if (!job) return;
  fetch(`/jobs/${job.id}`, { method: "DELETE", headers: keyed(), keepalive: true });
  job = null;
  at("stop").hidden = true;
}

// Shows the position in the fields, and in the address, so that a reload restores it.
function show() {
  const layout = boards.find((board) => board.id === at("layout").value && board.side === position.side)
    ?? boards.find((board) => board.side === position.side);
  if (!layout) { complain({ detail: `there is no board of ${position.side} squares a side`, errors: [] }); return; }
  at("layout").value = layout.id;
  at("rack").value = position.racks[0];
  at("theirs").value = position.racks[1];
  [at("own").value, at("other").value] = position.scores;
  at("cgp").value = position.write();
  history.replaceState(null, "", `#${encodeURIComponent(at("cgp").value)}`);
  grid.values = new Map(letters().map(({ letter, value }) => [letter, value]));
  grid.show(position, layout);
}

function letters() {
  const lexicon = lexicons.find(({ id }) => id === at("lexicon").value);
  return tileSets.get(lexicon?.tile_set)?.letters.filter(({ letter }) => letter !== "?") ?? [];
}

// Tiles of several characters cannot be typed: each has a button.
function offerTiles() {
  const several = letters().filter(({ letter }) => [...letter].length > 1);
  at("extra").hidden = several.length === 0;
  at("extra").replaceChildren(...several.map(({ letter }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = letter;
    button.addEventListener("click", (event) => grid.put(letter, event.shiftKey));
    return button;
  }));
}

// Clears the board, but not the racks and scores.
function replaceBoard(side) {
  takeFields();
  const { racks, scores } = position;
  position = Object.assign(new Position(side), { racks, scores });
}

function takeFields() {
  position.racks = [at("rack").value, at("theirs").value];
  position.scores = [Number(at("own").value), Number(at("other").value)];
  at("cgp").value = position.write();
}

// Removes the results of another position.
function forget() {
  stop();
  chosen = null;
  hintLevel = 0;
  wanted += 1;
  at("moves").hidden = at("chosen").hidden = true;
  at("facts").textContent = "";
  at("faults").hidden = true;
  grid.blame([]);
  grid.preview([]);
}

function complain(problem) {
  const lines = problem.errors?.length ? problem.errors.map((error) => error.detail) : [problem.detail ?? String(problem)];
  at("faults").textContent = lines.slice(0, 12).join("\n");
  at("faults").hidden = false;
  grid.blame(lines.flatMap((line) => line.match(/\b\d{1,2}[A-Z]\b/g) ?? []));
}

async function work(doing, task) {
  at("busy").textContent = doing;
  at("go").disabled = true;
  at("faults").hidden = true;
  try {
    await task();
  } catch (problem) {
    complain(problem);
  } finally {
    at("busy").textContent = "";
    at("go").disabled = false;
  }
}

const state = () => ({ cgp: position.write(), lexicon: at("lexicon").value, board: at("layout").value });

function findMoves() {
  takeFields();
  forget();
  const mine = wanted;
  const body = { ...state(), top_n: 25, sort: at("sort").value, include_exchanges: at("exchanges").checked };
  if (at("ahead").checked) Object.assign(body, lookingAhead(Number(at("seconds").value)));
  return work(at("ahead").checked ? "Looking ahead …" : "…", async () => {
    const { found: first, timing, job: isJob } = await ask("/analyze", body);
    const found = isJob ? await follow(first) : first;
    if (!found || mine !== wanted) return;
    const { play_count: plays, position: { bag_count: bag, unseen } } = found;
    const phonies = found.phonies?.length ? ` · not in the list: ${found.phonies.map(({ word }) => word).join(", ")}` : "";
    const search = found.phase ? `${SEARCHES[found.phase]}${found.provenance.stopped_by === "complete" ? "" : ", not complete"} · ` : "";
    at("facts").textContent = `${search}${plays} legal plays · bag ${bag} · unseen ${unseen}${phonies}`;
    at("facts").title = timing ?? "";
    showMoves(at("moves"), found.moves, (move) => grid.preview((move ?? chosen)?.placed ?? []), choose);
  });
}

// A longer search needs more nodes and iterations.
function lookingAhead(seconds) {
  const search = { phase: "auto", max_ms: 1000 * seconds };
  if (seconds <= 5) return search;
  return {
    ...search,
    simulate: { iterations: Math.min(2000 * seconds, 200000) },
    preendgame: { nodes: 1000000 * seconds },
    endgame: { nodes: 1000000 * seconds },
  };
}

function choose(move) {
  chosen = move;
  at("chosen").hidden = false;
  at("chosentext").textContent = `${move.move}, ${move.score} points`;
  grid.preview(move.placed ?? []);
}

function play() {
  return work("…", async () => {
    const { found } = await ask("/play", { ...state(), move: chosen.move });
    if (found.fault) throw found.fault;
    position = Position.read(found.next.cgp);
    if (found.next.bag_count > 0) position.racks[1] = ""; // the opponent must not see the leave
    forget();
    show();
    at("facts").textContent = found.over ? `The game is over: ${found.over.players.map(({ final }) => final).join(" to ")}` : "";
  });
}

const NO_PLAYS = {
  none: "There is no play",
  pass: "It is best to pass",
  exchange: "It is best to exchange tiles",
};

function hint() {
  takeFields();
  return work("…", async () => {
    const level = Math.min(hintLevel + 1, 5);
    const { found } = await ask("/hints", { ...state(), level });
    hintLevel = level;
    const band = found.score_band;
    const points = band ? `${band.low} to ${band.high} points` : "";
    const kind = NO_PLAYS[found.kind] ?? `There is a ${found.kind.replaceAll("_", " ")}`;
    const tiles = found.tiles && `with ${found.tiles}`;
    const place = found.at && `at ${found.at} ${found.direction}`;
    const last = { none: 1, pass: 1, exchange: 4 }[found.kind] ?? 5;
    const more = level >= last ? "" : " (again for more)";
    at("facts").textContent = [kind, found.region, points, tiles, place].filter(Boolean).join(", ") + more;
  });
}

function option(value, text, isDefault) {
  return new Option(text, value, isDefault, isDefault);
}

async function begin() {
  const [one, two, three] = await Promise.all([ask("/boards"), ask("/lexicons"), ask("/tile-sets")]);
  boards = one.found.boards;
  lexicons = two.found.lexicons.filter(({ status }) => status === "ready");
  tileSets = new Map(three.found.tile_sets.map((set) => [set.id, set]));
  at("layout").append(...boards.map(({ id }) => option(id, id, id === "standard15")));
  at("lexicon").append(...lexicons.map((lexicon) => option(lexicon.id, lexicon.name, lexicon.default)));
  if (location.hash.length > 1) {
    try { position = Position.read(decodeURIComponent(location.hash.slice(1))); } catch (error) { complain(error); }
  }
  offerTiles();
  show();
}

at("ask").addEventListener("submit", (event) => { event.preventDefault(); findMoves(); });
at("play").addEventListener("click", play);
at("hint").addEventListener("click", hint);
at("stop").addEventListener("click", forget);
addEventListener("pagehide", stop);
at("lexicon").addEventListener("change", () => { offerTiles(); forget(); show(); });
at("layout").addEventListener("change", () => {
  const layout = boards.find(({ id }) => id === at("layout").value);
  if (layout.side !== position.side) replaceBoard(layout.side);
  forget();
  show();
});
at("clear").addEventListener("click", () => { replaceBoard(position.side); forget(); show(); });
at("copy").addEventListener("click", async () => {
  takeFields();
  show();
  await navigator.clipboard.writeText(location.href);
  at("busy").textContent = "Copied";
});
at("cgp").addEventListener("change", () => {
  forget();
  try { position = Position.read(at("cgp").value); show(); } catch (error) { complain(error); }
});
for (const id of ["rack", "theirs", "own", "other"]) {
  at(id).addEventListener("change", () => { takeFields(); show(); forget(); });
}

work("…", begin);
