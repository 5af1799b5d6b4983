// The map of a region: gyms, trials and leagues as numbered dots, with the roads between them.
import { s } from "/static/dragon.js";

const WIDTH = 280, HIGHEST = 300, DOT = 12;

/** The map as SVG. places: with name, x, y and roads; picked: the names that are chosen; a dot that
 *  is pointed at calls toggle(name). The list below does the same for keyboards and readers. */
export function regionMap(places, picked, toggle) {
  const xs = places.map((place) => place.x), ys = places.map((place) => place.y);
  const [west, north] = [Math.min(...xs), Math.min(...ys)];
  const spanX = Math.max(...xs) - west, spanY = Math.max(...ys) - north;
  const unit = Math.min((WIDTH - 3 * DOT) / Math.max(spanX, 1), (HIGHEST - 3 * DOT) / Math.max(spanY, 1), 40);
  const at = (place) => ({ x: 1.5 * DOT + (place.x - west) * unit, y: 1.5 * DOT + (place.y - north) * unit });
  const size = { w: spanX * unit + 3 * DOT, h: spanY * unit + 3 * DOT };
  const by = new Map(places.map((place) => [place.name, place]));
  const roads = new Map();
  for (const place of places) for (const other of place.roads) roads.set([place.name, other].sort().join("|"), [place, by.get(other)]);
  return s("svg", { viewBox: `0 0 ${size.w} ${size.h}`, width: size.w, height: size.h, "aria-hidden": "true" },
    [...roads.values()].map(([one, two]) => s("line", { class: "road", x1: at(one).x, y1: at(one).y, x2: at(two).x, y2: at(two).y })),
    places.map((place, i) => s("g", { class: picked.includes(place.name) ? "town picked" : "town", onclick: () => toggle(place.name) },
      s("title", {}, place.name),
      s("circle", { cx: at(place).x, cy: at(place).y, r: DOT }),
      s("text", { x: at(place).x, y: at(place).y }, String(i + 1)))));
}
