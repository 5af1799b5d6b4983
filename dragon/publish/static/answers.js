// The answers that pages of `dragon serve` ask of a server, given here: the game is in the page, searches are in a worker.
// `$published` and `$engine` are made by dragon/publish/page.py.
import { Refused } from "./dragon.js";
import { PAGE, STATE } from "./constants.js";
import { Rules } from "./rules.js";
import { begun, first } from "./thread.js";

const { LEAST, LISTED, SHARES, WAYS } = PAGE, { CHANCE, TERMINAL } = STATE;
const { about, code, Notation } = $published;
const notation = new Notation(about.board);
const dealt = about.firsts.length > 1 || about.traits.includes("chance"); // whether each new game should have a seed of its own
const compiled = WebAssembly.compile(code); // once, for the page and its workers
const rules = compiled.then((module) => (notation.game = new Rules(module, about)));

function refused(message, field = "") {
  return new Refused(422, { message, field });
}

/** The records of a game from the first on, and the seat to move in each; raises Refused for an illegal move. */
async function course({ moves = [], deal = 0 }) {
  const game = await rules;
  if (!(deal >= 0) || deal % 1) throw refused("deal: write a whole number");
  const records = [game.firsts[deal % game.firsts.length]], turns = [game.turn(records[0])], codes = [];
  for (const [i, text] of moves.entries()) {
    const found = turns[i] === TERMINAL ? undefined : notation.code(text, turns[i], records[i]);
    if (found === undefined) throw refused(`move ${i + 1}: ${text} is not a legal move here`, "moves");
    codes.push(found);
    records.push(game.play(records[i], found));
    turns.push(game.turn(records[i + 1]));
  }
  return { game, codes, turns, records, record: records.at(-1), turn: turns.at(-1) };
}

/** A line of moves from a record as texts. */
function texts(game, record, line) {
  let at = record;
  return line.map((each) => {
    const text = notation.text(each, game.turn(at), at);
    at = game.play(at, each);
    return text;
  });
}

/** The cells that may be clicked after those that are `picked`: `next_clicks` of dragon/boards/clicks.py. */
function nextClicks(codes, turn, record, picked) {
  const { cells, complete } = codes.length ? notation.point(codes, turn, record, picked) : { cells: [], complete: [] };
  const others = complete.map((each) => notation.text(each, turn, record));
  if (picked.length && !cells.length && others.length === 1) return { cells, move: others[0], hint: "", others: [] };
  const hint = !picked.length ? "" : cells.length ? "the next cell" : others.length ? "which move" : "";
  return { cells, move: null, hint, others };
}

async function position({ picked = [], ...asked }) {
  const { game, codes, turns, records, record, turn } = await course(asked);
  const legal = turn < 0 ? [] : game.moves(record);
  const svg = notation.svg(record), payoff = turn === TERMINAL ? game.payoff(record) : null;
  return {
    game: about.game, name: about.name, title: about.title, teams: about.teams, seats: about.seats, traits: about.traits, dealt, turn,
    score: notation.scores(record), payoff, failed: payoff?.length === 1 && payoff[0] === -about.largest * (about.unit || 1), movers: turns.slice(0, -1),
    last: codes.length ? notation.clicks(codes.at(-1), turns.at(-2), records.at(-2))[0] : [],
    legal: legal.slice(0, LISTED).map((each) => notation.text(each, turn, record)), count: legal.length, pick: nextClicks(legal, turn, record, picked),
    ways: turn < 0 || legal.length > WAYS ? null : legal.map((each) => [notation.text(each, turn, record), ...notation.clicks(each, turn, record)]),
    svg, text: [...svg.matchAll(/aria-label="([^"]+)"/g)].map(([, said]) => said).join(", "),
  };
}

/** A move of chance; equal for equal deals and numbers of moves. */
async function chance({ deal = 0, moves = [] }) {
  const { game, record } = await course({ deal, moves });
  return { move: notation.text(game.roll(record, BigInt(deal) * 2n ** 32n + BigInt(moves.length)), CHANCE, record) };
}

/** A game as text, in the format of dragon/transcript.py. */
function write({ deal, moves, players, result }) {
  const first = deal % about.firsts.length; // of which a seed as large as any makes another
  const head = [`game: ${about.game}`, ...(first ? [`deal: ${first}`] : []), ...players.map((name, i) => `seat ${i + 1}: ${name}`), ...(result ? [`result: ${result}`] : [])];
  return { name: `${about.name}.txt`, text: `${[...head, "moves:", ...moves].join("\n")}\n` };
}

async function read({ text }) {
  const lines = text.trim().split(/\r?\n/).map((line) => line.trim()), at = lines.findIndex((line) => /^moves:/i.test(line));
  const value = (key) => lines.find((line) => line.toLowerCase().startsWith(`${key}:`))?.slice(key.length + 1).trim();
  if (value("game") !== about.game) throw refused(`this is not a transcript of ${about.game}; begin with \`game: ${about.game}\``);
  if (value("start")) throw refused("this game begins elsewhere, which this page cannot show");
  const deal = Number(value("deal") ?? 0), last = about.firsts.length - 1;
  if (last && deal > last) throw refused(`deal: this page has 0 to ${last}`);
  const moves = at < 0 ? [] : lines.slice(at + 1).filter(Boolean);
  await course({ deal, moves });
  return { game: about.game, start: "", deal, moves, number: 1, count: 1, players: [] };
}

