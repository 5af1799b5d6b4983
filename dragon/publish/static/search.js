// The searches that a page can have, by the name of their script.
import { alphabeta } from "./alphabeta.js";
import { mcts } from "./mcts.js";
import { STATE } from "./constants.js";
import { Rules } from "./rules.js";

const { CHANCE } = STATE;

/** One legal move, uniformly at random. */
function* random(module, about, player, at) {
  const moves = new Rules(module, about).moves(at.record);
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  yield { value: 0, bound: "~", line: at.turn === CHANCE ? [] : [moves[drawn % moves.length]], nodes: 1, extra: {} };
}

const SCRIPTS = { alphabeta, mcts, random };

/** Ever better results of a player of `about` at a position, {record, turn}; a result without a line gets the first
 *  legal move. */
export function* searched(module, about, name, at, limit, seed) {
  const player = about.players[name], moved = at.turn !== CHANCE;
  for (const found of SCRIPTS[player.script](module, about, player, at, limit, seed)) {
    yield found.line.length || !moved ? found : { ...found, line: new Rules(module, about).moves(at.record).slice(0, 1) };
  }
}
