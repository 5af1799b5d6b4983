// A deck file as text: out of the address, small changes to it that leave the rest alone, and forms
// that other programs read.
import { post, fill, button, notice, copied, download } from "/static/dragon.js";
import { unpacked } from "/static/packed.js";

const MOST = 800_000; // bytes; the server takes 200,000 letters

/** The text of a fragment, or null where it is none; at most as long as a deck file may be. */
export async function linked(code) {
  try {
    return await unpacked(code, MOST);
  } catch {
    return null;
  }
}

/** The text with another number of copies of a card, or null where its place is not found. */
export function withCopies(text, card, copies) {
  const lines = text.split("\n");
  const begin = lines.slice(0, card.line - 1).join("\n").length + (card.line > 1 ? 1 : 0);
  const named = text.indexOf(card.name, begin);
  if (named < 0) return null;
  const found = /(["']?qty["']?\s*:\s*)(\d+)/.exec(text.slice(named));
  if (!found || Number(found[2]) !== card.copies) return null;
  const at = named + found.index + found[1].length;
  return text.slice(0, at) + copies + text.slice(at + found[2].length);
}

/** The text with a card added to the deck, or null where the deck is not an indented list. */
export function withCard(text, cards, name, copies, tags) {
  const lines = text.split("\n");
  const last = Math.max(...cards.map((each) => each.line));
  const indent = /^\s+(?=[^\s{[])/.exec(lines[last - 1] || "")?.[0];
  if (!indent || /\{/.test(lines[last - 1].split("#")[0])) return null;
  const deeper = `${indent}  `;
  const added = [`${indent}${quoted(name)}:`, `${deeper}qty: ${copies}`];
  if (tags.length) added.push(`${deeper}tags: [${tags.map(quoted).join(", ")}]`);
  lines.splice(after(lines, last, indent.length), 0, ...added);
  return lines.join("\n");
}

/** The text with a condition more, or null where the conditions are not a list of lines. */
export function withCondition(text, conditions, condition) {
  const added = (indent) => `${indent}- ${quoted(condition)}`;
  const lines = text.split("\n");
  if (!conditions.length) {
    const at = lines.findIndex((line) => /^conditions\s*:/.test(line));
    if (at < 0) return `${text.trimEnd()}\nconditions:\n${added("  ")}\n`;
    if (!/^conditions\s*:\s*(\[\s*\])?\s*(#.*)?$/.test(lines[at])) return null;
    lines.splice(at, 1, "conditions:", added("  "));
    return lines.join("\n");
  }
  const last = Math.max(...conditions.map((each) => each.line));
  const indent = /^\s*(?=- )/.exec(lines[last - 1] || "")?.[0];
  if (indent === undefined) return null;
  lines.splice(after(lines, last, indent.length), 0, added(indent));
  return lines.join("\n");
}

/** A name or tag as a condition writes it. */
export function clause(name) {
  return /^["'\d-]|[@#$%^*()[\]{}<>/\\|+=]|\b(AND|OR|IN|NOT)\b/.test(name) ? `"${name.replace(/"/g, '""')}"` : name;
}

/** The line after those that stand deeper than `indent` below a line, counted from 1. */
function after(lines, line, indent) {
  let at = line;
  while (at < lines.length && lines[at].trim() && /^\s*/.exec(lines[at])[0].length > indent) at++;
  return at;
}

function quoted(text) {
  return /^[A-Za-z(][\w ().+'-]*$/.test(text) && !/^(true|false|yes|no|on|off|null)$/i.test(text) ? text : `'${text.replace(/'/g, "''")}'`;
}

/** The buttons that write a deck as other programs read it; what cannot be written is said in `noted`. */
export function exports(deck, noted) {
  const written = async (to) => {
    try {
      const found = await post("hands/write", { deck: deck(), to });
      fill(noted, found.notes.length ? notice(found.notes.join("\n")) : null);
      return found.text;
    } catch (wrong) {
      fill(noted, notice(wrong));
      return null;
    }
  };
  const linking = async () => {
    const found = (await written("ydke"))?.trim();
    if (found) noted.append(notice(await copied(found) ? "The ydke link has been copied." : `The browser does not let pages copy here; copy this: ${found}`));
  };
  const saving = async () => {
    const found = await written("ydk");
    if (found !== null) download("deck.ydk", found);
  };
  return [button("Copy as ydke", linking, { class: "quiet" }), button("Save as .ydk", saving, { class: "quiet" })];
}
