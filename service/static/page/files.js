// Files: choose one, read what is dropped on the page, and save one.

import { button, make } from "./dom.js";

/**
 * Return a button that lets a person choose a file, or with `multiple` or `webkitdirectory` several.
 * @param {string} id
 * @param {string} name
 * @param {string} accept
 * @param {TakeFiles} take
 * @param {Record<string, boolean>} [values]
 */
export function fileButton(id, name, accept, take, values = {}) {
  const input = make("input", {
    type: "file", id, accept, hidden: true, tabIndex: -1, ...values,
    onchange: () => {
      const [file, ...others] = input.files;
      input.value = ""; // so that the same file can be chosen again
      if (file) take(file, ...others);
    },
  });
  return make("span", {}, input, button(name, () => input.click()));
}

/**
 * Take files that are dropped anywhere on the page; the browser does not leave it for them.
 * @param {TakeFiles} take
 */
export function takeDrops(take) {
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  const mark = (/** @type {boolean} */ isOver) => document.body.classList.toggle("dropping", isOver);
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(false);
    const [file, ...others] = event.dataTransfer?.files ?? [];
    if (file) take(file, ...others);
  });
}

/**
 * Save a file.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type
 */
export function saveFile(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
