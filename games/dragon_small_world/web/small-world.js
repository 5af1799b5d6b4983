// Small World: a deck on one side; its bridges, sets, ways, links and hands on the other.
import { app, h, fill, get, post, stream, query, field, select, button, table, notice, announce, sharing, number, latest, debounce } from "/static/dragon.js";
import { packed } from "/static/packed.js";
import { WORDS, bar, explained, few, hands, pairs, picture, printed, set, share } from "./answers.js";
import { linked, short } from "./deck.js";

const USUAL = { deck: "mathmech", question: "text", side: true, view: "bridges", filters: [], require: [], exclude: false, k: 2, from: "", to: "", picture: "graph", targets: [], hand: 5, copies: 0 };
const VIEWS = { bridges: "Bridges", together: "Together", paths: "Ways", links: "Links", hands: "Hands" };
const QUESTIONS = [["text", "? equals another ?"], ["zero", "? equals ? and 0"], ["never", "? equals nothing"]];
const ROWS = 40;

const state = query.read(USUAL);
const asking = latest(), reading = latest();
let found = null; // the deck as the server understands it

// ---- the deck ----------------------------------------------------------------------------------

const text = h("textarea", { class: "mono", rows: 10, spellcheck: "false", autocomplete: "off", maxlength: 20000, oninput: debounce(typed, 350) });
const file = h("input", { type: "file", accept: ".ydk,.txt,text/plain", hidden: true, onchange: () => opened(file.files[0]) });
const facts = h("p", { class: "figures facts-line", role: "status" });
const notes = h("div", { class: "soft" });
const question = select(QUESTIONS, state.question, (value) => change({ question: value }, true));
const side = h("input", { type: "checkbox", checked: state.side, onchange: () => change({ side: side.checked }, true) });
const monsters = h("datalist", { id: "monsters" }), names = h("datalist", { id: "names" });
const deck = h("section", { class: "card stack deck", "aria-label": "Deck" },
  field("Deck", text, "A .ydk file, names one a line, or a ydke:// link"),
  h("div", { class: "row" }, button("Open a file", () => file.click()), file,
    button("The sample", () => { text.value = ""; change({ deck: "mathmech" }, true); }, { class: "quiet" })),
  facts, notes,
  h("div", { class: "fields" }, field("Question marks", question), h("label", { class: "check" }, side, "With the side deck")),
  monsters, names);

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

function typed() {
  const given = text.value.trim();
  if (given !== state.deck) change({ deck: given || "mathmech" }, true);
}

/** Takes changes; where the deck is read otherwise, that is told first. */
function change(changes, again = false) {
  Object.assign(state, changes);
  save(again);
  if (again) read();
  else show();
}

/** The state in the address: a short deck in the query, a long one in the fragment. */
async function save(push = false) {
  const before = state.deck;
  const brief = short(before);
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
  try {
    await reading(async (signal) => {
      found = await post("small-world/deck", given(), { signal });
      field.wrong(text);
      if (found.text !== null && document.activeElement !== text) text.value = found.text;
      const n = found.monsters.length;
      fill(facts, h("strong", {}, `${number(n)} different monster${n === 1 ? "" : "s"}`),
        ` among ${number(found.size)} cards, ${number(found.small_worlds)} of them Small World`);
      fill(notes, found.notes.length ? h("details", { open: true }, h("summary", {}, `${number(found.notes.length)} not understood`),
        h("ul", { class: "notes" }, found.notes.map((note) => h("li", {}, note.replace(/^the deck, /, ""))))) : null);
      fill(monsters, found.monsters.map((each) => h("option", { value: each.name })));
      await show();
    });
  } catch (wrong) {
    found = null;
    fill(facts);
    fill(notes);
    fill(out);
    if (wrong.field === "deck") field.wrong(text, wrong.message);
    else fill(out, notice(wrong));
  }
}

// ---- what is shown -----------------------------------------------------------------------------

const out = h("div", { class: "stack", "aria-live": "polite" });
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

async function show() {
  if (!found) return;
  out.setAttribute("aria-busy", "true");
  try {
    await asking(async (signal) => {
      await views[state.view](signal);
      out.removeAttribute("aria-busy");
    });
  } catch (wrong) {
    out.removeAttribute("aria-busy");
    refuse(wrong);
  }
}

