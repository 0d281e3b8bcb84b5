// The types that the modules of the page and the board share. Only the type checker reads this file; browsers do not load it.

/** What the server answers: the types of its OpenAPI document, which `make lint` generates. */
type Answers = import("../../build/api").components["schemas"];
type Move = Answers["Move"];
type Analysis = Answers["Analysis"];
type Job = Answers["Job"];
type Turned = Answers["Turn"];
/** What a challenge leads to; of a saved game only this is known. */
type Outcome = Pick<Answers["Consequence"], "play_stands" | "bonus"> & Partial<Answers["Consequence"]>;
type Annotation = Answers["Annotation"];
type PlayerSummary = Annotation["summary"]["players"][number];
type AnnotatedTurn = Answers["AnnotatedTurn"];

/** The answer of each address that the page asks. */
type Found<Path extends string> =
  Path extends "/analyze" ? Analysis :
  Path extends "/play" ? Answers["Turn"] :
  Path extends "/duplicate" ? Answers["Duplicate"] :
  Path extends "/hints" ? Answers["Hint"] :
  Path extends "/leaves" ? Answers["Leaves"] :
  Path extends "/opponent-rack" ? Answers["OpponentRack"] :
  Path extends "/words/judge" ? Answers["Judgement"] :
  Path extends "/quiz/reviews" ? Answers["ReviewedCards"] :
  Path extends `/lexicons/${string}/cards/import` ? Answers["ImportedCards"] :
  Path extends `/lexicons/${string}/cards/export` ? Answers["ExportedCards"] :
  Path extends `/lexicons/${string}/cards` ? Answers["CardPage"] :
  Path extends "/boards" ? Answers["BoardList"] :
  Path extends "/equipment/check" ? Answers["Equipment"] :
  Path extends "/lexicons" ? Answers["LexiconList"] :
  Path extends "/tile-sets" ? Answers["TileSetList"] :
  Path extends "/rule-sets" ? Answers["RuleSetList"] :
  Path extends `/lexicons/${string}/graph` ? Answers["WordGraph"] :
  Path extends `/games/annotate?${string}` ? Annotation | string : // GCG and HTML are texts
  Path extends `/lexicons/${string}/words/${string}` ? Answers["WordReport"] :
  Path extends `/jobs/${string}/result` ? unknown :
  Path extends `/jobs/${string}` ? Job :
  unknown;

/** A move in view: of an answer, of a search, or of a game record, which says less of it. */
interface Chosen extends Partial<Move> { move: string; kind: string; score: number; placed: Placed[] }

/** The judgement of a move that is tried: in words, or compared with the best of `count` plays. */
type Trial = Partial<Answers["Comparison"]> & { text?: string; best?: Move; count?: number };

interface Tile { letter: string; blank: boolean }

type Texts = Record<string, string>;

/** What <kibitz-board> draws and reads; the page adds more to its positions, layouts and games. */
interface BoardTiles { side: number; tiles: (Tile | null)[] }
interface BoardRows { rows: string[]; starts: string[] }
interface RecordFault { line: number; text: string }
interface GameRecord {
  players: { nick: string; name: string }[];
  title: string;
  board: string;
  side: number;
  turns: Turn[];
  faults: RecordFault[];
}

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
type Letter = Answers["Tile"];
interface Placed extends Tile { at: string }

/** A square of the board as it is drawn. */
interface Square { index: number; at: string; premium: string; start: boolean; tile: Tile | null; points: number; ghost: boolean; played: boolean; fault: boolean; percent: number }

/** A turn of a record that the board steps through. */
interface Turn {
  line: number;
  player: number;
  kind: string;
  move: string;
  rack: string;
  score: number;
  total: number;
  note: string;
  placed: Placed[];
  tiles: (Tile | null)[];
}

interface Cursor {
  index: number;
  down: boolean;
  past?: boolean; // the last tile lies on the last square of the line, so that there is none left to type on
  laid?: number; // the square of the tile typed just now, which a further letter may turn into a tile of two letters
  rest?: string; // what is still to be typed of a tile of two letters that is laid already; typing it changes nothing
}

/** `board` and `tile_set`: ids, or the contents of those of one's own; `rules` and `tile_set`: if not those of the lexicon. */
interface Settings { lexicon: string; board: string | BoardRows; rules?: string; tile_set?: string | Letter[] }

interface Fault { text: string; lines: string[]; squares: string[]; kind: string; retry: (() => void) | null }

