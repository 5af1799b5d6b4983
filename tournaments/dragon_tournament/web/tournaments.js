// Tournaments: the shelf, or one of them, live while it is being played.
import { app, shown, h, s, fill, get, query, button, download, notice, announce, sharing, number, latest } from "/static/dragon.js";

const USUAL = { name: "" };
const NEWS = 2000, QUIET = 15000; // milliseconds between two looks, while something runs and else
const STATES = { running: "being played", finished: "finished", stopped: "not finished" };

const asking = latest();
const place = app({ later: true });
const list = h("div");
let state = query.read(USUAL), timer = 0, played = -1;

// ---- the shelf ---------------------------------------------------------------------------------

const FILE = `games = 10

[game]
name = "nex"
rows = 3
cols = 3

[[player]]
search = "alphabeta"

[[player]]
search = "mcts"
limit = { simulations = 1000 }
`;

/** How a tournament is started: a file that can be had here, and a command. */
function starting() {
  const save = button("Save first.toml", () => download("first.toml", FILE));
  return h("details", { class: "card" }, h("summary", {}, "How to start a tournament"), h("div", { class: "stack" },
    h("p", {}, "A file says which game is played, by whom, and how often. This one lets two searches play Nex; it takes some seconds:"),
    h("pre", { tabindex: "0" }, FILE), h("div", {}, save),
    h("p", {}, "Play it in the folder where the server was started, and it is here while it runs:"),
    h("pre", { tabindex: "0" }, "dragon tournament first.toml"),
    h("p", { class: "soft" }, "Another folder is shown by ", h("code", {}, "dragon serve --results DIR"), "; other games and players are on the page ", h("a", { href: "/games" }, "Games"), ".")));
}

const how = starting();

/** All tournaments; how to start one stays as it was left, open where there is none. */
function shelf(listing) {
  const rows = listing.tournaments;
  fill(list, rows.length ? listed(rows) : h("p", {}, "Nothing has been played yet."));
  if (list.isConnected) return;
  how.open = !rows.length;
  fill(place, h("div", { class: "stack" }, list, how));
}

function listed(rows) {
  return h("ul", { class: "cards" }, rows.map((each) => h("li", {}, h("a", { class: "card entry", href: query.text({ name: each.name }, USUAL) },
    h("h2", {}, each.title), h("p", { class: "row" }, mark(each), h("span", { class: "soft" }, when(each.changed))),
    course(each), h("p", { class: "soft figures" }, facts(each).join(" · "))))));
}

function mark(each) {
  return h("span", { class: `tag ${each.state}` }, STATES[each.state]);
}

/** How far it is, as a bar; room for it is kept where the end is not known. */
function course(each) {
  const part = each.planned ? Math.min(1, each.played / each.planned) : each.state === "finished" ? 1 : 0;
  return h("div", {
    class: "course", role: "progressbar", "aria-label": "Games played", "aria-valuemin": 0,
    "aria-valuemax": each.planned || each.played, "aria-valuenow": each.played, css: { "--part": String(part) },
  });
}

function facts(each) {
  const solo = each.referee === "race" || each.referee === "estimate";
  const what = solo ? "instance" : "game";
  const count = each.planned && each.planned > each.played ? `${number(each.played)} of ${number(each.planned)} ${what}s` : `${number(each.played)} ${what}${each.played === 1 ? "" : "s"}`;
  return [count, each.players ? `${each.players} ${solo ? "solvers" : "players"}` : "", solo ? each.referee : each.format, each.game].filter(Boolean);
}

function when(text) {
  const seconds = (Date.now() - new Date(text)) / 1000;
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (seconds < 60) return "just now";
  if (seconds < 3600) return words.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86400) return words.format(-Math.round(seconds / 3600), "hour");
  return words.format(-Math.round(seconds / 86400), "day");
}

// ---- one of them -------------------------------------------------------------------------------

const head = h("section", { class: "card stack head", "aria-label": "How far it is" });
const body = h("div", { class: "stack" });

function heading(each) {
  fill(head,
    h("p", { class: "crumb" }, h("a", { href: location.pathname }, "← All tournaments")),
    h("div", { class: "row between" }, h("h2", {}, each.title), mark(each)),
    course(each),
    h("div", { class: "row between" }, h("p", { class: "soft figures", role: "status" }, facts(each).join(" · "), ` · ${when(each.changed)}`),
      h("div", { class: "row" },
        each.played ? h("a", { class: "button", href: `/api/tournaments/report?${new URLSearchParams({ name: each.name })}`, target: "_blank", rel: "noopener" }, "The report, with games to replay") : null,
        sharing())));
}

