// A published page makes no tables; it replaces that of `dragon serve`.
import { h } from "./dragon.js";

export const offering = () => ({ place: h("div"), show() {} });
