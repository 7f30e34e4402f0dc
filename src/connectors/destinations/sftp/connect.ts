// The way to a session: the address is judged, the host key compared, the key or password shown.

import { createHash } from "node:crypto";
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from "ssh2";
import { type Fault, permanent, unavailable } from "../../../engine/index.ts";
import { dialHost } from "../../kit/index.ts";
import type { ConnectOptions } from "./options.ts";
import { type Line, Session } from "./session.ts";
import { connectFault, notReached } from "./sftp-faults.ts";

export async function openSession(options: ConnectOptions, signal?: AbortSignal): Promise<Session> {
  signal?.throwIfAborted();
  checkKey(options);
  const client = new ssh2.Client();
  const seen = { hostKey: "" };
  try {
    const line = await connected(client, options, seen, signal);
    return new Session({ ...line, client, hostKey: seen.hostKey }, options, signal);
  } catch (error) {
    client.on("error", () => undefined);
    client.destroy();
    signal?.throwIfAborted();
    if (options.hostKey !== null && seen.hostKey !== "" && seen.hostKey !== options.hostKey)
      throw strangeKey(options, seen.hostKey);
    throw connectFault(error, options);
  }
}

async function connected(
  client: Client,
  options: ConnectOptions,
  seen: { hostKey: string },
  signal?: AbortSignal,
): Promise<Pick<Line, "socket" | "sftp">> {
  const { host, port, service, connectMs, clock } = options;
  const socket = dialHost(host, port, "lan").setNoDelay(true); // small questions would wait for the other side's acknowledgements
  const over = new AbortController();
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { signal: over.signal });
      // The library's own limit ends at the log-in, and a server can fall silent after it.
      void clock.sleep(connectMs, over.signal).then(() => reject(notReached(service, "it does not answer")));
      client
        .once("ready", () => client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))))
        .once("error", reject)
        .once("close", () => reject(notReached(service, "it closed the connection")))
        .connect({ ...configOf(options, seen), sock: socket });
    });
    return { socket, sftp };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    over.abort("over");
  }
}

function configOf(options: ConnectOptions, seen: { hostKey: string }): ConnectConfig {
  const { username, password, privateKey, passphrase } = options;
  return {
    ...{ username, readyTimeout: 0 },
    ...(password === undefined ? {} : { password }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(passphrase === undefined ? {} : { passphrase }),
    hostVerifier: (key: Buffer) => {
      seen.hostKey = fingerprint(key);
      return options.hostKey === null || options.hostKey === seen.hostKey;
    },
  };
}

/** One that cannot be read opens nothing; the library would throw a text. */
function checkKey({ service, privateKey, passphrase }: ConnectOptions): void {
  const key = privateKey === undefined ? undefined : ssh2.utils.parseKey(privateKey, passphrase);
  if (key instanceof Error) throw unavailable("AUTH", `the private key for ${service} cannot be read`, { service });
}

/** As ssh-keygen shows it. */
export const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;

/** Nothing that an item did: all wait until somebody has looked at it. */
function strangeKey({ service, hostKey }: ConnectOptions, seen: string): Fault {
  const why = `${service} shows another host key than before: ${seen}, and not ${hostKey}`;
  return permanent("HOST_KEY_CHANGED", why, { service, breaker: "none" });
}