function sections(report) {
  if (!report.played) return [notice("No game has ended yet; the standings come with the first one.")];
  const parts = Object.entries(report.tables).map(([name, table]) => {
    if (name === "which") return which(report.race, table);
    return section(table.title, name === "rounds" ? rounds(report.event) : drawn(table));
  });
  return [
    report.sprt ? sprt(report.sprt) : null,
    ...parts,
    report.happenings.length ? section("On the way", h("ul", {}, report.happenings.map((each) => h("li", {}, each.told)))) : null,
    h("p", { class: "soft" }, said(report)),
  ].flat().filter(Boolean);
}

function section(title, ...content) {
  return h("section", { class: "stack part" }, h("h2", {}, title), content);
}

function points(value) {
  return Number(value.toFixed(2)).toLocaleString("en");
}

/** A table as the server describes it: texts, marks and notes; dragon_tournament/report/table.py makes it. */
function drawn(table) {
  const shaded = table.rows.some((row) => row.some((cell) => cell.shade));
  const content = (cell) => [cell.text ?? cell, cell.note ? h("small", {}, cell.note) : null];
  const head = table.columns.map((each, i) => h("th", { scope: "col", class: each.left || !i ? "text" : "" }, each.text));
  const body = table.rows.map(([first, ...rest], n) => h("tr", {},
    h("th", { scope: "row" }, table.numbered ? `${n + 1}. ` : "", content(first)),
    rest.map((cell, i) => cell.bar ? h("td", { class: "plot" }, bar(...cell.bar))
      : h("td", { class: cell.style || (table.columns[i + 1].left ? "text" : ""), css: cell.shade ? { "--a": cell.shade } : {} }, content(cell)))));
  return [h("div", { class: shaded ? "scroll cross" : "scroll", tabindex: "0", role: "region", "aria-label": table.title },
    h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, body))),
  [table.note, table.more].filter(Boolean).map((text) => h("p", { class: "soft" }, text))];
}

/** An estimate as a dot with its interval, on the scale of all rows. */
function bar(low, middle, high, zero) {
  const at = (value) => `${(100 * value).toFixed(2)}%`;
  return s("svg", { class: "bar", width: "100%", height: 20, "aria-hidden": "true" },
    s("line", { x1: at(zero), x2: at(zero), y1: 0, y2: 20, class: "zero" }),
    s("line", { x1: at(low), x2: at(high), y1: 10, y2: 10, class: "whisker" }),
    s("circle", { cx: at(middle), cy: 10, r: 4.5 }));
}

function rounds(event) {
  const stages = event.rounds.map((round, i) => h("div", { class: "round" }, h("h3", {}, `Round ${event.titles[i]}`),
    h("ul", {}, round.map((match) => h("li", {}, match.players.map((name, j) => {
      const best = match.points[j] === Math.max(...match.points) && Math.min(...match.points) < match.points[j];
      return h("span", { class: best ? "pair best" : "pair" }, h("span", {}, name), h("span", { class: "figures" }, points(match.points[j])));
    }))))));
  return h("div", { class: "rounds", tabindex: "0", role: "region", "aria-label": "Rounds" }, stages);
}

function sprt(test) {
  const part = Math.max(0, Math.min(1, (test.llr - test.lower) / (test.upper - test.lower)));
  const words = { H1: `The first is stronger by ${test.elo1} Elo or more.`, H0: `The first is not stronger by ${test.elo1} Elo.` };
  return section("The test", h("p", {}, test.accepted ? words[test.accepted] || `Accepted: ${test.accepted}.` : test.ended ? `Undecided: ${test.ended}.` : "Undecided so far."),
    h("div", { class: "test", css: { "--part": String(part) }, role: "img", "aria-label": `Log-likelihood ratio ${test.llr.toFixed(2)}, between ${test.lower.toFixed(2)} and ${test.upper.toFixed(2)}` }),
    h("p", { class: "soft figures row between" }, h("span", {}, test.lower.toFixed(2)), h("span", {}, `log-likelihood ratio ${test.llr.toFixed(2)}`), h("span", {}, test.upper.toFixed(2))));
}

function seconds(value) {
  if (value === null) return "–";
  return value < 0.001 ? `${Math.round(value * 1e6)} µs` : value < 1 ? `${number(value * 1000, 3)} ms` : `${number(value, 3)} s`;
}

