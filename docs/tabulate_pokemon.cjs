// Writes species.csv and moves.csv of games/dragon_pokemon/data from the data of @pkmn/dex (MIT) and PokeAPI (BSD-3-Clause):
//   npm pack @pkmn/dex@0.10.11 && tar xzf pkmn-dex-0.10.11.tgz
//   node docs/tabulate_pokemon.cjs package/build/index.js pokemon_dex_numbers.csv games/dragon_pokemon/data
// The second file is data/v2/csv/pokemon_dex_numbers.csv of github.com/PokeAPI/pokeapi at bbef3d99.
const { Dex } = require(require("path").resolve(process.argv[2]));

const { readFileSync, writeFileSync } = require("fs");
const { join } = require("path");

const GENS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const dex = GENS.map((g) => Dex.forGen(g));
// Abilities by which their holder takes less or more from a type, and the generation since which.
const SINCE = { "Dry Skin": 4, "Earth Eater": 9, "Flash Fire": 3, Fluffy: 7, Heatproof: 4, Levitate: 3,
  "Lightning Rod": 5, "Motor Drive": 4, "Purifying Salt": 9, "Sap Sipper": 5, "Storm Drain": 5,
  "Thick Fat": 3, "Volt Absorb": 3, "Water Absorb": 3, "Water Bubble": 7, "Well-Baked Body": 9, "Wonder Guard": 3 };
// The letters of data/dexes.csv, and the numbers of PokeAPI's pokedexes.
const DEXES = { a: [2], b: [3], c: [4], d: [5], e: [6], f: [7], g: [8], h: [9], i: [12, 13, 14], j: [15], k: [16], l: [21],
  m: [26], n: [27], o: [28], p: [29], q: [30], r: [31], s: [32], t: [33] };
// Paradox Pokémon without the tag of @pkmn/dex.
const PARADOX = new Set(["Gouging Fire", "Raging Bolt", "Iron Boulder", "Iron Crown", "Koraidon", "Miraidon"]);
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

const numbers = readFileSync(process.argv[3], "utf8").trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
function dexes(num) {
  const held = new Set(numbers.filter(([id]) => id === num).map(([, dex]) => dex));
  return Object.keys(DEXES).filter((letter) => DEXES[letter].some((dex) => held.has(dex))).join("");
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
  const has = (tag) => s.tags.some((each) => each.includes(tag));
  const tags = [s.battleOnly || s.isMega ? "transformed" : "", has("Legendary") ? "legendary" : "", has("Mythical") ? "mythical" : "",
    has("Paradox") || PARADOX.has(name) ? "paradox" : ""].filter(Boolean).join("/");
  const evolves = GENS.find((g) => at(g, name)?.nfe) ?? "";
  rows.set(name, { name, since, types: changes(since, (g) => types(g, name)), abilities: changes(since, (g) => abilities(g, name)),
    total: s.bst, gone, tags, evolves, dexes: dexes(s.num), looks: "", base: s.baseSpecies, forme: s.forme });
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
const write = (file, head, lines) => writeFileSync(join(process.argv[4], file), [head, ...lines].join("\n") + "\n");
write("species.csv", `# Pokémon and those of their forms that have types, abilities or a mega evolution of their own.
# since: their first generation; types, abilities: then, and since which generation others (6:Fairy).
# abilities: those by which the holder takes less or more from a type; ! where it has no other.
# total: base stats; gone: generations whose own games lack it; tags: what it is; evolves: since which generation.
# dexes: those that have its species, by the letters of dexes.csv; looks: forms that only look otherwise.
# Tabulated from @pkmn/dex 0.10.11 (MIT), dexes from PokeAPI (BSD-3-Clause), by docs/tabulate_pokemon.cjs.
name,since,types,abilities,total,gone,tags,evolves,dexes,looks`,
  [...rows.values()].map((r) => [r.name.normalize().replace("’", "'"), r.since, r.types, r.abilities, r.total, r.gone, r.tags,
    r.evolves, r.dexes, r.looks].join(",")));

// Moves whose damage no type changes, beside those with a number or one hit; and those without a type of their own.
const FIXED = new Set(["Bide", "Comeuppance", "Counter", "Endeavor", "Final Gambit", "Guardian of Alola", "Metal Burst",
  "Mirror Coat", "Nature's Madness", "Psywave", "Ruination", "Struggle", "Super Fang"]);
const VARIES = new Set(["Aura Wheel", "Hidden Power", "Ivy Cudgel", "Judgment", "Multi-Attack", "Natural Gift", "Nature Power",
  "Raging Bull", "Revelation Dance", "Techno Blast", "Tera Blast", "Tera Starstorm", "Terrain Pulse", "Weather Ball"]);
const moves = [];
for (const name of new Set(dex.flatMap((d) => [...d.moves.all()].map((m) => m.name)))) {
  const in_ = (g) => { const m = dex[g - 1].moves.get(name); return m.exists && m.gen <= g ? m : null; };
  const m = dex.at(-1).moves.get(name), since = GENS.find(in_);
  if (m.isMax || m.isZ || ["CAP", "Custom", "Future"].includes(m.isNonstandard)) continue;
  const fixed = m.damage || m.ohko || FIXED.has(name);
  const kind = VARIES.has(name) ? "varies" : m.category === "Status" ? "status" : fixed ? "fixed" : m.flags.sound ? "sound" : "";
  moves.push([name, since, kind === "status" ? "" : changes(since, (g) => in_(g)?.type.replace("???", "Normal")), kind].join(","));
}
write("moves.csv", `# Moves: since their first generation, the type then and since which generation another (2:Dark), and the kind:
# status: no damage; fixed: its damage does not depend on types; varies: its type does on the holder; sound: on sounds alone.
# Tabulated from @pkmn/dex 0.10.11 (MIT) by docs/tabulate_pokemon.cjs.
name,since,type,kind`, moves.sort());
