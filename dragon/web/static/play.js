// Play: a game between people and searches. The address holds the whole game.
import { h, s, app, shown, fill, refill, get, stream, query, link, field, select, button, notice, announce, sharing, number, latest } from "./dragon.js";
import { board } from "./board.js";
import { chooser, roomy } from "./chooser.js";
import { pictures } from "./pictures.js";
import { promoted } from "./promotion.js";
import { following, repicked } from "./pointing.js";
import { follow, steering, steers } from "./steering.js";
import { transcripts } from "./transcripts.js";
import { ended, rolled } from "./words.js";

const PUBLISHED = document.body.dataset.game; // a page of one game, with the searches that it holds
const USUAL = { game: PUBLISHED || "tictactoe",
  start: "", deal: 0, seats: [], moves: [], ply: -1, seconds: 1, eye: -2, resigned: -1 };
const HUMAN = "human", STRONG = "mcts(style='strong')";
const BUTTONS = 24; // moves of a game without cells that have a button below the board
let pick, before = null, hinted = false; // what may be pointed at now; the number of moves that were shown before; whether the game has hints of its own
let state, games = [], searches = [], found = null, picked = [], thinking = null, paused = false, reply = "", movers = [], pressed = null;
const only = latest();

// ---- the parts of the page ---------------------------------------------------------------------

const view = board();
const status = h("p", { class: "status", "aria-live": "polite" });
const trouble = h("div");
const icon = (d) => s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d }));
const controls = {
  first: button(icon("M18 6v12l-9-6zM6 6v12"), () => go(0), { "aria-label": "First position" }),
  back: button(icon("M16 6v12l-9-6z"), () => go(state.ply - 1), { "aria-label": "One move back" }),
  next: button(icon("M8 6v12l9-6z"), () => go(state.ply + 1), { "aria-label": "One move on" }),
  last: button(icon("M6 6v12l9-6zM18 6v12"), () => go(state.moves.length), { "aria-label": "Last position" }),
};
const undo = button("Undo", undone);
const redo = button("Redo", redone);
const swap = button("Swap seats", () => change({ seats: [...state.seats.slice(1), state.seats[0]] }));
const resign = button("Resign", () => change({ resigned: found.turn, ply: state.moves.length }));
const fresh = button("New game", () => begin({ deal: random(found) }), { class: "main" });
const turning = button("Turn", () => view.turn(), { class: "quiet", title: "Turn the board" });
const pause = button("Pause", () => { paused = !paused; thinking?.abort(); refresh(); });
const others = h("div", { class: "row" });
const moves = h("ol", { class: "moves", "aria-label": "Moves" });
const legal = h("ul", { class: "chips legal" });
const counted = h("summary", {}, "Legal moves");
const entry = h("input", { autocomplete: "off", autocapitalize: "off", spellcheck: "false", class: "mono", enterkeyhint: "go" });
const choosing = chooser(choose);
const sitting = h("div", { class: "seats" });
const more = h("div", { class: "stack" });
const texts = transcripts({ kept, name: () => state.game, begin: ({ game, start, deal, moves }) => {
  paused = true;
  begin({ game, start, deal, moves, ply: moves.length });
} });
const open = h("a", { class: "button", href: "/analyse" }, "Analyse");

function layout(place) {
  place.append(h("div", { class: "split table" },
    h("section", { class: "card setup", "aria-label": "Game and players" }, choosing.choice, sitting,
      h("details", { open: roomy() }, h("summary", {}, "Size and settings"), h("div", { class: "stack" }, choosing.sizes, more))),
    h("div", { class: "stack" }, view.place, h("div", { class: "row saying" }, status, others), trouble,
      h("div", { class: "replay", role: "group", "aria-label": "Replay" }, Object.values(controls)),
      h("div", { class: "row" }, fresh, undo, redo, swap, resign, turning, pause)),
    h("div", { class: "stack" },
      h("section", { class: "card stack" },
        h("h2", {}, "Moves"), moves,
        h("form", { class: "entry", onsubmit: typed }, field("A move in the game's notation", entry), h("button", { class: "go" }, "Play")),
        h("details", {}, counted, legal)),
      h("section", { class: "card stack" },
        h("div", { class: "row" }, open, sharing(), texts.row),
        pictures(() => ({ ...course(), eye: seeing() })), texts.rest))));
  steering(view.place, { go: () => (found && !over() && human(found.turn) && state.ply === state.moves.length ? steers(view, found) : null),
    play, drop: () => picked.length && putDown(), turnTo: (to) => go(to(state.ply, state.moves.length)) });
}

