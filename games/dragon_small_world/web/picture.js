// The deck as a picture: a graph with its legend, or a matrix; larger, smaller, or saved as a file.
import { h, fill, field, select, button, notice, svg, download } from "/static/dragon.js";
import { WORDS } from "./answers.js";

const STEPS = [1, 1.5, 2, 3, 4];
const MOST = 6000; // pixels of a PNG's longer side

/** The server's drawing, a `graph` or a matrix; a monster of the graph that is pointed at or chosen
 *  shows its links alone. */
export function picture(found, kind) {
  const drawn = svg(found.svg);
  if (!drawn) return notice("The picture cannot be shown.");
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  drawn.classList.add("drawing", kind === "graph" ? "graph" : "matrix");
  const frame = h("div", { class: "scroll frame", tabindex: "0", role: "region", "aria-label": "Picture of the deck" }, drawn);
  const only = kind === "graph" ? field("Links of", chosen(drawn, found.monsters)) : null;
  return h("figure", { class: "stack" }, h("div", { class: "row tools" }, only, zoom(frame)),
    kind === "graph" ? legend() : null, frame,
    h("figcaption", { class: "row between" }, kind === "graph" ? "Two monsters are linked if exactly one property is equal." : "Rows reveal, columns are what is got.",
      saving(found.svg, kind)));
}

/** Which colour is which property. */
function legend() {
  return h("ul", { class: "legend", "aria-label": "Colours of links" },
    Object.entries(WORDS).map(([word, words]) => h("li", { class: `of-${word}` }, words)));
}

/** Smaller, larger: the frame scrolls. */
function zoom(frame) {
  let step = 0;
  const to = (next) => {
    const middle = [(frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight];
    step = next;
    frame.style.setProperty("--zoom", STEPS[step]);
    frame.scrollTo(middle[0] * frame.scrollWidth - frame.clientWidth / 2, middle[1] * frame.scrollHeight - frame.clientHeight / 2);
    smaller.disabled = step === 0;
    larger.disabled = step === STEPS.length - 1;
  };
  const smaller = button("−", () => to(step - 1), { "aria-label": "Smaller", disabled: true });
  const larger = button("+", () => to(step + 1), { "aria-label": "Larger" });
  return h("div", { class: "row", role: "group", "aria-label": "Size" }, smaller, larger);
}

/** Buttons that save the picture: as it is, or as dots. */
function saving(text, kind) {
  const said = h("span", { class: "soft", role: "status" });
  const png = async () => {
    try {
      download(`${kind}.png`, await dots(text), "image/png");
      fill(said);
    } catch (wrong) {
      fill(said, wrong.message);
    }
  };
  return h("div", { class: "row" }, button("PNG", png, { "aria-label": "Save as PNG" }),
    button("SVG", () => download(`${kind}.svg`, text, "image/svg+xml"), { "aria-label": "Save as SVG" }), said);
}

/** An SVG text as a PNG, twice as large as it says, on white. */
async function dots(text) {
  const image = h("img", { src: `data:image/svg+xml,${encodeURIComponent(text)}` });
  await image.decode();
  const scale = Math.min(2, MOST / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = h("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  const made = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  if (!made) throw new Error("This browser cannot draw so large a picture; save it as SVG.");
  return made;
}

/** The choice of a monster whose links alone are shown; pointing at one, or a click, does it too. */
function chosen(drawn, monsters) {
  let kept = null;
  const single = (name) => {
    for (const link of drawn.querySelectorAll(".link")) link.classList.toggle("faded", name !== null && !link.classList.contains(name.replace("m", "l")));
  };
  const of = (event) => [...(event.target.closest?.("[class*=m]")?.classList || [])].find((each) => /^m\d+$/.test(each)) || null;
  const only = select([["", "all monsters"], ...monsters.map((name, i) => [`m${i}`, name])], "", (value) => { kept = value || null; single(kept); });
  drawn.addEventListener("pointerover", (event) => single(of(event) || kept));
  drawn.addEventListener("pointerleave", () => single(kept));
  drawn.addEventListener("click", (event) => { kept = of(event) === kept ? null : of(event); only.value = kept || ""; single(kept); });
  return only;
}
