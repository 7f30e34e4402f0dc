// Opens a connection, and judges the address it is really made to. A name is resolved once, here, and the connection
// goes to one of the addresses that were judged: between a check and a second lookup the answer could change.

import { promises as dns, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction, connect as netConnect, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { InputError } from "../../kit/index.ts";
import { EgressError, type EgressPolicy, egressRefusal } from "./egress.ts";

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export interface DialOptions {
  /** Why an address is refused; undefined where it is not. */
  readonly refusal: (address: string) => string | undefined;
  readonly resolve: Resolve;
  /** Certificates to trust instead of the usual ones: a service that signs its own. Checks are never switched off. */
  readonly ca?: string | undefined;
}

export const systemResolve: Resolve = (host) => dns.lookup(host, { all: true });

/** With several addresses Node tries the next one after so long; its own quarter of a second is short across oceans. */
const NEXT_ADDRESS_MS = 1_000;

/** Throws `EgressError` for a literal address that is refused; for a name the socket fails with it. */
export function dial(url: URL, options: DialOptions): Socket {
  const host = hostOf(url);
  const isLiteral = isIP(host) !== 0;
  // Node asks no lookup for a literal address.
  if (isLiteral) check(host, host, options);
  const isTls = url.protocol === "https:";
  const target = {
    host,
    port: Number(url.port) || (isTls ? 443 : 80),
    lookup: judgedLookup(options),
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  const names = { ...(isLiteral ? {} : { servername: host }), ...(options.ca === undefined ? {} : { ca: options.ca }) };
  const socket = isTls ? tlsConnect({ ...target, ...names, ALPNProtocols: ["http/1.1"] }) : netConnect(target);
  // The last word, before a byte is sent: this listener stands before any that writes.
  socket.once("connect", () => {
    const address = socket.remoteAddress;
    // Gone again before we could look; there is no address to be judged, and nothing may be sent.
    if (address === undefined) {
      socket.destroy(Object.assign(new Error("the connection was gone at once"), { code: "ECONNRESET" }));
      return;
    }
    const why = options.refusal(address);
    if (why !== undefined) socket.destroy(new EgressError(host, address, why));
  });
  return socket;
}

/** To a service that does not speak HTTP. Judged in the same way. */
export function dialHost(host: string, port: number, egress: EgressPolicy, resolve: Resolve = systemResolve): Socket {
  const text = `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.pathname !== "/" || url.username !== "")
    throw new InputError("host", "host is a name or an address, and port a port");
  return dial(url, { refusal: (address) => egressRefusal(egress, address), resolve });
}

/** The event after which the other side is reached, handshake included. */
export function readyEvent(url: URL): "secureConnect" | "connect" {
  return url.protocol === "https:" ? "secureConnect" : "connect";
}

function hostOf(url: URL): string {
  return url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
}

function check(host: string, address: string, { refusal }: DialOptions): void {
  const why = refusal(address);
  if (why !== undefined) throw new EgressError(host, address, why);
}

/** Refused addresses are left out; only when none is left does it fail. Neighbours often have a link-local one too. */
function judgedLookup(options: DialOptions): LookupFunction {
  return (host, { all }, callback) => {
    const answer = async (): Promise<LookupAddress[]> => {
      const found = await options.resolve(host);
      const good = found.filter(({ address }) => options.refusal(address) === undefined);
      const bad = found[0];
      if (good.length === 0 && bad !== undefined) check(host, bad.address, options);
      if (good.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: "ENOTFOUND" });
      return good;
    };
    answer().then(
      (good) => (all === true ? callback(null, good) : callback(null, good[0]?.address ?? "", good[0]?.family)),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
