// `sluice retry|cancel|replay|… --filter <filter>`: one action on all items that a filter finds. Looked at first, asked about, begun,
// and watched; a worker does it, so it goes on without us.

import type { BulkOrdered, BulkPreview } from "../../server/contract/wire.ts";
import { confirm } from "../ask.ts";
import { CommandError, EXIT, UsageError } from "../exit.ts";
import { clean } from "../render/text.ts";
import { type ClientCall, type Ended, tellCode, textOption } from "./call.ts";
import { follow, tellOver } from "./operation.ts";

export async function bulk(
  action: { readonly type: string },
  { client, out, args, options }: Omit<ClientCall, "known">,
  confirmed = confirm,
): Ended {
  const filter = textOption(options, "filter") ?? "";
  if (args.length > 0)
    throw new UsageError("either ids or a filter", `sluice ${action.type} --filter 'id:${args.join(",")} …'`);
  const isDry = options.dryRun === true;
  const ask = async (dryRun: boolean, expected?: number) =>
    await client.ask<BulkOrdered>("/api/v1/bulk", {
      method: "POST",
      query: { dryRun: dryRun || undefined },
      body: { action, filter, expected },
    });
  const seen = await ask(true);
  const { preview } = seen;
  if (preview === null) throw nothingSaid();
  if (isDry || preview.would === 0) {
    if (out.isJson) out.json(seen);
    else out.text(previewLines(action.type, preview, filter).join("\n"));
    if (preview.refused.length > 0 && action.type === "retry" && !out.isJson) tellCode({ client, out, options });
    return preview.would === 0 && preview.matched > 0 ? EXIT.refused : undefined;
  }
  if (out.canAsk && options.yes !== true) for (const line of previewLines(action.type, preview, filter)) out.note(line);
  await confirmed(`${capital(action.type)} ${counted(preview.would)}?`, out, options);
  // Who says yes to whatever there is has not been shown a number.
  const { operation } = await begun(() => ask(false, options.yes === true ? undefined : preview.matched));
  if (operation === null) throw nothingSaid();
  const over = await follow(client, out, operation);
  if (over === undefined) return EXIT.interrupted;
  if (out.isJson) out.json({ operation: over, preview: null });
  return await tellOver(client, out, over);
}

/** What was asked about is not what there is any more. */
async function begun(ask: () => Promise<BulkOrdered>): Promise<BulkOrdered> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CommandError) || error.exit !== EXIT.refused) throw error;
    throw new CommandError(error.exit, error.message, "ask for it again to see them, or add --yes for all that match");
  }
}

/** What would come of it, and whom it would meet first. */
export function previewLines(action: string, preview: BulkPreview, filter: string): string[] {
  const { matched, would, examples, refused } = preview;
  if (matched === 0) return [`no item matches ${clean(filter)}`];
  const rest = would - examples.length;
  return [
    `would ${action} ${would === matched ? counted(would) : `${would} of ${counted(matched)}`}`,
    ...examples.map((id) => `  ${id}`),
    ...(would > 0 && rest > 0 ? [`  and ${rest} more`] : []),
    ...refused.map(({ reason, items }) => `  ${items} refused: ${clean(reason)}`),
  ];
}

const counted = (items: number) => (items === 1 ? "1 item" : `${items} items`);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const nothingSaid = () =>
  new CommandError(EXIT.failed, "the answer says nothing about the items", "that is no Sluice, or a bug of ours");
