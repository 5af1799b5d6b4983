// In a worker: searches of the positions that the page asks about.
import { searched } from "./search.js";

/** Answers messages {module, about} once, then {search, at, limit, seed} with each result, and {over} or {wrong} in the end. */
export function work(scope) {
  let give;
  const ready = new Promise((done) => { give = done; });
  scope.onmessage = async ({ data }) => {
    try {
      if (data.module) give([data.module, data.about]);
      if (!data.search) return;
      const [module, about] = await ready;
      for (const found of searched(module, about, data.search, data.at, data.limit, data.seed)) scope.postMessage({ found });
      scope.postMessage({ over: true });
    } catch (wrong) {
      const stack = wrong instanceof RangeError || wrong instanceof WebAssembly.RuntimeError;
      scope.postMessage({ wrong: stack ? `The search went beyond its memory or its stack (${wrong.message}).` : wrong.message });
    }
  };
}
