// The answers: odds, the effect of one copy on them, the copies in a hand, hands to look at.
import { h, s, fill, table, button } from "/static/dragon.js";
import { percent } from "/static/percent.js";

function exactly(share) {
  if (share.exact) return `${share.numerator.toLocaleString("en")} / ${share.denominator.toLocaleString("en")}`;
  const [low, high] = share.interval;
  return `${percent(low)} to ${percent(high)}, of ${share.hands.toLocaleString("en")} hands`;
}

function meter(p) {
  return h("span", { class: "meter", "aria-hidden": "true", css: { "--p": p } });
}

/** The text in the place of odds that do not exist. */
export function none(why, ...more) {
  return [h("p", { class: "big" }, h("output", {}, "–"), h("span", {}, why)), ...more];
}

/** The choices for a deck without conditions: cards that a good hand may have. */
export function choices(deck, onchoose) {
  const copies = new Map();
  for (const card of deck.cards) for (const tag of card.tags) copies.set(tag, (copies.get(tag) || 0) + card.copies);
  for (const card of deck.cards) if (!card.tags.length) copies.set(card.name, card.copies);
  const listed = [...copies].filter(([tag]) => !tag.startsWith("Level ")).sort((a, b) => b[1] - a[1]).slice(0, 16);
  return [h("h2", {}, "What must a good hand have?"), h("p", { class: "soft" }, "Choose a first condition, or write one."),
    h("div", { class: "row", role: "group", "aria-label": "What a good hand has" },
      listed.map(([tag, count]) => button([tag, h("span", { class: "soft" }, String(count))], () => onchoose(tag))))];
}

/** The odds; `fractions`: with the numbers of hands. An estimate always has its interval. `alone`:
 *  free cards are yet to be played. */
export function odds(found, fractions, alone) {
  const rows = [...found.conditions.map((each) => [each.text, each]), ["Any", found.any], ["All", found.all], ["Brick", found.bricks]];
  const several = found.conditions.length > 1, more = fractions || !found.any.exact;
  return [
    h("p", { class: "big" }, h("output", { class: alone ? "least" : found.any.exact ? "" : "rough" }, percent(found.any.p)),
      h("span", {}, `of ${found.hand}-card hands have what is asked${alone ? " before free cards are played, which is being worked out" : found.any.exact ? "" : ", estimated"}${found.turn ? ` by turn ${found.turn}` : ""}`)),
    table(["Condition", { text: "Probability", right: true }, ...(more ? [{ text: found.any.exact ? "Exactly" : "95 %", right: true }] : [])],
      rows.filter(([name]) => several || (name !== "All" && name !== "Any")).map(([name, share]) => [
        h("span", { class: "wrap named" }, name), h("span", { class: "measured" }, meter(share.p), percent(share.p)),
        ...(more ? [h("span", { class: "soft exact" }, exactly(share))] : [])]),
      { caption: "Odds" }),
    ...way(found),
  ];
}

const many = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** How often hands of each size are kept, and how often what is given holds. */
function way(found) {
  const london = found.mulligan === "london";
  const said = (found.kept || []).filter((each) => each.p >= 0.00005).map((each) => `${london ? many(each.cards, "card") : each.mulligans ? many(each.mulligans, "mulligan") : "at once"} ${percent(each.p)}`);
  return [said.length ? `Kept: ${said.join(", ")}.` : "", found.given ? `Given: ${found.given.text}, ${percent(found.given.p)} of the hands.` : ""]
    .filter(Boolean).map((each) => h("p", { class: "soft" }, each));
}

/** A line over the turns for each condition, and for any where there are several, with a table. */
export function turns(found) {
  const all = Object.entries(found).map(([turn, each]) => [Number(turn), each]);
  const names = all[0][1].conditions.map((each) => each.text);
  const curves = names.map((name, i) => [name, all.map(([, each]) => each.conditions[i])]);
  if (names.length > 1) curves.push(["Any", all.map(([, each]) => each.any)]);
  const most = Math.max(1, all.at(-1)[0]), x = (turn) => 40 + (540 * turn) / most, y = (p) => 190 - 170 * p;
  const shown = curves.map(([name, shares]) => `${name}: ${percent(shares[0].p)} to ${percent(shares.at(-1).p)}`).join("; ");
  return [
    h("figure", { class: "card" }, s("svg", { class: "chart turns", viewBox: "0 0 600 215", role: "img", "aria-label": `The odds by turn; ${shown}` },
      [0, 0.25, 0.5, 0.75, 1].map((p) => [s("path", { class: "grid", d: `M40 ${y(p)}H580` }), s("text", { x: 34, y: y(p) + 4, "text-anchor": "end" }, `${100 * p}`)]),
      all.map(([turn]) => s("text", { x: x(turn), y: 208, "text-anchor": "middle" }, String(turn))),
      curves.map(([, shares], i) => s("g", { class: "curve", css: { "--curve": `var(--k${i % 8})` } },
        s("path", { d: `M${shares.map((share, n) => `${x(all[n][0])} ${y(share.p)}`).join("L")}` }),
        shares.map((share, n) => s("circle", { cx: x(all[n][0]), cy: y(share.p), r: 3.5 })))))),
    table(["Turn", ...curves.map(([name]) => ({ text: name, right: true }))],
      all.map(([turn], n) => [String(turn), ...curves.map(([, shares], i) => h("span", { class: "curve", css: { "--curve": `var(--k${i % 8})` } }, `${shares[n].exact ? "" : "≈ "}${percent(shares[n].p)}`))]),
      { caption: "The odds by turn" }),
  ];
}

