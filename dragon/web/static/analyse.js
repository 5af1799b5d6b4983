// Analyse: a position, a search, and what it finds as it goes on.
import { h, app, shown, fill, refill, get, stream, query, link, field, select, button, notice, sharing, number, table, announce, latest } from "./dragon.js";
import { board } from "./board.js";
import { chooser } from "./chooser.js";
import { pictures } from "./pictures.js";
import { steering } from "./steering.js";
import { icon, moveList, strips, tool } from "./rail.js";
import { takings } from "./taken.js";
import { chart } from "./chart.js";
import { course } from "./course.js";
import { offering } from "./offers.js";
import { standing } from "./turning.js";
import { plies, scored, shortly } from "./words.js";

const PUBLISHED = document.body.dataset.game; // a page of one game, which says in its address that this is meant
const USUAL = { page: "", game: PUBLISHED || "tictactoe", start: "", deal: 0, moves: [], search: "", seconds: 10, each: false };
const SIGN = { "=": "", "~": "≈ ", ">=": "≥ ", "<=": "≤ " };
let waiting = "";
let state, games = [], searches = [], found = null, picked = [], running = null, results = [], trouble = null;
let trail = [], movers = []; // the moves that were shown, those too that were taken back, and whose they are
const only = latest();

const view = board();
const status = h("p", { class: "status unseen", "aria-live": "polite" });
const players = strips(), takes = takings(), title = h("h2", {}, "Analyse");
const wrong = h("div");
const run = button("Analyse", () => (running ? stop() : start()), { class: "main" });
const go = (ply) => { if (ply >= 0 && ply <= trail.length && ply !== state.moves.length) change({ moves: trail.slice(0, ply) }); };
const replay = {
  first: tool("first", "First position", "First", () => go(0), { class: "wide" }),
  back: tool("back", "One move back", "Back", () => go(state.moves.length - 1)),
  next: tool("next", "One move on", "Forward", () => go(state.moves.length + 1)),
  last: tool("last", "Last position", "Last", () => go(trail.length), { class: "wide" }),
};
const turning = tool("turn", "Turn the board", "Turn", () => view.turn());
const best = tool("hint", "Play the best move", "Best", () => results.length && change({ moves: [...state.moves, results.at(-1).move] }));
const others = h("div", { class: "saying row" });
const choosing = chooser((game) => change({ game, start: "", moves: [], search: "" }));
const setup = h("div", { class: "stack" });
const verdict = h("p", { class: "verdict" });
const offers = offering({ stop, use: (search) => { change({ search }, false); start(); },
  begun: (mine) => { running = mine; waiting = mine ? "The table is being made …" : ""; label(); outcome(); },
  made: async (game, search) => {
    searches = (await get("games/searches", { game })).searches;
    if (state.game === game) { change({ search }, false); start(); }
  }, failed: (error) => fill(wrong, notice(error)) });
const value = h("output", { class: "worth" });
const facts = h("dl", { class: "facts" });
const line = h("div", { class: "line chips" });
const curve = h("figure", { class: "curve" });
const worths = h("div", { class: "worths" });
const known = h("div", { class: "stack", hidden: true }, h("div", {}, h("h3", {}, "Best play"), line), worths, curve, facts); // nothing, until something is known
const whole = course(() => ({ game: state.game, start: state.start, deal: state.deal, moves: state.moves, search: state.search, seconds: state.seconds }));
const played = moveList(go);
const playing = h("a", { class: "button tool", href: "/play", title: "Play from here" }, icon("board"), h("span", { class: "word", "aria-hidden": "true" }, "Play"), h("span", { class: "unseen" }, "Play from here"));

function layout(place) {
  place.append(h("div", { class: "game" }, h("section", { class: "felt", "aria-label": "The board" }, view.place), players.far,
    h("div", { class: "rail" },
      h("div", { class: "row head" }, title, sharing(undefined, icon("link"))),
      h("section", { class: "result stack", "aria-label": "Result" }, h("div", { class: "row" }, verdict, value), offers.place, known), others, wrong,
      played.place, whole.place,
      h("details", { class: "more" }, h("summary", {}, "Size, search and position"), h("div", { class: "stack setup" }, choosing.choice, choosing.sizes, setup,
        pictures(() => ({ game: state.game, start: state.start, deal: state.deal, moves: state.moves }))))),
    h("div", { class: "tools", role: "group", "aria-label": "Replay and analysis" }, Object.values(replay), best, turning, playing, run), players.near, status));
  steering({ drop: () => { if (picked.length) { picked = []; refresh(); } }, turnTo: (to) => go(to(state.moves.length, trail.length)), keys: { t: turning } });
}

