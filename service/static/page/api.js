// Requests to the server: answered in order, repeated when it is busy, followed if they become jobs. Every failure
// has a message for the reader.

import { storeText, storedText } from "./storage.js";
import { language, t } from "./texts.js";

const TRIES = 6;
const SLOW_MS = 5000;
const MAX_WAIT_SECONDS = 60;

/** The reason why a request has no answer. `kind`: refused, busy, down, strange or key. */
export class Problem extends Error {
  /**
   * @param {"refused" | "busy" | "down" | "strange" | "key"} kind
   * @param {string} message
   * @param {{code?: string, errors?: {detail: string}[], status?: number}} [details]
   */
  constructor(kind, message, { code = "", errors = [], status = 0 } = {}) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.errors = errors;
    this.status = status;
  }
}

/** Thrown to the sender of a request that a newer one has replaced; callers show nothing then. */
export class Superseded extends Error {}

let key = storedText("kibitz-key", "sessionStorage");

/**
 * Use an API key until the tab is closed.
 * @param {string} text
 */
export function useKey(text) {
  key = text.trim();
  storeText("kibitz-key", key, "sessionStorage");
}

/**
 * Return the headers that identify the client.
 * @returns {Record<string, string>}
 */
export const keyHeaders = () => (key ? { Authorization: `Bearer ${key}` } : {});

/** @type {(text: string) => void} */
let tellWait = () => {};

/**
 * Call a listener with the reason for a delay, and with an empty text when the answer has arrived.
 * @param {(text: string) => void} listener
 */
export function onWait(listener) {
  tellWait = listener;
}

/**
 * Ask the server and return its answer. 429 and 503 are asked again after Retry-After. Throws a Problem.
 * @type {Ask}
 */
export async function ask(path, body, options = {}) {
  let isTold = false;
  const tell = (/** @type {string} */ text) => { isTold = true; tellWait(text); };
  const slow = setTimeout(() => tell(t("The server is slow to answer. Still waiting …")), SLOW_MS);
  try {
    for (let tries = 1; ; tries += 1) {
      const { answer, text } = await fetchOnce(path, body, options);
      const { ok, status, headers } = answer;
      if (ok) return { found: contentOf(answer, text, options.headers?.Accept), status, headers };
      const found = parsed(text);
      if ((status !== 429 && status !== 503) || (tries >= TRIES && found?.code !== "table_not_ready")) throw problemOf(status, found);
      const seconds = Math.min(Math.max(Number(headers.get("Retry-After")) || 1, 1), MAX_WAIT_SECONDS);
      tell(found?.code === "table_not_ready"
        ? t("The server is preparing this word list. Trying again in {seconds} s.", { seconds })
        : t("The server is busy. Trying again in {seconds} s.", { seconds }));
      await pause(1000 * seconds, options.waits ?? options.signal);
    }
  } finally {
    clearTimeout(slow);
    if (isTold) tellWait("");
  }
}

/**
 * Return a function like `ask` that cancels its earlier request, whose sender gets Superseded.
 * @returns {Ask}
 */
export function inOrder() {
  let controller = new AbortController();
  return (path, body, options = {}) => {
    controller.abort();
    controller = new AbortController();
    return ask(path, body, { ...options, signal: controller.signal });
  };
}

/**
 * Return an answer that has been read to its end. Throws Superseded for one that comes after its signal.
 * @param {string} path
 * @param {unknown} body
 * @param {Options} options
 */
async function fetchOnce(path, body, { signal, method, headers }) {
  /** @type {Record<string, string>} */
  const all = { "Accept-Language": language(), ...keyHeaders(), ...headers };
  /** @type {RequestInit} */
  const init = { signal, headers: all, method: method ?? (body === undefined ? "GET" : "POST") };
  if (body !== undefined) {
    const isText = typeof body === "string" || body instanceof Blob;
    init.body = isText ? body : JSON.stringify(body);
    all["Content-Type"] ??= isText ? "text/plain" : "application/json";
  }
  try {
    const answer = await fetch(path, init);
    const text = await answer.text();
    if (!signal?.aborted) return { answer, text };
  } catch {
    if (!signal?.aborted) throw new Problem("down", t("The server cannot be reached. Check your connection, then try again."));
  }
  throw new Superseded();
}

/**
 * Return the value of a JSON text, null if it is none.
 * @param {string} text
 */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Return what an answer holds.
 * @param {Response} answer
 * @param {string} text
 * @param {string} [wanted] a media type whose answers are texts
 */
function contentOf(answer, text, wanted) {
  const type = answer.headers.get("Content-Type") ?? "";
  if (!text) return null;
  if (wanted && wanted !== "application/json" && type.startsWith(wanted)) return text;
  const found = parsed(text);
  if (found === null) throw new Problem("strange", t("A proxy sent an unexpected response. Try again later."));
  return found;
}

/**
 * @param {number} status
 * @param {any} found what the answer holds
 */
function problemOf(status, found) {
  if (typeof found?.detail !== "string") {
    const text = t("The server is not available now (status {status}). Try again later.", { status });
    return new Problem(status >= 500 ? "down" : "strange", text, { status });
  }
  const details = { code: found.code, errors: found.errors ?? [], status };
  if (status === 401) return new Problem("key", t("This server needs an API key."), details);
  if (status === 429 || status === 503) return new Problem("busy", t("The server is still busy: {detail}", found), details);
  return new Problem("refused", found.detail, details);
}

/**
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => { clearTimeout(timer); reject(new Superseded()); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); resolve(); }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}

const POLL_MS = 400;

/**
 * Start an operation and return its answer, following the job that it may become.
 * @type {Follow}
 */
export async function follow(path, body, { signal, stopped, progress, headers, key: name }) {
  const start = await ask(path, body, {
    signal, waits: AbortSignal.any([signal, stopped]), headers: { Prefer: "respond-async", "Idempotency-Key": name ?? crypto.randomUUID(), ...headers },
  });
  if (start.status !== 202) return { found: start.found, wasStopped: false };
  let job = /** @type {Job} */ (start.found);
  const leave = () => cancel(job.id);
  if (!name) addEventListener("pagehide", leave);
  signal.addEventListener("abort", leave);
  try {
    while (job.state === "queued" || job.state === "running") {
      progress(job);
      if (stopped.aborted) {
        job = (await ask(`/jobs/${job.id}`, undefined, { signal, method: "DELETE" })).found;
      } else {
        await Promise.race([pause(POLL_MS, signal), new Promise((resolve) => { stopped.addEventListener("abort", resolve); })]);
        job = (await ask(`/jobs/${job.id}`, undefined, { signal })).found;
      }
    }
    progress(job);
    const wasStopped = job.state === "cancelled";
    if (wasStopped && !job.result) return { found: null, wasStopped };
    const { found } = await ask(`/jobs/${job.id}/result`, undefined, { signal, headers });
    return { found: /** @type {any} */ (found), wasStopped };
  } finally {
    removeEventListener("pagehide", leave);
    signal.removeEventListener("abort", leave);
  }
}

/**
 * Stop a job without waiting for it.
 * @param {string} id
 */
function cancel(id) {
  fetch(`/jobs/${id}`, { method: "DELETE", headers: keyHeaders(), keepalive: true }).catch(() => {});
}
