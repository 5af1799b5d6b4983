// A deck in the address: samples and ydke links as they are, in the query, where other programs
// read them too; any other text deflated, in the fragment, which no server sees.

import { unpacked } from "/static/packed.js";

const MOST = 80_000; // bytes; the server takes 20,000 letters
const SHORT = /^(ydke:\/\/\S{1,2000}|[a-z]{1,20})$/;

/** Whether a deck can stand in the query as it is. */
export function short(text) {
  return SHORT.test(text.trim());
}

/** The deck of the fragment, or null where there is none; throws where the address has been cut. */
export async function linked() {
  const found = /^#deck=([\w-]+)$/.exec(location.hash);
  return found ? unpacked(found[1], MOST) : null;
}
