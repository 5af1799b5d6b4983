// Play: a game between people and searches. The address holds the whole game.
import { h, app, shown, fill, get, query, link, button, notice, announce, sharing, number, latest } from "./dragon.js";
import { arrows, steers } from "./arrows.js";
import { board } from "./board.js";
import { pictures } from "./pictures.js";
import { promoted } from "./promotion.js";
import { following, repicked } from "./pointing.js";
import { icon, moveList, neighbour, tool } from "./rail.js";
import { asks, deal, prepared, thought } from "./rival.js";
import { entry, seating, sitters } from "./seats.js";
import { steering } from "./steering.js";
import { transcripts } from "./transcripts.js";
import { standing } from "./turning.js";
import { ended, rolled, rules, sentence, shortly, unfinished, usual } from "./words.js";

const PUBLISHED = document.body.dataset.game; // a page of one game, with the searches that it holds
const USUAL = { game: PUBLISHED || "tictactoe",
  start: "", deal: 0, seats: [], moves: [], ply: -1, seconds: 1, eye: -2, resigned: -1 };
const HUMAN = "human", BUTTONS = 24; // moves that have a button where there are no cells
let pick, before = null, hinted = false; // the cells to click now; the number of moves shown before; true if the game itself says what comes next
let state, games = [], searches = [], found = null, picked = [], thinking = null, paused = false, reply = "", movers = [], pressed = null, hints = [], listing = null;
const only = latest(), listed = () => (listing ??= get("games").catch((wrong) => { listing = null; throw wrong; })); // a failure is not kept

// ---- the parts of the page ---------------------------------------------------------------------

const view = board();
const status = h("p", { class: "status unseen", "aria-live": "polite" }), trouble = h("div");
const controls = {
  first: tool("first", "First position", "First", () => go(0), { class: "wide" }),
  back: tool("back", "One move back", "Back", () => go(state.ply - 1)),
  next: tool("next", "One move on", "Forward", () => go(state.ply + 1)),
  last: tool("last", "Last position", "Last", () => go(state.moves.length), { class: "wide" }),
};
const hint = tool("hint", "Hint", "Hint", helped);
const undo = tool("undo", "Take back", "Take back", undone), turning = tool("turn", "Turn the board", "Turn", () => view.turn());
const fresh = tool("fresh", "New game", "New", another);
const tools = h("div", { class: "tools", role: "group", "aria-label": "Replay and help" }, Object.values(controls), hint, undo, turning, fresh);
const swap = button("Swap seats", () => change({ seats: [...state.seats.slice(1), state.seats[0]] }));
const resign = button("Resign", () => change({ resigned: found.turn, ply: state.moves.length }));
const pause = button("Pause", () => { paused = !paused; thinking?.abort(); refresh(); });
const others = h("div", { class: "saying row" });
const players = sitters(), moves = moveList(go), title = h("h2", {}, "Play");
const legal = h("ul", { class: "chips legal" });
const counted = h("summary", {}, "Legal moves");
const typing = entry({ legal: (move) => get("play/position", { ...course([...state.moves.slice(0, state.ply), move]), listed: false }), play });
const sitting = seating({ sit, change });
const texts = transcripts({ kept, name: () => state.game, begin: ({ game, start, deal, moves }) => {
  paused = true;
  begin({ game, start, deal, moves, ply: moves.length });
} });
const open = h("a", { class: "button quiet", href: "/analyse" }, "Analyse"), outcome = h("p", { class: "outcome" });
const compared = h("section", { class: "stack", hidden: true, "aria-label": "Beside an equilibrium", "aria-live": "polite" });
const end = h("section", { class: "end stack", hidden: true, "aria-label": "The end" }, outcome,
  h("div", { class: "row" }, button([icon("again"), h("span", {}, "Rematch")], rematch, { class: "main", "aria-label": "Rematch" }), h("a", { class: "button analyse", "aria-label": "Analyse" }, icon("graph"), h("span", {}, "Analyse"))));

