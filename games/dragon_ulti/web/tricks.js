// The line of play, trick by trick, with what each trick has won; each card leads to its place in it.
import { h, fill } from "/static/dragon.js";
import { SEATS, mini } from "./cards.js";
import { t } from "./words.js";

/** The element of a line. show({course, at, fixed, marks, ongo}): `fixed` how many cards were chosen by
 *  hand, `marks` a Map from ply to what was wrong with its card. */
export function tricks() {
  const body = h("tbody");
  const decided = h("p", { class: "note", "aria-live": "polite" });
  const place = h("div", { class: "stack tight" }, h("div", { class: "scroll" }, h("table", { class: "tricks" },
    h("caption", { class: "unseen" }, t("The line, trick by trick")),
    h("thead", {}, h("tr", {}, ["", ...SEATS, t("Taken by"), t("In it")].map((text, i) =>
      h("th", { scope: "col", class: i ? "text" : "" }, text || h("span", { class: "unseen" }, t("Trick")))))),
    body)), decided);

  function show({ course, at, fixed, marks, ongo }) {
    const rounds = [...new Set(course.actions.map((each) => each.round))];
    const decision = course.decision;
    body.classList.toggle("begun", at > 0);
    decided.textContent = !decision ? "" : t(decision.round ? "Decided in trick {round}: {how}" : "Decided from the start: {how}",
      { round: decision.round, how: t(decision.made ? "made" : "fails") });
    fill(body, rounds.map((round) => {
      const done = course.rounds.find((each) => each.round === round);
      const last = decision?.round === round;
      return h("tr", { class: last ? "decided" : "" }, h("th", { scope: "row" }, String(round)), SEATS.map((_, seat) => {
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
      }), h("td", { class: "text" }, done ? SEATS[done.winner] : ""), h("td", { class: "text soft won" }, done ? won(done) : ""));
    }));
  }

  /** Its aces, tens and the seven of trump, as letters, and in words for screen readers. */
  function won(done) {
    const signs = [..."A".repeat(done.aces), ..."X".repeat(done.tens), ...(done.trump_seven ? ["7"] : [])].join(" ");
    const words = [done.aces && t("aces: {n}", { n: done.aces }), done.tens && t("tens: {n}", { n: done.tens }), done.trump_seven && t("trump 7"), done.units && t("units: {n}", { n: done.units })].filter(Boolean).join(", ");
    return words ? h("span", { title: words }, h("span", { "aria-hidden": "true" }, signs, done.units ? ` +${done.units}` : ""), h("span", { class: "unseen" }, words)) : "";
  }

  return { place, show };
}
