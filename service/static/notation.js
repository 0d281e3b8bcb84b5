// Squares, boards, positions (CGP), moves and game records (GCG) as text. Nothing here needs a browser.

/** The upper left quarters of known boards. @type {Record<string, string>} */
const QUARTERS = {
  standard15: "T..d...T/.D...t../..D...d./d..D...d/....D.../.t...t../..d...d./T..d...D",
  wwf15: "...T..t./..d..D../.d..d.../T..t...D/..d...d./.D...t../t...d.../...D....",
  wordfeud15: "t...T..d/.d...t../..D...d./...t...D/T...D.d./.t...t../..d.d.../d..D....",
  super21:
    "Q..d...T..d/.D..t...D../..D..q...D./d..T..d...T/.t..D...t../..q..D...d./...d..D...d/T......D.../.D..t...t../..D..d...d./d..T..d...D",
};

/** Faults in English. @type {Texts} */
export const FAULTS = {
  not_an_event: "this is no turn",
  unknown_player: "no player is called {nick}",
  off_board: "{square} goes off the board",
  occupied: "{at} already holds {letter}",
  no_square: "{square} is no square",
  nothing_to_take_back: "no play to take back",
  wrong_total: "the total is {found}, not {total}",
  no_tile: "{at} holds no tile to play through",
  not_a_cgp: "this is no position: {side} rows of {side} squares are expected, row {row} has {count}",
};

/** Put values into a template. @param {string} template @param {Record<string, unknown>} values */
export const fill = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/** Return the name of a square as kibitz writes it: row and column, "8H". @param {number} index @param {number} side */
export const squareName = (index, side) => `${Math.floor(index / side) + 1}${String.fromCharCode(65 + (index % side))}`;

/** Return the index of the square "8H" or "H8", -1 if there is none. @param {string} name @param {number} side */
export function squareIndex(name, side) {
  const found = /^(?:(\d+)([A-Z])|([A-Z])(\d+))$/i.exec(name);
  if (!found) return -1;
  const row = Number(found[1] ?? found[4]) - 1;
  const column = (found[2] ?? found[3]).toUpperCase().charCodeAt(0) - 65;
  return row >= 0 && row < side && column < side ? row * side + column : -1;
}

/** Return the layout of a known board, of rows ("T..d/...", starts after a space), or a plain one. @param {string} text @param {number} side @returns {BoardRows} */
export function readLayout(text, side) {
  const quarter = QUARTERS[text];
  const mirror = (/** @type {string[]} */ all) => [...all, ...all.slice(0, -1).reverse()];
  const rows = quarter
    ? mirror(quarter.split("/")).map((row) => mirror([...row]).join(""))
    : text.includes("/") ? text.split(" ")[0].split("/") : Array(side).fill(".".repeat(side));
  const middle = Math.floor(rows.length / 2);
  const starts = text.includes("/") ? text.split(/\s+/).slice(1) : [];
  return { rows, starts: starts.length ? starts : [squareName(middle * rows.length + middle, rows.length)] };
}

/** Return the tiles of a text: single characters, or several in brackets. @param {string} text @returns {string[]} */
export const tilesOf = (text) => (text.match(/\[[^\]]*\]|./gu) ?? []).map((tile) => tile.replace(/^\[|\]$/g, ""));

/** @param {string} text @returns {Tile} */
const tileOf = (text) => ({ letter: text.toUpperCase(), blank: text !== text.toUpperCase() });

/** Return the squares of a row: numbers, dots and spaces are empty ones, a tile may be in brackets. @param {string} text @returns {(Tile | null)[]} */
export const readRow = (text) =>
  (text.match(/\d+|\[[^\]]*\]|./gu) ?? []).flatMap((part) =>
    /^\d/.test(part) ? Array(Math.min(Number(part), 99)).fill(null) : [" .".includes(part) ? null : tileOf(part.replace(/^\[|\]$/g, ""))]);