function seats() {
  const teams = found?.teams || []; // a game that cannot be read can still be changed
  const rows = teams.map((_, seat) => {
    const who = state.seats[seat] || HUMAN;
    const able = searches.filter((each) => !each.objection).map((each) => each.name);
    const listed = [[HUMAN, "Person"], ...able.map((each) => [each, each === best(able) ? "Computer" : each]), ...(able.includes("mcts") && !PUBLISHED ? [[STRONG, "Computer, strong"]] : []), ...(who !== HUMAN && who !== STRONG && !able.includes(who) ? [who] : []), ["", "Other settings…"]];
    const other = h("input", { class: "mono", value: who, hidden: true, "aria-label": `Search of ${name(seat)}`, spellcheck: "false" });
    other.addEventListener("change", () => sit(seat, other.value.trim() || HUMAN));
    const chosen = select(listed, who, (value) => {
      if (value) sit(seat, value);
      else { other.hidden = false; other.focus(); }
    });
    const made = field(name(seat), chosen);
    made.append(other);
    return made;
  });
  const seconds = h("input", { type: "number", min: "0.05", max: "60", step: "any", value: state.seconds });
  seconds.addEventListener("change", () => change({ seconds: Math.min(60, Math.max(0.05, Number(seconds.value) || 1)) }));
  choosing.show(games, state.game);
  refill(sitting, rows);
  refill(more, field("Seconds a move", seconds),
    found?.traits.includes("hidden") ? field("Hidden cards", select([["-2", "Seen by who is to move"], ["-1", "All open"],
      ...teams.map((_, seat) => [String(seat), `Seen by ${name(seat)}`])], String(state.eye), (value) => change({ eye: Number(value) }))) : null);
}

// ---- the game ----------------------------------------------------------------------------------

function name(seat) {
  return found?.teams.length === 1 ? "Player" : found?.seats[seat] || `Player ${seat + 1}`;
}

function course(moves = state.moves.slice(0, state.ply)) {
  return { game: state.game, start: state.start, deal: state.deal, moves };
}

/** The whole game, for its transcript. */
function kept() {
  const players = found.teams.map((_, seat) => state.seats[seat] || HUMAN);
  return { ...course(state.moves), players, result: over() ? status.textContent : "" };
}

const random = (of) => (of?.dealt ? Math.floor(Math.random() * 1e6) : 0);

/** Another game or size: people keep their seats where there are as many. */
function choose(game) {
  const people = state.seats.every((each) => (each || HUMAN) === HUMAN);
  const same = game.split("(")[0] === state.game.split("(")[0];
  begin({ game, seats: same || (people && found?.teams.length === state.seats.length && state.seats.length === 2) ? state.seats : [], deal: 0 });
}

function begin(given) {
  movers = [];
  change({ start: "", moves: [], ply: 0, resigned: -1, ...given }, true);
}

function change(given, push = false) {
  thinking?.abort();
  Object.assign(state, given);
  picked = [];
  save(push);
  refresh();
}

function save(push = false) {
  const ply = state.ply === state.moves.length ? -1 : state.ply;
  query.write({ ...state, ply }, USUAL, push);
}

function sit(seat, who) {
  const sitting = found.teams.map((_, i) => state.seats[i] || HUMAN);
  sitting[seat] = who;
  change({ seats: sitting });
}

function go(ply) {
  change({ ply: Math.max(0, Math.min(state.moves.length, ply)) });
}

function play(move, push = true) {
  movers = movers.slice(0, state.ply + 1);
  change({ moves: [...state.moves.slice(0, state.ply), move], ply: state.ply + 1, resigned: -1 }, push);
}

