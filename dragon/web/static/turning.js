// Turning a board: its ground turns, cells move around its middle, and pieces and texts stay upright.

const MARGIN = 8; // user units around a board of hexagons that is turned
const PHONE = matchMedia("(max-width: 40rem)"); // where hexagons stand on their tip, and are larger

const HEXAGON = /M0 -20L17 -10/;

/** The steps that stand a board of hexagons on its tip, where the window is upright: there its cells are larger. */
export const standing = (text) => (HEXAGON.test(text) && innerWidth < innerHeight ? 1 : 0);

/** The degrees of one step: six make a whole turn of hexagons, two that of another board. */
const step = (drawn) => (HEXAGON.test(drawn.querySelector("[data-cell] > path")?.getAttribute("d")) ? 60 : 180);

/** Turns an SVG that is shown, by so many steps clockwise, about its middle; on a phone hexagons by one more. Its viewBox
 *  follows. */
export function turned(drawn, steps) {
  const one = step(drawn), angle = (one * steps + (one === 60 && PHONE.matches ? one : 0)) % 360;
  if (!angle) return;
  const [left, top, wide, high] = drawn.getAttribute("viewBox").split(/[ ,]+/).map(Number), x = left + wide / 2, y = top + high / 2;
  const turn = drawn.createSVGMatrix().translate(x, y).rotate(angle).translate(-x, -y);
  for (const each of drawn.querySelectorAll(":scope > :not(defs, title)")) {
    const own = each.transform.baseVal.consolidate();
    if (own && each.localName === "g") settled(each, own.matrix, angle, turn);
    else {
      upright(each, -angle);
      each.setAttribute("transform", `rotate(${angle} ${x} ${y})${each.getAttribute("transform") || ""}`);
    }
  }
  if (!(angle % 180)) return;
  const seen = [...drawn.querySelectorAll("[data-cell], text")].map((each) => each.getBoundingClientRect()); // upright, so that nothing is added to them
  const { a, e, f } = drawn.getScreenCTM(), least = (key) => Math.min(...seen.map((each) => each[key])), most = (key) => Math.max(...seen.map((each) => each[key]));
  const [x0, y0, x1, y1] = [(least("left") - e) / a, (least("top") - f) / a, (most("right") - e) / a, (most("bottom") - f) / a];
  drawn.setAttribute("viewBox", [x0 - MARGIN, y0 - MARGIN, x1 - x0 + 2 * MARGIN, y1 - y0 + 2 * MARGIN].join(" "));
}

/** A group at its place: it moves, and turns where it does not look the same turned. */
function settled(group, own, angle, turn) {
  const { e, f } = turn.multiply(own), { x, y, width, height } = group.getBBox();
  const even = Math.abs(x + width / 2) < 0.1 * width && Math.abs(y + height / 2) < 0.1 * height;
  group.setAttribute("transform", `translate(${e} ${f})${even ? "" : ` rotate(${angle})`}`);
  if (!even) upright(group, -angle);
}

/** Turns the texts in an element, or itself, each about its middle. */
function upright(element, angle) {
  for (const text of element.localName === "text" ? [element] : element.querySelectorAll("text")) {
    const { x, y, width, height } = text.getBBox();
    text.setAttribute("transform", `rotate(${angle} ${x + width / 2} ${y + height / 2})`);
  }
}
