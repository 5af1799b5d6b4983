// Alpha-beta: the work of dragon/search/alphabeta/search.py and driver.py around the kernel.
import { ALPHABETA } from "./constants.js";
import { Budget, Kernel, Pace } from "./driver.js";

const { DIGITS, FIRST_SLICE, GROWTH, LOAD, NO_HORIZON, SLICE, START, STEPS } = ALPHABETA;

/** The depths of the iterations: `Schedule.depths` of dragon/search/alphabeta/depth.py. */
export function* depths({ first, nodes, factor, step, least }, last, limit) {
  let depth = Math.min(last, limit.nodes < nodes ? 1 : first);
  for (;;) {
    yield depth;
    if (depth === last) return;
    depth = Math.min(last, Math.max(least, factor * depth + step));
  }
}

/** Results of ever deeper searches: {value, bound, line, nodes, extra}; moves are codes. `at`: {record, turn}; `limit`:
 *  {seconds, nodes}; `seed`: of the game's random generator. */
export function* alphabeta(module, about, player, at, limit, seed) {
  const run = new Run(module, about, player, at, limit, seed);
  try {
    yield* run.deepened();
  } finally {
    run.kernel.close();
  }
}

class Run {
  constructor(module, about, player, at, limit, seed) {
    const { steps, aspiration } = player.settings;
    this.settings = player.settings;
    Object.assign(this, { unit: about.unit, average: about.traits.includes("chance"), turn: at.turn });
    this.side = about.teams[Math.max(at.turn, 0)] === about.teams[0] ? 1n : -1n;
    this.steps = BigInt(steps); // values are BigInts: where chance decides a unit has so many steps that doubles are too short
    this.most = this.steps * BigInt(about.largest);
    this.aspiration = BigInt(aspiration); // half the width of an aspiration window
    this.budget = new Budget(limit);
    this.pace = new Pace(limit.seconds === undefined ? SLICE : FIRST_SLICE, SLICE);
    this.kernel = new Kernel(module, about, player, at.record);
    this.kernel.m.settings.set(0, "seed", seed);
  }

  /** Results of ever deeper searches. */
  *deepened() {
    const { schedule, horizon } = this.settings;
    let value = null, result = null;
    for (const depth of depths(schedule, horizon, this.budget.limit)) {
      const found = this.iterate(depth, value);
      if (!found.finished && result && !found.line.length) { // the same claim, after more work
        yield { ...result, nodes: this.budget.nodes };
        return;
      }
      result = this.result(depth, found);
      yield result;
      if (!found.finished || !found.horizon || result.bound === "=") return;
      value = found.value;
    }
  }

  /** One depth: an aspiration window about `value` first, then open on the side that failed. */
  iterate(depth, value) {
    const infinity = this.most + 1n, { aspiration } = this;
    let low = -infinity, high = infinity;
    if (aspiration && value !== null) {
      if (value - aspiration > low) low = value - aspiration;
      if (value + aspiration < high) high = value + aspiration;
    }
    for (;;) {
      const found = this.search(depth, low, high);
      if (!found.finished) return found;
      if (found.value <= low && low > -infinity) low = -infinity;
      else if (found.value >= high && high < infinity) high = infinity;
      else return found;
    }
  }

  search(depth, low, high) {
    const { kernel } = this, { frames, lengths, results } = kernel.m;
    kernel.m.runs.put({ mode: START });
    frames.put({ depth, low_seat0: low, high_seat0: high });
    if (this.goOn()) {
      return { value: results.whole(0, "value_seat0"), line: this.line(), horizon: results.get(0, "horizon") > 0, finished: true };
    }
    const best = frames.whole(0, "best");
    if (!lengths.get(0) || best <= frames.whole(0, "first_alpha")) return { value: 0n, line: [], horizon: true, finished: false };
    return { value: best * this.side, line: this.line(), horizon: true, finished: false };
  }

  /** The number of nodes after which the table grows. */
  get growsAt() {
    const { entries } = this.settings, { length } = this.kernel.m.table;
    return length < entries ? LOAD * length : Infinity;
  }

  /** Moves the entries to a larger table; the old one's memory is not used again. */
  grow() {
    const { entries } = this.settings, { machine, m } = this.kernel, old = m.table, age = this.kernel.run("age");
    Object.assign(m, machine.arrays([{ ...old, shape: [Math.min(GROWTH * old.length, entries)] }]));
    machine.call("transfer", old, age, m.table, age);
  }

  /** Runs slices until the kernel is done (true) or the budget is spent. */
  goOn() {
    const { kernel, budget, pace } = this;
    for (;;) {
      kernel.m.runs.put({ stop: Math.min(budget.nodes + pace.steps, budget.limit.nodes ?? Infinity, this.growsAt) });
      const began = budget.seconds;
      const done = kernel.resume();
      pace.took(budget.seconds - began, budget.left);
      budget.nodes = kernel.run("nodes");
      kernel.m.runs.put({ listed: 0 });
      if (done || budget.spent) return done;
      if (budget.nodes >= this.growsAt) this.grow();
    }
  }

  line() {
    const { lines, lengths } = this.kernel.m;
    return Array.from({ length: lengths.get(0) }, (_, i) => lines.get(i));
  }

  result(depth, { value: found, line, horizon, finished }) {
    const { sooner, selective, steps, highest, coarse } = this.settings;
    const value = found * this.side, worth = Number(value) / steps;
    const size = value < 0n ? -value : value;
    const least = sooner ? this.most - BigInt(Math.min(depth, STEPS - 1)) : this.most;
    const won = size >= least && size > highest; // far ahead a guess is as much
    const proven = finished && (!horizon || won);
    const extra = { hits: this.kernel.m.results.get(0, "hits") };
    if (depth < NO_HORIZON) extra.depth = depth;
    const sure = !(selective && horizon); // a quicker win may have been left out
    const distance = Number((this.steps - (size % this.steps)) % this.steps);
    if (proven && sooner && value && !this.average) extra[sure ? "distance" : "distance_at_most"] = distance;
    const known = this.average ? Number(worth.toFixed(DIGITS)) : Math.ceil(Math.abs(worth)) * Math.sign(worth);
    return { value: (proven ? known : worth) * this.unit + 0, bound: proven && !coarse ? "=" : "~", line, nodes: this.budget.nodes, extra };
  }
}
