// `sluice answer <item> <answer>`: answers what an item waits with.

import type { Done, Item, Page, Question } from "../../server/contract/wire.ts";
import { CommandError, EXIT } from "../exit.ts";
import { clean } from "../render/text.ts";
import { type ClientCall, type Ended, pathOf } from "./call.ts";

export async function answer({ client, out, args: [id = "", given = ""], options }: ClientCall): Ended {
  const item = await client.ask<Item>(pathOf(id));
  const { entries } = await client.ask<Page<Question>>("/api/v1/questions", { query: { item: item.id, limit: 1 } });
  const [asked] = entries;
  if (asked === undefined)
    throw new CommandError(EXIT.refused, `${item.id} asks nothing`, `sluice why ${item.id} tells how it stands`);
  const told = await client.ask<Done>(`/api/v1/questions/${asked.id}/answer`, {
    method: "POST",
    query: { dryRun: options.dryRun === true || undefined },
    body: { answer: given },
  });
  if (out.isJson) out.json(told);
  else out.text(told.would ?? `${item.id}\tanswered: ${clean(asked.question)} ${clean(given)}`);
  return undefined;
}