function human(seat) {
  return seat >= 0 && (state.seats[seat] || HUMAN) === HUMAN;
}

function decisions() {
  return movers.map((seat, ply) => [seat, ply]).filter(([seat]) => human(seat)).map(([, ply]) => ply);
}

function undone() {
  const before = decisions().filter((ply) => ply < state.ply);
  go(before.length ? before.at(-1) : state.ply - 1);
}

function redone() {
  go(decisions().find((ply) => ply > state.ply) ?? state.ply + 1);
}

function over() {
  return found.turn === -2 || (state.resigned >= 0 && state.ply === state.moves.length);
}

/** The seat whose cards the picture shows; null: all. */
function seeing() {
  if (!found.traits.includes("hidden") || state.eye === -1) return null;
  return state.eye >= 0 ? state.eye : human(found.turn) ? found.turn : Math.max(0, found.teams.findIndex((_, seat) => human(seat)));
}

async function refresh() {
  const asking = { ...course(), picked };
  if (state.eye !== -1) asking.eye = state.eye >= 0 ? state.eye : null;
  try {
    let next = await only(async (signal) => {
      let first = await get("play/position", asking, { signal });
      if (state.eye === -2 && first.traits.includes("hidden") && first.turn >= 0) {
        const people = first.teams.map((_, seat) => seat).filter(human);
        const eye = human(first.turn) ? first.turn : people[0];
        if (eye !== undefined) first = await get("play/position", { ...asking, eye }, { signal });
      }
      if (!found || first.name !== found.name || first.game !== found.game) {
        searches = (await get("games/searches", { game: state.game }, { signal })).searches;
      }
      return first;
    });
    if (next === undefined) return;
    fill(trouble);
    if (next.pick.move) { picked = []; play(next.pick.move); return; }
    if (picked.length && !next.pick.cells.length && !next.pick.others.length) { picked = []; refresh(); return; }
    const another = !found || next.game !== found.game;
    found = next;
    found.picked = asking.picked;
    if (!picked.length) hinted = Boolean(found.pick.hint);
    movers = [...next.movers, ...(next.turn > -2 ? [next.turn] : []), ...movers.slice(state.ply + 1)];
    if (another && !state.seats.length) {
      seatFirst();
      if (PUBLISHED && found.dealt && !state.deal && !state.moves.length) return change({ deal: random(found) });
    }
    draw();
    shown();
    turn();
  } catch (wrong) {
    view.place.classList.add("stale"); // what is shown is not what was asked for
    seats();
    shown();
    fill(trouble, notice(wrong), wrong.status === 0 ? button("Try again", refresh) : null);
    if (wrong.field === "moves" && state.moves.length) fill(trouble, notice(wrong), button("Start again", () => begin({})));
    else if (!found && wrong.field !== "moves" && state.game !== USUAL.game) fill(trouble, notice(wrong), button("Play tic-tac-toe", () => begin({ game: USUAL.game, seats: [] })));
  }
}

function seatFirst() {
  const able = searches.filter((each) => !each.objection).map((each) => each.name);
  state.seats = found.teams.map((_, seat) => (seat === 0 ? HUMAN : best(able) || HUMAN));
  save();
}

function best(able) {
  return ["alphabeta", "mcts", "determinize"].find((each) => able.includes(each)) || able[0];
}

// ---- what is seen ------------------------------------------------------------------------------

