// The course of a game: what its positions are worth to the first team, ply by ply, as far as they have been searched.
import { h, fill, get, stream, button, notice } from "./dragon.js";
import { chart } from "./chart.js";

const SECONDS = 0.5; // for each position where all are searched

/** A curve with a button that searches each position. `asking()`: game, start, deal, moves, search, seconds. */
export function course(asking) {
  const figure = h("figure", { class: "curve" });
  const trouble = h("div");
  const all = button("Search each position", () => (running ? stop() : run()));
  const place = h("div", { class: "stack" }, figure, h("div", { class: "row" }, all), trouble);
  const known = new Map();
  let running = null;

  const key = ({ game, start, deal }, moves) => JSON.stringify([game, start, deal, moves]);

  /** Notes and shows the value of a position for the side to move. */
  function note(asked, { turn, teams, payoff }, value) {
    const mine = turn < 0 || teams[turn] === teams[0] ? 1 : -1;
    known.set(key(asked, asked.moves), turn === -2 ? payoff[0] : mine * value + 0);
    show();
  }

  function show() {
    const asked = asking();
    const count = asked.moves.length;
    const points = Array.from({ length: count + 1 }, (_, ply) => [ply, known.get(key(asked, asked.moves.slice(0, ply)))]).filter(([, value]) => value !== undefined);
    place.hidden = !count;
    figure.hidden = points.length < 2;
    const most = Math.max(1, ...points.map(([, value]) => Math.abs(value)));
    if (points.length > 1) fill(figure, chart({ series: [{ name: "value", points }], x: { label: "moves played", range: [0, Math.max(1, count)] }, y: { range: [-most, most] }, height: 180, title: "The value over the moves of the game, for the first seat" }));
    all.textContent = running ? "Stop" : "Search each position";
  }

  function stop() {
    running?.abort();
    running = null;
    show();
  }

  async function run() {
    const mine = (running = new AbortController());
    const { signal } = mine;
    const asked = asking();
    fill(trouble);
    show();
    try {
      for (let ply = 0; ply <= asked.moves.length; ply++) {
        const here = { ...asked, moves: asked.moves.slice(0, ply), seconds: Math.min(SECONDS, asked.seconds), each: false };
        const found = await get("play/position", { game: here.game, start: here.start, deal: here.deal, moves: here.moves }, { signal });
        if (found.turn === -2) note(here, found);
        else for await (const { value } of stream("analyse/run", here, { signal })) note(here, found, value);
        if (signal.aborted) return;
      }
    } catch (wrong) {
      if (!signal.aborted) fill(trouble, notice(wrong));
    }
    if (running === mine) stop();
  }
  return { place, note, show, stop };
}
