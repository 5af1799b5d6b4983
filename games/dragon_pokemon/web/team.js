// What a team looks like: names on the colours of their types, Pokémon of a kind, the table.
import { h } from "/static/dragon.js";

const SIGNS = { 0: "×0", 0.125: "×⅛", 0.25: "×¼", 0.5: "×½", 1: "·", 2: "×2", 4: "×4" };
const MOVES = { "Flying Press": "fighting", "Freeze-Dry": "ice", "Thousand Arrows": "ground" };
const TYPES = new Set("bug dark dragon electric fairy fighting fire flying ghost grass ground ice normal poison psychic rock steel water".split(" "));

/** A Pokémon of a kind, and the others on demand. */
export function who(names) {
  if (names.length < 2) return h("span", { class: "soft" }, names[0] || "");
  return h("details", { class: "names soft" }, h("summary", {}, `${names[0]} and ${names.length - 1} more`), names.slice(1).join(", "));
}

/** What each of a team does against everything, and the best of them. */
export function table(seen) {
  const defends = seen.side === "defense";
  const best = defends ? Math.min : Math.max;
  const missing = new Set(seen.missing);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Multipliers" },
    h("table", {}, h("caption", { class: "unseen" }, "What each of the team does against everything that is met"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "text" }, defends ? "Attack" : "Defender"),
        seen.options.map((name) => h("th", { scope: "col" }, plate(name))), h("th", { scope: "col" }, "Best"))),
      h("tbody", {}, Object.entries(seen.multipliers).map(([item, row]) => {
        const factors = seen.options.map((name) => row[name]);
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
export function plate(name) {
  const [types, ability] = name.split("+");
  const own = MOVES[types];
  const made = h("span", { class: "plate" }, own ? h("span", { class: `t-${own}` }, types)
    : types.split("-").map((type) => h("span", { class: `t-${type.toLowerCase()}` }, type)));
  return ability ? h("span", { class: "with" }, made, h("span", { class: "ability" }, ability)) : made;
}

/** Types on their colours, and the names of Pokémon as they are. */
export function named(name) {
  const types = name.split("+")[0].split(/[-/]/).map((each) => each.trim().toLowerCase());
  return MOVES[name.split("+")[0]] || types.every((each) => TYPES.has(each)) ? plate(name) : name;
}
