// Pokémon: the question on one side, a team with its picture and its table on the other.
import { app, h, fill, get, post, stream, query, field, select, button, notice, announce, sharing, number, svg, latest, debounce } from "/static/dragon.js";
import { regionMap } from "./map.js";

const USUAL = { gen: 9, side: "defense", mode: "best", among: "all", rank: "score", differ: 0, abilities: false, locations: [],
  only: [], pin: [], ban: [], limit: 0, combos: "all", data: "true", n: 1, team: [] };
const LISTED = 30, TIMED = 10;
const SIGNS = { 0: "×0", 0.125: "×⅛", 0.25: "×¼", 0.5: "×½", 1: "·", 2: "×2", 4: "×4" };
const MODES = [["best", "The best"], ["all", "The best, and how many there are"],
  ["minimal", "Those where every member is needed, counted"], ["exact", "Those that meet each type exactly once"],
  ["overlapping", "Those that the original program finds"]];
const AMONG = [["all", "All that there are"], ["minimal", "Those where every member is needed"]];
const RANKS = [["score", "What is done to each type"], ["stacked", "That, and weaknesses that members share"]];
const COMBOS = [["all", "All that exist"], ["obtainable", "Those in the games of this generation"], ["without-megas", "All but Mega Evolutions"]];
const DATA = [["true", "The games'"], ["original", "The original program's, with its mistakes"]];
const NEEDED = "Leaves out those with a member to spare, even where they score better.";

const TYPES = new Set("bug dark dragon electric fairy fighting fire flying ghost grass ground ice normal poison psychic rock steel water".split(" "));

const state = query.read(USUAL);
const asking = latest(), looking = latest(), reading = latest(), naming = latest();
let places = [], found = null, shown = null, running = false, kept = [];

// ---- the question ------------------------------------------------------------------------------

const controls = {
  gen: select(Array.from({ length: 9 }, (_, i) => [String(i + 1), `Generation ${i + 1}`]), "9", (gen) => ask({ gen: Number(gen), locations: [], only: [], pin: [], ban: [] })),
  side: select([["defense", "Resist attacks"], ["attack", "Hit defenders"]], "defense",
    (side) => ask({ side, only: [], pin: [], ban: [], limit: 0, rank: "score", abilities: false })),
  mode: select(MODES, "best", (mode) => ask({ mode, among: "all", ...(mode === "overlapping" && { rank: "score", differ: 0 }) })),
  among: select(AMONG, "all", (among) => ask({ among })),
  rank: select(RANKS, "score", (rank) => ask({ rank })),
  differ: select([["0", "As usual"], ...Array.from({ length: 6 }, (_, i) => [String(i + 1), `${i + 1} member${i ? "s" : ""}`])], "0", (differ) => ask({ differ: Number(differ) })),
  limit: h("input", { type: "number", min: 1, max: 24, oninput: debounce(() => ask({ limit: Number(controls.limit.value) || 0 })) }),
  combos: select(COMBOS, "all", (combos) => ask({ combos })),
  data: select(DATA, "true", (data) => ask({ data, ...(data === "original" && { abilities: false }) })),
};
const abilities = h("input", { type: "checkbox", onchange: () => ask({ abilities: abilities.checked }) });
const counting = h("label", { class: "check" }, abilities, "Count abilities such as Levitate");
const among = field("Among", controls.among);
const best = field("Best by", controls.rank), apart = field("Any two listed differ in", controls.differ);
const only = h("textarea", { rows: 4, spellcheck: "false", autocomplete: "off", placeholder: "Garchomp\nRotom-Wash, Skarmory",
  oninput: () => { stale(); listed(); } });
