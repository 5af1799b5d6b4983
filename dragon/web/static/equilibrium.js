// After a hand of a game that hides something: a person's moves beside an equilibrium, and what an exploiter would have won from them.
import { h, fill, post, number, notice, button } from "./dragon.js";

const KEY = "dragon-hands", MOST = 200; // hands of each game that are kept, as long as the window is open

/** The hands of a game so far. */
function kept(game) {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) || "{}")[game] || [];
  } catch { // a page that may keep nothing
    return [];
  }
}

function keep(game, hands) {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEY) || "{}");
    sessionStorage.setItem(KEY, JSON.stringify({ ...all, [game]: hands }));
  } catch { /* the figures are of the last hand alone */ }
}

const same = (one, other) => one.deal === other.deal && one.start === other.start && String(one.players) === String(other.players);
const odds = (policy) => Object.entries(policy).filter(([, p]) => p >= 0.005).sort(([, a], [, b]) => b - a).map(([move, p]) => `${move} ${Math.round(100 * p)} %`).join(", ");
const games = (count) => (count === 1 ? "this hand" : `${number(count)} hands`);

/** Shows in `place` the comparison of a finished hand, and of all hands, with an equilibrium. A hand that is played again counts once. */
export async function beside(place, whole) {
  const mine = JSON.stringify(whole);
  if (place.dataset.of === mine) return;
  place.dataset.of = mine;
  const { game, start, deal, moves, players } = whole, hand = { start, deal, moves, players };
  const hands = [...kept(game).filter((each) => !same(each, hand)), hand].slice(-MOST);
  keep(game, hands);
  const head = h("h2", {}, "Beside an equilibrium");
  fill(place, head, h("p", { class: "soft" }, "It is being found …"));
  const found = await post("play/judged", { game, hands }).then(told, (wrong) => [notice(wrong)]);
  if (place.dataset.of === mine) fill(place, head, found, button("Forget these hands", () => { keep(game, []); place.hidden = true; }, { class: "quiet" }));
}

function told({ moves, lost, exploiter, chance }) {
  const sum = (values) => values.reduce((all, each) => all + each, 0), count = lost.length;
  const items = moves.map(({ move, policy, loss }) => h("li", {}, h("strong", {}, move),
    loss === null ? " where the equilibrium never lets it come to this" : ` gave away ${number(round(loss))}`, h("span", { class: "soft" }, `; it plays ${odds(policy)}`)));
  return [
    items.length ? h("ol", { "aria-label": "Your moves beside an equilibrium" }, items) : null,
    h("p", {}, `Against the equilibrium you gave away ${number(round(lost.at(-1)))} in this hand${count > 1 ? `, ${number(round(sum(lost)))} in ${games(count)}` : ""}.`),
    exploiter === undefined ? null
      : h("p", { class: "exploiter" }, `An exploiter would have won ${number(round(exploiter))} more from you in ${games(count)}, if you always play as in ${count === 1 ? "it" : "them"}; by chance alone an equilibrium would show ${number(round(chance))}.`),
  ];
}

const round = (value) => Math.round(1000 * value) / 1000; // an equilibrium is one to a ten-thousandth
