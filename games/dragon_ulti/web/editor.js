// The deal, clicked card by card or typed.
import { h, field, button } from "/static/dragon.js";
import { DECK, SEATS, named, sorted } from "./cards.js";
import { deck } from "./deck.js";
import { t } from "./words.js";

const OWNERS = [
  { key: "s0", letter: "D", title: SEATS[0], room: 10 },
  { key: "s1", letter: "1", title: SEATS[1], room: 10 },
  { key: "s2", letter: "2", title: SEATS[2], room: 10 },
  { key: "talon", letter: "T", title: t("Talon"), room: 2 },
];

/** The editor. ontext(text) when a deal is typed, ondeal(text) when one is clicked, onpart(text, why) when
 *  the cards chosen are not a deal yet. show(groups) sets the cards, write(text) the text, wrong(text, message)
 *  says what cannot be read. */
export function editor({ ontext, ondeal, onpart }) {
  const text = h("input", { class: "mono", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go" });
  text.addEventListener("change", () => ontext(text.value.trim()));
  const cards = deck(OWNERS, edited);
  const missing = h("p", { class: "note", "aria-live": "polite" });
  const place = h("section", { class: "card", id: "editor", "aria-label": t("The deal"), hidden: true },
    h("div", { class: "split ulti" }, cards.place,
      h("div", { class: "stack" }, field(t("The deal as text"), text, t("Three hands with / between, the 61 digits of a link, a link, or JSON")),
        h("p", { class: "soft" }, t("Say who gets cards, then click them. With the keyboard: arrows move, D, 1, 2 and T give, Delete takes back.")),
        h("div", { class: "row" }, button(t("Deal the rest"), rest), button(t("Clear"), () => { cards.show(new Map()); edited(cards.owned); }, { class: "quiet" })), missing)));
  const toggle = button(t("Edit the deal"), () => open(place.hidden), { "aria-controls": "editor" });

  function open(on) {
    place.hidden = !on;
    toggle.setAttribute("aria-expanded", String(on));
    toggle.setAttribute("aria-pressed", String(on));
  }

  function edited(owned) {
    const groups = OWNERS.map((owner) => sorted(DECK.filter((card) => owned.get(card) === owner.key)));
    const sizes = groups.slice(0, 3).map((hand) => hand.length);
    const fits = Math.max(...sizes) <= 10 && Math.min(...sizes) === Math.max(...sizes) && sizes[0] && (!groups[3].length || groups[3].length === 2);
    const found = groups.map((hand) => hand.join(" ")).join(" / ").replace(/ \/ $/, "");
    text.value = found;
    missing.textContent = fits ? "" : lacking(sizes, groups[3].length);
    if (fits) ondeal(found);
    else onpart(found, missing.textContent);
  }

  function lacking(sizes, talon) {
    const most = Math.max(...sizes), goal = most > 6 ? 10 : most;
    const all = sizes.map((n, i) => (n > goal ? t("{who} has {n} too many", { who: SEATS[i], n: n - goal }) : n < goal ? t("{who} needs {n} more", { who: SEATS[i], n: goal - n }) : "")).filter(Boolean);
    if (talon === 1 || talon > 2) all.push(t("the talon has two cards, or none yet"));
    return all.length ? `${all.join("; ")}.` : t("Every seat needs as many cards as the others.");
  }

  function rest() {
    const owned = new Map(cards.owned);
    const left = DECK.filter((card) => !owned.has(card));
    for (let i = left.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [left[i], left[j]] = [left[j], left[i]];
    }
    for (const owner of OWNERS) {
      let has = [...owned.values()].filter((key) => key === owner.key).length;
      for (; has < owner.room && left.length; has++) owned.set(left.pop(), owner.key);
    }
    cards.show(owned);
    edited(owned);
  }

  function show(groups) {
    const owned = new Map();
    groups.forEach((hand, i) => hand.forEach((card) => owned.set(card, OWNERS[i].key)));
    cards.show(owned);
  }

  function write(found) {
    if (!text.matches(":focus")) text.value = found;
    field.wrong(text);
    missing.textContent = "";
  }

  function wrong(found, why) {
    const message = why.length > 240 ? `${why.slice(0, 120)} … ${why.slice(-110)}` : why;
    if (!text.matches(":focus")) text.value = found;
    field.wrong(text, message);
    open(true);
    const groups = found.split(",")[0].split("/").map(named);
    if (groups.length > 2 && groups.length < 5) show(groups);
  }

  open(false);
  show([]);
  return { place, toggle, show, write, wrong };
}
