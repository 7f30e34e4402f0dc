// The test of a server: is it there, is it the same as ever, does it let us in, may we write where things go, and does its media
// server look there.

import { type Destination, type DestinationAbout, isBelow } from "../../../connectors/index.ts";
import { mediaServerOf, serverOf, theirPath } from "../clients/servers.ts";
import type { ServerRow } from "../settings/servers.sql.ts";
import type { KeyedServer } from "../settings/servers.ts";
import { type Steps, type Tested, type TrialOptions, trial } from "./steps.ts";

export interface ServerTrialOptions extends TrialOptions {
  /** A small file on our own disk, which is taken away again. */
  readonly withProbe: <T>(work: (probe: { readonly file: string; readonly id: string }) => Promise<T>) => Promise<T>;
  /** Remembers the key of a host that nobody has been at before; absent where nothing is to be changed. */
  readonly pin?: (hostKey: string) => Promise<void>;
}

const PROBE_MS = 30_000;

export async function testServer(set: KeyedServer, options: ServerTrialOptions): Promise<Tested> {
  const { row, secrets } = set;
  return await trial({ ...options, wholeMs: options.wholeMs ?? PROBE_MS }, async (steps) => {
    steps.hide(secrets.password ?? secrets.privateKey);
    const { destination } = serverOf(set, async (hostKey) => options.pin?.(hostKey));
    const about = await steps.reach(
      whereOf(row),
      (fault) => askedAs(row, fault?.code),
      () => destination.about(steps.signal),
    );
    tell(steps, row, about, options.pin !== undefined);
    await options.withProbe((probe) => write(steps, row, destination, probe));
    await media(steps, set);
  });
}

const whereOf = ({ kind, host, port, root }: ServerRow): string => (kind === "folder" ? root : `${host}:${port}`);

const signing = ({ username }: ServerRow): string => `signed in as ${username}`;

function askedAs(row: ServerRow, code: string | undefined): string {
  if (code === "AUTH") return signing(row);
  return code === "HOST_KEY_CHANGED" ? "compared its host key" : `looked for ${row.root}`;
}

function tell(steps: Steps, row: ServerRow, about: DestinationAbout, isPinned: boolean): void {
  const { hostKey, freeBytes, isAtomic } = about;
  if (hostKey !== null) {
    const first = isPinned ? "seen for the first time, and remembered" : "seen for the first time";
    steps.well("compared its host key", `${hostKey}, ${row.host_key === null ? first : "as before"}`);
    steps.well(signing(row), "it lets us in");
  }
  steps.well(`looked for ${row.root}`, `${about.root} is there`);
  const room = "asked how much room it has";
  if (freeBytes === 0) steps.bad(room, "its disk is full", "DISK_FULL");
  else steps.well(room, freeBytes === null ? "it does not say" : `${(freeBytes / 1e9).toFixed(1)} GB`);
  steps.well(
    "asked whether a name is replaced in one step",
    isAtomic ? "it is" : "not here: while a file is replaced, for a moment nothing has its name",
  );
}

/** Where films go, if that folder is there already; a test leaves none behind. */
async function write(
  steps: Steps,
  { films }: ServerRow,
  destination: Destination,
  { file, id }: { readonly file: string; readonly id: string },
): Promise<void> {
  const { signal } = steps;
  const below = films !== "" && (await steps.need(`looked for ${films}`, () => destination.bytesAt(films, signal)));
  const to = `${typeof below === "number" ? `${films}/` : ""}.sluice-test-${id}`;
  const sent = await steps.take(
    "wrote a small file, and compared it",
    () => destination.send({ file, to, id }, { signal }),
    ({ bytes }) => `${bytes} bytes arrived`,
  );
  await steps.take(
    "gave it its name",
    () => destination.publish({ to, id, bytes: sent.bytes }, signal),
    () => "it has it",
  );
  await steps.take(
    "removed it",
    () => destination.remove(to, signal),
    () => "it is gone",
  );
}

async function media(steps: Steps, set: KeyedServer): Promise<void> {
  const { row, secrets } = set;
  const server = mediaServerOf(set);
  if (server === null) return;
  steps.hide(secrets.mediaKey);
  const { name, version, folders } = await steps.reach(
    row.media_url ?? "",
    (fault) => (fault?.code === "AUTH" ? "used its key" : "asked what it is"),
    () => server.about(steps.signal),
  );
  steps.well("asked what it is", `${name}, ${row.media_kind} ${version}`);
  for (const below of new Set([row.films, row.series])) {
    // Any file there would do: only a library that has it looks at it.
    const theirs = theirPath(row, below === "" ? "x" : `${below}/x`);
    const looked = `looked for ${theirs.slice(0, -2)} in its libraries`;
    if (folders.some((folder) => isBelow(theirs, folder))) steps.well(looked, "one of them has it");
    else steps.bad(looked, `none has it; they have ${folders.join(", ") || "no folder"}`, "IN_NO_LIBRARY");
  }
}
