// What a file is called by whoever sends it: shown to people, never a place on a disk. Pure.

const LONGEST = 200;

/** The last part of whatever was sent, in one line. */
export function shownName(sent: string | undefined): string {
  const [last = ""] = (sent ?? "").split(/[\\/]/).slice(-1);
  const line = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const name = [...line].slice(0, LONGEST).join("").trim();
  return name === "" || /^\.+$/.test(name) ? "document.pdf" : name;
}

/** The name of a file in an archive, or of a download: without an ending that says PDF, and with one that says XML. */
export function resultName(name: string): string {
  return `${name.replace(/\.pdf$/i, "")}.xml`;
}

const UNSAFE = /[<>:"/\\|?*\p{Cc}]/gu;
/** Names that some systems keep for themselves, whatever their ending. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const ARCHIVED_LONGEST = 120;

/** For a file in an archive, on any system; no two alike, also where case does not count. */
export class SafeNames {
  readonly #taken = new Set<string>();

  take(name: string): string {
    const [, stem = name, ending = ""] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/su.exec(name) ?? [];
    const plain = [...stem.replaceAll(UNSAFE, "_").replaceAll(/^[.\s]+|[.\s]+$/g, "")]
      .slice(0, ARCHIVED_LONGEST)
      .join("");
    const safe = plain === "" ? "document" : RESERVED.test(plain) ? `_${plain}` : plain;
    let chosen = `${safe}${ending}`;
    for (let more = 2; this.#taken.has(chosen.toLowerCase()); more += 1) chosen = `${safe} (${more})${ending}`;
    this.#taken.add(chosen.toLowerCase());
    return chosen;
  }
}
