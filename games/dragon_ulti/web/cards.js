// Cards: names, orders, and how they look, with the suits of the Hungarian deck.
import { h, s } from "/static/dragon.js";

export const SUITS = [..."HLAB"];
export const RANKS = [..."789XUOKA"];
export const SUIT_NAMES = { H: "hearts", L: "leaves", A: "acorns", B: "bells" };
const RANK_NAMES = { 7: "seven", 8: "eight", 9: "nine", X: "ten", U: "under", O: "over", K: "king", A: "ace" };
export const ORDERS = { "ace-king": "789XUOKA", "ace-ten": "789UOKXA" };
export const SEATS = ["Declarer", "Seat 1", "Seat 2"];
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

/** The contracts of a bid, which may be several joined with `+`. */
export function parts(bid) {
  return bid.split("+").map((name) => CONTRACTS.find((each) => each.name === name)).filter(Boolean);
}

/** A bid in words. */
export function title(bid) {
  return parts(bid).map((each) => each.title).join(" and ") || bid;
}

/** Units that decide a bid, or 0 where something else does. */
export function need(bid) {
  return parts(bid).length === 1 ? parts(bid)[0].need || 0 : 0;
}

/** How cards rank in a bid. */
export function order(bid) {
  return ORDERS[parts(bid)[0]?.king ? "ace-king" : "ace-ten"];
}

/** A card in words, for who does not see it. */
export function spoken(card) {
  return `${RANK_NAMES[card[1]]} of ${SUIT_NAMES[card[0]]}`;
}

/** Cards by suits, the strongest first. */
export function sorted(cards, ranks = ORDERS["ace-ten"]) {
  return [...cards].sort((a, b) => SUITS.indexOf(a[0]) - SUITS.indexOf(b[0]) || ranks.indexOf(b[1]) - ranks.indexOf(a[1]));
}

/** The cards named in a text, in the order they stand; what is no card is left out. */
export function named(text) {
  return (text.toUpperCase().match(/\b[HLAB](10|[789XUOKA])(?![A-Z0-9])/g) || []).map((each) => each.replace("10", "X"));
}

const SHAPES = {
  H: () => [s("path", { d: "M12 21.3C5.2 15.8 2.3 12.3 2.3 8.3a5 5 0 0 1 9.7-1.8 5 5 0 0 1 9.7 1.8c0 4-2.9 7.5-9.7 13z" })],
  L: () => [
    s("path", { d: "M12 1.8c4.7 3.6 8 7.2 8 11 0 3.2-2.4 5.2-5 5-.9 0-1.7-.4-2.3-1l.4 5.4h-2.2l.4-5.4c-.6.6-1.4 1-2.3 1-2.6.2-5-1.8-5-5 0-3.8 3.3-7.4 8-11z" }),
    s("path", { class: "vein", d: "M12 6v9M12 11.5 8.6 9M12 11.5 15.4 9" }),
  ],
  A: () => [
    s("path", { d: "M6.6 12.6h10.8c.2 4.6-2.6 7.8-5.4 9.6-2.8-1.8-5.6-5-5.4-9.6z" }),
    s("path", { class: "cap", d: "M11 4.4V1.8h2v2.6c4.2.2 7 2.4 7 5.6 0 .9-.6 1.5-1.4 1.5H5.4C4.6 11.5 4 10.9 4 10c0-3.2 2.8-5.4 7-5.6z" }),
  ],
  B: () => [
    s("path", { d: "M12 5.200a8.3 8.3 0 1 1 0 16.6 8.3 8.3 0 0 1 0-16.600z" }),
    s("path", { d: "M10.2 6.500a1.9 2.5 0 1 1 3.6 0z" }),
    s("path", { class: "vein", d: "M4.2 12.100h15.600M4.2 14.400h15.600M12 14.400v4.3" }),
    s("circle", { class: "slit", cx: 12, cy: 18.5, r: 1.5 }),
  ],
};

/** The drawing of a suit. */
export function suit(letter) {
  return s("svg", { class: `suit ${letter}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, SHAPES[letter]());
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
