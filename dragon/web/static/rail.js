// The rail beside a board: a strip for each player, the moves in pairs, tools.
import { h, s, fill, button } from "./dragon.js";
import { MATERIALS } from "./pointing.js";

const PATHS = {
  first: "M7 5v14M18 6l-7 6 7 6", back: "M15 6l-6 6 6 6", next: "M9 6l6 6-6 6", last: "M17 5v14M6 6l7 6-7 6",
  hint: "M9 18h6M10 21h4M9.5 15c0-1-.4-1.6-1-2.1a6 6 0 1 1 7 0c-.6.5-1 1.1-1 2.1z",
  turn: "M4 12a8 8 0 0 1 14-5.3L21 9M21 4v5h-5M20 12a8 8 0 0 1-14 5.3L3 15M3 20v-5h5",
  undo: "M9 14 4 9l5-5M4 9h10a5.5 5.5 0 0 1 0 11h-3", fresh: "M12 5v14M5 12h14", more: "M5 12h.01M12 12h.01M19 12h.01",
  board: "M4 4h16v16H4zM4 12h16M12 4v16", close: "M6 6l12 12M18 6 6 18", graph: "M4 19h16M5 15l4-5 4 3 6-8", again: "M20 5v5h-5M19.4 10A8 8 0 1 0 20 13",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
};

/** A sign of 24 units, drawn as lines. */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}

/** A button with an icon; its title says what it does, and a short word is below it if there is space. */
export function tool(name, title, word, onclick, properties = {}) {
  return button([icon(name), h("span", { class: "word", "aria-hidden": "true" }, word)], onclick, { title, "aria-label": title, ...properties });
}

/** The keyboard stays beside a button that can no longer be pressed: at what can be, before it or behind. */
export function neighbour(held) {
  const row = [...held.parentNode.querySelectorAll("button")], place = row.indexOf(held);
  [...row.slice(0, place).reverse(), ...row.slice(place)].find((each) => !each.disabled && !each.hidden)?.focus({ preventScroll: true });
}

/** A stone in the colour of a seat, or a disc in one of the page's colours. */
function stone(name, seat) {
  const side = MATERIALS[name];
  return s("svg", { viewBox: "-12 -12 24 24", class: "stone", "aria-hidden": "true" },
    s("circle", { r: 10, class: side ? `f-${side}` : `k${seat % 8} other` }));
}

/** The strips of players: `far` above, for all others, and `near`, for the person at the board. show({seats, near, turn, name, words, score,
 *  taken}): `name(seat)`, `words(seat)` and `score(seat)` are texts, `taken(seat)` what that seat has captured. */
export function strips() {
  const far = h("div", { class: "strips far" }), near = h("div", { class: "strips near" });
  function strip(seat, { seats, turn, name, words, score, taken }) {
    return h("div", { class: `strip${turn === seat ? " now" : ""}`, "data-seat": String(seat) }, stone(seats[seat], seat),
      h("div", { class: "who" }, h("strong", {}, name(seat)), h("span", { class: "does" }, words(seat)), taken(seat)), h("output", { class: "score" }, score(seat)));
  }
  function show(told) {
    fill(far, told.seats.map((_, seat) => (seat === told.near ? null : strip(seat, told))));
    fill(near, strip(told.near, told));
  }
  return { far, near, show };
}

/** For each move its column, from 1 to 4, and the number of its row where it begins one: a pair is a roll and a move of the first seat,
 *  and those of the second. */
export function paired(movers, count) {
  const seats = Array.from({ length: count }, (_, ply) => movers[ply]);
  let row = 0, before = -1;
  return seats.map((seat, ply) => {
    const whose = seat === -1 ? seats.slice(ply).find((each) => each !== -1) ?? 1 - (seats[ply - 1] ?? 1) : seat ?? ply % 2;
    const begins = ply === 0 || (whose === 0 && before !== 0);
    before = whose;
    if (begins) row++;
    return [2 * whose + (seat === -1 ? 1 : 2), begins ? row : 0];
  });
}

/** Scrolls a list of moves, and never the window, to the current one; `--above` is the room that is taken above the list. */
function follow(list) {
  list.style.setProperty("--above", `${list.offsetTop}px`);
  const now = list.querySelector("[aria-current]")?.parentNode;
  if (!now) return;
  const above = now.offsetTop, below = above + now.offsetHeight - list.clientHeight;
  list.scrollTop = Math.max(below, Math.min(above, list.scrollTop));
}

/** A list of moves. show({moves, movers, ply, pairs, told}): `told(move, ply)` is a move in words; onpick gets the number of plies. */
export function moveList(onpick) {
  const place = h("ol", { class: "moves", "aria-label": "Moves", tabindex: "-1" });
  const sizes = new ResizeObserver(() => follow(place)); // the part above it is drawn later
  function show({ moves, movers, ply: now, pairs, told }) {
    if (!place.hasAttribute("style")) for (const each of place.parentNode?.children || []) sizes.observe(each);
    pairs &&= !moves.some((_, ply) => movers[ply] === -1 && movers[ply + 1] === -1 && ply + 1 < moves.length); // cards are dealt one after another
    let count = 0; // of moves; luck has no number
    const at = pairs ? paired(movers, moves.length) : moves.map((_, ply) => [0, movers[ply] === -1 ? 0 : ++count]);
    place.classList.toggle("pairs", pairs);
    moves.forEach((move, ply) => item(told(move, ply), ply, now, at[ply]));
    while (place.childElementCount > moves.length) place.lastChild.remove();
    follow(place);
  }
  function item(text, ply, now, [column, number]) { // put where it is not there already: a game may have thousands
    const is = `${text} ${ply + 1 === now} ${ply >= now} ${column} ${number}`, before = place.children[ply];
    if (before?.dataset.is === is) return;
    const made = h("li", { class: `${column ? `c${column}` : ""}${ply >= now ? " later" : ""}`, "data-is": is },
      number || column === 2 ? h("small", {}, number ? `${number}. ` : "") : null, button(text, () => onpick(ply + 1), ply + 1 === now ? { "aria-current": "step" } : {}));
    if (before) before.replaceWith(made);
    else place.append(made);
  }
  return { place, show };
}
