// The settings told to others: a table for the documentation, a schema for editors, what is in force. Pure.

import { redactText } from "../../kit/index.ts";
import { kindSchema, kindWords, showValue } from "./kinds.ts";
import type { Resolved } from "./resolve.ts";
import { PATHS, settingOf } from "./settings.ts";

const HIDDEN = "••••";

/** As docs/configuration.md has it. */
export function settingsTable(): string {
  const rows = PATHS.map((path) => {
    const { env, kind, about, fallback, secret, stored, flag } = settingOf(path);
    const standard = fallback === undefined || Array.isArray(fallback) ? "" : `\`${showValue(kind, fallback)}\``;
    const marks = [...(secret === true ? ["secret"] : []), ...(stored === true ? ["database"] : [])].join(", ");
    const names = flag === undefined ? `\`${env}\`` : `\`${env}\`, \`${flag.split(" ")[0]}\``;
    return `| \`${path}\` | ${names} | ${kindWords(kind)} | ${standard} | ${about} | ${marks} |`;
  });
  return ["| sluice.yaml | environment, flag | values | default | | |", "|---|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

export function jsonSchema(): Record<string, unknown> {
  const groups: Record<string, { type: "object"; additionalProperties: false; properties: Record<string, unknown> }> =
    {};
  const alone: Record<string, unknown> = {};
  for (const path of PATHS) {
    const [group = "", name] = path.split(".");
    const { kind, about, fallback } = settingOf(path);
    const standard = fallback === undefined ? {} : { default: fallback };
    const schema = { description: about, ...kindSchema(kind), ...standard };
    if (name === undefined) alone[group] = schema;
    else {
      groups[group] ??= { type: "object", additionalProperties: false, properties: {} };
      groups[group].properties[name] = schema;
    }
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "sluice.yaml",
    type: "object",
    additionalProperties: false,
    properties: { ...alone, ...groups },
  };
}

export interface InForce {
  readonly name: string;
  /** Null where nothing is set; secrets are dots. */
  readonly value: string | null;
  readonly source: string;
}

export function inForce({ config, sources }: Resolved): InForce[] {
  return PATHS.map((path) => {
    const { secret, kind } = settingOf(path);
    const value = config[path];
    const isUnset = value === undefined || (Array.isArray(value) && value.length === 0);
    // Of an address only the password is nobody's business: one wants to know which database is meant.
    const hidden = path === "database.url" ? redactText(String(value)) : HIDDEN;
    const shown = secret === true ? hidden : showValue(kind, value);
    return { name: path, value: isUnset ? null : shown, source: sources[path] };
  });
}
