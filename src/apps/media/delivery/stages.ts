// The two stages at the end: `deliver`, whose parts are the servers, and `publish`, which names everything at once where all servers or
// none are to have it.

import {
  Fault,
  type Outcome,
  type PartsOutput,
  parseId,
  permanent,
  type Queryable,
  type Visit,
} from "../../../engine/index.ts";
import type { DeliveryServer } from "../clients/servers.ts";
import type { MediaPorts } from "../ports.ts";
import type { WantedItem } from "../wanted.ts";
import { bring } from "./bring.ts";
import type { Delivered } from "./delivered.ts";
import { keepDeliveries } from "./deliveries.sql.ts";
import { type DeliverVisit, deliverGates, lateGates, namedGates, sentGates } from "./gates.ts";
import type { PartVisit } from "./hold.ts";
import { nameSent, type Unnamed, withdraw } from "./naming.ts";
import { type Consignment, consignments, type Made } from "./parcel.ts";
import { nameOf } from "./store.ts";

const policy = ({ input }: { readonly input: WantedItem }) => input.policy;

const undoing =
  (ports: MediaPorts) =>
  ({ part, signal }: { readonly part: Consignment; readonly signal: AbortSignal }, { destination }: DeliveryServer) =>
    withdraw(nameOf(part), ports, destination, signal);

export function deliverStage(ports: MediaPorts) {
  const { attempts, backoff, deliverLongest } = ports.limits;
  return {
    ...{ attempts, backoff, policy, timeout: deliverLongest, weight: 5 },
    words: ["ENCODED", "DELIVERING"] as const,
    none: "no server was named, and none is set for what names none",
    enter: deliverGates(ports),
    parts: (visit: DeliverVisit) => consign(visit, ports),
    uses: ports.services.servers,
    run: (visit: PartVisit) => bring(visit, ports),
    undo: undoing(ports),
  };
}

async function consign(visit: DeliverVisit, ports: MediaPorts): Promise<Consignment[]> {
  const { input, out, item } = visit;
  const { targets } = await ports.wishes(visit);
  const servers = await ports.deliveries.servers();
  const episodes = input.kind === "film" ? [] : await ports.deliveries.episodesWith(out.download.infohash, input);
  return consignments({ item: item.id, input, out, targets, servers, episodes });
}

type AllSent = Made & { readonly deliver: PartsOutput<Delivered> };

/** Of the item alone: those who join meanwhile send it back, more often than any server may fail. */
const RETURNS = 20;

export function publishStage(ports: MediaPorts) {
  const { backoff } = ports.limits;
  return {
    ...{ attempts: RETURNS, backoff, policy, weight: 0.1 },
    words: ["DELIVERING", "DELIVERING"] as const,
    none: "each server has it under its name already",
    enter: [...lateGates(ports), ...sentGates(ports)],
    parts: ({ input, out, item }: Visit<WantedItem, AllSent>): Unnamed[] =>
      Object.entries(out.deliver.outputs).flatMap(([name, sent]) =>
        sent === undefined || sent.isPublished || input.policy !== "all-or-nothing"
          ? []
          : [unnamed(name, item.id, sent)],
      ),
    uses: ports.services.servers,
    run: (visit: Visit<WantedItem, unknown, Unnamed>): Promise<Outcome<Delivered>> =>
      nameSent(visit, ports).catch((error: unknown) => lastTry(error, visit.attempt, ports.limits.attempts)),
    undo: undoing(ports),
    leave: namedGates(ports),
    commit: async (tx: Queryable, items: readonly { readonly item: Consignment["item"] }[]) =>
      keepDeliveries(
        tx,
        items.map(({ item }) => parseId("item", item)),
      ),
  };
}

/** A server has as many attempts as in every other stage. */
function lastTry(error: unknown, attempt: number, attempts: number): never {
  if (!(error instanceof Fault) || error.kind !== "transient" || attempt < attempts) throw error;
  throw permanent(error.code, error.message, { cause: error, breaker: "none" });
}

function unnamed(name: string, item: Consignment["item"], sent: Delivered): Unnamed {
  const { path, id, bytes, sha256, sentBytes } = sent;
  return {
    ...{ name, item, encoding: null, to: path, id, title: "", madeOf: "", isWhole: true, file: null, failure: null },
    sent: { bytes, sha256, sentBytes },
  };
}