function layout(place) {
  place.append(h("div", { class: "game" }, h("section", { class: "felt", "aria-label": "The board" }, view.place), players.far,
    h("div", { class: "rail" }, end, compared, others, h("div", { class: "row head" }, title, button("Rules", () => rules(game()), { class: "quiet" }), open, sharing(undefined, icon("link"))), trouble,
      moves.place,
      h("details", { class: "more" }, h("summary", {}, "More"), h("div", { class: "stack" },
        h("div", { class: "row" }, resign, swap, pause), h("h3", {}, "Players"), sitting.place, typing,
        h("details", {}, counted, legal), h("div", { class: "row" }, texts.row),
        pictures(() => ({ ...course(), eye: seeing() })), texts.rest))),
    tools, players.near, status));
  arrows(view.place, () => (found && !over() && human(found.turn) && current() && state.ply === state.moves.length ? steers(view, found) : null), play);
  steering({ drop: () => picked.length && putDown(), turnTo: (to) => go(to(state.ply, state.moves.length)), keys: { h: hint, u: undo, n: fresh, t: turning } });
}

const game = () => games.find((each) => each.name === found?.name);
const asked = (by) => asks(by, game()?.levels, state.seconds);
const able = () => searches.filter((each) => !each.objection).map((each) => each.name);

/** The state that the strips and the choice of players show. */
function told() {
  return { found, state, games, names: able(), best: best(), name, human, viewer: viewer(), finished: over(), waiting: paused || state.ply < state.moves.length,
    hint: pick?.hint && (picked.length || !found.ways) ? pick.hint : "", start: () => get("play/position", { ...course([]), listed: false }) };
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

/** A seed of a new deal, for games that deal. */
function random(name = state.game) {
  const next = games.find((each) => each.name === name.split("(")[0]);
  return deal(name === state.game && found ? found.dealt : next?.seats !== 2 || /hidden|chance/.test(next.traits));
}

function begin(given) {
  movers = [];
  before = null;
  change({ start: "", moves: [], ply: 0, resigned: -1, ...given }, true);
}

/** Another game, chosen in a dialog (if the server has stopped, `refresh` says so); a page of one game begins that again. */
async function another() {
  if (PUBLISHED) return begin({ deal: random() });
  const dialog = await listed().then((all) => { games = all.games; return import("./newgame.js"); }).catch(refresh);
  dialog?.newGame({ games, state, begin: (given) => begin({ deal: random(given.game), ...given }) });
}

/** The same game again, with the other seat first. */
function rematch() {
  const away = state.seats.length === 2 ? [state.seats[1], state.seats[0]] : state.seats;
  begin({ game: state.game, start: state.start, seats: away, deal: random() });
}

function change(given, push = false) {
  thinking?.abort();
  Object.assign(state, given);
  picked = [];
  hints = [];
  save(push);
  refresh();
}

function save(push = false) {
  const ply = state.ply === state.moves.length ? -1 : state.ply;
  query.write({ ...state, ply }, USUAL, push);
  unfinished.keep(state.moves.length && state.resigned < 0 ? location.search : "");
}

function sit(seat, who) {
  const sitting = found.teams.map((_, i) => state.seats[i] || HUMAN);
  sitting[seat] = who;
  change({ seats: sitting });
}

function go(ply) {
  change({ ply: Math.max(0, Math.min(state.moves.length, ply)) });
}

/** Whether the board shows the position that is meant; not while an answer is awaited. */
const current = () => found?.movers.length === state.ply;

function play(move, push = true) {
  if (!current()) return;
  movers = movers.slice(0, state.ply + 1);
  change({ moves: [...state.moves.slice(0, state.ply), move], ply: state.ply + 1, resigned: -1 }, push);
}

const human = (seat) => seat >= 0 && (state.seats[seat] || HUMAN) === HUMAN;
const decisions = () => movers.map((seat, ply) => [seat, ply]).filter(([seat]) => human(seat)).map(([, ply]) => ply);

function undone() {
  const before = decisions().filter((ply) => ply < state.ply);
  go(before.length ? before.at(-1) : state.ply - 1);
}

const over = () => found.turn === -2 || (state.resigned >= 0 && state.ply === state.moves.length);

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
      games = (await listed()).games;
      if (!found || first.game !== found.game) {
        searches = (await get("games/searches", { game: state.game }, { signal })).searches;
      }
      return first;
    });
    if (next === undefined) return;
    fill(trouble);
    if (next.pick.move) { picked = []; play(next.pick.move); return; }
    if (picked.length && !next.pick.cells.length && !next.pick.others.length) { picked = []; refresh(); return; }
    const changed = !found || next.game !== found.game;
    found = { ...next, picked: asking.picked };
    if (state.resigned >= found.teams.length) state.resigned = -1; // an address may name any seat
    if (!picked.length) hinted = Boolean(found.pick.hint);
    movers = [...next.movers, ...(next.turn > -2 ? [next.turn] : []), ...movers.slice(state.ply + 1)];
    if (changed && !state.seats.length) {
      seatFirst();
      if (PUBLISHED && found.dealt && !state.deal && !state.moves.length) return change({ deal: random() });
    }
    draw();
    shown();
    turn();
    const rival = state.seats.find((each) => each && each !== HUMAN);
    if (changed && rival && human(found.turn) && !PUBLISHED) prepared({ ...course(), ...asked(rival) });
  } catch (wrong) {
    view.place.classList.add("stale"); // what is shown is not what was asked for
    if (found) sitting.show(told());
    shown();
    const other = /; did you mean '(\w+)'/.exec(wrong.message)?.[1] || USUAL.game; // as the server suggests
    fill(trouble, notice(wrong), wrong.status === 0 || wrong.status >= 429 ? button("Try again", refresh) : null, { moves: state.moves.length, start: 1, eye: 1 }[wrong.field] ? button("Start again", () => begin({ eye: -2 }))
      : !found && wrong.status && wrong.field !== "moves" && state.game !== other ? button(`Play ${other === USUAL.game ? "tic-tac-toe" : other}`, () => begin({ game: other, seats: [] })) : null);
  }
}

