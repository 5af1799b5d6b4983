// Games as text: saving one as a file, loading one from a file or pasted, and choosing among those of a log.
import { h, fill, post, download, field, button, announce, notice } from "./dragon.js";

/** Parts for a page: `row` (Save and Load) and `rest` (the choice in a log, a place to paste). `kept()` is what play/write
 *  is asked; `name` the game in whose format a text may be; `begin(game)` takes what has been read. */
export function transcripts({ kept, name, begin }) {
  const log = h("div");
  const trouble = h("div");
  const pasted = h("textarea", { class: "mono", "aria-label": "A game as text", spellcheck: "false" });
  const file = h("input", { type: "file", accept: ".txt,.pgn,.pdn,.sgf,.mat,.psq,text/plain", "aria-label": "Load a game from a file",
    onchange: async () => { if (file.files[0]) await load(await file.files[0].text()); file.value = ""; } });

  async function trying(work) {
    fill(trouble);
    try {
      await work();
    } catch (wrong) {
      fill(trouble, notice(wrong));
    }
  }

  const save = () => trying(async () => {
    const made = await post("play/write", kept());
    download(made.name, made.text);
  });

  const load = (text, number = 1) => trying(async () => {
    const read = await post("play/read", { text, game: name(), number });
    begin(read);
    announce(`A game of ${read.moves.length} moves has been loaded${read.count > 1 ? `, number ${number} of ${read.count}` : ""}.`);
    fill(log, read.count > 1 ? several(text, read) : null);
  });

  /** Which game of a log is shown, and a choice of the others. */
  function several(text, { number, count, players }) {
    const at = h("input", { type: "number", min: 1, max: count, value: number });
    at.addEventListener("change", () => load(text, Math.min(count, Math.max(1, Math.round(Number(at.value)) || 1))));
    return field(`Game of the log, 1 to ${count}`, at, `The log has ${count} games; this is number ${number}${players.some(Boolean) ? `, ${players.join(" against ")}` : ""}.`);
  }

  return {
    row: [button("Save", save, { class: "quiet" }), h("label", { class: "button quiet picker" }, "Load", file)],
    rest: [log, trouble, h("details", {}, h("summary", {}, "Load a game from text"), pasted, button("Load this", () => load(pasted.value)))],
  };
}
