// Keys and swipes: ways in 2048, tiles and crates, the replay of a game, and putting a piece down.
const WAYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const REPLAY = {
  ArrowLeft: (ply) => ply - 1, ArrowRight: (ply) => ply + 1, ",": (ply) => ply - 1, ".": (ply) => ply + 1,
  Home: () => 0, End: (_, last) => last,
};
const FAR = 24; // pixels of a swipe

/** Scrolls a list of moves, and never the window, to the current one. */
export function follow(list) {
  const now = list.querySelector("[aria-current]")?.parentNode;
  if (!now) return;
  const above = now.offsetTop, below = above + now.offsetHeight - list.clientHeight;
  list.scrollTop = Math.max(below, Math.min(above, list.scrollTop));
}

/** `go()` is what `steers` returns for what may be done now; `drop` puts down what is picked; `turnTo` goes to a move that a
 *  function of the present and the last one says; `keys` are buttons by their letters. Where arrow keys and swipes make moves, nothing scrolls. */
export function steering(place, { go, play, drop, turnTo, keys = {} }) {
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
