// The board: draws a position and a chosen move, and reads tiles from the keyboard.

const PREMIUMS = { d: "l2", t: "l3", q: "l4", D: "w2", T: "w3", Q: "w4" };
const NAMES = { l2: "2L", l3: "3L", l4: "4L", w2: "2W", w3: "3W", w4: "4W" };
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

export const nameOf = (row, column) => `${row + 1}${String.fromCharCode(65 + column)}`;

export class Grid {
  // `changed` is called after every change by the user.
  constructor(element, changed) {
    this.element = element;
    this.changed = changed;
    this.values = new Map();
    this.cursor = null;
    this.isDown = false;
    this.ghost = new Map(); // square's name -> placed tile
    this.faults = new Set();
    element.addEventListener("click", (event) => this.#click(event));
    element.addEventListener("keydown", (event) => this.#press(event));
  }

  show(position, layout) {
    this.position = position;
    this.layout = layout;
    this.#draw();
  }

  preview(placed) {
    this.ghost = new Map(placed.map((tile) => [tile.at, tile]));
    this.#draw();
  }

  blame(squares) {
    this.faults = new Set(squares);
    this.#draw();
  }

  // Puts a letter at the cursor and moves the cursor to the next free square.
  put(letter, blank) {
    if (this.cursor === null) return;
    this.position.tiles[this.cursor] = { letter, blank };
    this.#move(this.isDown ? [1, 0] : [0, 1]);
    this.changed();
  }

  #draw() {
    const { side, tiles } = this.position;
    const rows = [edges(side)];
    for (let row = 0; row < side; row += 1) {
      const line = make("div", "line", "");
      line.setAttribute("role", "row");
      line.append(edge(row + 1));
      for (let column = 0; column < side; column += 1) line.append(this.#square(row, column, tiles[row * side + column]));
      rows.push(line);
    }
    this.element.style.gridTemplateColumns = `.7fr repeat(${side}, 1fr)`;
    this.element.style.gridTemplateRows = `.7fr repeat(${side}, 1fr)`;
    this.element.classList.toggle("down", this.isDown);
    this.element.replaceChildren(...rows);
  }

  #square(row, column, laid) {
    const name = nameOf(row, column);
    const square = make("div", "square", "");
    const tile = laid ?? this.ghost.get(name);
    const premium = PREMIUMS[this.layout.rows[row][column]];
    if (premium) square.classList.add(premium);
    if (tile) {
      square.classList.add("tile");
      square.classList.toggle("blank", tile.blank);
      square.classList.toggle("ghost", !laid);
      square.textContent = tile.letter.toUpperCase();
      const points = tile.blank ? 0 : this.values.get(tile.letter.toUpperCase());
      if (points) square.append(make("span", "points", String(points)));
    } else {
      square.textContent = this.layout.starts.includes(name) ? "★" : NAMES[premium] ?? "";
    }
    square.classList.toggle("cursor", this.cursor === row * this.position.side + column);
    square.classList.toggle("fault", this.faults.has(name));
    square.dataset.at = name;
    square.dataset.index = row * this.position.side + column;
    square.setAttribute("role", "gridcell");
    square.setAttribute("aria-label", tile ? `${name} ${tile.blank ? "blank " : ""}${tile.letter}` : name);
    return square;
  }

  #click(event) {
    const square = event.target.closest(".square");
    if (!square) return;
    const index = Number(square.dataset.index);
    if (index === this.cursor) this.isDown = !this.isDown;
    this.cursor = index;
    this.element.focus();
    this.#draw();
  }

  #press(event) {
    if (this.cursor === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const tiles = this.position.tiles;
    if (event.key in STEPS) {
      this.#move(STEPS[event.key]);
    } else if (event.key === " ") {
      this.isDown = !this.isDown;
    } else if (event.key === "Delete") {
      tiles[this.cursor] = null;
      this.changed();
    } else if (event.key === "Backspace") {
      if (tiles[this.cursor] === null) this.#move(this.isDown ? [-1, 0] : [0, -1]);
      tiles[this.cursor] = null;
      this.changed();
    } else if ([...event.key].length === 1 && this.values.has(event.key.toUpperCase())) {
      this.put(event.key.toUpperCase(), event.shiftKey);
    } else {
      return;
    }
    event.preventDefault();
    this.#draw();
  }

  #move([down, right]) {
    const side = this.position.side;
    const row = Math.floor(this.cursor / side) + down;
    const column = (this.cursor % side) + right;
    if (row >= 0 && row < side && column >= 0 && column < side) this.cursor = row * side + column;
  }
}

function make(tag, name, text) {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

function edge(text) {
  const element = make("div", "edge", text);
  element.setAttribute("role", "rowheader");
  return element;
}

function edges(side) {
  const line = make("div", "line", "");
  line.append(edge(""), ...Array.from({ length: side }, (_, column) => edge(String.fromCharCode(65 + column))));
  return line;
}
