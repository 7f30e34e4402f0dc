// What a server answered, read as if it were not ours: it may be another program, a proxy's page, or never end.

import type { Problem } from "../../server/contract/wire.ts";
import { CommandError, EXIT } from "../exit.ts";

/** Larger than any page of ours. */
const BYTES_MOST = 32 * 1_048_576;

export async function readAnswer(answer: Response, where: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop lets go of the rest.
    if (bytes > BYTES_MOST) throw foreign(where, "an answer that does not end");
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** What every answer of ours is. */
export function asObject(text: string, where: string): object {
  const value = parsed(text);
  if (typeof value === "object" && value !== null) return value;
  throw foreign(where, text.trimStart().startsWith("<") ? "a page" : "something else than JSON");
}

function foreign(where: string, what: string): CommandError {
  return new CommandError(
    EXIT.unreachable,
    `${where} answered with ${what}`,
    "is that Sluice's address? SLUICE_URL names it",
  );
}

/** Of a problem what is of its type; undefined for what is none. */
export function problemOf(text: string): Partial<Problem> {
  const value = parsed(text);
  const told = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const one = (name: string) => {
    const found: unknown = told.get(name);
    return typeof found === "string" ? found : undefined;
  };
  const some = (name: string) => {
    const found: unknown = told.get(name);
    return Array.isArray(found) ? found.filter((each) => typeof each === "string") : undefined;
  };
  return {
    ...kept("detail", one("detail")),
    ...kept("requestId", one("requestId")),
    ...kept("instead", some("instead")),
    ...kept("actions", some("actions")),
  };
}

const kept = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not one of ours: a proxy's page, most likely.
    return undefined;
  }
}
