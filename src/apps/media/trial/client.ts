// The test of a download client: is it there, does it let us in, and is what it downloads found here.

import type { TorrentsAbout } from "../../../connectors/index.ts";
import { downloadClientOf, type EmbeddedPlace, type PlacedClient, placedClient } from "../clients/clients.ts";
import { localPath } from "../local-path.ts";
import { placeProof } from "../place-proof.ts";
import type { ClientPlace, DownloadClient } from "../stages/download.ts";
import { type Steps, type Tested, type TrialOptions, trial } from "./steps.ts";

export interface ClientTrialOptions extends TrialOptions {
  readonly embedded: EmbeddedPlace;
  readonly isThere: (path: string) => Promise<boolean>;
}

export async function testClient(set: PlacedClient, options: ClientTrialOptions): Promise<Tested> {
  return await trial(options, async (steps) => {
    const { row, secret } = await steps.need("reached the embedded client", () => placedClient(set, options.embedded));
    steps.hide(secret);
    const client = downloadClientOf({ row, secret });
    const signing = signingIn(row.username, secret);
    const about = await steps.reach(
      row.url ?? "",
      (fault) => (fault?.code === "AUTH" ? signing : "asked what it is"),
      () => client.torrents.about(steps.signal),
    );
    steps.well(signing, "it lets us in");
    steps.well("asked what it is", `${about.client} ${about.version}`);
    await place(steps, client, options.isThere);
    room(steps, about);
  });
}

function signingIn(username: string | null, secret: string | undefined): string {
  if (username !== null) return `signed in as ${username}`;
  return secret === undefined ? "asked without a name or a key" : "used the key";
}

/** Where it puts things has to be here, and what it has put there already as well. */
async function place(
  steps: Steps,
  client: Pick<DownloadClient, "place" | "torrents">,
  isThere: ClientTrialOptions["isThere"],
): Promise<void> {
  const where = await steps.take(
    "asked where it puts things",
    () => client.place(),
    ({ folder }) => folder,
  );
  const looked = `looked for ${where.folder} here`;
  const proof = await placeProof(where);
  if ("why" in proof) return steps.bad(looked, proof.why, proof.code);
  const missing = await steps.need(looked, () => missingOf(steps, client, where, isThere));
  if (missing === null) return steps.well(looked, `${proof.ours} is there and can be read`);
  if (missing === "") return steps.well(looked, `${proof.ours} is there, with what it has downloaded for us`);
  steps.bad(
    looked,
    `${proof.ours} is there, and ${missing}, which it has downloaded, is not: is it another folder?`,
    "PATH_NOT_MAPPED",
  );
}

/** A download of ours that is complete and not found here; "" where one is found, null where there is none. */
async function missingOf(
  { signal }: Steps,
  { torrents }: Pick<DownloadClient, "torrents">,
  { paths }: ClientPlace,
  isThere: ClientTrialOptions["isThere"],
): Promise<string | null> {
  const all = [...(await torrents.look(signal)).values()];
  const [done] = all.filter(({ state, isOurs, path }) => state === "complete" && isOurs && path !== null);
  if (done?.path == null) return null;
  const ours = localPath(done.path, paths);
  return ours !== null && (await isThere(ours)) ? "" : (ours ?? done.path);
}

function room(steps: Steps, { freeBytes, isConnected }: TorrentsAbout): void {
  const free = "asked how much room it has";
  if (freeBytes === 0) steps.bad(free, "its disk is full", "DISK_FULL");
  else steps.well(free, freeBytes === null ? "it does not say" : `${(freeBytes / 1e9).toFixed(1)} GB`);
  // Without it downloads are slower, and come all the same.
  const reachable = {
    true: "they can",
    false: "not that it knows of: only those whom it calls",
    null: "it does not say",
  };
  steps.well("asked whether peers can reach it", reachable[`${isConnected}`]);
}
