// What is installed: games with a picture, puzzles, searches; each with its settings.
import { h, app, shown, get, notice, number, picture } from "./dragon.js";

const place = app({ later: true });
const KINDS = [
  ["Games", (game) => game.seats !== 1],
  ["Puzzles and plans", (game) => game.seats === 1],
];
const LIMITS = { depth: "depth", nodes: "nodes", seconds: "time", simulations: "simulations" };

function literal(value) {
  return value === null ? "none" : typeof value === "string" ? `'${value}'` : String(value);
}

/** A name as a title: connect four has no underscore. */
function title(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
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

function card(game) {
  const own = document.querySelector(`nav a[href="/${CSS.escape(game.name.replaceAll("_", "-"))}"]`);
  const open = game.traits !== null;
  const thumb = h("div", { class: "thumb", "aria-hidden": "true" });
  if (open) waiting.push([game.name, thumb]);
  return h("li", {}, h("section", { class: "card stack entry", id: game.name, "aria-label": title(game.name) },
    open ? thumb : null,
    h("div", {}, h("h3", {}, title(game.name)), h("p", { class: "soft" }, seats(game)), h("p", {}, game.summary)),
    h("div", { class: "row" },
      own ? h("a", { class: "button main", href: own.getAttribute("href") }, `${own.textContent} page`) : null,
      open ? h("a", { class: own ? "button" : "button main", href: `/play?game=${game.name}` }, "Play") : null,
      open ? h("a", { class: "button", href: `/analyse?game=${game.name}` }, "Analyse") : null,
      open ? null : h("p", { class: "soft" }, "On the command line, with a file.")),
    settings(game.parameters)));
}

function search(each) {
  const facts = [each.proves ? "proves" : "estimates", each.needs.length ? `only ${each.needs.join(", ")}` : "", each.excludes.length ? `no ${each.excludes.join(", ")}` : "",
    each.limits.length ? `bounded by ${each.limits.map((limit) => LIMITS[limit] || limit).join(", ")}` : "needs no bound"];
  return h("li", {}, h("section", { class: "card stack entry", id: `search-${each.name}`, "aria-label": each.name },
    h("div", {}, h("h3", {}, h("code", {}, each.name)), h("p", {}, each.summary), h("p", { class: "soft" }, facts.filter(Boolean).join(" · "))),
    settings(each.settings)));
}

// Pictures come one after the other, as they come into view: the page does not wait for them.
const waiting = [];
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
    const found = await get("play/position", { game: thumb.dataset.game, deal: 1, listed: false });
    thumb.append(found.svg ? picture(found.svg, "") : h("span", { class: "monogram" }, title(found.name)));
  } catch {
    thumb.remove(); // a game whose start needs more than its name
  }
}

try {
  const [games, searches] = await Promise.all([get("games"), get("games/searches")]);
  place.append(
    ...KINDS.map(([name, belongs]) => [name, games.games.filter(belongs)]).filter(([, listed]) => listed.length).map(([name, listed]) =>
      h("section", { "aria-label": name }, h("h2", {}, `${name} `, h("small", {}, number(listed.length))),
        h("ul", { class: "cards" }, listed.map(card)))),
    h("section", { "aria-label": "Searches" }, h("h2", {}, "Searches ", h("small", {}, number(searches.searches.length))),
      h("ul", { class: "cards" }, searches.searches.map(search))));
  for (const [name, thumb] of waiting) {
    thumb.dataset.game = name;
    seen.observe(thumb);
  }
} catch (wrong) {
  place.append(notice(wrong));
}
shown();
