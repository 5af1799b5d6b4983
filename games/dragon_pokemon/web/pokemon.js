// Pokémon: the question on one side, a team with its picture and its table on the other.
import { app, h, fill, get, stream, query, field, select, button, notice, announce, sharing, number, svg, latest, debounce } from "/static/dragon.js";

const USUAL = { gen: 9, side: "defense", mode: "best", among: "minimal", locations: [], pin: [], ban: [], limit: 0, combos: "all", data: "true", n: 1, team: [] };
const LISTED = 60, TIMED = 10;
const SIGNS = { 0: "×0", 0.25: "×¼", 0.5: "×½", 1: "·", 2: "×2", 4: "×4" };
const MODES = [["best", "The best, not counted"], ["exact", "Each type exactly once"], ["minimal", "Nobody to spare"],
  ["all", "Every set that covers"], ["overlapping", "The original program's"]];
const COMBOS = [["all", "All that exist"], ["obtainable", "Obtainable in the games"], ["without-megas", "Without Megas"]];
const DATA = [["true", "True"], ["original", "The original program's"]];

const state = query.read(USUAL);
const asking = latest(), looking = latest();
let places = [], found = null, shown = null;

// ---- the question ------------------------------------------------------------------------------

const controls = {
  gen: select(Array.from({ length: 9 }, (_, i) => [String(i + 1), `Generation ${i + 1}`]), "9", (gen) => ask({ gen: Number(gen), locations: [], pin: [], ban: [] })),
  side: select([["defense", "Resist attacks"], ["attack", "Hit defenders"]], "defense", (side) => ask({ side, pin: [], ban: [], limit: 0 })),
  mode: select(MODES, "best", (mode) => ask({ mode, among: "minimal" })),
  among: select([["minimal", "teams with nobody to spare"], ["all", "all teams"]], "minimal", (among) => ask({ among })),
  limit: h("input", { type: "number", min: 1, max: 24, oninput: debounce(() => ask({ limit: Number(controls.limit.value) || 0 })) }),
  combos: select(COMBOS, "all", (combos) => ask({ combos })),
  data: select(DATA, "true", (data) => ask({ data })),
};
const among = field("Best of", controls.among);
const adding = { pin: adder("pin"), ban: adder("ban"), team: adder("team") };
const chosen = { pin: h("ul", { class: "chips", "aria-label": "Pinned" }), ban: h("ul", { class: "chips", "aria-label": "Banned" }) };
const locations = h("div", { class: "places" });
const told = h("summary", {}, "Where");
const known = h("datalist", { id: "options" });
const refused = h("div");

/** A field that takes the name of an option, and gives it to a list of the state. */
function adder(list) {
  const control = h("input", { list: "options", autocomplete: "off", autocapitalize: "words", spellcheck: "false", placeholder: "Fire-Steel" });
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
  return h("form", { class: "card stack question", "aria-label": "Question", onsubmit: (event) => event.preventDefault() },
    h("div", { class: "fields" }, field("Games", controls.gen), field("Side", controls.side), field("Which", controls.mode), among),
    h("details", { open: state.locations.length > 0 }, told, locations),
    h("details", { open: state.pin.length + state.ban.length > 0 }, h("summary", {}, "Pins and bans"),
      h("div", { class: "stack" },
        field("Must be in", adding.pin), chosen.pin, field("Must not", adding.ban), chosen.ban)),
    h("details", { open: state.limit > 0 || state.combos !== "all" || state.data !== "true" }, h("summary", {}, "More"),
      h("div", { class: "fields" }, field("At most", controls.limit), field("Combinations", controls.combos), field("Tables", controls.data))),
    known, refused);
}

/** Takes changes of the question, shows them in the form, and asks. */
function ask(changes) {
  const own = "team" in changes;
  Object.assign(state, own ? {} : { n: 1, team: [] }, changes);
  const moved = "gen" in changes;
  save(true);
  fillForm();
  if (moved) where();
  if (own) look();
  if (own && found) counted.textContent = verdict();
  else answer();
}

function save(push = false) {
  query.write(state, USUAL, push);
}

function fillForm() {
  for (const [name, control] of Object.entries(controls)) {
    if (name === "limit") control.value = state.limit || "";
    else control.value = String(state[name]);
    field.wrong(control);
  }
  controls.limit.placeholder = state.side === "defense" ? "6" : "24";
  among.hidden = state.mode !== "best";
  for (const list of ["pin", "ban"]) {
    field.wrong(adding[list]);
    const marks = { pin: "Unpin", ban: "Allow" };
    fill(chosen[list], state[list].map((name) => h("li", {}, button([plate(name), " ✕"],
      () => ask({ [list]: state[list].filter((each) => each !== name) }), { "aria-label": `${marks[list]} ${name}` }))));
    chosen[list].hidden = !state[list].length;
  }
  tellWhere();
}