/** The cards with a stepper each, and the odds with one copy more or less. */
export function cards(deck, found, onstep) {
  const changes = new Map((found?.cards || []).map((each) => [each.card, each]));
  const most = Math.max(0.0001, ...[...changes.values()].flatMap((each) => [each.fewer, each.more].filter(Boolean).map((share) => Math.abs(share.p - found.any.p))));
  const cell = (share) => (share ? delta(share.p - found.any.p, most, share) : h("span", { class: "soft" }, "–"));
  return table(["Card", { text: "Copies" }, { text: "−1 copy", right: true }, { text: "+1 copy", right: true }],
    deck.cards.map((card) => {
      const change = changes.get(card.name);
      return [
        h("span", { class: "wrap named" }, card.name, card.free ? h("span", { class: "tag" }, "free") : null, card.tags.length ? h("span", { class: "soft tags" }, card.tags.join(", ")) : null),
        h("span", { class: "stepper" },
          button("−", () => onstep(card, -1), { "aria-label": `One ${card.name} fewer`, disabled: card.copies < 1 }),
          h("output", { "aria-label": `Copies of ${card.name}` }, String(card.copies)),
          button("+", () => onstep(card, 1), { "aria-label": `One ${card.name} more` })),
        change ? cell(change.fewer) : "", change ? cell(change.more) : ""];
    }), { caption: "Cards, and what a copy more or less makes of the odds" });
}

function delta(by, most, share) {
  const kind = Math.abs(by) < 5e-7 ? "" : by > 0 ? "up" : "down";
  const text = `${by > 0 ? "+" : by < 0 ? "−" : "±"}${(100 * Math.abs(by)).toFixed(2)}`;
  return h("span", { class: `delta ${kind}`, title: percent(share.p), css: { "--part": Math.abs(by) / most } }, text);
}

/** A small chart for each name of its copies in a hand. */
export function histogram(found) {
  return Object.entries(found.histogram).map(([name, shares]) => {
    const last = Math.max(1, shares.findLastIndex((p) => p > 0.0005));
    const bars = shares.slice(0, last + 1);
    const top = Math.max(...bars), step = 260 / bars.length;
    const shown = bars.map((p, n) => `${n}: ${percent(p, 1)}`).join(", ");
    return h("figure", { class: "card" }, h("figcaption", {}, name),
      s("svg", { class: "chart", viewBox: "0 0 260 132", role: "img", "aria-label": `Copies of ${name} in the hand; ${shown}` },
        bars.map((p, n) => {
          const height = Math.max(1, (86 * p) / top), x = n * step + 3, width = step - 6;
          return [
            s("rect", { class: n ? "bar" : "bar none", x, y: 110 - height, width, height, rx: 3 }),
            s("text", { x: x + width / 2, y: 104 - height, "text-anchor": "middle" }, percent(p, p < 0.0995 ? 1 : 0).replace("\u00a0", "")),
            s("text", { x: x + width / 2, y: 127, "text-anchor": "middle", class: "count" }, String(n))];
        }),
        s("path", { class: "grid", d: "M0 110.5H260" })));
  });
}

/** Hands to look at, each with why it passes. */
export function hands(found) {
  return h("ul", { class: "dealt" }, found.hands.map((hand) => {
    const given = new Set(hand.passes.flatMap((each) => each.given.flatMap((clause) => clause.cards)));
    return h("li", {},
      h("span", { class: `tag ${hand.passes.length ? "pass" : "brick"}` }, hand.passes.length ? "passes" : "brick"),
      h("span", { class: "names" }, [...new Set(hand.cards)].map((name) => {
        const many = hand.cards.filter((each) => each === name).length;
        return h("span", { class: given.has(name) ? "name used" : "name" }, name, many > 1 ? h("span", { class: "soft" }, ` × ${many}`) : null);
      })),
      hand.passes.length ? h("span", { class: "soft why" }, hand.passes.map((each) => each.given.filter((clause) => clause.cards.length)
        .map((clause) => `${clause.clause}: ${clause.cards.join(", ")}`).join("; ") || each.text).join(" · ")) : null);
  }));
}

/** Warnings, each once. */
export function warnings(found) {
  return found.warnings.length ? h("ul", { class: "soft" }, found.warnings.map((each) => h("li", {}, each.replace(/^deck:(\d+): /, "Line $1: ").replace(/ \(--sharing \w+\)/g, "")))) : null;
}
