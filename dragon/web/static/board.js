// A position that can be pointed at: the game's drawing, its cells as buttons, or its text.
import { h, s, svg, picture, fill } from "./dragon.js";
import { dragging, ghost, slide } from "./pointing.js";

const AGAIN = 500; // milliseconds after a click in which another one at the same place does nothing
const SMALL = 24; // pixels: the first click on a smaller cell enlarges the board, the second one plays

/** The element of a board. show(position, {can, aims, mover, chosen, values, seat, moved, drags, hints, onpick}): `can` are the cells that may be pointed at,
 *  `aims` those of them that a picked piece of the seat called `mover` may go to; `seat` places a stone; `moved` says that the last move is to be seen, `drags` that a piece can be dragged. Whether there
 *  are cells at all is returned; `values` texts to be written on cells. Arrow keys move between cells. */
export function board() {
  const place = h("div", { class: "board", role: "group", "aria-label": "Board" });
  let cells = new Map();

  let acted = -Infinity; // when a cell was last clicked
  let now = { can: [], onpick: () => {} }; // what may be done on the board that is shown
  dragging(place, { begin: (name) => {
    if (!now.drags || !now.can.includes(name)) return null;
    if (!now.chosen.includes(name)) now.onpick(name);
    return cells.get(name);
  }, end: (name) => { if (now.aims.includes(name)) now.onpick(name); } });

  function show(found, { can = [], aims = [], mover = "", chosen = [], values = {}, seat = "", moved = false, drags = false, hints = [], onpick = () => {} } = {}) {
    const held = document.activeElement?.closest?.(".board [data-cell]")?.dataset.cell;
    place.classList.remove("stale");
    now = { can, aims, chosen, onpick, drags };
    cells = new Map();
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
    const [, , width, height] = (drawn.getAttribute("viewBox") || "0 0 1 1").split(/[ ,]+/).map(Number);
    (place.closest(".game") || place).style.setProperty("--ratio", String(width / height));
    const marked = drawn.querySelectorAll("[data-cell]");
    if (!marked.length) {
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", found.text);
      fill(place, drawn);
      return false;
    }
    drawn.removeAttribute("width");
    drawn.removeAttribute("height");
    drawn.setAttribute("role", "presentation");
    for (const each of marked) {
      const name = each.dataset.cell;
      each.classList.toggle("can", can.includes(name));
      each.addEventListener("click", (event) => {
        if (!can.includes(name) || (event.detail > 1 && performance.now() - acted < AGAIN)) return;
        acted = performance.now();
        if (event.detail && small(drawn, each)) return void enlarge(drawn, each);
        if (seat) haunt(drawn, name, seat);
        onpick(name);
      });
      if (seat && can.includes(name)) {
        each.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") haunt(drawn, name, seat); });
        each.addEventListener("pointerleave", () => drawn.querySelector(".ghost")?.remove());
      }
      if (!cells.has(name)) cells.set(name, each);
      else each.removeAttribute("aria-label"); // what is a button is the first, as a column's name
    }
    for (const [name, each] of cells) {
      each.setAttribute("role", "button");
      const label = each.getAttribute("aria-label");
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
    for (const name of found.last) mark(drawn, name, "last");
    for (const name of chosen) mark(drawn, name, "chosen");
    for (const name of hints) mark(drawn, name, "hint");
    for (const name of aims) aim(name, mover.toLowerCase());
    if (moved) move(drawn, found.last);
    for (const [name, text] of Object.entries(values)) write(drawn, name, text);
    if (held && cells.has(held)) cells.get(held).focus({ preventScroll: true });
    return true;
  }

  /** A dot where a picked piece may go, a ring around what of another side is there. */
  function aim(name, mover) {
    const cell = cells.get(name), said = cell.getAttribute("aria-label").replace(`${name}, `, "");
    const taken = said !== "empty" && said !== name && !(mover && said.includes(mover));
    if (!cell.hasAttribute("transform")) return;
    const { x, y, width, height } = cell.firstElementChild.getBBox(), r = Math.min(width, height) / 2;
    cell.append(s("circle", { cx: x + width / 2, cy: y + height / 2, r: taken ? r * 0.88 : r * 0.32, class: taken ? "aim s-mark" : "aim f-mark", "aria-hidden": "true" }));
  }

  /** The cells of one name, from the top, and the number of shapes of an empty one: a column has several. */
  function named(drawn, name) {
    const all = [...drawn.querySelectorAll("[data-cell]")].filter((each) => each.dataset.cell === name);
    return [all, Math.min(...all.map((each) => each.childElementCount))];
  }

  /** A pale stone where it would come to stand. */
  function haunt(drawn, name, seat) {
    drawn.querySelector(".ghost")?.remove();
    const [all, bare] = named(drawn, name);
    const cell = all.filter((each) => each.childElementCount === bare).at(-1);
    const empty = all.length > 1 || /\bempty$/.test(cell?.getAttribute("aria-label"));
    const shape = empty && cell.hasAttribute("transform") && ghost(cell, seat);
    if (shape) cell.append(shape);
  }

  /** Shows the last move: a piece slides from cell to cell, a stone falls down its column. */
  function move(drawn, last) {
    const [from, to] = [last[0], last.at(-1)].map((name) => cells.get(name));
    if (!from?.hasAttribute("transform")) return;
    const [all] = named(drawn, last[0]);
    const shapes = (cell) => [...cell.children].filter((each) => !each.classList.contains("mark")).length;
    const bare = Math.min(...all.map(shapes));
    if (last.length > 1 && to && /\bempty$/.test(from.getAttribute("aria-label")) && !/, \d/.test(to.getAttribute("aria-label"))) slide(to, from, bare);
    const top = last.length === 1 && all.length > 1 && all.find((each) => shapes(each) > bare);
    if (top) slide(top, all[0], bare, "ease-in");
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

  /** What a cell looks like without what stands on it, and without a shadow that it throws. */
  function shapeOf(cell) {
    const shadow = '.f-shade:not([fill-opacity="0"])';
    return cell.localName === "g" ? [...cell.children].find((each) => !each.matches(shadow)) || cell.firstElementChild : cell;
  }

  /** A tint below the piece on a cell; where the keyboard is, and on a shape alone, a line above all that is drawn. */
  function mark(drawn, name, kind) {
    const [all, bare] = named(drawn, name); // of a column, what was played last is its topmost stone
    const cell = (kind === "last" && all.find((each) => each.childElementCount > bare)) || cells.get(name);
    if (!cell) return;
    const inside = cell.localName === "g" && kind !== "focus";
    const shape = shapeOf(cell).cloneNode(false);
    for (const each of ["data-cell", "role", "tabindex", "aria-label", "aria-disabled"]) shape.removeAttribute(each);
    shape.setAttribute("class", `mark ${kind} ${inside ? "f-tint" : "line"}`);
    shape.setAttribute("aria-hidden", "true");
    if (inside) {
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
    const box = cell.getBBox();
    const label = document.createElementNS("http://www.w3.org/2000/svg", "text");
    label.textContent = text;
    label.setAttribute("x", box.x + box.width / 2);
    const card = cell.querySelector("text") !== null; // what has words of its own has its value below
    label.setAttribute("y", card ? box.y + box.height + 8 : box.y + box.height / 2);
    label.setAttribute("class", "value");
    if (cell.hasAttribute("transform")) label.setAttribute("transform", cell.getAttribute("transform"));
    label.setAttribute("font-size", card ? 12 : Math.min(box.height * 0.34, (1.25 * box.width) / Math.max(text.length, 3)));
    label.style.setProperty("opacity", String(0.45 + 0.55 * weight));
    drawn.append(label);
  }

  return { place, show };
}
