// Open cards: a deal with its table of contracts, the line of one of them, and what if.
import { h, fill, get, stream, query, field, select, button, notice, latest, debounce, sharing, announce } from "/static/dragon.js";
import { CONTRACTS, SEATS, SUITS, SUIT_NAMES, named, need, order, parts, sign, title } from "./cards.js";
import { editor } from "./editor.js";
import { felt } from "./felt.js";
import { grid } from "./grid.js";
import { ready } from "./ready.js";
import { tricks } from "./tricks.js";
import { LANGUAGE, t } from "./words.js";

/** The view of open cards. `state` is the page's, `save(push)` writes it to the address. */
export function open(state, save) {
  let lost = false, dealt = null, answer = null, course = null, values = new Map(), marks = new Map(), tabled = "", played = false;
  const onlyRead = latest(), onlyTable = latest(), onlyLine = latest(), onlyCards = latest();
  const table = felt();
  const verdicts = grid((contract, trump) => change({ contract, trump: trump || state.trump, played: "", at: 0 }));
  const line = tricks();
  const verdict = h("p", { class: "verdict", "aria-live": "polite" });
  const trouble = h("div");
  const place = h("div", { class: "stack" });

  // ---- the deal ----------------------------------------------------------------------------------

  const edit = editor({
    ontext: take,
    ondeal: (written) => change({ deal: written, played: "", at: 0 }),
    onpart(written, why) {
      state.deal = written;
      save();
      nothing(why);
    },
  });
  const offered = ready((found) => change({ deal: found.code, contract: found.contract, trump: found.trump || "", played: "", at: 0 }, true));
  const deal = button(t("Random deal"), random, { class: "main" });
  const biddable = h("input", { type: "checkbox" });
  const also = h("span", {});
  const rules = select([["real", t("The real rules")], ["original", t("Those of the original program")]], state.rules, (value) => change({ rules: value, played: "", at: 0 }));
  const marriages = h("input", { type: "checkbox", checked: state.marriages, onchange: (event) => change({ marriages: event.target.checked, played: "", at: 0 }) });
  const free = h("input", { type: "checkbox", checked: state.free, onchange: (event) => change({ free: event.target.checked, played: "", at: 0 }) });

  async function random() {
    const seed = Math.floor(Math.random() * 2 ** 40);
    const wanted = biddable.checked ? { contract: state.contract, trump: trump(), rules: state.rules } : {};
    try {
      const found = await get("ulti/deal", { seed, ...wanted, language: LANGUAGE });
      change({ deal: found.code, played: "", at: 0 }, true);
      announce(t("A new deal."));
    } catch (wrong) {
      fill(trouble, notice(wrong));
    }
  }

  function take(given) {
    change({ deal: given, contract: /^[^{]*\d{62}/.test(given) ? "" : state.contract, trump: "", played: "", at: 0 }, true);
  }

  // ---- the server's answers ----------------------------------------------------------------------

  function trump() {
    return parts(state.contract)[0]?.trump ? state.trump || dealt?.trump || "H" : null;
  }

  function asked(more = {}) {
    return { deal: state.deal, contract: state.contract, trump: trump(), rules: state.rules, prerequisites: !state.free, marriages: state.marriages, language: LANGUAGE, ...more };
  }

  function change(given, push = false) {
    Object.assign(state, given);
    save(push);
    refresh();
  }

  async function refresh() {
    fill(trouble);
    try {
      const found = await onlyRead((signal) => get("ulti/read", asked(), { signal }));
      if (!found) return;
      settle(found);
    } catch (wrong) {
      refused(wrong);
      return;
    }
    await Promise.all([tabulate(), solve()]);
  }

  /** Shows no answer, and why: what was shown was of another deal. */
  function nothing(why) {
    lost = true;
    Promise.all([onlyRead, onlyTable, onlyLine, onlyCards].map((each) => each(async () => null)));
    fill(verdict, h("b", {}, t("No answer yet")), why ? `: ${why}` : "");
    verdict.dataset.kind = "";
    tabled = "";
    offered.remember("");
    show(false);
  }

  function show(on) {
    answers.forEach((each) => { each.hidden = !on; });
  }

  function settle(found) {
    dealt = found;
    lost = false;
    const whole = found.code || found.position;
    if (found.contract && !state.contract) state.contract = found.contract;
    state.contract ||= "party";
    state.trump ||= found.trump || "H";
    if (found.played.length && !state.played) Object.assign(state, { played: found.played.join(" "), at: state.at || found.played.length });
    state.deal = whole;
    save();
    edit.write(found.code ? state.deal : found.position);
    edit.show([...found.hands, found.talon]);
    together();
    offered.remember(state.deal);
    verdicts.choose(state.contract, state.trump);
  }

  function refused(wrong) {
    if (wrong.field !== "deal") {
      nothing("");
      fill(trouble, notice(wrong));
      return;
    }
    edit.wrong(state.deal, wrong.message);
    nothing(t("This deal cannot be read; it is open for editing above."));
  }

  function together() {
    const [first, ...others] = parts(state.contract);
    const able = CONTRACTS.filter((each) => each !== first && first && Boolean(each.trump) === Boolean(first.trump) && Boolean(each.king) === Boolean(first.king));
    const chosen = select([["", t("nothing else")], ...able.map((each) => [each.name, t(each.title)])], others[0]?.name || "",
      (value) => change({ contract: value ? `${first.name}+${value}` : first.name, played: "", at: 0 }));
    fill(also, field(t("Bid together with"), chosen));
  }

  async function tabulate() {
    const key = JSON.stringify([state.deal, state.rules, state.free, state.marriages]);
    if (key === tabled) return;
    verdicts.clear();
    tabled = "";
    let made = 0;
    try {
      const done = await onlyTable(async (signal) => {
        for await (const each of stream("ulti/table", { deal: state.deal, rules: state.rules, prerequisites: !state.free, marriages: state.marriages, language: LANGUAGE }, { signal, onnote: verdicts.waits })) {
          verdicts.add(each);
          made += each.declarer_wins === true && !each.reason;
        }
        return true;
      });
      if (!done) return;
      tabled = key;
      verdicts.done(t("{n} of 31 can be made.", { n: made }));
      verdicts.choose(state.contract, state.trump);
    } catch (wrong) {
      verdicts.done(wrong.message);
    }
  }

  async function solve() {
    answer = course = null;
    values = new Map();
    marks = new Map();
    place.setAttribute("aria-busy", "true");
    try {
      const found = await onlyLine(async (signal) => {
        let last = null;
        for await (last of stream("ulti/solve", asked({ played: state.played }), { signal, onnote: (why) => fill(verdict, why) })) say(last, false);
        return last;
      });
      if (!found || lost) return;
      show(true);
      answer = found;
      course = found.course;
      values.set(plies() - found.line.length, found.cards);
      say(found, true);
      state.at = Math.min(Math.max(state.at, base()), plies());
      draw();
      if (state.played) await review();
    } catch (wrong) {
      if (wrong.field === "played" && state.played) change({ played: "", at: 0 });
      else {
        nothing("");
        fill(trouble, notice(wrong));
      }
    } finally {
      place.removeAttribute("aria-busy");
    }
  }

  async function review() {
    const key = state.played;
    const found = await onlyCards(async (signal) => {
      let last = null;
      for await (last of stream("ulti/review", asked({ played: state.played, course: false }), { signal })) { /* the last says all */ }
      return last;
    });
    if (!found || state.played !== key) return;
    found.steps.forEach((step, i) => {
      if (step.lost) marks.set(base() + i, `${t("A mistake")}${step.right.length ? t("; right: {cards}", { cards: step.right.join(" ") }) : ""}`);
    });
    draw();
  }

  // ---- the line ----------------------------------------------------------------------------------

  function plies() {
    return course.actions.length;
  }

  /** Cards that lay on the table when the line began. */
  function base() {
    return plies() - answer.line.length - named(state.played).length;
  }

  function say(found, whole) {
    const name = `${title(found.contract)}${found.trump ? `, ${SUIT_NAMES[found.trump]}` : ""}`;
    const sure = found.reason ? t("cannot be bid") : { true: t("is made"), false: t("fails"), null: whole ? t("is unknown: out of time") : "…" }[String(found.declarer_wins)];
    const units = found.max_points === null ? "" : t(": {n} units of the {need} needed", { n: found.max_points, need: need(found.contract) });
    fill(verdict, h("b", {}, name), ` ${sure}${units}`,
      whole && found.nodes ? h("span", { class: "soft figures nodes" }, t("{n} nodes, {seconds} s", { n: found.nodes.toLocaleString(LANGUAGE), seconds: found.seconds < 0.1 ? "< 0.1" : found.seconds.toFixed(1) })) : null);
    verdict.dataset.kind = found.reason ? "" : { true: "good", false: "bad" }[String(found.declarer_wins)] || "";
  }

  function draw() {
    if (!course || state.at > plies()) return;  // what is known is of a shorter game
    const at = state.at, actions = course.actions;
    const round = at ? actions[at - 1].round : 0;
    const lying = actions.slice(0, at).filter((each) => each.round === round);
    const winner = lying.length === 3 ? course.rounds.find((each) => each.round === round)?.winner : -1;
    const turn = at < plies() ? actions[at].player : course.next ? course.next.player : -1;
    const after = at === plies() && course.next;  // decided, but cards are left to play
    const here = values.get(at) || {};
    table.show({
      hands: course.hands.map((hand) => hand.map((each) => each.card)),
      talon: dealt.talon, ranks: order(state.contract),
      gone: new Set(actions.slice(0, at).map((each) => each.card)),
      trick: lying.map((each) => ({ ...each, took: each.player === winner })),
      turn, may: after ? course.next.cards : Object.keys(here), worth: (card) => (after ? null : worth(here[card], Object.values(here))), onplay: play,
    });
    line.show({ course, at, fixed: base() + named(state.played).length, marks, ongo: go });
    controls.first.disabled = controls.back.disabled = at <= base();
    controls.next.disabled = controls.last.disabled = at >= plies();
    best.hidden = !state.played;
    whose.textContent = answer.reason ? `${answer.reason}.` : whom(turn, after);
    if (turn >= 0 && !after && !values.has(at)) weigh();
    const next = played && document.activeElement === document.body ? table.place.querySelector(".slot button:not(:disabled)") : null;
    if (next) {  // a card that was played by the keyboard hands over to the next
      next.focus({ preventScroll: true });
      played = false;
    }
  }

  /** Whose turn it is, and what the signs below the cards mean. */
  function whom(turn, after) {
    if (turn < 0) return t("All cards are played.");
    if (after) return t("The contract is decided; {who} may play on.", { who: SEATS[turn] });
    const signs = need(state.contract) ? "{who} to play; below each card the units it leads to. Click one to see what if."
      : "{who} to play; below each card what it leads to: ✓ made, ✗ fails. Click one to see what if.";
    return t(signs, { who: SEATS[turn] });
  }

  function worth(value, all) {
    if (value === null || value === undefined) return { text: "…", said: t("not known yet"), kind: "" };
    const units = need(state.contract);
    if (!units) return value ? { text: "✓", said: t("the contract is made"), kind: "good" } : { text: "✗", said: t("the contract fails"), kind: "bad" };
    const top = course.actions[state.at].player === 0 ? Math.max(...all) : Math.min(...all);
    return { text: String(value), said: t("{n} units", { n: value }), kind: `${value >= units ? "good" : "bad"}${value === top ? " chief" : ""}` };
  }

  const weigh = debounce(async () => {
    if (!course || state.at > plies()) return;
    const at = state.at, key = state.played;
    const before = course.actions.slice(base(), at).map((each) => each.card).join(" ");
    try {
      await onlyCards(async (signal) => {
        for await (const found of stream("ulti/cards", asked({ played: before, course: false }), { signal })) {
          if (state.played !== key) return;
          values.set(at, found.cards);
          if (state.at === at) draw();
        }
      });
    } catch (wrong) {
      fill(trouble, notice(wrong));
    }
  }, 80);

  function go(ply) {
    if (!course) return;
    state.at = Math.max(base(), Math.min(plies(), ply));
    save();
    draw();
  }

  function play(card) {
    if (!course) return;  // another card is being answered
    const at = state.at;
    played = true;
    if (course.actions[at]?.card === card) return go(at + 1);
    const before = course.actions.slice(base(), at).map((each) => each.card);
    return change({ played: [...before, card].join(" "), at: at + 1 }, true);
  }

  const controls = {
    first: button(sign("first"), () => go(0), { "aria-label": t("To the start") }),
    back: button(sign("back"), () => go(state.at - 1), { "aria-label": t("One card back") }),
    next: button(sign("next"), () => go(state.at + 1), { "aria-label": t("One card on") }),
    last: button(sign("last"), () => go(99), { "aria-label": t("To the end") }),
  };
  const best = button(t("Back to best play"), () => change({ played: "", at: 0 }, true), { class: "quiet" });
  const whose = h("p", { class: "soft whose" });

  function key(event) {
    if (place.hidden || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 }[event.key];
    if (!step || !course || event.target.closest("[role=grid], [role=tablist]")) return;
    go(state.at + step);
    event.preventDefault();
  }

  const halves = {
    play: h("section", { class: "stack", "aria-label": t("Play") }, table.place, whose,
      h("div", { class: "row" }, h("div", { class: "replay", role: "group", "aria-label": t("Along the line") }, Object.values(controls)), best)),
    contracts: h("section", { class: "stack", "aria-label": t("Contracts") }, h("h2", { class: "beside" }, t("Every contract, every trump")), verdicts.place),
    line: h("section", { class: "line", "aria-label": t("The line") }, line.place),
  };
  const answers = Object.values(halves);
  place.append(h("div", { class: "row" }, deal, offered.list, edit.toggle, sharing(t)), edit.place, offered.about, trouble, h("div", { class: "split ulti" },
    h("div", { class: "stack" }, verdict, halves.play), halves.contracts, halves.line,
    h("section", { class: "card", "aria-label": t("What is played") }, also, field(t("Rules"), rules),
      h("label", { class: "check" }, marriages, t("Marriages count in parties")),
      h("label", { class: "check" }, free, t("Whatever the declarer holds")),
      h("label", { class: "check" }, biddable, t("Random deals on which this can be bid")))));
  document.addEventListener("keydown", key);
  for (const each of Object.values(controls)) each.disabled = true;
  best.hidden = true;

  return {
    place,
    start: refresh,
    get hand() {
      return dealt ? dealt.hands[0] : [];
    },
    text: () => query.text(state),
    suits: SUITS,
  };
}
