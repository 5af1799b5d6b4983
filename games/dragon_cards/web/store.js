// The cards that are known, with the button that fetches all of them.
import { h, fill, get, stream, button, notice, announce, number } from "/static/dragon.js";

/** A line about the cards; `changed()` is called when others have been fetched. */
export function cardsLine(changed) {
  const line = h("div", { class: "row cards-line" });
  const below = h("div");
  let leaving = null;

  function known(store) {
    fill(line, h("span", { class: "soft figures" }, store.starter
      ? `Starter pool: ${number(store.cards)} cards.`
      : `${number(store.cards)} cards.`),
    button(store.starter ? "Fetch all cards" : "Update", fetchAll, { class: store.starter ? "" : "quiet" }));
  }

  async function fetchAll() {
    leaving = new AbortController();
    const bar = h("progress", { "aria-label": "Fetching the cards" });
    const words = h("span", { class: "soft figures" }, "Asking for the cards …");
    fill(line, bar, words, button("Stop", () => leaving.abort(), { class: "quiet" }));
    fill(below);
    let store = null;
    try {
      for await (store of stream("cards/update", {}, { method: "POST", signal: leaving.signal, onnote: (text) => { words.textContent = text; } })) {
        if (store.total) { bar.max = store.total; bar.value = store.bytes; }
        if (store.bytes) words.textContent = `${megabytes(store.bytes)}${store.total ? ` of ${megabytes(store.total)}` : ""} MB`;
      }
      announce(`${number(store.cards)} cards have been fetched.`);
      known(store);
      changed?.();
    } catch (wrong) {
      if (!leaving.signal.aborted) fill(below, notice(wrong));
      look();
    }
  }

  const look = () => get("cards").then(known, (wrong) => fill(line, notice(wrong)));
  look();
  return h("div", { class: "stack tight" }, line, below);
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