/** A message below the control of that name, or in the place of the answer. */
function refuse(wrong) {
  const name = (wrong.field || "").split("[")[0];
  const control = form.querySelector(`[name="${CSS.escape(name) || "-"}"]`);
  fill(out, control ? null : notice(wrong));
  if (control) field.wrong(control, wrong.message);
  else if (name === "deck") field.wrong(text, wrong.message);
}

function right() {
  for (const control of form.querySelectorAll("[aria-invalid=true]")) field.wrong(control);
}

/** A text field for one name or condition, or several with commas between. */
function line(name, key, options = {}) {
  const value = Array.isArray(state[key]) ? state[key].join(", ") : state[key];
  const control = h("input", { name, value, autocomplete: "off", spellcheck: "false", ...options });
  control.addEventListener("change", () => {
    const several = control.value.split(",").map((each) => each.trim()).filter(Boolean);
    change({ [key]: Array.isArray(USUAL[key]) ? several : control.value.trim() });
  });
  return control;
}

/** One name of the pool: what may be meant is listed as one types. */
function one(name, key) {
  const control = line(name, key, { list: "names" });
  const look = debounce(async () => {
    const like = control.value.trim();
    if (like.length < 2) return;
    const told = await get("small-world/names", { like }).catch(() => null); // no list, no harm
    if (told) fill(names, told.names.map((each) => h("option", { value: each })));
  }, 150);
  control.addEventListener("input", look);
  return control;
}

/** A list of names of the deck, each taken from a field and shown as a chip. */
function chips(name, key, label) {
  const control = h("input", { name, list: "monsters", autocomplete: "off", spellcheck: "false" });
  const row = h("ul", { class: "chips", "aria-label": label });
  const shown = () => {
    fill(row, state[key].map((each) => h("li", {}, button(`${each} ✕`, () => {
      change({ [key]: state[key].filter((other) => other !== each) });
      shown();
    }, { "aria-label": `Leave out ${each}` }))));
    row.hidden = !state[key].length;
  };
  control.addEventListener("change", () => {
    const value = control.value.trim();
    control.value = "";
    field.wrong(control);
    if (value && !state[key].includes(value)) change({ [key]: [...state[key], value] });
    shown();
  });
  shown();
  return h("div", { class: "stack tight" }, field(label, control), row);
}

function fitting() {
  const exclude = h("input", { type: "checkbox", checked: state.exclude, onchange: () => change({ exclude: exclude.checked }) });
  return [field("Only monsters with", line("filters", "filters", { placeholder: "level<=4, type!=Fiend", autocapitalize: "none" })),
    h("label", { class: "check" }, exclude, "Not in the deck already")];
}

function fit() {
  return { ...given(), filters: state.filters, exclude_deck: state.exclude };
}

const forms = {
  bridges: () => h("div", { class: "fields" }, fitting(), chips("require", "require", "Linked with")),
  together: () => h("div", { class: "fields" },
    field("Bridges", select(["2", "3", "4", "5", "6"], String(state.k), (k) => change({ k: Number(k) }))), fitting()),
  paths: () => h("div", { class: "fields" },
    field("Reveal", line("start", "from", { list: "monsters" }), "A monster of the hand"),
    field("Get", one("end", "to"), "Empty: all of the deck")),
  links: () => h("div", { class: "row", role: "group", "aria-label": "Picture" }, [["graph", "Graph"], ["matrix", "Matrix"], ["squared", "Bridges from row to column"]].map(([picture, words]) =>
    button(words, (event) => {
      for (const each of event.target.parentNode.children) each.setAttribute("aria-pressed", String(each === event.target));
      change({ picture });
    }, { "aria-pressed": String(state.picture === picture) }))),
  hands: () => h("div", { class: "fields" }, chips("targets", "targets", "To have one of"),
    field("Cards in hand", select(["5", "6"], String(state.hand), (hand) => change({ hand: Number(hand) }))),
    field("Small World more", select(["0", "1", "2", "3"], String(state.copies), (copies) => change({ copies: Number(copies) })), "Beside those in the deck")),
};

// ---- the answers -------------------------------------------------------------------------------

