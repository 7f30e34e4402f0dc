// Where a command writes: data on standard output, everything else on standard error.

import { coloured, type Paint, plain, wantsColour } from "./render/paint.ts";
import { type Column, type Sheet, table } from "./render/table.ts";
import { clean } from "./render/text.ts";

export interface Output extends Sheet {
  readonly isJson: boolean;
  /** Somebody sits in front of it and can be asked. */
  readonly canAsk: boolean;
  /** The answer, as the API gives it. */
  json(value: unknown): void;
  text(text: string): void;
  rows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], none: string): void;
  /** For people: what is going on, never a part of the answer. */
  note(text: string): void;
}

/** It may quote what others named, and has no colours of its own. */
export function noteText(text: string): string {
  return text.split("\n").map(clean).join("\n");
}

const NARROWEST = 40;
const USUAL = 80;

export function makeOutput(isJson: boolean): Output {
  const { stdout, stderr, stdin, env } = process;
  const isTerminal = stdout.isTTY === true;
  const paint: Paint = wantsColour(isTerminal, env) ? coloured : plain;
  const width = Math.max(NARROWEST, stdout.columns ?? USUAL);
  const sheet = { isTerminal, width, paint };
  const write = (text: string) => void stdout.write(`${text}\n`);
  const note = (text: string) => void stderr.write(`${noteText(text)}\n`);
  return {
    ...sheet,
    isJson,
    canAsk: stdin.isTTY === true && stderr.isTTY === true && !env.CI,
    json: (value) => write(JSON.stringify(value, null, isTerminal ? 2 : undefined)),
    text: write,
    rows(columns, rows, none) {
      if (rows.length > 0) write(table(columns, rows, sheet));
      else note(none);
    },
    note,
  };
}
