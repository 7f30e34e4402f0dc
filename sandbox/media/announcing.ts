// How a tracker comes to know what the seeder has: told all of it at first, and again after it was away, for it forgets.

import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 500;
const AT_ONCE = 8;
const ANSWER_MS = 5_000;
const PEER_ID = "sandboxseedersandbox";

/** Goes on until its process ends; every look tells a few again. */
export async function keepAnnounced(announce: string, port: number, infohashes: readonly string[]): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const tell = (infohash: string) => told(announce, infohash, port, agent);
  let isKnown = false;
  for (let at = 0; ; at += 1) {
    const infohash = infohashes[at % infohashes.length];
    const isThere = infohash !== undefined && (await tell(infohash));
    if (isThere && !isKnown) isKnown = await tellAll(infohashes, tell);
    if (!isThere) isKnown = false;
    await sleep(LOOK_MS);
  }
}

async function tellAll(infohashes: readonly string[], tell: (one: string) => Promise<boolean>): Promise<boolean> {
  for (let at = 0; at < infohashes.length; at += AT_ONCE)
    if (!(await Promise.all(infohashes.slice(at, at + AT_ONCE).map(tell))).every(Boolean)) return false;
  return true;
}

function told(announce: string, infohash: string, port: number, agent: Agent): Promise<boolean> {
  const hash = (infohash.match(/../g) ?? []).map((byte) => `%${byte}`).join("");
  const url = `${announce}?info_hash=${hash}&peer_id=${PEER_ID}&port=${port}&left=0&compact=1&numwant=0`;
  return new Promise((resolve) => {
    const request = get(url, { agent, timeout: ANSWER_MS }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode === 200));
      response.once("error", () => resolve(false));
    });
    request.once("error", () => resolve(false)).once("timeout", () => request.destroy());
  });
}
