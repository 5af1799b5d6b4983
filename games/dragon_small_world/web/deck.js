// A deck in the address: samples and ydke links as they are, in the query, where other programs
// read them too; any other text deflated, in the fragment, which no server sees.

const SHORT = /^(ydke:\/\/\S{1,2000}|[a-z]{1,20})$/;

/** Whether a deck can stand in the query as it is. */
export function short(text) {
  return SHORT.test(text.trim());
}

async function through(bytes, stream) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

/** A text in letters that an address may have. */
export async function packed(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The text again; throws where the address has been cut or is another. */
export async function unpacked(letters) {
  const binary = atob(letters.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = await through(Uint8Array.from(binary, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** The deck of the fragment, or null where there is none. */
export async function linked() {
  const found = /^#deck=([\w-]+)$/.exec(location.hash);
  return found ? unpacked(found[1]) : null;
}
