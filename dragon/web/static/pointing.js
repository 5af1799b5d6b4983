// The cells that may be clicked next, computed in the page; dragged pieces, and the preview of a stone.
import { s } from "./dragon.js";

/** What may follow the cells that are picked: `next_clicks` of dragon/boards/clicks.py. `ways` has for each legal move its text,
 *  where that is its one cell, or [text, order, ...]. */
export function following(ways, picked) {
  const cells = new Set(), complete = [];
  for (const each of ways) {
    const [move, ...orders] = typeof each === "string" ? [each, [each]] : each;
    for (const order of orders) {
      if (!picked.every((cell, i) => order[i] === cell)) continue;
      if (order.length === picked.length) complete.push(move);
      else cells.add(order[picked.length]);
    }
  }
  const done = picked.length && !cells.size && complete.length === 1;
  const hint = !picked.length ? "" : cells.size ? "the next cell" : complete.length ? "which move" : "";
  return { cells: [...cells], move: done ? complete[0] : null, hint: done ? "" : hint, others: done ? [] : complete };
}

/** The cells that are picked after another click: the next one, another piece instead, or none. */
export function repicked(ways, picked, cell) {
  if (following(ways, picked).cells.includes(cell)) return [...picked, cell];
  return picked.at(-1) !== cell && following(ways, []).cells.includes(cell) ? [cell] : [];
}

export const MATERIALS = { Black: "ebony", White: "ivory", Red: "red", Blue: "blue", Yellow: "yellow", Neutral: "amber" };

/** A pale preview of a seat's stone on an empty cell, or of its line on an edge; null if it cannot be drawn. */
export function ghost(cell, seat) {
  const side = MATERIALS[seat];
  if (!side) return null;
  const edge = cell.querySelector("path[stroke-dasharray]");
  if (edge) return s("path", { d: edge.getAttribute("d"), class: `ghost s-${side}`, "stroke-width": 4.5, "stroke-linecap": "round" });
  const { width, height } = cell.firstElementChild.getBBox();
  return s("circle", { r: 0.4 * Math.min(width, height), class: `ghost f-${side}` });
}

const FAR = 5; // pixels after which a press becomes a drag

/** Lets a mouse or a finger drag what stands on cells. able(name): whether there is; begin(name) picks it, and returns its cell; end(name) is told
 *  on which cell it is dropped. */
export function dragging(place, { able, begin, end }) {
  let held = null;
  const at = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".board [data-cell]")?.dataset.cell;

  place.addEventListener("pointerdown", (event) => {
    const name = event.target.closest("[data-cell]")?.dataset.cell;
    held = name && event.isPrimary && event.button === 0 && able(name) ? { name, x: event.clientX, y: event.clientY, piece: null } : null;
  });
  place.addEventListener("touchstart", ({ target }) => { // the place, since the board may be drawn again during a touch
    target.addEventListener("touchmove", (event) => { if (held) event.preventDefault(); }, { passive: false });
  }, { passive: false });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const x = event.clientX - held.x, y = event.clientY - held.y;
    if (!held.piece) {
      if (Math.hypot(x, y) < FAR) return;
      const cell = begin(held.name);
      const pieces = [...cell.children].slice(1).filter((each) => !each.classList.contains("mark"));
      held.piece = s("g", { class: "held" }, pieces);
      cell.append(held.piece);
      cell.parentNode.append(cell); // above all others
    }
    const drawn = held.piece.ownerSVGElement, scale = drawn.viewBox.baseVal.width / drawn.getBoundingClientRect().width;
    held.piece.setAttribute("transform", `translate(${x * scale} ${y * scale})`);
  });
  document.addEventListener("pointerup", (event) => {
    const { piece = null, name } = held || {}, to = piece && at(event);
    held = null;
    piece?.removeAttribute("transform");
    if (to && to !== name) end(to);
  });
  document.addEventListener("pointercancel", () => {
    held?.piece?.removeAttribute("transform");
    held = null;
  });
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

export const SLIDING = 180; // milliseconds

/** Lets what has come to a cell slide there from a place; `bare`: the shapes of an empty cell, `since`: milliseconds that have
 *  passed since it set out. */
export function slide(cell, from, bare, ease = "ease-out", since = 0) {
  const pieces = [...cell.children].filter((each) => !bare || !each.classList.contains("mark")).slice(bare);
  const frame = cell.transform?.baseVal.consolidate()?.matrix.inverse();
  if (still.matches || !pieces.length || !frame) return;
  const moving = s("g", {}, pieces);
  cell.append(moving);
  const x = frame.a * from[0] + frame.c * from[1] + frame.e, y = frame.b * from[0] + frame.d * from[1] + frame.f;
  const motion = moving.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: SLIDING, easing: ease });
  motion.currentTime = since;
}

/** The place of a cell that is a group, in units of the drawing. */
export function placed(cell) {
  const matrix = cell.transform?.baseVal.consolidate()?.matrix;
  return matrix ? [matrix.e, matrix.f] : [0, 0];
}
