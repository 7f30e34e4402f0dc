// The conversion: what the gateway makes of the PDF is put beside the results, whole and synced, under a name of no meaning. Every
// visit has a file of its own, so that one whose worker was taken for dead cannot write into another's.

import { mkdir } from "node:fs/promises";
import type { Converted, ConvertSource, GatewayJobs, Seen } from "../../../connectors/index.ts";
import { done, type Outcome, unavailable, type Visit } from "../../../engine/index.ts";
import type { Document } from "../document.ts";
import { telling, toldFault } from "../faults.ts";
import { fileAt, incomingAt, incomingFolder } from "../files/places.ts";
import type { DocumentPorts } from "../ports.ts";
import type { DocumentGateway } from "../services.ts";
import { ownSource, uploadedAs } from "./own-source.ts";

/** Handed on: where the XML is until it has its place, and what it is. */
export interface Made extends Converted {
  readonly part: string;
}

type ConvertVisit = Visit<Document>;

/** By a gateway that answers when it is done. */
export async function convert(visit: ConvertVisit, ports: DocumentPorts): Promise<Outcome<Made>> {
  const { signal, trace } = visit;
  return await telling(
    visit,
    "converting",
    async () =>
      writing(ports, async (output) => {
        const order = { ...(await sourceOf(visit, ports)), output };
        return await visit.call(ports.gateway, (client) => onceOf(client).convert(order, { signal, trace }));
      }),
    ports.limits.breaker.cooldown,
  );
}

/** Begun at a gateway that takes jobs. */
export async function startJob(visit: ConvertVisit, client: DocumentGateway, ports: DocumentPorts): Promise<string> {
  const { signal, trace } = visit;
  const start = async () => jobsOf(client).start(await sourceOf(visit, ports), { signal, trace });
  return await telling(visit, "handing it to the gateway", start, ports.limits.breaker.cooldown);
}

/** How jobs stand, and why some failed in the words that are told. */
export async function lookAtJobs(refs: readonly string[], client: DocumentGateway): Promise<readonly Seen[]> {
  const seen = await jobsOf(client).look(refs);
  return seen.map((one) => (one.fault === undefined ? one : { ...one, fault: toldFault(one.fault) }));
}

/** A job that is done: its result is fetched. One that is gone by then has to be done again, which costs an attempt. */
export async function fetchJob(visit: ConvertVisit, ports: DocumentPorts): Promise<Outcome<Made>> {
  const { signal, trace, because } = visit;
  const ref = because.ended?.ref ?? "";
  const fetch = async () => {
    await uploadedAs(visit, ports);
    return await writing(ports, (output) =>
      visit.call(ports.gateway, (client) => jobsOf(client).fetch(ref, output, { signal, trace })),
    );
  };
  return await telling(visit, "fetching what came of it", fetch, ports.limits.breaker.cooldown);
}

async function writing(ports: DocumentPorts, write: (output: string) => Promise<Converted>): Promise<Outcome<Made>> {
  const { places, newName } = ports;
  const part = newName();
  await mkdir(incomingFolder(places, "result"), { recursive: true });
  const { bytes, sha256, pages } = await write(incomingAt(places, "result", part));
  return done({ part, bytes, sha256, pages });
}

async function sourceOf(visit: ConvertVisit, ports: DocumentPorts): Promise<ConvertSource> {
  const { sha256 } = await ownSource(visit, ports);
  const { name, mapping } = visit.input;
  return { key: visit.key, name, mapping, file: fileAt(ports.places, "source", sha256) };
}

function onceOf(client: DocumentGateway) {
  if ("once" in client) return client.once;
  throw otherGateway("answers when it is done, and the one that is configured takes jobs", 1);
}

export function jobsOf(client: DocumentGateway): GatewayJobs {
  if ("jobs" in client) return client.jobs;
  throw otherGateway("takes jobs, and the one that is configured does not", 2);
}

/** The gateway was changed while it waited. Nothing is lost: it can be done on the other version of the pipeline. */
const otherGateway = (what: string, version: number) =>
  unavailable("OTHER_GATEWAY", `version ${version} is for a gateway that ${what}; replay it onto the other version`, {
    breaker: "none",
  });
