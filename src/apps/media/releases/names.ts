// Titles that are compared, and names that go onto a disk. Pure.

/** Letters that are no letter with a mark, so that taking marks away leaves them as they are. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

const ROMAN = ["", "", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv"];
const NUMBER_WORDS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const BEFORE_A_NUMBER = new Set(["part", "chapter", "episode", "volume", "vol", "book"]);
const ARTICLES = new Set(["the", "a", "an"]);

/**
 * Titles are the same when this is: without marks, articles in front, punctuation and spaces; with "and" for "&" and "+", and with digits
 * for roman numerals that end a title or number a part. Marks of other scripts stay: か and が are different letters.
 */
export function comparable(title: string): string {
  const words = wordsOf(title);
  const key = words.join("");
  return key === "" ? title.normalize("NFC").trim().toLowerCase() : key;
}

export function isSameTitle(a: string, b: string): boolean {
  return comparable(a) === comparable(b);
}

/**
 * Alike enough to be two names of one thing that something else, an id, says it is. A title in another script cannot be compared, and does
 * not contradict.
 */
export function isCloseTitle(a: string, b: string): boolean {
  const [left, right] = [comparable(a), comparable(b)];
  if (left === right) return true;
  if (hasLatin(left) !== hasLatin(right)) return true;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (short.length >= 4 && long.includes(short)) return true;
  return likeness(left, right) >= 0.5;
}

const hasLatin = (text: string): boolean => /[a-z]/.test(text);

/** Dice's coefficient of the pairs of neighbouring letters. */
function likeness(a: string, b: string): number {
  const pairs = (text: string) => Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2));
  const left = pairs(a);
  const right = pairs(b);
  if (left.length + right.length === 0) return 0;
  const open = [...right];
  const common = left.filter((pair) => {
    const at = open.indexOf(pair);
    if (at !== -1) open.splice(at, 1);
    return at !== -1;
  });
  return (2 * common.length) / (left.length + right.length);
}

function wordsOf(title: string): string[] {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/['’‘`´]/g, "")
    .replaceAll(/[&+]/g, " and ")
    .replace(/,\s*(the|a|an)\s*$/, "");
  const words = joinInitials(plain.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== ""));
  if (words.length > 1 && ARTICLES.has(words[0] ?? "")) words.shift();
  return words.map((word, at) => asDigits(word, words[at - 1], at === words.length - 1));
}

/** "S.H.I.E.L.D." and "A.I." are words, and the "A" in them is no article. */
function joinInitials(words: readonly string[]): string[] {
  const joined: string[] = [];
  let run = "";
  for (const word of [...words, ""]) {
    if (/^[a-z]$/.test(word)) {
      run += word;
      continue;
    }
    if (run !== "") joined.push(run);
    run = "";
    if (word !== "") joined.push(word);
  }
  return joined;
}

function asDigits(word: string, before: string | undefined, isLast: boolean): string {
  const numbers = before !== undefined && BEFORE_A_NUMBER.has(before);
  if (numbers && word === "i") return "1";
  if (numbers && NUMBER_WORDS.includes(word)) return String(NUMBER_WORDS.indexOf(word));
  if ((numbers || (isLast && before !== undefined)) && ROMAN.includes(word)) return String(ROMAN.indexOf(word));
  return word;
}

const LONGEST_NAME_BYTES = 255;
const NO_NAME = "unnamed";
/** Controls, and what turns the direction of writing or has no width: a name is what it looks like. */
export const UNSEEN = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/gu;
/** Windows refuses these whatever stands behind a dot. */
const RESERVED = /^(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])$/i;

/**
 * One name of a file or folder that every file system takes, for text that may be anything. Never a path, never empty, never more than 255
 * bytes together with `extension` (".mkv"), which stays whole. The same as its own result.
 */
export function safeFileName(text: string, extension = ""): string {
  const ending = extension.replaceAll(/[^.\w-]/g, "").slice(0, 32);
  const clean = text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(UNSEEN, "")
    .replaceAll(/\s*:\s*/g, " - ")
    .replaceAll(/[/\\?*"<>|]/g, "")
    .replaceAll(/\s+/g, " ");
  let stem = cutTo(trimmed(clean), LONGEST_NAME_BYTES - ending.length);
  const [first = "", ...rest] = stem.split(".");
  if (RESERVED.test(first.trimEnd()))
    stem = cutTo([`${first.trimEnd()}_`, ...rest].join("."), LONGEST_NAME_BYTES - ending.length);
  return (stem === "" ? NO_NAME : stem) + ending;
}

/** A dot in front hides a file, a dot or space behind is lost on Windows, where two names would become one. */
function trimmed(text: string): string {
  return text.replace(/^[\s.]+/, "").replace(/[\s.]+$/, "");
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Between characters, as people see them: half of one is another. */
function cutTo(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = "";
  let size = 0;
  for (const { segment } of graphemes.segment(text)) {
    size += Buffer.byteLength(segment);
    if (size > bytes) break;
    kept += segment;
  }
  return trimmed(kept);
}

/** What somebody else wrote, inside a sentence of ours: no controls, and never longer than a line. */
export function shown(text: string, most = 120): string {
  const clean = text
    .slice(0, most * 4)
    .toWellFormed()
    .replaceAll(UNSEEN, "�");
  const letters = [...clean];
  return letters.length <= most ? clean : `${letters.slice(0, most - 1).join("")}…`;
}
