// A notation of more moves than a table can hold: kernels spell them, find them by their words, and look where one may point.
import { Notation } from "./notation.js";
import { numbers } from "./rules.js";

/** As Notation; words have numbers, by `about.board.vocabulary`. */
export class Spelled extends Notation {
  get words() {
    return this.board.vocabulary;
  }

  /** The words of a move's text, by way 0, or cells to be clicked, by ways from 1 on; null where there is no such way. */
  spell(record, code, way) {
    const { states, words } = this.game.m;
    this.game.put(record);
    const count = this.game.machine.call("spell", states, code, way, words);
    return count < 0 ? null : numbers(words, count).map((each) => this.words[each]);
  }

  /** What a kernel says of the legal moves that have these words. */
  ask(kernel, record, wanted, ...more) {
    const { states, out, words, wanted: held } = this.game.m;
    if (wanted.length > held.shape[0]) return -1;
    this.game.put(record);
    wanted.forEach((each, i) => held.set(i, undefined, each));
    return this.game.machine.call(kernel, states, out, words, held, wanted.length, ...more);
  }

  text(code, turn, record) {
    return this.spell(record, code, 0).join("");
  }

  clicks(code, turn, record) {
    const ways = [];
    for (let way; (way = this.spell(record, code, ways.length + 1)) !== null;) ways.push(way);
    return ways;
  }

  code(text, turn, record) {
    const lower = text.toLowerCase(), wanted = [];
    for (let at = 0; at < lower.length;) { // the longest word that fits
      const fits = (each, best) => lower.startsWith(each.toLowerCase(), at) && each.length > (this.words[best]?.length ?? 0);
      const next = this.words.reduce((best, each, i) => (fits(each, best) ? i : best), -1);
      if (next < 0) return undefined;
      wanted.push(next);
      at += this.words[next].length;
    }
    const code = this.ask("find", record, wanted);
    return code < 0 ? undefined : code;
  }

  point(codes, turn, record, picked) {
    const { cells, complete } = this.game.m;
    cells.raw().fill(0);
    const count = this.ask("point", record, picked.map((each) => this.words.indexOf(each)), cells, complete);
    return { cells: this.words.filter((_, i) => cells.get(i)), complete: numbers(complete, Math.min(count, complete.shape[0])) };
  }
}
