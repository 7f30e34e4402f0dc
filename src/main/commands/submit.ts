// `sluice submit <pipeline> [json|@file|-]`: hands in work, and with --wait stays until it is over.

import { readFileSync } from "node:fs";
import { systemClock, toMilliseconds } from "../../kit/index.ts";
import type { Request, Submitted } from "../../server/contract/wire.ts";
import { standardInput } from "../ask.ts";
import type { Client } from "../client/client.ts";
import { patientAsk } from "../client/patient.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "../exit.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Output } from "../output.ts";
import { bar, percent } from "../render/bar.ts";
import { type ClientCall, type Ended, textOption } from "./call.ts";
import { parseScope } from "./hold.ts";
import { requestText, tellFailed } from "./show.ts";

const LOOK_MS = 500;
const OVER: { readonly [Status in Request["status"]]?: ExitCode } = {
  COMPLETED: EXIT.ok,
  PARTIAL: EXIT.partly,
  FAILED: EXIT.failed,
  CANCELLED: EXIT.failed,
};

export async function submit({ client, out, args: [what = "", given = "{}"], options }: ClientCall): Ended {
  const { pipeline, version } = parseScope(what);
  if (client.isLocal && options.module === undefined)
    throw new UsageError(
      "the pipeline's own code checks what is handed in: name its module, or a server that has it",
      `sluice submit ${what} … --module pipelines.ts, or SLUICE_URL and SLUICE_API_KEY (sluice key create makes one)`,
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
  const handed = await client.ask<Submitted>("/api/v1/requests", { method: "POST", query, body });
  const { request: id, joined } = handed;
  if (options.wait !== true || id === null) {
    if (out.isJson) out.json(handed);
    else out.text(id ?? wouldText(handed, pipeline));
    if (id !== null && !out.isJson)
      out.note(`${joined ? "joined: the same was asked for already; " : ""}sluice show ${id}`);
    return undefined;
  }
  if (!out.isJson) out.note(id);
  const exit = await untilInterrupted((signal) => wait(client, out, id, { timeoutMs, signal }));
  if (exit === EXIT.interrupted && process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  if (exit === EXIT.interrupted) out.note(`it goes on all the same: sluice show ${id}`);
  return exit;
}

function wouldText({ joined, would }: Submitted, pipeline: string): string {
  if (joined) return "would join what was asked for already";
  return `would be ${would?.items ?? "some"} items of ${pipeline} ${would?.version ?? ""}`.trim();
}

interface Waiting {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function wait(client: Client, out: Output, id: string, { timeoutMs, signal }: Waiting): Promise<ExitCode> {
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener("abort", end);
  void systemClock.sleep(timeoutMs, over.signal).then(end);
  try {
    const ask = patientAsk(client, out, over.signal);
    for (; !over.signal.aborted; ) {
      const request = await ask<Request>(`/api/v1/requests/${id}`);
      const exit = request === undefined ? undefined : tellOf(request, out);
      if (request !== undefined && exit !== undefined) {
        if (!out.isJson) await tellFailed(client, out, request);
        return exit;
      }
      await systemClock.sleep(LOOK_MS, over.signal);
    }
  } finally {
    end();
    signal.removeEventListener("abort", end);
  }
  if (signal.aborted) return EXIT.interrupted;
  throw new CommandError(EXIT.timedOut, `${id} is not over yet`, `it goes on all the same: sluice show ${id}`);
}

/** How far it is; and where it is over, all of it and the code to end with. */
function tellOf(request: Request, out: Output): ExitCode | undefined {
  const exit = OVER[request.status];
  const hasBar = process.stderr.isTTY && !out.isJson;
  if (hasBar)
    process.stderr.write(
      exit === undefined ? `\r${bar(request.progress, 20)} ${percent(request.progress)} \u001b[K` : "\r\u001b[K",
    );
  if (exit === undefined) return undefined;
  if (out.isJson) out.json(request);
  else out.text(requestText(request, new Date(), out));
  return exit;
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
