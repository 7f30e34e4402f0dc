// `sluice hold|resume <pipeline[@version][/stage]>` and `sluice switch <pipeline/stage> on|off`.

import type { Done } from "../../server/contract/wire.ts";
import { UsageError } from "../exit.ts";
import { clean } from "../render/text.ts";
import { type Call, type ClientCall, type Ended, textOption } from "./call.ts";

export interface Scope {
  readonly pipeline: string;
  readonly version?: number;
  readonly stage?: string;
}

/** `media`, `media@2`, `media/encode`, `media@2/encode`. */
export function parseScope(text: string): Scope {
  const [, pipeline, version, stage] = /^([^@/]+)(?:@(\d+))?(?:\/(.+))?$/.exec(text) ?? [];
  if (pipeline === undefined)
    throw new UsageError(`${JSON.stringify(text)} names no pipeline`, "write media, media@2 or media/encode");
  return {
    pipeline,
    ...(version === undefined ? {} : { version: Number(version) }),
    ...(stage === undefined ? {} : { stage }),
  };
}

export async function hold(action: "hold" | "resume", { client, out, args: [what = ""], options }: ClientCall): Ended {
  const note = textOption(options, "note");
  const body = { ...parseScope(what), ...(note === undefined ? {} : { note }) };
  const acted = await client.ask<Done>(`/api/v1/${action}`, { method: "POST", query: dry(options), body });
  tell(out, acted, `${what} is ${action === "hold" ? "held: what runs ends, nothing begins" : "no longer held"}`);
  return undefined;
}

export async function switchStage({ client, out, args: [what = "", wanted = ""], options }: ClientCall): Ended {
  const { pipeline, version, stage } = parseScope(what);
  if (stage === undefined)
    throw new UsageError(`${what} names no stage`, `sluice switch ${pipeline}/<stage> ${wanted || "off"}`);
  if (wanted !== "on" && wanted !== "off")
    throw new UsageError(`a stage is switched on or off, not ${JSON.stringify(wanted)}`, `sluice switch ${what} off`);
  const note = textOption(options, "note");
  const body = {
    pipeline,
    stage,
    on: wanted === "on",
    ...(version === undefined ? {} : { version }),
    ...(note === undefined ? {} : { note }),
  };
  const acted = await client.ask<Done>("/api/v1/switches", { method: "PUT", query: dry(options), body });
  tell(out, acted, `${what} is switched ${wanted}`);
  return undefined;
}

const dry = (options: Call["options"]) => ({ dryRun: options.dryRun === true || undefined });

export function tell(out: Call["out"], acted: Done, done: string): void {
  if (out.isJson) out.json(acted);
  else out.text(clean(acted.would ?? done));
}
