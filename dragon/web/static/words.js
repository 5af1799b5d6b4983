// What both pages of games say in words: luck, the end, a number of plies.
import { h, number, button } from "./dragon.js";

/** The levels of a computer player, from the weakest on. */
export const LEVELS = { easy: "Easy", medium: "Medium", strong: "Strong" };

/** The names and words of the levels that a game has: a small one, or one of luck, has two. */
export const leveled = (levels) => Object.entries(LEVELS).filter(([name]) => levels?.[name]);

/** The level that is offered first. */
export const usual = (levels) => (levels.medium ? "medium" : "strong");

/** A number of plies. */
export function plies(count) {
  return `${number(count)} ${count === 1 ? "ply" : "plies"}`;
}

/** A move of luck: `roll5-3` is a roll of 5 and 3. */
export function rolled(move) {
  const dice = /^rolls?(\d)(?:-?(\d))?$/.exec(move);
  return dice ? `a roll of ${dice.slice(1).filter(Boolean).join(" and ")}` : move;
}

/** How a game for one has ended: it may cost moves, give points, or only be won; `failed` is the payoff without a solution. */
function alone({ payoff: [got], failed }, won) {
  if (failed || (won && !got)) return "No move is left.";
  if (got < 0) return `You ${won || "solved it"} in ${number(-got)} ${got === -1 ? "move" : "moves"}.`;
  return won ? `You ${won}.` : `The end: ${number(got)} ${got === 1 ? "point" : "points"}.`;
}

/** The score of a seat beside its name: at the end the payoff, where that is not what the scores say. */
export function scored({ score, payoff }, seat) {
  const [one, other] = score || [];
  const told = !payoff || payoff.length !== 2 || payoff[0] === one - other || (Math.abs(payoff[0]) < 2 && Math.sign(payoff[0]) === Math.sign(one - other));
  return score?.[seat] === undefined ? "" : told ? number(score[seat]) : `${payoff[seat] > 0 ? "+" : ""}${number(payoff[seat])}`;
}

/** How a game has ended; `name(seat)` is what a seat is called. */
export function ended(found, name) {
  const { payoff, teams: all } = found, teams = [...new Set(all)];
  if (teams.length === 1) return alone(found);
  if (teams.length > 2) return payoff.map((each, seat) => `${name(seat)}: ${number(each)}`).join(", ");
  if (payoff[0] === payoff[1] || payoff[0] === 0) return "A draw.";
  const team = all.find((_, seat) => payoff[seat] > 0);
  const winners = all.map((each, seat) => [each, seat]).filter(([each]) => each === team).map(([, seat]) => name(seat));
  const much = Math.abs(payoff[0]) !== 1 ? ` ${number(Math.abs(payoff[all.indexOf(team)]))}` : "";
  return `${winners.join(" and ")} ${winners.length > 1 ? "win" : "wins"}${much}.`;
}

/** A move of luck in the list of moves: `roll5-3` is 53. */
export function shortly(move) {
  const dice = /^rolls?(\d)(?:-?(\d))?$/.exec(move);
  return dice ? `${dice.slice(1).filter(Boolean).join("")}:` : move;
}

/** The end of a game as one sentence for the seat `viewer`, or for a spectator. `won` says how it is won. */
export function sentence(found, { name, viewer, resigned, won }) {
  const { teams, payoff } = found;
  if (teams.length === 1 && payoff) return alone(found, won);
  const winner = resigned >= 0 ? teams.findIndex((team) => team !== teams[resigned]) : (payoff || []).findIndex((each) => each > 0);
  const how = resigned >= 0 ? `${name(resigned)} resigned` : won && `${name(winner)} ${won}`;
  if (new Set(teams).size === 2 && winner >= 0) {
    if (viewer >= 0) return `You ${teams[viewer] === teams[winner] ? "won" : "lost"}${how ? `: ${how}` : ""}.`;
    return how && resigned < 0 ? `${how}.` : resigned >= 0 ? `${how}.` : ended(found, name);
  }
  return ended(found, name);
}

const KEY = `dragon-game-${document.body.dataset.game || ""}`;

/** The address of a game that has not come to its end, kept for the next visit; where a page may keep nothing, there is none. */
export const unfinished = {
  kept: () => kept(() => localStorage.getItem(KEY)) || "",
  keep: (text) => kept(() => (text ? localStorage.setItem(KEY, text) : localStorage.removeItem(KEY))),
};

function kept(work) {
  try {
    return work();
  } catch { // a page in a frame, or from a disk
    return null;
  }
}

/** The rules of a game in a dialog, which is shown at once; Esc and the button close it. */
export function rules(game) {
  const paragraphs = game.how.length ? game.how : ["Nothing more has been written down; the legal moves are listed below the board."];
  const close = button("Close", () => dialog.close(), { class: "main" });
  const dialog = h("dialog", { class: "rules", "aria-labelledby": "rules-title", onclose: () => dialog.remove() },
    h("h2", { id: "rules-title" }, game.title), h("p", {}, h("strong", {}, game.summary)), paragraphs.map((each) => h("p", {}, each)), close);
  document.body.append(dialog);
  dialog.showModal();
}
