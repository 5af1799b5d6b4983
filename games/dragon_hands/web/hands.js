// Hands: a deck file with its conditions, and how often it opens with what it needs. The settings are
// in the query of the address, the deck in its fragment, which never leaves the browser by itself.
import { app, h, fill, get, post, stream, query, field, select, button, notice, latest, debounce, sharing, announce, download } from "/static/dragon.js";
import { packed } from "/static/packed.js";
import { clause, exports, linked, withCard, withCondition, withCopies } from "./deck.js";
import * as results from "./results.js";

const USUAL = { hand: 5, sharing: "distinct", free: "optimal", seed: 0, only: "all", exact: false, turns: false, mulligan: "none", mulligans: "", keep: "", given: "", prizes: 0, turn: 0, on_the_play: false, in_hand: "", seen: "", bottom: "" };
const WAY = ["mulligan", "mulligans", "keep", "given", "prizes", "turn", "on_the_play", "in_hand", "seen", "bottom"];
const state = query.read(USUAL);
const onlyOdds = latest(), onlyChanges = latest(), onlyCharts = latest(), onlyHands = latest(), onlyTurns = latest();
let deck = null, example = "", arrived = true; // whether the text came as a whole, and was not typed
let made = { list: null, file: null }; // the deck list that was given last, and what was made of it

// ---- the parts of the page ---------------------------------------------------------------------

