// Monte Carlo tree search: the work of dragon/search/mcts/search.py and driver.py around the kernel.
import { KERNEL, MCTS } from "./constants.js";
import { Budget, Kernel, Pace } from "./driver.js";

const { DEFAULT_SIMULATIONS, FIRST_SLICE, LANES, LAST_SLICE, MOVES_SHOWN, SLICE_NODES, TIMED_SLICE, UNPROVEN } = MCTS;
const { FOREVER } = KERNEL;

/** Results of ever more simulations: {value, bound, line, nodes, extra}; moves are codes. `at`: {record, turn}; `limit`:
 *  {seconds, nodes, simulations}; `seed`: of the tree's random generator. */
export function* mcts(module, about, player, at, limit, seed) {
  const tree = new Tree(module, about, player, at, seed);
  try {
    yield* grown(tree, player.settings, limit);
  } finally {
    tree.kernel.close();
  }
}

function* grown(tree, settings, limit) {
  const clock = new Budget(limit);
  const timed = limit.seconds !== undefined;
  const pace = new Pace(timed ? TIMED_SLICE : FIRST_SLICE, LAST_SLICE);
  const given = [settings.simulations, limit.simulations].filter((n) => n !== null && n !== undefined);
  const free = timed || limit.nodes !== undefined ? FOREVER : DEFAULT_SIMULATIONS;
  const budget = given.length ? Math.min(...given, FOREVER) : free;
  let target = 1;
  for (;;) {
    target = Math.min(2 * target, budget);
    const more = advance(tree, target, clock, pace);
    yield tree.result();
    if (!more || target >= budget) return;
  }
}

/** Brings the tree to `target` simulations, in slices; false if the run is over. */
function advance(tree, target, clock, pace) {
  const most = clock.limit.nodes ?? FOREVER;
  for (;;) {
    const began = clock.seconds;
    tree.advance(Math.min(target, tree.simulations + pace.steps), most);
    if (tree.proof() !== null || tree.nodes >= most || clock.late) return false;
    if (tree.simulations >= target) return true;
    pace.took(clock.seconds - began, clock.left);
  }
}

class Tree {
  constructor(module, about, player, at, seed) {
    Object.assign(this, { about, turn: at.turn, nodes: 0, simulations: 0, size: 1 });
    this.kernel = new Kernel(module, about, player, at.record);
    this.kernel.m.random.set(0, undefined, seed);
  }

  advance(stop, stopNodes) {
    const { kernel } = this;
    const entries = this.size + kernel.run("blocks") + SLICE_NODES;
    kernel.m.budget.put({ simulations: stop, nodes: stopNodes, entries });
    kernel.resume();
    [this.nodes, this.simulations, this.size] = ["nodes", "simulated", "size"].map((name) => kernel.run(name));
  }

  node(i, field) {
    return this.kernel.m.tree.get(i, field);
  }

  visited(at) {
    const { blocks } = this.kernel.m;
    const apart = blocks.length > 1; // as in dragon/search/mcts/tree.py
    const [first, count] = [this.node(at, "first"), this.node(at, apart ? "tried" : "count")];
    const child = (_, i) => (apart ? blocks.get(first + Math.floor(i / LANES), "child", i % LANES) : first + i);
    return Array.from({ length: count }, child).filter((i) => this.node(i, "visits") > 0);
  }

  /** The proof of a node for the seat to move at the root; null where there is none. */
  units(proof) {
    if (proof === UNPROVEN) return null;
    const { teams } = this.about;
    return (teams[Math.max(this.turn, 0)] === teams[0] ? proof : -proof) + 0;
  }

  proof() {
    return this.units(this.node(0, "proof_seat0"));
  }

  children() {
    return this.visited(0).map((i) => ({
      code: this.node(i, "code"), visits: this.node(i, "visits"), total: this.node(i, "total"), proof: this.units(this.node(i, "proof_seat0")),
    }));
  }

  /** The most visited moves, beginning with `code`; in a proof, those of it, as far as the tree has them. */
  line(code) {
    const line = [code];
    let at = this.visited(0).find((i) => this.node(i, "code") === code) ?? -1;
    while (at >= 0 && this.node(at, "seat") >= 0) {
      const exact = this.node(at, "proof_seat0");
      const rank = (i) => [exact !== UNPROVEN && this.node(i, "proof_seat0") === exact ? 1 : 0, this.node(i, "visits")];
      at = first(this.visited(at), rank) ?? -1;
      if (exact !== UNPROVEN && at >= 0 && !rank(at)[0]) break; // proven by a transposition
      if (at >= 0) line.push(this.node(at, "code"));
    }
    return line;
  }

  result() {
    const { unit, largest } = this.about;
    const proof = this.proof(), children = this.children();
    const sound = children.filter((child) => child.proof !== -largest);
    const best = (proof !== null && children.find((child) => child.proof === proof))
      || first(sound.length ? sound : children, (child) => [child.visits, child.total]);
    const sum = (field) => children.reduce((all, child) => all + child[field], 0);
    const decided = this.turn >= 0 && best;
    const mean = decided ? (best.proof ?? best.total / best.visits) : sum("total") / Math.max(1, sum("visits")); // chance takes all
    const moves = [...children].sort((a, b) => b.visits - a.visits).slice(0, MOVES_SHOWN)
      .map(({ code, visits, total }) => ({ code, visits, value: (total / visits) * unit }));
    return {
      value: (proof ?? mean) * unit, bound: proof !== null ? "=" : "~", line: decided ? this.line(best.code) : [],
      nodes: this.nodes, extra: { simulations: this.simulations, tree: this.size }, moves,
    };
  }
}

/** The first of those that rank highest; ranks are pairs. */
function first(all, rank) {
  let best, most;
  for (const each of all) {
    const here = rank(each);
    if (!most || here[0] > most[0] || (here[0] === most[0] && here[1] > most[1])) [best, most] = [each, here];
  }
  return best;
}
