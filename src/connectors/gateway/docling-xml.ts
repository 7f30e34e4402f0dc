// A document of docling as XML: its pages, and what stands on them in the order it is read. Pure.

import type { DoclingContent, DoclingNode, DoclingResult } from "./docling-result.ts";
import { element, startTag, XML_DECLARATION } from "./xml-write.ts";

export const DOCLING_NAMESPACE = "urn:sluice:docling:1";
export const DOCLING_MAPPINGS = { document: "json", doctags: "doctags", markdown: "md" } as const;
export type DoclingMapping = keyof typeof DOCLING_MAPPINGS;

export const isDoclingMapping = (text: string): text is DoclingMapping => Object.hasOwn(DOCLING_MAPPINGS, text);

/** Undefined where the result does not hold what was asked for. */
export function doclingXml(mapping: DoclingMapping, { document, status }: DoclingResult): string | undefined {
  const root = { xmlns: DOCLING_NAMESPACE, version: "1", mapping, status };
  const { json_content: content, doctags_content: doctags, md_content: markdown } = document;
  if (mapping === "document")
    return content ? `${XML_DECLARATION}${startTag("document", root)}\n${bodyOf(content)}</document>\n` : undefined;
  // Doctags look like XML and are none; as text nobody can mistake them.
  const text = mapping === "doctags" ? doctags : markdown;
  if (text === null || text === undefined) return undefined;
  return `${XML_DECLARATION}${startTag("document", root)}${element("content", {}, text)}</document>\n`;
}

export function doclingPages({ document }: DoclingResult): number | null {
  const count = Object.keys(document.json_content?.pages ?? {}).length;
  return count === 0 ? null : count;
}

function bodyOf(content: DoclingContent): string {
  const pages = Object.values(content.pages)
    .toSorted((a, b) => a.page_no - b.page_no)
    .map(({ page_no: number, size }) => startTag("page", { number, width: size.width, height: size.height }, true));
  const all = [...content.groups, ...content.texts, ...content.tables, ...content.pictures];
  const byRef = new Map(all.map((node) => [node.self_ref, node]));
  return [...pages, ...inOrder(content.body, byRef).flatMap(nodeXml)].map((line) => `${line}\n`).join("");
}

/** Each once: a document that refers to itself would not end. */
function inOrder(body: Pick<DoclingNode, "children">, byRef: Map<string, DoclingNode>): readonly DoclingNode[] {
  const found: DoclingNode[] = [];
  const stack = [...body.children].toReversed();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const node = byRef.get(next.$ref);
    if (node === undefined) continue;
    byRef.delete(next.$ref);
    found.push(node);
    stack.push(...node.children.toReversed());
  }
  return found;
}

function nodeXml(node: DoclingNode): string[] {
  const { label, level, prov, data, text } = node;
  const [at] = prov;
  const box = at?.bbox;
  const place = {
    ...{ label, level, page: at?.page_no },
    ...(box === undefined ? {} : { left: box.l, top: box.t, right: box.r, bottom: box.b, origin: box.coord_origin }),
  };
  if (data !== undefined) return [startTag("table", place), ...data.table_cells.map(cellXml), "</table>"];
  return text === undefined ? [] : [element("text", place, text)];
}

function cellXml(cell: NonNullable<DoclingNode["data"]>["table_cells"][number]): string {
  const place = { row: cell.start_row_offset_idx, column: cell.start_col_offset_idx };
  const spans = { rows: cell.row_span, columns: cell.col_span, header: cell.column_header ? "true" : undefined };
  return element("cell", { ...place, ...spans }, cell.text);
}
