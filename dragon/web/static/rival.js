// The computer as an opponent: the request of a level or a search, its move, and the preparation of the first one.
import { stream } from "./dragon.js";
import { LEVELS, usual } from "./words.js";

const LONG = 20; // seconds that a level may take at most: it is bounded by its nodes

/** The parameters of a level of the game, or else of a search. */
export function asks(by, levels, seconds) {
  const level = levels?.[by] ?? (levels && by in LEVELS ? levels[usual(levels)] : undefined);
  return { seconds: level ? LONG : seconds, ...(level || { search: by }) };
}

/** The last result of a search, which has the move; null without one. */
export async function thought(asking, options = {}) {
  let answer = null;
  for await (answer of stream("play/think", asking, options)) { /* each is better than the last */ }
  return answer;
}

/** Lets the server compile what a reply needs, while a person thinks. */
export async function prepared(asking) {
  try {
    await thought({ ...asking, seconds: 0.05, nodes: 1 });
  } catch { /* the reply itself says what is wrong */ }
}

/** A seed of a new deal, where a game deals. */
export function deal(deals) {
  return deals ? Math.floor(Math.random() * 1e6) : 0;
}