const views = {
  async bridges(signal) {
    const told = await post("small-world/bridges", { ...fit(), require: state.require, top: ROWS }, { signal });
    right();
    const n = told.deck.length;
    const rows = told.bridges.map((each) => [
      h("span", { class: "monster" }, h("span", {}, each.name, each.disputed ? h("abbr", { title: "Its links depend on what ? equals", class: "soft" }, " (?)") : null,
        h("small", {}, printed(each))), each.in_deck ? h("span", { class: "tag" }, "in the deck") : null),
      bar(each.numerator / told.denominator, share(each.score)), `${each.numerator}/${told.denominator}`, each.connections]);
    fill(out,
      h("p", { class: "soft figures" }, `Of ${number(n * n)} pairs of the deck ${number(told.before)} can be searched (${share(told.before / (n * n))}) without a new bridge. ${number(told.count)} bridges among ${number(found.cards.monsters)} monsters (${found.cards.source}); the best ${number(rows.length)}:`),
      rows.length ? table(["Bridge", { text: "Searched", right: false }, { text: "Pairs", right: true }, "Links"], rows, { caption: "Bridges, the best first" }) : notice("No monster is such a bridge."));
  },

  async together(signal) {
    const path = state.k === 2 ? "small-world/pairs" : "small-world/sets";
    const asked = state.k === 2 ? { ...fit(), top: 20 } : { ...fit(), k: state.k };
    let told = null;
    const onnote = (told) => fill(out, h("p", { class: "soft" }, told));
    for await (told of stream(path, asked, { signal, method: "POST", onnote })) {
      right();
      fill(out, state.k === 2 ? pairs(told) : set(told));
    }
    if (told) announce(out.querySelector("p")?.textContent || "");
  },

  async paths(signal) {
    if (!state.from) {
      fill(out, notice("Which monster is revealed? Name one above."));
      return;
    }
    const told = await post("small-world/paths", { ...given(), start: state.from, end: state.to, top: 200 }, { signal });
    const two = state.to ? await get("small-world/explain", { first: state.from, second: state.to, question: state.question }, { signal }) : null;
    right();
    const rows = told.paths.map((each) => [
      h("span", { class: "monster" }, each.bridge, each.in_deck && state.to ? h("span", { class: "tag" }, "in the deck") : null),
      WORDS[each.first], WORDS[each.second], ...(state.to ? [] : [each.target])]);
    fill(out, two ? explained(two) : null,
      h("p", { class: "soft figures" }, told.count ? `${number(told.count)} way${told.count === 1 ? "" : "s"} from ${told.paths[0].reveal}${state.to ? ` to ${told.paths[0].target}` : ""}${told.count > rows.length ? `; the first ${number(rows.length)}` : ""}:` : "There is no way."),
      rows.length ? table(["Bridge", { text: "Shown by", right: false }, { text: "Gets by", right: false }, ...(state.to ? [] : [{ text: "Target", right: false }])], rows, { caption: "Ways" }) : null);
  },

  async links(signal) {
    const drawn = state.picture === "graph"
      ? await post("small-world/graph", given(), { signal })
      : await post("small-world/matrix", { ...given(), squared: state.picture === "squared" }, { signal });
    const weak = await post("small-world/weak", given(), { signal });
    right();
    fill(out, picture(drawn, state.picture), h("h2", {}, "Who is left out"),
      table([{ text: "Monster" }, { text: "Searches", right: false }, "Links"], weak.monsters.map((each) => [
        h("span", { class: "monster wide" }, h("span", {}, each.name, h("small", {}, few(each.misses)))),
        bar(each.reaches / weak.monsters.length, `${each.reaches} of ${weak.monsters.length}`), each.links]), { caption: "The monsters of the deck, the weakest first" }));
  },

  async hands(signal) {
    if (!state.targets.length) {
      fill(out, notice("Which monsters are wanted? Name one of the main deck above."));
      return;
    }
    const told = await post("small-world/reach", { ...given(), targets: state.targets, hand: state.hand, copies: state.copies }, { signal });
    right();
    fill(out, hands(told));
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
  text.value = state.deck === "mathmech" ? "" : state.deck;
  question.value = state.question;
  side.checked = state.side;
  dress();
  await read();
  if (broken) field.wrong(text, "The deck in this link is broken; this is the sample.");
}

app().append(h("div", { class: "decked" }, deck, h("div", { class: "stack" }, tabs, panel, h("div", { class: "row" }, sharing()))));
query.onback(() => { Object.assign(state, query.read(USUAL)); begin(); });
begin();
