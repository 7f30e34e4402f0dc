// What a value may look like: read from text, told in words, described for editors. Pure.

import { describeDuration, InputError, toMilliseconds } from "../../kit/index.ts";

export type Kind =
  | { readonly type: "text" }
  | { readonly type: "url" }
  | { readonly type: "whole"; readonly lowest: number; readonly highest: number; readonly unit?: string }
  | { readonly type: "yes-no" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  | { readonly type: "list"; readonly of?: readonly string[] }
  | { readonly type: "duration"; readonly shortestMs: number };

/** What each becomes; durations are milliseconds. */
export interface Values {
  text: string;
  url: string;
  whole: number;
  "yes-no": boolean;
  choice: string;
  list: readonly string[];
  duration: number;
}

export type Reading = { readonly value: Values[keyof Values] } | { readonly must: string };

/** The value, or what it must be. */
export function readValue(kind: Kind, text: string): Reading {
  switch (kind.type) {
    case "text":
      return { value: text };
    case "url":
      return /^https?:\/\//.test(text) && URL.canParse(text)
        ? { value: text.replace(/\/+$/, "") }
        : { must: "must be an address such as https://sluice.example.org" };
    case "whole": {
      const value = text.trim() === "" ? Number.NaN : Number(text);
      const fits = Number.isInteger(value) && value >= kind.lowest && value <= kind.highest;
      return fits ? { value } : { must: `must be a whole number from ${kind.lowest} to ${kind.highest}` };
    }
    case "yes-no":
      return text === "true" || text === "false" ? { value: text === "true" } : { must: 'must be "true" or "false"' };
    case "choice":
      return kind.of.includes(text) ? { value: text } : { must: `must be one of ${kind.of.join(", ")}` };
    case "list":
      return readList(text, kind.of);
    case "duration":
      return readDuration(text, kind.shortestMs);
  }
}

function readList(text: string, of: readonly string[] | undefined): Reading {
  const value = text.split(/[\s,]+/).filter((one) => one !== "");
  if (of === undefined || value.every((one) => of.includes(one))) return { value };
  return { must: `must hold nothing but ${of.join(", ")}` };
}

function readDuration(text: string, shortestMs: number): Reading {
  const must = `must be a duration such as "90d" or "12h", at least ${describeDuration(shortestMs)}`;
  try {
    const value = toMilliseconds(text, "it");
    return value >= shortestMs ? { value } : { must };
  } catch (error) {
    if (error instanceof InputError) return { must };
    throw error;
  }
}

/** As one would type it. */
export function showValue(kind: Kind, value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  if (kind.type === "duration" && typeof value === "number") return describeDuration(value);
  return String(value);
}

/** For the table of settings. */
export function kindWords(kind: Kind): string {
  switch (kind.type) {
    case "whole":
      return `${kind.lowest} to ${kind.highest}${kind.unit === undefined ? "" : ` ${kind.unit}`}`;
    case "choice":
      return kind.of.join(", ");
    case "yes-no":
      return "true, false";
    case "list":
      return `list${kind.of === undefined ? "" : ` of ${kind.of.join(", ")}`}, with commas`;
    case "url":
      return "address";
    case "duration":
      return `duration, at least ${describeDuration(kind.shortestMs)}`;
    case "text":
      return "text";
  }
}

/** JSON Schema, for editors. */
export function kindSchema(kind: Kind): Record<string, unknown> {
  switch (kind.type) {
    case "whole":
      return { type: "integer", minimum: kind.lowest, maximum: kind.highest };
    case "choice":
      return { enum: kind.of };
    case "yes-no":
      return { type: "boolean" };
    case "list":
      return {
        oneOf: [
          { type: "array", items: { type: "string", ...(kind.of === undefined ? {} : { enum: kind.of }) } },
          { type: "string" },
        ],
      };
    case "url":
      return { type: "string", format: "uri" };
    case "duration":
    case "text":
      return { type: "string" };
  }
}
