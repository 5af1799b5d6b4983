// A choice on the board: what would stand on a cell after each of several moves, as the pieces that a pawn becomes.
import { s, svg, get } from "./dragon.js";

/** Shows beside a cell what would stand there after each of some moves, where that differs; `course(move)` is the game to
 *  that position, `play(move)` is done for the one that is pressed. */
export async function promoted(view, name, moves, course, play) {
  const cell = view.cell(name);
  if (!cell?.hasAttribute("transform")) return;
  const then = await Promise.all(moves.map((move) => get("play/position", { ...course(move), listed: false })));
  const pieces = then.map((each) => standing(svg(each.svg), name));
  const alike = (some, others) => s("g", {}, some.map((each) => each.cloneNode(true))).isEqualNode(s("g", {}, others.map((each) => each.cloneNode(true))));
  if (!cell.isConnected || pieces.some((each, i) => pieces.some((other, k) => k < i && alike(each, other)))) return;
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