function settings() {
  const able = searches.filter((each) => !each.objection).map((each) => each.name);
  const listed = [...able, ...(state.search && !able.includes(state.search) ? [state.search] : [])];
  const own = h("input", { class: "mono", value: state.search, spellcheck: "false", autocomplete: "off" });
  own.addEventListener("change", () => change({ search: own.value.trim() }, false));
  const seconds = h("input", { type: "number", min: "0.1", max: "60", step: "any", value: state.seconds });
  seconds.addEventListener("change", () => change({ seconds: Math.min(60, Math.max(0.1, Number(seconds.value) || 10)) }, false));
  const each = h("input", { type: "checkbox", checked: state.each });
  each.addEventListener("change", () => change({ each: each.checked }, false));
  const position = h("textarea", { class: "mono", rows: "2", spellcheck: "false" });
  position.value = found?.position || state.start;
  position.addEventListener("change", () => change({ start: position.value.trim(), moves: [] }));
  choosing.show(games, state.game);
  refill(setup,
    h("div", { class: "fields" },
      field("Search", select(listed, state.search, (name) => change({ search: name }, false))),
      field("With settings", own, "As alphabeta(depth=8)"),
      field("Seconds", seconds)),
    h("label", { class: "check" }, each, "Search every move by itself"),
    PUBLISHED ? null : field("Position, in the game's notation", position));
}

function change(given, moved = true) {
  const again = running !== null;
  stop();
  whole.stop();
  Object.assign(state, given);
  picked = [];
  results = [];
  query.write(state, USUAL, moved);
  refresh(again);
}

async function refresh(again = false) {
  try {
    const next = await only(async (signal) => {
      if (!games.length) games = (await get("games", {}, { signal })).games; // first: another may be chosen where this one is wrong
      const first = await get("play/position", { game: state.game, start: state.start, deal: state.deal, moves: state.moves, picked }, { signal });
      if (!found || first.game !== found.game) searches = (await get("games/searches", { game: state.game }, { signal })).searches;
      return first;
    });
    if (next === undefined) return;
    if (next.pick.move) { change({ moves: [...state.moves, next.pick.move] }); return; }
    if (picked.length && !next.pick.cells.length && !next.pick.others.length) { picked = []; refresh(again); return; }
    fill(wrong);
    trouble = null;
    const { moves } = state, goesOn = found?.game === next.game && moves.every((move, i) => move === trail[i]);
    if (!goesOn) [trail, movers] = [moves, []];
    movers = [...next.movers, ...(next.turn > -2 ? [next.turn] : []), ...movers.slice(moves.length + 1)];
    found = next;
    if (!state.search) {
      const able = searches.filter((each) => !each.objection);
      state.search = (able.find((each) => each.proves && !each.limits.length) || able.find((each) => each.name === "alphabeta") || able.find((each) => each.name === "determinize") || able[0])?.name || "";
    }
    settings();
    draw();
    shown();
    if (again && found.turn !== -2) start();
  } catch (error) {
    view.place.classList.add("stale"); // what is shown is not what was asked for
    results = [];
    outcome();
    shown();
    fill(wrong, notice(error), error.status === 0 || error.status >= 429 ? button("Try again", () => refresh(again)) : error.field === "moves" || error.field === "start" || state.moves.length ? button("From the start", () => change({ moves: [], start: "" })) : null);
    settings();
  }
}

function stop() {
  running?.abort();
  running = null;
  label();
}

function label() {
  run.textContent = running ? "Stop" : "Analyse";
  run.setAttribute("aria-pressed", String(Boolean(running)));
  run.disabled = !found || found.turn === -2;
}

async function start() {
  const mine = (running = new AbortController());
  results = [];
  trouble = null;
  waiting = "Searching …";
  label();
  outcome();
  try {
    const asking = { game: state.game, start: state.start, deal: state.deal, moves: state.moves, search: state.search, seconds: state.seconds, each: state.each };
    const onnote = (text) => { verdict.textContent = waiting = text; };
    for await (const each of stream("analyse/run", asking, { signal: mine.signal, onnote })) {
      if (mine.signal.aborted) return;
      results.push(each);
      whole.note(asking, found, each.value);
      draw();
    }
  } catch (error) {
    if (mine.signal.aborted) return;
    trouble = error;
    fill(wrong, notice(error));
  }
  if (running === mine) {
    running = null;
    draw();
    const last = results.at(-1);
    if (last) announce(`Done: value ${last.bound} ${number(last.value)}, ${last.line.slice(0, 4).join(" ")}`);
  }
}

