// What people call an item: told by its pipeline from its input, for lists and pages. Nothing is decided by it.

import { InputError, printable, safeText } from "../../kit/index.ts";

/** A function of the input, or the name of the field that has it. */
export type TitleOption<Input> = ((input: Input) => string | null | undefined) | (keyof Input & string);

/** Such a function of a pipeline whose types do not matter here. */
export type TitleOf = (input: never) => unknown;

/** A line of a list; more would be a text. */
export const TITLE_BYTES = 300;

export function checkTitle<Input>(pipeline: string, title: TitleOption<Input> | undefined): TitleOf | undefined {
  if (title === undefined || typeof title === "function") return title;
  if (typeof title === "string" && title !== "") return (input: Input) => (input as Record<string, unknown>)[title];
  throw new InputError(
    `${pipeline}.title`,
    `the title of pipeline "${pipeline}" is a function of its input, the name of a field of it, or left out`,
  );
}

/** Of an input as it is stored. Null where the pipeline tells none, or none can be told: no item is refused for want of a name. */
export function titleFor({ title }: { readonly title?: TitleOf | undefined }, input: string): string | null {
  if (title === undefined) return null;
  try {
    // What was stored passed the schema that the function was typed by.
    const told = title(JSON.parse(input) as never);
    return typeof told === "string" ? cleanTitle(told) : null;
  } catch {
    return null;
  }
}

function cleanTitle(told: string): string | null {
  const line = printable(told.slice(0, 10 * TITLE_BYTES))
    .replaceAll(/\s+/gu, " ")
    .trim();
  return line === "" ? null : safeText(line, TITLE_BYTES);
}
