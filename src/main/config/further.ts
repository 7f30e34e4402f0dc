// What only the server's own code can tell of a setting: whether keys are keys, networks networks, and names names.

import { SluiceError } from "../../kit/index.ts";
import type { Config } from "./settings.ts";

export async function furtherProblems(config: Config): Promise<string[]> {
  const [{ readKeys }, { trustedProxies }, { hostName }] = await Promise.all([
    import("../../server/secrets/seal.ts"),
    import("../../server/http/client-address.ts"),
    import("../../server/http/hosts.ts"),
  ]);
  const key = config["server.secretKey"];
  const names = config["server.hosts"].filter((name) => hostName(name) === undefined);
  return [
    ...(key === undefined ? [] : problemOf(() => readKeys(key))),
    ...problemOf(() => trustedProxies(config["server.trustedProxies"])),
    ...names.map((name) => `SERVER_HOSTS: ${JSON.stringify(name.slice(0, 100))} is no name such as media.example.org`),
  ];
}

function problemOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof SluiceError) return [error.message];
    throw error;
  }
}
