// A game in a link: its record, compressed, with the turn and the word list. Nothing here needs a page.

const FORMAT = "deflate";
const MAX_BYTES = 256 * 1024; // of a record; a link of a few kilobytes could hold any number

/**
 * Return the bytes of a record that is a text with a character for each byte.
 * @param {string} record
 */
export const bytesOf = (record) => Uint8Array.from(record, (one) => one.charCodeAt(0));

/**
 * Return the part of an address after # for a game.
 * @param {{record: string, turn: number, lexicon: string}} game `turn`: counted from 1
 */
export async function writeGame({ record, turn, lexicon }) {
  const packed = await new Response(new Blob([bytesOf(record)]).stream().pipeThrough(new CompressionStream(FORMAT))).arrayBuffer();
  const text = btoa(Array.from(new Uint8Array(packed), (one) => String.fromCharCode(one)).join(""));
  const g = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `#${new URLSearchParams({ g, turn: String(turn), lexicon })}`;
}

/**
 * Return the game of the part of an address after #. Throws an Error for one that holds none, or a very long one.
 * @param {string} hash
 */
export async function readGame(hash) {
  const { g = "", turn, lexicon = "" } = Object.fromEntries(new URLSearchParams(hash));
  const packed = bytesOf(atob(g.replaceAll("-", "+").replaceAll("_", "/")));
  const parts = [];
  let size = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(FORMAT)).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    size += read.value.length;
    if (size > MAX_BYTES) {
      reader.cancel().catch(() => {});
      throw new Error("the record is too long");
    }
  }
  if (!size) throw new Error("the link holds no record");
  return { file: new Blob(parts), turn: Math.max(Math.trunc(Number(turn)) || 1, 1), lexicon };
}
