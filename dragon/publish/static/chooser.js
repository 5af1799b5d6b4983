// The choice of games and sizes, which a page of one game does not have; it replaces that of `dragon serve`.
import { h } from "./dragon.js";

export const chooser = () => ({ choice: h("div"), sizes: h("div"), show() {} });
