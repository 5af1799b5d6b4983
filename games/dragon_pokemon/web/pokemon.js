// Pokémon: the question on one side, a team with its picture and its table on the other.
import { app, h, fill, get, stream, query, field, button, announce, sharing, number, svg, latest } from "/static/dragon.js";
import { questionOf } from "./question.js";
import { plate, table, who } from "./team.js";

const USUAL = { gen: 9, side: "defense", mode: "best", among: "all", rank: "score", differ: 0, abilities: false, moves: false, locations: [],
  without: [], evolved: false, monotype: "", base_stats: 0, dex: "", only: [], pin: [], ban: [], limit: 0, combos: "all", data: "true", n: 1, team: [] };
const LISTED = 30, TIMED = 10;
const state = query.read(USUAL);
const asking = latest(), looking = latest();
const form = questionOf(state, USUAL, { ask, outdated, failed });
let found = null, shown = null, running = false, kept = [];

// ---- the question ------------------------------------------------------------------------------

/** Takes changes of the question, shows them in the form, and asks. */
function ask(changes, typed = false) {
  const own = "team" in changes;
  Object.assign(state, own ? {} : { n: 1, team: [] }, changes);
  save(true);
  form.show(typed);
  if ("gen" in changes) form.where();
  if ("gen" in changes || "side" in changes) form.suggest();
  if (own) look();
  if (own && found) say();
  else answer();
}

function save(push = false) {
  query.write(state, USUAL, push);
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

/** The parameters of the request: the state without the settings of the view. */
function meeting() {
  const { gen, side, data, combos, abilities, moves, locations, without, evolved, monotype, base_stats, dex, only, pin, ban } = state;
  return { gen, side, data, combos, abilities, moves, locations, without, evolved, monotype, base_stats, dex, only, pin, ban };
}

/** The answer on the page is out of date: it is dimmed until the next one. */
function stale(is = true) {
  result.classList.toggle("stale", is);
  ranking.classList.toggle("stale", is);
}

/** The input changes: the search in progress is cancelled. */
function outdated() {
  asking(() => null);
  stale();
}

/** Without an answer, the page shows only the reason. */
function failed(wrong) {
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
  form.refuse(wrong);
}

async function answer() {
  form.accept();
  const asked = { ...meeting(), limit: state.limit || null, mode: state.mode, among: state.among, rank: state.rank,
    differ: state.differ || null, top: LISTED, seconds: TIMED };
  stale();
  counted.textContent = "Searching…";
  running = true;
  try {
    await asking(async (signal) => {
      for await (const each of stream("pokemon/cover", asked, { signal, onnote: (note) => { counted.textContent = note; } })) {
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
    failed(wrong);
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
      field.wrong(form.added);
      draw(seen);
    });
  } catch (wrong) {
    shown = null;
    const added = state.team.at(-1);
    state.team = state.team.length ? kept : [];
    save();
    if (!state.team.length) return failed(wrong);
    form.added.value = added; // and the team is as it was
    form.refuse(wrong);
  }
}

/** The place of the ranking that is shown, or the last one so far: more teams may follow. */
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

/** The team's score, and its place in the ranking. */
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
    const shared = found.rank === "stacked" ? ` · ${team.stacked || "no"} shared weakness${team.stacked === 1 ? "" : "es"}` : "";
    fill(standing, h("strong", {}, worth(team.missing || [], team.score)), h("span", { class: "soft" }, `${n} of ${teams.length} listed${shared}`));
  } else if (!mine) {
    fill(standing, h("strong", {}, found?.why ? "No team" : "Searching…"));
  }
  fill(own, mine ? button("Back to the best", () => ask({ team: [] }), { class: "quiet" })
    : team ? button("Change this team", () => ask({ team: team.options }), { class: "quiet" }) : null,
  sharing());
}

/** Picture, members and table of a team. */
function draw(seen) {
  const mine = state.team.length > 0;
  radial.removeAttribute("aria-busy");
  fill(radial, svg(seen.svg));
  kept = mine ? state.team : [];
  if (mine) {
    fill(standing, h("strong", {}, worth(seen.missing, seen.score)), h("span", { class: "soft" }, "your team"));
  }
  fill(members, seen.options.map((name, i) => h("li", {}, h("span", { class: "who" }, plate(name), who(seen.pokemon[name])), h("span", { class: "row" }, mine
    ? button("Leave out", () => ask({ team: seen.options.filter((_, k) => k !== i) }), { class: "quiet", "aria-label": `Leave out ${name}`, disabled: seen.options.length < 2 })
    : [mark("pin", "Pin", name), mark("ban", "Ban", name)]))),
  mine ? h("li", { class: "add" }, field("Add", form.added)) : null);
  const shared = Object.entries(seen.stacked).map(([type, more]) => `${type}${more > 1 ? ` (${more})` : ""}`);
  fill(multipliers, shared.length ? h("p", { class: "soft" }, `More members are weak to these than resist them: ${shared.join(", ")}.`) : null, table(seen),
    h("p", { class: "soft" }, seen.side === "defense"
      ? "The score adds up the best that a member does against each type: 1 for no damage, 2 a quarter, 3 a half, 4 full, 5 double, 6 fourfold. Low is good."
      : "The score adds up the best that an attack does to each defender: 1 for no damage, 2 a quarter, 3 a half, 4 full, 5 double, 6 fourfold. High is good."));
}

/** A button that pins or bans a member. */
function mark(list, word, name) {
  const on = state[list].includes(name);
  return button(word, () => ask({ [list]: on ? state[list].filter((each) => each !== name) : [...state[list], name] }),
    { class: "quiet", "aria-label": `${word} ${name}`, "aria-pressed": String(on) });
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

/** The page of the address. */
function showAll() {
  form.show();
  form.unfold();
  form.where();
  form.suggest();
  answer();
}

// ---- the page ----------------------------------------------------------------------------------

const result = h("div", { class: "stack result" },
  h("section", { class: "card stack", "aria-label": "A team" },
    h("div", { class: "steps" }, back, standing, next),
    counted,
    h("div", { class: "drawn" }, radial, members), own),
  multipliers);
const wide = matchMedia("(min-width: 56rem)");
wide.addEventListener("change", () => { form.element.open ||= wide.matches; });
form.element.open = wide.matches;
app().append(h("div", { class: "asked" }, form.element, result, ranking));
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});
query.onback(() => {
  const before = JSON.stringify(state);
  Object.assign(state, query.read(USUAL));
  if (JSON.stringify(state) === before) return;
  showAll();
});
ranking.hidden = true;
showAll();
if (state.team.length) look();
