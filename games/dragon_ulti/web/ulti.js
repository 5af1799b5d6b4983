// Ulti: deals with open cards solved, and what to bid when they are closed. The address holds it all.
import { app, h, query } from "/static/dragon.js";
import { open } from "./open.js";
import { closed } from "./closed.js";
import { LANGUAGE, t, turned } from "./words.js";

const FIRST = "0070605040300173727021213323322232414341510112021303125263536";
const USUAL = { view: "open", deal: FIRST, contract: "", trump: "", rules: "real", free: false, played: "", at: 0,
  hand: "HA HX HK HO H7 LA LX AA A8 B9", bids: "", only: "", discard: "", holds: "", marriages: true, samples: 200, games: 0 };
const OF = { open: ["deal", "contract", "trump", "rules", "free", "marriages", "played", "at"],
  closed: ["hand", "bids", "only", "discard", "holds", "marriages", "samples", "games", "rules"] };
const state = query.read(USUAL);
if (!OF[state.view]) state.view = "open";
if (state.deal === FIRST && !state.contract) state.contract = "ulti";

/** Of the address only what the view is about: the other's part would make links long. */
function save(push = false) {
  const kept = Object.fromEntries(["view", ...OF[state.view]].map((name) => [name, state[name]]));
  query.write({ ...kept, language: LANGUAGE }, { ...USUAL, deal: "", language: "en" }, push);
}

const views = { open: open(state, save) };
views.closed = closed(state, save, () => views.open.hand);
const started = new Set();
const tabs = Object.entries({ open: t("Open cards"), closed: t("A closed hand") }).map(([name, text]) =>
  h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}`, onclick: () => turn(name, true) }, text));

function turn(name, push = false) {
  state.view = name;
  for (const [each, view] of Object.entries(views)) {
    const here = each === name;
    view.place.hidden = !here;
    const tab = tabs.find((one) => one.id === `tab-${each}`);
    tab.setAttribute("aria-selected", String(here));
    tab.tabIndex = here ? 0 : -1;
  }
  save(push);
  if (!started.has(name)) views[name].start();
  started.add(name);
}

const list = h("div", { class: "tabs", role: "tablist", "aria-label": t("Open or closed cards") }, tabs);
list.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  turn(state.view === "open" ? "closed" : "open", true);
  tabs.find((each) => each.tabIndex === 0).focus();
  event.preventDefault();
});
for (const [name, view] of Object.entries(views)) {
  view.place.id = `view-${name}`;
  view.place.setAttribute("role", "tabpanel");
  view.place.setAttribute("aria-labelledby", `tab-${name}`);
}
const other = LANGUAGE === "hu" ? ["en", "In English"] : ["hu", "Magyarul"];
const place = app();
place.lang = LANGUAGE;
const lead = document.querySelector(".lead");
lead.lang = LANGUAGE;
lead.textContent = t(lead.textContent);
place.append(h("div", { class: "row top-row" }, list, h("button", { type: "button", class: "quiet", lang: other[0], onclick: () => turned(other[0]) }, other[1])),
  views.open.place, views.closed.place);
turn(state.view);
query.onback(() => location.reload());
