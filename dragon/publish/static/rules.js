// A game's rules, compiled: positions as the bytes of records, moves as codes.
import { Machine, decoded } from "./kernel.js";

/** The first elements of an array. */
export function numbers(array, count) {
  return Array.from({ length: count }, (_, i) => array.get(i));
}

/** The rules of a game whose module is loaded. */
export class Rules {
  constructor(module, about) {
    this.about = about;
    this.machine = new Machine(module, about);
    this.m = this.machine.arrays(about.rules);
    this.firsts = about.firsts.map(decoded); // by the seed of the deal
  }

  put(record) {
    this.m.states.raw().set(record);
  }

  /** The seat to move, or TERMINAL. */
  turn(record) {
    this.put(record);
    return this.machine.call("turn", this.m.states);
  }

  /** The codes of the legal moves. */
  moves(record) {
    this.put(record);
    return numbers(this.m.out, this.machine.call("moves", this.m.states, this.m.out));
  }

  /** The record after a legal move. */
  play(record, code) {
    this.put(record);
    this.machine.call("play", this.m.states, code);
    return this.m.states.raw().slice();
  }

  /** The code of a move of chance, drawn by its odds; equal for equal seeds, which are BigInts. */
  roll(record, seed) {
    this.put(record);
    this.m.random.set(0, undefined, seed);
    return this.machine.call("roll", this.m.states, this.m.out, this.m.weights, this.m.random);
  }

  /** The payoff of each seat at the end. */
  payoff(record) {
    this.put(record);
    this.machine.call("payoffs", this.m.states, this.m.units);
    return this.about.teams.map((_, seat) => this.m.units.get(seat) * this.about.unit);
  }
}
