// Small World: a deck on one side; its bridges, sets, ways, links and hands on the other.
import { app, h, fill, get, post, stream, query, field, select, button, notice, announce, sharing, number, latest, debounce } from "/static/dragon.js";
import { packed } from "/static/packed.js";
import { cardsLine } from "/static/cards/store.js";
import { bridges, hands, least, pairs, paths, set, weakest } from "./answers.js";
import { linked, short } from "./deck.js";
import { inputs } from "./inputs.js";
import { picture } from "./picture.js";

const SAMPLE = "mathmech";
const USUAL = { deck: SAMPLE, question: "text", side: true, view: "bridges", filters: [], archetype: "", format: "", require: [], exclude: false, k: 2, from: "", to: "", picture: "graph", targets: [], hand: 5, copies: 0 };
const VIEWS = { bridges: "Bridges", together: "Together", paths: "Ways", links: "Links", hands: "Hands" };
const QUESTIONS = [["text", "? equals another ?"], ["zero", "? equals ? and 0"], ["never", "? equals nothing"]];
const ROWS = 40;
const WIDE = matchMedia("(min-width: 56rem)"); // as in the stylesheet

const state = query.read(USUAL);
const asking = latest(), reading = latest();
const { line, one, chips } = inputs({ state, usual: USUAL, change, stale, fillNames: (near) => fill(names, near) });
let found = null; // the deck as the server understands it

// ---- the deck ----------------------------------------------------------------------------------

const text = h("textarea", { class: "mono", rows: 10, spellcheck: "false", autocomplete: "off", maxlength: 20000 });
const file = h("input", { type: "file", accept: ".ydk,.yaml,.yml,.txt,text/plain", hidden: true, onchange: () => opened(file.files[0]) });
const title = h("b", {}, "Deck"), facts = h("span", { class: "figures facts-line", role: "status" });
const notes = h("div", { class: "soft" });
const question = select(QUESTIONS, state.question, (value) => change({ question: value }, true));
const side = h("input", { type: "checkbox", checked: state.side, onchange: () => change({ side: side.checked }, true) });
const format = select([["", "any format"]], "", (value) => change({ format: value })), formats = field("Allowed in", format);
const monsters = h("datalist", { id: "monsters" }), names = h("datalist", { id: "names" }), archetypes = h("datalist", { id: "archetypes" });
const deck = h("details", { class: "card deck" }, h("summary", {}, title, " ", facts),
  h("div", { class: "stack" },
    field("Deck", text, "A .ydk file, names one a line, a ydke:// link, or YAML of hands"),
    h("div", { class: "row" }, button("Open a file", () => file.click()), file, button("The sample", sample, { class: "quiet" })),
    notes,
    h("details", { open: state.question !== USUAL.question || !state.side }, h("summary", {}, "How it is read"),
      field("Question marks", question), h("label", { class: "check" }, side, "With the side deck"))),
  monsters, names, archetypes);

text.addEventListener("input", stale);
text.addEventListener("input", debounce(typed, 350));
deck.addEventListener("dragover", (event) => { event.preventDefault(); deck.classList.add("over"); });
deck.addEventListener("dragleave", () => deck.classList.remove("over"));
deck.addEventListener("drop", (event) => {
  event.preventDefault();
  deck.classList.remove("over");
  if (event.dataTransfer.files[0]) opened(event.dataTransfer.files[0]);
});

async function opened(chosen) {
  if (!chosen) return;
  if (chosen.size > 20000) {
    field.wrong(text, `${chosen.name} is too long for a deck.`);
    return;
  }
  text.value = await chosen.text();
  file.value = "";
  typed();
}

function sample() {
  text.value = "";
  change({ deck: SAMPLE }, true);
}

function typed() {
  const given = text.value.trim();
  if (given !== state.deck) change({ deck: given }, true);
  else out.classList.remove("stale");
}

/** The answer on the page is dimmed until that to the present input comes. */
function stale() {
  out.classList.add("stale");
}

/** Takes changes; `again`: the deck is read otherwise. */
function change(changes, again = false) {
  Object.assign(state, changes);
  save(again);
  if (again) read();
  else show();
}

/** The state in the address: a short deck in the query, a long one in the fragment. */
async function save(push = false) {
  const before = state.deck;
  const brief = !before || short(before);
  const hash = brief ? "" : `#deck=${await packed(before)}`;
  if (before !== state.deck) return; // another one has been typed meanwhile
  const search = query.text({ ...state, deck: brief ? before : USUAL.deck }, USUAL);
  const address = (search.startsWith("?") ? search : location.pathname) + hash;
  if (address === location.search + location.hash) return;
  history[push ? "pushState" : "replaceState"](null, "", address);
}

function given() {
  return { deck: state.deck, question: state.question, side: state.side };
}

