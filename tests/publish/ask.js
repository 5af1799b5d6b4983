// Appended to the scripts of a published game: reads {about, code, questions}, answers each question by a line of JSON.
const { about, code, questions } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const loaded = code ? new WebAssembly.Module($kernel.decoded(code)) : null;

function notationOf(board, rules) {
  return new (board.vocabulary ? $spelled.Spelled : $notation.Notation)(board, rules);
}

function searched({ search, record, limit, seed }) {
  const rules = new $rules.Rules(loaded, about);
  const turn = rules.turn(record);
  const notation = notationOf(about.board, rules);
  const began = process.cpuUsage();
  let last = null;
  for (last of $search.searched(loaded, about, search, { record, turn }, limit, BigInt(seed))) { /* the last one counts */ }
  const { user, system } = process.cpuUsage(began);
  let at = record;
  const line = last.line.map((each) => {
    const text = notation.text(each, rules.turn(at), at);
    at = rules.play(at, each);
    return text;
  });
  return { value: last.value, bound: last.bound, line, nodes: last.nodes, extra: last.extra, seconds: (user + system) / 1e6 };
}

function ruled({ record }) {
  const rules = new $rules.Rules(loaded, about);
  const turn = rules.turn(record);
  const moves = turn === $constants.STATE.TERMINAL ? [] : rules.moves(record);
  return { turn, moves, rolled: rolled(rules, record, turn), payoff: turn === $constants.STATE.TERMINAL ? rules.payoff(record) : null, after: moves.map((each) => Buffer.from(rules.play(record, each)).toString("base64")) };
}

/** What chance decides by the seeds from 0 on. */
function rolled(rules, record, turn) {
  return turn === $constants.STATE.CHANCE ? Array.from({ length: 50 }, (_, seed) => rules.roll(record, BigInt(seed))) : [];
}

function wrote({ board, record, codes, turn }) {
  const notation = notationOf(board, loaded && new $rules.Rules(loaded, about));
  const texts = codes.map((each) => notation.text(each, turn, record));
  const read = loaded ? texts.map((each) => notation.code(each.toUpperCase(), turn, record)) : codes;
  return { svg: notation.svg(record), scores: notation.scores(record), texts, read, clicks: codes.map((each) => notation.clicks(each, turn, record)) };
}

function pointed({ record, chosen }) {
  const rules = new $rules.Rules(loaded, about);
  const notation = notationOf(about.board, rules);
  const turn = rules.turn(record);
  const { cells, complete } = notation.point(rules.moves(record), turn, record, chosen);
  return { cells, complete: complete.map((each) => notation.text(each, turn, record)) };
}

/** A kernel by itself, with the arrays and numbers that it is given; and what is in the arrays `shown`. */
function called({ kernel, memory, given, shown = [] }) {
  const machine = new $kernel.Machine(loaded, about);
  const held = machine.arrays(memory);
  const began = process.cpuUsage();
  const value = machine.call(kernel, ...given.map((each) => (typeof each === "string" ? held[each] : each)));
  const { user, system } = process.cpuUsage(began);
  const numbers = (array) => Array.from({ length: array.bytes / array.size }, (_, i) => array.get(i));
  return { value, shown: shown.map((name) => numbers(held[name])), seconds: (user + system) / 1e6 };
}

/** What is said where so many bytes are not to be had. */
function short({ bytes }) {
  try {
    return { at: new $kernel.Machine(loaded, about).space(bytes) };
  } catch (wrong) {
    return { wrong: wrong.message };
  }
}

/** The depths of the iterations of each player, up to so many of them. */
function scheduled({ limit, count }) {
  const found = Object.values(about.players).map(({ settings }) => settings);
  return found.map(({ schedule, horizon }) => {
    const all = $alphabeta.depths(schedule, horizon, limit), first = [];
    for (let next = all.next(); !next.done && first.length < count; next = all.next()) first.push(next.value);
    return first;
  });
}

const ANSWERS = { scheduled, short, searched, ruled, wrote, pointed, called };
for (const { ask, record, ...more } of questions) {
  console.log(JSON.stringify(ANSWERS[ask]({ ...more, record: record && $kernel.decoded(record) })));
}