function tellWhere() {
  const count = state.locations.length;
  told.textContent = count ? `Where: ${state.locations.join(", ")}` : "Where: everywhere";
}

/** The gyms, trials and leagues of the generation, by region. */
async function where() {
  try {
    places = (await get("pokemon/locations", { gen: state.gen })).locations;
  } catch (wrong) {
    fill(locations, notice(wrong));
    return;
  }
  const regions = [...new Set(places.map((place) => place.region))];
  fill(locations, regions.map((region) => h("fieldset", {}, h("legend", {}, region),
    places.filter((place) => place.region === region).map((place) =>
      h("label", { class: "check" }, h("input", {
        type: "checkbox", value: place.name, checked: state.locations.includes(place.name), onchange: pick,
      }), place.name)))));
}

function pick() {
  ask({ locations: [...locations.querySelectorAll("input:checked")].map((each) => each.value) });
}

/** Marks the control that a refusal is about. */
function refuse(wrong) {
  const by = { ...controls, pin: adding.pin, ban: adding.ban, picks: adding.team };
  const rest = (wrong.problems || []).filter((each) => {
    const control = by[(each.field || "").split("[")[0]];
    if (control) {
      field.wrong(control, each.message);
      const folded = control.closest("details");
      if (folded) folded.open = true;
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
const counted = h("p", { class: "soft counted figures", "aria-live": "polite" });
const radial = h("figure", { class: "radial", "aria-busy": "true" });
const members = h("ul", { class: "members", "aria-label": "The team" });
const multipliers = h("div", { class: "multipliers" });
const listing = h("ol", { class: "ranking figures" });
const listed = h("summary", {}, "The ranking");
const ranking = h("details", { class: "card rank" }, listed, listing);
const own = h("div", { class: "row own" });

/** What the server is asked: the state, without what is only shown. */
function meeting() {
  return { gen: state.gen, side: state.side, data: state.data, combos: state.combos, locations: state.locations };
}

async function answer() {
  fill(refused);
  const asked = { ...meeting(), pin: state.pin, ban: state.ban, limit: state.limit || null, mode: state.mode, among: state.among, top: LISTED, seconds: TIMED };
  counted.textContent = "Searching…";
  try {
    await asking(async (signal) => {
      let first = true;
      for await (const each of stream("pokemon/cover", asked, { signal, onnote: (told) => { counted.textContent = told; } })) {
        found = each;
        if (first) fill(known, each.options.map((name) => h("option", { value: name })));
        first = false;
        rank();
        if (!state.team.length) look();
      }
      announce(verdict());
    });
  } catch (wrong) {
    found = null;
    counted.textContent = "";
    rank();
    refuse(wrong);
  }
}

/** The count, how sure it is, and the ranking. */
function rank() {
  const teams = found?.solutions || [];
  counted.textContent = found ? verdict() : "";
  listed.textContent = `The ranking: ${number(teams.length)} listed`;
  ranking.hidden = !teams.length;
  fill(listing, teams.map((team, i) => h("li", {}, button(
    [h("span", { class: "score" }, team.score), h("span", { class: "names" }, team.options.map(plate))],
    () => turn(i + 1), { "aria-label": `Team ${i + 1}, score ${team.score}: ${team.options.join(", ")}` }))));
}

function verdict() {
  if (found.why) return `${found.why[0].toUpperCase()}${found.why.slice(1)}.`;
  const what = state.side === "defense" ? "teams" : "sets of attacks";
  const parts = state.team.length && found.solutions.length ? [`The best scores ${found.solutions[0].score}.`] : [];
  if (found.count) {
    const sizes = Object.entries(found.count.by_size || {}).map(([size, n]) => `${number(n)} of ${size}`);
    parts.push(`${found.count.bound === "=" ? "" : "At least "}${number(found.count.total)} ${what}${sizes.length ? `: ${sizes.join(", ")}` : ""}.`);
  }
  if (found.bound === "=") parts.push(found.solutions.length ? "Proven: there is no better one." : "");
  else parts.push("Not all was searched: there may be better ones.");
  parts.push(`${number(found.nodes)} nodes in ${found.seconds.toFixed(2)} s.`);
  return parts.filter(Boolean).join(" ");
}

/** Shows the team of the state: one's own, or the one at its place in the ranking. */
async function look() {
  const teams = found?.solutions || [];
  const team = teams[place_of(teams) - 1];
  const picks = state.team.length ? state.team : team?.options || [];
  stand(teams, team);
  const key = JSON.stringify([meeting(), picks, state.team.length > 0, found?.why]);
  if (key === shown) return;
  shown = key;
  if (!picks.length) {
    for (const place of [radial, members, multipliers]) fill(place);
    if (found?.why) fill(radial, h("p", { class: "none" }, `${found.why[0].toUpperCase()}${found.why.slice(1)}.`));
    if (found) radial.removeAttribute("aria-busy");
    return;
  }
  try {
    await looking(async (signal) => {
      const told = await get("pokemon/team", { ...meeting(), picks }, { signal });
      field.wrong(adding.team);
      draw(told);
    });
  } catch (wrong) {
    shown = null;
    refuse(wrong);
  }
}

/** The place that is asked for, or the last there is: more teams may be on their way. */
function place_of(teams) {
  return Math.max(1, Math.min(state.n, teams.length));
}

/** Where the team stands: its score, and among how many that are as good. */
function stand(teams, team) {
  const mine = state.team.length > 0;
  const n = place_of(teams);
  back.disabled = mine || n <= 1;
  next.disabled = mine || n >= teams.length;
  for (const [i, item] of [...listing.children].entries()) {
    const here = !mine && i === n - 1;
    if (here) item.firstChild.setAttribute("aria-current", "true");
    else item.firstChild.removeAttribute("aria-current");
  }
  if (!mine && team) {
    const equal = teams.filter((each) => each.score === team.score);
    const more = teams.at(-1).score === team.score && teams.length >= LISTED;
    fill(standing, h("strong", {}, `Score ${team.score}`), h("span", { class: "soft" },
      equal.length > 1 || more ? `${equal.indexOf(team) + 1} of ${more ? "at least " : ""}${equal.length} as good` : "nobody else as good",
      ` · ${n} of ${teams.length}`));
  } else if (!mine) {
    fill(standing, h("strong", {}, found ? "No team" : " "));
  }
  fill(own, mine ? button("Back to the best", () => ask({ team: [] }), { class: "quiet" })
    : team ? button("Change this team", () => ask({ team: team.options }), { class: "quiet" }) : null,
  sharing());
}

/** Picture, members and table of a team. */
function draw(told) {
  const mine = state.team.length > 0;
  const drawn = svg(told.svg);
  radial.removeAttribute("aria-busy");
  fill(radial, drawn);
  if (mine) {
    fill(standing, h("strong", {}, `Score ${told.score}`), h("span", { class: "soft" },
      told.covers ? "your team, and it covers everything" : `your team; missing: ${told.missing.join(", ")}`));
  }
  fill(members, told.options.map((name) => h("li", {}, plate(name), h("span", { class: "row" }, mine
    ? button("Leave out", () => ask({ team: state.team.filter((each) => each !== name) }), { class: "quiet", "aria-label": `Leave out ${name}`, disabled: told.options.length < 2 })
    : [mark("pin", "Pin", name), mark("ban", "Ban", name)]))),
  mine ? h("li", { class: "add" }, field("Add", adding.team)) : null);
  fill(multipliers, table(told));
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
          [...factors, best(...factors)].map((factor, i) => h("td", { class: look_of(factor, defends, i === factors.length) }, SIGNS[factor])));
      }))));
}