function seatFirst() {
  const rival = game()?.levels ? usual(game().levels) : best() || HUMAN;
  state.seats = found.teams.map((_, seat) => (seat === 0 ? HUMAN : rival));
  save();
}

function best() {
  const names = able(), whole = state.game === found?.name ? ["cfr"] : []; // the tree of another size may not fit
  return ["alphabeta", "mcts", ...whole, "determinize"].find((each) => names.includes(each)) || names[0];
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
  const cells = view.show(found, { can, aims: mine && picked.length ? pick.cells : [], mover: name(found.turn), chosen: picked, seat, moved, drags: ways?.some((each) => typeof each !== "string"), hints, looker: viewer(), steps: standing(found.svg), made: state.moves[state.ply - 1], onpick: pointed });
  if (picked.length && pick.others.length > 1) promoted(view, picked.at(-1), pick.others, (move) => course([...state.moves.slice(0, state.ply), move]), play);
  if (found.legal.length) view.place.classList.toggle("steered", steers(view, found) !== null);
  const focused = document.activeElement;
  if (others.contains(focused)) pressed = focused.textContent;
  else if (focused !== document.body) pressed = null;
  fill(others,
    mine ? (cells ? pick.others : found.legal.slice(0, BUTTONS)).map((move) => button(move, () => play(move))) : null, // moves without a cell
    picked.length ? button("Take back", putDown, { class: "quiet" }) : null);
  others.hidden = !others.childElementCount;
  if (pressed !== null) { // the keyboard stays at the button of that name, also over a turn of others
    const again = [...others.querySelectorAll("button")];
    (again.find((each) => each.textContent === pressed) || again[0])?.focus({ preventScroll: true });
  }
  said();
  const held = document.activeElement, at = state.ply, last = state.moves.length, finished = over();
  controls.first.disabled = controls.back.disabled = at === 0;
  controls.next.disabled = controls.last.disabled = at === last;
  undo.disabled = !decisions().some((ply) => ply < at);
  hint.disabled = !mine || at < last || !best();
  resign.hidden = !mine;
  turning.hidden = found.teams.length === 1 || !cells; // no person plays another side
  swap.hidden = found.teams.length === 1;
  pause.hidden = found.teams.every((_, seat) => human(seat));
  if (held?.disabled) neighbour(held);
  pause.textContent = paused ? "Go on" : "Pause";
  pause.setAttribute("aria-pressed", String(paused));
  moves.show({ moves: state.moves, movers, ply: at, pairs: found.teams.length === 2, told: toldOf });
  title.textContent = found.title;
  end.hidden = !finished;
  open.hidden = finished;
  if (finished) outcome.textContent = sentence(found, { name, viewer: viewer(), resigned: state.resigned, won: game()?.won });
  if (finished && at === last) unfinished.keep("");
  compared.hidden = PUBLISHED || found.turn !== -2 || at < last || viewer() < 0 || !found.traits.includes("hidden") || !able().includes("cfr");
  if (!compared.hidden) import("./equilibrium.js").then(({ beside }) => beside(compared, kept()));
  counted.textContent = found.count ? `Legal moves: ${number(found.count)}` : "Legal moves";
  fill(legal, found.legal.map((move) => h("li", {}, button(move, () => play(move), { disabled: !mine }))),
    found.count > found.legal.length ? h("li", { class: "soft" }, `and ${number(found.count - found.legal.length)} more`) : null);
  typing.hidden = !mine;
  const here = query.text({ game: state.game, start: state.start, deal: state.deal, moves: state.moves.slice(0, at) }, { start: "", deal: 0, moves: [] });
  for (const each of [open, end.querySelector("a")]) each.href = link("analyse", here);
  sitting.show(told());
  players.show(told());
}

