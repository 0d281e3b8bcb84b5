// The games opened last, with their annotations, in the browser's IndexedDB. There are none where it forbids that.

const NAME = "kibitz-games-1"; // another number if what is stored changes
const STORE = "games";
const MAX_STORED = 12;

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/**
 * Return the result of a request to the store, or another value where the browser forbids it.
 * @template T
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @param {any} [otherwise]
 * @returns {Promise<T>}
 */
async function ask(act, otherwise) {
  try {
    const opening = indexedDB.open(NAME);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "record" });
    const base = await done(opening);
    try {
      return await done(act(base.transaction(STORE, "readwrite").objectStore(STORE)));
    } finally {
      base.close(); // after the transaction
    }
  } catch {
    return otherwise;
  }
}

/**
 * Store an annotated game; the same record replaces the earlier one.
 * @param {Reviewed} review
 */
export async function storeRecord({ record, name, query, answer, at, variations }) {
  await ask((store) => store.put({ record, name, query, answer, at, variations, openedAt: Date.now() }));
  for (const old of (await storedRecords()).slice(MAX_STORED)) await forgetRecord(old.record);
}

/** @param {string} record */
export const forgetRecord = (record) => ask((store) => store.delete(record));

/**
 * Return the game of a record, undefined if it is not stored.
 * @param {string} record
 * @returns {Promise<Reviewed | undefined>}
 */
export const storedRecord = (record) => ask((store) => store.get(record)).then(asReview);

/**
 * Return the stored games, the one opened last first.
 * @returns {Promise<Reviewed[]>}
 */
export async function storedRecords() {
  const found = await ask((store) => store.getAll(), []);
  return found.sort((one, other) => other.openedAt - one.openedAt).map(asReview);
}

/** @param {any} stored */
const asReview = (stored) => stored && { variations: [], ...stored, look: "played", job: null };
