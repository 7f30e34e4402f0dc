import { InputError } from "./errors.ts";
import { checkJson } from "./json.ts";

/** Text that says something and can be stored: through JSON, because it refuses what PostgreSQL would, NUL and lone surrogates. */
export function checkText(value: unknown, field: string, maxBytes: number): string {
  if (typeof value !== "string" || value === "") throw new InputError(field, `${field} must be text that is not empty`);
  checkJson(value, { field, maxBytes });
  return value;
}
