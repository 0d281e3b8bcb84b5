// A position: tiles on squares, racks, scores; read from CGP and written as CGP.

export class Position {
  constructor(side) {
    this.side = side;
    this.tiles = Array(side * side).fill(null); // {letter, blank} or null, row by row
    this.racks = ["", ""];
    this.scores = [0, 0];
    this.zeroTurns = 0;
  }

  // Throws an Error that names the row. The server checks tiles and words.
  static read(text) {
    const [board, racks = "", scores = "", zeros = "0"] = text.trim().split(/\s+/);
    const rows = board.split("/").map(readRow);
    if (rows.length < 10) throw new Error("a CGP begins with the rows of the board, with / between them: 15/15/...");
    const position = new Position(rows.length);
    rows.forEach((row, index) => {
      if (row.length !== rows.length) {
        throw new Error(`row ${index + 1} has ${row.length} squares, the board ${rows.length} rows`);
      }
      row.forEach((tile, column) => { position.tiles[index * rows.length + column] = tile; });
    });
    const [own = "", other = ""] = racks.split("/");
    const [score = 0, otherScore = 0] = scores.split("/").map((one) => Number.parseInt(one, 10) || 0);
    position.racks = [own, other];
    position.scores = [score, otherScore];
    position.zeroTurns = Number.parseInt(zeros, 10) || 0;
    return position;
  }

  write() {
    const rows = [];
    for (let row = 0; row < this.side; row += 1) {
      let text = "";
      let free = 0;
      for (const tile of this.tiles.slice(row * this.side, (row + 1) * this.side)) {
        if (tile === null) { free += 1; continue; }
        const letter = tile.blank ? tile.letter.toLowerCase() : tile.letter;
        text += (free || "") + ([...letter].length > 1 ? `[${letter}]` : letter);
        free = 0;
      }
      rows.push(text + (free || ""));
    }
    const racks = this.racks.map((rack) => rack.trim().toUpperCase()).join("/");
    return `${rows.join("/")} ${racks} ${this.scores.join("/")} ${this.zeroTurns}`;
  }
}

function readRow(text) {
  const squares = [];
  for (const [, several, free, one] of text.matchAll(/\[([^\]]*)\]|(\d+)|(.)/gu)) {
    if (free) {
      squares.push(...Array(Math.min(Number(free), 64)).fill(null));
    } else {
      const letter = several ?? one;
      const blank = letter !== letter.toUpperCase();
      squares.push({ letter: letter.toUpperCase(), blank });
    }
  }
  return squares;
}