/** Asks what the deck is, then for what is shown of it. */
async function read() {
  stale();
  try {
    await reading(async (signal) => {
      found = state.deck ? await post("small-world/deck", given(), { signal }) : null;
      field.wrong(text);
      if (found?.text && document.activeElement !== text) text.value = found.text;
      title.textContent = state.deck === SAMPLE ? "Sample deck" : "Your deck";
      facts.textContent = found ? counted() : "is empty";
      const n = found?.notes.length;
      fill(notes, n ? h("details", { open: true }, h("summary", {}, `${number(n)} note${n === 1 ? "" : "s"}`),
        h("ul", { class: "notes" }, found.notes.map((note) => h("li", {}, note.replace(/^the deck, /, ""))))) : null);
      fill(monsters, (found?.monsters || []).map((each) => h("option", { value: each.name })));
      allow(found?.cards.formats || []);
      if (!found) deck.open = true;
      await show();
    });
  } catch (wrong) {
    asking(() => null); // answers about the deck before are dropped
    found = null;
    title.textContent = "Your deck";
    fill(facts);
    fill(notes);
    if (wrong.field === "deck") {
      deck.open = true;
      field.wrong(text, wrong.message);
      put(notice("The deck cannot be read; see what is said below it."));
    } else put(notice(wrong));
  }
}

/** Offers the formats whose banlists are known. */
function allow(known) {
  fill(format, h("option", { value: "" }, "any format"), known.map((each) => h("option", { value: each }, each.toUpperCase())));
  if (!known.includes(state.format)) state.format = "";
  format.value = state.format;
  formats.hidden = !known.length;
}

/** What the deck is, in a line. */
function counted() {
  const n = found.monsters.length;
  return `${number(n)} different monster${n === 1 ? "" : "s"}, ${number(found.size)} cards, ${number(found.small_worlds)} Small World`;
}

// ---- what is shown -----------------------------------------------------------------------------

const out = h("div", { class: "stack out", "aria-live": "polite" });
const form = h("div", { class: "stack" });
const tabs = h("div", { role: "tablist", "aria-label": "What is shown", class: "tabs" }, Object.entries(VIEWS).map(([view, words]) =>
  h("button", { type: "button", role: "tab", id: `tab-${view}`, "aria-controls": "panel", onclick: () => turn(view) }, words)));
const panel = h("section", { role: "tabpanel", id: "panel", class: "stack" }, form, out);

tabs.addEventListener("keydown", (event) => {
  const all = [...tabs.children], here = all.indexOf(document.activeElement);
  const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined || here < 0) return;
  event.preventDefault();
  const tab = all[(to + all.length) % all.length];
  tab.focus();
  tab.click();
});

function turn(view) {
  if (view === state.view) return;
  state.view = view;
  save(true);
  dress();
  show();
}

