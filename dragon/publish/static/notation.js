// How a board's moves are written, clicked and drawn, from the tables that dragon/publish/writing.py makes.
import { READ } from "./kernel.js";

/** The notation of `about.board`: text and clicks(code, turn, record), svg(record). `game`: its Rules, which may come later. */
export class Notation {
  constructor(board, game = null) {
    Object.assign(this, { board, game });
    this.byBit = Object.fromEntries(board.bits.map((bit, i) => [bit, board.names[i]]));
  }

  /** A move code as text; `turn` makes the move at `record`, -1 for chance. */
  text(code, turn, record) {
    const { grid, byColumn, names, words, table } = this.board;
    if (table) return table.at(turn)[code]?.[0] ?? String(code);
    if (grid) return byColumn ? String(code + 1) : names[code];
    const word = Object.keys(words).find((each) => words[each] === code);
    if (word !== undefined) return word;
    const parts = this.parts(code);
    if (!parts) return String(code);
    const [from, to, kind] = parts;
    return this.byBit[from] + (to !== from ? this.byBit[to] : "") + (kind ? this.board.promotions[kind - 1] : "");
  }

  /** First cell, last cell and promotion of a move on a Board. */
  parts(code) {
    const { span, moving, promotions } = this.board;
    const rest = Math.floor(code / span), to = code % span;
    const [kind, from] = moving ? [Math.floor(rest / span), rest % span] : [rest, to];
    const known = code >= 0 && from in this.byBit && to in this.byBit && kind <= promotions.length;
    return known ? [from, to, kind] : null;
  }

  /** The orders in which the cells of a move may be clicked; an empty one where none need be. */
  clicks(code, turn, record) {
    const { grid, words, table } = this.board;
    if (table) return table.at(turn)[code]?.[1] ?? [[]];
    if (grid) return [[this.text(code)]];
    const parts = Object.values(words).includes(code) ? null : this.parts(code);
    if (!parts) return [[]];
    const [from, to] = parts;
    return [from === to ? [this.byBit[from]] : [this.byBit[from], this.byBit[to]]];
  }

  /** The code of a legal move from its text; undefined if there is none. */
  code(text, turn, record) {
    const lower = text.toLowerCase();
    return this.game.moves(record).find((each) => this.text(each, turn, record).toLowerCase() === lower);
  }

  /** The cells that may be clicked next, and the codes of moves that are complete. */
  point(codes, turn, record, picked) {
    const cells = new Set(), complete = [];
    for (const code of codes) {
      for (const order of this.clicks(code, turn, record)) {
        if (!picked.every((cell, i) => order[i] === cell)) continue;
        if (order.length === picked.length) complete.push(code);
        else cells.add(order[picked.length]);
      }
    }
    return { cells: [...cells], complete };
  }

  /** The letter on each cell; an empty text where there is none. */
  letters(record) {
    const found = this.board.bits.map(() => "");
    for (const [letter, at] of Object.entries(this.board.sets)) {
      this.board.bits.forEach((bit, i) => { if ((record[at + (bit >> 3)] >> (bit & 7)) & 1) found[i] = letter; });
    }
    return found;
  }

  /** The position as SVG, as the game itself draws it. */
  svg(record) {
    if (this.board.drawing) return this.counted(record);
    const { byColumn, columns, rows, cells, stones, places, label, head, tail } = this.board;
    const letters = this.letters(record);
    const [x0, y0] = places[0];
    const drawn = cells.map((cell, i) => {
      let said = letters[i] ? stones[letters[i]].label : label;
      if (byColumn) said = `${letters.filter((each, at) => each && at % columns === i % columns).length} of ${rows} stones`;
      const [x, y] = places[i];
      const shape = letters[i] ? `<g transform="translate(${x - x0},${y - y0})">${stones[letters[i]].shape}</g>` : "";
      return cell.replace(`aria-label="${label}"`, `aria-label="${said}"`).replace(/<\/g>$/, `${shape}</g>`);
    });
    return head + drawn.join("") + tail;
  }

  /** A drawing that is text with sums of numbers of the record between: places, and which of `shown` says what stands there. */
  counted(record) {
    const { drawing, shown } = this.board;
    const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
    const read = ([offset, kind, , bit]) => {
      const number = Number(view[READ[kind]](offset, true));
      return bit === undefined ? number : (number >> bit) & 1;
    };
    const added = (places) => places.reduce((sum, place) => sum + place[2] * read(place), 0);
    return drawing.map((part) => {
      if (typeof part === "string") return part;
      const sum = added(part[0]);
      return part[1] ? shown[part[1]][sum] ?? "" : String(sum);
    }).join("");
  }
}
