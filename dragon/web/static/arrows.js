// Arrows: what keys and swipes do in games of one, where tiles slide and a keeper walks.
import { elsewhere } from "./steering.js";

const WAYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const FAR = 24; // pixels of a swipe
const AFTER = 300; // milliseconds after a swipe in which its click does nothing
const STEPS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** What arrow keys and swipes do in a game of one: moves are ways, a tile slides into the gap beside it, or a keeper walks and
 *  pushes. Returns go(way), which is the move, if any; null where keys do nothing. `view`: the board. */
export function steers(view, { teams, legal, ways }) {
  if (teams.length > 1) return null;
  if (legal.some((move) => move in STEPS)) return (way) => (legal.includes(way) ? way : null);
  if (!ways?.length) return null;
  const stood = view.stood(), places = [...stood.values()], names = new Map([...stood].map(([name, at]) => [String(at), name]));
  const size = Math.min(...places.flatMap(([x, y]) => places.map(([u, v]) => Math.hypot(u - x, v - y)).filter(Boolean)));
  const beside = (at, way, sign = 1) => at.map((each, axis) => each + sign * size * STEPS[way][axis]);
  const keeper = () => [...view.said()].find(([, said]) => said.includes("keeper"))?.[0];
  if (keeper()) return (way) => walked(view, ways, keeper(), names.get(String(beside(stood.get(keeper()), way))), (at) => names.get(String(beside(stood.get(at), way))));
  const inside = (at) => at.every((each, axis) => places.some((place) => place[axis] === each));
  const free = (at) => inside(at) && !names.has(String(at));
  if (ways.some((each) => !stood.has(each) || !Object.keys(STEPS).some((way) => free(beside(stood.get(each), way))))) return null;
  return (way) => ways.find((tile) => free(beside(stood.get(tile), way)));
}

/** Arrow keys and swipes make moves, and nothing scrolls; `go()` is what `steers` returns for what may be done now. */
export function arrows(place, go, play) {
  let start = null, swiped = -Infinity;
  function went(way) {
    const move = go()?.(way);
    if (move) play(move);
  }

  document.addEventListener("keydown", (event) => { // before the cells of the board hear of it
    if (elsewhere(event) || !(event.key in WAYS) || !go()) return;
    event.preventDefault();
    event.stopPropagation();
    went(WAYS[event.key]);
  }, true);
  place.addEventListener("pointerdown", ({ target, clientX, clientY }) => {
    start = target.closest(".drags .can") ? null : [clientX, clientY];
  });
  place.addEventListener("pointerup", (event) => {
    if (!start) return;
    const x = event.clientX - start[0], y = event.clientY - start[1];
    start = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < FAR || !go()) return;
    swiped = performance.now();
    went(Math.abs(x) > Math.abs(y) ? (x > 0 ? "right" : "left") : y > 0 ? "down" : "up");
  });
  place.addEventListener("click", (event) => { if (performance.now() - swiped < AFTER) event.stopPropagation(); }, true);
}

/** The push that a keeper's step to a cell makes, or null; walking onto a free cell is not a move. */
function walked(view, ways, keeper, to, next) {
  const push = to && ways.find(([, order]) => order[0] === to && order[1] === next(to));
  if (push) return push[0];
  if (!/^floor/.test(view.said().get(to) || "")) return null;
  const [from, onto] = [view.cell(keeper), view.cell(to)];
  onto.append(from.querySelector(".keeper"));
  for (const [name, cell, said] of [[keeper, from, view.said().get(keeper).replace(", keeper", "")], [to, onto, view.said().get(to).replace("floor", "floor, keeper")]]) {
    view.said().set(name, said);
    cell.setAttribute("aria-label", `${name}, ${said}`);
  }
  return null;
}

/** Where each tile on a board of numbers comes from when all slide one way, [cell, from]: two that are equal become one. */
export function shifts(before, after, places, way) {
  const [axis, sign] = { left: [0, 1], right: [0, -1], up: [1, 1], down: [1, -1] }[way] || [];
  if (axis === undefined) return [];
  const lines = new Map(), found = [];
  for (const [name, at] of places) lines.set(at[1 - axis], [...(lines.get(at[1 - axis]) || []), name]);
  for (const line of lines.values()) {
    line.sort((a, b) => sign * (places.get(a)[axis] - places.get(b)[axis]));
    const old = line.filter((name) => Number(before.get(name)));
    for (const name of line.filter((each) => Number(after.get(each)))) {
      if (Number(after.get(name)) !== Number(before.get(old[0]))) old.shift(); // of the two, the one that comes from afar
      const from = old.shift();
      if (from && from !== name) found.push([name, from]);
    }
  }
  return found;
}
