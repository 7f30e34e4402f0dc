// A server with encoders on "other machines": processes of their own that speak to it over HTTP.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makePattern } from "../../sandbox/media/films.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import type { Encoded } from "../../src/apps/media/encoded.ts";
import { type MediaLimits, prepareMediaTables, setClient, setIndexer } from "../../src/apps/media/index.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import { type EncodingProfileInput, encodingProfile, videoProbe } from "../../src/connectors/index.ts";
import type { ItemId, PartsOutput } from "../../src/engine/index.ts";
import { silentLogger } from "../../src/kit/index.ts";
import { Access } from "../../src/server/access/access.ts";
import { type Served, serveSluice } from "../../src/server/serve.ts";
import { type Going, startCli } from "../support/cli.ts";
import { heldFfmpeg } from "../support/held-ffmpeg.ts";
import { processesWith } from "../support/real-encoder-world.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { layDown, openSite, type Site, type SitePlaces } from "./encoding-site.ts";

export const SECONDS = 4;
const goOf = (program: string): string => `${program}.go`;

export class EncodingWorld {
  readonly root = temporaryFolder("sluice-encoding");
  readonly pattern = join(this.root, "pattern.mkv");
  readonly #limits: Partial<MediaLimits>;
  readonly #isIdle: boolean;
  readonly #going = new Map<string, Going>();
  readonly #children: ChildProcess[] = [];
  #database: TestServer | undefined;
  #site: Site | undefined;
  #served: Served | undefined;
  #film = 0;
  readonly #tokens = new Map<string, string>();

  constructor({
    limits = {},
    isIdle = false,
  }: { readonly limits?: Partial<MediaLimits>; readonly isIdle?: boolean } = {}) {
    this.#limits = limits;
    this.#isIdle = isIdle;
  }

  get places(): SitePlaces {
    const [downloads, encodes] = [join(this.root, "downloads"), join(this.root, "encodes")];
    return { database: this.#database?.url() ?? "", downloads, encodes, limits: this.#limits };
  }

  get site(): Site {
    if (this.#site === undefined) throw new Error("it is not up");
    return this.#site;
  }

  get url(): string {
    return this.#served?.url ?? "";
  }

  async start(): Promise<void> {
    for (const folder of ["downloads", "encodes", "programs"]) mkdirSync(join(this.root, folder), { recursive: true });
    await makePattern(this.pattern, { seconds: SECONDS, kilobytes: 1_500 });
    this.#database = await startServer();
    for (let film = 0; film < 30; film += 1) layDown(this.places, film, this.pattern);
    this.#site = await openSite(this.places, { isIdle: this.#isIdle });
    const { sluice, app } = this.site;
    const { tables } = sluice;
    await prepareMediaTables(tables);
    await setIndexer(tables, {
      ...{ name: "one", url: "http://one", has_key: false, categories: [], links: "public", priority: 10, is_on: true },
    });
    await setClient(tables, {
      ...{ name: "main", kind: "qbittorrent", url: "http://main", username: null, has_password: false },
      ...{ folder: this.places.downloads, paths: [], priority: 25, is_on: true },
    });
    const admin = { name: "ann", password: "correct horse battery" };
    this.#served = await serveSluice({
      ...{ sluice, host: "127.0.0.1", port: 0, hosts: [], log: silentLogger, version: "0.0.0", media: app, admin },
    });
  }

  /** Each encoder has a key of its own, and keeps it. */
  async tokenOf(name: string): Promise<string> {
    const known = this.#tokens.get(name);
    if (known !== undefined) return known;
    const access = new Access({ tables: this.site.sluice.tables, now: () => 0 });
    const ann = { user: "ann", role: "admin", via: "session", scopes: null } as const;
    const { key } = await access.makeKey(ann, { name, scopes: ["encode"] }, null);
    this.#tokens.set(name, key);
    return key;
  }

