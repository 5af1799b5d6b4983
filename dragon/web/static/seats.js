// Who sits where: the strips of the players as sentences, and the choice of another player.
import { h, refill, field, select } from "./dragon.js";
import { strips } from "./rail.js";
import { takings } from "./taken.js";
import { LEVELS, leveled, scored } from "./words.js";

const HUMAN = "human";

/** The strips; show(told), where `told` is the state of the game by play.js. */
export function sitters() {
  const { far, near, show: strip } = strips();
  const takes = takings();
  let now = null;
  async function show(told) {
    const { found, state, name, human, viewer, finished, waiting, hint } = told, { seats, teams, turn } = now = found;
    const who = (seat) => {
      const by = state.seats[seat] || HUMAN;
      return seat === viewer ? "You" : by === HUMAN ? name(seat) : LEVELS[by] ? `Computer, ${LEVELS[by].toLowerCase()}` : by;
    };
    const does = (seat) => {
      if (!finished) return turn !== seat ? "" : !human(seat) ? (waiting ? "to move" : "thinking …") : hint || (seat === viewer ? "your move" : "to move");
      if (teams.length === 1) return "";
      if (found.turn !== -2) return seat === state.resigned ? "resigned" : "won";
      return found.payoff[seat] > 0 ? "won" : found.payoff[seat] < 0 ? "lost" : "draw";
    };
    const words = (seat) => [who(seat) === name(seat) || teams.length === 1 ? "" : name(seat), does(seat)].filter(Boolean).join(" · ");
    const draw = (taken) => strip({ seats, near: Math.max(0, viewer), turn: finished ? -1 : turn, name: who, words, score: (seat) => scored(found, seat), taken: (seat) => taken[seat] });
    draw([]);
    const taken = state.ply && await takes(found, JSON.stringify([state.game, state.start, state.deal]), told.start);
    if (now === found && taken) draw(taken);
  }
  return { far, near, show };
}

/** The choice of players: sit(seat, who) and change({...}) are called with what is wanted. */
export function seating({ sit, change }) {
  const place = h("div", { class: "seats" });
  function show({ found: { teams, name: game, traits }, state, games, names, best, name }) {
    const levels = games.find((each) => each.name === game)?.levels;
    const rows = teams.map((_, seat) => {
      const who = state.seats[seat] || HUMAN;
      const listed = [[HUMAN, "Person"], ...(levels ? leveled(levels).map(([level, word]) => [level, `Computer, ${word.toLowerCase()}`]) : []),
        ...names.map((each) => [each, each === best ? "Computer" : each])];
      if (!listed.some(([value]) => value === who)) listed.push([who, who]);
      const other = h("input", { class: "mono", value: who, hidden: true, "aria-label": `Search of ${name(seat)}`, spellcheck: "false" });
      other.addEventListener("change", () => sit(seat, other.value.trim() || HUMAN));
      const chosen = select([...listed, ["", "Other settings…"]], who, (value) => {
        if (value) sit(seat, value);
        else { other.hidden = false; other.focus(); }
      });
      const made = field(name(seat), chosen);
      made.append(other);
      return made;
    });
    const seconds = h("input", { type: "number", min: "0.05", max: "60", step: "any", value: state.seconds });
    seconds.addEventListener("change", () => change({ seconds: Math.min(60, Math.max(0.05, Number(seconds.value) || 1)) }));
    refill(place, rows, field("Seconds a move", seconds),
      traits.includes("hidden") ? field("Hidden cards", select([["-2", "Seen by who is to move"], ["-1", "All open"],
        ...teams.map((_, seat) => [String(seat), `Seen by ${name(seat)}`])], String(state.eye), (value) => change({ eye: Number(value) }))) : null);
  }
  return { place, show };
}

/** A form in which a move is typed; legal(move) rejects one that is not, play(move) makes it. */
export function entry({ legal, play }) {
  const typed = h("input", { autocomplete: "off", autocapitalize: "off", spellcheck: "false", class: "mono", enterkeyhint: "go" });
  return h("form", { class: "entry", onsubmit: async (event) => {
    event.preventDefault();
    const move = typed.value.trim();
    if (!move) return;
    try {
      await legal(move);
      field.wrong(typed);
      typed.value = "";
      play(move);
    } catch (wrong) {
      field.wrong(typed, wrong.message.replace(/^move \d+: /, ""));
    }
  } }, field("A move in the game's notation", typed), h("button", { class: "go" }, "Play"));
}
