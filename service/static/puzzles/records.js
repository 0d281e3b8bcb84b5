// Annotate records one after the other, with progress; one that cannot be read is named and left out.

import { Problem, Superseded, ask } from "../page/api.js";
import { button, make, write } from "../page/dom.js";
import { complain } from "../page/faults.js";
import { language, shownNumber, t, tn } from "../page/texts.js";

const MOST_BYTES = 250_000; // of a record that the server reads

/**
 * Return a box that shows the progress and the faults, and a function that annotates further files.
 * @param {() => string} lexicon the id of the word list, empty for that of each record
 * @param {(answer: Annotation) => void} add
 * @param {(isBusy: boolean) => void} onBusy called at the start and at the end
 */
export function recordReader(lexicon, add, onBusy) {
  /** @type {File[]} */
  let queue = [];
  let done = 0;
  let isBusy = false;
  let stopping = new AbortController();
  const text = make("p", { className: "doing", role: "status" });
  const bar = make("progress", { "aria-label": t("Annotation") });
  const stop = button(t("Stop"), () => { queue = []; stopping.abort(); }, { id: "stop" });
  const work = make("div", { className: "work", hidden: true }, text, stop, bar);
  const title = make("summary");
  const list = make("ul");
  const faults = make("details", { className: "faults", open: true, hidden: true }, title, list);

  const refuse = (/** @type {File} */ { name, webkitRelativePath: path }, /** @type {string} */ why) => {
    list.append(make("li", {}, `${path || name}: ${why}`));
    faults.hidden = false;
    write(title, tn("{count} record is left out", "{count} records are left out", list.children.length));
  };

  async function readQueue() {
    const { signal } = stopping;
    while (queue.length) {
      const [file] = queue;
      [bar.max, bar.value] = [done + queue.length, done];
      write(text, t("Annotating: game {done} of {total}", { done: shownNumber(done + 1), total: shownNumber(bar.max) }));
      try {
        add(await annotated(file, lexicon(), signal));
      } catch (error) {
        if (error instanceof Superseded) return;
        if (error instanceof Problem && error.kind !== "refused") throw error; // not the fault of the record
        const { message, errors = [] } = /** @type {Problem} */ (error);
        refuse(file, [message, ...errors.slice(0, 1).map(({ detail }) => detail).filter((detail) => detail !== message)].join(" "));
      }
      queue.shift();
      done += 1;
    }
  }

  async function read(/** @type {File[]} */ ...files) {
    queue.push(...files);
    if (isBusy) return;
    isBusy = true;
    done = 0;
    stopping = new AbortController();
    work.hidden = false;
    onBusy(true);
    try {
      await readQueue();
    } catch (error) {
      complain(error, () => { read(); });
    }
    isBusy = false;
    work.hidden = true;
    onBusy(false);
  }
  return { element: make("div", {}, work, faults), read };
}

/**
 * Return the annotation of a record, by equity. Throws an Error in words for a file that is none.
 * @param {File} file
 * @param {string} lexicon
 * @param {AbortSignal} signal
 * @returns {Promise<Annotation>}
 */
async function annotated(file, lexicon, signal) {
  if (file.size > MOST_BYTES) throw new Error(t("This file is too long for a game record."));
  const bytes = await file.arrayBuffer().catch(() => { throw new Error(t("This file cannot be read.")); });
  const words = lexicon && `&lexicon=${encodeURIComponent(lexicon)}`;
  const { found } = await ask(`/games/annotate?lang=${language()}${words}`, new Blob([bytes]), { signal, headers: { "Content-Type": "text/plain" } });
  if (typeof found === "string" || !found.turns.length) {
    throw Object.assign(new Error(t("This record has no turn that can be read.")), { errors: typeof found === "string" ? [] : found.game.faults });
  }
  return found;
}