const text = h("textarea", { class: "mono code", rows: 16, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off" });
const mistakes = h("div", { class: "mistakes", "aria-live": "polite" });
const noted = h("div", { class: "noted", "aria-live": "polite" });
const hand = h("input", { type: "number", min: 1, max: 60, value: state.hand, inputmode: "numeric" });
const sharingOf = select([["distinct", "One clause"], ["count", "Every clause"]], state.sharing, (value) => change({ sharing: value }));
const free = select([["optimal", "Played best"], ["greedy", "Played at once"], ["never", "Not played"], ["clairvoyant", "Order known"]], state.free, (value) => change({ free: value }));
const mulligan = select([["none", "No mulligan"], ["london", "London (Magic)"], ["redraw", "Redraw (Pokémon)"], ["replace", "Replace (Hearthstone)"]], state.mulligan, (value) => {
  hand.value = state.hand = { none: 5, replace: 3 }[value] ?? 7;
  change({ mulligan: value });
});
const way = Object.fromEntries([["mulligans", "Until kept"], ["keep", "What is best"], ["given", "Starter"], ["in_hand", "2 Alpha AND Beta"], ["seen", "Beta"], ["bottom", "Gamma"]].map(([name, placeholder]) =>
  [name, h("input", { value: state[name], placeholder, autocomplete: "off", spellcheck: "false", ...(name === "mulligans" ? { type: "number", min: 0, max: 59 } : { list: "words", maxlength: 2000 }), oninput: later(name, (control) => control.value.trim()) })]));
for (const name of ["prizes", "turn"]) way[name] = h("input", { type: "number", min: 0, max: 60, value: state[name], oninput: later(name, (control) => Math.max(0, Math.round(Number(control.value)) || 0)) });
const play = h("input", { type: "checkbox", checked: state.on_the_play, onchange: (event) => change({ on_the_play: event.target.checked }) });
const from = h("details", { open: WAY.some((name) => state[name] !== USUAL[name]) }, h("summary", {}, "Mulligan, turn, and what is known"),
  h("div", { class: "fields three" }, field("Mulligan", mulligan), field("Most mulligans", way.mulligans), field("Keep", way.keep, "A condition on the hand"),
    field("Given", way.given, "The odds among kept hands of this kind"), field("Turn", way.turn, "Its draw is the last; 0: the opening hand"), field("Prizes", way.prizes, "Set aside at random"),
    field("Known in hand", way.in_hand), field("Seen elsewhere", way.seen), field("At the bottom", way.bottom)),
  h("label", { class: "check" }, play, "On the play: no card is drawn on turn 1"));
const turned = h("div", { class: "turned stack" });
const odds = h("div", { class: "odds stack", "aria-live": "polite" });
const progress = h("progress", { max: 1, value: 0, "aria-label": "Working out the exact odds", hidden: true });
const working = h("progress", { max: 1, value: 0, "aria-label": "Working out what a copy changes", hidden: true });
const alone = h("div");
const warned = h("div", { class: "warned" });
const cards = h("div", { class: "cardlist" });
const charts = h("div", { class: "charts" });
const dealt = h("div", { class: "stack dealtbox" });
const known = h("datalist", { id: "known" }), words = h("datalist", { id: "words" });
const name = h("input", { autocomplete: "off", maxlength: 200, list: "known" });
const copies = h("input", { type: "number", min: 0, max: 60, value: 3 });
const tags = h("input", { autocomplete: "off", placeholder: "from what is printed" });
const fetching = h("div"); // all cards, where the plugin is there that fetches them
import("/static/cards/store.js").then(({ cardsLine }) => fetching.append(cardsLine(renew)), () => fetching.remove());
const condition = h("input", { autocomplete: "off", list: "words", spellcheck: "false", placeholder: "Starter AND NOT 2+ Extender" });
const only = select([["all", "All"], ["pass", "That pass"], ["brick", "Bricks"]], state.only, (value) => { state.only = value; save(); deal(); });

app().append(
  h("div", { class: "split even upper" },
    h("section", { class: "stack", "aria-label": "The odds" },
      odds, progress, warned,
      h("label", { class: "check" }, h("input", { type: "checkbox", checked: state.exact, onchange: (event) => { state.exact = event.target.checked; save(); tell(); } }), "As exact fractions"),
      h("form", { class: "card stack", onsubmit: ask }, words, field("Add a condition", condition, "Names or tags with AND, OR, NOT; 2+ at least, 1- at most"), h("button", {}, "Add the condition"))),
    h("section", { class: "stack", "aria-label": "The deck" },
      h("div", { class: "fields three" }, field("Cards of the hand", hand), field("A card counts for", sharingOf), field("Free cards", free)),
      from,
      field("Cards and conditions, or a deck list", text, "Paste or drop a .ydk file, a ydke:// link or names"), mistakes, noted,
      h("div", { class: "row" },
        button("The example", () => put(example)),
        h("label", { class: "button picker" }, "Open a file", h("input", { type: "file", accept: ".yaml,.yml,.txt,.ydk", "aria-label": "Open a deck file", onchange: (event) => { opened(event.target.files[0]); event.target.value = ""; } })),
        button("Save", () => download("deck.yaml", text.value, "application/yaml"), { class: "quiet" }), sharing(),
        ...exports(() => (text.value === made.file ? made.list : text.value), noted)),
      fetching)),
  h("section", { "aria-label": "Cards" }, h("h2", {}, "One copy more or less"), h("p", { class: "soft" }, "By how many percentage points the odds change with one copy less, or one more: of a card that may have no more, with another like it."), working, alone, h("div", { class: "split hands" }, cards,
    h("div", { class: "stack" },
      h("form", { class: "card", onsubmit: add }, h("h3", {}, "Add a card"), field("Name", name), known,
        h("div", { class: "fields narrow" }, field("Copies", copies), field("Tags", tags)), h("button", {}, "Add the card"))))),
  h("section", { "aria-label": "By turn" }, h("h2", {}, "By turn"), h("div", { class: "row" }, button("The odds by turn", () => { state.turns = !state.turns; save(); byTurn(); })), turned),
  h("section", { "aria-label": "Copies in the hand" }, h("h2", {}, "How many come"), charts),
  h("section", { "aria-label": "Hands" }, h("h2", {}, "Hands to look at"),
    h("div", { class: "row looking" }, button("Deal others", () => { state.seed = (state.seed + 1) % 1e6; save(); deal(); }), field("Which", only)), dealt));

// ---- state -------------------------------------------------------------------------------------

let code = "";

async function save() {
  const mine = text.value;
  code = mine === example ? "" : `#deck=${await packed(mine)}`;
  if (mine !== text.value) return;
  history.replaceState(null, "", (query.text(state, USUAL) || location.pathname) + code);
}

function change(given) {
  Object.assign(state, given);
  dim();
  save();
  work();
}

function put(given) {
  text.value = given;
  arrived = true;
  fill(noted);
  dim();
  save();
  work();
}

async function opened(file) {
  if (!file) return;
  if (file.size > 200_000) fill(noted, notice(new Error("This file has more than 200,000 bytes; a deck has a few thousand.")));
  else put(await file.text());
}

const MEND = "The deck cannot be read yet; mend it first.";

// ---- small changes -----------------------------------------------------------------------------

function step(card, by) {
  const changed = withCopies(text.value, card, card.copies + by);
  if (changed === null) {
    fill(mistakes, notice(`Where the copies of ${card.name} stand was not found; change them in the text.`));
    return;
  }
  card.copies += by;
  draw(null);
  put(changed);
  announce(`${card.name}: ${card.copies}`);
}

async function add(event) {
  event.preventDefault();
  const typed = name.value.trim();
  field.wrong(name, !deck ? MEND : typed ? "" : "Give it a name.");
  if (!deck || !typed) return;
  let called = typed, tagged = tags.value.split(",").map((each) => each.trim()).filter(Boolean);
  const found = await post("hands/read", { deck: typed }).catch(() => null); // what is printed on it, where it is known
  if (found?.cards.length === 1 && !found.notes.length) {
    called = found.cards[0].name;
    if (!tagged.length) tagged = found.cards[0].tags;
  }
  if (deck.cards.some((each) => each.name === called)) return field.wrong(name, `${called} is there already.`);
  const changed = withCard(text.value, deck.cards, called, Math.max(0, Math.min(60, Number(copies.value) || 0)), tagged);
  if (changed === null) return field.wrong(name, "The deck is not written as a list of lines; add the card in the text.");
  name.value = tags.value = "";
  put(changed);
}

function ask(event) {
  event.preventDefault();
  if (!condition.value.trim()) return field.wrong(condition, "Write what a good hand has.");
  if (want(condition.value.trim())) condition.value = "";
}

/** Add a condition; return true if that could be done. */
function want(asked) {
  const changed = deck && withCondition(text.value, deck.conditions, asked);
  field.wrong(condition, !deck ? MEND : changed === null ? "The conditions are not written as a list of lines; add it in the text." : "");
  if (changed) put(changed);
  return Boolean(changed);
}

const suggest = debounce(async () => {
  if (name.value.trim().length < 3) return;
  const found = await get("cards/names", { like: name.value.trim(), top: 12 }).catch(() => ({ names: [] })); // then nothing is suggested
  fill(known, found.names.map((each) => h("option", { value: each })));
});
name.addEventListener("input", suggest);

// ---- the server's answers ----------------------------------------------------------------------

// What is shown belongs to what is typed: an answer to anything else is dimmed at once, and gone
// when what is typed is not a question.

const answers = [odds, warned, alone, cards, charts, dealt, turned];
let stated = null; // the cards of the hand that the deck states
let understood = null; // the question whose deck was read, while it is what is typed

function dim() {
  understood = answer = null;
  for (const only of [onlyOdds, onlyChanges, onlyCharts, onlyHands, onlyTurns]) only(async () => null);
  progress.hidden = working.hidden = true;
  for (const place of answers) place.classList.add("old");
}

function show(place, ...children) {
  place.classList.remove("old");
  fill(place, ...children);
}

function none(...instead) {
  for (const place of answers) show(place);
  show(odds, ...instead);
}

function asked() {
  const plain = { deck: text.value, hand: state.hand, sharing: state.sharing, free: state.free };
  return { ...plain, ...Object.fromEntries(WAY.filter((name) => state[name] !== USUAL[name]).map((name) => [name, name === "mulligans" ? Number(state[name]) : state[name]])) };
}

/** The part of a question that hands as they are dealt answer. */
function simply({ deck, hand, sharing, free }) {
  return { deck, hand, sharing, free };
}

/** A listener that takes a setting from a control, once it is not being typed any more. */
function later(name, value) {
  const soon = debounce((control) => change({ [name]: value(control) }), 250);
  return (event) => {
    dim();
    soon(event.target);
  };
}

function refused(wrong) {
  dim();
  const asked = wrong.field === "hand" ? hand : wrong.field === "mulligan" ? mulligan : way[wrong.field];
  if (!asked) deck = null;
  none(results.none(wrong.field === "deck" ? "No odds: the deck cannot be read yet." : "No odds."));
  right();
  if (asked) {
    from.open ||= asked !== hand;
    return field.wrong(asked, plainly(wrong.message));
  }
  text.setAttribute("aria-invalid", String(wrong.field === "deck"));
  if (wrong.field !== "deck") return fill(mistakes, notice(wrong));
  return fill(mistakes, h("div", { class: "notice wrong", role: "alert" }, h("ul", {}, wrong.problems.slice(0, 6).map((each) => {
    const [, line, said] = /^deck:(\d+): ([^]*)$/.exec(each.message) || [null, null, each.message];
    return h("li", {}, line ? button(`Line ${line}`, () => reveal(Number(line)), { class: "quiet line" }) : null, said);
  }))));
}

function reveal(line) {
  const lines = text.value.split("\n");
  const begin = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(begin, begin + (lines[line - 1] || "").length);
  text.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(text).lineHeight));
}