const leftOut = h("ul", { class: "left-out soft", "aria-live": "polite" });
const file = h("input", { type: "file", accept: ".txt,.csv,text/*", onchange: async () => {
  if (!file.files[0]) return;
  only.value = await file.files[0].text();
  file.value = "";
  stale();
  listed();
} });
const adding = { pin: adder("pin"), ban: adder("ban"), team: adder("team") };
const chosen = { pin: h("ul", { class: "chips", "aria-label": "Must be in" }), ban: h("ul", { class: "chips", "aria-label": "Must not be in" }) };
const locations = h("div", { class: "places" });
const map = h("div", { class: "map" });
const told = h("summary", {}, "Where");
const mine = h("summary", {}, "Choose among my Pokémon");
const known = h("datalist", { id: "options" });
const refused = h("div");
const asked = h("summary", { class: "asked-for" });
const folds = { where: null, only: null, marks: null, more: null };

/** Reads the list of Pokémon as it stands, and asks with it; what is left out is said below it. */
const listed = debounce(async () => {
  try {
    const found = await reading((signal) => post("pokemon/names", { gen: state.gen, combos: state.combos, text: only.value.slice(0, 20000) }, { signal }));
    if (!found) return;
    field.wrong(only);
    fill(leftOut, found.notes.map((note) => h("li", {}, note)));
    ask({ only: found.names }, true);
  } catch (wrong) {
    nothing(wrong);
    refuse(wrong);
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
    h("div", { class: "fields" }, field("Games", controls.gen), field("Goal", controls.side), field("Show", controls.mode), among, counting),
    fold("where", told, map, locations),
    fold("only", mine, h("div", { class: "stack" },
      field("My Pokémon, or types", only, "One to a line or between commas, or a team exported from Pokémon Showdown."),
      h("label", { class: "file" }, "Open a file ", file), leftOut)),
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
  folds.marks.open ||= state.pin.length + state.ban.length > 0;
  folds.more.open ||= state.limit > 0 || state.differ > 0 || ["rank", "combos", "data"].some((name) => state[name] !== USUAL[name]);
}

/** Takes changes of the question, shows them in the form, and asks. */
function ask(changes, typed = false) {
  const own = "team" in changes;
  Object.assign(state, own ? {} : { n: 1, team: [] }, changes);
  save(true);
  fillForm(typed);
  if ("gen" in changes) where();
  if ("gen" in changes || "side" in changes) suggest();
  if (own) look();
  if (own && found) say();
  else answer();
}

function save(push = false) {
  query.write(state, USUAL, push);
}

/** Shows the question in the form. typed: the list is being typed, and stays as it is. */
function fillForm(typed = false) {
  for (const [name, control] of Object.entries(controls)) {
    if (name === "limit") control.value = state.limit || "";
    else control.value = String(state[name]);
    field.wrong(control);
  }
  const defends = state.side === "defense";
  controls.limit.placeholder = defends ? "6" : "24";
  abilities.checked = state.abilities;
  counting.hidden = !defends || state.data === "original";
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
  tellWhere();
}

function tellWhere() {
  const count = state.locations.length;
  told.textContent = count ? `Where: ${state.locations.join(", ")}` : "Where: everywhere";
  const set = [state.only.length && `${state.only.length} of mine`, state.abilities && "with abilities"].filter(Boolean);
  asked.textContent = [`Generation ${state.gen}`, state.side === "defense" ? "resist attacks" : "hit defenders",
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

// ---- the answer --------------------------------------------------------------------------------

const icon = { back: "‹", next: "›" };
const back = button(icon.back, () => step(-1), { "aria-label": "The team before", class: "step" });
const next = button(icon.next, () => step(1), { "aria-label": "The next team", class: "step" });
const standing = h("p", { class: "standing figures", role: "status" });
const counted = h("p", { class: "counted figures", "aria-live": "polite" });
const radial = h("figure", { class: "radial", "aria-busy": "true" });
const members = h("ul", { class: "members", "aria-label": "The team" });
const multipliers = h("div", { class: "multipliers" });
const listing = h("ol", { class: "ranking figures" });
const heading = h("summary", {}, "The ranking");
const ranking = h("details", { class: "card rank" }, heading, listing);
const own = h("div", { class: "row own" });

/** What the server is asked: the state, without what is only shown. */
function meeting() {
  const { gen, side, data, combos, abilities: with_, locations: places_, only: names, pin, ban } = state;
  return { gen, side, data, combos, abilities: with_, locations: places_, only: names, pin, ban };
}

/** What is shown is no longer the answer: it is dimmed until there is one. */
function stale(is = true) {
  result.classList.toggle("stale", is);
  ranking.classList.toggle("stale", is);
}

/** There is no answer, and none is shown; why not, is. */
function nothing(wrong) {
  found = shown = null;
  running = false;
  asking(() => null);
  looking(() => null);
  rank();
  stale(false);
  radial.removeAttribute("aria-busy");
  for (const place of [radial, members, multipliers]) fill(place);
  fill(own, state.team.length ? button("Back to the best", () => ask({ team: [] }), { class: "quiet" }) : null);
  back.disabled = next.disabled = true;
  fill(standing, h("strong", {}, "No answer"));
  counted.textContent = sentence(wrong.message.replace(/[.?]$/, ""));
}

async function answer() {
  fill(refused);
  const asked_ = { ...meeting(), limit: state.limit || null, mode: state.mode, among: state.among, rank: state.rank,
    differ: state.differ || null, top: LISTED, seconds: TIMED };
  stale();
  counted.textContent = "Searching…";
  running = true;
  try {
    await asking(async (signal) => {
      for await (const each of stream("pokemon/cover", asked_, { signal, onnote: (note) => { counted.textContent = note; } })) {
        found = each;
        if (!best_of(found).length && !found.why) continue;
        stale(false);
        rank();
        if (!state.team.length) look();
      }
      running = false;
      stale(false);
      rank();
      if (!state.team.length) look();
      announce(verdict());
    });
  } catch (wrong) {
    nothing(wrong);
    refuse(wrong);
  }
}

/** The teams that are listed: covers, or where there are none the best that can be done. */
function best_of(answered) {
  if (!answered) return [];
  return answered.solutions.length ? answered.solutions : answered.partial;
}

/** The count, how sure it is, and the ranking. */
function rank() {
  const teams = best_of(found);
  say();
  heading.textContent = `The ranking: ${number(teams.length)} listed`;
  ranking.hidden = !teams.length;
  fill(listing, teams.map((team, i) => h("li", {}, button(
    [h("span", { class: "score" }, team.score), h("span", { class: "names" }, team.options.map(plate))],
    () => turn(i + 1), { "aria-label": `Team ${i + 1}, score ${team.score}: ${team.options.join(", ")}` }))));
}

function say() {
  counted.textContent = found ? verdict() : "";
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function verdict() {
  const what = state.side === "defense" ? "teams" : "sets of attacks";
  const parts = found.why ? [sentence(found.why), found.partial.length ? "This is the best that can be done." : ""] : [];
  if (state.team.length && found.solutions.length) parts.push(`The best scores ${found.solutions[0].score}.`);
  if (found.count && !found.why) {
    const sizes = Object.entries(found.count.by_size || {}).map(([size, n]) => `${number(n)} of ${size}`);
    parts.push(`${found.count.bound === "=" ? "" : "At least "}${number(found.count.total)} ${what}${sizes.length ? `: ${sizes.join(", ")}` : ""}.`);
  }
  if (running) parts.push("Still searching…");
  else if (found.claim) parts.push(sentence(found.claim));
  parts.push(`${number(found.nodes)} nodes in ${found.seconds.toFixed(2)} s.`);
  return parts.filter(Boolean).join(" ");
}

/** Shows the team of the state: one's own, or the one at its place in the ranking. */
async function look() {
  const teams = best_of(found);
  const team = teams[place_of(teams) - 1];
  const picks = state.team.length ? state.team : team?.options || [];
  stand(teams, team);
  const key = JSON.stringify([meeting(), picks, state.team.length > 0, found?.why]);
  if (key === shown) return;
  shown = key;
  if (!picks.length) {
    for (const place of [radial, members, multipliers]) fill(place);
    if (found?.why) fill(radial, h("p", { class: "none" }, sentence(found.why)));
    if (found) radial.removeAttribute("aria-busy");
    return;
  }
  try {
    await looking(async (signal) => {
      const seen = await get("pokemon/team", { ...meeting(), picks }, { signal });
      field.wrong(adding.team);
      draw(seen);
    });
  } catch (wrong) {
    shown = null;
    const added = state.team.at(-1);
    state.team = state.team.length ? kept : [];
    if (state.team.length) adding.team.value = added; // and the team is as it was
    else nothing(wrong);
    save();
    refuse(wrong);
  }
}

/** The place that is asked for, or the last there is: more teams may be on their way. */
function place_of(teams) {
  return Math.max(1, Math.min(state.n, teams.length));
}

/** What a team comes to, in a few words. */
function worth(gone, score) {
  const items = found?.items.length;
  const verb = state.side === "defense" ? "Resists" : "Hits hard:";
  const kinds = state.side === "defense" ? "types" : "defenders";
  if (!gone.length) return `${verb} all${items ? ` ${items}` : ""} ${kinds} · score ${score}`;
  const some = gone.length > 3 ? `${gone.slice(0, 3).join(", ")} and ${gone.length - 3} more` : gone.join(", ");
  return `${verb} all but ${some} · score ${score}`;
}

/** Where the team stands: what it is worth, and its place in the ranking. */
function stand(teams, team) {
  const mine_ = state.team.length > 0;
  const n = place_of(teams);
  back.disabled = mine_ || n <= 1;
  next.disabled = mine_ || n >= teams.length;
  for (const [i, item] of [...listing.children].entries()) {
    const here = !mine_ && i === n - 1;
    if (here) item.firstChild.setAttribute("aria-current", "true");
    else item.firstChild.removeAttribute("aria-current");
  }
  if (!mine_ && team) {
    const shared = found.rank === "stacked" ? ` · ${team.stacked || "no"} shared weakness${team.stacked === 1 ? "" : "es"}` : "";
    fill(standing, h("strong", {}, worth(team.missing || [], team.score)), h("span", { class: "soft" }, `${n} of ${teams.length} listed${shared}`));
  } else if (!mine_) {
    fill(standing, h("strong", {}, found?.why ? "No team" : "Searching…"));
  }
  fill(own, mine_ ? button("Back to the best", () => ask({ team: [] }), { class: "quiet" })
    : team ? button("Change this team", () => ask({ team: team.options }), { class: "quiet" }) : null,
  sharing());
}

/** Picture, members and table of a team. */
function draw(seen) {
  const mine_ = state.team.length > 0;
  radial.removeAttribute("aria-busy");
  fill(radial, svg(seen.svg));
  kept = mine_ ? state.team : [];
  if (mine_) {
    fill(standing, h("strong", {}, worth(seen.missing, seen.score)), h("span", { class: "soft" }, "your team"));
  }
  fill(members, seen.options.map((name, i) => h("li", {}, h("span", { class: "who" }, plate(name), who(seen.pokemon[name])), h("span", { class: "row" }, mine_
    ? button("Leave out", () => ask({ team: seen.options.filter((_, k) => k !== i) }), { class: "quiet", "aria-label": `Leave out ${name}`, disabled: seen.options.length < 2 })
    : [mark("pin", "Pin", name), mark("ban", "Ban", name)]))),
  mine_ ? h("li", { class: "add" }, field("Add", adding.team)) : null);
  const shared = Object.entries(seen.stacked).map(([type, more]) => `${type}${more > 1 ? ` (${more})` : ""}`);
  fill(multipliers, shared.length ? h("p", { class: "soft" }, `More members are weak to these than resist them: ${shared.join(", ")}.`) : null, table(seen),
    h("p", { class: "soft" }, seen.side === "defense"
      ? "The score adds up the best that a member does against each type: 1 for no damage, 2 a quarter, 3 a half, 4 full, 5 double, 6 fourfold. Low is good."
      : "The score adds up the best that an attack does to each defender: 1 for no damage, 2 a quarter, 3 a half, 4 full, 5 double, 6 fourfold. High is good."));
}

/** A Pokémon of a kind, and the others on demand. */
function who(names) {
  if (names.length < 2) return h("span", { class: "soft" }, names[0] || "");
  return h("details", { class: "names soft" }, h("summary", {}, `${names[0]} and ${names.length - 1} more`), names.slice(1).join(", "));
}

/** A button that pins or bans a member. */
function mark(list, word, name) {
  const on = state[list].includes(name);
  return button(word, () => ask({ [list]: on ? state[list].filter((each) => each !== name) : [...state[list], name] }),
    { class: "quiet", "aria-label": `${word} ${name}`, "aria-pressed": String(on) });
}

function table(told) {
  const defends = told.side === "defense";
  const best = defends ? Math.min : Math.max;
  const missing = new Set(told.missing);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Multipliers" },
    h("table", {}, h("caption", { class: "unseen" }, "What each of the team does against everything that is met"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "text" }, defends ? "Attack" : "Defender"),
        told.options.map((name) => h("th", { scope: "col" }, plate(name))), h("th", { scope: "col" }, "Best"))),
      h("tbody", {}, Object.entries(told.multipliers).map(([item, row]) => {
        const factors = told.options.map((name) => row[name]);
        return h("tr", { class: missing.has(item) ? "missing" : "" }, h("th", { scope: "row" }, plate(item)),
          [...factors, best(...factors)].map((factor, i) => h("td", { class: look_of(factor, defends, i === factors.length) }, SIGNS[factor] || `×${factor}`)));
      }))));
}

/** The class of a cell: how good a multiplier is for the side that asks. */
function look_of(factor, defends, last) {
  const good = defends ? factor < 1 : factor > 1;
  const strong = factor <= 0.25 || factor >= 4;
  const look = factor === 1 ? "plain" : `${good ? "good" : "bad"}${strong ? " strong" : ""}`;
  return `${look}${last ? " last" : ""}`;
}

/** A name on the colours of its types, with an ability beside it. */
function plate(name) {
  const [types, ability] = name.split("+");
  const made = h("span", { class: "plate" }, types.split("-").map((type) => h("span", { class: `t-${type.toLowerCase()}` }, type)));
  return ability ? h("span", { class: "with" }, made, h("span", { class: "ability" }, ability)) : made;
}

/** Types on their colours, and the names of Pokémon as they are. */
function named(name) {
  const types = name.split("+")[0].split(/[-/]/).map((each) => each.trim().toLowerCase());
  return types.every((each) => TYPES.has(each)) ? plate(name) : name;
}

function turn(n) {
  Object.assign(state, { n, team: [] });
  save();
  say();
  look();
  const team = best_of(found)[n - 1];
  if (team) announce(`Score ${team.score}: ${team.options.join(", ")}`);
}

function step(by) {
  const teams = best_of(found), n = place_of(teams) + by;
  if (!state.team.length && n >= 1 && n <= teams.length) turn(n);
}

// ---- the page ----------------------------------------------------------------------------------

const result = h("div", { class: "stack result" },
  h("section", { class: "card stack", "aria-label": "A team" },
    h("div", { class: "steps" }, back, standing, next),
    counted,
    h("div", { class: "drawn" }, radial, members), own),
  multipliers);
const question = h("details", { class: "ask" }, asked, form());
const wide = matchMedia("(min-width: 56rem)");
wide.addEventListener("change", () => { question.open ||= wide.matches; });
question.open = wide.matches;
app().append(h("div", { class: "asked" }, question, result, ranking));
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});
query.onback(() => {
  const before = JSON.stringify(state);
  Object.assign(state, query.read(USUAL));
  if (JSON.stringify(state) === before) return;
  fillForm();
  unfold();
  where();
  suggest();
  answer();
});
ranking.hidden = true;
fillForm();
unfold();
where();
suggest();
answer();
if (state.team.length) look();
