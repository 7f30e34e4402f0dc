// Where the embedded gateway is found: by its folder, for others on the same machine.

import path from "node:path";
import { findService } from "../../kit/index.ts";

/** Everything it keeps is below it. */
export const notesIn = (folder: string): string => path.join(folder, ".sluice-gateway");

export interface GatewayPlace {
  readonly url: string;
  readonly token: string;
}

/** Undefined where none runs. */
export const findGateway = (folder: string): Promise<GatewayPlace | undefined> => findService(notesIn(folder));
