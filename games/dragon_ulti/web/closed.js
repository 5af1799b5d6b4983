// A closed hand: what to bid on it, over many deals of the cards that are not seen.
import { h, fill, get, stream, field, select, button, notice, latest, debounce, table, sharing, number, announce } from "/static/dragon.js";
import { percent } from "/static/percent.js";
import { CONTRACTS, DECK, DOUBLED, SUITS, SUIT_NAMES, mini, named, sorted, suit, title, written } from "./cards.js";
import { deck } from "./deck.js";
import { LANGUAGE, t } from "./words.js";

const TOGETHER = ["forty_hundred+ulti", "party+ulti", "ulti+durchmars_trump", "forty_hundred+durchmars_trump", "twenty_hundred+ulti", "twenty_hundred+durchmars_trump"];

/** The view of a closed hand. `declarer()` gives the hand of the open deal. */
export function closed(state, save, declarer) {
  const only = latest();
  const out = h("div", { class: "stack advice", "aria-live": "off" });
  const progress = h("p", { class: "note" });
  const editor = deck([{ key: "s0", letter: "D", title: t("In the hand"), room: 10 }], (owned) => change({ hand: sorted([...owned.keys()]).join(" ") }));
  const text = h("input", { class: "mono", autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  const holds = h("input", { autocomplete: "off", spellcheck: "false", value: state.holds });
  const discard = h("input", { class: "mono", autocomplete: "off", spellcheck: "false", value: state.discard });
  const marriages = h("input", { type: "checkbox", checked: state.marriages, onchange: (event) => change({ marriages: event.target.checked }) });
  const wanted = select([["", t("All, also together")], ...[...CONTRACTS.map((each) => each.name), ...Object.keys(DOUBLED), ...TOGETHER].map((name) => [name, title(name)])], state.bids, (value) => change({ bids: value }));
  const trump = select([["", t("Any")], ...SUITS.map((each) => [each, SUIT_NAMES[each]])], state.only, (value) => change({ only: value }));
  const samples = select(["50", "200", "1000"], String(state.samples), (value) => change({ samples: Number(value) }));
  const games = select([["0", t("Not played")], "20", "50", "200"], String(state.games), (value) => change({ games: Number(value) }));
  const controls = { hand: text, holds, discard, contracts: wanted, trump };
  text.addEventListener("change", () => reading(text, (cards) => change({ hand: sorted(cards).join(" ") })));
  holds.addEventListener("change", () => change({ holds: holds.value.trim() }));
  discard.addEventListener("change", () => reading(discard, (cards) => change({ discard: cards.join(" ") })));
  const place = h("div", { class: "stack closed", hidden: true },
    h("section", { class: "stack hand", "aria-label": t("The hand") }, editor.place),
    h("section", { class: "stack answer", "aria-label": t("What to bid") }, out, progress),
    h("section", { class: "stack form", "aria-label": t("What is asked") },
      field(t("The hand as text"), text, t("Ten cards, or twelve to find the best discard")),
      h("div", { class: "row" },
        button(t("Take the declarer’s"), () => change({ hand: sorted(declarer()).join(" ") })),
        button(t("Random hand"), () => change({ hand: sorted([...DECK].sort(() => Math.random() - 0.5).slice(0, 10)).join(" ") })),
        button(t("Clear"), () => change({ hand: "" }), { class: "quiet" }), sharing(t)),
      h("div", { class: "card" },
        h("div", { class: "fields two" }, field(t("Contract"), wanted), field(t("Trump"), trump), field(t("Deals to look at"), samples),
          field(t("Play with closed cards"), games, t("The best bid, in so many deals")),
          field(t("Discard"), discard, t("Of twelve")), field(t("Known of the defenders"), holds, t("Such as 1: HA, 2: not L"))),
        h("label", { class: "check" }, marriages, t("Marriages count in parties")))));

  /** The cards of a field, which the server reads as it does those of the command. */
  async function reading(input, use) {
    try {
      const found = await get("ulti/hand", { hand: input.value, language: LANGUAGE });
      use(found.cards);
    } catch (wrong) {
      field.wrong(input, wrong.message);
      await empty("");
    }
  }

  function change(given) {
    Object.assign(state, given);
    save();
    show();
    out.classList.add("stale");  // until the first answer to the present question
    ask();
  }

  function show() {
    text.value = written(named(state.hand));
    editor.show(new Map(named(state.hand).map((card) => [card, "s0"])));
  }

  /** No answer, and why: what was shown was of another question. */
  async function empty(why) {
    out.classList.remove("stale");
    fill(out);
    progress.textContent = why;
    await only(async () => null);
  }

  const ask = debounce(async () => {
    const many = named(state.hand).length;
    for (const each of Object.values(controls)) field.wrong(each);
    if (many !== 10 && many !== 12) {
      await empty(t("{n} of 10 cards, or of 12 with the talon.", { n: many }));
      return;
    }
    const asked = { hand: state.hand, contracts: state.bids ? [state.bids] : [], trump: state.only || null, discard: state.discard || null,
      holds: state.holds, marriages: state.marriages, rules: state.rules, samples: state.samples, closed: state.games, language: LANGUAGE };
    progress.textContent = t("Dealing…");
    try {
      await only(async (signal) => {
        for await (const found of stream("ulti/advise", asked, { signal, onnote: (why) => { progress.textContent = why; } })) report(found);
      });
    } catch (wrong) {
      await empty("");
      if (controls[wrong.field]) field.wrong(controls[wrong.field], wrong.message);
      else fill(out, notice(wrong));
    }
  }, 150);

  function report(found) {
    const seen = Math.max(0, ...found.cells.map((each) => each.samples));
    const sentence = found.done ? "{seen} of {all} deals looked at; {many} are possible." : "Still dealing: {seen} of {all} deals looked at; {many} are possible.";
    const playing = state.games > 0 && found.done && (found.closed?.samples ?? 0) < state.games;
    progress.textContent = t(sentence, { seen, all: found.samples, many: found.possible_deals.toLocaleString(LANGUAGE) })
      + (playing ? ` ${t("Playing with closed cards: {n} of {all}.", { n: found.closed?.samples ?? 0, all: state.games })}` : "");
    const able = found.cells.filter((each) => each.can_be_bid && each.samples);
    const best = able[0];
    if (!best) {
      if (found.done) lacking(found);
      return;
    }
    const some = able.filter((each) => each.made);
    const never = own(able.filter((each) => !each.made));
    if (found.done && !playing) announce([`${name(best)}: ${made(best.probability)}`, found.closed ? atTable(found.closed) : ""].join(" "));
    out.classList.remove("stale");
    fill(out,
      h("p", { class: "verdict", data: { kind: best.stakes > 0 ? "good" : "bad" } }, h("b", {}, name(best)),
        t(": made in {share} of deals if all cards lie open, worth {stakes} {unit}", { share: made(best.probability), stakes: signed(best.stakes), unit: t(found.unit) }),
        found.discard.length ? discarded(found.discard) : null),
      found.closed ? h("p", { class: "at-table" }, atTable(found.closed)) : null,
      found.discards.length > 1 ? discards(found.discards.slice(0, 10)) : null,
      some.length ? cells(some) : null,
      h("p", { class: "note" }, t("At a table no player sees all cards or plays perfectly: compare bids by the percentage, it is not a promise. Several contracts at once are settled part by part.")),
      never.length ? h("details", {}, h("summary", {}, t("{n} never made", { n: never.length })), h("ul", { class: "soft" }, together(never).map((each) => h("li", {}, each)))) : null,
      reasons(found));
  }

  /** How the bid fares where each player sees ten cards, and with the same deals open. */
  function atTable(closed) {
    const [low, high] = closed.interval.map((share) => percent(share, 0));
    return t("With closed cards {bid} is made in {made} of {n} deals (95 %: {low} to {high}), and in {open} of these if all cards lie open.",
      { bid: name(closed), made: closed.made, n: closed.samples, low, high, open: closed.open });
  }

  function lacking(found) {
    out.classList.remove("stale");
    fill(out, reasons(found, true));
  }

  function reasons(found, open = false) {
    const missing = own(found.cells.filter((each) => !each.can_be_bid));
    return missing.length ? h("details", { open }, h("summary", {}, t("{n} cannot be bid", { n: missing.length })),
      h("ul", { class: "soft" }, [...new Set(missing.map((each) => each.reason))].map((why) => h("li", {}, why)))) : null;
  }

  /** Bids that are so of themselves, and not only since a part of them is. */
  function own(found) {
    const names = found.map((each) => ({ ...each, parts: each.contract.split("+") }));
    const within = (part, whole) => part.trump === whole.trump && part.parts.length < whole.parts.length && part.parts.every((each) => whole.parts.includes(each));
    return names.filter((each) => !names.some((other) => within(other, each)));
  }

  /** Each contract with the trumps of which something is so. */
  function together(found) {
    return [...new Set(found.map((each) => each.contract))].map((contract) => [title(contract),
      found.filter((each) => each.contract === contract && each.trump).map((each) => [" ", coloured(each.trump)])]);
  }

  function discards(rows) {
    return h("section", {}, h("h2", {}, t("Which two to discard")), table([t("Discard"), { text: t("Best bid") }, { text: t("Made, open"), right: true }, { text: t("Stakes"), right: true }],
      rows.map((each) => [pair(each.discard), bid(each), made(each.probability), signed(each.stakes)]), { caption: t("Discards") }));
  }

  function cells(rows) {
    return h("section", {}, table([t("Contract"), { text: t("Made, open"), right: true }, { text: "95 %" }, { text: t("Stakes"), right: true }],
      rows.map((each) => [h("span", {}, bid(each), partly(each)), made(each.probability), bar(each), signed(each.stakes)]), { caption: t("Contracts by what they are worth") }));
  }

  function bid(each) {
    return h("span", { class: "bid" }, title(each.contract), each.trump ? [" ", coloured(each.trump)] : null);
  }

  /** How often each part of a bid is made, where there are several. */
  function partly(each) {
    return each.parts.length < 2 ? null : h("span", { class: "soft parts" }, each.parts.map((part) => `${title(part.contract)} ${made(part.probability)}`).join(", "));
  }

  function name(each) {
    return `${title(each.contract)}${each.trump ? `, ${SUIT_NAMES[each.trump]}` : ""}`;
  }

  function pair(cards) {
    return h("span", { class: "two-cards" }, cards.map(mini));
  }

  /** The sentence about the discard, with the cards drawn. */
  function discarded(cards) {
    const [before, after] = t(" with {cards} discarded", { cards: "|" }).split("|");
    return [before, pair(cards), after];
  }

  function coloured(letter) {
    return h("span", { title: SUIT_NAMES[letter] }, suit(letter), h("span", { class: "unseen" }, SUIT_NAMES[letter]));
  }

  function bar(each) {
    const [low, high] = each.interval;
    const range = t("from {low} to {high}", { low: made(low), high: made(high) });
    return h("span", { class: "interval", role: "img", "aria-label": range, title: range, css: { "--low": low, "--high": high, "--p": each.probability } });
  }

  function made(share) {
    return percent(share, 1);
  }

  function signed(value) {
    return value > 0 ? `+${number(value, 3)}` : number(value, 3).replace("-", "−");
  }

  /** The hand of the address may be written as people do. */
  function start() {
    show();
    if (named(state.hand).join(" ") === state.hand) return ask();
    text.value = state.hand;
    return reading(text, (cards) => change({ hand: sorted(cards).join(" ") }));
  }

  return { place, start, stop: () => only(async () => null) };
}
