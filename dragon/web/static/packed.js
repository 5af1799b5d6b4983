// Packed: a text in the fragment of an address, which no server sees: deflated, in base64 for URLs.

/** The text in letters that an address may have. */
export async function packed(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), Infinity);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The text again; throws where the address has been cut, is another, or has more than `most` bytes in it. */
export async function unpacked(letters, most) {
  const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"), most));
}

async function through(bytes, change, most) {
  const parts = [];
  let length = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(change).getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > most) { // a few letters may have been made to be a gigabyte
      reader.cancel();
      throw new Error("too long");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
