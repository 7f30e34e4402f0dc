// Asking whoever sits there. Without a terminal nobody does, and the flag is named that would answer.

import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Flags } from "./config/load.ts";
import { CommandError, EXIT, UsageError } from "./exit.ts";
import type { Output } from "./output.ts";

/** Throws unless it is wanted. */
export async function confirm(question: string, out: Output, options: Flags): Promise<void> {
  if (options.yes === true) return;
  if (!out.canAsk) throw new UsageError(`${question} Nobody is here to answer`, "add --yes");
  const answer = await line(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new CommandError(EXIT.failed, "nothing was done", "answer y, or add --yes");
}

async function line(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await typed(reader, question);
  } finally {
    reader.close();
  }
}

/** Ctrl-C is an answer too, and so is Ctrl-D. */
async function typed(reader: Interface, question: string): Promise<string> {
  const left = new AbortController();
  reader.once("close", () => left.abort());
  try {
    return await reader.question(question, { signal: left.signal });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "AbortError") throw error;
    process.stderr.write("\n");
    throw new CommandError(EXIT.interrupted, "nothing was done", "ask for it again when you want it");
  }
}

/** A password: typed unseen, or the first line of standard input with --password-stdin. */
export async function secret(question: string, out: Output, options: Flags): Promise<string> {
  if (options.passwordStdin === true) return (await standardInput()).split(/\r?\n/)[0] ?? "";
  if (!out.canAsk) throw new UsageError("nobody is here to type a password", "pipe it in with --password-stdin");
  process.stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return await typed(reader, "");
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}

const INPUT_MOST = 10 * 1_048_576;

export async function standardInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > INPUT_MOST)
      throw new UsageError("standard input is longer than 10 MB", "hand it in in several parts");
  }
  return text;
}
