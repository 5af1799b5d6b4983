// What every page does: the choice of colours, and the current page in view of the navigation.
const button = document.getElementById("theme");
const order = ["system", "light", "dark"];

function shown() {
  return document.documentElement.dataset.theme || "system";
}

function label() {
  const words = { system: "as the system", light: "light", dark: "dark" };
  button.setAttribute("aria-label", `Colours: ${words[shown()]}`);
  button.title = `Colours: ${words[shown()]}`;
}

button.addEventListener("click", () => {
  const next = order[(order.indexOf(shown()) + 1) % order.length];
  if (next === "system") {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem("dragon-theme");
  } else {
    document.documentElement.dataset.theme = next;
    localStorage.setItem("dragon-theme", next);
  }
  label();
});
label();

const here = document.querySelector("nav [aria-current]");
if (here) {
  const list = here.closest("ul");
  list.scrollLeft = Math.max(0, here.offsetLeft - list.offsetLeft - 40);
}
