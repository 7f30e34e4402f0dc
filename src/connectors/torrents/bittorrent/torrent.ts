// One torrent: what it is of, how far it has come, and what is wrong with it.
//
//   queued ─▶ metadata ─▶ checking ─▶ downloading ─▶ seeding ─▶ done (goals reached)
//                              └── paused, failed, missing-files: stands still until it is nudged

import { safeText } from "../../../kit/index.ts";
import type { SeenTorrent, TorrentFile } from "../torrents.ts";
import { Announcer } from "./announcer.ts";
import { Content, diskWords } from "./content.ts";
import { readInfo } from "./metainfo.ts";
import { TorrentRefused } from "./paths.ts";
import type { Peer } from "./peer.ts";
import type { Block, Picker } from "./picker.ts";
import { Progress } from "./progress.ts";
import type { Loaded, StoredTorrent } from "./state.ts";
import { Swarm } from "./swarm.ts";
import type { SwarmHost } from "./swarm-options.ts";
import type { TorrentDeps } from "./torrent-options.ts";
import { belongsInSwarm, fileViews, leftBytesOf, type Phase, seenTorrent, takesTurns } from "./view.ts";

export class Torrent implements SwarmHost {
  readonly #deps: TorrentDeps;
  record: StoredTorrent;
  info: Buffer | undefined;
  phase: Phase = "queued";
  #content: Content | undefined;
  #problem: string | null = null;
  readonly #progress: Progress;
  #tickedMs: number | undefined;
  #isLeft = false;
  readonly swarm: Swarm;
  readonly #announcer: Announcer;

