// What may stand in a line of the log: no secret that its name or its place gives away, nothing that moves a terminal's cursor, and
// not more than a line's worth. Never throws: it runs where something is being reported.

import { redactText, SECRET_WORDS, safeText } from "../../kit/index.ts";

export const LINE_BYTES = 8_192;
const TEXT_LONGEST = 2_000;
const DEPTH_MOST = 4;
const ENTRIES_MOST = 50;

const HIDDEN = "***";
/** Anywhere in a name. In texts "credentials:" begins many a sentence that holds none; as a name it does not. */
const SECRET = new RegExp(`${SECRET_WORDS}|credential`, "i");
/** Words about secrets that hold none: "tokens": 5. */
const COUNTED = /tokens$/i;

// What JSON leaves as it is and a terminal or a reader takes for something else: C1 controls, DEL, line separators, and the marks
// that turn the direction of writing.
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export type Facts = Record<string, unknown>;

export function safeFacts(facts: Facts, longest = TEXT_LONGEST): Facts {
  const safe = safeThing(facts, longest, 0);
  return typeof safe === "object" && safe !== null ? { ...safe } : { facts: safe };
}

/** As `safeFacts`, and small enough for a line: long texts are cut shorter and shorter, and then only names are left. */
export function lineFacts(facts: Facts): Facts {
  for (const longest of [TEXT_LONGEST, 500, 100]) {
    const safe = safeFacts(facts, longest);
    if (Buffer.byteLength(JSON.stringify(safe)) <= LINE_BYTES - ROOM) return safe;
  }
  return {
    cut: Object.keys(facts)
      .slice(0, ENTRIES_MOST)
      .map((name) => visible(name.slice(0, 60))),
  };
}

/** For what a line has besides facts: time, level, event, message. */
const ROOM = 1_500;

export function visible(text: string): string {
  return text.replace(UNSEEN, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function safeObject(value: object, longest: number, depth: number): Facts {
  const entries = Object.entries(value).slice(0, ENTRIES_MOST);
  return Object.fromEntries(
    entries.map(([name, one]) => {
      const short = visible(name.slice(0, 100));
      const isSecret = SECRET.test(name) && !COUNTED.test(name) && one !== null && typeof one !== "boolean";
      return [short, isSecret ? HIDDEN : safeValue(one, longest, depth + 1)];
    }),
  );
}

function safeValue(value: unknown, longest: number, depth: number): unknown {
  switch (typeof value) {
    case "string":
      return visible(safeText(value, longest));
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "boolean":
    case "undefined":
      return value;
    case "object":
      return value === null ? null : safeThing(value, longest, depth);
    default:
      return visible(safeText(value, longest));
  }
}

function safeThing(value: object, longest: number, depth: number): unknown {
  try {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date" : value.toISOString();
    if (value instanceof Error || depth > DEPTH_MOST) return visible(redactText(safeText(value, longest)));
    if (Array.isArray(value)) return value.slice(0, ENTRIES_MOST).map((one) => safeValue(one, longest, depth + 1));
    return safeObject(value, longest, depth);
  } catch {
    // A getter or a proxy that throws; its error is of no interest, for it was made to be unreadable.
    return "[unreadable]";
  }
}
