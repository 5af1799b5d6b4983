// What pages are made of: elements, requests, streams, the address as state, fields, tables.
// import { h, get, post, stream, query, field, table } from "/static/dragon.js";

// ---- elements --------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";

/** An element: h("button", {type: "button", onclick: f, class: "quiet"}, "Text", child, ...).
 *  Children that are null, undefined or false are left out; arrays are flattened. Text is text. */
export function h(tag, properties = {}, ...children) {
  return build(document.createElement(tag), properties, children);
}

/** The same in SVG: s("circle", {cx: 1, cy: 2, r: 3}). */
export function s(tag, properties = {}, ...children) {
  return build(document.createElementNS(SVG, tag), properties, children);
}

function build(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "css") {
      for (const [key, inner] of Object.entries(value)) element.style.setProperty(key, inner);
    } else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

/** Puts children in the place of all that an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

/** The same for controls that are replaced: the keyboard's focus stays at the same place. */
export function refill(element, ...children) {
  const controls = () => [...element.querySelectorAll("button, input, select, textarea, summary")];
  const at = controls().indexOf(document.activeElement);
  fill(element, ...children);
  if (at >= 0) controls()[at]?.focus({ preventScroll: true });
  return element;
}

/** The place that a page fills; it is no longer busy. With `later` it is not to be seen before
 *  `shown()`, when the first answer is there, so that nothing jumps. */
export function app({ later = false } = {}) {
  const place = document.getElementById("app");
  place.removeAttribute("aria-busy");
  place.replaceChildren();
  place.classList.toggle("later", later);
  return place;
}

/** Shows a page that was to be seen later. */
export function shown() {
  document.getElementById("app").classList.remove("later");
}

/** An SVG text from the server as an element, or null. What is not SVG does not get in. */
export function svg(text) {
  if (!text) return null;
  const found = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (found.namespaceURI !== SVG || found.localName !== "svg") return null;
  for (const bad of found.querySelectorAll("script, foreignObject, style")) bad.remove();
  return document.importNode(found, true);
}

/** An SVG text as an image, which may have styles of its own. */
export function picture(text, alt) {
  return h("img", { src: `data:image/svg+xml,${encodeURIComponent(text)}`, alt });
}

/** Announces a text to screen readers. */
export function announce(text) {
  const place = document.getElementById("announce");
  place.textContent = "";
  setTimeout(() => { place.textContent = text; }, 30);
}

// ---- the server ------------------------------------------------------------------------------

/** What the server refused: message, field (may be empty), problems, status. */
export class Refused extends Error {
  constructor(status, error) {
    super(error.message);
    this.name = "Refused";
    this.status = status;
    this.field = error.field || "";
    this.problems = error.problems || [{ message: error.message, field: error.field || "" }];
  }
}

// From here to "latest" a published page has answers of its own.
const REMEDY = "Is it still running? Start it with dragon serve, then try again.";

function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined || value === "") continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, each);
  }
  const text = query.toString();
  return `/api/${path}${text ? `?${text}` : ""}`;
}

async function asked(url, options) {
  let answer;
  try {
    answer = await fetch(url, options);
  } catch (wrong) {
    if (wrong.name === "AbortError") throw wrong;
    throw new Refused(0, { message: `The server does not answer. ${REMEDY}` });
  }
  if (answer.ok) return answer;
  let error = { message: `The server answered ${answer.status}.` };
  try {
    error = (await answer.json()).error;
  } catch { /* no JSON: the status must do */ }
  throw new Refused(answer.status, error);
}

function sent(body, signal) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

/** GET /api/<path>: the JSON. get("ulti/deal", {seed: 1}, {signal}) throws Refused. */
export async function get(path, parameters = {}, { signal } = {}) {
  return (await asked(address(path, parameters), { signal })).json();
}

/** POST /api/<path>: the JSON. */
export async function post(path, body, { signal } = {}) {
  return (await asked(`/api/${path}`, sent(body, signal))).json();
}

/** Server-sent events: for await (const found of stream("analyse/run", {...}, {signal})) ...
 *  Each object that the server's generator yields; throws Refused. {method: "POST"} sends a body;
 *  {onnote} is told in a sentence why it takes long: that it waits for a process, that rules are
 *  being compiled. Leaving the loop, or the signal, ends the search. */
