// Ready-made deals: one for each contract, and the famous ones, to open with a choice.
import { h, get } from "/static/dragon.js";
import { LANGUAGE, t } from "./words.js";

/** The list and a place for what is remarkable; onchoice(deal) when one is chosen. remember(code) says
 *  of the deal on the table what it is, if it is one of them. */
export function ready(onchoice) {
  const offered = new Map();
  let here = "";
  const list = h("select", { "aria-label": t("Ready-made deals"), onchange: (event) => offered.has(event.target.value) && onchoice(offered.get(event.target.value)) },
    h("option", { value: "" }, t("Ready-made deals")));
  const about = h("p", { class: "soft about", "aria-live": "polite", hidden: true });

  async function offer() {
    const found = await get("ulti/deals", { language: LANGUAGE }).catch(() => ({ deals: [] }));  // the page is as good without
    for (const [kind, label] of [["contract", t("One for each contract")], ["famous", t("Famous ones")]]) {
      list.append(h("optgroup", { label }, found.deals.filter((each) => each.kind === kind).map((each) => {
        offered.set(each.name, each);
        return h("option", { value: each.name }, each.title);
      })));
    }
    remember(here);
  }

  /** Which cards each seat has: hands may be in another order, and the first digit is the trump's. */
  function cards(code) {
    const found = code.slice(-60).match(/../g) || [];
    return [0, 10, 20].map((i) => found.slice(i, i + 10).sort().join("")).join("/");
  }

  function remember(code) {
    here = code;
    const found = [...offered.values()].find((each) => cards(each.code) === cards(code));
    list.value = found?.name || "";
    about.textContent = found?.about || "";
    about.hidden = !found;
  }

  offer();
  return { list, about, remember };
}
