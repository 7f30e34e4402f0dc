// The media world on the loopback: a database, a metadata service, two indexers, a tracker, a seeder, a download client, a worker that can
// be killed, and a server that shows them. Films and series are made for it; where it is wanted, a gateway converts documents beside them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DocumentLimits, type DocumentsApp, prepareDocumentTables } from "../../src/apps/documents/index.ts";
import type { MediaApp, MediaLimits } from "../../src/apps/media/index.ts";
import { openSluice, type Sluice } from "../../src/engine/index.ts";
import { openDoor } from "../../src/server/door.ts";
import { keyFile } from "../../src/server/secrets/key-file.ts";
import { serveSluice } from "../../src/server/serve.ts";
import { sandboxDocuments } from "../documents/app.ts";
import { Ending, ended } from "../ending.ts";
import { Things } from "../things.ts";
import { workerThing } from "../worker-thing.ts";
import type { World, WorldOptions } from "../world.ts";
import { sandboxMedia, together, WATCHED_LIMITS } from "./app.ts";
import { setUpDeliveries } from "./deliveries.ts";
import { encoderNodes } from "./encoders.ts";
import { checkPrograms } from "./films.ts";
import type { MediaPace, MediaService } from "./services/definition.ts";
import { gateway } from "./services/gateway.ts";
import { CONVERTERS, DESTINATIONS, SOURCES } from "./services/index.ts";
import { doorOf, SERVERS } from "./services/servers.ts";
import { tracker } from "./services/swarm.ts";
import { setUpMedia } from "./settings.ts";
import type { ClientDoor } from "./somebody.ts";
import { type StartedService, startService } from "./start-service.ts";
import { makeStock, type Stock, type StockOptions } from "./stock.ts";

export interface MediaWorldOptions extends WorldOptions {
  readonly stock?: Partial<Omit<StockOptions, "announce">>;
  readonly pace?: Partial<MediaPace>;
  readonly limits?: Partial<MediaLimits>;
  /** Items in the worker's hands at a time. */
  readonly concurrency?: number;
  /** Without encoders and servers what is asked for is only downloaded. Default: with them. */
  readonly delivers?: boolean;
  /** With these limits documents are converted too; without any there are none. */
  readonly converts?: Partial<DocumentLimits>;
}

export interface MediaWorld extends World {
  readonly app: MediaApp;
  readonly documents: DocumentsApp | undefined;
  readonly stock: Stock;
  /** For somebody else who uses the download client. */
  readonly client: ClientDoor;
  /** Where the files of each server lie. */
  readonly shelves: ReadonlyMap<string, string>;
}

/** A film takes seconds, so that one can see it move. */
const SHAPE = { seconds: 12, kilobytes: 2_400 };
const PACE: MediaPace = {
  ...{ releaseSeconds: 8, announceSeconds: 5, torrentsAtATime: 8, seedMs: 600_000, retryAfterSeconds: 5 },
  ...{ encodeSpeed: 4, encodesAtATime: 2, serverBytesPerSecond: 1_500_000, cutBytes: 600_000 },
  slowConversionMs: 8_000,
};