/** Return the tiles of a board. Throws an Error that names a row of a wrong length. @param {string[]} rows @param {Texts} texts @returns {BoardTiles} */
export function readRows(rows, texts) {
  const side = rows.length;
  const squares = rows.map(readRow);
  const wrong = side < 2 || side > 26 ? 0 : squares.findIndex((row) => row.length !== side);
  if (wrong >= 0) throw new Error(fill(texts.not_a_cgp, { side, row: wrong + 1, count: squares[wrong].length }));
  return { side, tiles: squares.flat() };
}

/**
 * Read a position in the notation CGP. Throws an Error that names a row of a wrong length.
 * @param {string} text
 * @param {Texts} texts
 * @returns {BoardTiles & {racks: string[], scores: number[], operations: Record<string, string>}}
 */
export function readCgp(text, texts = FAULTS) {
  const [board, racks = "", scores = "", , ...rest] = text.trim().split(/\s+/);
  const operations = Object.fromEntries([...rest.join(" ").matchAll(/(\w+) ([^;]*);/g)].map(([, name, value]) => [name, value]));
  return { ...readRows(board.split("/"), texts), racks: racks.split("/"), scores: scores.split("/").map(Number), operations };
}

/**
 * Lay a move such as "8D WO.D" or "H4 (W)ORD" on tiles; `fault` names the first square that does not agree, or is empty.
 * @param {(Tile | null)[]} tiles @param {number} side @param {string} square @param {string} word @param {Texts} texts
 * @returns {{placed: Placed[], fault: string}}
 */
export function layMove(tiles, side, square, word, texts = FAULTS) {
  const start = squareIndex(square, side);
  if (start < 0) return { placed: [], fault: fill(squareIndex(square, 26) < 0 ? texts.no_square : texts.off_board, { square }) };
  const step = /^\d/.test(square) ? 1 : side;
  const letters = tilesOf(word.replace(/[()]/g, ""));
  const room = step === 1 ? side - (start % side) : side - Math.floor(start / side);
  const placed = [];
  let fault = letters.length > room ? fill(texts.off_board, { square: `${square} ${word}` }) : "";
  for (const [order, text] of letters.slice(0, room).entries()) {
    const there = tiles[start + order * step];
    const at = squareName(start + order * step, side);
    if (!there && text !== ".") placed.push({ at, ...tileOf(text) });
    else if (!there) fault ||= fill(texts.no_tile, { at });
    else if (text !== "." && there.letter !== text.toUpperCase()) fault ||= fill(texts.occupied, { at, letter: there.letter });
  }
  return { placed, fault };
}

/**
 * Read a game record in the notation GCG. `faults` names every faulty line; a line that cannot be read is left out.
 * @param {string} text
 * @param {Texts} texts
 * @returns {GameRecord}
 */
