// Keys of a game: the replay, buttons by their letters, and putting a piece down.
const REPLAY = {
  ArrowLeft: (ply) => ply - 1, ArrowRight: (ply) => ply + 1, ",": (ply) => ply - 1, ".": (ply) => ply + 1,
  Home: () => 0, End: (_, last) => last,
};

/** `drop` puts down what is picked; `turnTo` goes to a move that a function of the present and the last one says; `keys` are
 *  buttons by their letters. */
export function steering({ drop, turnTo, keys = {} }) {
  document.addEventListener("keydown", (event) => {
    if (elsewhere(event)) return;
    if (event.key === "Escape") drop();
    if (event.key in keys && !keys[event.key].disabled && !keys[event.key].hidden) keys[event.key].click();
    if (event.target.closest(".board") || !(event.key in REPLAY)) return;
    event.preventDefault();
    turnTo(REPLAY[event.key]);
  });
}

/** Whether a key is meant for something else. */
export function elsewhere(event) {
  return event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, dialog");
}
