// Keys and swipes: ways in 2048, the replay of a game, and putting a piece down.
const WAYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const REPLAY = {
  ArrowLeft: (ply) => ply - 1, ArrowRight: (ply) => ply + 1, ",": (ply) => ply - 1, ".": (ply) => ply + 1,
  Home: () => 0, End: (_, last) => last,
};
const FAR = 24; // pixels of a swipe

/** Whether moves are ways. */
export function steers(moves) {
  return moves.some((move) => Object.values(WAYS).includes(move));
}

/** Scrolls a list of moves, and never the window, to the current one. */
export function follow(list) {
  const now = list.querySelector("[aria-current]")?.parentNode;
  if (!now) return;
  const above = now.offsetTop, below = above + now.offsetHeight - list.clientHeight;
  list.scrollTop = Math.max(below, Math.min(above, list.scrollTop));
}

/** `moves()` are the moves that may be made now; `drop` puts down what is picked; `turnTo` goes to a move that a function of
 *  the present and the last one says; `keys` are buttons by their letters. Where moves are ways, arrow keys and swipes make them, and nothing scrolls. */
export function steering(place, { moves, play, drop, turnTo, keys = {} }) {
  let start = null;
  function went(way) {
    if (moves().includes(way)) play(way);
  }

  document.addEventListener("keydown", (event) => { // before the cells of the board hear of it
    if (elsewhere(event)) return;
    if (event.key === "Escape") drop();
    if (!(event.key in WAYS) || !steers(moves())) return;
    event.preventDefault();
    event.stopPropagation();
    went(WAYS[event.key]);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (elsewhere(event)) return;
    if (event.key in keys && !keys[event.key].disabled) keys[event.key].click();
    if (event.target.closest(".board") || !(event.key in REPLAY)) return;
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