export async function* stream(path, parameters = {}, { signal, method = "GET", onnote } = {}) {
  const leaving = new AbortController();
  const both = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  const answer = method === "GET"
    ? await asked(address(path, parameters), { signal: both })
    : await asked(`/api/${path}`, sent(parameters, both));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", over = false, heard = false;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((wrong) => {
        if (both.aborted) throw wrong;
        return { done: true };
      });
      if (done) throw new Refused(0, { message: `The server has gone away in the midst of this. ${REMEDY}` });
      rest += value;
      const parts = rest.split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const kind = /^event: (.*)$/m.exec(part)?.[1] || "object";
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data === undefined) continue;
        if (kind !== "queued") heard = true;
        if (kind === "object") yield JSON.parse(data);
        else if (kind === "done") { over = true; return; }
        else if (kind === "failed") throw new Refused(422, JSON.parse(data).error);
        else if (kind === "queued" && onnote) wait(onnote, () => heard || over || both.aborted);
        else if (kind === "note") onnote?.(sentence(JSON.parse(data).message));
      }
    }
  } finally {
    if (over) await reader.read(); // the end itself, so that the connection can be used again
    else leaving.abort();
  }
}

/** Tells `onnote` every second why a search has to wait, until it is `over()`. */
async function wait(onnote, over) {
  while (!over()) {
    const { search } = await get("status").catch(() => ({ search: {} })); // then it is as usual
    if (!over()) onnote(search.starting ? sentence(search.starting) : "Waiting for a free process …");
    await new Promise((done) => { setTimeout(done, 1000); });
  }
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} …`;
}

/** A function that calls `f` when it has not been called again for this many milliseconds. */
export function debounce(f, wait = 200) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...given), wait);
  };
}

/** Calls `work(signal)` such that a later call through the same `latest()` aborts the earlier one.
 *  What was aborted resolves to undefined. const only = latest(); await only((signal) => get(...)) */
export function latest() {
  let before = null;
  return async (work) => {
    before?.abort();
    const mine = (before = new AbortController());
    try {
      return await work(mine.signal);
    } catch (wrong) {
      if (mine.signal.aborted) return undefined;
      throw wrong;
    }
  };
}

// ---- the address as state --------------------------------------------------------------------

/** The parts of a list at its commas outside brackets; what `part` has hidden is shown again. */
function split(text) {
  const found = [];
  let depth = 0;
  for (const letter of text === "" ? "" : `,${text}`) {
    if (letter === "(" || letter === "[") depth++;
    if (letter === ")" || letter === "]") depth--;
    if (letter === "," && depth <= 0) found.push("");
    else found[found.length - 1] += letter;
  }
  return found.map((each) => each.trim().replace(/%(2C|28|29|5B|5D)/g, decodeURIComponent));
}

/** A part of a list. */
function part(value) {
  const text = String(value);
  const once = split(text);
  return once.length === 1 && once[0] === text ? text : text.replace(/[,()[\]]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** State in the query of the address. query.read({game: "nex", moves: []}) gives what is there, or
 *  the defaults, by their types (lists are joined by commas); query.write({...}, defaults, push)
 *  leaves out what is as by default; query.onback(f) when one goes back. */
export const query = {
  read(defaults) {
    const there = new URLSearchParams(location.search);
    const found = {};
    for (const [name, usual] of Object.entries(defaults)) {
      const text = there.get(name);
      if (text === null) found[name] = Array.isArray(usual) ? [...usual] : usual;
      else if (Array.isArray(usual)) found[name] = split(text);
      else if (typeof usual === "number") found[name] = text !== "" && Number.isFinite(Number(text)) ? Number(text) : usual;
      else if (typeof usual === "boolean") found[name] = text === "true" || text === "1" || text === "";
      else found[name] = text;
    }
    return found;
  },
  text(values, defaults = {}) {
    const parts = [];
    for (const [name, value] of Object.entries(values)) {
      const plain = Array.isArray(value) ? value.map(part).join(",") : String(value ?? "");
      const usual = defaults[name];
      const same = Array.isArray(usual) ? plain === usual.join(",") : plain === String(usual ?? "");
      if (!same) parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(plain).replace(/%(2C|28|29|3D|2F|3A|3F|3B|40|20)/g, (m) => (m === "%20" ? "+" : decodeURIComponent(m)))}`);
    }
    return parts.length ? `?${parts.join("&")}` : location.pathname;
  },
  write(values, defaults = {}, push = false) {
    const text = query.text(values, defaults);
    if (text === (location.search || location.pathname)) return;
    history[push ? "pushState" : "replaceState"](null, "", text);
  },
  onback(f) {
    addEventListener("popstate", f);
  },
};