export async function startMediaWorld(options: MediaWorldOptions): Promise<MediaWorld> {
  const { folder, log, admin, version, dashboard, limits = WATCHED_LIMITS, delivers = true, converts } = options;
  await checkPrograms();
  const pace = { ...PACE, ...options.pace };
  const ending = new Ending();
  try {
    const door = await openDoor({ host: "127.0.0.1", port: options.port, closeMs: 1_000 });
    ending.add(() => door.close());
    const files = {
      database: join(folder, "database"),
      keys: join(folder, "secret.key"),
      encodes: join(folder, "encodes"),
    };
    let sluice: Sluice | undefined;
    const tables = async () => {
      if (sluice === undefined) throw new Error("the database is not open yet");
      return sluice.tables;
    };
    const app = await sandboxMedia({ tables, limits, keyFile: files.keys, encodes: files.encodes });
    let ports: ReadonlyMap<string, number> = new Map();
    const port = () => ports.get(gateway.name);
    const documents = converts && sandboxDocuments({ tables, folder, limits: converts, port });
    const opened = { database: files.database, worker: false, log, connections: 10 } as const;
    const opening = openSluice({ ...together(app, documents), ...opened });
    ending.add(() => ended(opening, (it) => it.close()));
    const [started] = await Promise.all([startServices(options, pace, ending), opening]);
    sluice = await opening;
    ports = started.ports;
    const { stock, client } = started;
    if (documents !== undefined) await prepareDocumentTables(sluice.tables);
    await setUpMedia(app, { ports, clientToken: client.token });
    if (delivers) await setUpDeliveries(app, { ports, folder, bytesPerSecond: pace.serverBytesPerSecond });
    const nodes = await encoderNodes({ sluice, pace, admin, port: door.port, folder: join(folder, "encoders") });
    ending.add(() => nodes.stop());
    const worker = workerOf(options, files, { limits, gatewayPort: port() });
    ending.add(() => worker.process.stop());
    const things = new Things([...started.things, ...(delivers ? nodes.things : []), worker], log);
    const { keyring } = await keyFile(files.keys);
    const [served] = await Promise.all([
      serveSluice({
        ...{
          sluice,
          door,
          host: "127.0.0.1",
          port: door.port,
          hosts: [],
          sandbox: things,
          keyring,
          media: app,
          documents,
        },
        ...{ admin, version, dashboard, log },
      }),
      worker.process.start(),
    ]);
    ending.add(() => served.close());
    if (delivers) await nodes.start();
    const shelves = new Map(delivers ? SERVERS.map((name) => [name, doorOf(join(folder, name)).files]) : []);
    return { url: served.url, sluice, things, app, documents, stock, client, shelves, close: ending.close };
  } catch (error) {
    await ending.close();
    throw error;
  }
}

interface WorldFiles {
  readonly database: string;
  readonly keys: string;
  readonly encodes: string;
}

interface ToldWorker {
  readonly limits: Partial<MediaLimits>;
  readonly gatewayPort: number | undefined;
}

function workerOf(options: MediaWorldOptions, { database, keys, encodes }: WorldFiles, told: ToldWorker) {
  const { concurrency = 20, folder, converts } = options;
  const documents = converts && JSON.stringify({ folder, limits: converts, port: told.gatewayPort });
  return workerThing(join(import.meta.dirname, "worker.ts"), {
    ...{ SANDBOX_DATABASE: database, SANDBOX_KEY_FILE: keys, SANDBOX_ENCODES: encodes },
    ...{ SANDBOX_LIMITS: JSON.stringify(told.limits), SANDBOX_CONCURRENCY: String(concurrency) },
    ...(documents === undefined ? {} : { SANDBOX_DOCUMENTS: documents }),
  });
}

/** The tracker first: its address stands in every torrent. */
async function startServices(options: MediaWorldOptions, pace: MediaPace, ending: Ending) {
  const { folder, stock: wanted, delivers = true, converts } = options;
  const stockFolder = join(folder, "stock");
  const starting: Promise<StartedService>[] = [];
  ending.add(() => Promise.all(starting.map((one) => ended(one, ({ thing }) => thing.process.stop()))));
  const start = (service: MediaService, announce: string) => {
    const place = { folder: join(folder, service.name), stock: stockFolder, announce, pace };
    starting.push(startService(service, place));
  };
  start(tracker, "");
  const found = await Promise.all(starting);
  const announce = `http://127.0.0.1:${found[0]?.port}/announce`;
  const stock = await makeStock(stockFolder, { shape: SHAPE, ...wanted, announce });
  const services = [...SOURCES, ...(delivers ? DESTINATIONS : []), ...(converts === undefined ? [] : CONVERTERS)];
  for (const service of services) if (service !== tracker) start(service, announce);
  const all = await Promise.all(starting);
  const ports = new Map(all.map(({ thing, port }) => [thing.process.name, port]));
  const downloads = join(folder, "client");
  const token = readFileSync(join(downloads, ".sluice-torrents", "token"), "utf8").trim();
  const client = { url: `http://127.0.0.1:${ports.get("client")}/`, token, folder: downloads };
  return { stock, client, ports, things: all.map(({ thing }) => thing) };
}
