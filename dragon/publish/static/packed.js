// The publication as the page holds it: the length of a JSON text, the text, and code; deflated, in base64.

/** The object of the JSON, and the code. */
export async function unpacked(text) {
  const letters = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter(); // a Blob would be read from another process
  writer.write(letters);
  writer.close();
  const bytes = new Uint8Array(await new Response(stream.readable).arrayBuffer());
  const end = 4 + new DataView(bytes.buffer).getUint32(0, true);
  return { about: JSON.parse(new TextDecoder().decode(bytes.subarray(4, end))), code: bytes.slice(end) };
}
