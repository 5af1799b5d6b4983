// A position that can be pointed at: the game's drawing, its cells as buttons, or its text.
import { h, s, svg, picture, fill } from "./dragon.js";
import { shifts } from "./arrows.js";
import { SLIDING, dragging, ghost, placed, slide } from "./pointing.js";
import { turned } from "./turning.js";

const AGAIN = 500; // milliseconds after a click in which another one at the same place does nothing
const SMALL = 24; // pixels: the first click on a smaller cell enlarges the board, the second one plays

/** The element of a board. show(position, {can, aims, mover, chosen, values, seat, moved, drags, hints, onpick}): `can` are the cells that may be pointed at,
 *  `aims` those of them that a picked piece of the seat called `mover` may go to; `seat` places a stone; `moved` says that the last move is to be seen, `drags` that a piece can be dragged. Whether there
 *  are cells at all is returned; `values` texts to be written on cells. `looker` is the seat that looks at it, before which the
 *  front of a board that has one is turned, and `made` the last move, of which tiles slide.
 *  Arrow keys move between cells. turn() turns the board by a step. */
export function board() {
  const place = h("div", { class: "board", role: "group", "aria-label": "Board" });
  let cells = new Map(), said = new Map(), stood = new Map(), turns = 0, going = []; // what is on cells, where these are; what slides
  let shown = null;

  let acted = { on: "", at: -Infinity }; // the cell that was last clicked, and when
  let now = { can: [], onpick: () => {} }; // what may be done on the board that is shown
  dragging(place, { able: (name) => now.drags && now.can.includes(name) && said.get(name) !== "empty", begin: (name) => {
    if (!now.chosen.includes(name)) now.onpick(name);
    return cells.get(name);
  }, end: (name) => { if (now.aims.includes(name)) now.onpick(name); } });

  function show(found, { can = [], aims = [], mover = "", chosen = [], values = {}, seat = "", moved = false, drags = false, hints = [], looker = -1, made = "", onpick = () => {} } = {}) {
    shown = [found, { can, aims, mover, chosen, values, seat, drags, hints, looker, onpick }];
    const held = document.activeElement?.closest?.(".board [data-cell]")?.dataset.cell;
    place.classList.remove("stale");
    now = { can, aims, chosen, onpick, drags };
    place.classList.toggle("drags", Boolean(drags));
    const before = { said, stood };
    [cells, said, stood] = [new Map(), new Map(), new Map()];
    const tiles = new Map(); // of a board without cells
    const own = found.svg?.includes("<style"); // which a page may not have: it stays in an image
    const drawn = found.svg && !own ? svg(found.svg) : null;
    if (own) {
      fill(place, picture(found.svg, found.text));
      return false;
    }
    if (!drawn) {
      fill(place, h("pre", { tabindex: "0" }, found.text));
      return false;
    }
    proportioned(drawn);
    for (const each of drawn.querySelectorAll("g[aria-label]:not([data-cell])")) each.setAttribute("role", each.ariaLabel ? "img" : "presentation");
    const marked = drawn.querySelectorAll("[data-cell]");
    if (!marked.length) {
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", found.text);
      fill(place, drawn);
      for (const each of drawn.querySelectorAll(":scope > g[aria-label][transform]")) tiles.set(each.getAttribute("transform"), each);
      for (const [name, each] of tiles) { said.set(name, each.getAttribute("aria-label")); stood.set(name, placed(each)); }
      if (moved) set(shifts(before.said, said, stood, made).map(([name, from]) => [name, stood.get(from), 0]));
      glide((name) => tiles.get(name));
      return false;
    }
    drawn.removeAttribute("width");
    drawn.removeAttribute("height");
    drawn.setAttribute("role", "presentation");
    // a stone of the seat that is to move, or the neutral one that comes with it; none where a piece moves
    const ghostly = (name) => (!seat || !can.includes(name) ? "" : !chosen.length ? seat : said.get(chosen[0]) === "empty" ? "Neutral" : "");
    for (const each of marked) {
      const name = each.dataset.cell;
      each.classList.toggle("can", can.includes(name));
      each.addEventListener("click", (event) => {
        if (!can.includes(name) || (event.detail > 1 && acted.on === name && performance.now() - acted.at < AGAIN)) return;
        acted = { on: name, at: performance.now() };
        if (event.detail && small(drawn, each)) return void enlarge(drawn, each);
        if (ghostly(name)) haunt(drawn, name, ghostly(name));
        onpick(name);
      });
      if (seat && can.includes(name)) {
        each.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse" && ghostly(name)) haunt(drawn, name, ghostly(name)); });
        each.addEventListener("pointerleave", () => drawn.querySelector(".ghost:not(.stays)")?.remove());
      }
      if (!cells.has(name)) cells.set(name, each);
      else each.removeAttribute("aria-label"); // what is a button is the first, as a column's name
    }
    for (const [name, each] of cells) {
      each.setAttribute("role", "button");
      const label = each.getAttribute("aria-label");
      said.set(name, label || name);
      each.setAttribute("aria-label", label ? `${name}, ${label}` : name);
      each.setAttribute("tabindex", "-1");
      if (!can.includes(name)) each.setAttribute("aria-disabled", "true");
      each.addEventListener("keydown", (event) => key(event, name, can, onpick));
      each.addEventListener("focus", () => { if (each.matches(":focus-visible")) mark(drawn, name, "focus"); });
      each.addEventListener("blur", () => drawn.querySelector(".mark.focus")?.remove());
    }
    const first = (held && cells.get(held)) || cells.get(can[0]) || cells.values().next().value;
    first.setAttribute("tabindex", "0");
    fill(place, drawn);
    turned(drawn, turns + (looker >= 0 && (drawn.dataset.front ?? looker) != looker ? 1 : 0));
    proportioned(drawn);
    for (const [name, each] of cells) stood.set(name, placed(each));
    for (const name of found.last) mark(drawn, name, "last");
    for (const name of chosen) mark(drawn, name, "chosen");
    for (const name of hints) mark(drawn, name, "hint");
    const placing = chosen.length && /^empty$/.test(said.get(chosen[0])); // a stone that is to stand there, and what belongs to it
    if (placing) haunt(drawn, chosen[0], seat, true);
    for (const name of aims) if (!placing || said.get(name) !== "empty") aim(name, mover.toLowerCase());
    if (moved) set(motions(drawn, found.last, before));
    glide((name) => topmost(drawn, name));
    for (const [name, text] of Object.entries(values)) write(drawn, name, text);
    if (held && cells.has(held)) cells.get(held).focus({ preventScroll: true });
    return true;
  }

  /** A dot where a picked piece may go, a ring around what of another side is there. */
  function aim(name, mover) {
    const cell = cells.get(name), held = said.get(name);
    const taken = !/^(empty|floor)/.test(held) && held !== name && !(mover && held.includes(mover));
    if (!cell.hasAttribute("transform")) return;
    const { x, y, width, height } = cell.firstElementChild.getBBox(), r = Math.min(width, height) / 2;
    cell.append(s("circle", { cx: x + width / 2, cy: y + height / 2, r: taken ? r * 0.88 : r * 0.32, class: taken ? "aim s-mark" : "aim f-mark", "aria-hidden": "true" }));
  }

  /** The cells of one name, from the top, and the number of shapes of an empty one: a column has several. */
  function named(drawn, name) {
    const all = [...drawn.querySelectorAll("[data-cell]")].filter((each) => each.dataset.cell === name);
    return [all, Math.min(...all.map((each) => each.childElementCount))];
  }

  /** A pale stone where it would come to stand; `stays`: as long as it is chosen. */
  function haunt(drawn, name, seat, stays = false) {
    drawn.querySelector(".ghost:not(.stays)")?.remove();
    const cell = topmost(drawn, name, true), [all] = named(drawn, name);
    if (cell?.querySelector(".ghost")) return;
    const empty = all.length > 1 || /\bempty$/.test(cell?.getAttribute("aria-label"));
    const shape = empty && cell.hasAttribute("transform") && ghost(cell, seat);
    if (!shape) return;
    shape.classList.toggle("stays", stays);
    cell.append(shape);
  }

  /** The cell of that name; of a column the topmost stone's, or the free one above. */
  function topmost(drawn, name, free = false) {
    const [all, bare] = named(drawn, name);
    if (free) return all.filter((each) => each.childElementCount === bare).at(-1);
    return all.length > 1 ? all.find((each) => shapes(each) > bare) || all[0] : cells.get(name);
  }

  /** The number of shapes on a cell. */
  function shapes(cell) {
    return [...cell.children].filter((each) => !each.classList.contains("mark")).length;
  }

  /** What has come to another place by the last move, each with where it was: a piece goes from cell to cell, a stone falls down
   *  its column, one tile slides. */
  function motions(drawn, last, before) {
    const [from, to] = [last[0], last.at(-1)].map((name) => cells.get(name));
    if (!from?.hasAttribute("transform")) return [];
    const [all] = named(drawn, last[0]), bare = Math.min(...all.map(shapes));
    if (last.length > 1 && to && /^(empty|floor)/.test(said.get(last[0])) && !/^\d/.test(said.get(last.at(-1)))) return [[last.at(-1), stood.get(last[0]), bare]];
    if (last.length === 1 && all.length > 1) return [[last[0], placed(all[0]), bare, "ease-in"]];
    const other = [...stood].filter(([name, at]) => before.stood.has(name) && String(before.stood.get(name)) !== String(at));
    return other.length === 1 && other[0][0] === last[0] ? [[last[0], before.stood.get(last[0]), 0]] : [];
  }

  function set(motions) {
    going = motions.map(([name, from, bare, ease = "ease-out"]) => [name, from, bare, ease, performance.now()]);
  }

  /** Lets what is under way slide on: a reply that comes at once does not end it. */
  function glide(at) {
    for (const [name, from, bare, ease, began] of going) {
      const since = performance.now() - began;
      if (since < SLIDING && at(name)) slide(at(name), from, bare, ease, since);
    }
  }

  /** The width of a drawing by its height, for the style sheet. */
  function proportioned(drawn) {
    const [, , width, height] = (drawn.getAttribute("viewBox") || "0 0 1 1").split(/[ ,]+/).map(Number);
    (place.closest(".game") || place).style.setProperty("--ratio", String(width / height));
  }

  function turn() {
    turns += 1;
    going = [];
    if (shown) show(...shown);
  }

  /** Whether a cell is too small to be hit by a finger, on a board that has not been enlarged. */
  function small(drawn, cell) {
    const { width, height } = shapeOf(cell).getBoundingClientRect();
    return !drawn.classList.contains("large") && Math.min(width, height) < SMALL;
  }

  /** Shows half the width and height of a board, about a cell; a click beside all cells shows all of it again. */
  function enlarge(drawn, cell) {
    const all = drawn.getAttribute("viewBox");
    const [left, top, width, height] = all.split(/[ ,]+/).map(Number);
    const at = cell.getBoundingClientRect(), frame = drawn.getBoundingClientRect();
    const part = (place, size) => Math.max(0, Math.min(0.5, place / size - 0.25));
    const x = part(at.x + at.width / 2 - frame.x, frame.width), y = part(at.y + at.height / 2 - frame.y, frame.height);
    drawn.setAttribute("viewBox", `${left + x * width} ${top + y * height} ${width / 2} ${height / 2}`);
    drawn.classList.add("large");
    drawn.addEventListener("click", (event) => {
      if (event.target.closest("[data-cell]")) return;
      drawn.setAttribute("viewBox", all);
      drawn.classList.remove("large");
    });
  }

  /** A cell's drawing without its piece and without a shadow. */
  function shapeOf(cell) {
    const shadow = '.f-shade:not([fill-opacity="0"])';
    return cell.localName === "g" ? [...cell.children].find((each) => !each.matches(shadow)) || cell.firstElementChild : cell;
  }

  /** A tint below the piece on a cell; where the keyboard is, and on a shape alone, a line above all that is drawn. */
  function mark(drawn, name, kind) {
    const [all, bare] = named(drawn, name); // of a column, what was played last is its topmost stone
    const cell = (kind === "last" && all.find((each) => each.childElementCount > bare)) || cells.get(name);
    if (!cell) return;
    const edge = kind === "last" && cell.querySelector("path[stroke-dasharray]");
    if (edge) return void shapeOf(cell).after(s("path", { d: edge.getAttribute("d"), class: "mark last s-tint", "stroke-width": 13, "stroke-linecap": "round", "aria-hidden": "true" }));
    const inside = cell.localName === "g" && kind !== "focus";
    const shape = shapeOf(cell).cloneNode(false);
    for (const each of ["data-cell", "role", "tabindex", "aria-label", "aria-disabled"]) shape.removeAttribute(each);
    shape.setAttribute("class", `mark ${kind} ${inside ? "f-tint" : "line"}`);
    shape.setAttribute("aria-hidden", "true");
    if (inside) {
      const own = shapeOf(cell).getBBox(), all = cell.getBBox(); // a domino covers the next cell, too
      for (const size of ["width", "height"]) if (all[size] > 1.5 * own[size] && shape.localName === "rect" && !cell.querySelector("text")) shape.setAttribute(size, String(2 * own[size]));
      shapeOf(cell).after(shape);
      return;
    }
    if (cell.hasAttribute("transform")) shape.setAttribute("transform", cell.getAttribute("transform"));
    drawn.append(shape);
  }

  function key(event, name, can, onpick) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (can.includes(name)) onpick(name);
      return;
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const next = beside(name, way);
    if (!next) return;
    for (const each of cells.values()) each.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }

  function beside(name, [dx, dy]) {
    const middle = (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
    const [x, y] = middle(cells.get(name));
    let best = null, least = Infinity;
    for (const [other, each] of cells) {
      if (other === name) continue;
      const [ox, oy] = middle(each);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along < 2 || aside > 0.95 * along) continue;
      const far = along + 1.7 * aside + (name.slice(1) === other.slice(1) ? 0 : 1); // of two hexagons below, that of the same column
      if (far < least) [best, least] = [each, far];
    }
    return best;
  }

  function write(drawn, name, { text, weight = 0 }) {
    const cell = cells.get(name);
    if (!cell) return;
    const box = cell.getBBox(), at = cell.transform?.baseVal.consolidate()?.matrix;
    const label = document.createElementNS("http://www.w3.org/2000/svg", "text");
    label.textContent = text;
    label.setAttribute("x", box.x + box.width / 2);
    const card = cell.querySelector("text") !== null; // what has words of its own has its value below
    label.setAttribute("y", card ? box.y + box.height + 8 : box.y + box.height / 2);
    label.setAttribute("class", "value");
    if (at && !at.b) label.setAttribute("transform", cell.getAttribute("transform"));
    else if (at) label.setAttribute("transform", `translate(${at.e + at.a * (2 * box.x + box.width)} ${at.f + at.a * (2 * box.y + box.height)})`);
    label.setAttribute("font-size", card ? 12 : Math.min(box.height * 0.34, (1.25 * box.width) / Math.max(text.length, 3)));
    label.style.setProperty("opacity", String(0.45 + 0.55 * weight));
    drawn.append(label);
  }

  return { place, show, turn, cell: (name) => cells.get(name), said: () => said, stood: () => stood };
}
