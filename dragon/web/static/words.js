// What both pages of games say in words: luck, the end, a number of plies.
import { number } from "./dragon.js";

/** A number of plies. */
export function plies(count) {
  return `${number(count)} ${count === 1 ? "ply" : "plies"}`;
}

/** A move of luck: `roll5-3` is a roll of 5 and 3. */
export function rolled(move) {
  const dice = /^rolls?(\d)(?:-?(\d))?$/.exec(move);
  return dice ? `a roll of ${dice.slice(1).filter(Boolean).join(" and ")}` : move;
}

/** How a game has ended; `name(seat)` is what a seat is called. */
export function ended({ payoff, teams: all }, name) {
  const teams = [...new Set(all)];
  if (teams.length === 1) return `The end: ${number(payoff[0])}.`;
  if (teams.length > 2) return payoff.map((each, seat) => `${name(seat)}: ${number(each)}`).join(", ");
  if (payoff[0] === payoff[1] || payoff[0] === 0) return "A draw.";
  const team = all.find((_, seat) => payoff[seat] > 0);
  const winners = all.map((each, seat) => [each, seat]).filter(([each]) => each === team).map(([, seat]) => name(seat));
  const much = Math.abs(payoff[0]) !== 1 ? ` (${number(Math.abs(payoff[all.indexOf(team)]))})` : "";
  return `${winners.join(" and ")} ${winners.length > 1 ? "win" : "wins"}${much}.`;
}
