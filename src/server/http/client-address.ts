// Where a request comes from, for the brakes and the audit. Anybody can write a header, so `X-Forwarded-For` counts only as far as
// it was written by proxies that were named: read from its end, the first address that is no such proxy is the client's. Pure.

import { BlockList, isIP } from "node:net";
import { InputError } from "../../engine/index.ts";

export interface Proxies {
  has(address: string): boolean;
}

export const NO_PROXIES: Proxies = { has: () => false };

/** Addresses and networks, such as `10.0.0.2`, `10.0.0.0/8` and `fd00::/8`. */
export function trustedProxies(given: readonly string[]): Proxies {
  if (given.length === 0) return NO_PROXIES;
  const list = new BlockList();
  for (const one of given) {
    const [address = "", prefix, ...rest] = one.split("/");
    const family = familyOf(address);
    const bits = prefix === undefined ? undefined : Number(prefix);
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(prefix ?? "") && bits <= (family === "ipv4" ? 32 : 128));
    if (family === undefined || !isNetwork || rest.length > 0)
      throw new InputError(
        "trustedProxies",
        `a trusted proxy is an address or a network such as 10.0.0.2 or 10.0.0.0/8, got ${JSON.stringify(one)}`,
      );
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return {
    has(address) {
      const family = familyOf(address);
      return family !== undefined && list.check(address, family);
    },
  };
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  return ({ 4: "ipv4", 6: "ipv6" } as const)[isIP(address)];
}

/** `socket` is who is connected to us; the header is what came with it. */
export function clientAddress(socket: string, forwardedFor: string | undefined, proxies: Proxies): string {
  let client = plain(socket);
  for (const hop of (forwardedFor ?? "").split(",").reverse()) {
    const next = plain(hop.trim());
    // What is no address was not written by a proxy of ours as it should be: the last one known has to do.
    if (!proxies.has(client) || familyOf(next) === undefined) break;
    client = next;
  }
  return client;
}

/** The older addresses as they are written by themselves; and without the brackets and ports that some proxies add. */
function plain(address: string): string {
  const [, bracketed] = /^\[([0-9a-f:.]+)\](?::\d+)?$/i.exec(address) ?? [];
  const [, withPort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  return (bracketed ?? withPort ?? address).replace(/^::ffff:(?=\d+\.)/i, "");
}
