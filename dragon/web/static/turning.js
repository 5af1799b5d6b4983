// Turning a board: its ground turns, cells move around its middle, and what stands on them and all texts stay upright.
import { s } from "./dragon.js";

const MARGIN = 12; // user units around a board that stands on its tip

/** The degrees of one step: six make a whole turn of hexagons, two that of another board. */
export function step(drawn) {
  return drawn.querySelector("[data-cell] > path:first-child") && hexagons(drawn) ? 60 : 180;
}

/** Whether the game says that its board has a front, which is before the first seat. */
export function fronted(drawn) {
  return drawn.hasAttribute("data-front");
}

function hexagons(drawn) {
  return /^M0 -20L17 -10/.test(drawn.querySelector("[data-cell] > path:first-child").getAttribute("d"));
}

/** Turns an SVG that is shown, by so many steps clockwise, about its middle; its viewBox follows. */
export function turned(drawn, steps) {
  const angle = (step(drawn) * steps) % 360;
  if (!angle) return;
  const [left, top, wide, high] = drawn.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  const about = `${left + wide / 2} ${top + high / 2}`, whole = drawn.createSVGMatrix();
  const turn = whole.translate(left + wide / 2, top + high / 2).rotate(angle).translate(-left - wide / 2, -top - high / 2);
  for (const each of [...drawn.children]) {
    if (/^(defs|title|style)$/.test(each.localName)) continue;
    if (each.dataset.cell !== undefined || each.hasAttribute("transform")) settled(each, angle, turn);
    else {
      for (const text of each.localName === "text" ? [] : each.querySelectorAll("text")) upright(text, -angle);
      if (each.localName === "text") upright(each, -angle);
      const own = each.getAttribute("transform");
      each.setAttribute("transform", `rotate(${angle} ${about})${own ? ` ${own}` : ""}`);
    }
  }
  if (angle % 180) fit(drawn);
}

/** A group at its place: it moves, and turns where it does not look the same turned. */
function settled(group, angle, turn) {
  const own = group.transform?.baseVal.consolidate();
  if (!own) return;
  const { e, f } = turn.multiply(own.matrix), { x, y, width, height } = group.getBBox();
  const even = Math.abs(x + width / 2) < 0.1 * width && Math.abs(y + height / 2) < 0.1 * height;
  group.setAttribute("transform", `translate(${e} ${f})${even ? "" : ` rotate(${angle})`}`);
  if (!even) for (const text of group.querySelectorAll("text")) upright(text, -angle);
}

/** Turns a text about its middle. */
function upright(text, angle) {
  const { x, y, width, height } = text.getBBox();
  text.setAttribute("transform", `rotate(${angle} ${x + width / 2} ${y + height / 2})`);
}

/** Makes the drawing as large as what is drawn. */
function fit(drawn) {
  const frame = s("g", {}, [...drawn.children].filter((each) => each.localName !== "defs"));
  drawn.append(frame);
  const { x, y, width, height } = frame.getBBox();
  frame.replaceWith(...frame.childNodes);
  drawn.setAttribute("viewBox", [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN].join(" "));
}