const ANSWERS = {
  "play/position": position,
  "play/picture": async (asked) => ({ name: `${about.name}-${asked.moves.length}`, svg: notation.svg((await course(asked)).record) }),
  "play/chance": chance,
  "play/write": write,
  "play/read": read,
  games: () => ({ games: [{ ...about, parameters: [], ranges: {}, choices: {}, seats: about.teams.length }] }),
  "games/searches": () => ({ searches: Object.keys(about.players).map((name) => ({ name, objection: null, proves: false, limits: [], offer: null })) }),
};

/** Stands for `get` of dragon.js. */
export async function get(path, parameters = {}) {
  return ANSWERS[path](parameters);
}

/** Stands for `post` of dragon.js. */
export const post = get;

/** Stands for `link` of dragon.js: both pages are this one. */
export function link(page, text) {
  return page === "play" ? text : `?page=${page}&${text.slice(1)}`;
}

let worker = null;

/** The free worker: the first, or a new one after one was stopped. */
function ready() {
  worker ??= sent(begun());
  return worker;
}

/** Sends the publication to a worker. */
function sent(made) {
  compiled.then((module) => made.postMessage({ module, about }));
  return made;
}

worker = sent(first);

/** The results of a search of a record; an aborted search ends with its worker. */
async function* searched(record, turn, search, limit, seed, signal) {
  if (!(search in about.players)) throw refused(`${search} is not on this page; it has ${Object.keys(about.players).join(", ")}`);
  const mine = ready();
  const waiting = [];
  let wake = null;
  const heard = (message) => { waiting.push(message); wake?.(); };
  const stop = () => { mine.terminate(); if (worker === mine) worker = null; heard({ over: true }); };
  if (signal?.aborted) return;
  mine.onmessage = ({ data }) => heard(data);
  mine.onerror = (event) => heard({ wrong: event.message });
  signal?.addEventListener("abort", stop);
  mine.postMessage({ search, at: { record, turn }, limit, seed });
  try {
    for (;;) {
      if (!waiting.length) await new Promise((done) => { wake = done; });
      const { found, wrong } = waiting.shift();
      if (wrong) throw new Error(wrong);
      if (!found) return;
      yield found;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Stands for `stream` of dragon.js: the results of a search, with the values of moves. */
export async function* stream(path, { search, seconds, each = false, ...asked }, { signal } = {}) {
  const { game, record, turn, codes } = await course(asked);
  const seed = BigInt(codes.length) * 2n ** 32n + BigInt(crypto.getRandomValues(new Uint32Array(1))[0]);
  const began = performance.now();
  const look = (at, whose, time) => searched(at, whose, search, { seconds: time, ...(about.nodes === null ? {} : { nodes: about.nodes }) }, seed, signal);
  const steps = each && turn !== CHANCE ? byMove(game, record, turn, seconds, look) : look(record, turn, seconds);
  for await (const found of steps) {
    const line = texts(game, record, found.line);
    const values = (found.moves ?? []).map(({ code, ...worth }) => ({
      bound: "~", ...worth, move: notation.text(code, turn, record), ways: notation.clicks(code, turn, record) }));
    yield { ...found, line, move: line[0], search, values, seconds: (performance.now() - began) / 1000 };
  }
}

/** Every move searched by itself, in rounds that take longer and longer: `each` of dragon/web/analyse.py. */
async function* byMove(game, record, turn, seconds, look) {
  const until = performance.now() + 1000 * seconds;
  const found = new Map();
  const codes = game.moves(record);
  for (const share of SHARES) {
    for (const code of codes) {
      if (found.get(code)?.bound === "=") continue;
      const left = (until - performance.now()) / 1000;
      if (left <= 0 && found.size) return;
      found.set(code, { ...found.get(code), ...(await after(game, record, turn, code, Math.max(LEAST, Math.min(share, left)), look)) });
      yield together(found, codes.length);
    }
    if ([...found.values()].every((one) => one.bound === "=")) return;
  }
}

/** The value of a move for the seat that makes it. */
async function after(game, record, turn, code, seconds, look) {
  const next = game.play(record, code);
  const whose = game.turn(next);
  if (whose === TERMINAL) return { code, value: game.payoff(next)[turn], bound: "=", line: [code], nodes: 1 };
  let last = null;
  for await (last of look(next, whose, seconds)) { /* the last one counts */ }
  if (!last) return {};
  const sign = about.teams[Math.max(whose, 0)] === about.teams[turn] ? 1 : -1; // of chance, as the first seat sees it
  const { depth } = last.extra;
  return { code, value: sign * last.value + 0, bound: last.bound, line: [code, ...last.line], nodes: last.nodes, ...(depth === undefined ? {} : { depth }) };
}

/** The results of moves as one. */
function together(found, count) {
  const all = [...found.values()].filter((one) => one.line).sort((a, b) => b.value - a.value);
  const [best] = all;
  const exact = all.length === count && all.every((one) => one.bound === "=");
  return {
    value: best?.value ?? 0, bound: exact ? "=" : "~", line: best?.line ?? [], nodes: all.reduce((sum, one) => sum + one.nodes, 0),
    extra: { "moves searched": all.length, ...(best?.depth === undefined ? {} : { depth: best.depth }) },
    moves: all.map(({ line, nodes, ...one }) => one),
  };
}
