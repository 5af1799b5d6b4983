// The page: three numbers, and the least prices for them. Its state is in the address.
import { app, h, get, query, field, table, notice, fill, latest, debounce, number, sharing } from "/static/dragon.js";

const USUAL = { buyers: 4, goods: 2, highest: 6 };
const state = query.read(USUAL);
const only = latest(); // of two questions at a time the later one counts
const out = h("div", { "aria-live": "polite" });
const inputs = Object.fromEntries(Object.keys(USUAL).map(
  (name) => [name, h("input", { type: "number", min: 1, value: state[name] })]));

async function show() {
  for (const [name, input] of Object.entries(inputs)) state[name] = Number(input.value);
  query.write(state, USUAL);
  for (const input of Object.values(inputs)) field.wrong(input);
  try {
    await only(async (signal) => {
      const { earned, least } = await get("my-name/prices", state, { signal });
      fill(out,
        h("p", {}, `On average ${number(earned)} are earned. Sell at this price or more:`),
        table(["buyers to come", ...least[0].map((_, i) => `${i + 1} left`)],
          least.map((row, buyers) => [buyers, ...row])));
    });
  } catch (wrong) {
    fill(out, notice(wrong));
    if (wrong.field in inputs) field.wrong(inputs[wrong.field], wrong.message);
  }
}

app().append(
  h("div", { class: "card" }, h("div", { class: "fields" },
    field("Buyers", inputs.buyers), field("Goods", inputs.goods), field("Highest price", inputs.highest))),
  h("div", { class: "stack" }, out, h("div", { class: "row" }, sharing())));
for (const input of Object.values(inputs)) input.addEventListener("input", debounce(show));
query.onback(() => location.reload());
show();
