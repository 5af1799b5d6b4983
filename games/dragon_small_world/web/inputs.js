// Fields that belong to a part of the page's state: what is typed changes it.
import { h, fill, get, field, button, debounce } from "/static/dragon.js";

/** The kinds of fields of a page; `change({key: value})` takes what is typed, `stale()` is called at
 *  each letter, and `fillNames(options)` offers names. */
export function inputs({ state, usual, change, stale, fillNames }) {
  /** A text field for one name or condition, or several with commas between. */
  function line(name, key, options = {}) {
    const value = Array.isArray(state[key]) ? state[key].join(", ") : state[key];
    const control = h("input", { name, value, autocomplete: "off", spellcheck: "false", ...options });
    const take = () => {
      const several = control.value.split(",").map((each) => each.trim()).filter(Boolean);
      change({ [key]: Array.isArray(usual[key]) ? several : control.value.trim() });
    };
    control.addEventListener("input", stale);
    control.addEventListener("input", debounce(take, 400));
    return control;
  }

  /** One name of the pool: what may be meant is listed as one types. */
  function one(name, key) {
    const control = line(name, key, { list: "names" });
    const look = debounce(async () => {
      const like = control.value.trim();
      if (like.length < 2) return;
      const near = await get("small-world/names", { like }).catch(() => null); // no list, no harm
      if (near) fillNames(near.names.map((each) => h("option", { value: each })));
    }, 150);
    control.addEventListener("input", look);
    return control;
  }

  /** A list of names of the deck, each taken from a field and shown as a chip. */
  function chips(name, key, label) {
    const control = h("input", { name, list: "monsters", autocomplete: "off", spellcheck: "false" });
    const row = h("ul", { class: "chips", "aria-label": label });
    const shown = () => {
      fill(row, state[key].map((each) => h("li", {}, button(`${each} ✕`, () => {
        change({ [key]: state[key].filter((other) => other !== each) });
        shown();
      }, { "aria-label": `Leave out ${each}` }))));
      row.hidden = !state[key].length;
    };
    control.addEventListener("change", () => {
      const value = control.value.trim();
      control.value = "";
      field.wrong(control);
      if (value && !state[key].includes(value)) change({ [key]: [...state[key], value] });
      shown();
    });
    shown();
    return h("div", { class: "stack tight" }, field(label, control), row);
  }

  return { line, one, chips };
}
