// Keys and swipes: ways in 2048, tiles and crates, the replay of a game, and putting a piece down.
const WAYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const STEPS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
const REPLAY = {
  ArrowLeft: (ply) => ply - 1, ArrowRight: (ply) => ply + 1, ",": (ply) => ply - 1, ".": (ply) => ply + 1,
  Home: () => 0, End: (_, last) => last,
};
const FAR = 24; // pixels of a swipe

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
  if (ways.some((each) => typeof each !== "string" || !Object.keys(STEPS).some((way) => free(beside(stood.get(each), way))))) return null;
  return (way) => ways.find((tile) => free(beside(stood.get(tile), way)));
}

/** The push that a keeper's step to a cell is, or null; onto a free cell the keeper walks, which is no move. */
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

/** Scrolls a list of moves, and never the window, to the current one. */
export function follow(list) {
  const now = list.querySelector("[aria-current]")?.parentNode;
  if (!now) return;
  const above = now.offsetTop, below = above + now.offsetHeight - list.clientHeight;
  list.scrollTop = Math.max(below, Math.min(above, list.scrollTop));
}

/** `go()` is what `steers` returns for what may be done now; `drop` puts down what is picked; `turnTo` goes to a move that a
 *  function of the present and the last one says. Where arrow keys and swipes make moves, nothing scrolls. */
export function steering(place, { go, play, drop, turnTo }) {
  let start = null;
  function went(way) {
    const move = go()?.(way);
    if (move) play(move);
  }

  document.addEventListener("keydown", (event) => { // before the cells of the board hear of it
    if (elsewhere(event)) return;
    if (event.key === "Escape") drop();
    if (!(event.key in WAYS) || !go()) return;
    event.preventDefault();
    event.stopPropagation();
    went(WAYS[event.key]);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (elsewhere(event) || event.target.closest(".board") || !(event.key in REPLAY)) return;
    event.preventDefault();
    turnTo(REPLAY[event.key]);
  });
  place.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
  });
  place.addEventListener("pointerup", (event) => {
    if (!start) return;
    const x = event.clientX - start[0], y = event.clientY - start[1];
    start = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < FAR) return;
    went(Math.abs(x) > Math.abs(y) ? (x > 0 ? "right" : "left") : y > 0 ? "down" : "up");
  });
}

function elsewhere(event) {
  return event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, dialog");
}
