// From what was named to a client: a server elsewhere, or the very same application on the database at hand.

import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { safeText } from "../../kit/index.ts";
import { loadApps } from "../apps.ts";
import { type Flags, loadConfig } from "../config/load.ts";
import { CommandError, EXIT, UsageError } from "../exit.ts";
import { loadModule, NOTHING } from "../load-module.ts";
import { makeLog } from "../log.ts";
import { once } from "../once.ts";
import { ownFolder } from "../own-folder.ts";
import { packageVersion } from "../version.ts";
import { type Client, makeClient } from "./client.ts";
import { chooseTarget, isOpenToOthers, profileFile, readProfiles, type Target } from "./profile.ts";

export async function connect(flags: Flags): Promise<Client> {
  const target = targetOf(flags);
  return target === undefined ? await localClient(flags) : remoteClient(target);
}

/** Undefined: the database at hand. */
export function targetOf(flags: Flags): Target | undefined {
  const named = { url: text(flags.url), profile: text(flags.profile), database: text(flags.database) };
  const target = chooseTarget(named, process.env, readProfiles(process.env));
  const file = profileFile(process.env);
  if (target?.key !== undefined && target.key !== process.env.SLUICE_API_KEY && isOpenToOthers(file))
    process.stderr.write(`sluice: others can read the key in ${file}; chmod 600 it\n`);
  return target;
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

export function remoteClient({ url, key }: Target): Client {
  return makeClient({
    isLocal: false,
    where: url,
    base: url,
    async send(request) {
      if (key !== undefined) request.headers.set("authorization", `Bearer ${key}`);
      try {
        return await fetch(request);
      } catch (error) {
        if (request.signal.aborted && !isTimeout(request.signal.reason)) throw error;
        throw new CommandError(
          EXIT.unreachable,
          `${url} cannot be reached: ${reason(error)}`,
          "is it running? sluice up starts one here",
        );
      }
    },
    close: async () => {},
  });
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

function reason(error: unknown): string {
  if (isTimeout(error)) return "it does not answer";
  return safeText(error instanceof Error && error.cause !== undefined ? error.cause : error, 200);
}

async function localClient(flags: Flags): Promise<Client> {
  const { sluice, app, where } = await openLocal(flags);
  return makeClient({
    isLocal: true,
    where,
    base: "http://localhost",
    send: (request) => app.send(request),
    async close() {
      app.close();
      await sluice.close();
    },
  });
}

/** For what is done on the database itself: where a server is named, that one is meant, and ours must not be changed instead. */
export function refuseElsewhere(flags: Flags, command: string): void {
  const target = targetOf(flags);
  if (target === undefined) return;
  throw new UsageError(
    `sluice ${command} works on the database itself, and ${target.url} is a server elsewhere`,
    `where that one's database is at hand: sluice ${command} … --database <url|folder>`,
  );
}

/** The database at hand, and the application on it. */
export async function openLocal(flags: Flags) {
  const { config } = await loadConfig(flags);
  const database = config["database.url"];
  const folder = ownFolder(config);
  // Looking must not make a database.
  if (folder !== undefined && !existsSync(folder))
    throw new CommandError(
      EXIT.unreachable,
      `there is no Sluice here: ${database === undefined ? "DATABASE_URL is not set, and " : ""}there is no ${folder}`,
      "start one with: sluice up; or name one with DATABASE_URL, or a server with SLUICE_URL",
    );
  const [{ openSluice }, { localApp }, { secretKey }] = await Promise.all([
    import("../../engine/index.ts"),
    import("../../server/local.ts"),
    import("../secret-key.ts"),
  ]);
  const log = makeLog({
    level: config["log.level"] === "info" ? "error" : config["log.level"],
    format: config["log.format"],
  });
  const module = text(flags.module);
  // Handing in and trying again need their code, which has a say in both.
  const own = module === undefined ? NOTHING : await loadModule(module);
  const key = once(() => secretKey(config));
  const apps = await loadApps({ config, own, key, keepsTorrents: false });
  const sluice = await openSluice({
    pipelines: apps.loaded.pipelines,
    worker: false,
    pooled: config["database.pooled"],
    log,
    ...(database === undefined ? {} : { database }),
  });
  const { username } = userInfo();
  const { keyring } = await key();
  const { media, documents } = apps;
  const version = await packageVersion();
  const app = await localApp({ sluice, user: username, keyring, media, documents, log, version });
  await apps.opened(sluice.tables);
  return { sluice, app, config, where: folder === undefined ? "the database" : `the database in ${folder}` };
}
