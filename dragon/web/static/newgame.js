// New game: a dialog with a picture of each game, and the choice of players, strength and size.
import { h, fill, refill, get, button, field } from "./dragon.js";
import { chooser, parts, playable } from "./chooser.js";
import { icon } from "./rail.js";
import { leveled, usual } from "./words.js";

const PERSON = "human";

/** One of several, side by side: [[value, text], ...]; a note below says what the chosen one means. */
function segments(label, options, chosen, onchange) {
  const name = `segments-${label.replaceAll(" ", "-")}`;
  return h("fieldset", { class: "segments" }, h("legend", {}, label),
    h("div", {}, options.map(([value, text]) => h("label", {},
      h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }), h("span", {}, text)))));
}

/** The words of a game in which one may look for it. */
function words(game) {
  return [game.title, game.name.replaceAll("_", " "), game.summary, ...game.aliases].join(" ").toLowerCase();
}

/** The picture of a game, as soon as it is in sight. */
export function scene(game) {
  const place = h("span", { class: "scene" });
  const seen = new IntersectionObserver(async ([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    seen.disconnect();
    try {
      const { svg } = await get("games/scene", { game: game.name });
      if (svg) return void fill(place, h("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: "" }));
    } catch { /* a game that cannot begin without more has its name */ }
    place.append(h("span", { class: "monogram" }, game.title));
  }, { rootMargin: "200px" });
  seen.observe(place);
  return place;
}

/** Opens the dialog. `state` is the present game and its seats; begin({game, seats, seconds}) starts another. */
export function newGame({ games, state, begin }) {
  const wanted = { game: state.game, you: "0", against: "", seconds: state.seconds };
  const known = games.filter(playable), first = (game) => game.name === parts(state.game).name;
  known.sort((one, other) => first(other) - first(one)); // what is chosen is seen at once
  const other = state.seats.find((each) => each && each !== PERSON);
  const mine = state.seats.indexOf(PERSON);
  wanted.against = other || (state.seats.length > 1 ? PERSON : "");
  if (mine > 0) wanted.you = String(mine);
  const of = () => games.find((each) => each.name === parts(wanted.game).name);
  const choosing = chooser((spec) => { wanted.game = spec; show(); });
  const none = h("p", { class: "soft", hidden: true }, "No game has all these words.");
  const tiles = h("ul", { class: "tiles" }, known.map((game) => h("li", { "data-words": words(game) },
    h("button", { type: "button", class: "tile", "data-game": game.name, onclick: () => { wanted.game = game.name; show(); } },
      scene(game), h("strong", {}, game.title), h("small", {}, game.aliases.length ? `also ${game.aliases[0]}` : " ")))));
  const sought = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", autocomplete: "off", spellcheck: "false", oninput: () => {
    const all = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const each of tiles.children) each.hidden = !all.every((word) => each.dataset.words.includes(word));
    none.hidden = [...tiles.children].some((each) => !each.hidden);
  } });
  const side = h("div", { class: "stack chosen" });
  const dialog = h("dialog", { class: "newgame", "aria-labelledby": "newgame-title", onclose: () => dialog.remove() },
    h("header", {}, h("h2", { id: "newgame-title" }, "New game"), sought,
      button([icon("close")], () => dialog.close(), { class: "quiet", "aria-label": "Close", title: "Close" })),
    h("div", { class: "gallery" }, tiles, none),
    h("form", { method: "dialog", onsubmit: started }, side, h("footer", {}, h("button", { class: "main" }, "Start"))));

  function show() {
    const game = of();
    for (const each of tiles.querySelectorAll(".tile")) each.setAttribute("aria-pressed", String(each.dataset.game === game?.name));
    choosing.show(games, wanted.game);
    const count = game?.seats ?? 2, levels = game?.levels;
    const names = game?.sides?.length === count ? game.sides : Array.from({ length: count }, (_, seat) => `Player ${seat + 1}`);
    const rivals = [...(levels ? leveled(levels) : [["", "Computer"]]), [PERSON, "Person"]];
    if (!rivals.some(([value]) => value === wanted.against) && !(other && wanted.against === other)) wanted.against = levels ? usual(levels) : "";
    if (wanted.against === other && !rivals.some(([value]) => value === other)) rivals.push([other, other]);
    const alone = count === 1;
    const orders = ["first", "second", "third", "fourth"];
    if (Number(wanted.you) >= count) wanted.you = "0";
    refill(side, h("h3", {}, game?.title ?? wanted.game), h("p", { class: "soft" }, game?.summary ?? ""),
      alone ? null : segments("Against", rivals, wanted.against, (value) => { wanted.against = value; show(); }),
      alone || wanted.against === PERSON ? null : segments("You play", [...names.map((name, seat) => [String(seat), count === 2 ? `${name}, ${orders[seat]}` : name]), ["random", "Random"]],
        wanted.you, (value) => { wanted.you = value; }),
      alone || levels ? null : secondsField(wanted),
      choosing.sizes);
  }

  async function started() {
    const game = of(), count = game?.seats ?? 2;
    const you = wanted.you === "random" ? Math.floor(Math.random() * count) : Number(wanted.you);
    const seats = wanted.against === PERSON ? Array(count).fill(PERSON) : count === 1 ? [PERSON]
      : Array.from({ length: count }, (_, seat) => (seat === you ? PERSON : wanted.against));
    begin({ game: wanted.game, seats, seconds: wanted.seconds });
  }

  document.body.append(dialog);
  show();
  dialog.showModal();
  (tiles.querySelector('[aria-pressed="true"]') || dialog.querySelector(".main")).focus({ preventScroll: false });
}

/** A field for the seconds of a computer's move, where it has no levels. */
function secondsField(wanted) {
  const seconds = h("input", { type: "number", min: "0.05", max: "60", step: "any", value: wanted.seconds });
  seconds.addEventListener("change", () => { wanted.seconds = Math.min(60, Math.max(0.05, Number(seconds.value) || 1)); });
  return field("Seconds a move", seconds, "How long the computer may think.");
}
