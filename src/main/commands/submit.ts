// `sluice submit <pipeline> [json|@file|-]`: hands in work, and with --wait stays until it is over.

import { readFileSync } from "node:fs";
import { toMilliseconds } from "../../kit/index.ts";
import { standardInput } from "../ask.ts";
import type { Client } from "../client/client.ts";
import type { RequestView } from "../client/shapes.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "../exit.ts";
import type { Output } from "../output.ts";
import { bar, percent } from "../render/bar.ts";
import { type ClientCall, type Ended, textOption } from "./call.ts";
import { parseScope } from "./hold.ts";
import { requestText } from "./show.ts";

const LOOK_MS = 500;
const OVER: { readonly [status: string]: ExitCode } = {
  COMPLETED: EXIT.ok,
  PARTIAL: EXIT.partly,
  FAILED: EXIT.failed,
  CANCELLED: EXIT.failed,
};

interface Handed {
  /** Null of a dry run. */
  readonly request: string | null;
  readonly joined: boolean;
  readonly would: { readonly version: number; readonly items: number } | null;
}

export async function submit({ client, out, args: [what = "", given = "{}"], options }: ClientCall): Ended {
  const { pipeline, version } = parseScope(what);
  if (client.isLocal && options.module === undefined)
    throw new UsageError(
      "the pipeline's own code checks what is handed in: name its module, or a server that has it",
      `sluice submit ${what} … --module pipelines.ts, or SLUICE_URL=http://127.0.0.1:7470`,
    );
  const inputs = inputsOf(await read(given));
  const key = textOption(options, "key");
  const body = {
    pipeline,
    ...(version === undefined ? {} : { version }),
    inputs,
    ...(key === undefined ? {} : { key }),
  };
  const timeoutMs = toMilliseconds(textOption(options, "timeout") ?? "3650d", "--timeout");
  const query = { dryRun: options.dryRun === true || undefined };
  const handed = await client.ask<Handed>("/api/v1/requests", { method: "POST", query, body });
  const { request: id, joined } = handed;
  if (options.wait !== true || id === null) {
    if (out.isJson) out.json(handed);
    else out.text(id ?? wouldText(handed, pipeline));
    if (id !== null && !out.isJson)
      out.note(`${joined ? "joined: the same was asked for already; " : ""}sluice show ${id}`);
    return undefined;
  }
  if (!out.isJson) out.note(id);
  return await wait(client, out, id, timeoutMs);
}

function wouldText({ joined, would }: Handed, pipeline: string): string {
  if (joined) return "would join what was asked for already";
  return `would be ${would?.items ?? "some"} items of ${pipeline} ${would?.version ?? ""}`.trim();
}

async function wait(client: Client, out: Output, id: string, timeoutMs: number): Promise<ExitCode> {
  const until = performance.now() + timeoutMs;
  for (; performance.now() < until; ) {
    const request = await client.ask<RequestView>(`/api/v1/requests/${id}`);
    const exit = OVER[request.status];
    if (process.stderr.isTTY && !out.isJson)
      process.stderr.write(`\r${bar(request.progress, 20)} ${percent(request.progress)} \u001b[K`);
    if (exit !== undefined) {
      if (process.stderr.isTTY && !out.isJson) process.stderr.write("\r\u001b[K");
      if (out.isJson) out.json(request);
      else out.text(requestText(request, new Date(), out));
      return exit;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new CommandError(EXIT.timedOut, `${id} is not over yet`, `it goes on all the same: sluice show ${id}`);
}

async function read(given: string): Promise<string> {
  if (given === "-") return await standardInput();
  if (!given.startsWith("@")) return given;
  try {
    return readFileSync(given.slice(1), "utf8");
  } catch (error) {
    throw new UsageError(
      `${given.slice(1)} cannot be read: ${(error as Error).message}`,
      "sluice submit media @request.json",
    );
  }
}

/** One input, or a list of them; from a file also one in each line. */
export function inputsOf(text: string): unknown[] {
  const parsed = parse(text) ?? parseLines(text);
  if (parsed === undefined)
    throw new UsageError(
      `the input is no JSON: ${JSON.stringify(text.slice(0, 60))}`,
      `quote it: sluice submit media '{"title":"…"}'`,
    );
  return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function parseLines(text: string): { readonly value: unknown[] } | undefined {
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parse);
  return lines.length > 1 && lines.every((line) => line !== undefined)
    ? { value: lines.map((line) => line?.value) }
    : undefined;
}
