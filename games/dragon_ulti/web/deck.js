// The 32 cards as a grid to click: each belongs to a hand or the talon, or is free.
import { h, fill, announce } from "/static/dragon.js";
import { t } from "./words.js";
import { SUITS, SUIT_NAMES, DECK, face, spoken } from "./cards.js";

/** A grid of cards. owners: [{key, letter, title, room}]; onchange(owned) after each change, where
 *  `owned` is a Map from card to owner's key. show(map) sets it. */
export function deck(owners, onchange) {
  let owned = new Map();
  let brush = owners[0].key;
  const buttons = new Map();
  const counts = new Map();
  const single = owners.length === 1;
  const brushes = h("div", { class: "brushes", role: "radiogroup", "aria-label": t("Who gets the cards that are clicked"), hidden: single },
    owners.map((owner) => {
      const count = h("span", { class: "count" });
      counts.set(owner.key, count);
      const radio = h("input", { type: "radio", name: "brush", value: owner.key, checked: owner.key === brush, onchange: () => { brush = owner.key; } });
      return h("label", { class: `brush ${owner.key}` }, radio, h("span", { class: "owner" }, owner.letter), owner.title, count);
    }));
  const rows = SUITS.map((suit) => h("div", { role: "row", "aria-label": SUIT_NAMES[suit] },
    DECK.filter((card) => card[0] === suit).map((card) => {
      const owner = h("span", { class: "owner", "aria-hidden": "true" });
      const made = h("button", { type: "button", class: `playing ${suit}`, tabindex: card === DECK[0] ? "0" : "-1", data: { card },
        onclick: () => give(card, brush) }, face(card), owner);
      buttons.set(card, made);
      return h("div", { role: "gridcell" }, made);
    })));
  const grid = h("div", { class: "deck", role: "grid", "aria-label": t("The deck") }, rows);
  grid.addEventListener("keydown", keys);

  function give(card, key) {
    if (!key || owned.get(card) === key) owned.delete(card);
    else owned.set(card, key);
    draw();
    const owner = owners.find((each) => each.key === owned.get(card));
    announce(`${spoken(card)}: ${owner ? owner.title : t("no hand")}`);
    onchange(owned);
  }

  function keys(event) {
    const card = event.target.closest("[data-card]")?.dataset.card;
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = DECK.indexOf(card);
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[event.key];
    const owner = owners.find((each) => each.letter.toLowerCase() === event.key.toLowerCase());
    if (step && DECK[at + step]) focus(DECK[at + step]);
    else if (owner && !single) give(card, owner.key);
    else if (event.key === "Delete" || event.key === "Backspace") give(card, null);
    else if (!step) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function focus(card) {
    for (const [name, each] of buttons) each.tabIndex = name === card ? 0 : -1;
    buttons.get(card).focus();
  }

  function draw() {
    for (const [card, each] of buttons) {
      const owner = owners.find((one) => one.key === owned.get(card));
      each.dataset.owner = owner ? owner.key : "";
      each.setAttribute("aria-label", `${spoken(card)}, ${owner ? owner.title : t("not dealt")}`);
      if (single) each.setAttribute("aria-pressed", String(Boolean(owner)));
      fill(each.lastChild, owner && !single ? owner.letter : "");
    }
    for (const owner of owners) {
      const has = [...owned.values()].filter((key) => key === owner.key).length;
      const count = counts.get(owner.key);
      fill(count, `${has}/${owner.room}`);
      count.classList.toggle("wrong", has > owner.room);
    }
  }

  return {
    place: h("div", { class: "stack editor" }, brushes, grid),
    show(map) {
      owned = new Map(map);
      draw();
    },
    get owned() {
      return owned;
    },
  };
}
