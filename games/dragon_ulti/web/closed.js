// A closed hand: what to bid on it, over many deals of the cards that are not seen.
import { h, fill, stream, field, select, button, notice, latest, debounce, table, sharing, number, announce } from "/static/dragon.js";
import { CONTRACTS, DECK, SUITS, SUIT_NAMES, mini, named, sorted, suit, title } from "./cards.js";
import { deck } from "./deck.js";

/** The view of a closed hand. `declarer()` gives the hand of the open deal. */
export function closed(state, save, declarer) {
  const only = latest();
  const out = h("div", { class: "stack advice", "aria-live": "off" });
  const progress = h("p", { class: "note" });
  const editor = deck([{ key: "s0", letter: "D", title: "In the hand", room: 10 }], (owned) => change({ hand: sorted([...owned.keys()]).join(" ") }));
  const text = h("input", { class: "mono", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", value: state.hand });
  const holds = h("input", { autocomplete: "off", spellcheck: "false", value: state.holds });
  const discard = h("input", { class: "mono", autocomplete: "off", spellcheck: "false", value: state.discard });
  const marriages = h("input", { type: "checkbox", checked: state.marriages, onchange: (event) => change({ marriages: event.target.checked }) });
  const wanted = select([["", "All ten"], ...CONTRACTS.map((each) => [each.name, each.title]), ["forty_hundred+ulti", "40-100 and ulti"]], state.bids, (value) => change({ bids: value }));
  const trump = select([["", "Any"], ...SUITS.map((each) => [each, SUIT_NAMES[each]])], state.only, (value) => change({ only: value }));
  const samples = select(["50", "200", "1000"], String(state.samples), (value) => change({ samples: Number(value) }));
  const controls = { hand: text, holds, discard, contracts: wanted, trump };
  text.addEventListener("change", () => change({ hand: sorted(named(text.value)).join(" ") }));
  holds.addEventListener("change", () => change({ holds: holds.value.trim() }));
  discard.addEventListener("change", () => change({ discard: named(discard.value).join(" ") }));
  const place = h("div", { class: "stack", hidden: true },
    h("div", { class: "split ulti" },
      h("div", { class: "stack" }, editor.place, field("The hand as text", text, "Ten cards, or twelve to find the best discard"),
        h("div", { class: "row" },
          button("Take the declarer’s", () => change({ hand: sorted(declarer()).join(" ") })),
          button("Random hand", () => change({ hand: sorted([...DECK].sort(() => Math.random() - 0.5).slice(0, 10)).join(" ") })),
          button("Clear", () => change({ hand: "" }), { class: "quiet" }), sharing())),
      h("section", { class: "card", "aria-label": "What is asked" },
        h("div", { class: "fields two" }, field("Contract", wanted), field("Trump", trump), field("Deals to look at", samples), field("Discard", discard, "Of twelve")),
        field("What is known of the defenders", holds, "Such as 1: HA, 2: not L"),
        h("label", { class: "check" }, marriages, "Marriages count in parties"))),
    progress, out);

  function change(given) {
    Object.assign(state, given);
    save();
    show();
    ask();
  }

  function show() {
    text.value = state.hand;
    editor.show(new Map(named(state.hand).map((card) => [card, "s0"])));
  }

  const ask = debounce(async () => {
    const many = named(state.hand).length;
    for (const each of Object.values(controls)) field.wrong(each);
    if (many !== 10 && many !== 12) {
      await only(async () => null);
      progress.textContent = `${many} of 10 cards, or of 12 with the talon.`;
      fill(out);
      return;
    }
    const asked = { hand: state.hand, contracts: state.bids ? [state.bids] : [], trump: state.only || null, discard: state.discard || null,
      holds: state.holds, marriages: state.marriages, rules: state.rules, samples: state.samples };
    progress.textContent = "Dealing…";
    try {
      await only(async (signal) => {
        for await (const found of stream("ulti/advise", asked, { signal, onnote: (told) => { progress.textContent = told; } })) told(found);
      });
    } catch (wrong) {
      progress.textContent = "";
      if (controls[wrong.field]) field.wrong(controls[wrong.field], wrong.message);
      else fill(out, notice(wrong));
    }
  }, 150);

  function told(found) {
    const seen = Math.max(0, ...found.cells.map((each) => each.samples));
    progress.textContent = `${found.done ? "" : "Still dealing: "}${seen} of ${found.samples} deals looked at; ${found.possible_deals.toLocaleString("en")} are possible.`;
    const able = found.cells.filter((each) => each.can_be_bid && each.samples);
    const some = able.filter((each) => each.made), never = able.filter((each) => !each.made);
    const lacking = found.cells.filter((each) => !each.can_be_bid);
    const best = able[0];
    if (found.done && best) announce(`${title(best.contract)}${best.trump ? `, ${SUIT_NAMES[best.trump]}` : ""}: made in ${percent(best.probability)}`);
    fill(out,
      best ? h("p", { class: "verdict", data: { kind: best.stakes > 0 ? "good" : "bad" } }, h("b", {}, `${title(best.contract)}${best.trump ? `, ${SUIT_NAMES[best.trump]}` : ""}`),
        ` is made in ${percent(best.probability)} and worth ${signed(best.stakes)} ${found.unit}`,
        found.discard.length ? [" with ", pair(found.discard), " discarded"] : null) : null,
      found.discards.length > 1 ? discards(found.discards.slice(0, 10)) : null,
      some.length ? cells(some, found.unit) : null,
      never.length ? h("p", { class: "soft" }, "Never made: ", [...new Set(never.map((each) => each.contract))].map((name, i) => [i ? ", " : "", title(name),
        never.filter((each) => each.contract === name && each.trump).map((each) => [" ", coloured(each.trump)])])) : null,
      lacking.length ? h("details", {}, h("summary", {}, `${lacking.length} cannot be bid`),
        h("ul", { class: "soft" }, [...new Set(lacking.map((each) => each.reason))].map((why) => h("li", {}, why)))) : null);
  }

  function discards(rows) {
    return h("section", {}, h("h2", {}, "Which two to discard"), table(["Discard", { text: "Best bid" }, "Trump", { text: "Made", right: true }, { text: "Stakes", right: true }, { text: "Deals", right: true }],
      rows.map((each) => [pair(each.discard), title(each.contract), each.trump ? coloured(each.trump) : "–",
        percent(each.probability), signed(each.stakes), each.samples]), { caption: "Discards" }));
  }

  function cells(rows, unit) {
    return h("section", {}, h("h2", {}, "What to bid"), table(["Contract", "Trump", { text: "Made", right: true }, { text: "95 %" }, { text: `Stakes, ${unit}`, right: true }, { text: "Deals", right: true }],
      rows.map((each) => [title(each.contract), each.trump ? coloured(each.trump) : "–",
        percent(each.probability), bar(each), signed(each.stakes), each.samples]), { caption: "Contracts by what they are worth" }));
  }

  function pair(cards) {
    return h("span", { class: "two-cards" }, cards.map(mini));
  }

  function coloured(letter) {
    return h("span", { title: SUIT_NAMES[letter] }, suit(letter), h("span", { class: "unseen" }, SUIT_NAMES[letter]));
  }

  function bar(each) {
    const [low, high] = each.interval;
    return h("span", { class: "interval", role: "img", "aria-label": `from ${percent(low)} to ${percent(high)}`,
      title: `${percent(low)} to ${percent(high)}`, css: { "--low": low, "--high": high, "--p": each.probability } });
  }

  function percent(share) {
    return `${(100 * share).toFixed(1)} %`;
  }

  function signed(value) {
    return value > 0 ? `+${number(value, 3)}` : number(value, 3).replace("-", "−");
  }

  return { place, start() { show(); ask(); }, stop: () => only(async () => null) };
}
