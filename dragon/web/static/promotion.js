// A choice on the board: what would stand on a cell after each of several moves, as the pieces that a pawn becomes.
import { s, svg } from "./dragon.js";

/** Shows beside a cell what would stand there after each of some moves, where that differs; `after(move)` is the drawing of the
 *  position then, `play(move)` is done for the one that is pressed. */
export async function promoted(view, name, moves, after, play) {
  const cell = view.cell(name);
  if (!cell?.hasAttribute("transform")) return;
  const drawings = (await Promise.all(moves.map((move) => after(move).catch(() => "")))).map(svg);
  const pieces = drawings.map((each) => (each ? standing(each, name) : []));
  if (!cell.isConnected || new Set(pieces.map((each) => each.map((shape) => shape.outerHTML).join(""))).size < moves.length) return;
  const drawn = cell.ownerSVGElement, side = 1.15 * cell.getBBox().width;
  const { e, f } = cell.transform.baseVal.consolidate().matrix, [, top, , high] = drawn.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  const way = f < top + high / 2 ? 1 : -1; // from the edge to the middle
  const options = moves.map((move, i) => {
    const option = s("g", { class: "option", role: "button", tabindex: "0", "aria-label": move, transform: `translate(${e} ${f + way * i * side})` },
      s("rect", { x: -side / 2, y: -side / 2, width: side, height: side, rx: 4, class: "f-sheet s-faint" }), pieces[i]);
    option.addEventListener("click", () => play(move));
    option.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); play(move); } });
    return option;
  });
  drawn.append(s("g", { class: "options", role: "group", "aria-label": "Which move" }, options));
}

/** What stands on a cell of a drawing: its shapes without those of an empty cell. */
function standing(drawn, name) {
  const cells = [...drawn.querySelectorAll("[data-cell]")], bare = Math.min(...cells.map((each) => each.childElementCount));
  return [...(cells.find((each) => each.dataset.cell === name)?.children || [])].slice(bare);
}