function which(race, table) {
  return [
    section("Which solver", race.verdict.map((line) => h("p", {}, line)), drawn(table)),
    race.solvers.some((each) => each.cactus.length) ? section("How many are solved, and when", cactus(race)) : null,
  ];
}

/** Steps: so many instances solved by a time, on a scale of powers of ten. */
function cactus(report) {
  const times = report.solvers.flatMap((each) => each.cactus).filter((t) => t > 0);
  if (!times.length) return null;
  const wide = 720, high = 260, left = 34, low = 26;
  const from = Math.floor(Math.log10(Math.min(...times))), to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...times))));
  const most = report.instances.length;
  const x = (t) => left + (wide - left - 8) * ((Math.log10(Math.max(t, 10 ** from)) - from) / (to - from));
  const y = (n) => 8 + (high - low - 8) * (1 - n / most);
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const lines = report.solvers.map((each, i) => {
    let path = `M${left} ${y(0)}`;
    each.cactus.forEach((t, n) => { path += `H${x(t).toFixed(1)}V${y(n + 1).toFixed(1)}`; });
    return s("path", { d: `${path}H${wide - 8}`, class: `k${i % 8}`, fill: "none", "stroke-width": 2.5, "stroke-linejoin": "round" });
  });
  return h("figure", { class: "card" }, s("svg", { viewBox: `0 0 ${wide} ${high}`, class: "chart", role: "img", "aria-label": "How many instances each solver has solved, over time" },
    ticks.map((power) => [s("line", { x1: x(10 ** power), x2: x(10 ** power), y1: 8, y2: high - low, class: "grid" }),
      s("text", { x: x(10 ** power), y: high - 8, "text-anchor": "middle" }, seconds(10 ** power))]).flat(),
    [0, most].map((n) => s("text", { x: left - 8, y: y(n) + 4, "text-anchor": "end" }, n)), lines),
  h("figcaption", {}, h("ul", { class: "key" }, report.solvers.map((each, i) => h("li", {}, s("svg", { viewBox: "0 0 20 8", width: 20, height: 8, "aria-hidden": "true" }, s("line", { x1: 0, x2: 20, y1: 4, y2: 4, class: `k${i % 8}`, "stroke-width": 3 })), each.name)))));
}

function said(report) {
  const early = Object.entries(report.reasons).filter(([reason]) => reason !== "terminal").map(([reason, n]) => `${number(n)} ${reason}`);
  const parts = [];
  if (early.length) parts.push(`Games that did not go to the end: ${early.join(", ")}.`);
  parts.push(...report.notes);
  if (report.version) parts.push(`Played by dragon ${report.version}.`);
  return parts.join(" ");
}

// ---- looking again -----------------------------------------------------------------------------

async function look() {
  clearTimeout(timer);
  let pause = QUIET;
  try {
    await asking(async (signal) => {
      pause = state.name ? await one(signal) : await all(signal);
    });
  } catch (wrong) {
    fill(place, state.name ? h("p", { class: "crumb" }, h("a", { href: location.pathname }, "← All tournaments")) : null, notice(wrong));
    if (wrong.status === 400) return shown();
  }
  shown();
  timer = setTimeout(look, document.hidden ? QUIET : pause);
}

async function all(signal) {
  const listing = await get("tournaments", {}, { signal });
  const focused = document.activeElement?.getAttribute("href");
  shelf(listing);
  if (focused) place.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  return listing.tournaments.some((each) => each.state === "running") ? NEWS : QUIET;
}

async function one(signal) {
  const far = await get("tournaments/progress", { name: state.name }, { signal });
  const kept = head.contains(document.activeElement);
  if (far.played !== played || head.dataset.state !== far.state || !kept) heading(far);
  head.dataset.state = far.state;
  document.title = `${far.title} · dragon`;
  if (head.parentNode !== place) fill(place, h("div", { class: "stack" }, head, body));
  if (far.played !== played) {
    const report = await get("tournaments/standings", { name: state.name }, { signal });
    const at = window.scrollY;
    fill(body, sections(report));
    window.scrollTo(0, at);
    if (played >= 0 && report.players[0]) announce(`${far.played} games; ${report.players[0].name} leads.`);
    played = far.played;
  }
  return far.state === "running" ? NEWS : QUIET;
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
query.onback(() => { state = query.read(USUAL); played = -1; look(); });
look();