  constructor(deps: TorrentDeps, { record, info, progress }: Loaded) {
    this.#deps = deps;
    this.record = record;
    const { infohash, trackers } = record;
    this.#progress = new Progress(infohash, deps.state, progress);
    const exchanges = () => deps.isPublic && this.#content?.meta.isPrivate === false;
    this.swarm = new Swarm(this, { ...deps.swarm, infohash, exchanges });
    this.#announcer = new Announcer({
      trackers,
      announce: deps.announce,
      now: deps.now,
      facts: () => this.#facts(),
      found: (peers) => this.swarm.offer(peers),
    });
    if (info !== undefined) this.#describe(info, progress?.have);
  }

  get picker(): Picker<Peer> | undefined {
    return this.#content?.picker;
  }

  get path(): string | null {
    return this.#content?.path ?? null;
  }

  /** Waits for a turn or uses one. */
  get isUnfinished(): boolean {
    return !this.record.isPaused && takesTurns(this.phase);
  }

  #describe(info: Buffer, stored?: string | null): void {
    this.info = info;
    try {
      const { folder, infohash } = this.record;
      const content = new Content(folder, readInfo(info, this.#deps.limits), stored, this.#deps.random);
      if (this.#deps.isTaken(content.path, infohash))
        throw new TorrentRefused(`another torrent is at ${content.path}; a folder of its own helps`, "PLACE_TAKEN");
      this.#content = content;
      this.phase = "unchecked";
    } catch (error) {
      if (!(error instanceof TorrentRefused)) throw error;
      this.#stand("failed", `it cannot be downloaded: ${error.message}`);
    }
  }

  async check(): Promise<void> {
    const content = this.#content;
    if (content === undefined || this.#isLeft) return;
    const isThorough = this.phase === "doubted";
    this.phase = "checking";
    this.#problem = null;
    try {
      const found = await content.check(isThorough);
      if (typeof found === "object") return this.#stand(found.phase, found.problem);
      // Before anything is written there: the next life has to know that it is ours.
      if (found !== "as-noted") this.#progress.isDirty = true;
      await this.save();
      if (this.phase === "checking") this.phase = content.picker.have.isWhole ? "seeding" : "queued";
    } catch (error) {
      this.#stand("failed", diskWords(error));
    }
  }

  /** It has a turn, or has none. */
  setTurn(hasTurn: boolean): void {
    if (this.isUnfinished) this.phase = !hasTurn ? "queued" : this.#content === undefined ? "metadata" : "downloading";
  }

  tick(): void {
    const now = this.#deps.now();
    const passed = now - (this.#tickedMs ?? now);
    this.#tickedMs = now;
    const isOpen = !this.record.isPaused && belongsInSwarm(this.phase, this.swarm.isOpen);
    if (this.phase === "seeding" && isOpen) this.#seed(passed);
    if (this.swarm.isOpen && !isOpen) {
      this.swarm.close();
      void this.sayGoodbye();
    }
    this.swarm.isOpen = isOpen;
    if (!isOpen) return;
    this.#announcer.tick();
    this.swarm.tick();
  }

  #seed(passedMs: number): void {
    this.#progress.seeded(passedMs);
    const { ratio, ms } = this.#deps.goals;
    if (this.#progress.ratio(this.#content?.meta.totalBytes ?? 0) >= ratio || this.#progress.seededMs >= ms)
      this.phase = "done";
  }

  nudge(): void {
    this.#announcer.soon();
    this.swarm.soon();
    if (this.phase !== "failed" && this.phase !== "missing-files") return;
    // Whatever was wrong with the disk may be mended; what is on it now is read again.
    if (this.#content !== undefined) this.phase = "doubted";
    else if (this.info !== undefined) this.#describe(this.info);
  }

  async leave(): Promise<void> {
    this.#isLeft = true;
    this.swarm.close();
    await this.#saveNow();
    await this.#content?.close();
  }

  /** Trackers forget by themselves; told, they do it at once. */
  sayGoodbye(): Promise<void> {
    return this.#announcer.stopped(AbortSignal.timeout(2_000));
  }

  async removeFiles(): Promise<void> {
    await this.#content?.remove();
  }

  async save(): Promise<void> {
    if (!this.#isLeft) await this.#saveNow();
  }

  async #saveNow(): Promise<void> {
    try {
      await this.#progress.save(this.#content);
    } catch (error) {
      this.#stand("failed", diskWords(error));
    }
  }

  async read(block: Block): Promise<Buffer | undefined> {
    try {
      const data = await this.#content?.read(block);
      if (data === undefined && !this.#isLeft) this.#stand("missing-files", "its files are no longer where they were");
      return data;
    } catch (error) {
      this.#stand("failed", diskWords(error));
      return undefined;
    }
  }

  readonly received = (bytes: number): void => this.#progress.received(bytes);
  readonly uploaded = (bytes: number): void => this.#progress.uploaded(bytes);

  described(info: Buffer): void {
    // On the disk first: a process that dies now would otherwise have to ask for it again, of whoever is still there.
    void this.#deps.state.writeInfo(this.record.infohash, info).then(
      () => {
        if (this.#isLeft || this.info !== undefined) return;
        this.#describe(info);
        this.swarm.described();
      },
      (error: unknown) => this.#stand("failed", diskWords(error)),
    );
  }

  whole(piece: number, data: Buffer, givers: readonly Peer[]): void {
    const content = this.#content;
    if (content === undefined) return;
    if (content.isRight(piece, data)) return void this.#keep(content, piece, data);
    content.picker.settle(piece, false);
    this.#problem = `what came of piece ${piece} was wrong and was not kept; whoever sent it is not asked again`;
    this.swarm.pieceWrong(givers);
  }

  async #keep(content: Content, piece: number, data: Buffer): Promise<void> {
    try {
      await content.keep(piece, data);
      if (this.#isLeft) return;
      this.#progress.isDirty = true;
      this.#problem = null;
      if (content.picker.have.isWhole) await this.#finish();
      this.swarm.pieceDone(piece);
    } catch (error) {
      content.picker.settle(piece, false);
      this.#stand("failed", diskWords(error));
    }
  }

  /** Told as complete only once it would survive a power cut. */
  async #finish(): Promise<void> {
    this.#progress.isDirty = true;
    await this.save();
    // Its turn may have been over, or not yet begun, when the last piece came.
    if (!takesTurns(this.phase)) return;
    this.phase = "seeding";
    this.#announcer.completed();
  }

  #stand(phase: "failed" | "missing-files", problem: string): void {
    this.phase = phase;
    this.#problem = problem;
  }

  #facts() {
    const { receivedBytes: downloaded, uploadedBytes: uploaded } = this.#progress;
    const { peerId, port } = this.#deps.swarm;
    const left = leftBytesOf(this.#content?.meta, this.picker?.have);
    return { infohash: this.record.infohash, peerId, port: port(), uploaded, downloaded, left };
  }

  files(): readonly TorrentFile[] {
    return this.#content === undefined ? [] : fileViews(this.#content.meta, this.#content.picker.have);
  }

  seen(): SeenTorrent {
    return seenTorrent({
      record: this.record,
      phase: this.phase,
      meta: this.#content?.meta,
      have: this.picker?.have,
      path: this.path,
      problem: this.#problem === null ? this.#announcer.problem : safeText(this.#problem, 500),
      seeds: this.swarm.isOpen ? this.swarm.seeds : null,
      ratio: this.#progress.ratio(this.#content?.meta.totalBytes ?? 0),
      ...this.#progress.totals,
    });
  }
}
