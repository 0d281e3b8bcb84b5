// The types that the modules of the page share. Only the type checker reads this file; browsers do not load it.

interface Tile { letter: string; blank: boolean }

interface Position {
  side: number;
  tiles: (Tile | null)[];
  racks: [string, string]; // of the player on turn, then what is known of the opponent's
  scores: [number, number];
  zeroTurns: number;
}

/** What a CGP says: `settings` are its lexicon and board. */
interface Read { position: Position; settings: Record<string, string | undefined> }

interface Layout { id: string; side: number; rows: string[]; starts: string[] }
interface Letter { letter: string; count: number; value: number }
interface Placed { at: string; letter: string; blank: boolean }

interface Cursor {
  index: number;
  down: boolean;
  past?: boolean; // the last tile lies on the last square of the line, so that there is none left to type on
  laid?: number; // the square of the tile typed just now, which a further letter may turn into a tile of two letters
  rest?: string; // what is still to be typed of a tile of two letters that is laid already; typing it changes nothing
}

/** `rules` and `tile_set`: if not those of the lexicon. */
interface Settings { lexicon: string; board: string; rules?: string; tile_set?: string }

interface Fault { text: string; lines: string[]; squares: string[]; kind: string; retry: (() => void) | null }

interface State {
  position: Position;
  settings: Settings;
  cursor: Cursor | null;
  mode: "setup" | "try";
  trial: Placed[];
  trialResult: any;
  chosen: any;
  look: any;
  panel: string;
  boards: Layout[];
  lexicons: any[];
  tileSets: Map<string, Letter[]>;
  ruleSets: { id: string; language: string; federation: string }[];
  answer: any;
  asking: boolean;
  sort: string;
  filter: Filter;
  search: any;
  notice: string;
  heard: string;
  fault: Fault | null;
  keyboard: boolean;
  isDeviceKeyboard: boolean;
  keyTarget: "board" | "rack";
  scene: "" | "games" | "play";
  review: any;
  game: any;
  isReady: boolean;
  keyNeeded: boolean;
}

/** A step of the history. */
interface Place { position: Position; settings: Settings }

/** What an edit changes; `said` is spoken, `loud` is also shown. */
interface Edit { cursor?: Cursor | null; position?: Position; trial?: Placed[]; said?: string; loud?: string }

interface Dragged { from: "rack" | "board"; at: number; letter: string }

/** Which moves are listed. */
interface Filter {
  text: string; // part of the word or its square
  length: string; // tiles laid, "" for any, "7" for bingos
  leave: string; // tiles that stay on the rack
  kind: string; // play, exchange, or "" for all
}

interface Column {
  id: string;
  title: () => string;
  of: (move: any) => string;
  key: (move: any) => number | string;
  error?: (move: any) => string;
  when?: (move: any) => boolean;
}

/** A search of the position `key`; `moves`: those found so far, best first. */
interface Search { key: string; seconds: number; state: "running" | "done" | "stopped"; job: any; moves: any[]; answer: any }

interface Options { signal?: AbortSignal; method?: string; headers?: Record<string, string> }
interface Answer { found: any; status: number; headers: Headers }

/** The annotated game: `at` is the index of the turn in view, `job` the progress of what the server does for it. */
interface Review {
  file: Blob;
  name: string;
  query: string;
  answer: any;
  at: number;
  look: "played" | "best";
  puzzle: any;
  job: { done: number; total: number } | null;
}

/** A player of a game; a person has no level. */
interface Seat { name: string; level: number | null }

/** The state of a game before a turn; `cgp` begins with the player on turn, everything else with the first seat. */
interface Stand {
  cgp: string;
  bag: string;
  passes: number;
  onTurn: number;
  scores: number[];
  racks: string[];
  timeLeft: number[] | null;
  over: End | null;
}

interface End {
  reason: string;
  final: number[];
  adjustments: number[];
  penalties: number[];
  left: (string | null)[];
  ranks: number[];
}

interface Step {
  kind: "play" | "exchange" | "pass" | "phony" | "challenge" | "lost" | "time"; // a turn, or the game, lost
  player: number;
  rack: string;
  move: string;
  score: number;
  drawn?: string;
  seconds: number; // what the turn took
  after: Stand;
}

/** The time limits of a game, in seconds. */
interface Time { per_game: number | null; per_move: number | null; overtime: "points" | "loss" }

/** What a game is played by; `rules`: those that differ from the default ones of the tile set. */
interface Plan { seats: Seat[]; settings: Settings; rules: any; allow_phonies: boolean; time: Time; seed: number }

/** A game on the page; `taken`: the seconds that the player on turn has taken for this turn. */
interface Game extends Plan { id: string; revision: number; start: Stand; steps: Step[]; taken: number }

/** What the panel Play shows: `shown` is the seat whose tiles are in view, `seconds` what the turn has taken. */
interface Table {
  match: Game;
  shown: number | null;
  busy: boolean;
  isExchanging: boolean;
  preview: { move: string; score?: number; fault?: string } | null;
  seconds: number;
}

/** What the buttons of a game do. */
interface Acts {
  show: () => void;
  move: (text?: string) => void;
  challenge: () => void;
  takeBack: () => void;
  leave: () => void;
  review: () => void;
  saveJson: () => void;
  saveGcg: () => void;
  exchange: (isExchanging: boolean) => void;
}
