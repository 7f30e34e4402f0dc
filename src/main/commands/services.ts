// `sluice services`, `sluice services check <name>` and `sluice workers`.

import type { Done, Service, Worker } from "../../server/contract/wire.ts";
import { formerLives } from "../../server/contract/worker-lives.ts";
import { askAll } from "../client/pages.ts";
import type { Colour } from "../render/paint.ts";
import type { Column } from "../render/table.ts";
import { lasted, relative } from "../render/when.ts";
import type { ClientCall, Ended } from "./call.ts";
import { tell } from "./hold.ts";

const SERVICE_COLOURS: { readonly [State in Service["state"]]: Colour } = {
  well: "green",
  down: "red",
  busy: "yellow",
  ramping: "green",
};

export async function services({ client, out }: ClientCall): Ended {
  const page = await askAll<Service>(client, "/api/v1/services");
  const now = new Date();
  const columns: readonly Column<Service>[] = [
    { title: "service", value: (one) => one.name, least: 8 },
    { title: "state", value: (one) => one.state, shown: serviceWords, colour: (one) => SERVICE_COLOURS[one.state] },
    { title: "since", value: (one) => one.since, shown: (one) => lasted(one.since, now) },
    { title: "next look", value: (one) => one.until ?? "", shown: (one) => relative(one.until, now) },
    { title: "behind it", value: (one) => one.behind, isRight: true },
    { title: "last error", value: (one) => [one.error?.code, one.error?.message].filter(Boolean).join(" "), least: 10 },
  ];
  if (out.isJson) out.json(page);
  else out.rows(columns, page.entries, "no pipeline uses a service");
  const down = page.entries.find((one) => one.state === "down");
  if (down !== undefined && !out.isJson) out.note(`have it looked at now: sluice services check ${down.name}`);
  return undefined;
}

/** Coming back is no trouble, and takes as long as there is little to do. */
export function serviceWords({ state, ramp }: Pick<Service, "state" | "ramp">): string {
  return state === "ramping" ? `coming back: ${ramp ?? 1} at a time, growing` : state;
}

export async function checkService({ client, out, args: [name = ""], options }: ClientCall): Ended {
  const query = { dryRun: options.dryRun === true || undefined };
  const acted = await client.ask<Done>(`/api/v1/services/${encodeURIComponent(name)}/check`, {
    method: "POST",
    query,
  });
  tell(out, acted, `${name} is looked at now; sluice services shows what came of it`);
  return undefined;
}

const WORKER_COLOURS: { readonly [State in Worker["state"]]: Colour } = {
  alive: "green",
  late: "yellow",
  left: "dim",
  dead: "red",
};

export async function workers({ client, out, options }: ClientCall): Ended {
  const page = await askAll<Worker>(client, "/api/v1/workers");
  const now = new Date();
  const former = formerLives(page.entries);
  const shown = options.all === true ? page.entries : page.entries.filter((one) => !former.has(one));
  const columns: readonly Column<Worker>[] = [
    { title: "worker", value: (one) => one.name, least: 8 },
    { title: "state", value: (one) => one.state, colour: (one) => WORKER_COLOURS[one.state] },
    { title: "for", value: (one) => one.endedAt ?? one.since, shown: (one) => lasted(one.endedAt ?? one.since, now) },
    { title: "items", value: (one) => one.items, isRight: true },
    { title: "works on", value: worksOn, least: 10 },
  ];
  if (out.isJson) out.json(page);
  else {
    out.rows(columns, shown, "no worker; start one: sluice worker <module>");
    const left = page.entries.length - shown.length;
    if (left > 0) out.note(`and ${left} former ${left === 1 ? "life" : "lives"} of these: sluice workers --all`);
  }
  return undefined;
}

function worksOn({ pipelines, stages }: Worker): string {
  const all = pipelines.map(({ name, version }) => `${name}@${version}`).join(", ");
  return stages === null ? all : `${all} (only ${stages.join(", ")})`;
}
