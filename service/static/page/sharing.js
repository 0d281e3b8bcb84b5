// What a person can give to others: a link, and a picture of the board.

import { keyHeaders } from "./api.js";
import { complain } from "./faults.js";
import { saveFile } from "./files.js";
import { positionFields, state, update } from "./state.js";
import { t } from "./texts.js";

/**
 * Copy a link.
 * @param {string} address
 */
export async function copyLink(address) {
  try {
    await navigator.clipboard.writeText(address);
    update({ notice: t("The link is copied.") });
  } catch {
    complain(new Error(t("This browser does not copy the link: {address}", { address })));
  }
}

/** Copy a picture of the board with the move in view; where the browser or the server cannot, save a drawing. */
export async function copyPicture() {
  const play = state.chosen?.kind === "play" ? { play: state.chosen.move } : {};
  const { rules: _, ...fields } = positionFields(state);
  const query = new URLSearchParams(JSON.parse(JSON.stringify({ ...fields, ...play })));
  const drawn = async (/** @type {string} */ kind) => {
    const answer = await fetch(`/board.${kind}?${query}`, { headers: keyHeaders() });
    if (!answer.ok) throw new Error(t("The server cannot draw this board."));
    return answer.blob();
  };
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": drawn("png") })]);
    update({ notice: t("The picture is copied.") });
  } catch {
    try {
      saveFile("board.svg", await drawn("svg"), "image/svg+xml");
    } catch (error) {
      complain(error, copyPicture);
    }
  }
}
