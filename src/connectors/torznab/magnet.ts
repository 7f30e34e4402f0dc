// Magnets, and the infohash in them. Pure.

/** Longer ones are lists of trackers without an end. */
const LONGEST = 16_000;

/** 40 hex digits in lower case; null where it names no torrent that can be told by one. */
export function infohashOfMagnet(magnet: string): string | null {
  if (!/^magnet:\?/i.test(magnet) || magnet.length > LONGEST) return null;
  const topics = new URLSearchParams(magnet.slice(magnet.indexOf("?") + 1)).getAll("xt");
  for (const topic of topics) {
    const hash = /^urn:btih:([0-9a-z]+)$/i.exec(topic)?.[1];
    const read = hash === undefined ? null : readInfohash(hash);
    if (read !== null) return read;
  }
  return null;
}

/** As 40 hex digits or 32 of base 32, which is how some write it. */
export function readInfohash(text: string): string | null {
  if (/^[0-9a-f]{40}$/i.test(text)) return text.toLowerCase();
  return /^[a-z2-7]{32}$/i.test(text) ? fromBase32(text.toLowerCase()) : null;
}

function fromBase32(text: string): string {
  let value = 0n;
  for (const letter of text) value = value * 32n + BigInt("abcdefghijklmnopqrstuvwxyz234567".indexOf(letter));
  return value.toString(16).padStart(40, "0");
}
