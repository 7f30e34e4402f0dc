// What a schema takes or gives, in words and as a table of fields.

import { type Html, html, prose } from "../http/html.ts";
import { refName, type Schema, schemaAnchor } from "./api-document.ts";

/** Deeper than that, one looks at the contract itself. */
const DEEPEST = 3;

export interface Field {
  readonly name: string;
  readonly depth: number;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** The schema itself, where it may also be null or is one of a single kind. */
function bare(schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const options = anyOf ?? oneOf ?? allOf;
  if (options !== undefined) {
    const others = options.filter((one) => one.type !== "null");
    const [only] = others;
    const isNullable = others.length < options.length;
    return only !== undefined && others.length === 1
      ? { schema: { ...only, ...rest }, isNullable }
      : { schema, isNullable: false };
  }
  if (typeof schema.type !== "object") return { schema, isNullable: false };
  const [type, ...more] = schema.type.filter((one) => one !== "null");
  if (type === undefined || more.length > 0) return { schema, isNullable: false };
  return { schema: { ...schema, type }, isNullable: schema.type.length > 1 };
}

/** `text`, `whole number or null`, `list of Item`; references are links. */
export function typeWords(given: Schema): Html {
  const { schema, isNullable } = bare(given);
  return isNullable ? html`${plainWords(schema)} or null` : plainWords(schema);
}

const NAMES: { readonly [type: string]: string } = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
};

function plainWords(schema: Schema): Html {
  const name = refName(schema);
  if (name !== undefined) return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const values = schema.enum?.filter((value) => value !== null);
  if (values !== undefined)
    return html`${values.map((value, index) => html`${index === 0 ? "" : " · "}<code>${String(value)}</code>`)}`;
  if (schema.type === "array") return html`list of ${typeWords(schema.items ?? {})}`;
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (options !== undefined)
    return html`${options.map((one, index) => html`${index === 0 ? "" : " or "}${typeWords(one)}`)}`;
  if (schema.format === "date-time") return html`time`;
  if (typeof schema.additionalProperties === "object") return html`object of ${typeWords(schema.additionalProperties)}`;
  return html`${typeof schema.type === "string" ? (NAMES[schema.type] ?? schema.type) : "any JSON"}`;
}

/** Those of the object, or of the objects in the list; nested ones after the field they are in. */
export function fieldsOf(given: Schema, depth = 0): Field[] {
  const { schema } = bare(given);
  if (schema.type === "array" && schema.items !== undefined) return fieldsOf(schema.items, depth);
  if (schema.properties === undefined || depth >= DEEPEST) return [];
  return Object.entries(schema.properties).flatMap(([name, one]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    return [
      { name, depth, isRequired, schema: one },
      ...(refName(bare(one).schema) === undefined ? fieldsOf(one, depth + 1) : []),
    ];
  });
}

/** Beyond that a bound only says that there is one. */
const LARGE = 1_000_000;

function limits({ default: fallback, minimum, maximum }: Schema): string {
  return [
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
    ...(minimum === undefined || minimum <= 0 ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum >= LARGE ? [] : [`up to ${maximum}`]),
  ].join(", ");
}

export function fieldsTable(fields: readonly Field[], showsRequired: boolean): Html {
  if (fields.length === 0) return html``;
  const row = ({ name, depth, isRequired, schema }: Field) => {
    const told = prose(schema.description ?? bare(schema).schema.description ?? "");
    const bounds = limits(schema);
    const dim = bounds === "" ? "" : html` <span class="dim">${bounds}</span>`;
    const mark = showsRequired && isRequired && depth === 0 ? html` <span class="must">required</span>` : "";
    return html`<tr><td class="d${depth}"><code>${name}</code>${mark}</td><td>${typeWords(schema)}</td><td>${told}${dim}</td></tr>`;
  };
  return html`<div class="wide"><table><thead><tr><th>field</th><th>type</th><th></th></tr></thead><tbody>${fields.map(row)}</tbody></table></div>`;
}
