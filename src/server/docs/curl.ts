// An example for the command line that works once the dots are filled in. Pure.

import { type ApiDocument, type Route, refName, type Schema } from "./api-document.ts";

const ORIGIN = "http://127.0.0.1:7470";

export function curlExample(document: ApiDocument, { method, path, operation }: Route): string {
  const right = operation["x-right"];
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${ORIGIN}${path}`];
  if (right === "self") lines.push('-b cookies -H "origin: http://127.0.0.1:7470"');
  else if (right !== "open") lines.push('-H "authorization: Bearer $SLUICE_KEY"');
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  if (body !== undefined) {
    const json = JSON.stringify(exampleOf(document, body)).replaceAll("'", "’");
    lines.push('-H "content-type: application/json"', `-d '${json}'`);
  }
  return lines.join(" \\\n  ");
}

const EXAMPLES: { readonly [type: string]: unknown } = {
  string: "…",
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
};

/** The least that would be accepted: what is required, and of an object without any such the first field. */
export function exampleOf(document: ApiDocument, schema: Schema, depth = 0): unknown {
  const name = refName(schema);
  const target = name === undefined ? undefined : document.components?.schemas?.[name];
  if (target !== undefined && depth < 5) return exampleOf(document, target, depth + 1);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (options?.[0] !== undefined) return exampleOf(document, options[0], depth + 1);
  if (schema.type === "array") return schema.items === undefined ? [] : [exampleOf(document, schema.items, depth + 1)];
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length > 0) {
    const needed = fields.filter(([field]) => schema.required?.includes(field));
    const shown = needed.length > 0 ? needed : fields.slice(0, 1);
    return Object.fromEntries(shown.map(([field, one]) => [field, exampleOf(document, one, depth + 1)]));
  }
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  return EXAMPLES[type ?? ""] ?? {};
}
