// Writes games/dragon_pokemon/data/species.csv from the data of @pkmn/dex (MIT):
//   npm pack @pkmn/dex@0.10.11 && tar xzf pkmn-dex-0.10.11.tgz
//   node docs/tabulate_species.cjs package/build/index.js > games/dragon_pokemon/data/species.csv
const { Dex } = require(require("path").resolve(process.argv[2]));

const GENS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const dex = GENS.map((g) => Dex.forGen(g));
// Abilities by which their holder takes less or more from a type, and the generation since which.
const SINCE = { "Dry Skin": 4, "Earth Eater": 9, "Flash Fire": 3, Fluffy: 7, Heatproof: 4, Levitate: 3,
  "Lightning Rod": 5, "Motor Drive": 4, "Purifying Salt": 9, "Sap Sipper": 5, "Storm Drain": 5,
  "Thick Fat": 3, "Volt Absorb": 3, "Water Absorb": 3, "Water Bubble": 7, "Well-Baked Body": 9, "Wonder Guard": 3 };
const NEVER = new Set(["CAP", "Custom"]);

const unreleased = (name) => /^(Pokestar|MissingNo)/.test(name) || dex.at(-1).species.get(name).isNonstandard === "Future";

/** What a species is in a generation, or null where it does not exist. */
function at(g, name) {
  const found = dex[g - 1].species.get(name);
  return found.exists && found.gen <= g && !NEVER.has(found.isNonstandard) && !unreleased(name) ? found : null;
}

/** Values by generation as `first 6:later`: what follows holds since that generation. */
function changes(since, of) {
  let before = null;
  const parts = [];
  for (let g = since; g <= 9; g++) {
    const now = of(g);
    if (now === undefined || now === before) continue;
    parts.push(before === null ? now : `${g}:${now}`);
    before = now;
  }
  return parts.join(";");
}

function types(g, name) {
  return at(g, name)?.types.toSorted().join("-");
}

function abilities(g, name) {
  const found = at(g, name);
  if (!found) return undefined;
  const all = Object.entries(found.abilities).filter(([slot]) => slot !== "H" || !found.unreleasedHidden);
  const telling = all.map(([, each]) => each).filter((each) => SINCE[each] <= g);
  return (telling.length && telling.length === all.length ? "!" : "") + [...new Set(telling)].sort().join("/");
}

const names = new Map();
for (const each of dex.toReversed()) for (const s of each.species.all()) names.set(s.name, s.num);
const rows = new Map();
for (const [name] of [...names].sort((a, b) => a[1] - b[1])) {
  const since = GENS.find((g) => at(g, name));
  if (!since) continue;
  const last = GENS.findLast((g) => at(g, name));
  const s = at(last, name);
  const gone = GENS.filter((g) => g >= since && at(g, name)?.isNonstandard !== null).join("");
  const rare = s.tags.some((tag) => /Legendary|Mythical/.test(tag)) ? "legendary" : "";
  const kind = s.battleOnly || s.isMega ? "transformed" : rare || (s.nfe ? "evolving" : "");
  rows.set(name, { name, since, types: changes(since, (g) => types(g, name)), abilities: changes(since, (g) => abilities(g, name)),
    total: s.bst, gone, kind, looks: "", base: s.baseSpecies, forme: s.forme });
}
const latest = (text) => text.split(";").at(-1).replace(/^\d:/, "");
const OWN = /Mega|Primal|Origin|Therian|Crowned|Alola$|Galar$|Hisui|Paldea/, LOOK = /Totem|^Pikachu-/;
// A form that differs by little but its look is told with its species.
for (const row of [...rows.values()]) {
  const base = rows.get(row.base);
  if (!row.forme || !base || latest(row.types) !== latest(base.types)) continue;
  const alike = row.abilities === base.abilities || row.abilities === latest(base.abilities);
  if (!LOOK.test(row.name) && (OWN.test(row.forme) || !alike)) continue;
  base.looks += `${base.looks && "/"}${row.forme}`;
  rows.delete(row.name);
}
console.log(`# Pokémon and those of their forms that have types, abilities or a mega evolution of their own.
# since: their first generation; types, abilities: then, and since which generation others (6:Fairy).
# abilities: those by which the holder takes less or more from a type; ! where it has no other.
# total: base stats; gone: generations whose own games lack it; looks: forms that only look otherwise.
# Tabulated from @pkmn/dex 0.10.11 (MIT) by docs/tabulate_species.cjs.
name,since,types,abilities,total,gone,kind,looks`);
for (const r of rows.values()) console.log([r.name.normalize().replace("’", "'"), r.since, r.types, r.abilities, r.total, r.gone, r.kind, r.looks].join(","));
