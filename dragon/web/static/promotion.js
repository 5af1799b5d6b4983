// A choice on the board: what would stand on a cell after each of several moves, as the pieces that a pawn becomes; or what
// each takes up, as the dice by which a man may be borne off.
import { s, svg, get } from "./dragon.js";

/** Shows beside a cell what would stand there after each of some moves, or else what it takes up, where that differs;
 *  `course(move)` is the game to that position, `play(move)` is done for the one that is pressed. */
export async function promoted(view, name, moves, course, play) {
  const cell = view.cell(name);
  if (!cell?.hasAttribute("transform")) return;
  const then = await Promise.all(moves.map((move) => get("play/position", { ...course(move), listed: false })));
  const drawn = cell.ownerSVGElement, after = then.map((each) => svg(each.svg));
  const pieces = [(each) => standing(each, name), (each) => taken(drawn, each)].map((of) => after.map(of)).find(differ);
  if (!cell.isConnected || !pieces) return;
  const side = 1.15 * cell.getBBox().width;
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

const text = new XMLSerializer();

/** Whether all of some lists of shapes differ from one another. */
const differ = (lists) => new Set(lists.map((shapes) => shapes.map((each) => text.serializeToString(each)).join(""))).size === lists.length;

/** The shapes of what has no name that are in a drawing and not in a later one, such as a die. */
function taken(drawn, later) {
  const groups = (of) => [...of.querySelectorAll("g[aria-label]:not([data-cell])")], left = groups(later);
  const gone = groups(drawn).find((each, i) => each.childElementCount && !left[i]?.childElementCount);
  return gone ? [...gone.children].map((each) => each.cloneNode(true)) : [];
}

/** The piece on a cell of a drawing: its shapes without those of an empty cell. */
function standing(drawn, name) {
  const cells = [...drawn.querySelectorAll("[data-cell]")], bare = Math.min(...cells.map((each) => each.childElementCount));
  return [...(cells.find((each) => each.dataset.cell === name)?.children || [])].slice(bare);
}
