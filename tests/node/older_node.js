// What browsers and Node 20 have, and Debian 12's Node 18 lacks.

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
// biome-ignore lint/suspicious/noExtendNative: only in the tests
Array.prototype.with ??= function replaced(at, value) {
  const copy = [...this];
  copy[at] = value;
  return copy;
};
