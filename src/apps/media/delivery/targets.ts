// Where an item goes: what whoever asked first names, and what those do who joined.

import type { Visit } from "../../../engine/index.ts";
import type { MediaPorts } from "../ports.ts";
import type { WantedItem } from "../wanted.ts";
import { allTargets, type Target } from "./parcel.ts";

type Asking = Pick<Visit<WantedItem>, "input" | "item">;

export async function targetsOf({ input, item }: Asking, { deliveries }: MediaPorts): Promise<Target[]> {
  return allTargets(input.targets, await deliveries.targets(item.request));
}
