// What is installed: games and searches with their settings.
import { h, app, get, notice } from "./dragon.js";

const place = app();

function literal(value) {
  return value === null ? "none" : typeof value === "string" ? `'${value}'` : String(value);
}

function settings(of) {
  if (!of.length) return null;
  return h("details", {}, h("summary", {}, `${of.length} ${of.length === 1 ? "setting" : "settings"}`),
    h("dl", {}, of.map((each) => [
      h("dt", {}, h("code", {}, each.required ? each.name : `${each.name}=${literal(each.default)}`), " ", h("span", { class: "soft" }, each.type)),
      h("dd", {}, each.description)])));
}

function card(each, of, ...links) {
  return h("li", {}, h("section", { class: "card" }, h("h3", {}, each.name), h("p", {}, each.summary), links, settings(of)));
}

try {
  const [games, searches] = await Promise.all([get("games"), get("games/searches")]);
  place.append(
    h("ul", { class: "cards" }, games.games.map((game) => card(game, game.parameters,
      game.traits === null ? null : h("p", { class: "row" },
        h("a", { href: `/play?game=${game.name}` }, "Play"), h("a", { href: `/analyse?game=${game.name}` }, "Analyse"))))),
    h("h2", {}, "Searches"),
    h("ul", { class: "cards" }, searches.searches.map((search) => card(search, search.settings))));
} catch (wrong) {
  place.append(notice(wrong));
}