interface State {
  position: Position;
  settings: Settings;
  cursor: Cursor | null;
  mode: "setup" | "try";
  trial: Placed[];
  trialResult: Trial | null;
  chosen: Chosen | null;
  look: { placed: Placed[]; sim?: Move["sim"] } | null; // the move under the pointer
  beside: Chosen | null; // the move that the chosen one is compared with
  isHot: boolean; // the board shows where the replies to the move in view fall
  panel: string;
  boards: Layout[];
  lexicons: Answers["Lexicon"][];
  tileSets: Map<string, Letter[]>;
  ruleSets: { id: string; language: string; federation: string }[];
  answer: Analysis | null;
  asking: boolean;
  sort: string;
  filter: Filter;
  search: Search | null;
  notice: string; // shown for a moment, and spoken
  waiting: string; // why an answer is late, shown until it is there
  missing: string; // the word list that a link names and the server lacks, see lexicon.js
  played: string[]; // the squares of the play made last, which are marked
  heard: string; // only spoken: it can be seen elsewhere
  fault: Fault | null;
  keyboard: boolean;
  isDeviceKeyboard: boolean; // typed on rather than on the tiles
  keyTarget: "board" | "rack";
  scene: "" | "games" | "play"; // the panel that shows a position of its own on the board, see scene.js
  review: Review | null; // the annotated game, see games.js
  puzzle: Puzzle | null; // the mistakes that are replayed, see puzzle.js
  branch: Branch | null; // the moves tried from a turn of the game on, see variations.js
  game: Table | null; // the game that is played, see play.js
  isReady: boolean;
  keyNeeded: boolean;
}

/** A step of the history. */
interface Place { position: Position; settings: Settings; missing?: string }

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
  of: (move: Move) => string;
  key: (move: Move) => number | string;
  error?: (move: Move) => string;
  when?: (move: Move) => boolean;
}

/** A search of the position `key`; `moves`: those found so far, best first. */
interface Search { key: string; seconds: number; state: "running" | "done" | "stopped"; job: Job | null; moves: Move[]; answer: Analysis | null }

/** `waits`: ends a wait for a busy server, by default `signal`. */
interface Options { signal?: AbortSignal; waits?: AbortSignal; method?: string; headers?: Record<string, string> }
/** Ask the server; `body` is sent as JSON, a string or a Blob as text. */
type Ask = <Path extends string>(path: Path, body?: unknown, options?: Options) => Promise<Answer<Path>>;

/**
 * Follow a job. `stopped`: aborted to end the search with what it has found; `signal`: aborted to drop it; `progress`:
 * called with the state of the job again and again. `key`: one that continues when the page is left, and is followed again
 * by its key. `found` is null if it was stopped before it had anything.
 */
type Follow = <Path extends string>(path: Path, body: unknown, options: {
  signal: AbortSignal; stopped: AbortSignal; progress: (job: Job) => void; headers?: Record<string, string>; key?: string;
}) => Promise<{ found: Found<Path> | null; wasStopped: boolean }>;

/** Lay a typed letter of the tile set at the cursor. */
type Lay = (now: State, cursor: Cursor, letter: string, blank: boolean) => Edit;

interface Answer<Path extends string> { found: Found<Path>; status: number; headers: Headers }

/** The annotated game: `at` is the index of the turn in view, `job` the progress of what the server does for it. */
interface Review {
  record: string;
  name: string;
  query: string;
  answer: Annotation | null; // null while the server works on it
  at: number;
  look: "played" | "best";
  variations: Variation[];
  job: { done: number; total: number } | null;
}

/** A turn of a game, of index `at`, whose best move is to be found. */
interface Mistake {
  turn: AnnotatedTurn;
  best: NonNullable<AnnotatedTurn["best"]>;
  at: number;
  game: Pick<Annotation["game"], "players" | "lexicon" | "board">;
}

/** The puzzle in view, `number` of a list from 0, and what was said about the last answer. */
interface Puzzle { list: Mistake[]; number: number; verdict?: (Node | string)[] }

/** Say something about a move; `isRight`: whether it is the best, null if that was shown, undefined if it is no answer. */
type Say = (verdict: (Node | string)[], isRight?: boolean | null) => void;
/** Return what is said after an answer to a puzzle. */
type Answered = (puzzle: Mistake, isRight: boolean | null) => (Node | string)[];

