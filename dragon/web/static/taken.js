// The captured pieces of each side, found by comparing the drawings of the first and the present position.
import { h, s, svg } from "./dragon.js";

/** The pieces on a drawing by what they are called, such as `white p`: how many, and what one looks like. */
function pieces(text, seats) {
  const found = new Map(), drawn = text && svg(text);
  for (const cell of drawn?.querySelectorAll("g[data-cell]") || []) {
    const said = cell.getAttribute("aria-label"), [side] = said.split(" ");
    if (!seats.some((seat) => seat.toLowerCase() === side)) continue;
    const one = found.get(said) || { side, count: 0, shape: cell };
    one.count++;
    found.set(said, one);
  }
  return found;
}

const SIDED = /aria-label="(\w+)( \w)?"/; // a drawing whose cells say whose piece is there

/** A function of a position, a name of what it began with, and start(), which asks for that: what each seat has captured since, as
 *  small pictures; null where a game does not capture. */
export function takings() {
  const first = { key: "", svg: null };
  return async (found, key, start) => {
    if (found.seats.length !== 2 || !SIDED.test(found.svg || "")) return null;
    if (first.key !== key) Object.assign(first, { key, svg: (await start().catch(() => null))?.svg });
    return first.svg ? captured(first.svg, found.svg, found.seats) : null;
  };
}

function captured(start, now, seats) {
  const before = pieces(start, seats), left = pieces(now, seats);
  const total = (of) => [...of.values()].reduce((sum, { count }) => sum + count, 0);
  if (total(left) >= total(before)) return seats.map(() => null);
  return seats.map((_, seat) => {
    const shown = [];
    for (const rival of seats.filter((each) => each !== seats[seat]).map((each) => each.toLowerCase())) {
      const gone = [...before].filter(([, { side }]) => side === rival).map(([said, { count, shape }]) => [count - (left.get(said)?.count ?? 0), shape]);
      const more = [...left].filter(([said, { side }]) => side === rival && !before.has(said)).reduce((sum, [, { count }]) => sum + count, 0);
      const less = more + gone.reduce((sum, [count]) => sum + Math.max(0, -count), 0); // promoted, not captured
      gone.sort(([a], [b]) => b - a);
      if (gone.length) gone[0][0] -= less;
      for (const [count, shape] of gone.reverse()) for (let i = 0; i < count; i++) shown.push(miniature(shape));
    }
    return shown.length ? h("span", { class: "taken", role: "img", "aria-label": `captured ${shown.length}` }, shown) : null;
  });
}

function miniature(cell) {
  const bare = Math.min(...[...cell.parentNode.querySelectorAll("g[data-cell]")].map((each) => each.childElementCount));
  return s("svg", { viewBox: "-19 -19 38 38", "aria-hidden": "true" }, [...cell.children].slice(bare).map((each) => each.cloneNode(true)));
}
