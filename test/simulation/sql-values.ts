// Values on their way to PostgreSQL and back, in the text form, and alike to what the real driver hands over.

const BOOL = 16;
const NUMBERS = new Set([21, 23, 26, 700, 701]);
const JSONS = new Set([114, 3802]);
const TIMESTAMPTZ = 1184;
const INT_ARRAYS = new Set([1005, 1007]);
const TEXT_ARRAY = 1009;

/** What `bind` takes: text, or null. Arrays become PostgreSQL's own notation. */
export function arrayText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(element).join(",")}}`;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function element(value: unknown): string {
  const text = arrayText(value);
  if (text === null) return "null";
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

export function decodeText(text: string | null, type: number): unknown {
  if (text === null) return null;
  if (type === BOOL) return text === "t";
  if (NUMBERS.has(type)) return Number(text);
  if (JSONS.has(type)) return JSON.parse(text);
  if (type === TIMESTAMPTZ) return text.endsWith("infinity") ? null : new Date(text);
  if (INT_ARRAYS.has(type)) return text === "{}" ? [] : text.slice(1, -1).split(",").map(Number);
  // Only names of stages come back this way, and they hold letters, digits, - and _.
  if (type === TEXT_ARRAY) return text === "{}" ? [] : text.slice(1, -1).split(",");
  return text;
}
