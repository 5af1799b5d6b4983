// The line of play, trick by trick; each card leads to its place in it.
import { h, fill } from "/static/dragon.js";
import { SEATS, mini } from "./cards.js";

/** The element of a line. show({course, at, fixed, marks, ongo}): `fixed` how many cards were chosen by
 *  hand, `marks` a Map from ply to what was wrong with its card. */
export function tricks() {
  const body = h("tbody");
  const place = h("div", { class: "scroll" }, h("table", { class: "tricks" },
    h("caption", { class: "unseen" }, "The line, trick by trick"),
    h("thead", {}, h("tr", {}, ["", ...SEATS, "Taken by"].map((text, i) =>
      h("th", { scope: "col", class: i ? "text" : "" }, text || h("span", { class: "unseen" }, "Trick"))))),
    body));

  function show({ course, at, fixed, marks, ongo }) {
    const rounds = [...new Set(course.actions.map((each) => each.round))];
    body.classList.toggle("begun", at > 0);
    fill(body, rounds.map((round) => {
      const done = course.rounds.find((each) => each.round === round);
      return h("tr", {}, h("th", { scope: "row" }, String(round)), SEATS.map((_, seat) => {
        const ply = course.actions.findIndex((each) => each.round === round && each.player === seat);
        if (ply < 0) return h("td", {});
        const action = course.actions[ply];
        const wrong = marks.get(ply);
        return h("td", { class: "text" }, h("button", {
          type: "button",
          class: ["step", action.position === 1 ? "led" : "", done?.winner === seat ? "took" : "", ply < fixed ? "own" : "", ply >= at ? "later" : ""].join(" "),
          "aria-current": ply === at - 1 ? "step" : null,
          title: wrong || null,
          onclick: () => ongo(ply + 1),
        }, mini(action.card), wrong ? h("span", { class: "wrong" }, "?", h("span", { class: "unseen" }, wrong)) : null));
      }), h("td", { class: "text" }, done ? [SEATS[done.winner], done.units ? h("span", { class: "soft" }, ` +${done.units}`) : null] : ""));
    }));
  }

  return { place, show };
}
