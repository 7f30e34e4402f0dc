// `sluice why <item>`: why it stands where it stands, when it will be done, and what can be done about it.

import type { Estimate, Explanation, Item, List, Pipeline, Valve } from "../../server/contract/wire.ts";
import type { Client } from "../client/client.ts";
import { CommandError, UsageError } from "../exit.ts";
import type { Output } from "../output.ts";
import { clean, wrap } from "../render/text.ts";
import { type ClientCall, type Ended, pathOf } from "./call.ts";

export async function why({ client, out, args: [id = ""] }: ClientCall): Ended {
  if (/^req_/i.test(id))
    throw new UsageError("a request waits for its items; ask one of them why", `sluice ls request:${id}`);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const item = await client.ask<Item>(pathOf(id));
  const wait = await client.ask<Explanation>(`${pathOf(item.id)}/explain`, { query: { timeZone } });
  const estimate = item.completedAt === null ? await estimateOf(client, item.id) : null;
  if (out.isJson) out.json({ ...wait, item: item.id, state: item.state, stage: item.stage, estimate });
  else {
    const { whyText } = await import("../../engine/index.ts");
    const facts = { ...item, item: item.id as never, explanation: toExplanation(wait), estimate };
    // The last line names what can be done; here it is told as commands.
    const lines = whyText(facts, { now: new Date(), timeZone })
      .split("\n")
      .filter((line) => !line.startsWith("You can:"));
    const told = lines.map((line) => (out.isTerminal ? wrap(clean(line), out.width, "  ") : clean(line)));
    const commands = commandsFor(item, wait, await heldBy(client, item, wait));
    out.text([...told, ...canLines(commands, out)].join("\n"));
  }
  return undefined;
}

/** In a line where they fit, else one below the other: a command that is broken cannot be copied. */
export function canLines(
  commands: readonly string[],
  { isTerminal, width }: Pick<Output, "isTerminal" | "width">,
): string[] {
  if (commands.length === 0) return [];
  const clear = commands.map(clean);
  const line = `You can:  ${clear.join("  │  ")}`;
  if (!isTerminal || line.length <= width) return [line];
  return clear.map((command, index) => `${index === 0 ? "You can:" : "        "}  ${command}`);
}

function toExplanation({ code, sentence, since, until, service, actions }: Explanation) {
  const at = (time: string | null) => (time === null ? null : new Date(time));
  return { reason: code, sentence, since: at(since), until: at(until), service, actions: actions as never } as never; // the engine's words, back from the wire
}

/** What can be typed for each action that is offered. */
export function commandsFor(
  { id, pipeline, stage }: Pick<Item, "id" | "pipeline" | "stage">,
  { actions, code, service }: Explanation,
  held: readonly string[] = [],
): string[] {
  const commands: { readonly [action: string]: string } = {
    retry: `sluice retry ${id}`,
    "retry-parts": `sluice retry ${id} --parts`,
    cancel: `sluice cancel ${id}`,
    "run-once": `sluice run-once ${id}`,
    answer: `sluice answer ${id} <answer>`,
    ...(service === null ? {} : { check: `sluice services check ${service}` }),
  };
  const opening =
    code === "stage_off" ? [`sluice switch ${pipeline}/${stage} on`] : held.map((scope) => `sluice resume ${scope}`);
  return actions.flatMap((action) => (action === "open" ? opening : (commands[action] ?? [])));
}

/** What holds it, as one writes it: of the whole pipeline, a version, a stage. */
async function heldBy(client: Client, item: Item, { actions, code }: Explanation): Promise<string[]> {
  if (!actions.includes("open") || code === "stage_off") return [];
  const { entries } = await client.ask<List<Pipeline>>("/api/v1/pipelines");
  const closed = entries.find(({ name }) => name === item.pipeline)?.closed ?? [];
  return closed.flatMap((valve) => (valve.kind === "hold" && covers(valve, item) ? scopeText(valve) : []));
}

function covers({ version, stage }: Valve, item: Item): boolean {
  return (version === null || version === item.version) && (stage === null || stage === item.stage);
}

/** One that holds everything has no name to resume it by here. */
function scopeText({ pipeline, version, stage }: Valve): string[] {
  if (pipeline === null) return [];
  return [`${pipeline}${version === null ? "" : `@${version}`}${stage === null ? "" : `/${stage}`}`];
}

/** Nobody can say, where the server has no such answer. */
async function estimateOf(client: Client, id: string): Promise<string | null> {
  try {
    return (await client.ask<Estimate>(`${pathOf(id)}/estimate`)).sentence;
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
}