function draw() {
  const mine = !over() && human(found.turn);
  const ways = mine ? found.ways : null;
  if (ways && !picked.length) picked = goesOn(following(ways, []).cells);
  pick = ways ? following(ways, picked) : found.pick;
  if (hinted && String(found.picked) === String(picked)) pick.hint = found.pick.hint;
  const can = !mine ? [] : ways && picked.length ? [...pick.cells, ...following(ways, []).cells] : pick.cells;
  const seat = ways ? found.seats[found.turn] : "";
  const moved = before !== null && state.ply === before + 1;
  before = state.ply;
  const cells = view.show(found, { can, aims: mine && picked.length ? pick.cells : [], mover: name(found.turn), chosen: picked, seat, moved, drags: Boolean(ways), looker: looker(), made: state.moves[state.ply - 1], onpick: pointed });
  if (picked.length && pick.others.length > 1) promoted(view, picked.at(-1), pick.others, after, play);
  if (found.legal.length) view.place.classList.toggle("steered", steers(view, found) !== null);
  const focused = document.activeElement;
  if (others.contains(focused)) pressed = focused.textContent;
  else if (focused !== document.body) pressed = null;
  fill(others,
    mine ? named(cells).map((move) => button(move, () => play(move))) : null,
    picked.length ? button("Take back", putDown, { class: "quiet" }) : null);
  others.hidden = !others.childElementCount;
  if (pressed !== null) { // the keyboard stays at the button of that name, also over a turn of others
    const again = [...others.querySelectorAll("button")];
    (again.find((each) => each.textContent === pressed) || again[0])?.focus({ preventScroll: true });
  }
  said();
  const held = document.activeElement;
  controls.first.disabled = controls.back.disabled = state.ply === 0;
  controls.next.disabled = controls.last.disabled = state.ply === state.moves.length;
  undo.disabled = state.ply === 0;
  redo.disabled = state.ply === state.moves.length;
  resign.disabled = !mine;
  turning.hidden = found.teams.length === 1 || !cells; // nobody sits at another side
  swap.hidden = found.teams.length === 1;
  const searching = found.teams.some((_, seat) => !human(seat));
  pause.hidden = !searching;
  if (held?.disabled) { // the keyboard stays where it was: at what can still be pressed there
    const row = [...held.parentNode.querySelectorAll("button")];
    const at = row.indexOf(held);
    [...row.slice(0, at).reverse(), ...row.slice(at)].find((each) => !each.disabled)?.focus({ preventScroll: true });
  }
  pause.textContent = paused ? "Go on" : "Pause";
  pause.setAttribute("aria-pressed", String(paused));
  state.moves.forEach(listMove);
  while (moves.childElementCount > state.moves.length) moves.lastChild.remove();
  follow(moves);
  counted.textContent = found.count ? `Legal moves: ${number(found.count)}` : "Legal moves";
  fill(legal, found.legal.map((move) => h("li", {}, button(move, () => play(move), { disabled: !mine }))),
    found.count > found.legal.length ? h("li", { class: "soft" }, `and ${number(found.count - found.legal.length)} more`) : null);
  entry.disabled = !mine;
  open.href = link("analyse", query.text({ game: state.game, start: state.start, deal: state.deal, moves: state.moves.slice(0, state.ply) }, { start: "", deal: 0, moves: [] }));
  seats();
}

/** The seat before which the board has its front: that of the only person. */
function looker() {
  const people = found.teams.map((_, seat) => seat).filter(human);
  return people.length === 1 ? people[0] : -1;
}

/** The picture of the position after a move. */
async function after(move) {
  return (await get("play/position", { ...course([...state.moves.slice(0, state.ply), move]), listed: false })).svg;
}

/** A piece that has to go on moving, as one that jumps again, is picked already. */
function goesOn(cells) {
  return movers[state.ply - 1] === found.turn && cells.length === 1 && cells[0] === found.last.at(-1) ? cells : [];
}

function putDown() {
  picked = [];
  (found.ways ? draw : refresh)();
}

/** Another cell is pointed at; where the page knows all moves, it need not ask. */
function pointed(cell) {
  picked = found.ways ? repicked(found.ways, picked, cell) : [...picked, cell];
  const { move } = found.ways ? following(found.ways, picked) : {};
  if (move) return play(move);
  (found.ways ? draw : refresh)();
  if (found.ways && hinted && picked.length) refresh();
}

