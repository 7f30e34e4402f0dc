// Bytes of a stranger → a tree of elements. No DOCTYPE, no entities but the five of XML itself: with those of a document a few lines
// become gigabytes. Pure.

import { XMLParser } from "fast-xml-parser";

/** An element: its children by name, its attributes under "$", its text under "#text"; only text, where there is nothing else. */
export type Element = unknown;

export type Parsed = { readonly root: string; readonly element: Element } | { readonly problem: string };

/** rss, channel, item and what is in it: four. */
const DEEPEST = 20;

const parser = new XMLParser({
  processEntities: false,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  attributesGroupName: "$",
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: DEEPEST,
  jPath: false,
});

export const WEB_PAGE = "a web page, not XML";

/** The problem goes on after "answered with". */
export function parseXml(body: Uint8Array, contentType = ""): Parsed {
  const text = decode(body);
  if (text === undefined) return { problem: "text in an unknown encoding" };
  const start = afterProlog(text);
  const head = text.slice(start, start + 100).toLowerCase();
  if (head === "") return { problem: "nothing" };
  if (/^<(!doctype\s+html|html|head|body|script)\b/.test(head)) return { problem: WEB_PAGE };
  if (!head.startsWith("<")) return { problem: contentType.includes("html") ? WEB_PAGE : "something that is not XML" };
  if (head.startsWith("<!")) return { problem: "XML with a DOCTYPE, which is not read" };
  try {
    // Checked as a whole first: without that, half a document passes for a whole one.
    const tree: unknown = parser.parse(text, true);
    const [root, ...more] = Object.entries(tree ?? {}).filter(([name]) => name !== "#text");
    if (root === undefined || more.length > 0) return { problem: "XML that is not one document" };
    return { root: root[0].toLowerCase(), element: root[1] };
  } catch {
    // What the parser says quotes the document.
    return { problem: contentType.includes("html") ? WEB_PAGE : "broken XML" };
  }
}

function decode(body: Uint8Array): string | undefined {
  const declared = /^[^>]{0,100}\sencoding=["']([\w.:-]{1,40})["']/.exec(
    Buffer.from(body.subarray(0, 200)).toString("latin1"),
  )?.[1];
  try {
    return new TextDecoder(declared ?? "utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** Behind the declaration, comments and white space. */
function afterProlog(text: string): number {
  let at = 0;
  for (;;) {
    at += /^[\s\ufeff]*/.exec(text.slice(at, at + 1_000))?.[0].length ?? 0;
    const end = text.startsWith("<?", at) ? "?>" : text.startsWith("<!--", at) ? "-->" : undefined;
    if (end === undefined) return at;
    const over = text.indexOf(end, at + 2);
    if (over === -1) return at;
    at = over + end.length;
  }
}

/** All children of that name. */
export function children(element: Element, name: string): readonly Element[] {
  const found = own(element, name);
  if (found === undefined) return [];
  return Array.isArray(found) ? found : [found];
}

export function child(element: Element, name: string): Element {
  return children(element, name)[0];
}

/** Those whose name ends so, whatever namespace stands before it: everybody calls that as they like. */
export function childrenOfAnyNamespace(element: Element, name: string): readonly Element[] {
  if (typeof element !== "object" || element === null) return [];
  return Object.keys(element)
    .filter((key) => key === name || key.endsWith(`:${name}`))
    .flatMap((key) => children(element, key));
}

export function textOf(element: Element): string {
  const text = typeof element === "string" ? element : own(element, "#text");
  return typeof text === "string" ? unescaped(text) : "";
}

export function attribute(element: Element, name: string): string | undefined {
  const value = own(own(element, "$"), name);
  return typeof value === "string" ? unescaped(value) : undefined;
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name]; // an object's properties are unknown until looked at
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff ? "" : String.fromCodePoint(code);
  });
}
