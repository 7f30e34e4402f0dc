// `sluice up`, `sluice server` and `sluice worker`: the same start, with a door, with a worker, or with both.

import { comebackText, isChildProcess, openSluice, openTables, type Sluice } from "../../engine/index.ts";
import { type Service, systemClock } from "../../kit/index.ts";
import type { GivenAdmin } from "../../server/access/ensure-admin.ts";
import type { Door } from "../../server/door.ts";
import type { Served } from "../../server/serve.ts";
import { type Apps, loadApps } from "../apps.ts";
import { type Flags, loadConfig, withStored } from "../config/load.ts";
import type { Layer } from "../config/resolve.ts";
import type { Config } from "../config/settings.ts";
import { dashboardFolder } from "../dashboard-folder.ts";
import { documentDisks, hasOwnGateway, ownGatewayOf } from "../documents-app.ts";
import { embeddedFolder, startTorrents } from "../embedded-client.ts";
import { startGateway } from "../embedded-gateway.ts";
import { UsageError } from "../exit.ts";
import type { Keeper } from "../keeper.ts";
import { type Loaded, loadModule, NOTHING } from "../load-module.ts";
import { type Log, makeLog, toLevel } from "../log.ts";
import { once } from "../once.ts";
import { openOptions, type Part, retentionOf } from "../open-options.ts";
import { openWhenReady } from "../open-when-ready.ts";
import { ownFolder } from "../own-folder.ts";
import type { Say } from "../say.ts";
import type { SecretKey } from "../secret-key.ts";
import { type StopSignal, stopSignal } from "../stop-signal.ts";
import { tracesWanted } from "../traces-wanted.ts";
import { packageVersion } from "../version.ts";

interface Start {
  readonly part: Part;
  readonly config: Config;
  readonly layers: readonly Layer[];
  readonly apps: Apps;
  readonly key: () => Promise<SecretKey>;
  readonly log: Log;
  readonly stop: StopSignal;
  readonly say: Say;
}

export async function startCommand(part: Part, module: string | undefined, flags: Flags, say: Say): Promise<void> {
  const own = module === undefined ? NOTHING : await loadModule(module);
  if (isChildProcess()) return await visitSuspects(part, own, flags);
  const { config, layers } = await loadConfig(flags);
  if (part === "worker" && config["database.url"] === undefined)
    throw new UsageError("sluice worker needs DATABASE_URL or --database", "sluice up keeps a database of its own");
  const key = once(() => keyOf(config));
  const apps = await loadApps({ config, own, key, keepsTorrents: part === "up" });
  if (part === "worker" && apps.loaded.pipelines.length === 0)
    throw new UsageError("sluice worker needs something to work on", "sluice worker pipelines.ts, or --apps media");
  const [level, format, requests] = [config["log.level"], config["log.format"], config["log.requests"]];
  const log = makeLog({ level, format, requests });
  await run({ part, config, layers, apps, key, log, stop: stopSignal(), say });
}

/** Started by a parent to visit its suspects: it needs the pipelines, and nothing else of what a start is. */
async function visitSuspects(part: Part, own: Loaded, flags: Flags): Promise<void> {
  const { config } = await loadConfig(flags);
  const database = config["database.url"] ?? "./data";
  const tables = once(async () => (await openTables({ database, pooled: config["database.pooled"] })).tables);
  const key = once(() => keyOf(config));
  const { loaded } = await loadApps({ config, own, key, tables, keepsTorrents: part === "up" });
  await openSluice({ pipelines: loaded.pipelines, services: loaded.services });
}

async function keyOf(config: Config): Promise<SecretKey> {
  return await (await import("../secret-key.ts")).secretKey(config);
}

async function run(start: Start): Promise<void> {
  const { part, config, stop, log, say } = start;
  // Before the database: who comes early is told what is being waited for.
  const door = part === "worker" ? undefined : await openOwnDoor(config);
  try {
    const sluice = await openPatiently(start, door);
    if (sluice === undefined) return;
    let served: Served | undefined;
    let torrents: Keeper | undefined;
    let encoder: Service | undefined;
    let gateway: Keeper | undefined;
    try {
      served = await serve(sluice, start, door);
      const downloads = await embeddedFolder(part, config);
      if (downloads !== undefined) torrents = await startTorrents(sluice.tables, downloads, start);
      encoder = await encodeHere(start);
      if (part === "up" && hasOwnGateway(config)) gateway = await startGateway(ownGatewayOf(config), log);
      void tellComeback(sluice, log, say);
      const signal = await stop.told;
      say("stopping", `${signal}: handing back what is in hand`, { signal });
    } finally {
      await served?.close();
      await encoder?.stop();
      await sluice.close();
      // After what was in hand: handing back may have to ask them.
      await Promise.all([torrents?.stop(), gateway?.stop()]);
    }
  } finally {
    await door?.close();
  }
}

async function encodeHere({ part, config, apps: { media }, log, say }: Start): Promise<Service | undefined> {
  if (media === undefined) return undefined;
  const { startLocalEncoder } = await import("../local-encoder.ts");
  return await startLocalEncoder({ part, config, media, log, say });
}

