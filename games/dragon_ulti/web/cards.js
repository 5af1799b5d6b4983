// Cards: names, orders, and how they look, with the suits of the Hungarian deck.
import { h, s } from "/static/dragon.js";
import SHAPES from "./suits.js";
import { LANGUAGE, t } from "./words.js";

export const SUITS = [..."HLAB"];
export const RANKS = [..."789XUOKA"];
export const SUIT_NAMES = { H: t("hearts"), L: t("leaves"), A: t("acorns"), B: t("bells") };
const LETTERS = { P: "H", Z: "L", M: "A", T: "B", "♥": "H", "♠": "L", "♣": "A", "♦": "B" };
const RANK_NAMES = { 7: "seven", 8: "eight", 9: "nine", X: "ten", U: "under", O: "over", K: "king", A: "ace" };
export const ORDERS = { "ace-king": "789XUOKA", "ace-ten": "789UOKXA" };
export const SEATS = [t("Declarer"), t("Defender 1"), t("Defender 2")];
export const DECK = SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank));

/** The contracts in the order of the table; units that each needs where points decide. */
export const CONTRACTS = [
  { name: "no_trump_party", title: "Party without trump", need: 5 },
  { name: "party", title: "Party", trump: true, need: 5 },
  { name: "forty_hundred", title: "40-100", trump: true, need: 6 },
  { name: "four_aces", title: "Four aces", trump: true },
  { name: "ulti", title: "Ulti", trump: true },
  { name: "betli", title: "Betli", king: true },
  { name: "durchmars_no_trump", title: "Plain durchmars", king: true },
  { name: "durchmars_trump", title: "Trump durchmars", trump: true },
  { name: "twenty_hundred", title: "20-100", trump: true, need: 8 },
  { name: "four_tens", title: "Four tens", trump: true },
];
/** Those that are played as another, for twice the stakes. */
export const DOUBLED = { rebetli: "Rebetli", redurchmars: "Redurchmars" };

/** The contracts of a bid, which may be several joined with `+`. */
export function parts(bid) {
  return bid.split("+").map((name) => CONTRACTS.find((each) => each.name === name)).filter(Boolean);
}

/** A bid in words. */
export function title(bid) {
  return parts(bid).map((each) => t(each.title)).join(t(" and ")) || t(DOUBLED[bid] || bid);
}

/** Units that decide a bid, or 0 where something else does. */
export function need(bid) {
  return parts(bid).length === 1 ? parts(bid)[0].need || 0 : 0;
}

/** How cards rank in a bid. */
export function order(bid) {
  return ORDERS[parts(bid)[0]?.king ? "ace-king" : "ace-ten"];
}

/** A card in words, for screen readers. */
export function spoken(card) {
  return t("{rank} of {suit}", { rank: t(RANK_NAMES[card[1]]), suit: SUIT_NAMES[card[0]] });
}

/** Cards by suits, the strongest first. */
export function sorted(cards, ranks = ORDERS["ace-ten"]) {
  return [...cards].sort((a, b) => SUITS.indexOf(a[0]) - SUITS.indexOf(b[0]) || ranks.indexOf(b[1]) - ranks.indexOf(a[1]));
}

/** The cards named in a text, in the order they stand, by English or Hungarian letters; other words are left out. */
export function named(text) {
  const found = text.toUpperCase().match(/(?<![A-Z0-9])[HLABPZMT♥♠♣♦](10|[789XUOFKAÁ])(?![A-Z0-9])/g) || [];
  return found.map((each) => (LETTERS[each[0]] || each[0]) + each.slice(1).replace("10", "X").replace("F", "O").replace("Á", "A"));
}

/** Cards as they are typed in the language of the page. */
export function written(cards) {
  return cards.map((card) => (LANGUAGE === "hu" ? { H: "P", L: "Z", A: "M", B: "T" }[card[0]] + card[1] : card)).join(" ");
}

/** The drawing of a suit. */
export function suit(letter) {
  return s("svg", { class: `suit ${letter}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, SHAPES[letter].map(({ d, kind }) => s("path", { d, class: kind })));
}

/** A sign on a button: first, back, next, last. */
export function sign(name) {
  const shapes = { first: "M6 5v14M18 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z", next: "M8 5l9 7-9 7z", last: "M18 5v14M6 5l9 7-9 7z" };
  return s("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: shapes[name] }));
}

/** The face of a card: rank and suit. */
export function face(card) {
  return [h("span", { class: "rank", "aria-hidden": "true" }, card[1]), suit(card[0])];
}

/** A card within a line of text. */
export function mini(card) {
  return h("span", { class: `mini ${card[0]}` }, suit(card[0]), h("span", {}, card[1]), h("span", { class: "unseen" }, ` ${spoken(card)}`));
}