/** The seat of the only person, or -1. */
function viewer() {
  const people = found.teams.map((_, seat) => seat).filter(human);
  return people.length === 1 ? people[0] : -1;
}

/** Shows what a strong search would play. */
async function helped() {
  const mine = (thinking = new AbortController());
  hint.setAttribute("aria-busy", "true");
  try {
    const answer = await thought({ ...course(), ...asked(game()?.levels ? "strong" : best()), seed: state.ply }, { signal: mine.signal });
    if (mine.signal.aborted || !answer?.move) return;
    const way = found.ways?.map((each) => (typeof each === "string" ? [each, [each]] : each)).find(([move]) => move === answer.move);
    hints = way ? way[1] : [];
    picked = [];
    draw();
    reply = `Hint: ${answer.move}`;
    said();
    announce(reply);
    if (!hints.length) others.append(button(answer.move, () => play(answer.move)));
    others.hidden = !others.childElementCount;
  } catch (wrong) {
    if (!mine.signal.aborted) fill(trouble, notice(wrong));
  } finally {
    hint.removeAttribute("aria-busy");
  }
}

/** A piece that has to go on moving, as one that jumps again, is picked already. */
function goesOn(cells) {
  return found.teams.length > 1 && movers[state.ply - 1] === found.turn && cells.length === 1 && cells[0] === found.last.at(-1) ? cells : [];
}

function putDown() {
  picked = [];
  (found.ways ? draw : refresh)();
}

/** Another cell is clicked; if the page knows all moves, it does not ask the server. */
function pointed(cell) {
  if (!current()) return;
  picked = found.ways ? repicked(found.ways, picked, cell) : [...picked, cell];
  const { move } = found.ways ? following(found.ways, picked) : {};
  if (move) return play(move);
  (found.ways ? draw : refresh)();
  if (found.ways && hinted && picked.length) refresh();
}

/** A move as text for the list; hidden cards that were dealt are left out. */
function toldOf(move, ply) {
  const luck = movers[ply] === -1, unseen = found.unseen?.includes(ply) || (hides() && ply >= state.ply);
  return unseen ? (luck ? "dealt" : "hidden") : luck ? shortly(move) : move;
}

/** True if something is hidden from the person at the page. */
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
    const answer = await thought({ ...course(), ...asked(by), seed: state.deal + state.ply }, { signal: mine.signal, onnote });
    if (mine.signal.aborted) return;
    if (!answer) throw new Error(`${by} found no move in ${state.seconds} s; give it more seconds.`);
    if (answer.extra?.resigns) { change({ resigned: found.turn }); return; }
    reply = hides() ? `${by} has moved` : `${by} played ${answer.move} (value ${answer.bound} ${number(answer.value)})`;
    announce(reply);
    play(answer.move, false); // so that going back in the browser leads to the last decision
  } catch (wrong) {
    if (mine.signal.aborted) return;
    paused = true;
    draw();
    fill(trouble, notice(wrong));
  }
}

// ---- beginning ---------------------------------------------------------------------------------

function load() {
  state = query.read(USUAL);
  if (state.ply < 0 || state.ply > state.moves.length) state.ply = state.moves.length;
  picked = [];
  movers = [];
}

const welcome = !PUBLISHED && !location.search;
if (!location.search && unfinished.kept()) history.replaceState(null, "", unfinished.kept());
load();
layout(app({ later: true }));
query.onback(() => { thinking?.abort(); load(); refresh(); });
refresh().then(() => { if (welcome && !state.moves.length) fresh.click(); });