export function readGame(text, texts = FAULTS) {
  /** @type {GameRecord} */
  const game = { players: [], title: "", board: "", side: 15, turns: [], faults: [] };
  const lines = text.replace(/^\uFEFF/, "").normalize("NFC").split(/\r\n|\r|\n/);
  const names = [...text.matchAll(/^>[^:\n]*:.*?\s(?:(\d+)([A-Z])|([A-Z])(\d+))\s/gm)];
  const far = Math.max(0, ...names.map(([, row, column, column2, row2]) => Math.max(Number(row ?? row2), (column ?? column2).charCodeAt(0) - 64)));
  if (far > 15 || /^#board-layout\s+super/im.test(text)) game.side = far > 21 ? 26 : 21;
  /** @type {(Tile | null)[]} */
  let tiles = Array(game.side * game.side).fill(null);
  /** @type {number[]} */
  const totals = [];
  lines.forEach((line, at) => {
    const pragma = /^#(\w[\w-]*)\s*(.*)$/.exec(line);
    if (pragma) {
      const [, name, value] = pragma;
      const player = /^player([1-4])$/.exec(name);
      if (player) {
        const [nick, ...full] = value.split(/\s+/);
        game.players[Number(player[1]) - 1] = { nick, name: full.join(" ") || nick };
      } else if (name === "title") game.title = value;
      else if (name === "note" && game.turns.length) game.turns[game.turns.length - 1].note += `${value}\n`;
    } else if (line.startsWith(">")) {
      try {
        const { turn, fault } = readTurn(line, game, tiles, texts);
        tiles = turn.tiles;
        turn.line = at + 1;
        const total = (totals[turn.player] ?? 0) + turn.score;
        if (Number.isNaN(turn.total)) turn.total = total; // the record names no totals
        totals[turn.player] = turn.total;
        game.turns.push(turn);
        if (fault) throw new Error(fault);
        if (total !== turn.total) throw new Error(fill(texts.wrong_total, { found: turn.total, total }));
      } catch (error) {
        game.faults.push({ line: at + 1, text: /** @type {Error} */ (error).message });
      }
    } else if (line.trim() && game.turns.length) game.turns[game.turns.length - 1].note += `${line}\n`;
  });
  return game;
}

/** @param {string} line @param {GameRecord} game @param {(Tile | null)[]} tiles @param {Texts} texts @returns {{turn: Turn, fault: string}} */
function readTurn(line, game, tiles, texts) {
  const found = /^>([^:]*):\s*(.*?)\s*([+-]\s?\d+)(?:\s+(-?\d+))?\s*$/.exec(line);
  if (!found) throw new Error(texts.not_an_event);
  const [nick, words, score, total] = [found[1].trim(), found[2].split(/\s+/), Number(found[3].replace(" ", "")), Number(found[4] ?? Number.NaN)];
  const last = game.turns.at(-1);
  const same = game.players.flatMap((player, number) => (player?.nick === nick ? [number] : []));
  if (!same.length) throw new Error(fill(texts.unknown_player, { nick }));
  const player = same.find((number) => same.length === 1 || number !== last?.player) ?? same[0];
  const move = words.at(-1) ?? "";
  let fault = "";
  /** @type {Turn} */
  const turn = { line: 0, player, kind: "play", move, rack: words.length > 1 ? words[0] : "", score, total, note: "", placed: [], tiles };
  if (move === "--") {
    turn.kind = "taken_back";
    if (last?.kind !== "play") fault = texts.nothing_to_take_back;
    else turn.tiles = tiles.map((tile, index) => (last.placed.some((one) => one.at === squareName(index, game.side)) ? null : tile));
  } else if (move === "-") turn.kind = "pass";
  else if (move.startsWith("-")) [turn.kind, turn.move] = ["exchange", move.slice(1)];
  else if (/^\(challenge\)$/i.test(move)) turn.kind = "bonus";
  else if (/^\(time\)$/i.test(move)) turn.kind = "time";
  else if (/^\(.*\)$/.test(move) && words.length < 3) [turn.kind, turn.move] = ["rack_points", move.slice(1, -1)];
  else {
    const square = words.at(-2) ?? "";
    turn.move = `${square} ${move}`;
    turn.rack = words.length > 2 ? words[0] : "";
    ({ placed: turn.placed, fault } = layMove(tiles, game.side, square, move, texts));
    turn.tiles = [...tiles];
    for (const { at, letter, blank } of turn.placed) turn.tiles[squareIndex(at, game.side)] = { letter, blank };
  }
  return { turn, fault };
}

/** Read points: "A1 B3 CH5". @param {string} text @returns {Map<string, number>} */
export function readValues(text) {
  return new Map([...text.matchAll(/(\D+?)(\d+)(?:\s+|$)/g)].map(([, letter, points]) => [letter.toUpperCase(), Number(points)]));
}

/** Decode a record: UTF-8 where it is that, else ISO-8859-1. @param {ArrayBuffer} bytes */
export function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-1").decode(bytes);
  }
}
