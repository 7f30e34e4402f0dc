// XML as it is written: escaped, and without the characters that no XML can hold.

/** What XML 1.0 forbids: most control characters, halves of pairs, and two that are no characters. A PDF may hold all of them. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};
const IN_ATTRIBUTES: Readonly<Record<string, string>> = { ...ESCAPES, "\t": "&#9;", "\n": "&#10;" };

/** What cannot be there is shown as U+FFFD, so that nobody takes what is left for all there was. */
export function xmlText(text: string): string {
  return text.replaceAll(FORBIDDEN, "\uFFFD").replaceAll(/[&<>"\r]/g, (found) => ESCAPES[found] ?? found);
}

function attributeText(value: string | number): string {
  if (typeof value === "number") return numberText(value);
  return value.replaceAll(FORBIDDEN, "\uFFFD").replaceAll(/[&<>"\r\t\n]/g, (found) => IN_ATTRIBUTES[found] ?? found);
}

/** Two places are enough for points; what is no number is none. */
function numberText(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100 + 0) : "0";
}

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** The beginning of an element, open or empty. Names are ours. */
export function startTag(name: string, attributes: Attributes = {}, isEmpty = false): string {
  const all = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${attributeText(value)}"`],
  );
  return `<${name}${all.join("")}${isEmpty ? "/>" : ">"}`;
}

export function element(name: string, attributes: Attributes, text: string): string {
  return text === "" ? startTag(name, attributes, true) : `${startTag(name, attributes)}${xmlText(text)}</${name}>`;
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
