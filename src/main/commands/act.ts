// `sluice retry|cancel|replay|take-back|skip|run-once <id…>`: one action, item by item, each with what came of it; with --filter on
// all that it finds, in one go.

import type { Acted } from "../../server/contract/wire.ts";
import { confirm } from "../ask.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "../exit.ts";
import type { Output } from "../output.ts";
import { clean } from "../render/text.ts";
import { type ClientCall, type Ended, pathOf, tellCode, textOption } from "./call.ts";

export type ActionName = "retry" | "cancel" | "replay" | "take-back" | "skip" | "run-once";

const DONE: { readonly [Name in ActionName]: string } = {
  retry: "retried",
  cancel: "cancelled",
  replay: "replayed",
  "take-back": "taken back",
  skip: "skipped",
  "run-once": "let through once",
};

export async function act(action: ActionName, { client, out, args, options }: ClientCall): Ended {
  const dryRun = options.dryRun === true;
  const body = bodyOf(action, options);
  if (options.filter !== undefined) {
    if (options.parts === true)
      throw new UsageError("--parts goes with ids, not with a filter", "sluice retry <id> --parts");
    const { bulk } = await import("./bulk.ts");
    return await bulk({ type: action, ...body }, { client, out, args, options });
  }
  if (args.length === 0)
    throw new UsageError(
      "which ones? name ids, or a filter",
      `sluice ${action} itm_…, or sluice ${action} --filter 'state:…'`,
    );
  const path = action === "retry" && options.parts === true ? "retry-parts" : action;
  if (action === "cancel" && args.length > 1 && !dryRun) await confirm(`Cancel ${args.length} items?`, out, options);
  const results: {
    readonly id: string;
    readonly ok: boolean;
    readonly told: unknown;
    readonly error?: CommandError;
  }[] = [];
  for (const id of args) {
    try {
      const told = await client.ask<Acted>(`${pathOf(id)}/${path}`, {
        method: "POST",
        query: { dryRun: dryRun || undefined },
        body,
      });
      results.push({ id, ok: true, told });
      if (!out.isJson) out.text(`${clean(id)}\t${clean(dryRun ? wouldText(told) : doneText(action, told))}`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      results.push({ id, ok: false, told: { error: error.message }, error });
      if (!out.isJson) out.note(`sluice: ${id}: ${error.message}`);
    }
  }
  if (out.isJson) out.json(results.map(({ id, ok, told }) => ({ id, ok, ...(typeof told === "object" ? told : {}) })));
  const exit = ending(action, results, out);
  if (exit !== undefined && action === "retry" && !out.isJson) tellCode({ client, out, options });
  return exit;
}

/** Of a copy, what was made: everything else is asked for by its id. */
export function doneText(action: ActionName, { copy, left }: Pick<Acted, "copy" | "left">): string {
  if (left) return "left: others asked for it too, and it goes on for them";
  return copy === null ? DONE[action] : `copied as ${copy.item} in ${copy.request}`;
}

function ending(
  action: ActionName,
  results: readonly { readonly id: string; readonly ok: boolean; readonly error?: CommandError }[],
  out: Output,
): ExitCode | undefined {
  const failed = results.filter((one) => !one.ok);
  const [first] = failed;
  if (first === undefined) return undefined;
  const next = first.error?.next.replace("<id>", first.id);
  // What was refused just now is no advice.
  if (!out.isJson && next !== undefined && next !== `possible now: ${action}`) out.note(`  → ${next}`);
  return failed.length < results.length ? EXIT.partly : (first.error?.exit ?? EXIT.failed);
}

function bodyOf(action: ActionName, options: ClientCall["options"]): Record<string, unknown> | undefined {
  if (action === "replay") {
    const from = textOption(options, "from");
    if (from === undefined)
      throw new UsageError("replay needs the stage to begin with: --from <stage>", "sluice show <id> names its stages");
    return { from, ...(options.copy === true ? { as: "copy" } : {}) };
  }
  if (action === "skip") {
    const reason = textOption(options, "reason");
    if (reason === undefined)
      throw new UsageError(
        "skip needs a reason, which is kept: --reason <text>",
        'sluice skip <id> --reason "not needed any more"',
      );
    const stage = textOption(options, "stage");
    return { reason, ...(stage === undefined ? {} : { stage }) };
  }
  return undefined;
}

export function wouldText({ would }: Pick<Acted, "would">): string {
  if (would === null) return "it would be done";
  const { items, stage, keeps, redoes } = would;
  return [
    `would change ${items === 1 ? "it" : `${items} items`}`,
    ...(stage === null ? [] : [`in ${stage}`]),
    ...(keeps.length === 0 ? [] : [`keeps ${keeps.join(", ")}`]),
    ...(redoes.length === 0 ? [] : [`does ${redoes.join(", ")} again`]),
  ].join(", ");
}