  async stop(): Promise<void> {
    for (const name of [...this.#going.keys()]) await this.end(name, "SIGTERM");
    await this.killWorkers();
    await this.#served?.close();
    await this.#site?.sluice.close();
    await this.#database?.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Everything that was asked for has ended, and nobody encodes. */
  async clean(): Promise<void> {
    for (const name of [...this.#going.keys()]) await this.end(name, "SIGTERM");
    await this.site.sluice.tables.query({ name: "forget-encoders", text: "delete from media.encoder" }, []);
  }

  /** An encoder as somebody starts it elsewhere. */
  async encoder(name: string, { program = "ffmpeg", url = this.url, slots = 2, token = "" } = {}): Promise<Going> {
    const work = this.workOf(name);
    const key = token || (await this.tokenOf(name));
    const args = ["encoder", "--server", url, "--token", key, "--name", name, "--slots", String(slots)];
    const going = startCli([...args, "--work", work, "--ffmpeg", program, "--threads", "1"], {});
    this.#going.set(name, going);
    await going.says(/encoding for/);
    return going;
  }

  workOf(name: string): string {
    return join(this.root, "work", name);
  }

  async end(name: string, signal: NodeJS.Signals): Promise<number | null> {
    const going = this.#going.get(name);
    this.#going.delete(name);
    going?.child.kill("SIGCONT");
    return (await going?.end(signal)) ?? null;
  }

  process(name: string): Going {
    const going = this.#going.get(name);
    if (going === undefined) throw new Error(`${name} is not up`);
    return going;
  }

  /** An ffmpeg that notes each encode that it begins, and ends none before it is let; with more before its arguments. */
  program(name: string, { isHeld = true, also = "" } = {}): string {
    const file = join(this.root, "programs", name);
    return heldFfmpeg({ file, also, notes: this.notesOf(name), go: isHeld ? goOf(file) : null });
  }

  /** What it has begun, and will begin, comes to its end. */
  letGo(name: string): void {
    writeFileSync(goOf(join(this.root, "programs", name)), "");
  }

  notesOf(name: string): string {
    return join(this.root, "programs", `${name}.notes`);
  }

  /** How many encodes it has begun. */
  begun(name: string): number {
    const notes = this.notesOf(name);
    return existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n").length : 0;
  }

  /** Beside the one that is here unless it is idle. */
  async worker(): Promise<void> {
    const script = fileURLToPath(new URL("fixtures/encoding-process.ts", import.meta.url));
    const child = fork(script, [JSON.stringify(this.places)], {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#children.push(child);
    await new Promise((resolve) => child.once("message", resolve));
  }

  /** All of them, with -9. */
  async killWorkers(): Promise<void> {
    for (const child of this.#children.splice(0)) {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
  }

  async ask(...profiles: EncodingProfileInput[]): Promise<{ readonly id: ItemId; readonly film: number }> {
    const film = this.#film;
    this.#film += 1;
    const encodings = profiles.map((one) => encodingProfile.parse(one));
    const targets = encodings.map(({ name }) => ({ name: `to-${name}`, encoding: name }));
    const wanted = { kind: "film" as const, tmdb: film + 1, title: null, profile: standardProfile, targets, encodings };
    const { items } = await this.site.sluice.submit(this.site.app.media, [wanted]);
    return { id: items[0] as ItemId, film };
  }

  item = (id: ItemId) => this.site.sluice.item(id);
  jobs = (id: ItemId) => this.site.app.encoders.ofItem(this.site.sluice.tables, id);

  async encoded(id: ItemId): Promise<PartsOutput<Encoded>> {
    return (await this.item(id)).outputs.encode as PartsOutput<Encoded>;
  }

  /** What comes after it, delivering, is not this world's. */
  async done(id: ItemId, ms = 90_000): Promise<PartsOutput<Encoded>> {
    await until(
      async () => {
        const { state, outputs } = await this.item(id);
        return outputs.encode !== undefined || state === "failed" || state === "cancelled";
      },
      "the encode's end",
      ms,
    );
    const encoded: PartsOutput<Encoded> | undefined = await this.encoded(id);
    if (encoded === undefined) throw new Error((await this.item(id)).wait.sentence);
    return encoded;
  }

  /** Until its encode moves at somebody. */
  async moves(id: ItemId, by?: string): Promise<void> {
    await until(
      async () =>
        (await this.jobs(id)).some((job) => (job.frames ?? 0) > 0 && (by === undefined || job.encoder === by)),
      `an encode that moves${by === undefined ? "" : ` at ${by}`}`,
    );
  }

  /** That it is a film of the whole length, in what was asked for. */
  async filmAt(encoded: Encoded | undefined): Promise<{ codec: string; seconds: number; bytes: number }> {
    if (encoded?.kind !== "made") throw new Error(`nothing was made: ${JSON.stringify(encoded)}`);
    const { streams, lastPacketMs } = await videoProbe().facts(encoded.path);
    return { codec: streams[0]?.codec ?? "", seconds: Math.round((lastPacketMs ?? 0) / 1_000), bytes: encoded.bytes };
  }

  /** Every ffmpeg of ours that still runs, and every part that is half written. */
  leftovers(): readonly string[] {
    const running = processesWith(this.root).filter(({ command }) => command.includes(".part."));
    const files = readdirSync(this.root, { recursive: true, encoding: "utf8" });
    return [...running.map(({ command }) => command), ...files.filter((name) => /\.part\.|arriving/.test(name))];
  }
}