/** The mistakes of the games that were opened at /puzzles. */
interface Pool { games: number; mistakes: Mistake[] }

/** A move of a branch, with the CGPs before and after it. */
interface BranchPlay { before: string; after: string; move: string; score: number }

/** A tree of moves from a turn of a record on; `start`: the CGP of the turn. */
interface Branch { record: string; at: number; start: string; plays: BranchPlay[] }

/** A way through a branch to the position `cgp`; `moves`: in words. */
interface Variation { at: number; name: string; moves: string; branch: Branch; cgp: string }

/** A review whose answer has arrived. */
type Reviewed = Review & { answer: Annotation };

/** What the buttons of a review do; `search` is one that is ready. */
interface ReviewActs { search: HTMLElement; link: () => void; picture: () => void; gcg: () => void; html: () => void; close: () => void }

/** A player of a game; a person has no level. */
interface Seat { name: string; level: number | null }

/** The state of a game before a turn; `cgp` begins with the player on turn, everything else with the first seat. */
interface Stand {
  cgp: string;
  bag: string | null;
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
  drawn?: string | null;
  seconds: number; // what the turn took
  after: Stand;
}

/** The time limits of a game, in seconds. */
interface Time { per_game: number | null; per_move: number | null; overtime: "points" | "loss" }

/** What a game is played by; `rules`: those that differ from the default ones of the tile set. */
interface Plan { seats: Seat[]; settings: Settings; rules: Partial<Answers["Rules"]>; allow_phonies: boolean; time: Time; seed: number }

/** Take the files that a person has chosen or dropped. */
type TakeFiles = (file: File, ...others: File[]) => void;

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

type Lexicons = Answers["LexiconList"]["lexicons"];

/** A word list in the browser: its graph, the code of each tile, and what splits words into tiles. */
interface WordList { nodes: Uint32Array; codes: Map<string, number>; characters: Set<string>; splitter: RegExp }

/** A verdict on the words of a play, or why there is none. */
type Judged =
  { words: string[]; acceptable: boolean } |
  { fault: "too_many" | "no_tile" | "too_short"; letter?: string };

type Round = Answers["DuplicateRoundSheet"];

/**
 * A game of duplicate of one player: `seconds` for a round; `ends`: when the time of the open round is over, in
 * milliseconds since 1970; `laid`: the tiles on the board.
 */
interface Training {
  sheet: Answers["Duplicate"];
  seconds: number | null;
  ends: number | null;
  phase: "open" | "judged" | "over";
  laid: Placed[];
}

/** What the host of a game sends to the page at /join; docs/playing.md describes it. */
interface HostedView { number: number; missing: number[]; away: number[]; game: SeatView }

/** What a player did in a hosted game: of exchanged tiles only their number is known. */
interface SeenTurn { player: number; kind: string; move: string; tiles: number; score: number; total: number }

/** What the player `seat` sees of a hosted game; lists are in the order of play. */
interface SeatView {
  seat: number;
  names: string[];
  levels: (number | null)[];
  lexicon: string;
  tile_set: string;
  letters: Letter[];
  layout: string;
  rows: string[];
  starts: number[][];
  board: string;
  rack: string;
  held: number[];
  bag: number;
  scores: number[];
  on_turn: number;
  time: Time;
  time_left: (number | null)[];
  move_time_left: number | null;
  turns: SeenTurn[];
  played: string[];
  challengeable: boolean;
  end: (Omit<End, "final"> & { scores: number[] }) | null;
}

type Card = Answers["CardProgress"];
type FlashCard = Answers["FlashCard"];

/** What is known of the cards of a word list, by their questions: the file of `kibitz quiz`. */
interface Progress { version: number; lexicon: string; cards: Record<string, Card> }

/** How many cards of a quiz were asked, and answered right at once. */
interface Result { asked: number; right: number }

/** Say what failed, with a button to do it again. */
type Complain = (error: unknown, retry?: (() => void) | null) => void;

/** A tile as it is edited at /editor: the numbers as they are typed. */
interface TileRow { letter: string; count: string; value: string; vowel: boolean }

/** What is edited at /editor: a board, whose rows may have any marks, and the tiles, the blank first. */
interface Draft { board: BoardRows; tiles: TileRow[] }

/** Whether painting a square paints its images too. */
type Symmetry = "none" | "sides" | "axes" | "all";
type EquipmentFault = Answers["TextFault"];
