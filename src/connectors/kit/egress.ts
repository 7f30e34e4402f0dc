// Where a call may go. Two policies, because a self-hosted program has to reach its neighbours, and what comes from
// outside must not:
//
//   lan      for services an operator configured: neighbours and this machine, but nothing that only serves attacks
//   public   for addresses out of feeds, answers and forms: the public internet and nothing else
//
// Judged is the address that is connected to, never a name.

import { addressBytes, block, embeddedIPv4, isInside } from "./address.ts";

export type EgressPolicy = "lan" | "public";

type Use = "public" | "lan" | "never" | "embedded";

/** The first block that holds an address decides. */
const BLOCKS = (
  [
    // Clouds hand out credentials here, inside ranges that are otherwise fine.
    ["100.100.100.200/32", "never", "a cloud's metadata service"],
    ["168.63.129.16/32", "never", "a cloud's metadata service"],
    ["fd00:ec2::254/128", "never", "a cloud's metadata service"],
    ["fd20:ce::254/128", "never", "a cloud's metadata service"],
    ["169.254.0.0/16", "never", "link-local"],
    // Linux connects 0.0.0.0 to this machine.
    ["0.0.0.0/8", "never", "this network"],
    ["10.0.0.0/8", "lan", "private"],
    ["100.64.0.0/10", "lan", "shared (carrier-grade NAT)"],
    ["127.0.0.0/8", "lan", "loopback"],
    ["172.16.0.0/12", "lan", "private"],
    ["192.0.0.0/24", "never", "reserved for protocols"],
    ["192.0.2.0/24", "never", "for documentation"],
    ["192.88.99.0/24", "never", "6to4 relay"],
    ["192.168.0.0/16", "lan", "private"],
    ["198.18.0.0/15", "lan", "for benchmarks"],
    ["198.51.100.0/24", "never", "for documentation"],
    ["203.0.113.0/24", "never", "for documentation"],
    ["224.0.0.0/4", "never", "multicast"],
    ["240.0.0.0/4", "never", "reserved or broadcast"],
    ["0.0.0.0/0", "public", "public"],
    ["::1/128", "lan", "loopback"],
    ["::ffff:0:0/96", "embedded", "IPv4-mapped"],
    // A resolver for IPv6-only networks writes public IPv4 addresses this way.
    ["64:ff9b::/96", "embedded", "NAT64"],
    ["2001::/23", "never", "reserved for protocols (Teredo and others)"],
    ["2001:db8::/32", "never", "for documentation"],
    ["2002::/16", "never", "6to4"],
    ["3fff::/20", "never", "for documentation"],
    ["2000::/3", "public", "public"],
    ["fc00::/7", "lan", "unique local"],
    ["fe80::/10", "never", "link-local"],
    ["ff00::/8", "never", "multicast"],
    ["::/0", "never", "reserved"],
  ] as const
).map(([cidr, use, name]) => ({ block: block(cidr), use: use as Use, name }));

/** Why this policy refuses the address; undefined where it does not. */
export function egressRefusal(policy: EgressPolicy, address: string): string | undefined {
  const bytes = addressBytes(address);
  if (bytes === undefined) return "is not an IP address";
  return refusalOf(policy, bytes);
}

function refusalOf(policy: EgressPolicy, bytes: readonly number[]): string | undefined {
  const found = BLOCKS.find((each) => isInside(each.block, bytes));
  if (found === undefined) return "is in no known range";
  const refused = `is ${found.name}`;
  switch (found.use) {
    case "public":
      return undefined;
    case "lan":
      return policy === "lan" ? undefined : refused;
    case "embedded":
      // No honest public name resolves to a mapped address; it is a way around checks of IPv4.
      if (policy === "public" && found.name === "IPv4-mapped") return refused;
      return refusalOf(policy, embeddedIPv4(bytes));
    case "never":
      return refused;
  }
}

/** Thrown while connecting; becomes a fault where it is known whose address it was. */
export class EgressError extends Error {
  override readonly name = "EgressError";

  constructor(host: string, address: string, why: string) {
    super(`refused to connect to ${host === address ? host : `${host} at ${address}`}, which ${why}`);
  }
}
