// The choice of a game: a list, its rules, sliders for its sizes, switches, and its spec for experts.
import { h, refill, field, select, button } from "./dragon.js";
import { rules } from "./words.js";

/** A name in words: small_world has no underscore. */
function title(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A spec in parts: "nex(rows=4, swap=true)" is {name: "nex", settings: {rows: "4", swap: "true"}}. */
export function parts(spec) {
  const [, name, inner = ""] = /^\s*(\w*)\s*(?:\((.*)\))?\s*$/s.exec(spec) || [null, spec.trim()];
  const settings = {};
  for (const [, key, value] of inner.matchAll(/(\w+)\s*=\s*((?:'[^']*'|"[^"]*"|\[[^\]]*\]|[^,'"[])+)/g)) settings[key] = value.trim();
  return { name, settings };
}

function joined(name, settings) {
  const inner = Object.entries(settings).map(([key, value]) => `${key}=${value}`).join(", ");
  return inner ? `${name}(${inner})` : name;
}

/** Whether a game is one to play: it needs no file, and is not a plan that has a page of its own. */
export function playable(game) {
  const own = document.querySelector(`nav a[href="/${CSS.escape(game.name.replaceAll("_", "-"))}"]`);
  return game.traits !== null && !(game.seats === 1 && own);
}

/** The parts for a page: `choice` (list and button for the rules) and `sizes` (sliders, switches, the spec).
 *  show(games, spec) fills them; onchange gets the spec that is wanted. */
export function chooser(onchange) {
  const choice = h("div", { class: "choice" });
  const own = h("input", { class: "mono", spellcheck: "false", autocomplete: "off", onchange: () => onchange(own.value.trim()) });
  const numbers = h("div", { class: "fields" });
  const sizes = h("div", { class: "stack sizes" }, numbers,
    h("details", {}, h("summary", {}, "As text, for experts"), field("Game as text", own, "A name, or one with settings: nex(rows=4, cols=4)")));

  function show(games, spec) {
    const { name, settings } = parts(spec);
    const game = games.find((each) => each.name === name);
    const known = games.filter((each) => each === game || playable(each));
    const groups = [["Games", (each) => each.seats !== 1], ["Puzzles", (each) => each.seats === 1]];
    const list = h("select", { onchange: () => onchange(list.value) },
      game ? null : h("option", { value: spec }, name || "–"),
      groups.map(([label, belongs]) => h("optgroup", { label }, known.filter(belongs).map((each) => h("option", { value: each.name }, each.title)))));
    list.value = game ? name : spec;
    refill(choice, field("Game", list), button("Rules", () => rules(game), { disabled: !game }));
    const set = (key, value) => onchange(joined(name, { ...settings, [key]: value }));
    own.value = spec;
    refill(numbers, (game?.parameters || []).map((each) => each.name in game.ranges ? slider(each, game.ranges[each.name], settings, set)
      : each.name in game.choices ? words(each, game.choices[each.name], settings, set) : each.type === "true or false" ? onoff(each, settings, set) : null));
  }
  return { choice, sizes, show };
}

function slider(of, [least, most], settings, set) {
  const at = Number(settings[of.name] ?? of.default);
  const figure = h("output", {}, String(at));
  const range = h("input", { type: "range", min: least, max: most, step: 1, oninput: () => { figure.textContent = range.value; }, onchange: () => set(of.name, range.value) });
  range.value = at;
  const made = field(of.name === "cols" ? "Columns" : title(of.name), range, of.description);
  made.querySelector("label").append(" ", figure);
  return made;
}

function words(of, choices, settings, set) {
  const usual = of.default === null ? "none" : `'${of.default}'`;
  const shown = (word) => [word, word === "none" ? "usual" : title(word.replaceAll("'", ""))];
  return field(title(of.name), select(choices.map(shown), settings[of.name] ?? usual, (word) => set(of.name, word)), of.description);
}

function onoff(of, settings, set) {
  const on = (settings[of.name] ?? String(of.default)) === "true";
  const box = h("input", { type: "checkbox", checked: on, onchange: () => set(of.name, String(box.checked)) });
  const made = h("label", { class: "check" }, box, title(of.name));
  return h("div", { class: "field" }, made, of.description ? h("p", { class: "note" }, of.description) : null);
}

