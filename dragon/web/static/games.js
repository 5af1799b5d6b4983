// What is installed: games with a picture, puzzles, searches; each with its settings.
import { h, app, shown, get, button, notice, number, picture, field, announce, table } from "./dragon.js";
import { rules } from "./words.js";

const place = app({ later: true });
const KINDS = [
  ["games", "Games", (game) => game.seats !== 1],
  ["puzzles", "Puzzles and plans", (game) => game.seats === 1],
];
const none = h("p", { hidden: true }, "Nothing here has all these words.");
const LIMITS = { depth: "depth", nodes: "nodes", seconds: "time", simulations: "simulations" };

function literal(value) {
  return value === null ? "none" : typeof value === "string" ? `'${value}'` : String(value);
}

function settings(of) {
  if (!of.length) return null;
  return h("details", {}, h("summary", {}, `${of.length} ${of.length === 1 ? "setting" : "settings"}`),
    h("dl", { class: "settings" }, of.map((each) => [
      h("dt", {}, h("code", {}, each.required ? each.name : `${each.name}=${literal(each.default)}`), " ", h("small", {}, each.required ? `${each.type}, must be given` : each.type)),
      h("dd", {}, each.description)])));
}

function seats(game) {
  const words = [game.seats === 1 ? "one seat" : `${game.seats ?? "several"} seats`];
  if (game.traits?.includes("hidden")) words.push("hidden cards");
  if (game.traits?.includes("chance")) words.push("luck");
  return words.join(" · ");
}

/** How strong the players of the ladder are at a game, a table for each size that was played. */
function strengths(game) {
  const played = ladders.filter((each) => each.name === game.name && each.players.length);
  if (!played.length) return null;
  return h("details", { class: "ladder" }, h("summary", {}, "Ladder: who is how strong"),
    h("p", { class: "soft" }, "As many simulations or nodes a move for all, not as much time; Elo with its 95% interval."),
    played.map((each) => [
      h("p", {}, h("code", {}, each.game), ` · ${number(each.games)} games · strong is ${each.strong}`),
      table(["Player", { text: "Elo", right: true }, "Won", "Drawn", "Lost"],
        each.players.map((player) => [player.name, elo(player), player.won, player.drawn, player.lost]), { caption: `Ladder of ${each.game}` })]));
}

function elo({ elo, elo_error: error }) {
  return `${elo < 0 ? "−" : "+"}${Math.abs(Math.round(elo))}${error === null ? "" : ` ± ${Math.round(error)}`}`;
}

function card(game) {
  const own = document.querySelector(`nav a[href="/${CSS.escape(game.name.replaceAll("_", "-"))}"]`);
  const open = game.traits !== null;
  const thumb = h("div", { class: "thumb", "aria-hidden": "true" });
  if (open) waiting.push([game.name, thumb]);
  return h("li", {}, h("section", { class: "card stack entry", id: game.name, "aria-label": game.title },
    open ? thumb : null,
    h("div", {}, h("h3", {}, game.title, anchor(game.name)), h("p", { class: "soft" }, seats(game)), h("p", {}, game.summary), game.aliases.length ? h("p", { class: "soft" }, `Also called ${game.aliases.join(", ")}`) : null),
    h("div", { class: "row" },
      own ? h("a", { class: "button main", href: own.getAttribute("href") }, `${own.textContent} page`) : null,
      open ? h("a", { class: own ? "button" : "button main", href: `/play?game=${game.name}` }, "Play") : null,
      open ? h("a", { class: "button", href: `/analyse?game=${game.name}` }, "Analyse") : null,
      game.how.length ? h("button", { type: "button", onclick: () => rules(game) }, "Rules") : null,
      open ? null : h("p", { class: "soft" }, "On the command line, with a file.")),
    settings(game.parameters), strengths(game)));
}

