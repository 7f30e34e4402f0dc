// One step in the life of a torrent of the fake, with the lies it was told to tell.

import type { TorrentState } from "./torrents.ts";

export type TorrentLie =
  /** Half of it comes, and then nothing. */
  | "stalls"
  /** Gone from the client at half of it, as if it had never been. */
  | "vanishes"
  /** At half of it all is lost once, as after a crash of the client. */
  | "goes-backwards"
  /** Its files are not what their names say. */
  | "wrong-content"
  /** At its end its files are moved for a while. */
  | "moves"
  | "fails"
  /** When it was complete, its files are gone. */
  | "loses-files";

/** What peers have. A torrent that nobody has is never more than a name. */
export interface Published {
  readonly infohash: string;
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

export interface Swarm {
  readonly what: Published;
  readonly seeds: number;
}

export interface WorldTorrent {
  readonly infohash: string;
  readonly folder: string;
  readonly tags: Set<string>;
  state: TorrentState;
  ticks: number;
  doneBytes: number;
  receivedBytes: number;
  seededTicks: number;
}

export interface StepFacts {
  readonly lie: TorrentLie | undefined;
  readonly swarm: Swarm | undefined;
  /** From the first byte to the last. */
  readonly wholeTicks: number;
  /** Of what would come in one tick, what does. */
  readonly share: number;
}

/** What happened, where more has to be known of it than the torrent's own figures. */
export type Happened = "nothing" | "came" | "lost" | "vanished" | "went-back";

export function stepTorrent(torrent: WorldTorrent, facts: StepFacts): Happened {
  const { lie, swarm } = facts;
  switch (torrent.state) {
    case "moving":
      torrent.state = "complete";
      return "nothing";
    case "complete":
      torrent.seededTicks += 1;
      if (lie !== "loses-files") return "nothing";
      torrent.state = "missing-files";
      return "lost";
    case "metadata":
      if (swarm !== undefined && swarm.seeds > 0) torrent.state = "downloading";
      return "nothing";
    case "downloading":
      return swarm === undefined || swarm.seeds === 0 ? "nothing" : downloadStep(torrent, swarm.what, facts);
    default:
      return "nothing";
  }
}

function downloadStep(torrent: WorldTorrent, what: Published, { lie, wholeTicks, share }: StepFacts): Happened {
  const isHalf = torrent.ticks * 2 >= wholeTicks;
  if (isHalf && lie === "stalls") return "nothing";
  if (isHalf && lie === "vanishes") return "vanished";
  if (isHalf && lie === "goes-backwards") {
    goBack(torrent);
    return "went-back";
  }
  if (isHalf && lie === "fails") {
    torrent.state = "failed";
    return "nothing";
  }
  const left = bytesOf(what) - torrent.doneBytes;
  const isLast = torrent.ticks + 1 >= wholeTicks;
  const came = isLast ? left : Math.floor((left / (wholeTicks - torrent.ticks)) * share);
  torrent.ticks += 1;
  torrent.doneBytes += came;
  torrent.receivedBytes += came;
  if (!isLast) return "nothing";
  torrent.state = lie === "moves" ? "moving" : "complete";
  return "came";
}

export function goBack(torrent: WorldTorrent): void {
  torrent.ticks = 0;
  torrent.doneBytes = 0;
  torrent.receivedBytes = 0;
}

export function bytesOf({ files }: Published): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}
