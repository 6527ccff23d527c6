/*
 * Whether a picture moves, told by its first bytes. One that does is sent as it is: this browser would make a JPEG of its first
 * frame without a word, where the server keeps that frame and says so (PNG, WebP), or refuses the file and says why (GIF).
 */
const MOST_CHUNKS = 100; // a photo has a dozen before its pixels

export async function isAnimated(file) {
  const head = await bytes(file, 0, 21);
  if (letters(head, 0, 4) === "GIF8") return true; // of one frame too: the server takes none
  if (letters(head, 0, 4) === "RIFF" && letters(head, 8, 4) === "WEBP") return letters(head, 12, 4) === "VP8X" && (head[20] & 2) !== 0;
  if (letters(head, 1, 3) !== "PNG") return false;
  let place = 8;
  for (let number = 0; number < MOST_CHUNKS; number += 1) {
    const chunk = await bytes(file, place, 8);
    const kind = letters(chunk, 4, 4);
    if (kind === "acTL") return true; // APNG: it has to stand before the first picture
    if (chunk.length < 8 || kind === "IDAT") return false;
    place += 12 + new DataView(chunk.buffer).getUint32(0);
  }
  return false;
}

async function bytes(file, start, length) {
  return new Uint8Array(await file.slice(start, start + length).arrayBuffer());
}

function letters(found, start, length) {
  return String.fromCharCode(...found.subarray(start, start + length));
}