/** A sentence of the command line in the words of the page. */
function plainly(sentence) {
  const named = { hand: "Cards of the hand", mulligan: "Mulligan", mulligans: "Most mulligans", keep: "Keep", given: "Given", prizes: "Prizes", "in-hand": "Known in hand", seen: "Seen elsewhere", bottom: "At the bottom" };
  return sentence.replace(/--condition: /, "").replace(/--([a-z-]+)/g, (whole, option) => (named[option] ? `“${named[option]}”` : whole));
}

function right() {
  fill(mistakes);
  for (const control of [hand, mulligan, ...Object.values(way)]) field.wrong(control);
  text.setAttribute("aria-invalid", "false");
}

async function work() {
  let now = asked();
  try {
    const done = await onlyOdds(async (signal) => {
      deck = await post("hands/read", { deck: now.deck }, { signal });
      right();
      if (deck.file !== null && !arrived) return typed();
      if (deck.file !== null) now = taken();
      if (deck.hand && deck.hand !== stated && state.hand === (stated ?? USUAL.hand)) {
        hand.value = state.hand = deck.hand;
        save();
        now = asked();
      }
      stated = deck.hand;
      fill(words, [...new Set(deck.cards.flatMap((card) => [...card.tags, card.name]))].map((each) => h("option", { value: clause(each) })));
      if (!deck.conditions.length) none(results.choices(deck, (tag) => want(clause(tag))));
      draw(null);
      if (!deck.conditions.length) return false;
      understood = now;
      count(simply(now));
      deal();
      for await (const found of stream("hands/odds", now, { signal, method: "POST" })) {
        if (part(progress, found)) continue;
        progress.hidden = found.free !== "never" || now.free === "never"; // else the cards are yet to be played
        tell(found);
        show(warned, results.warnings(found));
      }
      return true;
    });
    if (!done) return;
    progress.hidden = true;
    byTurn();
    await compare(now);
  } catch (wrong) {
    refused(wrong);
  }
}