// ---- what is seen ------------------------------------------------------------------------------

function draw() {
  const last = results.at(-1);
  const cells = view.show(found, { can: found.pick.cells, chosen: picked, values: written(last), steps: standing(found.svg), onpick: (cell) => {
    picked = [...picked, cell];
    const again = running !== null;
    refresh(again);
  } });
  fill(others,
    found.turn === -1 ? button("Let luck decide", luck) : null,
    (cells ? found.pick.others : found.legal.slice(0, 24)).map((move) => button(move, () => change({ moves: [...state.moves, move] }))),
    picked.length ? button("Take back", () => { picked = []; refresh(); }, { class: "quiet" }) : null);
  others.hidden = !others.childElementCount;
  const whose = found.turn >= 0 ? `${found.seats[found.turn]} to move` : found.turn === -2 ? "The game is over" : "Luck decides";
  status.textContent = running && !last ? "Searching …" : running ? `${whose}; searching …` : found.pick.hint && picked.length ? `${whose}: ${found.pick.hint}` : whose;
  label();
  replay.first.disabled = replay.back.disabled = !state.moves.length;
  replay.next.disabled = replay.last.disabled = trail.length === state.moves.length;
  turning.hidden = found.teams.length === 1 || !cells;
  outcome();
  played.show({ moves: trail, movers, ply: state.moves.length, pairs: found.teams.length === 2, told: (move, ply) => (movers[ply] === -1 ? shortly(move) : move) });
  title.textContent = found.title;
  const does = (seat) => (found.turn === seat ? (running ? "searching …" : found.pick.hint && picked.length ? found.pick.hint : "to move") : found.payoff && found.teams.length > 1 ? (found.payoff[seat] > 0 ? "won" : found.payoff[seat] < 0 ? "lost" : "draw") : "");
  const seated = (taken) => players.show({ seats: found.seats, near: 0, turn: found.turn, name: (seat) => (found.teams.length === 1 ? "Player" : found.seats[seat]), words: does, score: (seat) => scored(found, seat), taken: (seat) => taken[seat] });
  seated([]);
  const mine = found;
  if (state.moves.length) takes(found, JSON.stringify([state.game, state.start, state.deal]), () => get("play/position", { game: state.game, start: state.start, deal: state.deal, moves: [], listed: false }))
    .then((taken) => { if (taken && mine === found) seated(taken); });
  whole.show();
  playing.href = link("play", query.text({ game: state.game, start: state.start, deal: state.deal, moves: state.moves }, { start: "", deal: 0, moves: [] }));
}

/** All that depends on what has been found: with nothing found it says what to do. */
function outcome() {
  const last = results.at(-1);
  known.hidden = !last;
  const undecided = last && last.bound === "~" && last.value === 0;
  best.disabled = !last?.move;
  value.textContent = last && !undecided ? `${SIGN[last.bound]}${number(last.value)}` : ""; // the sentence says so
  value.className = `worth ${last ? (last.value > 0 ? "good" : last.value < 0 ? "bad" : "") : ""}`;
  verdict.textContent = last ? worded(last) : running ? waiting : !found ? "" : found.turn === -2 ? "There is nothing to search: the game is over."
    : `Press Analyse, and ${state.search.split("(")[0] || "a search"} looks at this position for ${number(state.seconds)} s. Point at the board to try a move first.`;
  offers.show({ found, state, searches, sure: last?.bound === "=" });
  describe(last);
  fill(line, (last?.line || []).slice(0, 24).map((move, i) => button(move, () => change({ moves: [...state.moves, ...last.line.slice(0, i + 1)] }))));
  curves();
  moveTable(last);
}

/** A result as a sentence. */
function worded({ value: worth, bound, extra }) {
  const mover = found.turn >= 0 ? found.seats[found.turn] : found.seats[0];
  const team = found.teams[Math.max(0, found.turn)];
  const rivals = found.seats.filter((_, seat) => found.teams[seat] !== team);
  const whose = worth > 0 || !rivals.length ? mover : rivals.join(" and ");
  const wins = whose === mover || rivals.length === 1 ? "wins" : "win";
  const ahead = extra.depth !== undefined ? ` after looking ${plies(extra.depth)} ahead` : "";
  if (!found.traits.includes("duel") || found.traits.includes("chance")) return bound === "=" ? `Worth ${number(worth)} to ${mover}: proven.` : `About ${number(worth)} for ${mover}${ahead}.`;
  if (bound === "=" && worth === 0) return "A draw with best play: proven.";
  if (bound === "=") return `${whose} ${wins}${extra.distance ? ` in ${plies(extra.distance)}` : extra.distance_at_most ? ` in at most ${plies(extra.distance_at_most)}` : ""} with best play: proven.`;
  return worth === 0 ? `Not decided${ahead}: neither side is ahead so far.` : `Not decided${ahead}: ${whose} ${wins === "wins" ? "is" : "are"} ahead by this estimate.`;
}