async function openOwnDoor(config: Config): Promise<Door> {
  const { openDoor } = await import("../../server/door.ts");
  return await openDoor({ host: config["server.host"], port: config["server.port"] });
}

async function openPatiently(start: Start, door: Door | undefined): Promise<Sluice | undefined> {
  const { log, stop } = start;
  const since = new Date();
  let isTold = false;
  let isOpen = false;
  // While it is waited for, each try would tell that it has lost its connection.
  const warn: Log["warn"] = (event, facts) => {
    if (isOpen || event !== "database.connection-lost") log.warn(event, facts);
  };
  const open = async () => {
    const sluice = await openSluice({ ...openOptions({ ...start, ...start.apps }), log: { ...log, warn } });
    isOpen = true;
    return sluice;
  };
  return await openWhenReady(open, {
    clock: systemClock,
    log,
    signal: stop.signal,
    onTrouble({ words, isLasting }) {
      door?.waitFor({ since, trouble: words });
      if (isTold) return;
      isTold = true;
      const where = door === undefined ? "" : `; ${door.url} says so meanwhile`;
      note(`waiting for the database: ${words}${isLasting ? ", and that will not pass by itself" : ""}${where}`);
    },
  });
}

/** What is set in the database is known from here on. */
async function serve(sluice: Sluice, start: Start, door: Door | undefined): Promise<Served | undefined> {
  const { part, config, layers, apps, log, say } = start;
  const { prepareServerTables } = await import("../../server/server-tables.ts");
  await prepareServerTables(sluice.tables);
  await apps.opened(sluice.tables);
  const stored = await withStored(layers, sluice.tables);
  for (const problem of stored.problems) log.warn("config.ignored", { problem });
  log.level = toLevel(stored.config["log.level"]);
  const retention = retentionOf(stored.config);
  if (Object.keys(retention).length > 0) await sluice.keep(retention);
  const pipelines = apps.loaded.pipelines.map((pipeline) => `${pipeline.name}@${pipeline.version}`);
  if (part !== "server" && pipelines.length > 0) {
    const stages = config["worker.stages"];
    const only = stages.length === 0 ? "" : `, stages ${stages.join(", ")}`;
    say("working", `working on ${pipelines.join(", ")}${only}`, { pipelines, stages });
  }
  if (door === undefined) return undefined;
  const served = await listen(sluice, { ...start, config: stored.config }, door);
  const { setupUrl } = served;
  say("listening", `listening on ${door.url}`, { url: door.url });
  if (setupUrl !== undefined)
    say("setup", `nobody has an account yet; for the next 24 hours the first is made here: ${setupUrl}`, { setupUrl });
  if (part === "up" && pipelines.length === 0)
    say(
      "idle",
      "no pipelines yet: stop this, and start it with a module that exports some: sluice up pipelines.ts; or with films and series: sluice up --apps media; or with documents: sluice up --apps documents",
    );
  return served;
}

async function listen(sluice: Sluice, { part, config, apps, key, log }: Start, door: Door): Promise<Served> {
  const { serveSluice } = await import("../../server/serve.ts");
  const { keyring, made } = await key();
  if (made !== undefined) note(`${made} holds the key that secrets are stored with; it belongs into every backup`);
  const [folder, downloads] = [ownFolder(config), await embeddedFolder(part, config)];
  return await serveSluice({
    sluice,
    door,
    host: config["server.host"],
    port: door.port,
    hosts: config["server.hosts"],
    trustedProxies: config["server.trustedProxies"],
    publicUrl: config["server.publicUrl"],
    dashboard: dashboardFolder(),
    admin: adminOf(config),
    keyring,
    media: apps.media,
    documents: apps.documents,
    disks: [
      ...(folder === undefined ? [] : [{ use: "the database", path: folder }]),
      ...(downloads === undefined ? [] : [{ use: "downloads", path: downloads }]),
      ...(await documentDisks(config)),
    ],
    log,
    version: await packageVersion(),
    traces: tracesWanted(process.env),
  });
}

function adminOf(config: Config): GivenAdmin | undefined {
  const [name, password] = [config["server.adminName"], config["server.adminPassword"]];
  if (name === undefined && password === undefined) return undefined;
  if (name === undefined || password === undefined)
    throw new UsageError("SERVER_ADMIN_NAME and SERVER_ADMIN_PASSWORD go together", "set both, or neither");
  return { name, password };
}

/** Once what was in hand is begun again; nobody waits for it. */
async function tellComeback(sluice: Sluice, log: Log, say: Say): Promise<void> {
  try {
    const comeback = await sluice.comeback();
    if (comeback === undefined) return;
    say("back", comebackText(comeback), { ...comeback, sentence: comebackText(comeback) });
    log.info("worker.back", { ...comeback });
  } catch (error) {
    log.warn("worker.back-unknown", { error: String(error) });
  }
}

function note(text: string): void {
  process.stderr.write(`sluice: ${text}\n`);
}
