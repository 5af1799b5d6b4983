// A position as a picture to keep: SVG as the server draws it, PNG by a canvas of the browser.
import { h, get, button, download, notice, fill } from "./dragon.js";

const LONGEST = 1600; // pixels of the longer side of a PNG

/** Buttons that save the picture of what `asking()` says: the parameters of play/picture. */
export function pictures(asking) {
  const trouble = h("div");
  const saving = (kind, make) => button(kind, async () => {
    fill(trouble);
    try {
      const { name, svg } = await get("play/picture", asking());
      if (!svg) throw new Error("This position has no picture that can be shown: it is too long.");
      download(`${name}.${kind.toLowerCase()}`, await make(svg), kind === "SVG" ? "image/svg+xml" : "image/png");
    } catch (wrong) {
      fill(trouble, notice(wrong));
    }
  }, { class: "quiet", "aria-label": `Picture as ${kind}` });
  return h("div", { class: "stack" }, h("div", { class: "row" }, h("span", { class: "soft" }, "Picture"), saving("SVG", (svg) => svg), saving("PNG", png)), trouble);
}

async function png(svg) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const [, , wide, high] = root.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  const scale = LONGEST / Math.max(wide, high);
  const [width, height] = [Math.round(wide * scale), Math.round(high * scale)];
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  const image = new Image(width, height);
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
  await image.decode();
  const canvas = h("canvas", { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}
