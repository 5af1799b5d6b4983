// Answers: what the server says of a deck, as elements.
import { h, table, notice, number } from "/static/dragon.js";
import { percent } from "/static/percent.js";

export const WORDS = { type: "type", attribute: "attribute", level: "level", atk: "ATK", def: "DEF" };

/** A share with as many digits as a table has room for. */
function share(part) {
  return percent(part, 1);
}

/** A part of a whole as a bar with its figure. */
function bar(part, words) {
  return h("span", { class: "part" }, h("span", { class: "bar", "aria-hidden": "true", css: { "--part": String(part) } }), words);
}

/** The part of all pairs that can be searched. */
function searched(pairs, all) {
  return h("span", { title: `${number(pairs)} of ${number(all)} pairs` }, bar(pairs / all, share(pairs / all)));
}

/** What is printed on a monster, in short. */
function printed(each) {
  return `${each.attribute} ${each.type}, level ${each.level}, ${each.atk}/${each.def}`;
}

/** The best bridges, with what the deck searches without them. */
export function bridges(found, monsters) {
  const n = found.deck.length, [best] = found.bridges;
  return [h("p", { class: "answer" }, best
    ? [h("strong", {}, best.name), ` is the best bridge: with it, Small World connects ${share(best.score)} of all pairs of your monsters, without it ${share(found.before / (n * n))}.`]
    : "No monster is such a bridge."),
  h("p", { class: "soft figures" }, `${number(found.count)} of ${number(monsters)} monsters bridge something${found.count > found.bridges.length ? `; the best ${number(found.bridges.length)}` : ""}:`),
  best ? table(["Bridge", { text: "Searched", right: false }, "Links"], found.bridges.map((each) => [
    h("span", { class: "monster" }, h("span", {}, each.name, each.disputed ? h("abbr", { title: "Its links depend on what ? equals", class: "soft" }, " (?)") : null,
      h("small", {}, printed(each))), each.in_deck ? h("span", { class: "tag" }, "in the deck") : null),
    searched(each.numerator, found.denominator), each.connections]), { caption: "Bridges, the best first" }) : null];
}

/** The best pairs of bridges, as far as is known. */
export function pairs(found) {
  const [best] = found.pairs;
  if (!best) return notice("There are fewer bridges than are asked for.");
  return [h("p", { class: "answer" }, h("strong", {}, best.names.join(" and ")),
    `: with both, Small World connects ${share(best.numerator / found.denominator)} of all pairs of your monsters. `,
    found.proven ? "No pair is better: that is proven." : `So far; ${share(found.part)} of all pairs of bridges are looked at …`),
  table(["Bridges", { text: "Searched", right: false }], found.pairs.map((each) =>
    [h("span", { class: "monster" }, each.names.join(" + ")), searched(each.numerator, found.denominator)]), { caption: "Pairs of bridges" })];
}

/** The best set of bridges so far. */
export function set(found) {
  if (found.numerator === null) return notice("There are fewer bridges than are asked for.");
  return [h("p", { class: "answer" }, `With these ${found.names.length}, Small World connects ${share(found.numerator / found.denominator)} of all pairs of your monsters. `,
    found.bound === "=" ? "No set is better: that is proven." : `Perhaps there is a better one; none has more than ${share(found.upper / found.denominator)}.`),
  h("ol", { class: "cards names" }, found.names.map((name) => h("li", { class: "card" }, name)))];
}

/** The ways from one monster to another; two: what these share, or null where all targets are meant. */
export function paths(ways, two) {
  const [first] = ways.paths, to = two ? [] : ["Target"];
  const rows = ways.paths.map((each) => [
    h("span", { class: "monster" }, each.bridge, each.in_deck && two ? h("span", { class: "tag" }, "in the deck") : null),
    ...to.map(() => h("span", { class: "monster" }, each.target)), h("span", { class: "monster" }, `${WORDS[each.first]}, then ${WORDS[each.second]}`)]);
  return [h("p", { class: "answer figures" }, first
    ? `${number(ways.count)} way${ways.count === 1 ? "" : "s"} from ${first.reveal}${two ? ` to ${first.target}` : ""}${ways.count > rows.length ? `; the first ${number(rows.length)}` : ""}:`
    : "There is no way."),
  first ? table(["Bridge", ...to, "Linked by"].map((words) => ({ text: words, right: false })), rows, { caption: "Ways" }) : null,
  two ? explained(two) : null];
}

/** What two monsters share, and what that means. */
function explained(two) {
  const rows = Object.entries(two.printed).map(([word, [a, b]]) => h("tr", { class: two.shared.includes(word) ? "best" : "" },
    h("th", { scope: "row" }, WORDS[word]), h("td", { class: "text" }, a), h("td", { class: "text" }, b)));
  const verdict = two.linked ? `Linked by ${WORDS[two.shared[0]]}: each bridges the other.` : `Not linked: ${two.shared.length} properties are equal.`;
  return h("details", { class: "card" }, h("summary", {}, verdict),
    h("table", {}, h("thead", {}, h("tr", {}, h("td"), two.names.map((name) => h("th", { scope: "col", class: "text" }, name)))), h("tbody", {}, rows)));
}

/** Whom Small World helps least, in a sentence. */
export function least(weak) {
  const { dead, monsters: [first], monsters: { length } } = weak;
  return h("p", { class: "answer" }, dead.length
    ? `${dead.join(", ")} can neither search nor be searched.`
    : `${first.name} searches least: ${first.reaches} of ${length}.`);
}

/** The monsters of a deck, the weakest first. */
export function weakest({ monsters }) {
  return table([{ text: "Monster" }, { text: "Searches", right: false }, "Links"], monsters.map((each) => [
    h("span", { class: "monster" }, h("span", {}, each.name, h("small", {}, few(each.misses)))),
    bar(each.reaches / monsters.length, `${each.reaches} of ${monsters.length}`), each.links]), { caption: "The monsters of the deck, the weakest first" });
}

/** The first of the monsters that one cannot search. */
function few(misses) {
  if (!misses.length) return "searches every one";
  const rest = misses.slice(3);
  return h("span", { title: misses.join(", ") }, `cannot search ${misses.slice(0, 3).join(", ")}${rest.length ? ` and ${rest.length} more` : ""}`);
}

/** How many opening hands have what is wanted. */
export function hands(odds) {
  const parts = [["opened", "In the hand"], ["searched", "Searched by Small World"], ["total", "One or the other"]];
  return [h("p", {}, h("strong", { class: "big figures" }, share(odds.total.p)), ` of all hands of ${odds.hand} from ${odds.deck_size} cards have or search ${odds.targets.join(" or ")}.`),
    table(["", { text: "Part", right: false }, { text: "Hands", right: true }], parts.map(([word, words]) =>
      [h("span", { class: "monster" }, words), bar(odds[word].p, share(odds[word].p)), odds[word].numerator]), { caption: "Opening hands" }),
    h("p", { class: "soft figures" }, `Of ${number(odds.denominator)} hands; ${number(odds.asked.numerator)} have Small World and no target.`)];
}
