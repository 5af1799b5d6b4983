// How a board's moves are written, clicked and drawn, from the tables that dragon/publish/writing.py makes.
import { READ } from "./kernel.js";

/** The first straight line of equal letters, `least` or more: `Drawing.chain` of dragon/boards/drawing.py. */
function straight(at, rows, columns, least) {
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    for (const [down, right] of at(row, column) ? [[0, 1], [1, 0], [1, 1], [1, -1]] : []) {
      const line = [];
      for (let r = row, c = column; at(r, c) === at(row, column); r += down, c += right) line.push([r, c]);
      if (line.length >= least && at(row - down, column - right) !== at(row, column)) return line;
    }
  }
  return [];
}

/** A shortest chain of the first letter from top to bottom, or of the other from left to right. */
function joined(at, rows, columns, edges) {
  for (const [across, letter] of edges.entries()) {
    const ways = Array.from({ length: across ? rows : columns }, (_, i) => [across ? [i, 0] : [0, i]]).filter(([[row, column]]) => at(row, column) === letter);
    const seen = new Set(ways.map(String));
    for (const way of ways) {
      const [row, column] = way.at(-1);
      if (across ? column === columns - 1 : row === rows - 1) return way;
      for (const [down, right] of [[0, 1], [1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1]]) {
        const next = [row + down, column + right];
        if (at(...next) !== letter || seen.has(String(next))) continue;
        seen.add(String(next));
        ways.push([...way, next]);
      }
    }
  }
  return [];
}

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
    const { byColumn, columns, rows, cells, stones, label, head, tail, die } = this.board;
    const letters = this.letters(record);
    const drawn = cells.map((cell, i) => {
      let said = letters[i] ? stones[letters[i]].label : label;
      if (byColumn) said = `${letters.filter((each, at) => each && at % columns === i % columns).length} of ${rows} stones`;
      const shape = letters[i] ? this.shape(letters, i) : "";
      return cell.replace(`aria-label="${label}"`, `aria-label="${said}"`).replace(/<\/g>$/, `${shape}</g>`);
    });
    return head + drawn.join("") + this.won(letters) + (die ? die[1][this.adding(record)(die[0])] : "") + tail;
  }

  /** The piece on a cell; the second cell of a domino has none. */
  shape(letters, i) {
    const { columns, stones } = this.board, letter = letters[i], { shapes, at, pair } = stones[letter];
    if (!pair) return shapes[at?.[i] ?? 0];
    const start = pair > 1 ? i % columns : i - (i % columns);
    let first = i;
    while (first - pair >= start && letters[first - pair] === letter) first -= pair;
    return (i - first) / pair % 2 ? "" : shapes[0];
  }

  /** The line through stones in a row, or the chain from edge to edge, that has won. */
  won(letters) {
    const { rows, columns, cells, won } = this.board;
    if (!won?.shape) return "";
    const at = (row, column) => (row >= 0 && column >= 0 && row < rows && column < columns ? letters[row * columns + column] : "");
    const found = won.line ? straight(at, rows, columns, won.line) : joined(at, rows, columns, [...won.edges]);
    const places = found.map(([row, column]) => /translate\(([-\d.]+),([-\d.]+)\)/.exec(cells[row * columns + column]));
    return found.length ? won.shape.replaceAll("%", `M${places.map(([, x, y]) => `${x} ${y}`).join("L")}`) : "";
  }

  /** Adds up numbers of a record: a function of their places. */
  adding(record) {
    const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
    const read = ([offset, kind, , bit]) => {
      const number = Number(view[READ[kind]](offset, true));
      return bit === undefined ? number : (number >> bit) & 1;
    };
    return (places) => places.reduce((sum, place) => sum + place[2] * read(place), 0);
  }

  /** The score of each seat; null in a game without. */
  scores(record) {
    return this.board.scores?.map(this.adding(record)) ?? null;
  }

  /** A drawing as text with sums of numbers of the record: their places, and the text of each sum in `shown`. */
  counted(record) {
    const { drawing, shown } = this.board, added = this.adding(record);
    return drawing.map((part) => {
      if (typeof part === "string") return part;
      const sum = added(part[0]);
      return part[1] ? shown[part[1]][sum] ?? "" : String(sum);
    }).join("");
  }
}