/** The address of a page of games with a query. */
export function link(page, text) {
  return `/${page}${text}`;
}

// ---- parts of a page -------------------------------------------------------------------------

let counted = 0;

/** A labelled control. field("Seed", h("input", {type: "number"}), "A note below") . The control is
 *  told of its label and note; field.wrong(control, message) marks it. */
export function field(label, control, note = "") {
  const id = control.id || `f${++counted}`;
  control.id = id;
  const below = h("p", { class: "note", id: `${id}-note` }, note);
  control.setAttribute("aria-describedby", below.id);
  below.dataset.usual = note;
  return h("div", { class: "field" }, h("label", { for: id }, label), control, below);
}

/** Marks a control as wrong, with a message; without one, as right again. */
field.wrong = (control, message = "") => {
  const below = document.getElementById(`${control.id}-note`);
  control.setAttribute("aria-invalid", message ? "true" : "false");
  if (below) {
    below.textContent = message || below.dataset.usual;
    below.classList.toggle("wrong", Boolean(message));
  }
};

/** A choice: select([["a", "Text"], "b"], chosen, onchange). */
export function select(options, chosen, onchange) {
  const made = h("select", { onchange: (event) => onchange?.(event.target.value) },
    options.map((each) => {
      const [value, text] = Array.isArray(each) ? each : [each, each];
      return h("option", { value }, text);
    }));
  made.value = chosen;
  return made;
}

/** A button. */
export function button(text, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties }, text);
}

/** A table: table(["team", {text: "count", right: true}], [["a", 1], ...], {caption}). Numbers stand
 *  right, cells may be elements; the first cell of a row is its head. */
export function table(head, rows, { caption = "" } = {}) {
  const columns = head.map((each) => (typeof each === "string" ? { text: each } : each));
  const right = (column, value) => column.right ?? typeof value === "number";
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption || columns.map((c) => c.text).join(", ") },
    h("table", {}, caption && h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, columns.map((column, i) =>
        h("th", { scope: "col", class: right(column, rows[0]?.[i]) ? "" : "text" }, column.text)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, i) =>
        i === 0
          ? h("th", { scope: "row" }, cell(value))
          : h("td", { class: right(columns[i], value) ? "" : "text" }, cell(value))))))));
}

function cell(value) {
  if (value instanceof Node) return value;
  return typeof value === "number" ? number(value) : String(value ?? "");
}

/** A number in few digits: 1, 0.25, 12,345. */
export function number(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  const [whole, ...rest] = String(rounded === 0 ? 0 : rounded).split("."); // toLocaleString takes 20 ms to begin
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".").replaceAll("-", "−");
}

/** Something to be noted, or what went wrong: notice(error) or notice("text"). */
export function notice(what) {
  const wrong = what instanceof Error;
  const lines = what instanceof Refused ? what.problems.map((each) => each.message) : [wrong ? what.message : what];
  return h("div", { class: wrong ? "notice wrong" : "notice", role: wrong ? "alert" : "note" }, lines.map((line) => h("p", {}, line)));
}

/** Copies the page's address, and says so on the button; `say` puts that into the page's language. */
export function sharing(say = (text) => text, sign = null) {
  const name = say("Copy the link");
  const made = button(sign || name, async () => {
    const done = await copied(location.href);
    made.textContent = say(done ? "Copied" : "Copy the address above");
    announce(say(done ? "The link has been copied." : "The browser does not let pages copy here; copy the address of this page."));
    setTimeout(() => fill(made, sign || name), done ? 1500 : 5000);
  }, { class: "quiet", title: sign && name, "aria-label": sign && name });
  return made;
}

/** Puts a text on the clipboard; whether it is there. Without TLS browsers offer the old way only. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { /* not offered, or not allowed: the old way */ }
  const before = document.activeElement;
  const held = h("textarea", { class: "unseen", "aria-hidden": "true", value: text });
  document.body.append(held);
  held.select();
  const done = document.execCommand("copy");
  held.remove();
  before?.focus();
  return done;
}

/** Gives the user a text, or a Blob, as a file. */
export function download(name, text, kind = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