async function luck() {
  try {
    const { move } = await get("play/chance", { game: state.game, start: state.start, deal: state.deal, moves: state.moves });
    change({ moves: [...state.moves, move] });
  } catch (error) {
    fill(wrong, notice(error));
  }
}

function describe(last) {
  if (!last) return void fill(facts);
  const rows = [
    ["What it is", { "=": "proven", "~": `estimate${last.extra.error ? ` ± ${number(last.extra.error, 2)}` : ""}`, ">=": "at least", "<=": "at most" }[last.bound]],
    ["Nodes", number(last.nodes)],
    ["Seconds", number(last.seconds, 3)],
    ["Nodes a second", last.seconds > 0 ? number(Math.round(last.nodes / last.seconds)) : ""],
    ["Depth", last.bound === "=" && last.extra.depth !== undefined ? "to the end" : last.extra.depth !== undefined ? number(last.extra.depth) : last.extra.simulations !== undefined ? `${number(last.extra.simulations)} simulations` : last.value && last.extra.distance ? `${plies(last.extra.distance)} to the end` : ""],
  ];
  fill(facts, rows.filter(([, text]) => text).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));
}

function curves() {
  if (results.length < 2) return void fill(curve);
  const points = results.map((each) => [Math.max(each.seconds, 1e-5), each.value]);
  const most = Math.max(1, ...points.map((p) => Math.abs(p[1])));
  fill(curve, chart({ series: [{ name: "value", points }], x: { label: "seconds", log: true }, y: { range: [-most, most] }, height: 180, step: true, title: "The value over time" }));
}

function moveTable(last) {
  const listed = last?.values || [];
  if (!listed.length) {
    fill(worths, last ? h("p", { class: "soft" }, "This search tells of the best move only; let it search every move by itself.") : null);
    return;
  }
  const distance = listed.some((each) => each.distance !== undefined);
  const visits = listed.some((each) => each.visits !== undefined || each.simulations !== undefined);
  const head = ["move", { text: "value", right: true }, ...(distance ? [{ text: "plies", right: true }] : []), ...(visits ? [{ text: "visits", right: true }] : [])];
  fill(worths, table(head, listed.slice(0, 60).map((each) => [
    button(each.move, () => change({ moves: [...state.moves, each.move] }), { class: "quiet" }),
    `${SIGN[each.bound]}${number(each.value, 3)}`,
    ...(distance ? [each.value && each.distance !== undefined ? each.distance : "–"] : []), // a draw has no end that is counted
    ...(visits ? [each.visits ?? each.simulations] : [])]), { caption: "What each move is worth" }),
    listed.length > 60 ? h("p", { class: "soft" }, `and ${number(listed.length - 60)} more`) : null);
}

/** For each cell that may be pointed at now the best value of a move that goes on there. */
function written(last) {
  const best = {};
  const at = picked.length;
  for (const each of last?.values || []) {
    for (const way of each.ways) {
      if (way.length <= at || picked.some((cell, i) => way[i] !== cell)) continue;
      const cell = way[at];
      if (best[cell] === undefined || each.value > best[cell].value) best[cell] = each;
    }
  }
  const all = Object.values(best).map((each) => each.value);
  const least = Math.min(...all), most = Math.max(...all);
  return Object.fromEntries(Object.entries(best).map(([cell, each]) => [cell, {
    text: short(each), weight: most > least ? (each.value - least) / (most - least) : 1 }]));
}

function short(each) {
  if (each.bound === "=" && (each.distance !== undefined || !each.value)) return each.value > 0 ? `+${each.distance}` : each.value < 0 ? `−${each.distance}` : "0";
  if (each.bound === "=" && Math.abs(each.value) === 1 && found.traits.includes("duel")) return each.value > 0 ? "wins" : "loses";
  const rounded = Number(each.value.toFixed(2));
  return (rounded > 0 ? "+" : "") + number(rounded, 3);
}

function load() {
  state = query.read(USUAL);
  picked = [];
  results = [];
}

load();
layout(app({ later: true }));
label();
outcome();
query.onback(() => { stop(); load(); refresh(); });
refresh();