let answer = null;

/** Show the odds, or show them again in the notation chosen now. */
function tell(found = answer) {
  answer = found;
  if (found) show(odds, results.odds(found, state.exact, found.free === "never" && state.free !== "never"));
}

/** The deck file that was made of a deck list takes the place of the list. */
function taken() {
  made = { list: text.value, file: deck.file };
  text.value = deck.file;
  arrived = false;
  save();
  const many = deck.cards.reduce((sum, card) => sum + card.copies, 0);
  fill(noted, notice(`A deck list of ${many} cards, made into a deck file with tags from what is printed on them.`),
    deck.notes.length ? h("ul", { class: "soft" }, deck.notes.map((each) => h("li", {}, each.replace(/^deck, line/, "Line").replace(/^deck: /, "")))) : null);
  return asked();
}

/** Other cards are known: a deck list that was given, and not changed since, is read again. */
function renew() {
  if (text.value === made.file) put(made.list);
}

/** A deck list that is being typed: nothing is done to it unasked. */
function typed() {
  const list = text.value;
  none(results.none("A deck list. Make a deck file of it, which has conditions too.", h("div", { class: "row" }, button("Make a deck file", () => put(list), { class: "main" }))));
  return false;
}

/** True if an event carries only the progress of the work; the bar shows it. */
function part(bar, found) {
  bar.hidden = found.part === undefined;
  bar.value = found.part ?? 0;
  return !bar.hidden;
}

