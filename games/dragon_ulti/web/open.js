// Open cards: a deal with its table of contracts, the line of one of them, and what if.
import { h, fill, get, stream, query, field, select, button, notice, latest, debounce, sharing, announce } from "/static/dragon.js";
import { CONTRACTS, DECK, SEATS, SUITS, SUIT_NAMES, named, need, order, parts, sign, sorted, title } from "./cards.js";
import { deck } from "./deck.js";
import { felt } from "./felt.js";
import { grid } from "./grid.js";
import { tricks } from "./tricks.js";

const OWNERS = [
  { key: "s0", letter: "D", title: SEATS[0], room: 10 },
  { key: "s1", letter: "1", title: SEATS[1], room: 10 },
  { key: "s2", letter: "2", title: SEATS[2], room: 10 },
  { key: "talon", letter: "T", title: "Talon", room: 2 },
];

/** The view of open cards. `state` is the page's, `save(push)` writes it to the address. */
export function open(state, save) {
  let dealt = null, answer = null, course = null, values = new Map(), marks = new Map(), tabled = "", played = false;
  const onlyRead = latest(), onlyTable = latest(), onlyLine = latest(), onlyCards = latest();
  const table = felt();
  const verdicts = grid((contract, trump) => change({ contract, trump: trump || state.trump, played: "", at: 0 }));
  const line = tricks();
  const verdict = h("p", { class: "verdict", "aria-live": "polite" });
  const trouble = h("div");
  const place = h("div", { class: "stack" });

  // ---- the deal ----------------------------------------------------------------------------------

  const text = h("input", { class: "mono", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go" });
  text.addEventListener("change", () => take(text.value.trim()));
  const editor = deck(OWNERS, edited);
  const missing = h("p", { class: "note", "aria-live": "polite" });
  const edit = h("section", { class: "card", id: "editor", "aria-label": "The deal", hidden: true },
    h("div", { class: "split ulti" }, editor.place,
      h("div", { class: "stack" }, field("The deal as text", text, "Three hands with / between, the 61 digits of a link, a link, or JSON"),
        h("p", { class: "soft" }, "Say who gets cards, then click them. With the keyboard: arrows move, D, 1, 2 and T give, Delete takes back."),
        h("div", { class: "row" }, button("Deal the rest", rest), button("Clear", () => { editor.show(new Map()); edited(editor.owned); }, { class: "quiet" })), missing)));
  const toggle = button("Edit the deal", () => editing(edit.hidden), { "aria-controls": "editor" });
  const deal = button("Random deal", random, { class: "main" });
  const biddable = h("input", { type: "checkbox" });
  const also = h("span", {});
  const rules = select([["real", "The real rules"], ["original", "Those of the original program"]], state.rules, (value) => change({ rules: value, played: "", at: 0 }));
  const free = h("input", { type: "checkbox", checked: state.free, onchange: (event) => change({ free: event.target.checked, played: "", at: 0 }) });

  function editing(on) {
    edit.hidden = !on;
    toggle.setAttribute("aria-expanded", String(on));
    toggle.setAttribute("aria-pressed", String(on));
  }

  async function random() {
    const seed = Math.floor(Math.random() * 2 ** 40);
    const wanted = biddable.checked ? { contract: state.contract, trump: trump(), rules: state.rules } : {};
    try {
      const found = await get("ulti/deal", { seed, ...wanted });
      change({ deal: found.code, played: "", at: 0 }, true);
      announce("A new deal.");
    } catch (wrong) {
      fill(trouble, notice(wrong));
    }
  }

  function take(given) {
    change({ deal: given, contract: /^[^{]*\d{62}/.test(given) ? "" : state.contract, trump: "", played: "", at: 0 }, true);
  }

  function edited(owned) {
    const groups = OWNERS.map((owner) => sorted(DECK.filter((card) => owned.get(card) === owner.key)));
    const sizes = groups.slice(0, 3).map((hand) => hand.length);
    const fits = Math.max(...sizes) <= 10 && Math.min(...sizes) === Math.max(...sizes) && sizes[0] && (!groups[3].length || groups[3].length === 2);
    const written = groups.map((hand) => hand.join(" ")).join(" / ").replace(/ \/ $/, "");
    text.value = written;
    if (fits) change({ deal: written, played: "", at: 0 });
    else {
      missing.textContent = lacking(sizes, groups[3].length);
      state.deal = written;
      save();
    }
  }

  function lacking(sizes, talon) {
    const most = Math.max(...sizes), goal = most > 6 ? 10 : most;
    const said = sizes.map((n, i) => (n > goal ? `${SEATS[i]} has ${n - goal} too many` : n < goal ? `${SEATS[i]} needs ${goal - n} more` : "")).filter(Boolean);
    if (talon === 1 || talon > 2) said.push("the talon has two cards, or none yet");
    return said.length ? `${said.join("; ")}.` : "Every seat needs as many cards as the others.";
  }

  function rest() {
    const owned = new Map(editor.owned);
    const left = DECK.filter((card) => !owned.has(card));
    for (let i = left.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [left[i], left[j]] = [left[j], left[i]];
    }
    for (const owner of OWNERS) {
      let has = [...owned.values()].filter((key) => key === owner.key).length;
      for (; has < owner.room && left.length; has++) owned.set(left.pop(), owner.key);
    }
    editor.show(owned);
    edited(owned);
  }

  function written(given) {
    const owned = new Map();
    given.forEach((cards, i) => cards.forEach((card) => owned.set(card, OWNERS[i].key)));
    editor.show(owned);
  }

  // ---- the server's answers ----------------------------------------------------------------------

  function trump() {
    return parts(state.contract)[0]?.trump ? state.trump || dealt?.trump || "H" : null;
  }

  function asked(more = {}) {
    return { deal: state.deal, contract: state.contract, trump: trump(), rules: state.rules, prerequisites: !state.free, ...more };
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

  function settle(found) {
    dealt = found;
    const whole = found.code || found.position;
    if (found.contract && !state.contract) state.contract = found.contract;
    state.contract ||= "party";
    state.trump ||= found.trump || "H";
    if (found.played.length && !state.played) Object.assign(state, { played: found.played.join(" "), at: state.at || found.played.length });
    state.deal = whole;
    save();
    if (!text.matches(":focus")) text.value = found.code ? `${state.deal}` : found.position;
    field.wrong(text);
    missing.textContent = "";
    written([...found.hands, found.talon]);
    together();
    verdicts.choose(state.contract, state.trump);
  }

  function refused(wrong) {
    if (wrong.field !== "deal") {
      fill(trouble, notice(wrong));
      return;
    }
    const message = wrong.message.length > 240 ? `${wrong.message.slice(0, 120)} … ${wrong.message.slice(-110)}` : wrong.message;
    text.value = state.deal;
    field.wrong(text, message);
    editing(true);
    const groups = state.deal.split(",")[0].split("/").map(named);
    if (groups.length > 2 && groups.length < 5) written(groups);
    if (!dealt) fill(trouble, notice("This deal cannot be read; it is open for editing above."));
  }

  function together() {
    const [first, ...others] = parts(state.contract);
    const able = CONTRACTS.filter((each) => each !== first && first && Boolean(each.trump) === Boolean(first.trump) && Boolean(each.king) === Boolean(first.king));
    const chosen = select([["", "nothing else"], ...able.map((each) => [each.name, each.title])], others[0]?.name || "",
      (value) => change({ contract: value ? `${first.name}+${value}` : first.name, played: "", at: 0 }));
    fill(also, field("Bid together with", chosen));
  }

  async function tabulate() {
    const key = JSON.stringify([state.deal, state.rules, state.free]);
    if (key === tabled) return;
    verdicts.clear();
    tabled = "";
    let made = 0;
    try {
      const done = await onlyTable(async (signal) => {
        for await (const each of stream("ulti/table", { deal: state.deal, rules: state.rules, prerequisites: !state.free }, { signal, onnote: verdicts.waits })) {
          verdicts.add(each);
          made += each.declarer_wins === true && !each.reason;
        }
        return true;
      });
      if (!done) return;
      tabled = key;
      verdicts.told(`${made} of 31 can be made. – cannot be bid: the hand lacks what the contract asks for.`);
      verdicts.choose(state.contract, state.trump);
    } catch (wrong) {
      verdicts.told(wrong.message);
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
        for await (last of stream("ulti/solve", asked({ played: state.played }), { signal, onnote: (told) => fill(verdict, told) })) say(last, false);
        return last;
      });
      if (!found) return;
      answer = found;
      course = found.course;
      values.set(plies() - found.line.length, found.cards);
      say(found, true);
      state.at = Math.min(Math.max(state.at, base()), plies());
      draw();
      if (state.played) await review();
    } catch (wrong) {
      if (wrong.field === "played" && state.played) change({ played: "", at: 0 });
      else fill(trouble, notice(wrong));
    } finally {
      place.removeAttribute("aria-busy");
    }
  }

  async function review() {
    const found = await onlyCards(async (signal) => {
      let last = null;
      for await (last of stream("ulti/review", asked({ played: state.played, course: false }), { signal })) { /* the last says all */ }
      return last;
    });
    if (!found) return;
    found.steps.forEach((step, i) => {
      if (step.lost) marks.set(base() + i, `A mistake${step.right.length ? `; right: ${step.right.join(" ")}` : ""}`);
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
    const sure = found.reason ? "cannot be bid" : { true: "is made", false: "fails", null: whole ? "is unknown: out of time" : "…" }[String(found.declarer_wins)];
    const units = found.max_points === null ? "" : `: ${found.max_points} units of the ${need(found.contract)} needed`;
    fill(verdict, h("b", {}, name), ` ${sure}${units}`,
      whole && found.nodes ? h("span", { class: "soft figures nodes" }, `${found.nodes.toLocaleString("en")} nodes, ${found.seconds < 0.1 ? "< 0.1" : found.seconds.toFixed(1)} s`) : null);
    verdict.dataset.kind = found.reason ? "" : { true: "good", false: "bad" }[String(found.declarer_wins)] || "";
  }

  function draw() {
    if (!course) return;
    const at = state.at, actions = course.actions;
    const round = at ? actions[at - 1].round : 0;
    const lying = actions.slice(0, at).filter((each) => each.round === round);
    const winner = lying.length === 3 ? course.rounds.find((each) => each.round === round)?.winner : -1;
    const turn = at < plies() ? actions[at].player : -1;
    const here = values.get(at) || {};
    table.show({
      hands: course.hands.map((hand) => hand.map((each) => each.card)),
      talon: dealt.talon, ranks: order(state.contract),
      gone: new Set(actions.slice(0, at).map((each) => each.card)),
      trick: lying.map((each) => ({ ...each, took: each.player === winner })),
      turn, may: Object.keys(here), worth: (card) => worth(here[card], Object.values(here)), onplay: play,
    });
    line.show({ course, at, fixed: base() + named(state.played).length, marks, ongo: go });
    controls.first.disabled = controls.back.disabled = at <= base();
    controls.next.disabled = controls.last.disabled = at >= plies();
    best.hidden = !state.played;
    whose.textContent = turn >= 0 ? `${SEATS[turn]} to play; below each card what it leads to. Click one to see what if.` : answer.reason ? `${answer.reason}.` : "The contract is decided.";
    if (turn >= 0 && !values.has(at)) weigh();
    const next = played && document.activeElement === document.body ? table.place.querySelector(".slot button:not(:disabled)") : null;
    if (next) {  // a card that was played by the keyboard hands over to the next
      next.focus({ preventScroll: true });
      played = false;
    }
  }

  function worth(value, all) {
    if (value === null || value === undefined) return { text: "…", said: "not known yet", kind: "" };
    const units = need(state.contract);
    if (!units) return value ? { text: "✓", said: "the contract is made", kind: "good" } : { text: "✗", said: "the contract fails", kind: "bad" };
    const top = course.actions[state.at].player === 0 ? Math.max(...all) : Math.min(...all);
    return { text: String(value), said: `${value} units`, kind: `${value >= units ? "good" : "bad"}${value === top ? " chief" : ""}` };
  }

  const weigh = debounce(async () => {
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
    const at = state.at;
    played = true;
    if (course.actions[at]?.card === card) return go(at + 1);
    const before = course.actions.slice(base(), at).map((each) => each.card);
    return change({ played: [...before, card].join(" "), at: at + 1 }, true);
  }

  const controls = {
    first: button(sign("first"), () => go(0), { "aria-label": "To the start" }),
    back: button(sign("back"), () => go(state.at - 1), { "aria-label": "One card back" }),
    next: button(sign("next"), () => go(state.at + 1), { "aria-label": "One card on" }),
    last: button(sign("last"), () => go(99), { "aria-label": "To the end" }),
  };
  const best = button("Back to best play", () => change({ played: "", at: 0 }, true), { class: "quiet" });
  const whose = h("p", { class: "soft whose" });

  function key(event) {
    if (place.hidden || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 }[event.key];
    if (!step || !course || event.target.closest("[role=grid], [role=tablist]")) return;
    go(state.at + step);
    event.preventDefault();
  }

  place.append(h("div", { class: "row" }, deal, toggle, sharing()), edit, h("div", { class: "split ulti" },
    h("section", { class: "stack", "aria-label": "Play" },
      verdict, table.place, whose,
      h("div", { class: "row" }, h("div", { class: "replay", role: "group", "aria-label": "Along the line" }, Object.values(controls)), best),
      trouble),
    h("section", { class: "stack", "aria-label": "Contracts" }, h("h2", { class: "beside" }, "Every contract, every trump"), verdicts.place),
    h("section", { class: "line", "aria-label": "The line" }, line.place),
    h("section", { class: "card", "aria-label": "What is played" }, also, field("Rules", rules),
      h("label", { class: "check" }, free, "Whatever the declarer holds"),
      h("label", { class: "check" }, biddable, "Random deals on which this can be bid"))));
  document.addEventListener("keydown", key);
  editing(false);
  editor.show(new Map());
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