function search(each) {
  const facts = [each.proves ? "proves" : "estimates", each.needs.length ? `only ${each.needs.join(", ")}` : "", each.excludes.length ? `no ${each.excludes.join(", ")}` : "",
    each.limits.length ? `bounded by ${each.limits.map((limit) => LIMITS[limit] || limit).join(", ")}` : "needs no bound"];
  return h("li", {}, h("section", { class: "card stack entry", id: `search-${each.name}`, "aria-label": each.name },
    h("div", {}, h("h3", {}, h("code", {}, each.name), anchor(`search-${each.name}`)), h("p", {}, each.summary), h("p", { class: "soft" }, facts.filter(Boolean).join(" · "))),
    settings(each.settings)));
}

/** A link to its place on the page. */
function anchor(id) {
  return h("a", { class: "anchor", href: `#${id}`, "aria-label": `Link to ${id.replace("search-", "")}` }, "#");
}

/** Shows the cards in which all words of the text occur; what has none of them is hidden. */
function filter(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const kind of place.querySelectorAll(".kind")) {
    let here = 0;
    for (const each of kind.querySelectorAll("li")) {
      each.hidden = !words.every((word) => each.textContent.toLowerCase().includes(word));
      here += !each.hidden;
    }
    kind.hidden = !here;
    if (kind.localName === "details" && words.length) kind.open = here > 0;
    count += here;
  }
  none.hidden = count > 0;
  if (words.length) announce(`${count} found`);
}

/** The place that the address names, opened where it is folded. */
function arrive() {
  const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!there) return;
  const folded = there.closest("details.kind");
  if (folded) folded.open = true;
  there.scrollIntoView();
}

// Pictures come one after the other, as they come into view: the page does not wait for them.
const waiting = [];
let ladders = [];
const coming = [];
let drawing = false;
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    coming.push(target);
  }
  draw();
}, { rootMargin: "300px" });

async function draw() {
  if (drawing) return;
  drawing = true;
  for (let each = coming.shift(); each; each = coming.shift()) await fillIn(each);
  drawing = false;
}

async function fillIn(thumb) {
  try {
    const { svg } = await get("games/scene", { game: thumb.dataset.game });
    thumb.append(svg ? picture(svg, "") : h("span", { class: "monogram" }, thumb.dataset.game));
  } catch {
    thumb.remove(); // a game whose start needs more than its name
  }
}

try {
  const rated = document.querySelector('nav a[href="/tournaments"]') ? get("tournaments/ladder") : { ladders: [] };
  const [games, searches, ladder] = await Promise.all([get("games"), get("games/searches"), rated]);
  ladders = ladder.ladders;
  const kinds = KINDS.map(([id, name, belongs]) => [id, name, games.games.filter(belongs)]).filter(([, , listed]) => listed.length);
  const sought = h("input", { type: "search", oninput: () => filter(sought.value), autocomplete: "off", spellcheck: "false" });
  place.append(
    h("div", { class: "row seek" }, field("Search for a game or an algorithm", sought),
      h("nav", { "aria-label": "On this page" }, h("ul", { class: "chips" }, [...kinds, ["algorithms", "Algorithms"]].map(([id, name]) => h("li", {}, h("a", { class: "button", href: `#${id}` }, name)))))),
    none,
    ...kinds.map(([id, name, listed]) =>
      h("section", { class: "kind", id, "aria-label": name }, h("h2", {}, `${name} `, h("small", {}, number(listed.length))),
        h("ul", { class: "cards" }, listed.map(card)))),
    h("details", { class: "kind", id: "algorithms" }, h("summary", {}, h("h2", {}, "Algorithms ", h("small", {}, number(searches.searches.length)))),
      h("p", { class: "soft" }, "The searches that play and solve the games above, with their settings; for experts."),
      h("ul", { class: "cards" }, searches.searches.map(search))));
  addEventListener("hashchange", arrive);
  for (const [name, thumb] of waiting) {
    thumb.dataset.game = name;
    seen.observe(thumb);
  }
} catch (wrong) {
  place.append(notice(wrong), button("Try again", () => location.reload()));
}
shown();
arrive();
