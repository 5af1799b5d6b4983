// A line chart: chart({series: [{name, points: [[x, y], ...]}], x: {label, log}, y: {label, range}}).
import { s, number } from "./dragon.js";

const LEFT = 52, RIGHT = 12, TOP = 10, BELOW = 34;

/** An SVG with axes, lines in the colours --k0 to --k7, and a step at each point where `step`. */
export function chart({ series, x = {}, y = {}, width = 420, height = 220, step = false, title = "" }) {
  const points = series.flatMap((each) => each.points);
  const [x0, x1] = range(points.map((p) => p[0]).filter((v) => !x.log || v > 0), x.range, x.log);
  const [y0, y1] = range(points.map((p) => p[1]), y.range);
  const bottom = height - BELOW;
  const f = x.log ? Math.log10 : (v) => v;
  const across = (v) => LEFT + ((f(Math.max(v, x.log ? x0 : -Infinity)) - f(x0)) / (f(x1) - f(x0))) * (width - LEFT - RIGHT);
  const up = (v) => bottom - ((v - y0) / (y1 - y0)) * (bottom - TOP);
  return s("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": title },
    ticks(y0, y1).map((v) => [
      s("line", { x1: LEFT, x2: width - RIGHT, y1: up(v), y2: up(v), class: "grid" }),
      s("text", { x: LEFT - 8, y: up(v) + 4, "text-anchor": "end" }, number(v, 3))]),
    (x.log ? decades(x0, x1) : ticks(x0, x1)).map((v) =>
      s("text", { x: across(v), y: bottom + 16, "text-anchor": "middle" }, number(v, 3))),
    s("text", { x: (LEFT + width - RIGHT) / 2, y: height - 2, "text-anchor": "middle" }, x.label || ""),
    series.map((each, i) => s("path", { d: path(each.points.map((p) => [across(p[0]), up(p[1])]), step),
      class: `k${i % 8}`, fill: "none", "stroke-width": 2, "stroke-linejoin": "round" })),
    series.map((each, i) => each.points.length === 1
      ? s("circle", { cx: across(each.points[0][0]), cy: up(each.points[0][1]), r: 2, class: `k${i % 8}`, fill: "none", "stroke-width": 2 }) : null));
}

function path(points, step) {
  return points.map(([px, py], i) => (i === 0 ? `M${px.toFixed(1)},${py.toFixed(1)}`
    : step ? `H${px.toFixed(1)}V${py.toFixed(1)}` : `L${px.toFixed(1)},${py.toFixed(1)}`)).join("");
}

function range(values, given, log) {
  if (given) return given;
  let least = Math.min(...values), most = Math.max(...values);
  if (!values.length) [least, most] = log ? [0.1, 1] : [0, 1];
  if (least === most) [least, most] = log ? [least / 2, most * 2] : [least - 1, most + 1];
  return [least, most];
}

function ticks(least, most) {
  const rough = (most - least) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((each) => each * power >= rough) || 10);
  const found = [];
  for (let v = Math.ceil(least / step) * step; v <= most + step * 1e-9; v += step) found.push(Number(v.toPrecision(10)));
  return found;
}

function decades(least, most) {
  const found = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) {
    for (const each of [1, 2, 5]) {
      const v = each * 10 ** power;
      if (v >= least * 0.999 && v <= most * 1.001) found.push(v);
    }
  }
  return found.length > 8 ? found.filter((v) => Number.isInteger(Math.log10(v))) : found;
}
