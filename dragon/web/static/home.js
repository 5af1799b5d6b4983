// The first page: a small game that can be played at once, and pictures of the others.
import { h, fill, get, announce, button, notice } from "./dragon.js";
import { board } from "./board.js";
import { playable } from "./chooser.js";
import { scene } from "./newgame.js";
import { tool } from "./rail.js";
import { asks, prepared, thought } from "./rival.js";
import { ended } from "./words.js";

const GAME = "hex(size=5)", SEATS = ["You", "Computer"];
const place = document.getElementById("live"), tiles = document.getElementById("tiles");
const view = board(), status = h("p", { class: "does", "aria-live": "polite" });
const undo = tool("undo", "Take back", "", () => go(moves.slice(0, moves.length - (moves.length % 2 || 2))));
const again = tool("again", "Begin again", "", () => go([]));
const hint = tool("hint", "Hint", "", async () => {
  const move = await best("strong");
  if (move) draw([move]);
});
const more = h("a", { class: "button quiet" }, "Full board");
let moves = [], found = null, levels = null, thinking = null;

/** The move of a level in the present position; null if that has changed meanwhile. */
async function best(level) {
  thinking?.abort();
  const mine = (thinking = new AbortController());
  const onnote = (text) => { status.textContent = text; };
  const asked = { game: GAME, moves, seed: moves.length, ...asks(level, levels) };
  const last = await thought(asked, { signal: mine.signal, onnote }).catch((wrong) => { if (!mine.signal.aborted) status.textContent = wrong.message; });
  return mine.signal.aborted ? null : last?.move;
}

async function go(next) {
  thinking?.abort();
  const before = moves;
  moves = next;
  const answer = await get("play/position", { game: GAME, moves }).catch((wrong) => {
    if (next === moves) status.textContent = wrong.message;
    if (next === moves) moves = before; // what is shown is still so
  });
  if (!answer || next !== moves) return;
  const moved = found !== null;
  found = answer;
  draw([], moved);
  if (found.turn !== 1) return;
  const move = await best("medium");
  if (move) {
    announce(`Computer: ${move}`);
    go([...moves, move]);
  }
}

function draw(hints = [], moved = false) {
  const mine = found.turn === 0;
  view.show(found, { can: mine ? found.pick.cells : [], seat: mine ? "Black" : "", moved, hints, onpick: (cell) => go([...moves, cell]) });
  status.textContent = found.turn === -2 ? ended(found, (seat) => SEATS[seat]).replace("You wins", "You win") : mine ? "Your move: join top and bottom with black stones" : "The computer is thinking …";
  undo.hidden = again.hidden = !moves.length;
  hint.hidden = !mine;
  more.href = `/play?game=${GAME}&seats=human,medium${moves.length ? `&moves=${moves.join(",")}` : ""}`;
}

fill(place, view.place, h("div", { class: "bar" }, status, h("div", { class: "tools" }, hint, undo, again), more));
async function gallery() {
  let games;
  try {
    ({ games } = await get("games"));
  } catch (wrong) {
    return fill(tiles, h("li", {}, notice(wrong), button("Try again", gallery)));
  }
  levels = games.find((each) => each.name === "hex").levels;
  const shown = games.filter(playable).sort((a, b) => (b.seats > 1) - (a.seats > 1) || (b.levels !== null) - (a.levels !== null));
  fill(tiles, shown.map((game) => h("li", {}, h("a", { class: "button tile", href: `/play?game=${game.name}` },
    scene(game), h("strong", {}, game.title), h("small", {}, game.aliases.length ? `also ${game.aliases[0]}` : "")))));
  prepared({ game: GAME, moves: ["c3"], ...asks("medium", levels) });
}
go([]);
gallery();