/** Puts a move into the list, where it is not there already: a game may have thousands. */
function listMove(move, ply) {
  const told = toldOf(move, ply), now = ply + 1 === state.ply, later = ply >= state.ply;
  const before = moves.children[ply], is = `${told} ${now} ${later}`;
  if (before?.dataset.is === is) return;
  const made = h("li", { class: later ? "later" : "", "data-is": is },
    button([h("small", {}, `${ply + 1}. `), told], () => go(ply + 1), now ? { "aria-current": "step" } : {}));
  if (before) before.replaceWith(made);
  else moves.append(made);
}

/** The moves that have a button of their own: those that no cell stands for. */
function named(cells) {
  return cells ? pick.others : found.legal.slice(0, BUTTONS);
}

/** A move as the list has it; what luck has dealt is not told to who may not see it. */
function toldOf(move, ply) {
  return hides() && movers[ply] === -1 ? "dealt" : move;
}

/** Whether something is not told to who looks at the page. */
function hides() {
  return found.traits.includes("hidden") && state.eye !== -1 && found.turn !== -2;
}

function said() {
  let text;
  if (state.resigned >= 0 && state.ply === state.moves.length) text = `${name(state.resigned)} has resigned.`;
  else if (found.turn === -2) text = ended(found, name);
  else if (found.turn === -1) text = state.ply < state.moves.length && !hides() ? `Luck decided: ${rolled(state.moves[state.ply])}` : "Luck decides …";
  else {
    const who = human(found.turn) ? "" : ` (${state.seats[found.turn]})`;
    const doing = human(found.turn) ? "to move" : paused || state.ply < state.moves.length ? "to move" : "is thinking …";
    const drawn = movers[state.ply - 1] === -1 && !hides() ? ` after ${rolled(state.moves[state.ply - 1])}` : "";
    text = `${name(found.turn)}${who} ${doing}${drawn}${human(found.turn) && pick.hint ? `: ${pick.hint}` : ""}`;
  }
  status.textContent = reply && !over() && human(found.turn) && state.ply === state.moves.length ? `${text}. ${reply}` : text;
}

// ---- searches and luck -------------------------------------------------------------------------

async function turn() {
  if (over() || state.ply < state.moves.length || paused || human(found.turn)) return;
  const mine = (thinking = new AbortController());
  try {
    if (found.turn === -1) {
      const { move } = await get("play/chance", course(), { signal: mine.signal });
      if (!hides()) announce(move);
      play(move, false);
      return;
    }
    const by = state.seats[found.turn];
    const onnote = (why) => { status.textContent = `${name(found.turn)} (${by}): ${why}`; };
    const asking = { ...course(), search: by, seconds: state.seconds, seed: state.deal + state.ply };
    let answer = null;
    for await (answer of stream("play/think", asking, { signal: mine.signal, onnote })) { /* the last one has the move */ }
    if (mine.signal.aborted) return;
    if (!answer) throw new Error(`${by} found no move in ${state.seconds} s; give it more seconds.`);
    if (answer.extra?.resigns) { change({ resigned: found.turn }); return; }
    reply = `${by} played ${answer.move} (value ${answer.bound} ${number(answer.value)})`;
    announce(reply);
    play(answer.move, false); // who goes back in the browser comes to the decision before
  } catch (wrong) {
    if (mine.signal.aborted) return;
    paused = true;
    draw();
    fill(trouble, notice(wrong));
  }
}

async function typed(event) {
  event.preventDefault();
  const move = entry.value.trim();
  if (!move || entry.disabled) return;
  try {
    await get("play/position", { ...course([...state.moves.slice(0, state.ply), move]), listed: false });
    field.wrong(entry);
    entry.value = "";
    play(move);
  } catch (wrong) {
    field.wrong(entry, wrong.message.replace(/^move \d+: /, ""));
  }
}

// ---- beginning ---------------------------------------------------------------------------------

function load() {
  state = query.read(USUAL);
  if (state.ply < 0 || state.ply > state.moves.length) state.ply = state.moves.length;
  picked = [];
  movers = [];
}

load();
layout(app({ later: true }));
query.onback(() => { thinking?.abort(); load(); refresh(); });
get("games").then((all) => { games = all.games; seats(); }).catch((wrong) => fill(trouble, notice(wrong)));
refresh();