function draw(found) {
  const focused = cards.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  show(alone);
  show(cards, results.cards(deck, found, step));
  if (focused) cards.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

async function count(now) {
  await onlyCharts(async (signal) => show(charts, results.histogram(await post("hands/histogram", now, { signal }))))
    .catch((wrong) => show(charts, notice(wrong)));
}

/** The effect of a copy; where the odds are estimates, on opening hands alone. */
async function compare(now) {
  const exactly = answer.any.exact ? now : { ...now, free: "never" };
  await onlyChanges(async (signal) => {
    for await (const found of stream("hands/sensitivity", exactly, { signal, method: "POST" })) {
      if (part(working, found)) continue;
      draw(found);
      fill(alone, found.free === now.free ? null : h("p", { class: "soft" }, "Of opening hands alone: to play free cards takes too long here."));
    }
  }).catch((wrong) => {
    working.hidden = true;
    show(alone, notice(wrong));
  });
}

/** The odds on turns 0 to 10, each as soon as it is known. */
async function byTurn() {
  if (!understood || !state.turns) return show(turned);
  await onlyTurns(async (signal) => {
    for await (const found of stream("hands/turns", { ...understood, turn: 0, last: 10 }, { signal, method: "POST" })) {
      if (found.turns) show(turned, results.turns(found.turns));
    }
  }).catch((wrong) => show(turned, notice(wrong)));
}

async function deal() {
  if (!understood) return;
  await onlyHands(async (signal) => {
    const found = await post("hands/sample", { ...simply(understood), number: 6, seed: state.seed, only: state.only }, { signal });
    show(dealt, found.hands.length ? results.hands(found) : h("p", { class: "soft" }, "None among the hands that were dealt; they are rare."));
  }).catch((wrong) => show(dealt, notice(wrong)));
}

const soon = debounce(() => { save(); work(); }, 250);
text.addEventListener("input", (event) => {
  arrived = /^insertFrom(Paste|Drop)/.test(event.inputType);
  fill(noted);
  dim();
  soon();
});
text.addEventListener("dragover", (event) => event.preventDefault());
text.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  opened(event.dataTransfer.files[0]);
});
hand.addEventListener("input", dim);
hand.addEventListener("input", debounce(() => change({ hand: Math.round(Number(hand.value)) || 0 }), 150));
addEventListener("hashchange", () => location.reload());
query.onback(() => location.reload());

async function begin() {
  example = (await get("hands/example")).deck;
  const there = new URLSearchParams(location.hash.slice(1)).get("deck");
  const found = there === null ? example : await linked(there);
  if (text.value) return; // pasted meanwhile
  text.value = found ?? example;
  await work();
  if (found === null) fill(mistakes, notice("The deck in this link cannot be read; here is the example."));
}

begin().catch((wrong) => fill(odds, notice(wrong)));
