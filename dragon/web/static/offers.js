// Another search that knows the answer of a position already, or would once a table has been made.
import { h, fill, get, stream, button, notice } from "./dragon.js";

/** show({found, state, searches, sure}) offers it. `use(search)` takes a search that knows; of a table that is being made `begun(controller)`
 *  is told, and with null of its end; then `made(game, search)`, or `failed(error)`. `stop()` ends what runs. */
export function offering({ stop, use, begun, made, failed }) {
  const place = h("div", { class: "stack" });
  let making = null;

  function show({ found, state, searches, sure }) {
    if (!found || found.turn === -2) return void fill(place);
    const mine = state.search.split("(")[0];
    const knows = searches.find((each) => each.proves && !each.objection && !each.limits.length && each.name !== mine);
    const would = searches.find((each) => each.offer);
    if (making) return void fill(place, making);
    if (knows && !sure && searches.some((each) => each.name === mine && each.limits.length)) {
      fill(place, notice(`${knows.name} knows this position exactly.`), h("div", {}, button(`Use ${knows.name}`, () => use(knows.name))));
    } else if (would && !sure) {
      const sentence = `${would.offer.charAt(0).toUpperCase()}${would.offer.slice(1)}.`;
      fill(place, notice(`${mine} may not come to an end here. ${sentence}`), h("div", {}, button("Make the table", () => make(state.game, would.name))));
    } else fill(place);
  }

  async function make(game, search) {
    stop();
    const mine = new AbortController();
    const bar = h("progress", { max: 1, "aria-label": "How much is made" });
    making = h("div", { class: "stack" }, h("p", { role: "status" }, "It is being made, once for all; Stop keeps what is done."), bar);
    begun(mine);
    try {
      for await (const { part } of stream("analyse/prepare", { game, search }, { signal: mine.signal, method: "POST", onnote: (text) => { making.firstChild.textContent = text; } })) {
        bar.value = part;
        bar.textContent = `${Math.round(100 * part)} %`;
        making.firstChild.textContent = `${Math.round(100 * part)} % is made, once for all; Stop keeps what is done.`;
      }
      making = null;
      begun(null);
      await made(game, search);
    } catch (error) {
      making = null;
      if (!mine.signal.aborted) {
        begun(null);
        failed(error);
      } else show({ found: null });
    }
  }
  return { place, show };
}
