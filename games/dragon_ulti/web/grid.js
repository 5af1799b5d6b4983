// Contracts by trumps: 31 verdicts that fill in as they are found, each a button.
import { h, fill } from "/static/dragon.js";
import { t } from "./words.js";
import { CONTRACTS, SUITS, SUIT_NAMES, suit } from "./cards.js";

const WORDS = { true: ["✓", "made", "good"], false: ["✗", "fails", "bad"], null: ["?", "unknown", ""] };

/** The element of the table; add(answer) fills a cell, clear() empties all, choose(contract, trump)
 *  marks one; onpick(contract, trump) when one is clicked. */
export function grid(onpick) {
  const cells = new Map();
  const note = h("p", { class: "note", "aria-live": "polite" });
  const head = h("tr", {}, h("th", { scope: "col", class: "text" }, h("span", { class: "unseen" }, t("Contract"))),
    SUITS.map((letter) => h("th", { scope: "col" }, suit(letter), h("span", { class: "unseen" }, SUIT_NAMES[letter]))),
    h("th", { scope: "col" }, t("none")));
  const rows = CONTRACTS.map((contract) => h("tr", {}, h("th", { scope: "row" }, t(contract.title)),
    [...SUITS, null].map((trump) => {
      if (Boolean(contract.trump) !== Boolean(trump)) return h("td", {});
      const made = h("button", { type: "button", class: "cell", onclick: () => onpick(contract.name, trump) });
      cells.set(`${contract.name} ${trump}`, { made, contract, trump });
      return h("td", {}, made);
    })));
  const table = h("table", { class: "verdicts" }, h("caption", { class: "unseen" }, t("Contracts by trumps")),
    h("thead", {}, head), h("tbody", {}, rows));

  function put({ made, contract, trump }, sign, word, kind, why = "") {
    made.textContent = sign;
    made.className = `cell ${kind}`;
    made.title = why;
    made.setAttribute("aria-label", `${t(contract.title)}${trump ? `, ${SUIT_NAMES[trump]}` : ""}: ${t(word)}${why ? `, ${why}` : ""}`);
  }

  function clear() {
    for (const each of cells.values()) put(each, "·", "not known yet", "");
    table.setAttribute("aria-busy", "true");
    note.textContent = "";
  }

  function add(answer) {
    const there = cells.get(`${answer.contract} ${answer.trump}`);
    if (!there) return;
    note.textContent = "";
    if (answer.reason) put(there, "–", "cannot be bid", "soft", answer.reason);
    else put(there, ...WORDS[String(answer.declarer_wins)]);
  }

  function choose(bid, trump) {
    const names = bid.split("+");
    for (const each of cells.values()) {
      const here = names.includes(each.contract.name) && (!each.trump || each.trump === trump);
      each.made.setAttribute("aria-pressed", String(here));
    }
  }

  function done(text) {
    table.removeAttribute("aria-busy");
    note.textContent = text;
  }

  clear();
  return { place: h("div", { class: "stack tight" }, h("div", { class: "scroll" }, table), note,
    h("p", { class: "note legend" }, t("✓ made  ✗ fails  – cannot be bid: the hand lacks what the contract asks for"))), add, clear, choose, done, waits: (why) => { note.textContent = why; } };
}
