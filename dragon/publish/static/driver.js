// Drivers: a kernel at work on its memory, and the limit of a run.
import { KERNEL } from "./constants.js";
import { Machine } from "./kernel.js";

const { CHANCE_MET, DONE, FOREVER, GROW, LONGER, QUICK } = KERNEL;

/** The part that a run has spent of its limit: {seconds, nodes, simulations}, each of which may be missing. */
export class Budget {
  constructor(limit) {
    this.limit = limit;
    this.nodes = 0;
    this.began = performance.now();
  }

  get seconds() {
    return (performance.now() - this.began) / 1000;
  }

  get left() {
    return (this.limit.seconds ?? Infinity) - this.seconds;
  }

  get late() {
    return this.left <= 0;
  }

  get spent() {
    return this.late || (this.limit.nodes !== undefined && this.nodes >= this.limit.nodes);
  }
}

/** The number of steps that a kernel takes between two looks at the clock. */
export class Pace {
  constructor(steps, most) {
    Object.assign(this, { steps, most });
  }

  took(seconds, left) { // both of a run: the next slice lasts no longer than what is left
    const most = seconds < QUICK ? 2 * this.steps : seconds > 2 * QUICK ? this.steps / 2 : this.steps;
    this.steps = Math.max(1, Math.floor(Math.min(most, this.most, this.steps * left / (seconds + 1e-9))));
  }
}

/** A kernel and its memory, at the position of a record's bytes, until it is closed. */
export class Kernel {
  constructor(module, about, player, record) {
    Object.assign(this, { player, longest: player.longest ?? FOREVER });
    this.machine = Machine.lent(module, about);
    this.m = this.machine.arrays(player.memory, player.growing);
    this.m.states.raw(0, record.length).set(record);
  }

  close() {
    this.machine.giveBack();
  }

  run(field) {
    return this.m.runs.get(0, field);
  }

  /** Runs the kernel until it pauses; true if it is done. */
  resume() {
    for (;;) {
      const status = this.machine.call(this.player.kernel, this.m);
      if (status === CHANCE_MET) throw new Error("Luck decides in this game, and this search does not know it.");
      if (status !== GROW) return status === DONE;
      for (const name of this.player.growing) {
        const array = this.m[name];
        this.machine.lengthen(array, Math.min(LONGER * array.shape.at(-1), this.longest));
      }
    }
  }
}
