// The question as a form: it shows the state, and asks when something in it changes.
import { h, fill, get, post, field, select, button, notice, number, latest, debounce } from "/static/dragon.js";
import { regionMap } from "./map.js";
import { named } from "./team.js";

const MODES = [["best", "The best"], ["all", "The best, and how many there are"],
  ["minimal", "Those where every member is needed, counted"], ["exact", "Those that meet each type exactly once"],
  ["overlapping", "Those that the original program finds"]];
const AMONG = [["all", "All that there are"], ["minimal", "Every member is needed"]];
const RANKS = [["score", "What is done to each type"], ["stacked", "That, and weaknesses that members share"]];
const COMBOS = [["all", "All that exist"], ["obtainable", "Those in the games of this generation"], ["without-megas", "All but Mega Evolutions"]];
const TAGS = ["legendary", "mythical", "paradox"];
const FREE = { without: [], evolved: false, monotype: "", base_stats: 0, dex: "" };
const DATA = [["true", "The games'"], ["original", "The original program's, with its mistakes"]];
const NEEDED = "Leaves out those with a member to spare, even where they score better.";

/** The form of a state, whose usual values are given. ask(changes, typed) takes changes; outdated()
 *  is called while something is typed, failed(wrong) where it cannot be read. */
export function questionOf(state, usual, { ask, outdated, failed }) {
  const reading = latest(), naming = latest();
  let places = [];

  const controls = {
    gen: select(Array.from({ length: 9 }, (_, i) => [String(i + 1), `Generation ${i + 1}`]), "9", (gen) => ask({ gen: Number(gen), locations: [], only: [], pin: [], ban: [], monotype: "", dex: "" })),
    side: select([["defense", "Resist attacks"], ["attack", "Hit defenders"]], "defense",
      (side) => ask({ side, only: [], pin: [], ban: [], limit: 0, rank: "score", abilities: false, moves: false, ...FREE })),
    mode: select(MODES, "best", (mode) => ask({ mode, among: "all", ...(mode === "overlapping" && { rank: "score", differ: 0 }) })),
    among: select(AMONG, "all", (among) => ask({ among })),
    rank: select(RANKS, "score", (rank) => ask({ rank })),
    differ: select([["0", "As usual"], ...Array.from({ length: 6 }, (_, i) => [String(i + 1), `${i + 1} member${i ? "s" : ""}`])], "0", (differ) => ask({ differ: Number(differ) })),
    limit: h("input", { type: "number", min: 1, max: 24, oninput: () => { outdated(); limited(); } }),
    combos: select(COMBOS, "all", (combos) => ask({ combos })),
    data: select(DATA, "true", (data) => ask({ data, ...(data === "original" && { abilities: false, ...FREE }) })),
    monotype: select([["", "Any"]], "", (monotype) => ask({ monotype })),
    dex: select([["", "Any"]], "", (dex) => ask({ dex })),
    base_stats: h("input", { type: "number", min: 0, max: 2000, step: 10, placeholder: "0", oninput: () => { outdated(); stats(); } }),
  };
  const stats = debounce(() => ask({ base_stats: Number(controls.base_stats.value) || 0 }));
  const tick = (name, text) => {
    const box = h("input", { type: "checkbox", onchange: () => ask({ [name]: box.checked }) });
    return [box, h("label", { class: "check" }, box, text)];
  };
  const [evolved, whole] = tick("evolved", "Fully evolved"), [moves, special] = tick("moves", "Count moves such as Freeze-Dry");
  const tags = TAGS.map((tag) => h("input", { type: "checkbox", value: tag,
    onchange: () => ask({ without: tags.filter((each) => each.checked).map((each) => each.value) }) }));
  const without = h("fieldset", {}, h("legend", {}, "Leave out"), tags.map((each) => h("label", { class: "check" }, each, each.value)));
  const limited = debounce(() => ask({ limit: Number(controls.limit.value) || 0 }));
  const abilities = h("input", { type: "checkbox", onchange: () => ask({ abilities: abilities.checked }) });
  const example = h("span"), counting = h("label", { class: "check" }, abilities, example);
  const among = field("Among", controls.among);
  const best = field("Best by", controls.rank), apart = field("Any two listed differ in", controls.differ);
  const only = h("textarea", { rows: 4, spellcheck: "false", autocomplete: "off", placeholder: "Garchomp\nRotom-Wash, Skarmory",
    oninput: () => { outdated(); listed(); } });
  const leftOut = h("ul", { class: "left-out soft", "aria-live": "polite" });
  const file = h("input", { type: "file", accept: ".txt,.csv,text/*", onchange: async () => {
    if (!file.files[0]) return;
    only.value = await file.files[0].text();
    file.value = "";
    outdated();
    listed();
  } });
  const adding = { pin: adder("pin"), ban: adder("ban"), team: adder("team") };
  const chosen = { pin: h("ul", { class: "chips", "aria-label": "Must be in" }), ban: h("ul", { class: "chips", "aria-label": "Must not be in" }) };
  const locations = h("div", { class: "places" });
  const map = h("div", { class: "map" });
  const place = h("summary", {}, "Where");
  const mine = h("summary", {}, "Choose among my Pokémon");
  const known = h("datalist", { id: "options" });
  const refused = h("div");
  const asked = h("summary", { class: "asked-for" });
  const folds = { where: null, only: null, filters: null, marks: null, more: null };

  /** Reads the list of Pokémon and sends it; entries that are left out are listed below it. */
  const listed = debounce(async () => {
    try {
      const found = await reading((signal) => post("pokemon/names", { gen: state.gen, combos: state.combos, text: only.value.slice(0, 20000) }, { signal }));
      if (!found) return;
      field.wrong(only);
      fill(leftOut, found.notes.map((note) => h("li", {}, note)));
      ask({ only: found.names }, true);
    } catch (wrong) {
      failed(wrong);
    }
  }, 400);

  /** A field that takes the name of an option, and gives it to a list of the state. */
  function adder(list) {
    const control = h("input", { list: "options", autocomplete: "off", autocapitalize: "words", spellcheck: "false", placeholder: "Fire-Steel or Heatran" });
    const take = () => {
      const name = control.value.trim();
      if (!name) return;
      control.value = "";
      ask({ [list]: [...state[list].filter((each) => each !== name), name] });
    };
    control.addEventListener("change", take);
    return control;
  }

  function form() {
    const fold = (name, summary, ...parts) => (folds[name] = h("details", {}, summary, ...parts));
    return h("form", { class: "card question", "aria-label": "Question", onsubmit: (event) => event.preventDefault() },
      h("div", { class: "fields" }, field("Games", controls.gen), field("Goal", controls.side), field("Show", controls.mode), among, counting, special),
      fold("where", place, map, locations),
      fold("only", mine, h("div", { class: "stack" },
        field("My Pokémon, or types", only, "One to a line or between commas, or a team of Pokémon Showdown: exported, packed or JSON."),
        h("label", { class: "file" }, "Open a file ", file), leftOut)),
      fold("filters", h("summary", {}, "Which Pokémon"),
        h("div", { class: "fields" }, without, whole, field("Of one type", controls.monotype), field("Base stats, at least", controls.base_stats), field("Of the dex", controls.dex))),
      fold("marks", h("summary", {}, "Must be in, must not"),
        h("div", { class: "stack" },
          field("Must be in", adding.pin), chosen.pin, field("Must not", adding.ban), chosen.ban)),
      fold("more", h("summary", {}, "Ranking, limits, facts"),
        h("div", { class: "fields" }, best, apart, field("At most", controls.limit), field("Pokémon", controls.combos), field("Facts", controls.data))),
      known, refused);
  }

  /** Opens the parts of the form in which something is set. */
  function unfold() {
    folds.where.open ||= state.locations.length > 0;
    folds.only.open ||= state.only.length > 0;
    folds.filters.open ||= state.without.length > 0 || Object.keys(FREE).some((name) => name !== "without" && state[name] !== usual[name]);
    folds.marks.open ||= state.pin.length + state.ban.length > 0;
    folds.more.open ||= state.limit > 0 || state.differ > 0 || ["rank", "combos", "data"].some((name) => state[name] !== usual[name]);
  }

  /** Shows the question in the form. typed: the list is being typed, and stays as it is. */
  function show(typed = false) {
    for (const [name, control] of Object.entries(controls)) {
      if (name === "limit" || name === "base_stats") control.value = state[name] || "";
      else control.value = String(state[name]);
      field.wrong(control);
    }
    const defends = state.side === "defense";
    controls.limit.placeholder = defends ? "6" : "24";
    abilities.checked = state.abilities;
    example.textContent = `Count abilities such as ${defends ? "Levitate" : "Scrappy"}`;
    counting.hidden = state.data === "original";
    moves.checked = state.moves;
    special.hidden = defends;
    evolved.checked = state.evolved;
    for (const each of tags) each.checked = state.without.includes(each.value);
    folds.filters.hidden = !defends || state.data === "original";
    among.hidden = state.mode !== "best";
    document.getElementById(`${controls.among.id}-note`).textContent = state.among === "minimal" ? NEEDED : "";
    best.hidden = !defends || state.mode === "overlapping";
    apart.hidden = state.mode === "overlapping";
    controls.differ.options[0].textContent = state.mode === "best" ? "2 members" : "1 member";
    for (const option of controls.differ.options) option.hidden = option.value === (state.mode === "best" ? "2" : "1");
    folds.only.hidden = !defends;
    if (!typed) {
      only.value = state.only.join("\n");
      fill(leftOut);
    }
    mine.textContent = state.only.length ? `Chosen among ${number(state.only.length)} of mine` : "Choose among my Pokémon";
    field.wrong(only);
    for (const list of ["pin", "ban"]) {
      field.wrong(adding[list]);
      const marks = { pin: "Unpin", ban: "Allow" };
      fill(chosen[list], state[list].map((name) => h("li", {}, button([named(name), " ✕"],
        () => ask({ [list]: state[list].filter((each) => each !== name) }), { "aria-label": `${marks[list]} ${name}` }))));
      chosen[list].hidden = !state[list].length;
    }
    summarise();
  }

  function summarise() {
    const count = state.locations.length;
    place.textContent = count ? `Where: ${state.locations.join(", ")}` : "Where: everywhere";
    const set = [state.only.length && `${state.only.length} of mine`, state.abilities && "with abilities", state.moves && "with moves",
      state.without.length && `without ${state.without.join(", ")}`, state.evolved && "fully evolved", state.monotype, state.base_stats && `base stats ${state.base_stats}`, state.dex].filter(Boolean);
    asked.textContent = [`The question: generation ${state.gen}`, state.side === "defense" ? "resist attacks" : "hit defenders",
      count ? state.locations.join(", ") : "everywhere", ...set].join(" · ");
  }

  /** The gyms, trials and leagues of the generation, on its map and as a list. */
  async function where() {
    try {
      places = (await naming((signal) => get("pokemon/locations", { gen: state.gen }, { signal })))?.locations ?? places;
    } catch (wrong) {
      fill(locations, notice(wrong));
      return;
    }
    const boxes = new Map(places.map((place) => [place.name, h("input", {
      type: "checkbox", value: place.name, checked: state.locations.includes(place.name), onchange: pick })]));
    fill(map, regionMap(places, state.locations, (name) => boxes.get(name).click()));
    fill(locations, h("fieldset", {}, h("legend", {}, [...new Set(places.map((place) => place.region))].join(", ")),
      places.map((place, i) => h("label", { class: "check" }, boxes.get(place.name), `${i + 1} ${place.name}`))));
  }

  function pick() {
    const picked = [...locations.querySelectorAll("input:checked")].map((each) => each.value);
    fill(map, regionMap(places, picked, (name) => [...locations.querySelectorAll("input")].find((each) => each.value === name).click()));
    ask({ locations: picked });
  }

  /** Names that can be typed: types, and Pokémon. */
  async function suggest() {
    const there = await get("pokemon/types", { gen: state.gen }).catch(() => null); // then nothing is suggested
    if (!there) return;
    const names = state.side === "attack" ? there.types : [...there.combinations, ...Object.values(there.pokemon).flat()];
    fill(known, names.map((name) => h("option", { value: name })));
    for (const [name, each] of [["monotype", there.types], ["dex", there.dexes]]) {
      fill(controls[name], [["", "Any"], ...each.map((one) => [one, one])].map(([value, text]) => h("option", { value }, text)));
      controls[name].value = state[name];
    }
  }

  /** Marks the control that a refusal is about. */
  function refuse(wrong) {
    const by = { ...controls, only, text: only, pin: adding.pin, ban: adding.ban, picks: adding.team };
    const rest = (wrong.problems || []).filter((each) => {
      const control = by[(each.field || "").split("[")[0]];
      if (control) {
        field.wrong(control, each.message);
        for (let folded = control.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
      }
      return !control;
    });
    if (rest.length || !wrong.problems) fill(refused, notice(wrong));
  }

  const element = h("details", { class: "ask" }, asked, form());
  return { element, show, unfold, where, suggest, refuse, accept: () => fill(refused), added: adding.team };
}
