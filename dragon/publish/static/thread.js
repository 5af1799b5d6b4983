// The thread of searches: a worker made of the text of `$engine`, which dragon/publish/page.py makes.

/** A new worker. */
export function begun() {
  const url = URL.createObjectURL(new Blob([`(${$engine})().work(self);`], { type: "text/javascript" }));
  const made = new Worker(url);
  URL.revokeObjectURL(url);
  return made;
}

/** The first worker, which starts while the page is unpacked and made, since starting takes a browser longest. */
export const first = begun();
