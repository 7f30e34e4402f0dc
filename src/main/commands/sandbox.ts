// `sluice sandbox`, `sluice sandbox break <thing> <fault>` and `sluice sandbox mend [thing] [fault]`: the demo world of a server.

import type { Done, List, SandboxFault, SandboxThing } from "../../server/contract/wire.ts";
import type { Client } from "../client/client.ts";
import { CommandError, EXIT } from "../exit.ts";
import type { Column } from "../render/table.ts";
import { lasted } from "../render/when.ts";
import type { Call, ClientCall, Ended } from "./call.ts";
import { tell } from "./hold.ts";

export interface Row extends SandboxFault {
  readonly thing: SandboxThing;
}

/** A line for each way to break something. */
export const rowsOf = (things: readonly SandboxThing[]): Row[] =>
  things.flatMap((thing) => thing.faults.map((fault) => ({ ...fault, thing })));

export async function sandbox({ client, out }: ClientCall): Ended {
  const page = await thingsOf(client);
  const now = new Date();
  const columns: readonly Column<Row>[] = [
    { title: "thing", value: ({ thing }) => thing.name },
    { title: "is", value: ({ thing }) => thing.state, colour: ({ thing }) => (thing.state === "up" ? "green" : "red") },
    { title: "fault", value: ({ name }) => name },
    {
      title: "broken for",
      value: ({ brokenSince }) => brokenSince ?? "",
      shown: ({ brokenSince }) => (brokenSince === null ? "" : lasted(brokenSince, now)),
      colour: () => "red",
    },
    { title: "what it does", value: ({ does }) => does, least: 12 },
  ];
  if (out.isJson) out.json(page);
  else out.rows(columns, rowsOf(page.entries), "there is nothing in this sandbox");
  const broken = rowsOf(page.entries).some(({ brokenSince }) => brokenSince !== null);
  if (!out.isJson)
    out.note(broken ? "mend everything: sluice sandbox mend" : "break something: sluice sandbox break <thing> <fault>");
  return undefined;
}

export async function breakThing({ client, out, args: [thing = "", fault = ""], options }: ClientCall): Ended {
  const { entries } = await thingsOf(client);
  const acted = await ask(client, "break", { thing, fault }, options, entries);
  const expect = rowsOf(entries).find((one) => one.thing.name === thing && one.name === fault)?.expect ?? "";
  tell(out, acted, `${thing} is broken (${fault}). ${expect}`);
  if (!out.isJson && acted.would === null) out.note(`mend it: sluice sandbox mend ${thing} ${fault}`);
  return undefined;
}

export async function mend({ client, out, args: [thing, fault], options }: ClientCall): Ended {
  const { entries } = await thingsOf(client);
  const body = { ...(thing === undefined ? {} : { thing }), ...(fault === undefined ? {} : { fault }) };
  const acted = await ask(client, "mend", body, options, entries);
  tell(out, acted, `${thing ?? "everything"} works again${fault === undefined ? "" : ` (${fault})`}`);
  return undefined;
}

async function ask(
  client: Client,
  action: "break" | "mend",
  body: { readonly thing?: string; readonly fault?: string },
  options: Call["options"],
  things: readonly SandboxThing[],
): Promise<Done> {
  const query = { dryRun: options.dryRun === true || undefined };
  try {
    return await client.ask<Done>(`/api/v1/sandbox/${action}`, { method: "POST", query, body });
  } catch (error) {
    if (!(error instanceof CommandError) || error.exit !== EXIT.notFound) throw error;
    throw new CommandError(error.exit, error.message, thereIs(things, body.thing));
  }
}

/** Of a thing that there is, its faults; else the things. */
export function thereIs(things: readonly SandboxThing[], thing: string | undefined): string {
  const found = things.find(({ name }) => name === thing);
  const named = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).join(", ");
  return found === undefined
    ? `what can be broken: ${named(things)}; sluice sandbox tells how`
    : `${found.name} can have: ${named(found.faults)}`;
}

/** Most servers stand in no sandbox, and then that is all there is to say. */
async function thingsOf(client: Client): Promise<List<SandboxThing>> {
  try {
    return await client.ask<List<SandboxThing>>("/api/v1/sandbox");
  } catch (error) {
    if (!(error instanceof CommandError) || error.exit !== EXIT.notFound) throw error;
    throw new CommandError(
      EXIT.notFound,
      `${client.where} stands in no sandbox`,
      "npm run demo starts one, and prints what to set so that it is found",
    );
  }
}
