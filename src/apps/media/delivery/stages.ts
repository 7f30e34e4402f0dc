// The two stages at the end: `deliver`, whose parts are the servers, and `publish`, which names everything at once where all servers or
// none are to have it.

import { partPath } from "../../../connectors/index.ts";
import { done, type Outcome, type PartsOutput, parseId, type Queryable, type Visit } from "../../../engine/index.ts";
import type { DeliveryServer } from "../clients/servers.ts";
import type { MediaPorts } from "../ports.ts";
import type { WantedItem } from "../wanted.ts";
import { bring, type Delivered, type PartVisit, publish } from "./bring.ts";
import { keepDeliveries } from "./deliveries.sql.ts";
import { type DeliverVisit, deliverGates, lateGates, sentGates } from "./gates.ts";
import { type Consignment, consignments, type Made } from "./parcel.ts";
import { keyOf } from "./store.ts";
import { targetsOf } from "./targets.ts";

const policy = ({ input }: { readonly input: WantedItem }) => input.policy;

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
    undo: async ({ part }: { readonly part: Consignment }, { destination }: DeliveryServer) => {
      await destination.remove(partPath(part));
      await ports.deliveries.drop(keyOf(part));
    },
    leave: sentGates(ports, "deliver"),
  };
}

async function consign(visit: DeliverVisit, ports: MediaPorts): Promise<Consignment[]> {
  const { input, out, item } = visit;
  const targets = await targetsOf(visit, ports);
  const servers = await ports.deliveries.servers();
  const episodes = input.kind === "film" ? [] : await ports.deliveries.episodesWith(out.download.infohash, input);
  return consignments({ item: item.id, input, out, targets, servers, episodes });
}

/** A server that has all of it, and has yet to name it. */
export interface Unnamed extends Consignment {
  readonly sent: Pick<Delivered, "bytes" | "sha256" | "sentBytes">;
}

type AllSent = Made & { readonly deliver: PartsOutput<Delivered> };

/** Renaming is quick, and those who join meanwhile send the item back: more often than it may fail. */
const RETURNS = 20;

export function publishStage(ports: MediaPorts) {
  const { backoff } = ports.limits;
  return {
    ...{ attempts: RETURNS, backoff, policy, weight: 0.1 },
    words: ["DELIVERING", "DELIVERING"] as const,
    none: "each server has it under its name already",
    enter: lateGates(ports),
    parts: ({ input, out, item }: Visit<WantedItem, AllSent>): Unnamed[] =>
      Object.entries(out.deliver.outputs).flatMap(([name, sent]) =>
        sent === undefined || sent.isPublished || input.policy !== "all-or-nothing"
          ? []
          : [unnamed(name, item.id, sent)],
      ),
    uses: ports.services.servers,
    run: async (visit: Visit<WantedItem, unknown, Unnamed>): Promise<Outcome<Delivered>> => {
      const { sent } = visit.part;
      return done({ ...(await publish({ visit, ports }, sent)), sentBytes: sent.sentBytes });
    },
    undo: async ({ part }: { readonly part: Unnamed }, { destination }: DeliveryServer) => {
      await destination.remove(partPath(part));
      await destination.remove(part.to);
      await ports.deliveries.drop(keyOf(part));
    },
    leave: sentGates(ports, "publish"),
    commit: async (tx: Queryable, items: readonly { readonly item: Consignment["item"] }[]) =>
      keepDeliveries(
        tx,
        items.map(({ item }) => parseId("item", item)),
      ),
  };
}

function unnamed(name: string, item: Consignment["item"], sent: Delivered): Unnamed {
  const { path, id, bytes, sha256, sentBytes } = sent;
  return {
    ...{ name, item, encoding: null, to: path, id, isWhole: true, file: null, failure: null },
    sent: { bytes, sha256, sentBytes },
  };
}