/** The class of a cell: how good a multiplier is for the side that asks. */
function look_of(factor, defends, last) {
  const good = defends ? factor < 1 : factor > 1;
  const strong = factor === 0 || factor === 0.25 || factor === 4;
  const look = factor === 1 ? "plain" : `${good ? "good" : "bad"}${strong ? " strong" : ""}`;
  return `${look}${last ? " last" : ""}`;
}

/** A name on the colours of its types. */
function plate(name) {
  return h("span", { class: "plate" }, name.split("-").map((type) => h("span", { class: `t-${type.toLowerCase()}` }, type)));
}

function turn(n) {
  Object.assign(state, { n, team: [] });
  save();
  if (found) counted.textContent = verdict();
  look();
  const team = found?.solutions[n - 1];
  if (team) announce(`Score ${team.score}: ${team.options.join(", ")}`);
}

function step(by) {
  const n = place_of(found?.solutions || []) + by;
  if (!state.team.length && n >= 1 && n <= (found?.solutions.length || 0)) turn(n);
}

// ---- the page ----------------------------------------------------------------------------------

app().append(h("div", { class: "asked" },
  form(),
  h("div", { class: "stack result" },
    h("section", { class: "card stack", "aria-label": "A team" },
      h("div", { class: "steps" }, back, standing, next),
      h("div", { class: "drawn" }, radial, members), own),
    counted, multipliers),
  ranking));
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
  where();
  answer();
});
ranking.hidden = true;
fillForm();
where();
answer();
if (state.team.length) look();
