// The table: three hands, the trick between them, the talon; cards that may be played are buttons.
import { h, fill } from "/static/dragon.js";
import { t } from "./words.js";
import { SEATS, face, mini, sorted, spoken } from "./cards.js";

/** The element of a table. show({hands, talon, ranks, gone, trick, turn, may, worth, onplay}): `gone`
 *  the cards played before, `trick` [{player, card, took}], `turn` a seat or -1, `may` the cards that
 *  can be played, `worth(card)` {text, said, kind} or null. */
export function felt() {
  const place = h("div", { class: "felt", role: "group", "aria-label": t("The table") });
  const hands = [0, 1, 2].map((seat) => h("div", { class: "cards10", role: "group", "aria-label": SEATS[seat] }));
  const heads = SEATS.map((seat) => h("h2", { data: { turn: t("to play") } }, seat));
  const trick = h("div", { class: "trick", role: "group", "aria-label": t("The trick") });
  const talon = h("div", { class: "talon" });
  place.append(
    h("div", { class: "seat s1" }, heads[1], hands[1]),
    h("div", { class: "seat s2" }, heads[2], hands[2]),
    h("div", { class: "middle" }, trick),
    h("div", { class: "seat s0" }, h("div", { class: "row heading" }, heads[0], talon), hands[0]));
  for (const hand of hands) {  // room for what is still to come
    fill(hand, Array.from({ length: 10 }, () => h("div", { class: "slot" }, h("div", { class: "playing gone" }), h("span", { class: "worth" }))));
  }
  fill(trick, [1, 2, 0].map((seat) => h("div", { class: `lay p${seat}` })));
  let drawn = "";
  let buttons = new Map();

  function deal(found) {
    const key = JSON.stringify([found.hands, found.talon, found.ranks]);
    if (key === drawn) return;
    drawn = key;
    buttons = new Map();
    found.hands.forEach((hand, seat) => {
      fill(hands[seat], sorted(hand, found.ranks).map((card) => {
        const value = h("span", { class: "worth" });
        const made = h("button", { type: "button", class: `playing ${card[0]}`, data: { card } }, face(card));
        buttons.set(card, { made, value, seat });
        return h("div", { class: "slot" }, made, value);
      }));
    });
    fill(talon, found.talon.length ? [t("Talon"), sorted(found.talon, found.ranks).map(mini)] : null);
  }

  function show(found) {
    deal(found);
    for (const [card, { made, value, seat }] of buttons) {
      const can = found.may.includes(card);
      const worth = can ? found.worth(card) : null;
      const gone = found.gone.has(card);
      made.disabled = !can;
      made.onclick = can ? () => found.onplay(card) : null;
      made.classList.toggle("gone", gone);
      made.classList.toggle("idle", !gone && !can && seat === found.turn);
      made.setAttribute("aria-label", `${spoken(card)}${gone ? t(", played") : ""}${worth ? `: ${worth.said}` : ""}`);
      value.className = `worth ${worth ? worth.kind : ""}`;
      value.textContent = worth ? worth.text : "";
    }
    heads.forEach((head, seat) => head.classList.toggle("turn", seat === found.turn));
    fill(trick, [1, 2, 0].map((seat) => {
      const there = found.trick.find((each) => each.player === seat);
      return h("div", { class: `lay p${seat}${there?.took ? " took" : ""}` },
        there ? h("div", { class: `playing ${there.card[0]}`, role: "img", "aria-label": `${SEATS[seat]}: ${spoken(there.card)}${there.took ? t(", takes the trick") : ""}` }, face(there.card)) : null);
    }));
  }

  return { place, show };
}