/** The tabs and the form of what is shown. */
function dress() {
  if (!(state.view in VIEWS)) state.view = "bridges";
  for (const tab of tabs.children) {
    const here = tab.id === `tab-${state.view}`;
    tab.setAttribute("aria-selected", String(here));
    tab.tabIndex = here ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", `tab-${state.view}`);
  fill(out);
  fill(form, forms[state.view]());
}

/** Shows an answer, which belongs to what is typed. */
function put(...answer) {
  fill(out, ...answer);
  out.classList.remove("stale");
}

async function show() {
  if (!found && !(state.view === "paths" && state.to)) {
    if (!state.deck) {
      asking(() => null);
      put(h("div", { class: "notice row" }, h("p", {}, "Paste a deck, open a file, or look at a sample first."), button("The sample", sample)));
    }
    return;
  }
  stale();
  try {
    await asking((signal) => views[state.view](signal));
  } catch (wrong) {
    refuse(wrong);
  }
}

/** A message below the control of that name, or in the place of the answer. */
function refuse(wrong) {
  let name = (wrong.field || "").split("[")[0];
  if (name === "filters" && wrong.message.includes("archetype=")) name = "archetype";
  const control = form.querySelector(`[name="${CSS.escape(name) || "-"}"]`);
  put(control ? null : notice(wrong));
  if (!control) return;
  for (let around = control.closest("details"); around; around = null) around.open = true;
  field.wrong(control, wrong.message);
}

function right() {
  for (const control of form.querySelectorAll("[aria-invalid=true]")) field.wrong(control);
}

/** The choice of monsters that may be bridges; folded up on small screens until it is used. */
function fitting(...more) {
  const exclude = h("input", { type: "checkbox", checked: state.exclude, onchange: () => change({ exclude: exclude.checked }) });
  const asked = state.filters.length || state.archetype || state.format || state.exclude || state.require.length;
  if (!archetypes.children.length) listed();
  return h("details", { class: "narrow", open: WIDE.matches || Boolean(asked) }, h("summary", {}, "Filters"),
    h("div", { class: "fields" }, more,
      field("Of the archetype", line("archetype", "archetype", { list: "archetypes", placeholder: "any" })),
      formats,
      field("Only monsters with", line("filters", "filters", { placeholder: "level<=4, type!=Fiend", autocapitalize: "none" }))),
    h("label", { class: "check" }, exclude, "Not in the deck already"));
}

async function listed() {
  const known = await get("cards/archetypes").catch(() => null); // no list, no harm
  if (known) fill(archetypes, known.archetypes.map((each) => h("option", { value: each })));
}

function fit() {
  const more = [state.archetype && `archetype=${state.archetype}`, state.format && `${state.format}>=1`].filter(Boolean);
  return { ...given(), filters: [...state.filters, ...more], exclude_deck: state.exclude };
}

const forms = {
  bridges: () => fitting(chips("require", "require", "Linked with")),
  together: () => [h("div", { class: "fields" }, field("Bridges", select(["2", "3", "4", "5", "6"], String(state.k), (k) => change({ k: Number(k) })))), fitting()],
  paths: () => h("div", { class: "fields" },
    field("Reveal", line("start", "from", { list: "monsters" }), "A monster of the hand"),
    field("Get", one("end", "to"), "Empty: all of the deck")),
  links: () => h("div", { class: "row", role: "group", "aria-label": "Picture" }, [["graph", "Graph"], ["matrix", "Matrix"], ["squared", "Bridges between"]].map(([picture, words]) =>
    button(words, (event) => {
      for (const each of event.target.parentNode.children) each.setAttribute("aria-pressed", String(each === event.target));
      change({ picture });
    }, { "aria-pressed": String(state.picture === picture) }))),
  hands: () => h("div", { class: "fields" }, chips("targets", "targets", "To have one of"),
    h("div", { class: "pair" }, field("Cards in hand", select(["5", "6"], String(state.hand), (hand) => change({ hand: Number(hand) }))),
      field("Small World added", select(["0", "1", "2", "3"], String(state.copies), (copies) => change({ copies: Number(copies) }))))),
};

// ---- the answers -------------------------------------------------------------------------------

const views = {
  async bridges(signal) {
    const ranked = await post("small-world/bridges", { ...fit(), require: state.require, top: ROWS }, { signal });
    right();
    put(bridges(ranked, found.cards.kinds.monster));
  },

  async together(signal) {
    const path = state.k === 2 ? "small-world/pairs" : "small-world/sets";
    const asked = state.k === 2 ? { ...fit(), top: 20 } : { ...fit(), k: state.k };
    let best = null;
    const onnote = (words) => put(h("p", { class: "soft" }, words));
    for await (best of stream(path, asked, { signal, method: "POST", onnote })) {
      right();
      put(state.k === 2 ? pairs(best) : set(best));
    }
    if (best) announce(out.querySelector("p")?.textContent || "");
  },

  async paths(signal) {
    if (!state.from) {
      put(notice("Which monster is revealed? Name one above."));
      return;
    }
    const ways = await post("small-world/paths", { ...given(), start: state.from, end: state.to, top: 200 }, { signal });
    const two = state.to ? await get("small-world/explain", { first: state.from, second: state.to, question: state.question }, { signal }) : null;
    right();
    put(paths(ways, two));
  },

  async links(signal) {
    const drawn = state.picture === "graph"
      ? await post("small-world/graph", given(), { signal })
      : await post("small-world/matrix", { ...given(), squared: state.picture === "squared" }, { signal });
    const weak = await post("small-world/weak", given(), { signal });
    right();
    put(least(weak), picture(drawn, state.picture), h("h2", {}, "Who is left out"), weakest(weak));
  },

  async hands(signal) {
    if (!state.targets.length) {
      put(notice("Which monsters are wanted? Name one of the main deck above."));
      return;
    }
    const odds = await post("small-world/reach", { ...given(), targets: state.targets, hand: state.hand, copies: state.copies }, { signal });
    right();
    put(hands(odds));
  },
};

// ---- the page ----------------------------------------------------------------------------------

async function begin() {
  let broken = false;
  try {
    state.deck = (await linked()) ?? state.deck;
  } catch {
    broken = true;
  }
  text.value = state.deck === SAMPLE ? "" : state.deck;
  question.value = state.question;
  side.checked = state.side;
  deck.open = WIDE.matches || broken;
  dress();
  await read();
  if (broken) field.wrong(text, "The deck in this link is broken; this is the sample.");
}

const cards = cardsLine(() => { fill(archetypes); read().then(dress).then(show); });
app().append(h("div", { class: "decked" }, h("div", { class: "stack" }, deck, cards), h("div", { class: "stack" }, tabs, panel, h("div", { class: "row" }, sharing()))));
query.onback(() => { Object.assign(state, query.read(USUAL)); begin(); });
begin();
