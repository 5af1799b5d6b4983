// Answers: what the server says of a deck, as elements.
import { h, field, select, button, table, notice, number, svg } from "/static/dragon.js";

export const WORDS = { type: "type", attribute: "attribute", level: "level", atk: "ATK", def: "DEF" };

/** A share as percents. */
export function share(part) {
  return `${(100 * part).toFixed(1)} %`;
}

/** A part of a whole as a bar with its figure. */
export function bar(part, words) {
  return h("span", { class: "part" }, h("span", { class: "bar", "aria-hidden": "true", css: { "--part": String(part) } }), words);
}

/** What is printed on a monster, in short. */
export function printed(each) {
  return `${each.attribute} ${each.type}, level ${each.level}, ${each.atk}/${each.def}`;
}

/** The best pairs of bridges, as far as is known. */
export function pairs(told) {
  return [h("p", { class: "soft figures" }, told.proven ? "Proven: no pair that is missing comes before one of these." : `${share(told.part)} searched…`),
    told.pairs.length ? table(["Bridges", { text: "Searched", right: false }, { text: "Pairs", right: true }], told.pairs.map((each) =>
      [each.names.join(" + "), bar(each.numerator / told.denominator, share(each.numerator / told.denominator)), `${each.numerator}/${told.denominator}`]), { caption: "Pairs of bridges" }) : notice("There are fewer bridges than are asked for.")];
}

/** The best set of bridges so far. */
export function set(told) {
  if (told.numerator === null) return notice("There are fewer bridges than are asked for.");
  const words = told.bound === "=" ? "Proven best." : `Not proven: no set has more than ${told.upper}/${told.denominator}.`;
  return [h("p", { class: "soft figures" }, `${share(told.numerator / told.denominator)} of all pairs can be searched, ${told.numerator}/${told.denominator}. ${words}`),
    h("ol", { class: "cards names" }, told.names.map((name) => h("li", { class: "card" }, name)))];
}

/** What two monsters share, and what that means. */
export function explained(two) {
  const rows = Object.entries(two.printed).map(([word, [a, b]]) => h("tr", { class: two.shared.includes(word) ? "best" : "" },
    h("th", { scope: "row" }, WORDS[word]), h("td", { class: "text" }, a), h("td", { class: "text" }, b)));
  const verdict = two.linked ? `Linked by ${WORDS[two.shared[0]]}: each bridges the other.` : `Not linked: ${two.shared.length} properties are equal.`;
  return h("details", { class: "card" }, h("summary", {}, verdict),
    h("table", {}, h("thead", {}, h("tr", {}, h("td"), two.names.map((name) => h("th", { scope: "col", class: "text" }, name)))), h("tbody", {}, rows)));
}

/** The first of the monsters that one cannot search. */
export function few(misses) {
  if (!misses.length) return "searches every one";
  const rest = misses.slice(3);
  return h("span", { title: misses.join(", ") }, `cannot search ${misses.slice(0, 3).join(", ")}${rest.length ? ` and ${rest.length} more` : ""}`);
}

/** How many opening hands have what is wanted. */
export function hands(told) {
  const parts = [["opened", "In the hand"], ["searched", "Searched by Small World"], ["total", "One or the other"]];
  return [h("p", {}, h("strong", { class: "big figures" }, share(told.total.p)), ` of all hands of ${told.hand} from ${told.deck_size} cards have or search ${told.targets.join(" or ")}.`),
    table(["", { text: "Part", right: false }, { text: "Hands", right: true }], parts.map(([word, words]) =>
      [words, bar(told[word].p, share(told[word].p)), told[word].numerator]), { caption: "Opening hands" }),
    h("p", { class: "soft figures" }, `Of ${number(told.denominator)} hands; ${number(told.asked.numerator)} have Small World and no target.`)];
}

/** The server's drawing, a `graph` or a matrix; a monster of the graph that is pointed at or clicked shows its links alone. */
export function picture(told, kind) {
  const drawn = svg(told.svg);
  if (!drawn) return notice("The picture cannot be shown.");
  const wide = drawn.viewBox.baseVal.width;
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  drawn.classList.add("drawing", kind === "graph" ? "graph" : "matrix");
  const frame = h("div", { class: "scroll frame", tabindex: "0", role: "region", "aria-label": "Picture of the deck", css: { "--wide": `${Math.round(wide)}px` } }, drawn);
  const larger = button("Larger", () => {
    const large = frame.classList.toggle("large");
    larger.textContent = large ? "Smaller" : "Larger";
  }, { class: "quiet" });
  if (kind !== "graph") return h("figure", { class: "stack" }, frame, h("figcaption", { class: "row between" }, "Rows reveal, columns are what is got.", larger));
  let kept = null;
  const single = (name) => {
    for (const link of drawn.querySelectorAll(".link")) link.classList.toggle("faded", name !== null && !link.classList.contains(name.replace("m", "l")));
  };
  const of = (event) => [...(event.target.closest?.("[class*=m]")?.classList || [])].find((each) => /^m\d+$/.test(each)) || null;
  drawn.addEventListener("pointerover", (event) => single(of(event) || kept));
  drawn.addEventListener("pointerleave", () => single(kept));
  drawn.addEventListener("click", (event) => { kept = of(event) === kept ? null : of(event); only.value = kept || ""; single(kept); });
  const only = select([["", "all monsters"], ...told.monsters.map((name, i) => [`m${i}`, name])], "", (value) => { kept = value || null; single(kept); });
  return h("figure", { class: "stack" }, h("div", { class: "fields" }, field("Links of", only)), frame,
    h("figcaption", { class: "row between" }, "Two monsters are linked if exactly one property is equal.", larger));
}
