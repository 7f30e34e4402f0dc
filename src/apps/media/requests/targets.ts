// Which servers something that is asked for goes to. Pure.

import { InputError } from "../../../engine/index.ts";
import { orElse } from "../../../kit/index.ts";
import type { ServerRow } from "../settings/servers.sql.ts";
import type { WantedItem } from "../wanted.ts";

export interface AskedTarget {
  readonly name: string;
  /** Unset: as that server is set. Null: as it was found. */
  readonly encoding?: string | null | undefined;
}

type SetServer = Pick<ServerRow, "name" | "encoding" | "is_default">;

/** Where nobody names one, those that are set for it; where none is, it is downloaded and stays where it is. */
export function targetsFor(asked: readonly AskedTarget[], servers: readonly SetServer[]): WantedItem["targets"] {
  if (asked.length === 0)
    return servers.filter(({ is_default }) => is_default).map(({ name, encoding }) => ({ name, encoding }));
  const known = new Map(servers.map((one) => [one.name, one]));
  const names = new Set<string>();
  return asked.map(({ name, encoding }, place) => {
    const field = `targets.${place}.name`;
    const server = known.get(name);
    if (server === undefined)
      throw new InputError(field, `there is no server ${JSON.stringify(name)}; ${orElse(name, [...known.keys()])}`);
    if (names.has(name)) throw new InputError(field, `${field}: ${name} is named twice`);
    names.add(name);
    return { name, encoding: encoding === undefined ? server.encoding : encoding };
  });
}
